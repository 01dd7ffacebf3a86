"""What is drawn for questions of quiz.md, about notebook 09."""

from grader.exam.question import different, whole


def a_further_share(rng):
    first, second = different(rng, 2, 9, 2)
    line, other, why = rng.choice(
        [
            (f"+= {second}", first, "+= writes into the array itself, and b has the same array"),
            (
                f'= ledger["a"] + {second}',
                first + second,
                "This + makes a new array for a. The old one, which b has, stays as it is",
            ),
        ]
    )
    return {"first": first, "line": line, "other": other, "why": why}


def a_graph(rng):
    u = rng.choice(["x * c", "c * c"])
    if u == "c * c":
        other, why = 4, "u is made of c alone, so it requires no grad either, nor does what is made of u and c"
    else:
        other, why = 3, "Each node that depends on x has a line, and x itself has one too"
    return {
        "u": u,
        "v": rng.choice(["u * c", "u + x", "x * u", "u - c"]),
        "L": rng.choice(["v + x", "v * x", "x - v"]),
        "other": other,
        "why": why,
    }


def recorded_or_not(rng):
    x, recorded = whole(rng, 3, 12), rng.random() < 0.5
    if recorded:
        other, why = 0, "create_graph=True records the first derivative, so it depends on x, and can be differentiated"
    else:
        other, why = 6 * x, "Without create_graph=True the first derivative is not recorded: it is a constant"
    return {"x": x, "recorded": recorded, "other": other, "why": why}


def a_wrong_rule(rng):
    n = whole(rng, 2, 9, but=(3,))
    rule, answer, other, missed, found = rng.choice(
        [
            (
                f"out_grad * {n} * a * a",
                "gradcheck",
                "gradgradcheck",
                "gradgradcheck nudges the gradient that the rule gives, and its derivative fits: both are wrong alike",
                f"gradcheck nudges a ** 3 itself, and finds 3a², not {n}a²",
            ),
            (
                "out_grad * 3 * a * a.data",
                "gradgradcheck",
                "gradcheck",
                "gradcheck compares the gradient's numbers with nudging, and these are right",
                "gradgradcheck nudges the gradient, and finds that it depends on more than was recorded",
            ),
        ]
    )
    return {"x": n, "rule": rule, "answer": answer, "other": other, "missed": missed, "found": found}

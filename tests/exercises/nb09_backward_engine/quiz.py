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


VERDICTS = {
    (True, False): "gradcheck alone",
    (False, True): "gradgradcheck alone",
    (True, True): "both of them",
    (False, False): "neither of them",
}


def a_rule_of_the_cube(rng):
    """Its number may be wrong, and its factor a may be recorded or not; what each check makes of that."""
    n, unrecorded = rng.choice([3, whole(rng, 2, 9, but=(3,))]), rng.random() < 0.5
    found = (n != 3, unrecorded)
    finds = (
        f"gradcheck nudges a ** 3 itself, and finds 3a², not {n}a²"
        if found[0]
        else "gradcheck compares the gradient's numbers with nudging, and these are right",
        f"gradgradcheck nudges the gradient, and finds the slope {2 * n}a; through what was recorded it is only {n}a"
        if unrecorded
        else f"gradgradcheck nudges the gradient that the rule gives, {n}a², and its derivative fits",
    )
    others = [verdict for verdict in VERDICTS if verdict != found]
    values = {"x": whole(rng, 2, 9), "rule": f"out_grad * {n} * a * a{'.data' * unrecorded}", "answer": VERDICTS[found]}
    for (choice, why), verdict in zip(
        (("other", "why"), ("second", "why_second"), ("third", "why_third")), rng.sample(others, 3)
    ):
        differ = [told for told, mine, theirs in zip(finds, found, verdict) if mine != theirs]
        values |= {choice: VERDICTS[verdict], why: "; ".join(differ)}
    return values

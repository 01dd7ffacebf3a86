"""What is drawn for questions of quiz.md, about notebook 00."""

from grader.exam.question import different, whole

LINES = {
    "return w + h": lambda a, b: a + b,
    "return w * w": lambda a, b: a * a,
    "return 2 * (w + h)": lambda a, b: 2 * (a + b),
}


def a_mistake(rng):
    """A wrong line, two others, and what the message says of the first."""
    mine, other, third = rng.sample(sorted(LINES), 3)
    a, b = different(rng, 4, 9, 2)
    numbers = {"a": a, "b": b, "said": LINES[mine](a, b), "expected": a * b}
    return numbers | {"mine": mine, "other": other, "third": third}


def two_errors(rng):
    """Two guesses, one too high by p and one too low by q, and the truths."""
    x, y = different(rng, 12, 30, 2)
    p, q = rng.choice([(1, 3), (2, 4), (3, 5), (4, 6), (1, 5), (5, 1)])
    return {"x": x, "y": y, "g": x + p, "h": y - q}


def one_that_moves(rng):
    """The label is 1: an answer on its right side that moves further, both in tenths; and one that stays."""
    p, q = sorted(different(rng, 6, 9, 2))
    return {"p": p, "q": q, "r": whole(rng, 1, 4)}


def lists(rng):
    """One list whose mean is not that of its ends, and three in which it is."""
    a, step = whole(rng, 1, 5), whole(rng, 2, 4)
    return {
        "right": [*range(a, a + whole(rng, 2, 4)), a + 5 + 3 * step],
        "even": [*range(a, a + whole(rng, 3, 5) * step, step)],
        "turned": [a, a + 1, a + 8 + step, a + 9 + step],
        "two": [-a - step, 3 * step],
    }

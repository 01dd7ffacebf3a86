"""What is drawn for questions of quiz.md, about notebook 06."""

from grader.exam.question import whole

SETTLED = {  # by the result alone, and how
    "exp(x)": "exp is its own derivative: the result is all it takes",
    "sqrt(x)": "The derivative of sqrt is 1 / (2 · result)",
    "sigmoid(x)": "The derivative of sigmoid is y · (1 - y), and y is the result",
    "tanh(x)": "The derivative of tanh is 1 - y², and y is the result",
    "relu(x)": "The result is above 0, so x is as well, and there the derivative is 1",
}


def one_that_needs_its_input(rng):
    lost = rng.choice(["abs(x)", "x ** 2", "x ** 4"])
    one, other = rng.sample(sorted(SETTLED), 2)
    named = dict(zip("pqr", rng.sample([lost, one, other], 3)))
    return {**named, "lost": lost, "one": one, "other": other, "of_one": SETTLED[one], "of_other": SETTLED[other]}


def gradients_with_nan(rng):
    wrong, lost = whole(rng, 1, 3), whole(rng, 1, 2)
    given = [f"{whole(rng, 4, 9)}.0"] * wrong + ["np.nan"] * lost + ["2.0"] * whole(rng, 1, 2)
    return {"given": ", ".join(rng.sample(given, len(given))), "all": wrong + lost}


def two_slopes(rng):
    a = whole(rng, -6, 6, but=(0,))
    return {"a": a, "b": whole(rng, -6, 6, but=(0, a, -a))}

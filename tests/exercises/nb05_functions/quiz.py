"""What is drawn for questions of quiz.md, about notebook 05."""

from grader.exam.question import different, whole

SHAPES, COMMON, OPERATORS, JACOBIAN = (
    "say what shape `a + b` has before you run it, or that it has none",
    "write what every operation has in common: unwrap the arrays, compute, wrap the result, record it",
    "make `+ - * / **` work with numbers, lists and arrays on either side",
    "say why nobody stores the Jacobian of an array operation, and find the vector-Jacobian product that takes its "
    "place",
)


def one_that_requires(rng):
    """Which of three Tensors requires grad."""
    return dict(zip("abc", rng.sample(["True", "False", "False"], 3))) | dict(zip("xyz", different(rng, 2, 9, 3)))


def an_operator(rng):
    """An operator with a plain number on its left, and the methods of the two sides."""
    sign, name = rng.choice([("-", "sub"), ("/", "truediv"), ("**", "pow")])
    return {"sign": sign, "name": name, "k": whole(rng, 2, 9)}


def a_table(rng):
    """Two rows and two columns, and what arrives."""
    return dict(zip("abcd", different(rng, 1, 5, 4))) | {"p": 10, "q": whole(rng, 2, 4)}

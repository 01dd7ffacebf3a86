"""Three ways to measure a slope, each of them wrong somewhere: for the bug hunt of notebook 01."""

import cmath
import math
import operator

from grader.marking.play import play

POINT = 2.0
OPERATIONS = 3  # an expression may be made of that many
VISIBLE = 0.01  # of the right slope

_NOT_COMPUTABLE = (ArithmeticError, ValueError, TypeError, AttributeError)


def one_sided(f, x):
    """A nudges to one side only, by 0.1."""
    return (f(x + 0.1) - f(x)) / 0.1


def wide(f, x):
    """B nudges to both sides, by 1."""
    return (f(x + 1) - f(x - 1)) / 2


def fine(f, x):
    """C nudges to both sides, by 0.0000000001."""
    return (f(x + 1e-10) - f(x - 1e-10)) / 2e-10


NUDGERS = {"A": one_sided, "B": wide, "C": fine}

_WAYS = {"A": (POINT, POINT + 0.1), "B": (POINT - 1, POINT + 1), "C": (POINT - 1e-10, POINT + 1e-10)}

_WHEN_WRONG = {
    "A": "A errs where the slope changes between x = 2 and x = 2.1.",
    "B": "B may find too much on one side and just as much too little on the other: then the two errors cancel.",
    "C": "C errs where f(x + h) and f(x - h) agree in nearly all of their 16 digits.",
}


def verdict(name, recipe, text):
    """None if the nudger is visibly wrong on the recipe's expression; else a sentence that says so."""
    try:
        right = right_slope(recipe)
    except _NOT_COMPUTABLE:
        return f"{text} cannot be computed at x = {POINT:g}."
    if not math.isfinite(right):
        return f"{text} has no slope at x = {POINT:g}."
    if abs(right) < 1e-12:
        return f"The right slope of {text} at x = {POINT:g} is 0. The hunt needs one that is not."
    found = _finite(lambda: NUDGERS[name](lambda x: real_value(recipe, x), POINT))
    if _is_near(found, right):
        return (
            f"For {text} nudger {name} finds {found:.6g}, and the right slope is {right:.6g}: "
            f"that is not a visible difference. {_WHEN_WRONG[name]}"
        )
    with_all_digits = _finite(lambda: mean_slope(recipe, *_WAYS[name]))
    if _is_near(with_all_digits, right) == (name == "C"):
        return None
    if name == "C":
        return (
            f"For {text} nudger C finds {found:.6g}, but not because it lost its digits: at x = {POINT:g} the slope "
            "jumps, so no slope is right. C must be wrong because of what it does."
        )
    return (
        f"For {text} nudger {name} finds {found:.6g}, but only because the nudge drowns in rounding, as C's does. With "
        f"more digits {name} would find {with_all_digits:.6g}, and {right:.6g} is right. {_WHEN_WRONG[name]}"
    )


def _is_near(found, right):
    return abs(found - right) <= VISIBLE * abs(right)


def _finite(ask):
    """What ask() answers; infinity if it leads to where the expression cannot be computed."""
    try:
        found = ask()
    except _NOT_COMPUTABLE:
        return math.inf
    return found if math.isfinite(found) else math.inf


def right_slope(recipe, at=POINT):
    """The slope of a recipe at a place, exact to rounding: an imaginary nudge needs no subtraction."""
    real_value(recipe, at)
    tiny = 1e-30
    return played(recipe, complex(at, tiny)).imag / tiny


def mean_slope(recipe, left, right, pieces=64):
    """(f(right) - f(left)) / (right - left), with nothing lost by subtracting: the mean of the slopes between them."""
    slopes = [right_slope(recipe, left + (right - left) * i / pieces) for i in range(pieces + 1)]
    return (slopes[0] + slopes[-1] + 4 * sum(slopes[1::2]) + 2 * sum(slopes[2:-1:2])) / (3 * pieces)  # Simpson's rule


def real_value(recipe, x):
    """The number that a recipe gives at a real x.  Raises ValueError where a root or a logarithm has none."""
    result = played(recipe, x)
    if result.imag:
        raise ValueError("the result is not real")
    return result.real


def played(recipe, x):
    """The complex number that a recipe gives at x."""
    result, _ = play(recipe, lambda _: Number(x))
    return complex(_plain(result))


class Number:
    """A real or a complex number with the operators and functions that a recipe may ask for."""

    def __init__(self, number):
        self.number = number


def _plain(x):
    return x.number if isinstance(x, Number) else x


def _sigmoid(z):
    return 1 / (1 + cmath.exp(-z))


def _relu(z):
    return z if z.real > 0 else 0 * z


def _add_operators():
    for name in ("add", "sub", "mul", "truediv", "pow"):
        apply = getattr(operator, name)
        setattr(Number, f"__{name}__", lambda x, y, f=apply: Number(f(x.number, _plain(y))))
        setattr(Number, f"__r{name}__", lambda x, y, f=apply: Number(f(_plain(y), x.number)))


def _add_functions():
    functions = {"exp": cmath.exp, "log": cmath.log, "sin": cmath.sin, "tanh": cmath.tanh}
    for name, apply in {**functions, "sigmoid": _sigmoid, "relu": _relu}.items():
        setattr(Number, name, lambda x, f=apply: Number(f(x.number)))


_add_operators()
_add_functions()

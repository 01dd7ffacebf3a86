"""The questions of notebook 01."""

import math

import numpy as np

from grader.asking.answers import raised
from grader.asking.ask import kind_of
from grader.course.questions import probe
from grader.probes.arrays import condensed
from grader.probes.probing import LARGE, TOO_MANY_TO_NUDGE
from grader.probes.recipe import recipe_of

LIGHT = ("1.1", "1.4", "1.5")  # without NumPy


def kind(x):
    """What x is. NumPy hands an array without axes back as a number of its own: as good as the array."""
    return "an array" if isinstance(x, (np.ndarray, np.generic)) else kind_of(x)


def as_array(x):
    return np.asarray(x) if isinstance(x, np.generic) else x


def digits(x):
    return str(x.tolist())


# 1.1: numerical_derivative.


@probe("1.1", asked="numerical_derivative(f, 3.0, h=0.1) for f(x) = x**3")
def a_curve_and_a_wide_nudge(bg, rng):
    return {"returned": bg.numerical_derivative(lambda x: x**3, 3.0, h=0.1)}


@probe("1.1", asked="numerical_derivative(f, 1.5, h=0.25) for the straight line f(x) = 5 - 2*x")
def a_line_that_falls(bg, rng):
    return {"returned": bg.numerical_derivative(lambda x: 5 - 2 * x, 1.5, h=0.25)}


@probe("1.1", asked="numerical_derivative(f, 0.0, h=0.5) for f(x) = x**2")
def the_bottom_of_a_valley(bg, rng):
    return {"returned": bg.numerical_derivative(lambda x: x**2, 0.0, h=0.5)}


@probe("1.1", asked="numerical_derivative(f, {x}, h={h}) for f(x) = x**3 - 4*x")
def a_curve_at_a_random_place(bg, rng):
    x, h = round(rng.uniform(-3, -1), 2), round(rng.uniform(0.05, 0.5), 4)
    return {
        "asked": {"x": x, "h": h},
        "returned": bg.numerical_derivative(lambda x: x**3 - 4 * x, x, h=h),
    }


@probe("1.1", asked="numerical_derivative(math.exp, 1.0), with no h")
def a_nudge_that_is_not_given(bg, rng):
    return {"returned": bg.numerical_derivative(math.exp, 1.0)}


# 1.2: numerical_gradient.


def answer(returned):
    """What came back, and before that whether it is an array at all."""
    return {"the answer": kind(returned), "returned": as_array(returned)}


@probe("1.2", asked="numerical_gradient(f, x, h=0.1) for f(x) = x[0]*x[1] + x[2]**3 and x = [2.0, -3.0, 1.5]")
def three_inputs(bg, rng):
    x = np.array([2.0, -3.0, 1.5])
    return answer(bg.numerical_gradient(lambda x: x[0] * x[1] + x[2] ** 3, x, h=0.1))


@probe(
    "1.2",
    asked="numerical_gradient(f, x, h=0.5) for f(x) = the sum of c * x**2, with c = [[1, 2, 3], [4, 5, 6]] and x = {x}",
)
def rows_and_columns(bg, rng):
    c = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    x = rng.uniform(-2, 2, (2, 3)).round(1)
    asked = {"x": digits(x)}
    return {"asked": asked} | answer(bg.numerical_gradient(lambda x: np.sum(c * x**2), x, h=0.5))


@probe("1.2", asked="numerical_gradient(f, x, h=0.0123) for f(x) = x**3 and x = np.array(0.7), an array of shape ()")
def no_axis_at_all(bg, rng):
    return answer(bg.numerical_gradient(lambda x: float(x) ** 3, np.array(0.7), h=0.0123))


@probe(
    "1.2",
    asked="numerical_gradient(f, x, h=0.1) for f(x) = the sum of x**2, with x = [0.3, 0.7, -1.1], then looked at x",
)
def x_afterwards(bg, rng):
    x = np.array([0.3, 0.7, -1.1])
    bg.numerical_gradient(lambda x: np.sum(x**2), x, h=0.1)
    return {"x afterwards": digits(x)}


@probe(
    "1.2",
    asked="numerical_gradient(f, x, h=0.1) for x = [0.3, 0.7, -1.1] and an f that raises a ValueError "
    "when it is called the third time, then looked at x",
)
def a_function_that_raises(bg, rng):
    x, calls = np.array([0.3, 0.7, -1.1]), []

    def f(x):
        calls.append(1)
        if len(calls) == 3:
            raise ValueError("two calls are enough")
        return np.sum(x)

    happened = raised(lambda: kind(bg.numerical_gradient(f, x, h=0.1)), naming="two calls are enough")
    return {"x afterwards": digits(x), "returned": happened, "how often f was called": len(calls)}


# 1.3: two_step_gradients.


def gradients(bg, a, b, w):
    """The gradients by name, from a tuple, a list or a stacked array; before that, what came back at all."""
    returned = bg.two_step_gradients(a, b, w)
    if not isinstance(returned, (tuple, list)) and getattr(returned, "shape", None) != (3, *a.shape):
        return {"the answer": kind(returned)}
    names = "the gradient of a", "the gradient of b", "the gradient of w"
    return {"the answer": " and ".join(map(kind, returned))} | dict(zip(names, map(as_array, returned)))


@probe("1.3", asked="two_step_gradients(a, b, w) for a = [2, 3], b = [4, 5], w = [3, 2]")
def the_worked_numbers(bg, rng):
    return gradients(bg, np.array([2.0, 3.0]), np.array([4.0, 5.0]), np.array([3.0, 2.0]))


@probe(
    "1.3",
    asked="two_step_gradients(a, b, w) for arrays of shape (): "
    "a = np.array(-2.0), b = np.array(-5.0), w = np.array(0.5)",
)
def single_numbers(bg, rng):
    return gradients(bg, np.array(-2.0), np.array(-5.0), np.array(0.5))


@probe("1.3", asked="two_step_gradients(a, b, w) for a = {a}, b = {b}, w = {w}")
def rows_and_columns_with_a_zero(bg, rng):
    a, b, w = rng.uniform(-5, 5, (3, 2, 2)).round(1)
    a[0, 1] = 0.0
    asked = {"a": digits(a), "b": digits(b), "w": digits(w)}
    answers = gradients(bg, a, b, w)
    afterwards = {"a afterwards": digits(a), "b afterwards": digits(b), "w afterwards": digits(w)}
    return {"asked": asked} | answers | afterwards


@probe("1.3", asked="two_step_gradients(a, b, w) for a = [30000, 2], b = [40000, -7], w = [50000, 4]")
def large_beside_small(bg, rng):
    return gradients(bg, np.array([3e4, 2.0]), np.array([4e4, -7.0]), np.array([5e4, 4.0]))


@probe("1.3", asked=f"two_step_gradients(a, b, w) for random arrays of shape {LARGE}", slow=TOO_MANY_TO_NUDGE)
def large(bg, rng):
    return condensed(gradients(bg, *rng.normal(size=(3, *LARGE))))


# 1.4: Dual.


def numbers(rng, count):
    """Random values and slopes of both signs, none near 0, with so many decimals that a rounded result shows."""
    signs = (1, -1, -1, 1)[:count]
    return [round(sign * rng.uniform(0.5, 3), 4) for sign in signs]


def parts(name, number, **made_from):
    """What a result is, then its value and slope if it has them, and those of the Duals it was made from."""
    answers = {name: kind_of(number)}
    if hasattr(number, "slope"):
        answers |= {f"{name}.value": number.value, f"{name}.slope": number.slope}
    for label, dual in made_from.items():
        answers |= {f"{label}.value after {name}": dual.value, f"{label}.slope after {name}": dual.slope}
    return answers


@probe("1.4", asked="x * y for x = Dual(4.0, 3.0), y = Dual(5.0, 2.0)")
def product_in_the_head(bg, rng):
    """Unlike 3 by 5, growing by 1 and 2: there two wrong rules agree."""
    return parts("(x * y)", bg.Dual(4.0, 3.0) * bg.Dual(5.0, 2.0))


@probe("1.4", asked="x * y for x = Dual({x}, {slope_x}), y = Dual({y}, {slope_y}); then 3 * x, x * 0")
def product(bg, rng):
    x, y, slope_x, slope_y = numbers(rng, 4)
    asked = {"x": x, "y": y, "slope_x": slope_x, "slope_y": slope_y}
    x, y = bg.Dual(x, slope_x), bg.Dual(y, slope_y)
    return {"asked": asked} | parts("(x * y)", x * y, x=x, y=y) | parts("(3 * x)", 3 * x) | parts("(x * 0)", x * 0)


@probe(
    "1.4",
    asked="x ** 3, x ** 1, x ** -2 for x = Dual({x}, {slope}); Dual(0.0, 2.0) ** 2 and ** 1; Dual(2.25, -3.0) ** 0.5",
)
def power(bg, rng):
    slope, value = numbers(rng, 2)
    x = bg.Dual(value, slope)
    powers = parts("(x ** 3)", x**3, x=x) | parts("(x ** 1)", x**1) | parts("(x ** -2)", x**-2)
    powers |= parts("(Dual(0.0, 2.0) ** 2)", bg.Dual(0.0, 2.0) ** 2)
    powers |= parts("(Dual(0.0, 2.0) ** 1)", bg.Dual(0.0, 2.0) ** 1)
    powers |= parts("(Dual(2.25, -3.0) ** 0.5)", bg.Dual(2.25, -3.0) ** 0.5)
    return {"asked": {"x": value, "slope": slope}} | powers


@probe("1.4", asked="x.sin() for x = Dual({x}, {slope}), then with the slope 0.0 in place of {slope}")
def sine(bg, rng):
    value, slope = round(rng.uniform(1.8, 2.8), 2), -round(rng.uniform(1.5, 3), 2)
    moving, still = bg.Dual(value, slope), bg.Dual(value, 0.0)
    answers = parts(f"Dual({value}, {slope}).sin()", moving.sin(), x=moving)
    return {"asked": {"x": value, "slope": slope}} | answers | parts(f"Dual({value}, 0.0).sin()", still.sin())


# 1.5: the hunt.


def ask_hunt(name):
    asked = f"three_nudgers(x) and gave its expression to nudger {name} at x = 2"

    @probe("1.5", asked=asked, name=f"nudger_{name}", secret=True)
    def recorded(bg, rng):
        return {"recipe": recipe_of(bg.hunts.three_nudgers, x=2.0)}


for _name in "ABC":
    ask_hunt(_name)

"""Notebook 01: slopes by nudging, slopes along a path, and numbers that carry their slope."""

import math

import numpy as np

from grader.asking.ask import kind_of
from grader.course.exercise import TOO_MANY_TO_NUDGE, Exercise, Notebook, raised
from grader.marking.compare import describe
from grader.probes.probing import LARGE, condensed
from grader.probes.recipe import as_text, complaint, record

NOTEBOOK = Notebook("01", "slopes_by_nudging", "Slopes by nudging", minutes=50, files=("derivatives.py", "hunts.py"))

derivative = Exercise(
    "1.1",
    "numerical_derivative",
    file="derivatives.py",
    points=2,
    minutes=3,
    difficulty=1,
    hints=[
        "Think of the two square beds: Ada's side grew by h, Ben's shrank by h. By how much do their areas "
        "differ, and by how much their sides?",
        "You need f at two places, h above x and h below it. The slope is the difference of the two results "
        "over the distance between the two places, which is more than h.",
        "Compute above = f(x + h) and below = f(x - h). Subtract, then divide by the distance from x - h to "
        "x + h. Mind the brackets: / comes before -, and a / 2 * h is not a / (2 * h).",
    ],
)


@derivative.probe(asked="numerical_derivative(f, 2.0, h=0.1) for f(x) = x**3")
def a_curve_and_a_wide_nudge(bg, rng):
    return {"returned": bg.numerical_derivative(lambda x: x**3, 2.0, h=0.1)}


@derivative.probe(asked="numerical_derivative(f, 1.5, h=0.25) for the straight line f(x) = 5 - 2*x")
def a_line_that_falls(bg, rng):
    return {"returned": bg.numerical_derivative(lambda x: 5 - 2 * x, 1.5, h=0.25)}


@derivative.probe(asked="numerical_derivative(f, 0.0, h=0.5) for f(x) = x**2")
def the_bottom_of_a_valley(bg, rng):
    return {"returned": bg.numerical_derivative(lambda x: x**2, 0.0, h=0.5)}


@derivative.probe(asked="numerical_derivative(f, {x}, h={h}) for f(x) = x**3 - 4*x")
def a_curve_at_a_random_place(bg, rng):
    x, h = round(rng.uniform(-3, -1), 2), round(rng.uniform(0.05, 0.5), 2)
    return {
        "asked": {"x": x, "h": h},
        "returned": bg.numerical_derivative(lambda x: x**3 - 4 * x, x, h=h),
    }


def _near(expected, got):
    """A slope found with a tiny nudge holds about nine right digits: ask for six."""
    want, have = expected["returned"], got.get("returned")
    if type(have) in (int, float) and abs(have - want) <= 1e-6 * abs(want):
        return None
    return f"It returned {describe(have)}, but about {describe(want)} was expected."


@derivative.probe(asked="numerical_derivative(math.exp, 1.0), with no h", compare=_near)
def a_nudge_that_is_not_given(bg, rng):
    return {"returned": bg.numerical_derivative(math.exp, 1.0)}


gradient = Exercise(
    "1.2",
    "numerical_gradient",
    file="derivatives.py",
    points=3,
    minutes=6,
    difficulty=2,
    needs=("1.1",),
    hints=[
        "It is exercise 1.1, once for each element, while all others stay where they are. What must be true "
        "of x before you turn to the next element?",
        "for index in np.ndindex(x.shape) gives every place of an array of any shape, and x[index] reads and "
        "writes it. Keep the number that was there in a variable of its own, and put that one back.",
        "Before the loop gradient = np.zeros(x.shape) makes room. In it, original = x[index] keeps the number. Under "
        "try: put h more there and ask f, put h less there and ask f again. Under finally: the original goes back. "
        "Then the slope of 1.1 goes to gradient[index].",
    ],
)


def _kind(x):
    """What x is. NumPy hands an array without axes back as a number of its own: as good as the array."""
    return "an array" if isinstance(x, (np.ndarray, np.generic)) else kind_of(x)


def _answer(returned):
    """What came back, and before that whether it is an array at all."""
    return {"the answer": _kind(returned), "returned": _as_array(returned)}


def _as_array(x):
    return np.asarray(x) if isinstance(x, np.generic) else x


def _digits(x):
    return str(x.tolist())


@gradient.probe(asked="numerical_gradient(f, x, h=0.1) for f(x) = x[0]*x[1] + x[2]**3 and x = [2.0, -3.0, 1.5]")
def three_inputs(bg, rng):
    x = np.array([2.0, -3.0, 1.5])
    return _answer(bg.numerical_gradient(lambda x: x[0] * x[1] + x[2] ** 3, x, h=0.1))


@gradient.probe(
    asked="numerical_gradient(f, x, h=0.5) for f(x) = the sum of c * x**2, with c = [[1, 2, 3], [4, 5, 6]] and x = {x}"
)
def rows_and_columns(bg, rng):
    c = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    x = rng.uniform(-2, 2, (2, 3)).round(1)
    asked = {"x": _digits(x)}
    return {"asked": asked} | _answer(bg.numerical_gradient(lambda x: np.sum(c * x**2), x, h=0.5))


@gradient.probe(asked="numerical_gradient(f, x, h=0.1) for f(x) = x**3 and x = np.array(2.0), an array of shape ()")
def no_axis_at_all(bg, rng):
    return _answer(bg.numerical_gradient(lambda x: float(x) ** 3, np.array(2.0), h=0.1))


@gradient.probe(
    asked="numerical_gradient(f, x, h=0.1) for f(x) = the sum of x**2, with x = [0.3, 0.7, -1.1], then looked at x"
)
def x_afterwards(bg, rng):
    x = np.array([0.3, 0.7, -1.1])
    bg.numerical_gradient(lambda x: np.sum(x**2), x, h=0.1)
    return {"x afterwards": _digits(x)}


@gradient.probe(
    asked="numerical_gradient(f, x) for x = [1.0, 2.0, 3.0] and an f that raises a ValueError "
    "when it is called the third time, then looked at x"
)
def a_function_that_raises(bg, rng):
    x, calls = np.array([1.0, 2.0, 3.0]), []

    def f(x):
        calls.append(1)
        if len(calls) == 3:
            raise ValueError("three calls are enough")
        return np.sum(x)

    happened = raised(lambda: _kind(bg.numerical_gradient(f, x)), naming="three calls are enough")
    return {"x afterwards": _digits(x), "returned": happened}


chain = Exercise(
    "1.3",
    "two_step_gradients",
    file="derivatives.py",
    points=2,
    minutes=3,
    difficulty=1,
    hints=[
        "Take the first elements only: a = 2, b = 4, w = 3. If a grows by 1, by how much does c = a * b "
        "grow? And when c grows by that much, by how much does d = c * w grow?",
        "Two slopes lie on the path from a to d: the slope of c to a, and the slope of d to c. The first is "
        "one of the three arrays, the second another one. Along a path slopes multiply.",
        "The slope of d to c is w, for both paths. Multiply it by the slope of c to a for the first answer, "
        "and by the slope of c to b for the second; return both, separated by a comma.",
    ],
)


def _two_gradients(bg, a, b, w):
    """The two gradients by name, from a tuple, a list or a stacked array; before that, what came back at all."""
    returned = bg.two_step_gradients(a, b, w)
    if not isinstance(returned, (tuple, list)) and getattr(returned, "shape", None) != (2, *a.shape):
        return {"the answer": _kind(returned)}
    names = "the gradient of a", "the gradient of b"
    return {"the answer": " and ".join(map(_kind, returned))} | dict(zip(names, map(_as_array, returned)))


@chain.probe(asked="two_step_gradients(a, b, w) for a = [2, 3], b = [4, 5], w = [3, 2]")
def the_worked_numbers(bg, rng):
    return _two_gradients(bg, np.array([2.0, 3.0]), np.array([4.0, 5.0]), np.array([3.0, 2.0]))


@chain.probe(
    asked="two_step_gradients(a, b, w) for arrays without an axis: "
    "a = np.array(-2.0), b = np.array(-2.0), w = np.array(1.0)"
)
def single_numbers(bg, rng):
    return _two_gradients(bg, np.array(-2.0), np.array(-2.0), np.array(1.0))


@chain.probe(asked="two_step_gradients(a, b, w) for a = {a}, b = {b}, w = {w}")
def rows_and_columns_with_a_zero(bg, rng):
    a, b, w = rng.uniform(-5, 5, (3, 2, 2)).round(1)
    a[0, 1] = 0.0
    asked = {"a": _digits(a), "b": _digits(b), "w": _digits(w)}
    answers = _two_gradients(bg, a, b, w)
    afterwards = {"a afterwards": _digits(a), "b afterwards": _digits(b), "w afterwards": _digits(w)}
    return {"asked": asked} | answers | afterwards


@chain.probe(asked="two_step_gradients(a, b, w) for a = [30000, 2], b = [40000, -7], w = [50000, 4]")
def large_beside_small(bg, rng):
    return _two_gradients(bg, np.array([3e4, 2.0]), np.array([4e4, -7.0]), np.array([5e4, 4.0]))


@chain.probe(asked=f"two_step_gradients(a, b, w) for random arrays of shape {LARGE}", slow=TOO_MANY_TO_NUDGE)
def large(bg, rng):
    return condensed(_two_gradients(bg, *rng.normal(size=(3, *LARGE))))


dual = Exercise(
    "1.4",
    "Dual",
    file="derivatives.py",
    points=4,
    minutes=8,
    difficulty=3,
    hints=[
        "Every answer is a Dual made of two numbers: the value, as if there were no slopes, and the "
        "slope, by the sentence in the docstring. Nudge by hand where a sentence surprises you.",
        "The slope that comes in must appear in the slope that goes out: an input that does not move "
        "(slope 0) gives a result that does not move. In a product and a quotient each side brings a "
        "slope of its own.",
        "Each region ends in return Dual(value, slope). For a function: value = math.exp(self.value), and "
        "slope = (its slope at self.value) * self.slope. exp and tanh use their own result there; "
        "math.cos and math.log are there too.",
    ],
)


def _numbers(rng, count):
    """Random values and slopes of both signs, none near 0, two digits each."""
    signs = np.resize([1, -1, -1, 1], count)
    return [float(x) for x in (rng.uniform(0.5, 3, count) * signs).round(2)]


@dual.probe(asked="x * y for x = Dual({x}, {slope_x}), y = Dual({y}, {slope_y}); then 3 * x, x * 0")
def product(bg, rng):
    x, y, slope_x, slope_y = _numbers(rng, 4)
    asked = {"x": x, "y": y, "slope_x": slope_x, "slope_y": slope_y}
    x, y = bg.Dual(x, slope_x), bg.Dual(y, slope_y)
    return {"asked": asked} | _parts("(x * y)", x * y, x=x, y=y) | _parts("(3 * x)", 3 * x) | _parts("(x * 0)", x * 0)


def _parts(name, number, **made_from):
    """What a result is, then its value and slope if it has them, and those of the Duals it was made from."""
    answers = {name: kind_of(number)}
    if hasattr(number, "slope"):
        answers |= {f"{name}.value": number.value, f"{name}.slope": number.slope}
    for label, dual in made_from.items():
        answers |= {f"{label}.value after {name}": dual.value, f"{label}.slope after {name}": dual.slope}
    return answers


@dual.probe(asked="x / y for x = Dual({x}, {slope_x}), y = Dual({y}, {slope_y}); then x / 4, 1 / y")
def quotient(bg, rng):
    x, y, slope_x, slope_y = _numbers(rng, 4)
    asked = {"x": x, "y": y, "slope_x": slope_x, "slope_y": slope_y}
    x, y = bg.Dual(x, slope_x), bg.Dual(y, slope_y)
    return {"asked": asked} | _parts("(x / y)", x / y, x=x, y=y) | _parts("(x / 4)", x / 4) | _parts("(1 / y)", 1 / y)


@dual.probe(asked="x ** 3, x ** 1, x ** -2 for x = Dual({x}, {slope}); Dual(0.0, 2.0) ** 2, Dual(2.25, -3.0) ** 0.5")
def power(bg, rng):
    slope, value = _numbers(rng, 2)
    x = bg.Dual(value, slope)
    powers = _parts("(x ** 3)", x**3, x=x) | _parts("(x ** 1)", x**1) | _parts("(x ** -2)", x**-2)
    powers |= _parts("(Dual(0.0, 2.0) ** 2)", bg.Dual(0.0, 2.0) ** 2)
    powers |= _parts("(Dual(2.25, -3.0) ** 0.5)", bg.Dual(2.25, -3.0) ** 0.5)
    return {"asked": {"x": value, "slope": slope}} | powers


def _function(name, place):
    """The probe of one function: at a place where the slope that comes in is 1, 0, and something else."""
    text = f"x.{name}() for x = Dual({{x}}, 1.0), then with the slopes {{slope}} and 0.0 in place of 1.0"

    def function(bg, rng):
        value, slope = place(rng), -round(rng.uniform(1.5, 3), 2)
        answers = {"asked": {"x": value, "slope": slope}}
        for incoming in (1.0, slope, 0.0):
            x = bg.Dual(value, incoming)
            answers |= _parts(f"Dual({value}, {incoming}).{name}()", getattr(x, name)(), x=x)
        return answers

    function.__name__ = name
    return dual.probe(asked=text)(function)


def _around_zero(rng):
    return round(rng.uniform(-0.9, -0.3), 2)


_function("exp", _around_zero)
_function("log", lambda rng: round(rng.uniform(1.5, 4), 2))
_function("sin", lambda rng: round(rng.uniform(1.8, 2.8), 2))
_function("tanh", _around_zero)


hunt = Exercise(
    "1.5",
    "three_nudgers",
    file="hunts.py",
    points=3,
    minutes=4,
    difficulty=3,
    hints=[
        "Take the nudgers one at a time. A needs a curve: try x * x on paper. Is B wrong there too? And what "
        "must the values look like for C to lose its digits?",
        "x * x bends equally everywhere, so B's two errors cancel. Take a curve that bends more on one "
        "side than on the other. C subtracts two values: it is lost when they agree in nearly all their "
        "16 digits.",
        "A power higher than 2 is enough for A and B. For C raise the whole curve by a number so large "
        "that a change of 0.000000001 falls off its end; adding a number changes no slope.",
    ],
)


def _tells_apart(name):
    """The comparison for one nudger: the expression is played on it here, far from the learner's process."""

    def compare(expected, got):
        from grader.suspects import nudgers

        recipe = got.get("recipe")
        problem = complaint(recipe, {"x": nudgers.POINT}, nudgers.OPERATIONS)
        return problem or nudgers.verdict(name, recipe, as_text(recipe))

    return compare


def _hunt(name):
    def recorded(bg, rng):
        return {"recipe": record(bg.hunts.three_nudgers, x=2.0)}

    recorded.__name__ = f"nudger_{name}"
    asked = f"three_nudgers(x), and gave what it returned to nudger {name} at x = 2"
    return hunt.probe(asked=asked, compare=_tells_apart(name))(recorded)


for _name in "ABC":
    _hunt(_name)

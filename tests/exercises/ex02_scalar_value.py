"""Notebook 02: Value, its operators and functions, and the graph it remembers."""

import math
from numbers import Real

from grader.asking.wire import Other
from grader.course.exercise import Exercise, Form, Notebook, raised
from grader.marking.compare import describe, same
from grader.probes.probing import local_slopes, slopes_to
from grader.probes.recipe import as_text, complaint, record

FILES = ("value.py", "hunts.py")
NOTEBOOK = Notebook("02", "scalar_value", "A number that remembers", minutes=60, files=FILES)


HELD, ARRIVING = 10.0, -3.0  # what a leaf's grad holds before, and the gradient that comes to the result


def _told(name, out, **leaves):
    """The answers about one result: its number and the leaves' afterwards, slopes, shares, its operation's name."""
    shown = name if name.endswith(")") else f"({name})"
    afterwards = {f"{leaf}.data afterwards": node.data for leaf, node in leaves.items()}
    return {f"{shown}.data": out.data} | afterwards | _slopes(name, out, leaves) | {f"the name of {name}": _named(out)}


def _slopes(name, out, leaves):
    """The slopes to the leaves, and what their grads hold after another walk, to which each of them brought a share.

    Where a node does not remember one slope for each of its inputs, its own words; a slope that is no number is handed
    on as it is: to compute with it would need later exercises.
    """
    slopes = [f"the slope of {name} to {leaf}" for leaf in leaves]
    if odd := _what_is_no_slope(out):
        return dict.fromkeys(slopes, *odd)
    after = f"which held {HELD} when {name} got the gradient {ARRIVING},"
    grads = [f"{leaf}.grad, {after}" for leaf in leaves]
    nodes = list(leaves.values())
    return dict(zip(slopes, slopes_to(out, nodes))) | dict(zip(grads, slopes_to(out, nodes, ARRIVING, HELD)))


def _what_is_no_slope(out):
    """[the first thing in the graph that cannot be multiplied by a gradient], or []."""
    for node in _nodes(out):
        try:
            slopes = local_slopes(node)
        except ValueError as error:
            return [Form(f"missing ({error})")]
        if odd := [slope for slope in slopes or () if not isinstance(slope, Real)]:
            return odd[:1]
    return []


def _nodes(out):
    """The nodes of a small graph, each as often as it is used."""
    for child in out._prev:
        if not hasattr(child, "_prev"):
            raise TypeError(f"the inputs of a result must be Values, but one of them is {child!r}")
        yield from _nodes(child)
    yield out


OPERATIONS = {
    "+": lambda x, y: x + y,
    "*": lambda x, y: x * y,
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "tanh": math.tanh,
    "sigmoid": lambda x: (1 + math.tanh(x / 2)) / 2,
    "relu": lambda x: max(x, 0.0),
}


def _named(out):
    """Is the name of the operation that of another one? It often is in a line that was copied."""
    if isinstance(out._prev, tuple) and isinstance(out._op, str) and out._op in OPERATIONS:
        try:
            number = OPERATIONS[out._op](*(child.data for child in out._prev))
            its_own = math.isclose(number, out.data, rel_tol=1e-9, abs_tol=1e-12)
        except (ArithmeticError, ValueError, TypeError):
            its_own = False
        if not its_own:
            return Form(f"{out._op!r}, which is another operation")
    return Form("its own")


def _drawn(rng, low, high):
    """A number between low and high, of two digits."""
    return round(float(rng.uniform(low, high)), 2)


mul = Exercise(
    "2.1",
    "Value.__mul__",
    file="value.py",
    points=2,
    minutes=3,
    difficulty=1,
    hints=[
        "If b is 3, how much does a * b grow when a grows by 1? And the other way round?",
        "__add__, just above, has the pattern: the result, its two inputs, the name, one slope for each "
        "input, in the same order. Only the number and the two slopes are others here. Slopes are plain "
        "numbers: .data",
        "Value(self.data * other.data, (self, other), '*', (slope to self, slope to other)), and each "
        "slope is the .data of the side it does not belong to.",
    ],
)


@mul.probe(asked="a * b for a = Value({a}), b = Value({b})")
def product_of_two(bg, rng):
    at_a, at_b = _drawn(rng, 1.2, 1.9), -_drawn(rng, 2.2, 4)
    a, b = bg.Value(at_a), bg.Value(at_b)
    return {"asked": {"a": at_a, "b": at_b}} | _told("a * b", a * b, a=a, b=b)


@mul.probe(asked="a * a for a = Value(3.0)")
def product_with_itself(bg, rng):
    a = bg.Value(3.0)
    return _told("a * a", a * a, a=a)


@mul.probe(asked="a * 10 for a = Value(-2.0)")
def product_with_a_number(bg, rng):
    a = bg.Value(-2.0)
    return _told("a * 10", a * 10, a=a)


@mul.probe(asked="a * b for a = Value(0.0), b = Value(7.0)")
def product_with_zero(bg, rng):
    a, b = bg.Value(0.0), bg.Value(7.0)
    return _told("a * b", a * b, a=a, b=b)


power = Exercise(
    "2.2",
    "Value.__pow__",
    file="value.py",
    points=2,
    minutes=4,
    difficulty=2,
    hints=[
        "x ** 3 has one input, so one slope. What is the slope of x³? Check it at x = 2: from 2 to 2.001, "
        "x³ goes from 8 to 8.012.",
        "The slope of xⁿ is n · xⁿ⁻¹. That breaks down for n = 0 at x = 0, where Python would divide by 0: "
        "x⁰ is 1 everywhere, and what never changes has slope 0. Before anything else, let as_number look "
        "at the exponent.",
        "First as_number(exponent). Then the slope: 0.0 if the exponent is 0, else the exponent times self.data to "
        "the power of (exponent - 1). Then a Value made of the power, (self,), the name f'**{exponent}' and (slope,).",
    ],
)


@power.probe(asked="x ** 3 for x = Value({x})")
def cube_of_a_negative_number(bg, rng):
    at = -_drawn(rng, 1.3, 2.7)
    x = bg.Value(at)
    return {"asked": {"x": at}} | _told("x ** 3", x**3, x=x)


@power.probe(asked="x ** 0.5 for x = Value({x}) and y ** 4 for y = Value(-2.0)")
def a_fraction_and_a_whole_number(bg, rng):
    at = _drawn(rng, 1.2, 4)
    x, y = bg.Value(at), bg.Value(-2.0)
    return {"asked": {"x": at}} | _told("x ** 0.5", x**0.5, x=x) | _told("y ** 4", y**4, y=y)


@power.probe(asked="x ** -0.5 for x = Value(6.25)")
def one_over_a_root(bg, rng):
    x = bg.Value(6.25)
    return _told("x ** -0.5", x**-0.5, x=x)


@power.probe(asked="x ** 2 and x ** 1 for x = Value(0.0)")
def powers_of_zero(bg, rng):
    x = bg.Value(0.0)
    return _told("x ** 2", x**2, x=x) | _told("x ** 1", x**1, x=x)


@power.probe(asked="x ** 0 for x = Value(3.0), then y ** 0 for y = Value(0.0)")
def exponent_zero(bg, rng):
    x, y = bg.Value(3.0), bg.Value(0.0)
    return _told("x ** 0", x**0, x=x) | _told("y ** 0", y**0, y=y)


@power.probe(asked="x ** '3' for x = Value(2.0), then x ** None")
def a_text_as_exponent(bg, rng):
    text = raised(lambda: bg.Value(2.0) ** "3", naming="3")
    return {"returned": text, "what x ** None did": raised(lambda: bg.Value(2.0) ** None, naming="None")}


@power.probe(asked="x ** y for x = Value(2.0), y = Value(3.0)")
def a_value_as_exponent(bg, rng):
    return {"returned": raised(lambda: bg.Value(2.0) ** bg.Value(3.0), naming="Value")}


minus = Exercise(
    "2.3",
    "Value.__sub__ and friends",
    file="value.py",
    points=3,
    minutes=4,
    difficulty=2,
    needs=("2.1", "2.2"),
    hints=[
        "You need no new slopes. Which number turns x into -x when you multiply by it? How do you write x "
        "- y with a plus, and x / y with a power?",
        "Write each as an expression of what works already: multiplication for -x, the sum of self and "
        "something for x - y, the product of self and something for x / y. The results remember their "
        "slopes by themselves.",
        "-x is self * (minus one). x - y is self + (minus other). x / y is self * other ** (minus one). "
        "Each is one line that begins with return.",
    ],
)


@minus.probe(asked="-x for x = Value({x})")
def negation(bg, rng):
    at = _drawn(rng, 1.2, 4)
    x = bg.Value(at)
    return {"asked": {"x": at}} | _told("-x", -x, x=x)


@minus.probe(asked="x - y for x = Value({x}), y = Value({y})")
def difference_of_two(bg, rng):
    at_x, at_y = -_drawn(rng, 1.2, 2.4), _drawn(rng, 2.6, 4)
    x, y = bg.Value(at_x), bg.Value(at_y)
    return {"asked": {"x": at_x, "y": at_y}} | _told("x - y", x - y, x=x, y=y)


@minus.probe(asked="x - 3 for x = Value(-2.0), then x - 'three'")
def difference_with_a_number(bg, rng):
    x = bg.Value(-2.0)
    return _told("x - 3", x - 3, x=x) | {"returned": raised(lambda: x - "three", naming="three")}


@minus.probe(asked="x / y for x = Value({x}), y = Value({y})")
def quotient_of_two(bg, rng):
    at_x, at_y = _drawn(rng, 2.6, 4), -_drawn(rng, 1.2, 2.4)
    x, y = bg.Value(at_x), bg.Value(at_y)
    return {"asked": {"x": at_x, "y": at_y}} | _told("x / y", x / y, x=x, y=y)


@minus.probe(asked="x / 4 for x = Value(-6.0), then x / 'four'")
def quotient_with_a_number(bg, rng):
    x = bg.Value(-6.0)
    return _told("x / 4", x / 4, x=x) | {"returned": raised(lambda: x / "four", naming="four")}


@minus.probe(asked="x / y for x = Value(0.0), y = Value(-4.0)")
def quotient_of_zero(bg, rng):
    x, y = bg.Value(0.0), bg.Value(-4.0)
    return _told("x / y", x / y, x=x, y=y)


@minus.probe(asked="x - x and x / x for x = Value(3.0)")
def one_value_on_both_sides(bg, rng):
    x = bg.Value(3.0)
    return _told("x - x", x - x, x=x) | _told("x / x", x / x, x=x)


reflected = Exercise(
    "2.4",
    "Value.__rsub__ and friends",
    file="value.py",
    points=2,
    minutes=3,
    difficulty=2,
    needs=("2.1", "2.3"),
    stuck="Right with Values, wrong with plain numbers",
    hints=[
        "In 5 - x, which of the two is self, and which is other? Write down what 5 - x is for x = 2, then "
        "what you return.",
        "The line above your code has made a Value of other. Now both sides are Values, and between two "
        "Values all operators work already. Only the order is left to get right: other stands on the left.",
        "Each of the four is one line: return, then other, then the operator, then self.",
    ],
)


@reflected.probe(asked="7 - x for x = Value({x})")
def number_minus_value(bg, rng):
    at = _drawn(rng, 1.2, 4)
    x = bg.Value(at)
    return {"asked": {"x": at}} | _told("7 - x", 7 - x, x=x)


@reflected.probe(asked="5.0 / x for x = Value({x})")
def number_divided_by_value(bg, rng):
    at = -_drawn(rng, 1.2, 4)
    x = bg.Value(at)
    return {"asked": {"x": at}} | _told("5.0 / x", 5.0 / x, x=x)


@reflected.probe(asked="2.5 + x for x = Value(-4.0)")
def number_plus_value(bg, rng):
    x = bg.Value(-4.0)
    return _told("2.5 + x", 2.5 + x, x=x)


@reflected.probe(asked="3 * x for x = Value(-2.0), then 'three' * x")
def number_times_value(bg, rng):
    x = bg.Value(-2.0)
    return _told("3 * x", 3 * x, x=x) | {"returned": raised(lambda: "three" * x, naming="three")}


@reflected.probe(asked="sum([x, y, x]) for x = Value(3.0), y = Value(-1.0), which Python begins with 0 + x")
def sum_of_values(bg, rng):
    x, y = bg.Value(3.0), bg.Value(-1.0)
    return _told("sum([x, y, x])", sum([x, y, x]), x=x, y=y)


@reflected.probe(asked="np.float64(2) - x and np.float64(2) / x for x = Value(-4.0)")
def number_of_numpy_on_the_left(bg, rng):
    import numpy as np

    x, two = bg.Value(-4.0), np.float64(2)
    return _told("2 - x", two - x, x=x) | _told("2 / x", two / x, x=x)


exponential = Exercise(
    "2.5",
    "Value.__rpow__",
    file="value.py",
    points=2,
    minutes=3,
    difficulty=2,
    hints=[
        "In 2 ** x the base stands still and the exponent moves. From x = 3 to x = 3.001 the result goes "
        "from 8 to 8.005548. How many times 8 is that slope? Do you know the number from the logarithms?",
        "The slope is the result itself, times the natural logarithm of the base. math.log is the natural "
        "logarithm. There is only one input: self. The base is a plain number.",
        "power = as_number(base) ** self.data. Then a Value made of power, (self,), the name f'{base}**' "
        "and one slope: power times math.log of the base.",
    ],
)


@exponential.probe(asked="3 ** x for x = Value({x})")
def three_to_the(bg, rng):
    at = _drawn(rng, 2.2, 3.8)
    x = bg.Value(at)
    return {"asked": {"x": at}} | _told("3 ** x", 3**x, x=x)


@exponential.probe(asked="0.5 ** x for x = Value(-2.0)")
def half_to_a_negative_number(bg, rng):
    x = bg.Value(-2.0)
    return _told("0.5 ** x", 0.5**x, x=x)


@exponential.probe(asked="10 ** x for x = Value(0.0), then 1 ** y for y = Value(3.0)")
def ten_to_zero_and_one_to_anything(bg, rng):
    x, y = bg.Value(0.0), bg.Value(3.0)
    return _told("10 ** x", 10**x, x=x) | _told("1 ** y", 1**y, y=y)


@exponential.probe(asked="'3' ** x for x = Value(2.0)")
def a_text_as_base(bg, rng):
    return {"returned": raised(lambda: "3" ** bg.Value(2.0), naming="3")}


functions = Exercise(
    "2.6",
    "Value.exp, log, sin",
    file="value.py",
    points=3,
    minutes=3,
    difficulty=2,
    hints=[
        "Each has one input and one slope. Which slope belongs to which function stands in its docstring.",
        "The functions themselves are math.exp, math.log, math.sin and math.cos; each takes a plain "
        "number, so give it self.data. exp can use its result twice: as the number and as the slope.",
        "All three are Value(math.f(self.data), (self,), 'f', (slope,)). The slopes: the result for exp, "
        "1 / self.data for log, math.cos(self.data) for sin.",
    ],
)


@functions.probe(asked="x.exp() for x = Value({x})")
def exp_of_a_negative_number(bg, rng):
    at = -_drawn(rng, 0.3, 1.8)
    x = bg.Value(at)
    return {"asked": {"x": at}} | _told("x.exp()", x.exp(), x=x)


@functions.probe(asked="x.exp() for x = Value(1.0)")
def exp_of_one(bg, rng):
    x = bg.Value(1.0)
    return _told("x.exp()", x.exp(), x=x)


@functions.probe(asked="x.log() for x = Value({x})")
def log_of_less_than_one(bg, rng):
    at = _drawn(rng, 0.2, 0.8)
    x = bg.Value(at)
    return {"asked": {"x": at}} | _told("x.log()", x.log(), x=x)


@functions.probe(asked="x.sin() for x = Value({x})")
def sin_beyond_a_right_angle(bg, rng):
    at = _drawn(rng, 1.8, 2.9)
    x = bg.Value(at)
    return {"asked": {"x": at}} | _told("x.sin()", x.sin(), x=x)


@functions.probe(asked="x.exp() for x = Value(60.0) and y.log() for y = Value(1e12)")
def large_numbers(bg, rng):
    x, y = bg.Value(60.0), bg.Value(1e12)
    return _told("x.exp()", x.exp(), x=x) | _told("y.log()", y.log(), y=y)


@functions.probe(asked="Value(1000.0).exp()")
def exp_of_1000(bg, rng):
    return {"returned": raised(lambda: bg.Value(1000.0).exp())}


@functions.probe(asked="Value(0.0).log()")
def log_of_zero(bg, rng):
    return {"returned": raised(lambda: bg.Value(0.0).log())}


bends = Exercise(
    "2.7",
    "Value.tanh, sigmoid",
    file="value.py",
    points=3,
    minutes=4,
    difficulty=3,
    hints=[
        "Compute the result first and give it a name: the slope is made from the result, not from self.data. "
        "And what does your sigmoid ask math.exp for when self.data is -1000?",
        "math.tanh is safe everywhere. For sigmoid there are two ways to write the same fraction, 1 / (1 + "
        "e⁻ˣ) and eˣ / (1 + eˣ). One is safe for positive x, the other for negative x: an if chooses.",
        "small = math.exp(-abs(self.data)) is never above 1. Then s is 1 / (1 + small) if self.data >= 0, "
        "else small / (1 + small). The slopes: 1 - t * t for tanh, s * (1 - s) for sigmoid.",
    ],
)


@bends.probe(asked="x.tanh() for x = Value({x})")
def tanh_of_a_negative_number(bg, rng):
    at = -_drawn(rng, 0.3, 1.8)
    x = bg.Value(at)
    return {"asked": {"x": at}} | _told("x.tanh()", x.tanh(), x=x)


@bends.probe(asked="x.tanh() and x.sigmoid() for x = Value({x})")
def on_the_other_side(bg, rng):
    at = _drawn(rng, 0.3, 1.8)
    x = bg.Value(at)
    return {"asked": {"x": at}} | _told("x.tanh()", x.tanh(), x=x) | _told("x.sigmoid()", x.sigmoid(), x=x)


@bends.probe(asked="x.tanh() for x = Value(-1000.0), then y.tanh() for y = Value(1000.0)")
def tanh_far_out(bg, rng):
    x, y = bg.Value(-1000.0), bg.Value(1000.0)
    return _told("x.tanh()", x.tanh(), x=x) | _told("y.tanh()", y.tanh(), y=y)


@bends.probe(asked="x.sigmoid() for x = Value({x})")
def sigmoid_of_a_negative_number(bg, rng):
    at = -_drawn(rng, 0.3, 1.8)
    x = bg.Value(at)
    return {"asked": {"x": at}} | _told("x.sigmoid()", x.sigmoid(), x=x)


@bends.probe(asked="x.sigmoid() for x = Value(0.0)")
def sigmoid_of_zero(bg, rng):
    x = bg.Value(0.0)
    return _told("x.sigmoid()", x.sigmoid(), x=x)


@bends.probe(asked="x.sigmoid() for x = Value(-1000.0), then y.sigmoid() for y = Value(1000.0)")
def sigmoid_far_out(bg, rng):
    x, y = bg.Value(-1000.0), bg.Value(1000.0)
    return _told("x.sigmoid()", x.sigmoid(), x=x) | _told("y.sigmoid()", y.sigmoid(), y=y)


kink = Exercise(
    "2.8",
    "Value.relu",
    file="value.py",
    points=1,
    minutes=2,
    difficulty=1,
    stuck="Slope at a kink",
    hints=[
        "relu has two halves. Left of 0 it is flat. What is the slope of something flat? What is it on the "
        "right, where the result is x itself?",
        "At 0 itself the course takes the left side's slope, as PyTorch does. So one question decides both "
        "the number and the slope: is self.data greater than 0?",
        "positive = self.data > 0. The number: self.data if positive else 0.0. The slope: 1.0 if positive else 0.0.",
    ],
)


@kink.probe(asked="x.relu() for x = Value({x})")
def relu_of_a_positive_number(bg, rng):
    at = _drawn(rng, 1.2, 4)
    x = bg.Value(at)
    out = x.relu()
    return {"asked": {"x": at}} | _told("x.relu()", out, x=x) | {"(x.relu() is x)": out is x}


@kink.probe(asked="x.relu() for x = Value({x})")
def relu_of_a_negative_number(bg, rng):
    at = -_drawn(rng, 1.2, 4)
    x = bg.Value(at)
    return {"asked": {"x": at}} | _told("x.relu()", x.relu(), x=x)


@kink.probe(asked="x.relu() for x = Value(0.0)")
def relu_of_zero(bg, rng):
    x = bg.Value(0.0)
    return _told("x.relu()", x.relu(), x=x)


by_hand = Exercise(
    "2.9",
    "by_hand",
    file="hunts.py",
    points=4,
    minutes=5,
    difficulty=3,
    sealed=True,
    hints=[
        "Results first, from left to right. Then gradients from right to left: L.grad is 1, because L "
        "changes by 1 for each unit L changes. Which two numbers was L made from, and what are the local "
        "slopes to them?",
        "Each gradient is local slope times the gradient of the result it went into. For t2, which went "
        "into L = t2 * t3: the slope is the other side's number, and L.grad is 1. a went into two results, "
        "t1 and t3.",
        "t2.grad is t3 · 1. t1.grad and c.grad are 1 · t2.grad. t3.grad is t2 · 1. d.grad is 1 · t3.grad. "
        "b.grad is a · t1.grad. a.grad is the sum of two shares: b · t1.grad, and 1 · t3.grad.",
    ],
)

_WAY = {
    "t1": "It is a * b.",
    "t2": "It is t1 + c.",
    "t3": "It is a + d.",
    "L": "It is t2 * t3.",
    "L.grad": "How much does L change for each unit that L itself changes?",
    "t2.grad": "t2 went into L = t2 * t3. What is the local slope from L to t2 there?",
    "t3.grad": "t3 went into L = t2 * t3. What is the local slope from L to t3 there?",
    "t1.grad": "t1 went into t2 = t1 + c. Take the local slope there times the gradient of t2.",
    "c.grad": "c went into t2 = t1 + c. Take the local slope there times the gradient of t2.",
    "d.grad": "d went into t3 = a + d. Take the local slope there times the gradient of t3.",
    "b.grad": "b went into t1 = a * b. Take the local slope there times the gradient of t1.",
    "a.grad": "a went into two results, t1 and t3. Each sends a share.",
}


def _by_hand(expected, got):
    """What is wrong with numbers found by hand. The right number is not told: finding it is the exercise."""
    for name, want in expected.items():
        if "returned" in got:
            return f"It returned {describe(got['returned'])}, but a dict was expected, as in the docstring."
        if name not in got:
            return f"The dict has no {name!r} yet. {_WAY[name]}"
        if isinstance(got[name], Other) and got[name].type == "ellipsis":
            return f"{name} is still left open (...). {_WAY[name]}"
        if not same(want, got[name]):
            return f"{name} is {describe(got[name])}, and that is not right. {_WAY[name]}"
    return None


def _ask_by_hand(what, *names):
    def numbers(bg, rng):
        written = bg.hunts.by_hand()
        if not isinstance(written, dict):
            return {"returned": written}
        return {name: written[name] for name in names if name in written}

    numbers.__name__ = what.replace(" ", "_")
    by_hand.probe(asked=f"by_hand(), and looked at {what}", compare=_by_hand)(numbers)


_ask_by_hand("the results", "t1", "t2", "t3", "L")
_ask_by_hand("the gradients of the inner nodes", "L.grad", "t2.grad", "t3.grad", "t1.grad")
_ask_by_hand("the gradients of the leaves with one path", "c.grad", "d.grad", "b.grad")
_ask_by_hand("the gradient of the leaf with two paths", "a.grad")


hunt = Exercise(
    "2.10",
    "blind_spots",
    file="hunts.py",
    points=3,
    minutes=4,
    difficulty=3,
    hints=[
        "Take one engine at a time. Which mistake do people make in the slope of a power, of a division, "
        "of relu? Write down right and wrong slope, put in x = 1, then x = 2. Where can you see the "
        "difference?",
        "Ada does not lower the exponent, Ben forgets a square in the slope to what one divides by, and "
        "Cleo's relu has slope 1 at 0. Powers of 1 are all 1, so Ada and Ben need another number: make one "
        "from a. And Cleo?",
        "Let c = a + 1, which is 2. A power of c shows Ada, something divided by c shows Ben, b.relu() "
        "shows Cleo. Put the three together with +, so that each keeps its own way to the result.",
    ],
)


BLIND_SPOTS = {"a": 1.0, "b": 0.0}


def _sees(name):
    """The comparison for one engine: the expression is played on it here, far from the learner's process."""

    def compare(expected, got):
        from grader.suspects import operators

        recipe = got.get("recipe")
        problem = complaint(recipe, BLIND_SPOTS, operators.OPERATIONS)
        return problem or operators.verdict(name, recipe, as_text(recipe))

    return compare


def _hunt(name):
    def recorded(bg, rng):
        return {"recipe": record(bg.hunts.blind_spots, **BLIND_SPOTS)}

    recorded.__name__ = f"engine_of_{name}"
    asked = f"blind_spots(a, b) for a = 1, b = 0, and played what it returned on {name}'s engine"
    hunt.probe(asked=asked, compare=_sees(name))(recorded)


for _name in ("Ada", "Ben", "Cleo"):
    _hunt(_name)

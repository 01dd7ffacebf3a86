"""The questions of notebook 02."""

import math
import re
from numbers import Real

from grader.asking.answers import Form, raised
from grader.course.questions import probe
from grader.probes.probing import local_slopes, slopes_to
from grader.probes.recipe import recipe_of

LIGHT = True  # without NumPy
HELD, ARRIVING = 10.0, -3.0  # what a leaf's grad holds before, and the gradient that comes to the result


def told(name, out, inputs=None, leads=False, **leaves):
    """The answers about one result: its number, the leaves afterwards, slopes, gradients, its operation's name.

    inputs: how many it should have, where the docstring says so.
    leads: also whether its graph leads to the leaves, where the slope 0 does not tell.
    """
    shown = name if name.endswith(")") else f"({name})"
    afterwards = {f"{leaf}.data afterwards": node.data for leaf, node in leaves.items()}
    afterwards |= {f"{leaf}.grad afterwards": node.grad for leaf, node in leaves.items()}
    found = {f"{shown}.data": out.data} | afterwards | slopes(name, out, leaves)
    if leads:
        for leaf, node in leaves.items():
            found[f"whether the graph of {name} leads to {leaf}"] = any(each is node for each in nodes(out))
    if inputs:
        found[f"the number of inputs of {name}"] = inputs if local_slopes_are_missing(out) else len(out._prev)
        if out._op == "":
            return found | {f"the name of {name}": Form("'', as of a number made by hand")}
    return found | {f"the name of {name}": named(out)}


def local_slopes_are_missing(out):
    """Does a result keep a closure in place of slopes? Then its inputs may be a set, as in other courses."""
    return not getattr(out, "_slopes", ()) and "_backward" in vars(out)


def slopes(name, out, leaves):
    """The slopes to the leaves, and what their grads hold after another walk, to which each of them added.

    Where a node does not remember one slope for each of its inputs, its own words; a slope that is no number is passed
    on as it is: to compute with it would need later exercises.
    """
    to_leaves = [f"the slope ∂({name})/∂{leaf}" for leaf in leaves]
    if odd := what_is_no_slope(out):
        return dict.fromkeys(to_leaves, *odd)
    after = f"which held {HELD} when {name} got the gradient {ARRIVING},"
    grads = [f"{leaf}.grad, {after}" for leaf in leaves]
    held = list(leaves.values())
    return dict(zip(to_leaves, slopes_to(out, held))) | dict(zip(grads, slopes_to(out, held, ARRIVING, HELD)))


def what_is_no_slope(out):
    """[the first thing in the graph that cannot be multiplied by a gradient], or []."""
    for node in nodes(out):
        try:
            slopes = local_slopes(node)
        except ValueError as error:
            return [Form(f"missing ({error})")]
        if odd := [slope for slope in slopes or () if not isinstance(slope, Real)]:
            return odd[:1]
    return []


def nodes(out):
    """The nodes of a small graph, each as often as it is used."""
    for child in out._prev:
        if not hasattr(child, "_prev"):
            raise TypeError(f"the inputs of a result must be Values, but one of them is {child!r}")
        yield from nodes(child)
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


OF_EVERY_POWER = re.compile(r"\*\*\{?[A-Za-z_]\w*\}?")  # "**exponent", "**{exponent}": an f or braces are missing


def named(out):
    """Is the name of the operation that of another one? It often is in a line that was copied."""
    if isinstance(out._op, str) and OF_EVERY_POWER.fullmatch(out._op):
        return Form("the same for every exponent")
    if isinstance(out._prev, tuple) and isinstance(out._op, str) and out._op in OPERATIONS:
        try:
            number = OPERATIONS[out._op](*(child.data for child in out._prev))
            its_own = math.isclose(number, out.data, rel_tol=1e-9, abs_tol=1e-12)
        except (ArithmeticError, ValueError, TypeError):
            its_own = False
        if not its_own:
            return Form(f"{out._op!r}, which makes another number of its inputs")
    return Form("a name that fits its number")


def between(rng, low, high):
    """A number between low and high with so many decimals that a rounded result shows."""
    return round(rng.uniform(low, high), 4)


# 2.1: Value.__mul__.


@probe("2.1", asked="a * b for a = Value({a}), b = Value({b})")
def product_of_two(bg, rng):
    at_a, at_b = between(rng, 1.2, 1.9), -between(rng, 2.2, 4)
    a, b = bg.Value(at_a), bg.Value(at_b)
    return {"asked": {"a": at_a, "b": at_b}} | told("a * b", a * b, inputs=2, a=a, b=b)


@probe("2.1", asked="a * a for a = Value(3.0)")
def product_with_itself(bg, rng):
    a = bg.Value(3.0)
    return told("a * a", a * a, inputs=2, a=a)


@probe("2.1", asked="a * 10 for a = Value(-2.0)")
def product_with_a_number(bg, rng):
    a = bg.Value(-2.0)
    return told("a * 10", a * 10, a=a)


@probe("2.1", asked="a * b for a = Value(0.0), b = Value(7.0)")
def product_with_zero(bg, rng):
    a, b = bg.Value(0.0), bg.Value(7.0)
    return told("a * b", a * b, a=a, b=b)


@probe("2.1", asked="a * b and c * d for a = c = 1.5, b = d = -2.0, which are four Values")
def equal_products_of_other_values(bg, rng):
    a, b, c, d = (bg.Value(x) for x in (1.5, -2.0, 1.5, -2.0))
    return told("a * b", a * b, a=a, b=b) | told("c * d", c * d, c=c, d=d)


# 2.2: by_hand.


RESULTS = ("t1", "t2", "t3", "L")
INNER = ("L.grad", "t2.grad", "t3.grad", "t1.grad")
ONE_PATH = ("c.grad", "d.grad", "b.grad")


def ask_by_hand(what, *names):
    @probe("2.2", asked=f"by_hand(2, 3, 4, 5), and looked at {what}", name=what.replace(" ", "_"))
    def numbers(bg, rng):
        return written_by_hand(bg, (2, 3, 4, 5), names)


def ask_with_others(what, *names):
    """Other leaves, for each part anew: a mistake in one gradient leaves the others right."""

    @probe(
        "2.2",
        asked=f"by_hand({{a}}, {{b}}, {{c}}, {{d}}), and looked at {what}",
        name=f"other_{what.replace(' ', '_')}",
    )
    def numbers(bg, rng):
        leaves = [rng.integers(11, 20), *(2 + place for place in rng.permutation(8)[:3])]
        return {"asked": dict(zip("abcd", leaves))} | written_by_hand(bg, leaves, names)


def written_by_hand(bg, leaves, names):
    written = bg.hunts.by_hand(*leaves)
    if not isinstance(written, dict):
        return {"returned": written}
    return {name: written[name] for name in names if name in written}


for _ask in ask_by_hand, ask_with_others:
    _ask("the results", *RESULTS)
    _ask("the gradients of the inner nodes", *INNER)
    _ask("the gradients of the leaves with one path", *ONE_PATH)
    _ask("the gradient of the leaf with two paths", "a.grad")


# 2.3: Value.__pow__.


@probe("2.3", asked="x ** 3 for x = Value({x})")
def cube_of_a_negative_number(bg, rng):
    at = -between(rng, 1.3, 2.7)
    x = bg.Value(at)
    return {"asked": {"x": at}} | told("x ** 3", x**3, inputs=1, x=x)


@probe("2.3", asked="x ** 0.5 for x = Value({x}) and y ** 4 for y = Value(-2.0)")
def a_fraction_and_a_whole_number(bg, rng):
    at = between(rng, 1.2, 4)
    x, y = bg.Value(at), bg.Value(-2.0)
    return {"asked": {"x": at}} | told("x ** 0.5", x**0.5, x=x) | told("y ** 4", y**4, y=y)


@probe("2.3", asked="x ** -0.5 for x = Value(6.25)")
def one_over_a_root(bg, rng):
    x = bg.Value(6.25)
    return told("x ** -0.5", x**-0.5, x=x)


@probe("2.3", asked="x ** 2 and x ** 1 for x = Value(0.0)")
def powers_of_zero(bg, rng):
    x = bg.Value(0.0)
    return told("x ** 2", x**2, x=x) | told("x ** 1", x**1, x=x)


@probe("2.3", asked="x ** 0 for x = Value(3.0), then y ** 0 for y = Value(0.0)")
def exponent_zero(bg, rng):
    x, y = bg.Value(3.0), bg.Value(0.0)
    return told("x ** 0", x**0, leads=True, x=x) | told("y ** 0", y**0, y=y)


@probe("2.3", asked="x ** 0.5 for x = Value(0.0), and then for its slope, and the same for x ** -1")
def a_root_and_a_fraction_at_zero(bg, rng):
    def slope(exponent):
        x = bg.Value(0.0)
        return slopes_to(x**exponent, [x])

    return {f"what x ** {n} did": raised(lambda n=n: slope(n)) for n in (0.5, -1)}


@probe("2.3", asked="x ** '3' for x = Value(2.0), then x ** None")
def a_text_as_exponent(bg, rng):
    text = raised(lambda: bg.Value(2.0) ** "3", naming="3")
    return {"returned": text, "what x ** None did": raised(lambda: bg.Value(2.0) ** None, naming="None")}


@probe("2.3", asked="x ** y for x = Value(2.0), y = Value(3.0)")
def a_value_as_exponent(bg, rng):
    return {"returned": raised(lambda: bg.Value(2.0) ** bg.Value(3.0), naming="Value")}


# 2.4: Value.__sub__, __truediv__.


@probe("2.4", asked="x - y for x = Value({x}), y = Value({y})")
def difference_of_two(bg, rng):
    at_x, at_y = -between(rng, 1.2, 2.4), between(rng, 2.6, 4)
    x, y = bg.Value(at_x), bg.Value(at_y)
    return {"asked": {"x": at_x, "y": at_y}} | told("x - y", x - y, x=x, y=y)


@probe("2.4", asked="x - 3 for x = Value(-2.0), then x - 'three'")
def difference_with_a_number(bg, rng):
    x = bg.Value(-2.0)
    return told("x - 3", x - 3, x=x) | {"returned": raised(lambda: x - "three", naming="three")}


@probe("2.4", asked="x / y for x = Value({x}), y = Value({y})")
def quotient_of_two(bg, rng):
    at_x, at_y = between(rng, 2.6, 4), -between(rng, 1.2, 2.4)
    x, y = bg.Value(at_x), bg.Value(at_y)
    return {"asked": {"x": at_x, "y": at_y}} | told("x / y", x / y, x=x, y=y)


@probe("2.4", asked="x / 4 for x = Value(-6.0), then x / 'four'")
def quotient_with_a_number(bg, rng):
    x = bg.Value(-6.0)
    return told("x / 4", x / 4, x=x) | {"returned": raised(lambda: x / "four", naming="four")}


@probe("2.4", asked="x / y for x = Value(0.0), y = Value(-4.0)")
def quotient_of_zero(bg, rng):
    x, y = bg.Value(0.0), bg.Value(-4.0)
    return told("x / y", x / y, x=x, y=y)


@probe("2.4", asked="x / y for x = Value(3.0), y = Value(0.0), and then x / 0")
def quotient_by_zero(bg, rng):
    x, y = bg.Value(3.0), bg.Value(0.0)
    return {"returned": raised(lambda: x / y), "what x / 0 did": raised(lambda: x / 0)}


@probe("2.4", asked="x - x and x / x for x = Value(3.0)")
def one_value_on_both_sides(bg, rng):
    x = bg.Value(3.0)
    return told("x - x", x - x, leads=True, x=x) | told("x / x", x / x, leads=True, x=x)


# 2.5: Value.__rsub__, __rtruediv__.


@probe("2.5", asked="7 - x for x = Value({x}), then 'seven' - x")
def number_minus_value(bg, rng):
    at = between(rng, 1.2, 4)
    x = bg.Value(at)
    answers = {"asked": {"x": at}} | told("7 - x", 7 - x, x=x)
    return answers | {"returned": raised(lambda: "seven" - x, naming="seven")}


@probe("2.5", asked="5.0 / x for x = Value({x})")
def number_divided_by_value(bg, rng):
    at = -between(rng, 1.2, 4)
    x = bg.Value(at)
    return {"asked": {"x": at}} | told("5.0 / x", 5.0 / x, x=x)


class FloatOfItsOwn(float):
    """A number such as np.float64(2): a float, but of another class. It is here where NumPy is not."""


@probe(
    "2.5",
    asked="two - x and two / x for x = Value(-4.0), where two is 2.0 of a class made from float, as np.float64 is",
)
def number_of_another_class_on_the_left(bg, rng):
    x, two = bg.Value(-4.0), FloatOfItsOwn(2)
    return told("2 - x", two - x, x=x) | told("2 / x", two / x, x=x)


# 2.7: Value.exp, log.


@probe("2.7", asked="x.exp() for x = Value({x})")
def exp_of_a_negative_number(bg, rng):
    at = -between(rng, 0.3, 1.8)
    x = bg.Value(at)
    return {"asked": {"x": at}} | told("x.exp()", x.exp(), x=x)


@probe("2.7", asked="x.exp() for x = Value(1.0)")
def exp_of_one(bg, rng):
    x = bg.Value(1.0)
    return told("x.exp()", x.exp(), x=x)


@probe("2.7", asked="x.log() for x = Value({x})")
def log_of_less_than_one(bg, rng):
    at = between(rng, 0.2, 0.8)
    x = bg.Value(at)
    return {"asked": {"x": at}} | told("x.log()", x.log(), x=x)


@probe("2.7", asked="x.exp() for x = Value(60.0) and y.log() for y = Value(3e5)")
def large_numbers(bg, rng):
    x, y = bg.Value(60.0), bg.Value(3e5)
    return told("x.exp()", x.exp(), x=x) | told("y.log()", y.log(), y=y)


@probe("2.7", asked="x.log() for x = Value(2e-05) and y.log() for y = Value(7e-05)")
def logs_of_small_numbers(bg, rng):
    x, y = bg.Value(2e-5), bg.Value(7e-5)
    return told("x.log()", x.log(), x=x) | told("y.log()", y.log(), y=y)


@probe("2.7", asked="x.exp() for x = Value(-60.0)")
def exp_far_below_zero(bg, rng):
    x = bg.Value(-60.0)
    out = x.exp()
    [slope] = slopes_to(out, [x])
    return {"x.exp().data times 1e26": out.data * 1e26, "the slope ∂(x.exp())/∂x, times 1e26,": slope * 1e26}


@probe("2.7", asked="Value(1000.0).exp()")
def exp_of_1000(bg, rng):
    return {"returned": raised(lambda: bg.Value(1000.0).exp())}


@probe("2.7", asked="Value(0.0).log()")
def log_of_zero(bg, rng):
    return {"returned": raised(lambda: bg.Value(0.0).log())}


@probe("2.7", asked="Value({x}).log()")
def log_of_a_negative_number(bg, rng):
    at = -between(rng, 0.2, 3)
    return {"asked": {"x": at}, "returned": raised(lambda: bg.Value(at).log())}


# 2.8: Value.tanh, sigmoid.


@probe("2.8", asked="x.tanh() for x = Value({x})")
def tanh_of_a_negative_number(bg, rng):
    at = -between(rng, 0.3, 1.8)
    x = bg.Value(at)
    return {"asked": {"x": at}} | told("x.tanh()", x.tanh(), x=x)


@probe("2.8", asked="x.tanh() and x.sigmoid() for x = Value({x})")
def on_the_other_side(bg, rng):
    at = between(rng, 0.3, 1.8)
    x = bg.Value(at)
    return {"asked": {"x": at}} | told("x.tanh()", x.tanh(), x=x) | told("x.sigmoid()", x.sigmoid(), x=x)


@probe("2.8", asked="x.tanh() for x = Value(-1000.0), then y.tanh() for y = Value(1000.0)")
def tanh_far_out(bg, rng):
    x, y = bg.Value(-1000.0), bg.Value(1000.0)
    return told("x.tanh()", x.tanh(), leads=True, x=x) | told("y.tanh()", y.tanh(), leads=True, y=y)


@probe("2.8", asked="x.tanh() for x = Value(-10.5), y.sigmoid() for y = Value(18.0) and z.tanh() for z = Value(10.5)")
def nearly_flat(bg, rng):
    x, y, z = bg.Value(-10.5), bg.Value(18.0), bg.Value(10.5)
    answers = told("x.tanh()", x.tanh(), x=x) | told("y.sigmoid()", y.sigmoid(), y=y)
    return answers | told("z.tanh()", z.tanh(), z=z)


@probe("2.8", asked="x.sigmoid() for x = Value({x})")
def sigmoid_of_a_negative_number(bg, rng):
    at = -between(rng, 0.3, 1.8)
    x = bg.Value(at)
    return {"asked": {"x": at}} | told("x.sigmoid()", x.sigmoid(), x=x)


@probe("2.8", asked="x.sigmoid() for x = Value(0.0)")
def sigmoid_of_zero(bg, rng):
    x = bg.Value(0.0)
    return told("x.sigmoid()", x.sigmoid(), x=x)


@probe("2.8", asked="x.sigmoid() for x = Value(-1000.0), then y.sigmoid() for y = Value(1000.0)")
def sigmoid_far_out(bg, rng):
    x, y = bg.Value(-1000.0), bg.Value(1000.0)
    return told("x.sigmoid()", x.sigmoid(), leads=True, x=x) | told("y.sigmoid()", y.sigmoid(), leads=True, y=y)


# 2.9: Value.relu.


@probe("2.9", asked="x.relu() for x = Value({x})")
def relu_of_a_positive_number(bg, rng):
    at = between(rng, 1.2, 4)
    x = bg.Value(at)
    out = x.relu()
    return {"asked": {"x": at}} | told("x.relu()", out, x=x) | {"(x.relu() is x)": out is x}


@probe("2.9", asked="x.relu() for x = Value({x})")
def relu_of_a_negative_number(bg, rng):
    at = -between(rng, 1.2, 4)
    x = bg.Value(at)
    return {"asked": {"x": at}} | told("x.relu()", x.relu(), leads=True, x=x)


@probe("2.9", asked="x.relu() for x = Value(1e-06), then y.relu() for y = Value(-1e-06)")
def relu_next_to_zero(bg, rng):
    x, y = bg.Value(1e-6), bg.Value(-1e-6)
    return told("x.relu()", x.relu(), x=x) | told("y.relu()", y.relu(), y=y)


@probe("2.9", asked="x.relu() for x = Value(0.0)")
def relu_of_zero(bg, rng):
    x = bg.Value(0.0)
    return told("x.relu()", x.relu(), x=x)


# 2.10: the hunt.

BLIND_SPOTS = {"a": 1.0, "b": 0.0}


def ask_hunt(name):
    asked = f"blind_spots(a, b) for a = 1, b = 0, and played what it returned on {name}'s engine"

    @probe("2.10", asked=asked, name=f"engine_of_{name}", secret=True)
    def recorded(bg, rng):
        return {"recipe": recipe_of(bg.hunts.blind_spots, **BLIND_SPOTS)}


for _name in ("Ada", "Ben", "Cleo"):
    ask_hunt(_name)

"""The questions of notebook 13."""

from copy import copy

import numpy as np

from grader.asking.answers import Form
from grader.course.questions import probe
from grader.probes.arrays import condensed
from grader.probes.probing import LARGE, TOO_MANY_TO_NUDGE, drawn
from grader.probes.recipe import recipes_of
from grader.probes.tensors import array_of, signed

# 13.1: the walk by hand.


def ask_names(key):
    """Register a question: the list of names under this key."""
    name = "list_" + key.replace(" ", "_")

    @probe("13.1", asked=f"names_on_the_way()['{key}']", name=name, secret=True)
    def names(bg, rng):
        returned = bg.hunts.names_on_the_way()
        if not isinstance(returned, dict):
            return {"returned": returned}
        return {"names": returned.get(key, Form(f"missing: there is no '{key}' in the dict"))}


for _key in ("A", "B", "B backward", "C backward"):
    ask_names(_key)


# 13.3: forward mode.


def leaf(bg, rng, *shape):
    return bg.Tensor(signed(rng, *shape))


def rates_for(rng, *leaves):
    """{leaf: how fast it moves}, numbers of both signs."""
    return {x: rng.normal(size=x.shape).round(2) for x in leaves}


def state(is_as_before):
    """The answer to: which content does it have now?"""
    return Form("the one from before" if is_as_before else "another one")


def ask_rate(name, asked, build, shapes, moving, show=True):
    """A question for rate_of.  build(*leaves) gives the output.  moving: the names of the leaves that move."""
    numbers_in_words = ", ".join(f"{each} = {{{each}}}" for each in shapes)
    rates_in_words = " and ".join(f"{each} moves at {{rate_{each}}}" for each in moving) or "no leaf moves"
    given = f"{numbers_in_words}, where {rates_in_words}" if show else f"where {' and '.join(moving)} move"

    @probe("13.3", asked=f"rate_of(L, rates) for L = {asked}, {given}", name=name)
    def rate(bg, rng):
        leaves = {each: leaf(bg, rng, *shape) for each, shape in shapes.items()}
        output = build(bg, **leaves)
        rates = rates_for(rng, *(leaves[each] for each in moving))
        told = {f"rate_{each}": rates[leaves[each]].tolist() for each in moving}
        before = {x: rate.copy() for x, rate in rates.items()}
        numbers = {each: x.data.tolist() for each, x in leaves.items()}
        returned = bg.forward_mode.rate_of(output, rates)
        same = rates.keys() == before.keys() and all(np.array_equal(rates[x], before[x]) for x in before)
        answers = {"returned": array_of(returned), "the content of rates": state(same)}
        return answers | ({"asked": numbers | told} if show else {}) | {"graph": drawn(bg, output)}


@probe("13.3", asked="of_a_product(c, {rate_a}, {rate_b}) for c = a * b, a = {a}, b = {b}")
def rate_of_a_product(bg, rng):
    a, b = leaf(bg, rng, 2), leaf(bg, rng, 2)
    rate_a, rate_b = rng.normal(size=(2, 2)).round(2)
    numbers = {"a": a.data.tolist(), "b": b.data.tolist(), "rate_a": rate_a.tolist(), "rate_b": rate_b.tolist()}
    return {"asked": numbers, "returned": array_of(bg.forward_mode.of_a_product(bg.ops.mul(a, b), rate_a, rate_b))}


@probe("13.3", asked="of_a_product(c, rate_a, rate_b) for c = a @ b, a of shape (2, 3), b of shape (3, 4)")
def rate_of_a_matrix_product(bg, rng):
    a, b = leaf(bg, rng, 2, 3), leaf(bg, rng, 3, 4)
    rates = rng.normal(size=(2, 3)), rng.normal(size=(3, 4))
    return {"returned": array_of(bg.forward_mode.of_a_product(bg.ops.matmul(a, b), *rates))}


@probe("13.3", asked="of_a_product(c, rate_a, rate_b) for c = a * b, a of shape (2, 3), b of shape (3,)")
def rate_of_a_stretched_product(bg, rng):
    a, b = leaf(bg, rng, 2, 3), leaf(bg, rng, 3)
    rates = rng.normal(size=(2, 3)), rng.normal(size=3)
    return {"returned": array_of(bg.forward_mode.of_a_product(bg.ops.mul(a, b), *rates))}


def near_and_far(z):
    return z * (z * 3)


def constant_inside(bg, x):
    return x * bg.Tensor([5.0, -7.0], requires_grad=False) - x


TWO = {"x": (2,), "y": (2,)}
ask_rate("a_chain", "(x * y).exp()", lambda bg, x, y: (x * y).exp(), TWO, "xy")
ask_rate("one_stands_still", "x.tanh() * y", lambda bg, x, y: x.tanh() * y, TWO, "x")
ask_rate("used_twice", "z * (z * 3), z = x * y", lambda bg, x, y: near_and_far(x * y), TWO, "xy")
ask_rate("nothing_moves", "x * y + 2", lambda bg, x, y: x * y + 2, TWO, "")
ask_rate("a_constant_inside", "x * Tensor([5, -7], requires_grad=False) - x", constant_inside, {"x": (2,)}, "x")
ask_rate(
    "a_layer",
    "((x @ w + b).tanh() * 2).sum(axis=0), of shapes (4, 3), (3, 2), (2,)",
    lambda bg, x, w, b: ((x @ w + b).tanh() * 2).sum(axis=0),
    {"x": (4, 3), "w": (3, 2), "b": (2,)},
    "wb",
    show=False,
)


@probe("13.3", asked="rate_of(x, rates) for a leaf x that moves at {rate}; and with empty rates", name="a_leaf")
def rate_of_a_leaf(bg, rng):
    x = leaf(bg, rng, 2)
    rates = rates_for(rng, x)
    moving = array_of(bg.forward_mode.rate_of(x, rates))
    still = array_of(bg.forward_mode.rate_of(x, {}))
    return {"asked": {"rate": rates[x].tolist()}, "the rate of x": moving, "its rate without an entry": still}


@probe(
    "13.3",
    asked="rate_of(L, rates) for L = z * z, z = (x * y).exp(), where x and y have gradients already, then looked at "
    "the numbers and gradients of x, y, z and L",
)
def the_graph_is_left_alone(bg, rng):
    x, y = leaf(bg, rng, 2), leaf(bg, rng, 2)
    x.grad, y.grad = signed(rng, 2), signed(rng, 2)
    z = (x * y).exp()
    nodes = {"x": x, "y": y, "z": z, "L": z * z}
    before = {name: (node.data.copy(), copy(node.grad), set(vars(node))) for name, node in nodes.items()}
    bg.forward_mode.rate_of(nodes["L"], rates_for(rng, x, y))
    answers = {}
    for name, (numbers, gradient, attributes) in before.items():
        node = nodes[name]
        answers[f"the content of {name}.data"] = state(np.array_equal(node.data, numbers))
        same = type(node.grad) is type(gradient) and np.array_equal(node.grad, gradient)
        answers[f"the content of {name}.grad"] = state(same)
        answers[f"the list of attributes that {name} did not have before"] = sorted(set(vars(node)) - attributes)
    return answers


@probe("13.3", asked=f"rate_of(a * b + a, rates) for a and b of shape {LARGE}", slow=TOO_MANY_TO_NUDGE)
def a_large_rate(bg, rng):
    a, b = leaf(bg, rng, *LARGE), leaf(bg, rng, *LARGE)
    return condensed({"the rate": array_of(bg.forward_mode.rate_of(a * b + a, rates_for(rng, a, b)))})


@probe("13.3", asked="rate_of(z, rates) for z = x + x, then z = z + z, and so on, 30 times, where x moves at 1")
def thirty_doublings(bg, rng):
    x = z = bg.Tensor(1.5)
    for _ in range(30):
        z = z + z
    return {"returned": array_of(bg.forward_mode.rate_of(z, {x: np.array(1.0)}))}


# 13.4: the hunt.

SHAPES = {"x": (2, 3), "row": (3,), "col": (2, 1), "w": (3, 2), "batch": (2, 2, 3)}  # of the leaves
MOST_EXPRESSIONS = 8


def the_expressions(bg, rng):
    found = recipes_of(bg.hunts.expressions_for_twelve_engines, **SHAPES)
    return {"recipes": found[: MOST_EXPRESSIONS + 1] if isinstance(found, list) else found}


for _number in range(1, 13):
    _asked = (
        f"expressions_for_twelve_engines(x, row, col, w, batch) and ran the expressions on engine {_number}, "
        "with two calls of backward each"
    )
    probe("13.4", asked=_asked, name=f"engine_{_number}", secret=True)(the_expressions)

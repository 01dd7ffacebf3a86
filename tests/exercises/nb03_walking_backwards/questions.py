"""The questions of notebook 03."""

import contextlib
import math
import operator
import sys
import traceback
from functools import partial

from grader.asking.answers import Form
from grader.asking.ask import kind_of
from grader.course.questions import probe
from grader.probes import node_orders
from grader.probes.probing import Pictures, local_slopes, walking
from grader.probes.recipe import recipe_of

LIGHT = True  # without NumPy


def two_numbers(rng):
    """One above 1, one below -1, and never the same size."""
    return round(rng.uniform(1.2, 2.4), 2), -round(rng.uniform(2.6, 4.0), 2)


def walked_in_order(bg, root, order, pictures):
    """Draw the backward pass in an order of nodes, by the slopes that they remember: whatever _backward does."""

    def by_the_slopes(node):
        for child, slope in zip(node._prev, local_slopes(node)):
            child.grad += slope * node.grad

    own = vars(bg.Value).get("_backward")
    if own is None or any(local_slopes(node) is None for node in order):  # closures, as in other courses
        return
    bg.Value._backward = by_the_slopes
    try:
        with walking(bg, root, pictures):
            root.grad = 1.0
            for node in order:
                node._backward()
    finally:
        bg.Value._backward = own


def made_by_hand(bg, number, inputs, slopes):
    """A result of no operation of the course: it has as many inputs as it is given, and these local slopes to them."""
    node = bg.Value(number, tuple(inputs), "by hand")
    if local_slopes(bg.Value(1.0) + bg.Value(1.0)) is not None:
        node._slopes = tuple(slopes)
        return node

    def _backward():  # closures, as in other courses
        for child, slope in zip(inputs, slopes):
            child.grad += slope * node.grad

    node._backward = _backward
    return node


def sine(bg, x):
    """A result with one input."""
    return made_by_hand(bg, math.sin(x.data), [x], [math.cos(x.data)])


# 3.1: Value._backward.


def one_step(bg, *nodes):
    """Call _backward() of these nodes, the root first.  Returns the picture."""
    pictures = Pictures()
    with walking(bg, nodes[0], pictures, start=nodes[0].grad, whole=False):
        for node in nodes:
            node._backward()
    return pictures.graph


@probe(
    "3.1",
    asked="L._backward() for a = Value({a}), b = Value({b}), L = a + b and L.grad = 0.4, "
    "where another node has passed 5.0 back to a already",
)
def a_sum(bg, rng):
    a, b = (bg.Value(x) for x in two_numbers(rng))
    total = a + b
    total.grad, a.grad = 0.4, 5.0
    a.label, b.label, total.label = "a", "b", "L"
    graph = one_step(bg, total)
    return {
        "graph": graph,
        "asked": {"a": a.data, "b": b.data},
        "a.grad": a.grad,
        "b.grad": b.grad,
        "L.grad afterwards": total.grad,
        "L.data afterwards": total.data,
    }


@probe("3.1", asked="L._backward() for a = Value({a}), b = Value({b}), L = a * b and L.grad = {grad}")
def a_product(bg, rng):
    a, b = (bg.Value(x) for x in two_numbers(rng))
    product = a * b
    product.grad = -round(rng.uniform(0.3, 0.8), 2)
    asked = {"a": a.data, "b": b.data, "grad": product.grad}
    a.label, b.label, product.label = "a", "b", "L"
    graph = one_step(bg, product)
    return {"asked": asked, "a.grad": a.grad, "b.grad": b.grad, "L.grad afterwards": product.grad, "graph": graph}


@probe("3.1", asked="L._backward() for a = Value(3.0), L = a * a and L.grad = 0.4")
def one_input_used_twice(bg, rng):
    a = bg.Value(3.0)
    square = a * a
    square.grad = 0.4
    a.label, square.label = "a", "L"
    graph = one_step(bg, square)
    return {"a.grad": a.grad, "graph": graph}


@probe(
    "3.1",
    asked="L._backward() for a = Value(2.0), b = Value(-3.0), L = a * b and L.grad = 0.5, "
    "where another node has passed 10.0 back to a already",
)
def a_product_of_which_one_input_holds_a_share(bg, rng):
    a, b = bg.Value(2.0), bg.Value(-3.0)
    product = a * b
    product.grad, a.grad = 0.5, 10.0
    a.label, b.label, product.label = "a", "b", "L"
    graph = one_step(bg, product)
    return {"a.grad": a.grad, "b.grad": b.grad, "L.grad afterwards": product.grad, "graph": graph}


@probe(
    "3.1",
    asked="L._backward() and then c._backward() for u = a * b, L = u * c with a = Value(2.0), "
    "b = Value(-3.0), c = Value(4.0) and L.grad = 1.0",
)
def one_step_and_no_more(bg, rng):
    a, b, c = bg.Value(2.0), bg.Value(-3.0), bg.Value(4.0)
    u = a * b
    out = u * c
    out.grad = 1.0
    a.label, b.label, c.label, u.label, out.label = "a", "b", "c", "u", "L"
    graph = one_step(bg, out, c)
    return {"u.grad": u.grad, "c.grad": c.grad, "a.grad": a.grad, "b.grad": b.grad, "graph": graph}


@probe(
    "3.1",
    asked="L._backward() for L = sin(x), a node with one input, x = Value({x}), and with the local slope cos({x}); "
    "L.grad = -0.6, and another node has passed 5.0 back to x already",
)
def one_input(bg, rng):
    x = bg.Value(two_numbers(rng)[0])
    out = sine(bg, x)
    out.grad, x.grad = -0.6, 5.0
    x.label, out.label = "x", "L"
    graph = one_step(bg, out)
    return {"asked": {"x": x.data}, "x.grad": x.grad, "L.grad afterwards": out.grad, "graph": graph}


@probe(
    "3.1",
    asked="L._backward() for a node L with three inputs, a, b and a once more, with the local slopes 0.25, -1.5 and "
    "2.75, and L.grad = 0.4",
)
def three_inputs(bg, rng):
    a, b = bg.Value(3.0), bg.Value(-2.0)
    out = made_by_hand(bg, 12.0, [a, b, a], [0.25, -1.5, 2.75])
    out.grad = 0.4
    a.label, b.label, out.label = "a", "b", "L"
    graph = one_step(bg, out)
    return {"a.grad": a.grad, "b.grad": b.grad, "graph": graph}


# 3.2: post_order.

# Graphs as data: of each node its number, or the nodes that it was made from. One stands for a sine, two or three for
# a product. Labels are the names.
# Their numbers rise in some and fall in others, so that no order of numbers is an order of making.
REUSED = {"x": 2.0, "y": ("x", "x"), "-3": -3.0, "z": ("-3", "y"), "L": ("y", "z")}
CHAIN = {"x": 0.5, "y": ("x", "x"), "z": ("y", "y"), "L": ("z", "z")}
THREE_USES = {"x": 2.0, "y": ("x", "x"), "5": 5.0, "u": ("y", "5"), "v": ("u", "y"), "L": ("v", "y")}
TWINS = {"a": 2.0, "b": 2.0, "c": ("a", "a"), "d": ("a", "b"), "L": ("c", "d")}  # a: twice by c, once by d
ONE_AND_THREE = {"x": 0.5, "a": 2.0, "b": 3.0, "y": ("x",), "z": ("a", "y", "b"), "L": ("z", "y")}
HIGHEST_LIMIT = 5_000  # nested calls, in a question about 100,000 nodes
SWAPPED = "and again with the operands of each product swapped"


def made_from(bg, *inputs):
    """The sine of one node, the product of two or more."""
    if len(inputs) == 2:
        return operator.mul(*inputs)
    if len(inputs) == 1:
        return sine(bg, *inputs)
    numbers = [node.data for node in inputs]
    slopes = [math.prod(numbers[:place] + numbers[place + 1 :]) for place in range(len(numbers))]
    return made_by_hand(bg, math.prod(numbers), inputs, slopes)


def nodes_of(bg, graph, swapped=False):
    """The nodes of a graph by name."""
    return node_orders.built(graph, swapped, lambda _, number: bg.Value(number), partial(made_from, bg))


def ask_for_an_order(exercise, name):
    """The questions about small graphs, which have to do with the order alone."""

    def asked_both_ways(bg, graph):
        def build(swapped):
            return nodes_of(bg, graph, swapped)

        return node_orders.both_ways(getattr(bg.value, name), build, partial(walked_in_order, bg))

    def ask(made, graph, probe_name):
        @probe(exercise, asked=f"{name}(L) for {made}", name=probe_name)
        def order_of(bg, rng):
            return asked_both_ways(bg, graph)

    ask(
        "x = Value(2.0), y = x * x, z = -3 * y, L = y * z, and again for z = y * -3, L = z * y",
        REUSED,
        "a_node_used_twice",
    )
    ask("the chain x = Value(0.5), y = x * x, z = y * y, L = z * z", CHAIN, "a_chain")
    ask(f"x = Value(2.0), y = x * x, u = y * 5, v = u * y, L = v * y, {SWAPPED}", THREE_USES, "a_node_used_three_times")
    ask(
        f"a = Value(2.0), b = Value(2.0), c = a * a, d = a * b, L = c * d, {SWAPPED}",
        TWINS,
        "nodes_with_equal_numbers",
    )

    ask(
        "y = sin(x), a node with one input, z = a * y * b, a node with three, L = z * y, and again with the inputs of "
        "each node in the opposite order",
        ONE_AND_THREE,
        "nodes_with_one_input_and_with_three",
    )

    @probe(exercise, asked=f"{name}(L) for x = Value(2.0), y = x * x, z = -3 * y, L = y * z, and then once more")
    def one_graph_twice(bg, rng):
        nodes = nodes_of(bg, REUSED)
        return {f"the {which} time": node_orders.names(getattr(bg.value, name), nodes) for which in ("first", "second")}

    @probe(exercise, asked=f"{name}(L) for x = Value(2.0), {{steps}}, {SWAPPED}")
    def steps_in_any_letters(bg, rng):
        graph = node_orders.drawn_graph(rng)
        return node_orders.described(graph) | asked_both_ways(bg, graph)

    @probe(exercise, asked=f"{name}(L) for y = x, then 30 times y = y + y, and L = y")
    def thirty_doublings(bg, rng):
        nodes = node_orders.row(bg.Value(0.5, label="x"), 30, add=lambda y, x: y + y)
        node_orders.count_looks(nodes, "_prev")
        return node_orders.in_numbers(getattr(bg.value, name), nodes)


ask_for_an_order("3.2", "post_order")


# 3.3: topological_order.

ask_for_an_order("3.3", "topological_order")


@probe(
    "3.3",
    asked="topological_order(L) for y = x, then 99,999 times y = y + x, and L = y",
    slow="The graph has 100,000 nodes. If each node is looked for in a long list, or if a list is copied in each "
    "round, that is billions of steps. A set finds a node at once; append and pop at the end of a list are quick too.",
)
def a_hundred_thousand_nodes(bg, rng):
    nodes = node_orders.row(bg.Value(0.5, label="x"), 99_999, add=lambda y, x: y + x)
    node_orders.count_comparisons(nodes)
    with held_limit() as wanted:
        found = node_orders.in_numbers(bg.value.topological_order, nodes)
    if found.get("stopped") == "depth" and max(wanted) > HIGHEST_LIMIT:
        return {"stopped": "raised", "asked": {"limit": max(wanted)}}
    return found


@contextlib.contextmanager
def held_limit():
    """Python's limit on nested calls can be set in the block, but not above HIGHEST_LIMIT.  Gives the limits wanted."""
    set_limit, before = sys.setrecursionlimit, sys.getrecursionlimit()
    wanted = [before]

    def hold(limit):
        wanted.append(limit)
        set_limit(min(limit, HIGHEST_LIMIT))

    sys.setrecursionlimit = hold
    try:
        set_limit(min(before, HIGHEST_LIMIT))
        yield wanted
    finally:
        sys.setrecursionlimit = set_limit
        set_limit(before)


# 3.4: Value.backward.


@probe(
    "3.4",
    asked="L.backward() for a = Value({a}), b = Value({b}), c = Value(0.5), d = Value(-2.0), u = a * b, "
    "L = (u + c) * d",
)
def a_tree(bg, rng):
    a, b = (bg.Value(x) for x in two_numbers(rng))
    c, d = bg.Value(0.5), bg.Value(-2.0)
    u = a * b
    out = (u + c) * d
    for name, node in dict(a=a, b=b, c=c, d=d, u=u, L=out).items():
        node.label = name
    pictures = Pictures()
    with walking(bg, out, pictures):
        returned = out.backward()
    return {
        "graph": pictures.graph,
        "asked": {"a": a.data, "b": b.data},
        "L.grad": out.grad,
        "d.grad": d.grad,
        "u.grad": u.grad,
        "a.grad": a.grad,
        "b.grad": b.grad,
        "c.grad": c.grad,
        "L.data afterwards": out.data,
        "what L.backward() returned": Form(kind_of(returned)),
    }


@probe("3.4", asked="L.backward() for x = Value(3.0), y = x * x, z = 2 * y, L = y * z, and again for L = z * y")
def a_node_used_by_two(bg, rng):
    answers, pictures = {}, Pictures()
    for name, last in {"y * z": lambda y, z: y * z, "z * y": lambda y, z: z * y}.items():
        x, two = bg.Value(3.0, label="x"), bg.Value(2.0)
        y = x * x
        z = two * y
        out = last(y, z)
        y.label, z.label, out.label = "y", "z", "L"
        with walking(bg, out, pictures):
            out.backward()
        answers |= {f"For L = {name}, {node}.grad": v.grad for node, v in (("x", x), ("y", y), ("z", z))}
    return answers | {"graph": pictures.graph}


@probe(
    "3.4",
    asked="L.backward() for y = sin(x), a node with one input, x = Value({x}), z = a * y * b, a node with three, "
    "a = Value(2.0), b = Value(3.0), L = z * y",
)
def nodes_with_one_input_and_with_three(bg, rng):
    nodes = nodes_of(bg, ONE_AND_THREE | {"x": two_numbers(rng)[0]})
    pictures = Pictures()
    with walking(bg, nodes["L"], pictures):
        nodes["L"].backward()
    return {
        "asked": {"x": nodes["x"].data},
        **{f"{name}.grad": nodes[name].grad for name in ("z", "a", "b", "y", "x")},
        "graph": pictures.graph,
    }


@probe("3.4", asked="L.backward() twice for x = Value(2.0), y = 3 * x, L = y + 1")
def twice(bg, rng):
    x, three, one = bg.Value(2.0), bg.Value(3.0), bg.Value(1.0)
    y = three * x
    out = y + one
    x.label, y.label, out.label = "x", "y", "L"
    pictures = Pictures()
    with walking(bg, out, pictures):
        out.backward()
    first = x.grad
    with walking(bg, out, pictures):
        out.backward()
    return {
        "graph": pictures.graph,
        "x.grad after the first walk": first,
        "x.grad after the second walk": x.grad,
        "y.grad after the second walk": y.grad,
        "L.grad after the second walk": out.grad,
    }


@probe(
    "3.4",
    asked="L.backward(), then M.backward(), then x.backward() for x = Value(2.0), y = x², a node with one input, "
    "L = 3 * y, M = y * 5",
)
def two_graphs_that_share(bg, rng):
    x = bg.Value(2.0)
    y = made_by_hand(bg, 4.0, [x], [4.0])
    one, other = bg.Value(3.0) * y, y * bg.Value(5.0)
    x.label, y.label, one.label, other.label = "x", "y", "L", "M"
    pictures = Pictures()
    with walking(bg, one, pictures):
        one.backward()
    answers = {"x.grad after L.backward()": x.grad}
    with walking(bg, other, pictures):
        other.backward()
    answers |= {"x.grad after M.backward()": x.grad, "y.grad after M.backward()": y.grad}
    with walking(bg, x, pictures):
        x.backward()
    return answers | {"After x.backward(), which adds 1, x.grad": x.grad, "graph": pictures.graph}


@probe(
    "3.4",
    asked="L.backward() for L = cube * 4, where cube is 8.0, was made from x = Value(2.0), and brings a "
    "_backward of its own that adds 12 * cube.grad to x.grad",
)
def a_node_with_a_backward_of_its_own(bg, rng):
    x = bg.Value(2.0)
    cube = bg.Value(8.0, (x,), "cube")

    def _backward():
        x.grad += 12.0 * cube.grad

    cube._backward = _backward
    out = cube * bg.Value(4.0)
    x.label, cube.label, out.label = "x", "cube", "L"
    pictures = Pictures()
    with walking(bg, out, pictures):
        out.backward()
    return {"cube.grad": cube.grad, "x.grad": x.grad, "graph": pictures.graph}


@probe(
    "3.4",
    asked="L.backward() for y = x, then 20,000 times y = y + x, and L = y",
    slow="The graph has 20,000 sums. Is each node dealt with once? Is topological_order called once, before the "
    "loop? Does the loop call node._backward(), and not backward()?",
)
def twenty_thousand_additions(bg, rng):
    nodes = node_orders.row(bg.Value(0.5, label="x"), 20_000, add=lambda y, x: y + x)
    node_orders.count_comparisons(nodes)
    try:
        nodes[-1].backward()
    except RecursionError as error:
        if any(frame.f_code.co_name == "post_order" for frame, _ in traceback.walk_tb(error.__traceback__)):
            return node_orders.stopped("post_order")
        return node_orders.too_deep(bg.value.topological_order, nodes[-1])
    except node_orders.TooManyCompared:
        return node_orders.stopped("compared")
    return {"x.grad": nodes[0].grad, "the gradient of the first sum": nodes[1].grad}


# 3.5: tell_them_apart, a hunt.

LEAVES = {"a": 2.0, "b": -3.0}


def ask_hunt(name, asked):
    @probe("3.5", asked=f"tell_them_apart(a, b) at a = 2, b = -3, {asked}", name=name, secret=True)
    def recorded(bg, rng):
        return {"recipe": recipe_of(bg.hunts.tell_them_apart, **LEAVES)}


for _name in "ABC":
    ask_hunt(f"engine_{_name}", f"and played it on engine {_name}")
ask_hunt("its_size", "and counted its operations")

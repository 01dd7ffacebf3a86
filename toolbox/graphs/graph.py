"""What a drawing shows of a graph: read once, kept as plain words.

A *reader* knows what to ask of a node. To draw another kind of node, give READERS a reader for it:
nothing else in this folder looks at a node.
"""

import re
from collections import Counter, deque
from itertools import count, islice, repeat
from numbers import Number
from typing import NamedTuple


class Node(NamedTuple):
    """One value of the graph."""

    name: str  # its label, or v1, v2, ...; no two alike
    label: str  # '' if it was given none
    operation: str  # '' for a leaf
    detail: str  # what belongs to the operation besides its inputs: "axes 0"
    inputs: tuple  # of each operand: its place in Graph.nodes, None if it is not shown
    slopes: tuple  # of each operand: '' if it is not known
    arrows: tuple  # of each operand: what is written on its arrow
    number: str  # what it holds, in a few letters
    rows: tuple  # what is said of it: ("data 2",)
    grad: str  # '' if there is none yet
    constant: bool  # it requires no gradient
    dashed: bool = False  # it is not there any more


class Graph(NamedTuple):
    """Everything that is shown."""

    nodes: tuple  # each after its inputs, so the last one is the root
    has_gradient: bool
    left_out: int  # how many more nodes there are

    @property
    def root(self):
        return self.nodes[-1]

    def operands(self, node):
        return ["…" if place is None else self.nodes[place].name for place in node.inputs]

    def headline(self):
        operations = sum(bool(node.operation) for node in self.nodes)
        return f"Graph of {self.root.name}: {counted(len(self.nodes), 'value')}, {counted(operations, 'operation')}"

    def notes(self):
        """What should be said below the graph."""
        if not self.has_gradient:
            earlier = any(node.grad for node in self.nodes)
            yield "no gradient yet" + ("; some values still hold an earlier one" if earlier else "")
        if self.left_out:
            yield f"{counted(self.left_out, 'more node')} {'is' if self.left_out == 1 else 'are'} not shown"


def counted(number, thing):
    """'1 value', '1,234 values'"""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def read_graph(root, max_nodes):
    """The Graph of everything root was made from, as it is now.

    Raises TypeError if root has no graph, ValueError if max_nodes is less than 1.
    """
    reader = reader_for(root)
    nodes, left_out = nodes_to_show(root, max_nodes)
    places = {id(node): place for place, node in enumerate(nodes)}
    names = named([reader.label(node) for node in nodes])
    has_gradient = reader.has_gradient(root)
    shown = tuple(read_node(node, name, reader, places, has_gradient) for node, name in zip(nodes, names))
    return Graph(shown, has_gradient, left_out)


def nodes_to_show(root, max_nodes):
    """The nodes of a Graph, in its order, and how many are left out.  Raises as read_graph does."""
    inputs_of = reader_for(root).inputs
    if max_nodes < 1:
        raise ValueError(f"max_nodes must be 1 or more, but it is {max_nodes}")
    everything = order_of_computing(root, inputs_of)
    nodes = nearest(root, inputs_of, everything, max_nodes)
    return nodes, len(everything) - len(nodes)


def read_node(node, name, reader, places, has_gradient):
    inputs = reader.inputs(node)
    return Node(
        name=name,
        label=reader.label(node),
        operation=reader.operation(node),
        detail=reader.detail(node),
        inputs=tuple(places.get(id(operand)) for operand in inputs),
        slopes=one_for_each(inputs, reader.slopes(node)),
        arrows=one_for_each(inputs, reader.arrows(node)),
        number=reader.number(node),
        rows=tuple(reader.rows(node)),
        grad=reader.grad(node) if has_gradient or reader.has_gradient(node) else "",
        constant=reader.is_constant(node),
    )


def one_for_each(inputs, texts):
    return tuple(islice([*texts, *repeat("", len(inputs))], len(inputs)))


# Pictures in which a learner fills in what the engine has found, or will find.

BLANK = "__"
BLANKS = (False, True, "all")


def blanked(graph, blank):
    """The Graph with room to write: for gradients if blank is True; for results and what is on arrows too if "all".

    Raises ValueError for anything else but False.
    """
    if not any(blank is known for known in BLANKS):
        raise ValueError(f'blank must be True or "all", but it is {blank!r}')
    if not blank:
        return graph
    nodes = tuple(with_room(node, results_too=blank == "all") for node in graph.nodes)
    return graph._replace(nodes=nodes, has_gradient=True)


def with_room(node, results_too):
    node = node._replace(grad="" if node.constant else BLANK)
    if not results_too or not node.operation:
        return node
    slopes = tuple(slope and BLANK for slope in node.slopes)
    arrows = tuple(f"slope {BLANK}" if slope else words and BLANK for words, slope in zip(node.arrows, slopes))
    return node._replace(number=BLANK, rows=(f"data {BLANK}",), slopes=slopes, arrows=arrows)


# The walk. Two equal nodes are still two: hence id(), not ==.


def order_of_computing(root, inputs_of):
    """Every node once, after its inputs, the first operand first. A loop: a chain may be 100,000 long."""
    order, met, stack = [], set(), [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            order.append(node)
        elif id(node) not in met:
            met.add(id(node))
            stack.append((node, True))
            stack.extend((operand, False) for operand in reversed(inputs_of(node)))
    return order


def nearest(root, inputs_of, order, how_many):
    """Of the nodes in order, those with the fewest steps to root."""
    near, queue = {id(root)}, deque([root])
    while queue and len(near) < how_many:
        for operand in inputs_of(queue.popleft()):
            if id(operand) not in near and len(near) < how_many:
                near.add(id(operand))
                queue.append(operand)
    return [node for node in order if id(node) in near]


def named(labels):
    """A name for each node: its label, or v1, v2, ...; x#1, x#2 if the label is not the only one."""
    free = (name for name in map("v{}".format, count(1)) if name not in labels)
    often, met = Counter(labels), Counter()
    for label in labels:
        met[label] += 1
        yield next(free) if not label else label if often[label] == 1 else f"{label}#{met[label]}"


# Reading. One looks at a drawing when something is wrong. So whatever a node holds (a text for a
# number, None for its inputs) is shown as it is instead of raising.


class ValueReader:
    """What a drawing asks of a Value. A leaf that is labelled with its own number is a constant like one without."""

    def inputs(self, value):
        return as_tuple(getattr(value, "_prev", None))

    def label(self, value):
        label = as_name(getattr(value, "label", None))
        return "" if label == self.number(value) and not self.inputs(value) else label

    def operation(self, value):
        return as_name(getattr(value, "_op", None)) or ("?" if self.inputs(value) else "")

    def detail(self, value):
        return ""

    def slopes(self, value):
        return [short(slope) for slope in as_tuple(getattr(value, "_slopes", None))]

    def arrows(self, value):
        return [slope and f"slope {slope}" for slope in self.slopes(value)]

    def number(self, value):
        return short(value.data if hasattr(value, "_prev") and hasattr(value, "data") else value)

    def rows(self, value):
        return [f"data {self.number(value)}"]

    def grad(self, value):
        return short(getattr(value, "grad", None))

    def has_gradient(self, value):
        grad = getattr(value, "grad", None)
        return grad is not None and not (isinstance(grad, Number) and grad == 0)

    def is_constant(self, value):
        return not (self.operation(value) or self.label(value))


class TensorReader:
    """What a drawing asks of a Tensor: shapes stand on the arrows, numbers in a box where they are few."""

    def inputs(self, tensor):
        return as_tuple(getattr(tensor, "_inputs", None))

    def label(self, tensor):
        return as_name(getattr(tensor, "label", None))

    def operation(self, tensor):
        op = getattr(tensor, "_op", None)
        if op is None:
            return "?" if self.inputs(tensor) else ""
        return as_name(type(op).__name__)

    def detail(self, tensor):
        return printable(" ".join(details(getattr(tensor, "_op", None))))

    def slopes(self, tensor):
        return []

    def arrows(self, tensor):
        return [shape_of(x) for x in self.inputs(tensor)]

    def number(self, tensor):
        return few_numbers(getattr(tensor, "data", None)) or shape_of(tensor)

    def rows(self, tensor):
        numbers = few_numbers(getattr(tensor, "data", None))
        return [f"data {numbers or shape_of(tensor)}"]

    def grad(self, tensor):
        grad = getattr(tensor, "grad", None)
        return "" if grad is None else few_numbers(grad) or as_written(getattr(grad, "shape", grad))

    def has_gradient(self, tensor):
        return getattr(tensor, "grad", None) is not None

    def is_constant(self, tensor):
        return getattr(tensor, "_op", None) is None and getattr(tensor, "requires_grad", True) is False


READERS = {"_prev": ValueReader(), "_inputs": TensorReader()}  # each by an attribute that all nodes of its kind have


def reader_for(root):
    for attribute, reader in READERS.items():
        if hasattr(root, attribute) and not isinstance(root, type):
            return reader
    raise TypeError(
        f"only a Value or a Tensor has a graph to draw, but {as_written(root)} is of type {type(root).__name__}"
    )


FEW, SHORT = 6, 28  # numbers, letters


def few_numbers(array):
    """The numbers of a small array as nested lists; '' for a larger one, and for anything but an array."""
    if not hasattr(array, "tolist") or array.size > FEW:
        return ""
    text = nested(array.tolist())
    return text if len(text) <= SHORT else ""


def nested(numbers):
    return f"[{', '.join(map(nested, numbers))}]" if isinstance(numbers, list) else short(numbers, digits=3)


def shape_of(tensor):
    return as_written(getattr(getattr(tensor, "data", tensor), "shape", "?"))


def details(op):
    """What belongs to an operation besides its inputs: the number of MulScalar, the axes of Summation."""
    for name, value in getattr(op, "__dict__", {}).items():
        if name == "axes" and isinstance(value, tuple):
            yield f"axes {', '.join(map(str, value))}"
        elif name == "keepdims" and value is True:
            yield name
        elif name in ("scalar", "shape"):
            yield short(value)


def as_tuple(things):
    """things as a tuple; a single thing, also a Tensor, as a tuple of one."""
    if things is None:
        return ()
    return tuple(things) if isinstance(things, (tuple, list, set, frozenset, dict)) else (things,)


def as_name(thing):
    if thing is None:
        return ""
    return printable(thing) if isinstance(thing, str) else as_written(thing)


def short(thing, digits=4):
    """A number with that many significant digits (integers up to a million in full); other things as written."""
    if not isinstance(thing, Number) or isinstance(thing, bool):
        return as_written(thing)
    try:
        text = f"{thing + 0:.{digits}g}"  # + 0 makes 0 of -0.0
        return f"{thing:.0f}" if "e+" in text and abs(thing) < 1e6 else text
    except (TypeError, ValueError, OverflowError):  # a Fraction, an int with 400 digits
        return as_written(thing)


def as_written(thing):
    try:
        text = repr(thing)
    except Exception:
        text = f"a {type(thing).__name__}"
    return printable(re.sub(" at 0x[0-9a-fA-F]+", "", text))  # addresses change from run to run


def printable(text, longest=32):
    """text in one line, of letters that can be seen, and not too long."""
    visible = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * longest])
    text = " ".join(visible.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"

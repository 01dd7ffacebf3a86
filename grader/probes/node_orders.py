"""Questions about an order of nodes, each after what it was made from: of Values in notebook 03, of Tensors in 09.

Graphs are data: of each node its number, or the nodes that it was made from, such as the two factors of a product.
"""

import contextlib
import sys

from .probing import Pictures

MOST_LOOKS = 20_000
MOST_COMPARED = 200_000
MOST_RUNS = 1000


class TooMany(Exception):
    """Stopped: it would take too long."""


class TooManyLooks(TooMany):
    """The code walks path by path, and there are a billion paths."""


class TooManyCompared(TooMany):
    """The code searches a list of nodes from the front, anew for each node."""


def both_ways(order, build, walked=None):
    """The orders of a graph, as it is and with the inputs of each node swapped, as names.

    order(node) gives the list; build(swapped) the nodes by name, "L" the last one. Sorted, since a walk may go to the
    first input first, or to the last.
    walked(root, order, pictures): draws the backward pass in this order; None for no picture.
    """
    orders, pictures = [], Pictures()
    for swapped in (False, True):
        nodes = build(swapped)
        returned = order(nodes["L"])
        if not isinstance(returned, (list, tuple)):
            return {"returned": returned}
        names = {id(node): name for name, node in nodes.items()}
        orders.append([names.get(id(node), "something else") for node in returned])
        with contextlib.suppress(Exception):  # a node may be built in another way: then there is no picture
            if walked:
                walked(nodes["L"], [node for node in reversed(returned) if id(node) in names], pictures)
    return {"orders": sorted(orders), "graph": pictures.graph}


def names(order, nodes):
    """The order of a graph's nodes as their names: a list of texts, or whatever came instead of a list.

    nodes: by name, "L" the last one.
    """
    returned = order(nodes["L"])
    if not isinstance(returned, (list, tuple)):
        return returned
    known = {id(node): name for name, node in nodes.items()}
    return [known.get(id(node), "something else") for node in returned]


def built(graph, swapped, make_leaf, multiply):
    """The nodes of a graph by name, labelled; swapped: with the inputs of each node the other way round.

    make_leaf(name, number), multiply(*inputs): each makes a node.
    """
    nodes = {}
    for name, made in graph.items():
        if isinstance(made, tuple):
            nodes[name] = multiply(*(nodes[each] for each in (reversed(made) if swapped else made)))
        else:
            nodes[name] = make_leaf(name, made)
        nodes[name].label = name
    return nodes


def row(first, count, add):
    """The node `first` and `count` more, each add(the one before, first)."""
    nodes = [first]
    for _ in range(count):
        nodes.append(add(nodes[-1], first))
    return nodes


def stopped(reason):
    """The answer where something was stopped, and the limit on calls in force: the learner's code may have set one."""
    return {"stopped": reason, "asked": {"limit": sys.getrecursionlimit()}}


def too_deep(order, root):
    """The answer where a walk made too many calls: is it the order that does so already, or the walk itself?"""
    try:
        order(root)
    except RecursionError:
        return stopped("order")
    return stopped("depth")


def in_numbers(order, nodes):
    """The order of a row of nodes, each made from the one before: how many, and runs of their places in nodes.

    -1 stands for what is none of them.
    """
    try:
        returned = order(nodes[-1])
    except RecursionError:  # its words are not the same in each version of Python
        return stopped("depth")
    except TooManyLooks:
        return stopped("looks")
    except TooManyCompared:
        return stopped("compared")
    if not isinstance(returned, (list, tuple)):
        return {"returned": returned}
    place = {id(node): i for i, node in enumerate(nodes)}
    return {"how many": len(returned), "runs": _runs([place.get(id(node), -1) for node in returned])}


def _runs(numbers):
    """Whole numbers as runs [first, step, how many]: an order of 100,000 nodes is short then. The first MOST_RUNS."""
    runs = []
    for number in numbers:
        if runs and runs[-1][2] == 1:
            runs[-1][1:] = number - runs[-1][0], 2
        elif runs and number == runs[-1][0] + runs[-1][1] * runs[-1][2]:
            runs[-1][2] += 1
        elif len(runs) < MOST_RUNS:
            runs.append([number, 1, 1])
        else:
            break
    return runs


def drawn_graph(rng):
    """A leaf x, and then products, each of the one before and of any one before that: there is one right order.

    The products bear shuffled letters, the last one is L.
    """
    names = ["x", *("abcdefg"[place] for place in rng.permutation(7)), "L"]
    return {"x": 2.0} | {
        name: (names[place], names[int(rng.integers(0, place + 1))]) for place, name in enumerate(names[1:])
    }


def described(graph):
    """How a question describes its random graph, for the learner and for in_drawn_order."""
    made_from = {name: list(made) for name, made in graph.items() if isinstance(made, tuple)}
    steps = ", ".join(f"{name} = {' * '.join(made)}" for name, made in made_from.items())
    return {"asked": {"steps": steps}, "made from": made_from}


class Counted(tuple):
    """A node's inputs. Each look at them is counted, together with those at the inputs of the other nodes."""

    def look(self):
        self.looks[0] += 1
        if self.looks[0] > MOST_LOOKS:
            raise TooManyLooks

    def __iter__(self):
        self.look()
        return super().__iter__()

    def __getitem__(self, place):
        self.look()
        return super().__getitem__(place)


def count_looks(nodes, attribute):
    """From now on looks at the inputs of these nodes (in this attribute) are counted, and limited."""
    looks = [0]
    for node in nodes:
        counted = Counted(getattr(node, attribute))
        counted.looks = looks
        setattr(node, attribute, counted)


def count_comparisons(nodes):
    """From now on comparisons of these nodes are counted, and limited: a list makes many of them, a set hardly any."""
    compared = 0

    class Compared(type(nodes[-1])):
        __slots__ = ()
        __hash__ = object.__hash__

        def __eq__(self, other):
            nonlocal compared
            compared += 1
            if compared > MOST_COMPARED:
                raise TooManyCompared
            return NotImplemented

    for node in nodes:
        node.__class__ = Compared

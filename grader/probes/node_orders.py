"""Questions about an order of nodes, each after what it was made from: of Values in notebook 03, of Tensors in 09.

Graphs are data: of each node its number, or the two nodes whose product it is.
"""

import sys

from ..asking.outcome import Other
from ..marking.compare import describe

MOST_LOOKS = 20_000
MOST_COMPARED = 200_000
MOST_RUNS = 1000


class TooMany(Exception):
    """Stopped: it would take too long."""


class TooManyLooks(TooMany):
    """The code walks path by path, and there are a billion paths."""


class TooManyCompared(TooMany):
    """The code searches a list of nodes from the front, anew for each node."""


STOPPED = {
    "looks": f"It looked up the inputs of nodes more than {MOST_LOOKS:,} times and was stopped: the graph has 31 "
    "nodes, but a billion ways lead from L to x.",
    "depth": "Python gave up with a RecursionError: {limit} calls were waiting, each for the next.",
    "compared": f"It compared nodes with each other more than {MOST_COMPARED:,} times and was stopped. To find a "
    "node, a list is searched from the front each time. A set finds it at once.",
}


# In the learner's process: asking.


def both_ways(order, build):
    """The orders of a graph, as it is and with the inputs of each node swapped, as names.

    order(node) gives the list; build(swapped) the nodes by name, "L" the last one. Sorted: whether a walk goes
    to the first input first or to the last is all the same then.
    """
    orders = []
    for swapped in (False, True):
        nodes = build(swapped)
        returned = order(nodes["L"])
        if not isinstance(returned, (list, tuple)):
            return {"returned": returned}
        names = {id(node): name for name, node in nodes.items()}
        orders.append([names.get(id(node), "something else") for node in returned])
    return {"orders": sorted(orders)}


def stopped(reason):
    """The answer where something was stopped, and the limit on calls in force: the learner's code may have set one."""
    return {"stopped": reason, "asked": {"limit": sys.getrecursionlimit()}}


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


def told(graph):
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


# In the parent: comparing.


def why_stopped(got, reasons=STOPPED):
    """The sentence about what stopped it; "" if nothing did."""
    reason = got.get("stopped")
    if not isinstance(reason, str):
        return ""
    limit = got["asked"].get("limit") if isinstance(got.get("asked"), dict) else None
    shown = f"{limit:,}" if type(limit) is int and 0 < limit < 10**10 else "too many"
    return reasons.get(reason, "It was stopped.").replace("{limit}", shown)


def in_order(graph, things, constants=()):
    """The comparison for both_ways of a graph: several orders are right.

    things: what the list should hold, "Values".  constants: names of nodes that should be left out.
    """
    made_from = {n: m if isinstance(m, tuple) else () for n, m in graph.items() if n not in constants}

    def compare(expected, got):
        orders = got.get("orders")
        if not isinstance(orders, list):
            return _no_list(got.get("returned"), things)
        faults = [fault for names in orders if (fault := _fault(names, made_from, constants))]
        if len(orders) != 2 or not faults:
            return "It returned something that cannot be read." if len(orders) != 2 else None
        return faults[0] if len(faults) == 2 else "For one of the two graphs: i" + faults[0][1:]

    return compare


def in_drawn_order(things):
    """The comparison for both_ways of a drawn_graph, which is known from the reference's answers alone."""

    def compare(expected, got):
        graph = {"x": ()} | {name: tuple(made) for name, made in expected["made from"].items()}
        return in_order(graph, things)(expected, got)

    return compare


def counted_up(things):
    """The comparison for in_numbers: only one order is right."""

    def compare(expected, got):
        if stop := why_stopped(got):
            return stop
        length, runs = got.get("how many"), got.get("runs")
        if type(length) is not int or not _are_runs(runs):
            return _no_list(got.get("returned"), things)
        if length != expected["how many"]:
            return f"It returned {length:,} nodes, but the graph has {expected['how many']:,}."
        place, stands = _first_wrong(runs)
        if place == length:
            return None
        return f"At position {place} of the list stands {_nth(stands)}, but {_nth(place)} was expected."

    return compare


def _are_runs(runs):
    whole = isinstance(runs, list) and all(isinstance(run, list) and [*map(type, run)] == [int] * 3 for run in runs)
    return whole and all(count > 0 for _, _, count in runs)


def _first_wrong(runs):
    """(place, what stands there) where the runs do not count 0, 1, 2, ...; (how many there are, -1) if they do."""
    place = 0
    for first, step, count in runs:
        if first != place:
            return place, first
        if count > 1 and step != 1:
            return place + 1, first + step
        place += count
    return place, -1


def _no_list(returned, things):
    """What to say of something that is not a list."""
    wanted = f"but a list of {things} was expected."
    if returned is None:
        return f"It returned {describe(None)}, {wanted} Is return missing at the end?"
    kind = returned.type if isinstance(returned, Other) else ""
    if kind == "set":
        return f"It returned a set, {wanted} A set has no order."
    if "iterator" in kind:
        return (
            f"It returned a {kind}, {wanted} reversed(...) gives things one by one and is not a list: "
            "list(reversed(...)) is."
        )
    return f"It returned {describe(returned)}, {wanted}"


def _fault(names, made_from, constants):
    """What is wrong with one list of names, in a sentence; None if it is in order."""
    if not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        return "It returned something that cannot be read."
    returned = f"It returned {', '.join(names[:12])}{', ...' if len(names) > 12 else ''}, but"
    if strange := [name for name in names if name not in made_from and name not in constants]:
        return f"It returned a list with {len(strange)} of {len(names)} things in it that are not nodes of the graph."
    if not names:
        return "It returned an empty list."
    if unwanted := [name for name in constants if name in names]:
        return f"{returned} {unwanted[0]} requires no grad, so it should be left out."
    if missing := [name for name in made_from if name not in names]:
        return f"{returned} {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing."
    if often := [name for name in made_from if names.count(name) > 1]:
        times = "twice" if names.count(often[0]) == 2 else f"{names.count(often[0])} times"
        return f"{returned} {often[0]} is listed {times}: each node goes on the list once."
    return _fault_of_order(names, made_from, returned)


def _fault_of_order(names, made_from, returned):
    place = {name: i for i, name in enumerate(names)}
    for name in names:
        for earlier in made_from[name]:
            if place.get(earlier, -1) > place[name]:
                return f"{returned} {earlier} must stand before {name}: {name} was made from {earlier}."
    return None


def _nth(number):
    if number < 0:
        return "something that is not a node of the graph"
    return f"sum number {number}" if number else "x"

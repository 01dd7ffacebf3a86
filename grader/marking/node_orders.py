"""How an order of nodes is compared: several may be right. What is asked stands in probes/node_orders.py."""

from ..asking.describe import describe
from ..asking.outcome import Other
from ..course.phrases import listed
from ..probes.node_orders import MOST_COMPARED, MOST_LOOKS
from .compare import Sentence

STOPPED = {
    "looks": f"It looked up the inputs of nodes more than {MOST_LOOKS:,} times and was stopped: the graph has 31 "
    "nodes, but a billion paths lead from L to x.",
    "depth": "Python gave up with a RecursionError: {limit} nested calls were waiting, each for the next.",
    "compared": f"It compared nodes with each other more than {MOST_COMPARED:,} times and was stopped. To find a node, "
    "a list is searched from the front each time. A set finds it at once.",
}


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


def in_order_twice(graph, things):
    """The comparison for a graph that was asked for twice: each time any right order."""
    made_from = {name: made if isinstance(made, tuple) else () for name, made in graph.items()}

    def compare(expected, got):
        for name in expected:
            names = got.get(name)
            fault = _fault(names, made_from, ()) if isinstance(names, list) else _no_list(names, things)
            if fault:
                return Sentence(f"{name[0].upper()}{name[1:]} i{fault[1:]}", nothing=names is None)
        return None

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
        return f"Position {place} of the list holds {_nth(stands)}, but {_nth(place)} was expected."

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
        return Sentence(f"It returned {describe(None)}, {wanted}", nothing=True)
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
        return f"It returned a list in which {len(strange)} of {len(names)} things are not nodes of the graph."
    if not names:
        return "It returned an empty list."
    if unwanted := [name for name in constants if name in names]:
        return f"{returned} {unwanted[0]} does not require grad, so it should be left out."
    if missing := [name for name in made_from if name not in names]:
        return f"{returned} {listed(missing)} {'is' if len(missing) == 1 else 'are'} missing."
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

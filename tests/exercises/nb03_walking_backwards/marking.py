"""How answers to notebook 03 are compared. What is not here is compared as grader/marking/compare.py does."""

import math

from grader.marking import node_orders
from grader.marking.compare import difference
from grader.marking.play import complaint, play
from grader.probes.recipe import RecipeError, as_text, operands, operations, uses
from grader.suspects.scalar_engines import SUSPECTS, Right

from .questions import CHAIN, LEAVES, REUSED, THREE_USES, TWINS

OPERATIONS = 5

MOST_PLAYED = 10


def _gradients(engine, steps):
    """The gradient of each leaf, as this engine finds it."""
    out, leaves = play(steps, engine)
    out.backward()
    return {name: leaves[name].grad for name in LEAVES}


def _judged(steps):
    """(None, {engine: its gradients}) of an expression, the right ones included; or (why not, None)."""
    problem = complaint(steps, LEAVES, MOST_PLAYED)
    if problem:
        return problem, None
    try:
        found = {"right": _gradients(Right, steps)}
    except (ArithmeticError, ValueError, RecipeError) as error:
        return f"It returned {as_text(steps)}, which has no gradients at a = 2, b = -3: {error}.", None
    if not all(map(math.isfinite, found["right"].values())):
        return f"It returned {as_text(steps)}, whose gradients are not finite at a = 2, b = -3.", None
    return None, found | {name: _gradients(engine, steps) for name, engine in SUSPECTS.items()}


def _told_apart(found, name):
    pairs = [(found[name][leaf], found["right"][leaf]) for leaf in LEAVES]
    return not all(math.isclose(got, right, rel_tol=1e-6, abs_tol=1e-9) for got, right in pairs)


def _tells(name):
    """The comparison for one engine: the expression is played on it here, far from the learner's process."""

    def compare(expected, got):
        problem, found = _judged(got.get("recipe"))
        if problem or _told_apart(found, name):
            return problem
        steps = got["recipe"]
        gradients = " and ".join(f"{leaf}.grad = {slope:.4g}" for leaf, slope in found[name].items())
        what = f"It returned {as_text(steps)}. Engine {name} finds {gradients}, and that is right."
        return f"{what} {_advice(name, steps)}"

    return compare


def _advice(name, steps):
    if name == "A":
        return "A is wrong where two shares arrive at one node."
    if name == "C":
        return "C knows a good order, but it takes two nodes for one if they have something in common."
    if any(len(set(uses(steps, place))) > 1 for place in range(len(steps))):
        return "A result is used twice there, but by luck it speaks late enough. Which side does it stand on?"
    if twin := _written_twice(steps):
        return f"You wrote {twin} twice, which makes two nodes. Give it a name, and use the name twice."
    return "B is wrong where a result speaks before everyone who used it has spoken."


def _written_twice(steps):
    """The text of an operation that stands in the recipe twice, or None."""
    twins = [place for place, step in enumerate(steps) if operands(step) and step in steps[:place]]
    return as_text(steps[: twins[0] + 1]) if twins else None


def _is_small(expected, got):
    """The comparison for the size; an expression that tells nothing apart is not small but empty."""
    steps = got.get("recipe")
    problem, found = _judged(steps)
    if problem:
        return problem
    if not any(_told_apart(found, name) for name in "ABC"):
        return f"It returned {as_text(steps)}, for which all engines find the same."
    if operations(steps) <= OPERATIONS:
        return None
    return f"It returned {as_text(steps)}. That is {operations(steps)} operations; {OPERATIONS} are allowed."


FEW, MANY = 100, 500

OPERATIONS_OF_SLOW, MOST_COUNTED = 12, 1_000


def _visits(steps):
    """How many visits a walk path by path makes, the root's included."""
    visits = []
    for step in steps:
        visits.append(1 + sum(visits[place] for place in operands(step)))
    return visits[-1]


def _counted(number, thing):
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def _problem(steps):
    """Why this is no expression that can be judged; None if it is one."""
    return complaint(steps, {"a": 1.0}, MOST_COUNTED)


def _needs_more_than(wanted):
    """The comparison for the visits. Half the way is a question of its own; the words name the goal."""

    def compare(expected, got):
        steps = got.get("recipe")
        problem = _problem(steps)
        if problem or _visits(steps) > wanted:
            return problem
        made = f"It returned {as_text(steps)}. A walk path by path makes {_counted(_visits(steps), 'visit')} there"
        return f"{made}; more than {MANY} are asked for. {_advice_on_ways(steps)}"

    return compare


def _advice_on_ways(steps):
    """What a graph with too few ways lacks."""
    results = [place for place in range(len(steps) - 1) if operands(steps[place])]
    if not any(len(uses(steps, place)) > 1 for place in results):
        return "Each result is used once, so one way leads to it, however long the chain is. Use results twice."
    if operations(steps) < OPERATIONS_OF_SLOW:
        return f"You have {_counted(operations(steps), 'operation')} of {OPERATIONS_OF_SLOW}."
    return "Some results are used once only. What if each went into the next operation and into the one after it?"


def _of_two_nodes(expected, got):
    """The comparison that forbids y + y; only a graph with some ways in it counts."""
    steps = got.get("recipe")
    problem = _problem(steps)
    if problem:
        return problem
    for place, step in enumerate(steps):
        if len(operands(step)) > len(set(operands(step))):
            made = as_text(steps[: place + 1])
            return f"The operation in {made} takes one node twice, as y + y does. Each side must be another node."
    return _needs_more_than(OPERATIONS_OF_SLOW)({}, got)


def _is_short(expected, got):
    """The comparison for the length; only a graph with some ways in it counts."""
    steps = got.get("recipe")
    problem = _needs_more_than(OPERATIONS_OF_SLOW)({}, got)
    if problem or operations(steps) <= OPERATIONS_OF_SLOW:
        return problem
    return f"It returned an expression of {operations(steps)} operations; {OPERATIONS_OF_SLOW} are allowed."


COUNTED_UP = node_orders.counted_up("Values")


STOPPED_WALK = {
    "order": "backward may be right: it is topological_order that calls itself and gives up on so many nodes. That is "
    "the last question of 3.2. Mend it there, and ask again.",
    "depth": "Python gave up with a RecursionError: {limit} calls were waiting, each for the next. backward is "
    "called on the root alone, and a loop calls _backward() on each node of the list.",
    "compared": "It compared nodes with each other more than 200,000 times and was stopped. Does your "
    "topological_order or your backward search a list for a node? A set finds it at once.",
}


def _walked_far(expected, got):
    """The comparison for a long chain, with words of its own for what stopped the walk."""
    if stop := node_orders.why_stopped(got, STOPPED_WALK):
        return stop
    found = difference(expected, got)
    return found and found.sentence()


COMPARISONS = {
    "3.2": {
        "a_node_used_twice": node_orders.in_order(REUSED, "Values"),
        "a_chain": node_orders.in_order(CHAIN, "Values"),
        "a_node_used_three_times": node_orders.in_order(THREE_USES, "Values"),
        "nodes_with_equal_numbers": node_orders.in_order(TWINS, "Values"),
        "steps_in_any_letters": node_orders.in_drawn_order("Values"),
        "thirty_doublings": COUNTED_UP,
        "a_hundred_thousand_nodes": COUNTED_UP,
    },
    "3.3": {
        "twenty_thousand_additions": _walked_far,
    },
    "3.4": {**{f"engine_{name}": _tells(name) for name in "ABC"}, "its_size": _is_small},
    "3.5": {
        "different_nodes": _of_two_nodes,
        "a_hundred": _needs_more_than(FEW),
        "five_hundred": _needs_more_than(MANY),
        "its_length": _is_short,
    },
}

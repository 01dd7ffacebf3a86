"""How answers to notebook 03 are compared. What is not here is compared as grader/marking/compare.py does."""

import math

from grader.broken_engines.scalar_engines import ENGINES, Right
from grader.marking import node_orders
from grader.marking.compare import difference_in_words
from grader.marking.play import complaint, play, too_long
from grader.probes.recipe import RecipeError, as_text, operands, uses

from .questions import CHAIN, HIGHEST_LIMIT, LEAVES, ONE_AND_THREE, REUSED, THREE_USES, TWINS

# 3.2: post_order, and 3.3: topological_order.

COUNTED_UP = node_orders.counted_up("Values")
ORDERS = {
    "a_node_used_twice": node_orders.in_order(REUSED, "Values"),
    "a_chain": node_orders.in_order(CHAIN, "Values"),
    "a_node_used_three_times": node_orders.in_order(THREE_USES, "Values"),
    "nodes_with_equal_numbers": node_orders.in_order(TWINS, "Values"),
    "nodes_with_one_input_and_with_three": node_orders.in_order(ONE_AND_THREE, "Values"),
    "one_graph_twice": node_orders.in_order_twice(REUSED, "Values"),
    "steps_in_any_letters": node_orders.in_drawn_order("Values"),
    "thirty_doublings": COUNTED_UP,
}
STOPPED_ORDER = node_orders.STOPPED | {
    "raised": "It set Python's limit on nested calls to {limit}, and needs a call for each node. However high a limit "
    f"is, a graph can be deeper, so this question holds it at {HIGHEST_LIMIT:,}. Keep the nodes that wait in a list of "
    "your own, and take one off in each round of a while loop.",
}


def ordered_far(expected, got):
    """The comparison for a deep graph, with words of its own for a limit that was raised."""
    return node_orders.why_stopped(got, STOPPED_ORDER) or COUNTED_UP(expected, got)


# 3.4: Value.backward.

STOPPED_WALK = {
    "order": "backward may be right: it is topological_order that calls itself and gives up on so many nodes. That is "
    "the last question of 3.3. Fix it there, and check again.",
    "post_order": "backward takes its order from post_order, which calls itself for each input: Python gives up at "
    "about 1,000 nodes in a row. The order of 3.3 is the same, without that limit.",
    "depth": "Python gave up with a RecursionError: {limit} calls were waiting, each for the next. backward is "
    "called on the root alone, and a loop calls _backward() on each node of the list.",
    "compared": "It compared nodes with each other more than 200,000 times and was stopped. Does your "
    "topological_order or your backward search a list for a node? A set finds it at once.",
}


def walked_far(expected, got):
    """The comparison for a long chain, with words of its own for what stopped the walk."""
    return node_orders.why_stopped(got, STOPPED_WALK) or difference_in_words(expected, got)


# 3.5: tell_them_apart, a hunt.

OPERATIONS, MOST_PLAYED = 5, 10


def gradients(engine, steps):
    """The gradient of each leaf, as this engine finds it."""
    out, leaves = play(steps, engine)
    out.backward()
    return {name: leaves[name].grad for name in LEAVES}


def judged(steps):
    """(None, {engine: its gradients}) of an expression, the right ones included; or (why not, None)."""
    problem = complaint(steps, LEAVES, MOST_PLAYED)
    if problem:
        return problem, None
    try:
        found = {"right": gradients(Right, steps)}
    except (ArithmeticError, ValueError, RecipeError) as error:
        return f"It returned {as_text(steps)}, which has no gradients at a = 2, b = -3: {error}.", None
    if not all(map(math.isfinite, found["right"].values())):
        return f"It returned {as_text(steps)}, whose gradients are not finite at a = 2, b = -3.", None
    return None, found | {name: gradients(engine, steps) for name, engine in ENGINES.items()}


def told_apart(found, name):
    pairs = [(found[name][leaf], found["right"][leaf]) for leaf in LEAVES]
    return not all(math.isclose(got, right, rel_tol=1e-6, abs_tol=1e-9) for got, right in pairs)


def tells(name):
    """The comparison for one engine: the expression is played on it here, not in the learner's process."""

    def compare(expected, got):
        problem, found = judged(got.get("recipe"))
        if problem or told_apart(found, name):
            return problem
        steps = got["recipe"]
        shown = " and ".join(f"{leaf}.grad = {slope:.4g}" for leaf, slope in found[name].items())
        what = f"It returned {as_text(steps)}. Engine {name} finds {shown}, and that is right."
        return f"{what} {advice(name, steps)}"

    return compare


def advice(name, steps):
    if name == "A":
        return "A is wrong where two shares arrive at one node."
    if name == "C":
        return "C's order is right, but it takes two nodes for one if they have something in common."
    if any(len(set(uses(steps, place))) > 1 for place in range(len(steps))):
        return "A result is used twice there, but by luck it waits long enough. On which side of the operation is it?"
    if twin := written_twice(steps):
        return f"You wrote {twin} twice, which makes two nodes. Give it a name, and use the name twice."
    return "B is wrong where a result passes its gradient back before everyone that used it has done so."


def written_twice(steps):
    """The text of an operation that stands in the recipe twice, or None."""
    twins = [place for place, step in enumerate(steps) if operands(step) and step in steps[:place]]
    return as_text(steps[: twins[0] + 1]) if twins else None


def is_small(expected, got):
    """The comparison for the size; an expression that tells nothing apart is not small but empty."""
    steps = got.get("recipe")
    problem, found = judged(steps)
    if problem:
        return problem
    if not any(told_apart(found, name) for name in "ABC"):
        return f"It returned {as_text(steps)}, for which all engines find the same."
    return too_long(steps, OPERATIONS)


COMPARISONS = {
    "3.2": ORDERS,
    "3.3": ORDERS | {"a_hundred_thousand_nodes": ordered_far},
    "3.4": {"twenty_thousand_additions": walked_far},
    "3.5": {f"engine_{name}": tells(name) for name in "ABC"} | {"its_size": is_small},
}

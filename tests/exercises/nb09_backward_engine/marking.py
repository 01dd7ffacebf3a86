"""How answers to notebook 09 are compared. What is not here is compared as grader/marking/compare.py does."""

import numpy as np

from grader.asking.describe import describe
from grader.broken_engines.tensor_engines import ENGINES, Right, leaf
from grader.marking import node_orders
from grader.marking.compare import difference_in_words
from grader.marking.gradient_checks import ended_well
from grader.marking.play import complaint, play, too_long
from grader.marking.second_derivatives import still_exact
from grader.probes.recipe import RecipeError, as_text

from .questions import BESIDE_CONSTANTS, LEAVES, MOST_ASKED

# 9.1, 9.2 and 9.4: orders, and backward passes that may be stopped.

STOPPED = {
    **node_orders.STOPPED,
    "rules": f"It asked rules more than {MOST_ASKED:,} times and was stopped: the graph has few nodes, but very many "
    "paths lead from L to x.",
    "order": "Your backward pass may be right: it is topological_order that calls itself and gives up on so many "
    "nodes. The one you were given has a stack of its own: undo what was changed there.",
}


def unless_stopped(expected, got):
    """The comparison for a large graph, with words of its own for what stopped it."""
    return node_orders.why_stopped(got, STOPPED) or difference_in_words(expected, got)


# 9.6: gradgradcheck.

ENDS = (
    "passes_right_rules",
    "stops_rules_that_forget",
    "stops_rules_that_forget_out_grad",
    "stops_shares_that_cancel",
    "right_or_forgetful",
    "its_tolerances",
)

# 9.7: the hunt.

OPERATIONS = 3
MOST_PLAYED = 10


def played(engine, steps):
    """The gradients of the leaves after two backward passes, as this engine finds them."""
    out, leaves = play(steps, lambda number: leaf(engine, number))
    for _ in range(2):
        with np.errstate(all="ignore"):
            out.backward()
    return {name: leaves[name].grad for name in LEAVES}


def alike(one, other):
    pairs = [(one[name], other[name]) for name in LEAVES]
    return all((x is None and y is None) or (x is not None and y is not None and np.allclose(x, y)) for x, y in pairs)


def given_away(steps):
    """(None, the engines that are wrong on this expression, all their gradients); or (why not, None, None)."""
    problem = complaint(steps, LEAVES, MOST_PLAYED)
    if problem:
        return problem, None, None
    try:
        with np.errstate(all="ignore"):
            right = played(Right, steps)
            found = {name: played(engine, steps) for name, engine in ENGINES.items()}
    except (ArithmeticError, ValueError, AttributeError, TypeError, RecipeError) as error:
        return f"It returned {as_text(steps)}, which has no gradients: {error}.", None, None
    if not all(x is None or np.isfinite(x).all() for x in right.values()):
        return f"It returned {as_text(steps)}, whose gradients are not finite.", None, None
    return None, [name for name in found if not alike(found[name], right)], {"right": right, **found}


def words(gradients):
    """The gradients of the leaves, as a sentence tells them."""
    return " and ".join(
        f"{name}.grad = {'nothing' if x is None else describe(np.round(x, 6), 4)}" for name, x in gradients.items()
    )


IDEAS = {
    "A": "A writes into the array that came first. Which other node refers to it, and which one gets a further share?",
    "B": "B is wrong when two leaves were given the same array. Which operation passes its gradient on as it is?",
    "C": "C is wrong when two shares of one operation go to the same input.",
    "D": "D is wrong when a leaf meets something that requires no grad.",
}


def gives_away(name):
    """The comparison for one engine, on which the expression is played."""

    def compare(expected, got):
        steps = got.get("recipe")
        problem, wrong, found = given_away(steps)
        problem = problem or too_long(steps, OPERATIONS)
        if problem:
            return problem
        others = [other for other in wrong if other != name]
        if name in wrong and not others:
            return None
        if name not in wrong:
            said = f"It returned {as_text(steps)}. Engine {name} finds {words(found[name])}, and that is right."
            return f"{said} {IDEAS[name]}"
        who = " and ".join(others)
        return f"It returned {as_text(steps)}, which gives {name} away, but {who} too. A test should name one engine."

    return compare


COMPARISONS = {
    "9.1": {"the_order_beside_constants": node_orders.in_order(BESIDE_CONSTANTS, "Tensors", ["K", "M"])},
    "9.2": {
        "can_be_differentiated_again": still_exact,
        "thirty_doublings_counted": unless_stopped,
        "five_thousand_sums_walked": unless_stopped,
    },
    "9.4": {"thirty_doublings_walked": unless_stopped},
    "9.6": dict.fromkeys(ENDS, ended_well),
    "9.7": {f"engine_{name}": gives_away(name) for name in "ABCD"},
}

"""Recipes of hunts, carried out by an engine that the learner's process never holds."""

from ..asking.describe import describe
from ..course.phrases import listed
from ..probes.recipe import BINARY, REDUCTIONS, RecipeError, as_text, checked, operations, with_count
from .compare import RETURN_MISSING


def play(recipe, make_leaf):
    """The recipe carried out by another engine.

    make_leaf(number): makes a leaf of that engine; for the leaf of an array the number is the list of its sizes.
    Returns (the result, {leaf name: leaf}).  Raises RecipeError.
    """
    made, leaves = [], {}
    for step in checked(recipe):
        kind, *operands = step
        if kind == "leaf":
            leaves[operands[0]] = made_now = make_leaf(operands[1])
        elif kind == "number":
            made_now = operands[0]
        elif kind == "**":
            made_now = made[operands[0]] ** operands[1]
        elif kind in BINARY:
            made_now = BINARY[kind](*(made[i] for i in operands))
        elif isinstance(made[operands[0]], float):
            raise RecipeError(f"it calls .{kind}() on a plain number")
        elif kind in REDUCTIONS:
            made_now = getattr(made[operands[0]], kind)(operands[1], keepdims=operands[2])
        else:
            made_now = getattr(made[operands[0]], kind)()
        made.append(made_now)
    return made[-1], leaves


def handed_to(name, verdict, leaves, most):
    """The comparison for one engine of a hunt.  leaves, most: what the expression is made of (see complaint).

    verdict(name, recipe, the recipe as text): None if the expression gives the engine away, else what to say.
    """

    def compare(expected, got):
        recipe = got.get("recipe")
        return complaint(recipe, leaves, most) or verdict(name, recipe, as_text(recipe))

    return compare


def complaint(recipe, leaves, most):
    """Why this is not an expression of exactly these leaves with at most `most` operations; None if it is.

    leaves: {name: number}. Survives whatever came back from the learner's process.
    """
    names = listed(leaves)
    try:
        count = operations(recipe)
    except RecipeError:
        words = f"It returned {describe(recipe)}, but an expression of {names} was expected."
        return words + RETURN_MISSING * (recipe is None)
    if [step for step in recipe if step[0] == "leaf"] != [["leaf", n, x] for n, x in leaves.items()]:
        return f"It returned an expression of leaves other than {names}."
    if count > most:
        return f"It returned {as_text(recipe)}. At most {most} operations are allowed."
    return None


def too_long(recipe, most):
    """What to say of a recipe of more than `most` operations; None if it has not that many."""
    return f"It returned {with_count(recipe)}; {most} are allowed." if operations(recipe) > most else None

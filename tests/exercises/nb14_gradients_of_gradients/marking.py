"""How answers to notebook 14 are compared. What is not here is compared as grader/marking/compare.py does."""

import numpy as np

from grader.asking.describe import describe
from grader.broken_engines.second_orders import ENGINES, LEAVES, products
from grader.marking.play import complaint, too_long
from grader.probes.recipe import RecipeError, as_text

# 14.7: the hunt.

OPERATIONS, MOST_PLAYED, MOST = 2, 8, 10
LOOK = {
    "Ada": "Ada adds up the rows of the Hessian first. When does that do no harm?",
    "Ben": "Ben takes local derivatives for constants, except in + - *. Where else does one change?",
    "Cleo": "Cleo's product points along your vector. Where does the right one point?",
}


def complaint_about(recipe, vector):
    """Why this is no question that can be asked; None if it is one. Survives whatever came back."""
    if not (isinstance(vector, list) and len(vector) == 2 and all(type(n) in (int, float) for n in vector)):
        said = f"It returned {describe(recipe)[:200]} with the vector {describe(vector)[:100]}."
        return f"{said} A pair was expected: an expression and two numbers, such as x * y, (1, 1)."
    if not all(abs(number) <= MOST for number in vector):
        return f"The vector is {describe(vector)[:100]}. Its numbers must be from -{MOST} to {MOST}."
    return complaint(recipe, LEAVES, MOST_PLAYED) or too_long(recipe, OPERATIONS)


def found_by_all(recipe, vector):
    """(what is wrong with the question, {name: product})."""
    words = complaint_about(recipe, vector)
    if words:
        return words, None
    try:
        with np.errstate(all="ignore"):
            found = products(recipe, vector)
    except (ArithmeticError, ValueError, AttributeError, TypeError, RecipeError) as error:
        return f"It returned {as_text(recipe)}, which has no second derivatives: {error}.", None
    if not all(np.isfinite(product).all() for product in found.values()):
        return f"It returned {as_text(recipe)}, whose second derivatives are not finite.", None
    return None, found


def is_caught(name):
    """The comparison for one author."""

    def compare(expected, got):
        recipe, vector = got.get("recipe"), got.get("vector")
        words, found = found_by_all(recipe, vector)
        if words:
            return words
        speed = expected["asked"]["speed"]
        if vector[0] != speed:
            return f"The vector is {describe(vector)}. It must begin with {speed}."
        if not np.allclose(found[name], found["right"], rtol=1e-6, atol=1e-9):
            return None
        answer = describe(found[name].round(4) + 0.0)
        asked = f"For {as_text(recipe)} and the vector {describe(vector)}"
        return f"{asked} {name} finds {answer}, which is right. {LOOK[name]}"

    return compare


COMPARISONS = {"14.7": {f"catches_{name}": is_caught(name) for name in ENGINES}}

"""How answers to notebook 15 are compared. What is not here is compared as grader/marking/compare.py does."""

import numpy as np

from grader.broken_engines.compilers import ENGINES, LEAVES, outcomes
from grader.marking.compare import Sentence, difference
from grader.marking.play import complaint, too_long
from grader.probes.recipe import RecipeError, as_text

# 15.6: thirty arrays.


def one_of_thirty(expected, got):
    """The comparison of cases that are long to tell: the name of an answer is the case, in sentences of its own."""
    found = difference(expected, got)
    words = found and f"One of them was {found.name} It returned {found.got}, but {found.expected} was expected."
    return words and Sentence(words, found.nothing)


# 15.8: the hunt.

OPERATIONS, MOST_PLAYED, VISIBLE = 4, 10, 1e-6
LOOK = {
    "Ada": "Ada merges two lines of the same operation with the same inputs. What else can two such lines differ in?",
    "Ben": "Ben writes a result over an input that has the same shape. When does somebody notice?",
    "Cleo": "Cleo folds a line if one of its inputs is a constant. Which line on the page of your function has one?",
    "Dora": "Dora writes a matrix product over an operand that nobody reads any more. Is there such an operand?",
}


def played(recipe):
    """(what is wrong with the expression, {name: how far off})."""
    words = complaint(recipe, LEAVES, MOST_PLAYED) or too_long(recipe, OPERATIONS)
    if words:
        return words, None
    try:
        found = outcomes(recipe)
    except (ArithmeticError, ValueError, TypeError, AttributeError, RecipeError) as error:
        return f"It returned {as_text(recipe)}, which cannot be computed: {error}.", None
    if np.isnan(found["right"]):
        return f"It returned {as_text(recipe)}, in which not all numbers are finite.", None
    return None, found


def is_caught(name):
    """The comparison for one author."""

    def compare(expected, got):
        recipe = got.get("recipe")
        words, found = played(recipe)
        if words or found[name] > VISIBLE:
            return words
        return f"It returned {as_text(recipe)}, and {name}'s program gives the right numbers. {LOOK[name]}"

    return compare


COMPARISONS = {
    "15.6": {"thirty_drawn": one_of_thirty},
    "15.8": {f"catches_{name}": is_caught(name) for name in ENGINES},
}

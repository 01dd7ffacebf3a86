"""How answers to notebook 08 are compared. What is not here is compared as grader/marking/compare.py does."""

import numpy as np

from grader.broken_engines.matrix_rules import LARGEST, MOST_AXES, outcome
from grader.marking.second_derivatives import still_exact

# 8.5: the hunt.


def complaint_about(shapes):
    """Why these are no two shapes that can be multiplied; None if they are."""
    if not (isinstance(shapes, list) and len(shapes) == 2 and all(isinstance(s, list) for s in shapes)):
        return "It did not return two shapes. Two tuples are wanted, such as: return (2, 3), (3, 4)"
    for sizes in shapes:
        if not 1 <= len(sizes) <= MOST_AXES or not all(type(n) is int and 1 <= n <= LARGEST for n in sizes):
            return f"It returned the shape {written(sizes)}. It may have 1 to {MOST_AXES} sizes, from 1 to {LARGEST}."
    try:
        np.matmul(*(np.ones(sizes) for sizes in shapes))
    except ValueError:
        a, b = map(written, shapes)
        return (
            f"It returned {a} and {b}, and these cannot be multiplied: see the two rules at the beginning of section B."
        )
    return None


def written(sizes):
    """A shape as Python writes it; anything else is cut short."""
    return f"({', '.join(map(str, sizes))}{',' if len(sizes) == 1 else ''})"[:60]


SAID = {
    "right": "{name} is right.",
    "an error": "{name} stops with an error, so somebody notices.",
    "wrong shape": "{name} gives a gradient that does not have its input's shape, so somebody notices.",
}
LOOK = {
    "A": (
        "A reverses all axes. With two axes that is right. When is it wrong?",
        "A reverses all axes: the batch axis ends up where rows or columns belong. Which sizes make that fit?",
    ),
    "B": (
        "B has the factors in the wrong order. That does no harm to numbers: give it matrices.",
        "B has the factors in the wrong order. Which matrices can be multiplied in both orders?",
    ),
    "C": (
        "C takes the mean of what should be added up. When is there something to add up?",
        "C takes the mean of what should be added up. Look at the shapes once more.",
    ),
}


def is_fooled(name):
    """The comparison for one rule, which is tried on random numbers of these shapes."""

    def compare(expected, got):
        shapes = got.get("shapes")
        if problem := complaint_about(shapes):
            return problem
        size = expected["asked"]["size"]
        if shapes[0][-1] != size:
            return f"It returned {written(shapes[0])} for a. The size of its last axis must be {size}."
        found = outcome(name, *map(tuple, shapes))
        if found == "wrong numbers":
            return None
        a, b = map(written, shapes)
        return f"It returned {a} and {b}. For these {SAID[found].format(name=name)} {LOOK[name][found != 'right']}"

    return compare


COMPARISONS = {
    "8.1": {"differentiable_again": still_exact},
    "8.2": {"differentiable_again": still_exact},
    "8.3": {"differentiable_again": still_exact},
    "8.5": {f"rule_{name}": is_fooled(name) for name in "ABC"},
}

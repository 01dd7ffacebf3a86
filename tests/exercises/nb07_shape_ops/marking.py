"""How answers to notebook 07 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.broken_engines.sum_rules import numbers_left, outcome, problem, written
from grader.marking.compare import difference
from grader.marking.second_derivatives import still_exact

from .questions import GRADIENT

# 7.2: Transpose.


def told_by_shapes(expected, got):
    """The comparison of a rule's answers. Of a gradient with a wrong shape it names both shapes."""
    first = difference(expected, got)
    if first is None:
        return None
    want, have = expected.get(GRADIENT), got.get(GRADIENT)
    if first.name == GRADIENT and hasattr(have, "shape") and have.shape != want.shape:
        return f"It has shape {have.shape}, but x has shape {want.shape}."
    return first.sentence()


# 7.7: the hunt.

LOOK = {
    "A": "A puts the axes back one after the other. When does it matter in which order they are named?",
    "B": "B goes through the axes 0, 1, 2 and so on. What other name can one of them have?",
    "C": "C recognizes the axes that stayed by their sizes. When can it mistake one for another?",
}


def is_caught(name):
    """The comparison for one rule, on which the sum is tried."""

    def compare(expected, got):
        answer = got.get("the sum")
        shape, axes = answer if isinstance(answer, list) and len(answer) == 2 else (None, None)
        if words := problem(shape, axes):
            return words
        left, wanted = numbers_left(shape, axes), expected["asked"]["left"]
        if left != wanted:
            return f"It returned {written(shape)} and {written(axes)}. This sum leaves {left} numbers, not {wanted}."
        if outcome(name, tuple(shape), tuple(axes)) != "right":
            return None
        look = LOOK[name]
        if name == "A" and -1 in axes:
            numbers = [axis % len(shape) for axis in axes]
            look = f"Named from 0 on, these axes are {written(numbers)}; but A puts -1 back as the last one. {look}"
        return f"It returned {written(shape)} and {written(axes)}. For this sum {name} is right. {look}"

    return compare


TRANSPOSED = (
    *("four_axes", "last_two_axes", "last_two_of_three_axes", "rotated", "negative_axes"),
    *("last_two_of_four_axes", "list_of_four", "cube"),
)
COMPARISONS = {
    "7.1": {"differentiable_again": still_exact},
    "7.2": {**dict.fromkeys(TRANSPOSED, told_by_shapes), "differentiable_again": still_exact},
    "7.3": {"differentiable_again": still_exact},
    "7.4": {"differentiable_again": still_exact},
    "7.6": {"stretched_and_differentiable_again": still_exact},
    "7.7": {f"rule_{name}": is_caught(name) for name in "ABC"},
}

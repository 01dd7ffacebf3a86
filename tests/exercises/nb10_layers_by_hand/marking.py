"""How answers to notebook 10 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.asking.describe import describe
from grader.broken_engines.softmaxes import ENGINES, is_right
from grader.marking.second_derivatives import still_exact

# 10.12: the hunt.

MOST_ROWS, MOST_CLASSES, MOST = 3, 4, 1000
FORM_OF_THE_HUNT = "Return two lists of rows with a comma between them, written like this: [[1, 2]], [[3, -1]]."


def complaint_about(test):
    """Why this test cannot be played; None if it can. Survives whatever came back."""
    if not (isinstance(test, list) and len(test) == 2 and all(map(are_rows, test))):
        return f"It returned {describe(test)[:200]}. {FORM_OF_THE_HUNT}"
    numbers = [number for side in test for row in side for number in row]
    if not all(type(number) in (int, float) and abs(number) <= MOST for number in numbers):
        return f"It returned {test_in_words(test)}. Only numbers from -{MOST} to {MOST} are allowed."
    scores, out_grad = ([len(row) for row in side] for side in test)
    if scores != out_grad or len(set(scores)) != 1:
        return f"It returned {test_in_words(test)}. All rows are equally long, and each score needs its own out_grad."
    if len(scores) > MOST_ROWS or not 1 <= scores[0] <= MOST_CLASSES:
        return f"It returned {test_in_words(test)}. Up to {MOST_ROWS} rows of up to {MOST_CLASSES} numbers, please."
    return None


def are_rows(side):
    return isinstance(side, list) and bool(side) and all(isinstance(row, list) for row in side)


def test_in_words(test):
    return f"scores = {describe(test[0])}, out_grad = {describe(test[1])}"[:300]


LOOK = {
    "Ada": "Ada adds up along the wrong axis. When are the sums down the columns and along the rows equal?",
    "Ben": "Ben takes exp of the scores as they are. Up to about 700 that is no problem.",
    "Cleo": "Cleo leaves out what a score does to the other probabilities of its row. When does that not matter?",
}


def is_caught(name):
    """The comparison for one author, on whose softmax the test is played."""

    def compare(expected, got):
        test = got.get("the test")
        problem = complaint_about(test)
        if problem:
            return problem
        first = expected["asked"]["first"]
        if test[1][0][0] != first:
            return f"It returned {test_in_words(test)}. The first number of out_grad must be {first}."
        if not is_right(ENGINES[name], *test):
            return None
        return f"For {test_in_words(test)} {name}'s probabilities and gradient are right. {LOOK[name]}"

    return compare


COMPARISONS = {
    "10.8": {"differentiable_again": still_exact},
    "10.9": {"differentiable_again": still_exact},
    "10.10": {"differentiable_again": still_exact},
    "10.11": {"differentiable_again": still_exact},
    "10.12": {f"catches_{name}": is_caught(name) for name in ("Ada", "Ben", "Cleo")},
}

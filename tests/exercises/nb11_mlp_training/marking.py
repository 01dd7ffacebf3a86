"""How answers to notebook 11 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.asking.describe import describe
from grader.broken_engines.cross_entropies import LARGEST, MOST_CLASSES, MOST_ROWS, is_wrong, loss

# 11.9: the hunt.

FORM_OF_THE_HUNT = "Return scores and targets with a comma between them, written like this: [[2, 1]], [0]."


def complaint_about(batch):
    """Why this is no batch that can be played; None if it is one. Survives whatever came back."""
    if not (isinstance(batch, list) and len(batch) == 2 and all(isinstance(side, list) for side in batch)):
        return f"It returned {describe(batch)[:200]}. {FORM_OF_THE_HUNT}"
    scores, targets = batch
    if not scores or not all(isinstance(row, list) for row in scores):
        return f"It returned the scores {describe(scores)[:200]}. Scores are a list of rows. {FORM_OF_THE_HUNT}"
    words = f"It returned {in_words(batch)}."
    if not all(type(number) in (int, float) and abs(number) <= LARGEST for row in scores for number in row):
        return f"{words} The scores are numbers from -{LARGEST} to {LARGEST}."
    sizes = {len(row) for row in scores}
    if len(sizes) != 1 or len(scores) > MOST_ROWS or not 1 <= min(sizes) <= MOST_CLASSES:
        return f"{words} Up to {MOST_ROWS} rows are allowed, all of the same length, from 1 to {MOST_CLASSES}."
    if len(targets) != len(scores) or not all(type(t) is int and 0 <= t < min(sizes) for t in targets):
        return f"{words} Each row has one target, a whole number from 0 to {min(sizes) - 1}."
    return None


def in_words(batch):
    return f"scores = {describe(batch[0])}, targets = {describe(batch[1])}"[:300]


LOOK = {
    "A": "A takes the targets of all rows from every row. What must the rows be like for that to cost a lot?",
    "B": "B subtracts the largest score of the whole batch from each row. When is that as good as the row's own?",
    "C": "C adds a little to the probability of the target. When is a little a lot?",
    "D": "D takes the mean of each class first. When is that the mean of all rows?",
}


def is_caught(name):
    """The comparison for one cross-entropy, on which the batch is played."""

    def compare(expected, got):
        batch = got.get("the batch")
        if problem := complaint_about(batch):
            return problem
        first = expected["asked"]["first"]
        if batch[0][0][0] != first:
            return f"It returned {in_words(batch)}. The first score must be {first}."
        if is_wrong(name, *batch):
            return None
        found, wanted = (f"{loss(each, *batch):.6g}" for each in (name, "right"))
        near = f"{name} says {found}, and {wanted} is right: only what is off by more than 1 % counts as wrong."
        return f"For {in_words(batch)} {f'{name} is right, too.' if found == wanted else near} {LOOK[name]}"

    return compare


COMPARISONS = {
    "11.9": {f"catches_{name}": is_caught(name) for name in "ABCD"},
}

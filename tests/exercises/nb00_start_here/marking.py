"""How answers to notebook 00 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.asking.describe import describe
from grader.broken_engines import measures
from grader.marking.compare import RETURN_MISSING

# 0.3: the hunt.


def catches(name):
    """The comparison for one measure: do the predictions show its mistake?"""

    def compare(expected, got):
        truth, predicted = expected["asked"]["truth"], got.get("predicted")
        if not measures.are_predictions(predicted, len(truth)):
            return about_no_predictions(predicted)
        return measures.verdict(name, predicted, truth)

    return compare


def about_no_predictions(predicted):
    words = f"It returned {describe(predicted)}, but a list of two plain numbers was expected, such as [5, 3]."
    return words + RETURN_MISSING * (predicted is None)


COMPARISONS = {"0.3": {f"measure_{name}": catches(name) for name in "ABC"}}

"""How answers to notebook 00 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.asking.describe import describe
from grader.suspects import measures

# 0.3: the hunt.


def catches(name):
    """The comparison for one measure: do the predictions show its mistake?"""

    def compare(expected, got):
        pair = got.get("the lists")
        return measures.verdict(name, *map(list, pair)) if measures.is_an_input(pair) else about_no_input(pair)

    return compare


def about_no_input(pair):
    words = (
        f"It returned {describe(pair)}, but two lists were expected, of equal length, with at most {measures.LONGEST} "
        "plain numbers each, such as [5, 5], [3, 3]."
    )
    return words + " Is a return missing?" * (pair is None)


COMPARISONS = {"0.3": {f"measure_{name}": catches(name) for name in "ABC"}}

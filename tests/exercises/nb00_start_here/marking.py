"""How answers to notebook 00 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.asking.answers import Raised
from grader.asking.describe import SHOWN_ELEMENTS, describe
from grader.marking.compare import same
from grader.suspects import broadcasters

from .questions import A_LIST, AN_EXCEPTION


def written(answer):
    """Lists as tuples, for that is what shapes are, and a list is what a tuple has become on its way here."""
    if not isinstance(answer, list):
        return describe(answer)
    items = [written(item) for item in answer[:SHOWN_ELEMENTS]] + ["..."] * (len(answer) > SHOWN_ELEMENTS)
    return f"({', '.join(items)}{',' * (len(answer) == 1)})"


# 0.2: broadcast_shape.


def shapes(expected, got):
    """The comparison for several pairs of shapes: the first whose answer is wrong, in words."""
    for pair, want in expected.items():
        if pair != "asked" and not same(want, got.get(pair)):
            return f"For {pair} it {what_it_did(got.get(pair))}, but {wanted(want)} was expected."
    return None


def what_it_did(answer):
    if isinstance(answer, Raised):
        return "raised " + describe(answer).removesuffix(": ")
    if isinstance(answer, str) and answer == AN_EXCEPTION:
        return f"returned {answer}"
    if isinstance(answer, dict) and A_LIST in answer:
        return f"returned the list {describe(answer[A_LIST])}"
    return f"returned {'an array, ' if hasattr(answer, 'dtype') else ''}{written(answer)}"


def wanted(answer):
    return f"a {answer.type}" if isinstance(answer, Raised) else str(tuple(answer))


# 0.3: the hunt.


def catches(name):
    """The comparison for one broadcaster: does the pair of shapes show its mistake?"""

    def compare(expected, got):
        pair = got.get("the pair")
        if broadcasters.is_pair_of_shapes(pair):
            return broadcasters.verdict(name, *map(tuple, pair))
        return about_no_pair(pair)

    return compare


def about_no_pair(pair):
    words = (
        f"It returned {written(pair)}, but two shapes were expected, each of at most {broadcasters.LONGEST} whole "
        "numbers from 0 up, such as (2, 3), (3,)."
    )
    kinds = set(map(type, pair)) if isinstance(pair, list) else set()
    return words + " (0) is only the number 0; a shape of one size has a comma: (0,)." * (kinds == {list, int})


COMPARISONS = {
    "0.2": shapes,
    "0.3": {f"broadcaster_{name}": catches(name) for name in "ABC"},
}

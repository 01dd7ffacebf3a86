"""How answers to notebook 00 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.asking.answers import Raised
from grader.asking.describe import SHOWN_ELEMENTS, describe
from grader.marking.compare import same
from grader.suspects import broadcasters

from .questions import A_LIST, AN_EXCEPTION


def _in_words(answer):
    if isinstance(answer, Raised):
        return "raised " + describe(answer).removesuffix(": ")
    if isinstance(answer, str) and answer == AN_EXCEPTION:
        return f"returned {answer}"
    if isinstance(answer, dict) and A_LIST in answer:
        return f"returned the list {describe(answer[A_LIST])}"
    return f"returned {'an array, ' if hasattr(answer, 'dtype') else ''}{_written(answer)}"


def _written(answer):
    """Lists as tuples, for that is what shapes are, and a list is what a tuple has become on its way here."""
    if not isinstance(answer, list):
        return describe(answer)
    items = [_written(item) for item in answer[:SHOWN_ELEMENTS]] + ["..."] * (len(answer) > SHOWN_ELEMENTS)
    return f"({', '.join(items)}{',' * (len(answer) == 1)})"


def _wanted(answer):
    return f"a {answer.type}" if isinstance(answer, Raised) else str(tuple(answer))


def _compare(expected, got):
    """The first pair of shapes whose answer is wrong, in words."""
    for pair, want in expected.items():
        if pair != "asked" and not same(want, got.get(pair)):
            return f"For {pair} it {_in_words(got.get(pair))}, but {_wanted(want)} was expected."
    return None


def _told_of(name):
    def compare(expected, got):
        pair = got.get("the pair")
        if broadcasters.is_pair_of_shapes(pair):
            return broadcasters.verdict(name, *map(tuple, pair))
        return _about_no_pair(pair, broadcasters.LONGEST)

    return compare


def _about_no_pair(pair, longest):
    words = (
        f"It returned {_written(pair)}, but two shapes were expected, each of at most {longest} whole "
        "numbers from 0 up, such as (2, 3), (3,)."
    )
    kinds = set(map(type, pair)) if isinstance(pair, list) else set()
    return words + " (0) is only the number 0; a shape of one size has a comma: (0,)." * (kinds == {list, int})


COMPARISONS = {
    "0.2": _compare,
    "0.3": {f"broadcaster_{name}": _told_of(name) for name in "ABC"},
}

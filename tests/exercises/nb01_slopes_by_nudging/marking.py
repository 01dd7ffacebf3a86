"""How answers to notebook 01 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.asking.describe import describe
from grader.broken_engines import nudgers
from grader.marking.compare import Sentence
from grader.marking.play import handed_to


def near(expected, got):
    """A slope found with a tiny nudge holds about nine right digits: ask for six."""
    want, have = expected["returned"], got.get("returned")
    if type(have) in (int, float) and abs(have - want) <= 1e-6 * abs(want):
        return None
    return Sentence(f"It returned {describe(have)}, but about {describe(want)} was expected.", nothing=have is None)


def shows(name):
    """The comparison for one nudger: is it visibly wrong there?"""
    return handed_to(name, nudgers.verdict, {"x": nudgers.POINT}, nudgers.OPERATIONS)


COMPARISONS = {
    "1.1": {"a_nudge_that_is_not_given": near},
    "1.5": {f"nudger_{name}": shows(name) for name in "ABC"},
}

"""How answers to notebook 01 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.asking.describe import describe
from grader.marking.play import complaint
from grader.probes.recipe import as_text
from grader.suspects import nudgers


def _near(expected, got):
    """A slope found with a tiny nudge holds about nine right digits: ask for six."""
    want, have = expected["returned"], got.get("returned")
    if type(have) in (int, float) and abs(have - want) <= 1e-6 * abs(want):
        return None
    return f"It returned {describe(have)}, but about {describe(want)} was expected."


def _tells_apart(name):
    """The comparison for one nudger: the expression is played on it here, far from the learner's process."""

    def compare(expected, got):
        recipe = got.get("recipe")
        problem = complaint(recipe, {"x": nudgers.POINT}, nudgers.OPERATIONS)
        return problem or nudgers.verdict(name, recipe, as_text(recipe))

    return compare


COMPARISONS = {
    "1.1": {
        "a_nudge_that_is_not_given": _near,
    },
    "1.5": {f"nudger_{name}": _tells_apart(name) for name in "ABC"},
}

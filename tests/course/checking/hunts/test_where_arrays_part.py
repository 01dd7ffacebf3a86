"""Hunt 9.7: where the walk of a broken engine for arrays leaves that of the right one."""

import pytest

from babygrad import hunts
from grader.broken_engines.tensor_engines import (
    ENGINES,
    Right,
    diary,
    gradients_after_two_passes,
    listed,
    where_they_part,
)

PARTED = {  # by hand, on (a + b) + a, a + b, a * a and a + 1
    "A": "v1 passes a gradient back to a. In the ledger: the result [2. 2. 2.], v1 [2. 2. 2.], a [2. 2. 2.]",
    "B": "a keeps its gradient: a.grad [2. 2. 2.], b.grad [2. 2. 2.]",
    "C": "a keeps its gradient: a.grad [2. 1. 3.], b.grad None",
    "D": "the result keeps its gradient: a.grad None, b.grad None",
}
EXPRESSIONS = {
    "A": lambda a, b: (a + b) + a,
    "B": lambda a, b: a + b,
    "C": lambda a, b: a * a,
    "D": lambda a, b: a + 1,
}


@pytest.mark.parametrize("who", ENGINES)
def test_the_first_line_that_differs_is_shown_beside_the_right_one(who):
    *before, words, right, wrong = where_they_part(who, EXPRESSIONS[who]).splitlines()
    assert words == "Here they part." and wrong == f"{who}:     {PARTED[who]}"
    assert [*before, right.removeprefix("right: ")] == diary(Right, EXPRESSIONS[who])[: len(before) + 1]
    assert before == diary(ENGINES[who], EXPRESSIONS[who])[: len(before)]


@pytest.mark.parametrize("who", ENGINES)
def test_every_expression_that_gives_an_engine_away_has_such_a_line(who):
    assert "Here they part." in where_they_part(who, lambda a, b: hunts.one_test_each(a, b)[who])


@pytest.mark.parametrize("who", ENGINES)
def test_nothing_is_shown_of_an_engine_that_was_not_given_away(who):
    with pytest.raises(ValueError, match=f"{who} finds the right gradients here"):
        where_they_part(who, lambda a, b: a * b)


@pytest.mark.parametrize("engine", [Right, *ENGINES.values()])
@pytest.mark.parametrize("expression", EXPRESSIONS.values())
def test_to_be_watched_changes_nothing(engine, expression):
    """The last line that tells of kept gradients has those that the walks leave."""
    kept = listed((f"{name}.grad", grad) for name, grad in gradients_after_two_passes(engine, expression).items())
    assert diary(engine, expression)[-1].endswith(kept)

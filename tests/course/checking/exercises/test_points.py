"""How many points a failing exercise earns: its share, unless it was nudged where a rule was asked for."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from grader.asking.draws import SEED
from grader.asking.outcome import Outcome, Stopped
from grader.checking.expected import misconceived, misconceptions_of, reference_answers
from grader.checking.judging import known_beforehand
from grader.checking.messages import KNOWN
from grader.checking.question import Question
from grader.checking.questioning import Died
from grader.checking.verdict import judge
from grader.course import catalogue
from grader.probes.probing import TOO_MANY_TO_NUDGE

WITH_A_LARGE_ONE = [ex.id for ex in catalogue.all_exercises() if any(p.slow == TOO_MANY_TO_NUDGE for p in ex.probes)]
GAVE_UP = Outcome(Stopped("ValueError", "more than 60 numbers"))
each = pytest.mark.parametrize("id", WITH_A_LARGE_ONE)


@cache
def right(id):
    return reference_answers([catalogue.exercise(id)], 0)[id]


def is_large(probe):
    return probe.slow == TOO_MANY_TO_NUDGE


def earned(id, large, small=None):
    """Points where the large questions are answered with `large`, and those of the dict small with what it says.

    All others are answered rightly."""
    ex, small = catalogue.exercise(id), small or {}
    got = {p.name: large if is_large(p) else small.get(p.name, right(id)[p.name]) for p in ex.probes}
    return judge(ex, [Question(p, got[p.name], right(id)[p.name]) for p in ex.probes]).earned


def blank(outcome):
    """The same answers with zeros in the place of numbers."""
    return Outcome({n: np.zeros_like(x) if isinstance(x, np.ndarray) else 0.0 for n, x in outcome.answers.items()})


def test_most_notebooks_with_gradients_of_arrays_ask_a_large_question():
    assert len(WITH_A_LARGE_ONE) >= 27


@each
def test_right_about_few_numbers_and_not_about_many_earns_nothing(id):
    (large,) = [p for p in catalogue.exercise(id).probes if is_large(p)]
    zeros = blank(right(id)[large.name])
    for answer in (
        GAVE_UP,
        Died("timeout"),
        Died("crashed", exit_code=3),
        None,
        Outcome("too large to be sent"),
        zeros,
    ):
        assert earned(id, answer) == 0, answer


@each
def test_failing_few_numbers_in_another_way_hides_no_nudging(id):
    small = next(p.name for p in catalogue.exercise(id).probes if not is_large(p))
    assert earned(id, GAVE_UP, {small: Outcome(Stopped("TypeError", "another"))}) == 0
    assert earned(id, GAVE_UP, {small: Died("timeout")}) == 0
    assert earned(id, Died("timeout"), {small: Died("timeout")}) == 0


@each
def test_a_wrong_rule_that_fails_few_numbers_in_the_same_way_has_its_share(id):
    ex = catalogue.exercise(id)
    small = next(p.name for p in ex.probes if not is_large(p))
    same = replace(GAVE_UP, answers=replace(GAVE_UP.answers, message="other words"))
    share = ex.points * (len(ex.probes) - 2) // len(ex.probes)
    assert earned(id, GAVE_UP, {small: same}) == share
    assert share > 0 or ex.points * (len(ex.probes) - 2) < len(ex.probes)


LIKE_NUDGING = {
    ("10.3", "one Jacobian for all rows"),  # for many rows it asks for more memory than any machine has
    ("13.3", "two places near by"),  # it is nudging, by finer points
    ("9.2", "leaves only"),  # gradients of the leaves alone are what nudging gives
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@each
def test_no_known_mistake_loses_its_share(id):
    ex = catalogue.exercise(id)
    for m in misconceptions_of(ex):
        questions = [Question(p, misconceived(ex, m, p, 0), right(id)[p.name]) for p in ex.probes]
        share = ex.points * sum(not q.wrong for q in questions) // len(questions)
        earned = judge(ex, questions).earned
        assert earned == share or (earned == 0 and (id, m.name) in LIKE_NUDGING), m.name


@pytest.mark.parametrize("number", catalogue.numbers()[:5])  # later ones also draw from so few that two are the same
@pytest.mark.leg("push")
def test_a_check_knows_what_a_grading_does_not_count(number):
    """Right answers that are the same in every check earn nothing by themselves: in a check as in a grading."""
    for ex in catalogue.exercises_of(number):
        assert known_beforehand(ex.id, SEED) == known_beforehand(ex.id, 987_654), ex.id


def test_numbers_found_on_paper_earn_nothing_by_themselves_and_that_is_said():
    """2.2: its first four questions are the same for everybody, the last four are drawn."""
    ex = catalogue.exercise("2.2")
    for seed in (SEED, 987_654):
        right = reference_answers([ex], seed)["2.2"]
        wrong = Outcome({"t1": 0})
        got = {p.name: wrong if p.name.startswith("other_") else right[p.name] for p in ex.probes}
        questions = [Question(p, got[p.name], right[p.name]) for p in ex.probes]
        verdict = judge(ex, questions, known=known_beforehand("2.2", seed))
        assert (verdict.right, verdict.earned) == (4, 0)
        assert verdict.lines[-1] == KNOWN

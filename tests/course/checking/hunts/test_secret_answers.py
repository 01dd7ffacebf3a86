"""Answers of the reference that are one of many right ones: no comparison sees them, and every hunt's are such."""

import pytest

from grader.asking.outcome import Outcome
from grader.checking.question import Question
from grader.course import catalogue, folders
from grader.course.questions import Probe

HUNTS = [ex for ex in catalogue.all_exercises() if ex.file == "hunts.py" and not ex.hashed]


@pytest.mark.parametrize(("secret", "told"), [(True, {}), (False, {"returned": 2.0})])
def test_a_comparison_is_not_told_what_is_secret(secret, told):
    seen = []
    probe = Probe("1.5", "a_question", "", None, secret=secret, compare=lambda expected, got: seen.append(expected))
    assert Question(probe, Outcome({"returned": 1.0}), Outcome({"returned": 2.0})).wrong is None
    assert seen == [told]


def test_the_answers_of_hunts_are_secret_and_no_others():
    secret = {probe.exercise for ex in catalogue.all_exercises() for probe in ex.probes if probe.secret}
    assert secret == {ex.id for ex in HUNTS}
    assert all(probe.secret for ex in HUNTS for probe in ex.probes)


def test_what_is_secret_has_a_comparison_of_its_own():
    assert all(probe.compare for ex in HUNTS for probe in ex.probes)


def test_a_comparison_for_a_question_that_is_not_asked_is_an_error():
    comparisons = folders.load("07", "marking").COMPARISONS["7.2"]
    comparisons["no_such_question"] = lambda expected, got: None
    try:
        with pytest.raises(KeyError, match=r"7\.2 asks no no_such_question"):
            catalogue.exercises_of.__wrapped__("07")
    finally:
        del comparisons["no_such_question"]
        catalogue.exercises_of.__wrapped__("07")  # the exercises have their comparisons again

"""Every exercise names the one thing that its learner decides or finds: for teachers, and where no learner reads it."""

import re

import pytest

from grader.course import catalogue, folders
from grader.course.stubs import generated

EXERCISES = {ex.id: ex for ex in catalogue.all_exercises() if catalogue.thought(ex.id)}
STUBS = generated()


def plain(text):
    """Its words, however they are broken into lines and dressed up."""
    return " ".join(re.findall(r"\w+", text.casefold()))


@pytest.mark.parametrize("number", catalogue.numbers())
def test_each_exercise_has_one_thought_and_no_other_has(number):
    thoughts = folders.load(number, "thoughts").THOUGHTS
    assert list(thoughts) == [ex.id for ex in catalogue.exercises_of(number)]


def test_no_two_exercises_have_the_same_thought():
    thoughts = [plain(catalogue.thought(id)) for id in EXERCISES]
    assert len(set(thoughts)) == len(thoughts)


@pytest.mark.parametrize("id", EXERCISES)
def test_a_thought_is_one_short_sentence_that_begins_with_a_verb(id):
    thought = catalogue.thought(id)
    assert thought[0].islower() and thought[-1] not in ".!?" and 4 <= len(thought.split()) <= 16
    assert "|" not in thought and "\n" not in thought


@pytest.mark.parametrize("id", EXERCISES)
def test_no_learner_reads_a_thought_in_the_stub_or_the_hints(id):
    ex = EXERCISES[id]
    for said in (STUBS[ex.file], *ex.hints):
        assert plain(catalogue.thought(id)) not in plain(said)

"""Every exercise names the one thing that its learner decides or finds: for teachers, and where no learner reads it."""

import re

import pytest

from grader.course import catalogue, folders
from grader.course.stubs import generated

EXERCISES = {ex.id: ex for ex in catalogue.all_exercises() if catalogue.key_idea(ex.id)}
STUBS = generated()


def plain(text):
    """Its words, however they are broken into lines and dressed up."""
    return " ".join(re.findall(r"\w+", text.casefold()))


@pytest.mark.parametrize("number", catalogue.numbers())
def test_each_exercise_has_one_key_idea_and_no_other_has(number):
    key_ideas = folders.load(number, "key_ideas").KEY_IDEAS
    assert list(key_ideas) == [ex.id for ex in catalogue.exercises_of(number)]


def test_no_two_exercises_have_the_same_key_idea():
    key_ideas = [plain(catalogue.key_idea(id)) for id in EXERCISES]
    assert len(set(key_ideas)) == len(key_ideas)


@pytest.mark.parametrize("id", EXERCISES)
def test_a_key_idea_is_one_short_sentence_that_begins_with_a_verb(id):
    key_idea = catalogue.key_idea(id)
    assert key_idea[0].islower() and key_idea[-1] not in ".!?" and 4 <= len(key_idea.split()) <= 16
    assert "|" not in key_idea and "\n" not in key_idea


@pytest.mark.parametrize("id", EXERCISES)
def test_no_learner_reads_a_key_idea_in_the_stub_or_the_hints(id):
    ex = EXERCISES[id]
    for said in (STUBS[ex.file], *ex.hints):
        assert plain(catalogue.key_idea(id)) not in plain(said)


@pytest.mark.parametrize("number", catalogue.numbers())
def test_each_notebook_has_a_question_to_ask_in_person(number):
    asked = catalogue.in_person(number)
    assert asked.count("?") in (1, 2, 3) and 12 <= len(asked.split()) <= 40 and "|" not in asked

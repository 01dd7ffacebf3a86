"""What a message shows belongs to one idea: no other of the exercise answers alike there, but for declared twins.

An idea that is wrong at an earlier question is no rival: the right answer there rules it out.
"""

import os
from itertools import combinations
from types import SimpleNamespace

import pytest

from grader.asking.outcome import Outcome
from grader.checking import expected, judging
from grader.checking.question import Question
from grader.checking.reference import all_misconceived, reference_answers
from grader.checking.verdict import judge, most_telling
from grader.course import catalogue
from grader.course.exercise import EITHER, IN_PART, Exercise, Misconception, answer_alike
from grader.course.questions import Probe

EXERCISES = {ex.id: ex for ex in catalogue.all_exercises()}
OF_THE_DAY = pytest.param(int(os.environ["BABYGRAD_SEED_OF_THE_DAY"]), marks=pytest.mark.leg("night"))

# Exercises with ideas that still answer alike where a message shows them. It only ever gets shorter.
OPEN = set()


def shown(ex, misconception, seed):
    """The Question that is shown to somebody with this misconception."""
    right = reference_answers([ex], seed)[ex.id]
    answers = all_misconceived(ex, misconception, seed)
    return most_telling([Question(p, answers[p.name], right[p.name]) for p in ex.probes])


def coincidences(ex, seed):
    """Pairs of misconceptions whose messages show the same question, answered alike."""
    questions = [(m, shown(ex, m, seed)) for m in catalogue.misconceptions_of(ex)]
    for (one, a), (other, b) in combinations(questions, 2):
        if a.probe is b.probe and judging.alike(a.got, b.got, a.probe.rtol):
            yield one, other


@pytest.mark.parametrize("seed", [0, OF_THE_DAY])
@pytest.mark.parametrize("id", EXERCISES)
def test_what_is_shown_belongs_to_one_idea(id, seed):
    undeclared = [(a.name, b.name) for a, b in coincidences(EXERCISES[id], seed) if not answer_alike(a, b)]
    assert undeclared == [] or id in OPEN


@pytest.mark.parametrize("id", EXERCISES)
def test_twins_are_twins_and_say_why(id):
    declared = {
        (m.name, name): why for m in catalogue.misconceptions_of(EXERCISES[id]) for name, why in m.same_as.items()
    }
    found = {frozenset((a.name, b.name)) for a, b in coincidences(EXERCISES[id], 0)}
    assert {frozenset(pair) for pair in declared} <= found
    assert len({frozenset(pair) for pair in declared}) == len(declared)
    assert all(len(why.split()) > 3 for why in declared.values())


# ------------------------------------------------------------------ what is said


def fake(monkeypatch, answers, listens="", **twins):
    """An exercise of three questions, each answered with a number; answers: {name of an idea: the three numbers}.

    listens: the names of questions that ask for NumPy's warnings alone.
    """
    probes = [Probe("2.1", name, name, None, listens=name in listens) for name in "abc"]
    ex = Exercise("2.1", "fake", "value.py", 1, 1, 1, [], probes=probes)
    ideas = [Misconception(name, f"{name}!", None, same_as=twins.get(name, {})) for name in answers]
    monkeypatch.setattr(expected, "misconceptions_of", lambda ex: ideas)
    monkeypatch.setattr(
        expected, "misconceived", lambda ex, m, probe, seed: outcome(answers[m.name]["abc".index(probe.name)])
    )
    return ex


def outcome(number):
    return Outcome({"it": number})


def verdict(ex, numbers, right=(10, 20, 30), is_written=True):
    """is_written: does the answer's text have what each idea writes?"""
    questions = [Question(p, outcome(got), outcome(want)) for p, got, want in zip(ex.probes, numbers, right)]
    found = judging.matching_misconception(ex, questions, 0, SimpleNamespace(has_all=lambda signs: is_written))
    return judge(ex, questions, "changed", found)


ONLY_THERE = "This would explain the answer above, but not all of your others: "


def test_twins_are_both_named_where_neither_is_ruled_out(monkeypatch):
    ex = fake(monkeypatch, {"one": (1, 2, 3), "two": (1, 20, 3)}, two={"one": "why"})
    said = verdict(ex, (1, 20, 3))
    assert said.misconception == "two"
    said = verdict(fake(monkeypatch, {"one": (1, 2, 3), "two": (1, 4, 3)}, two={"one": "why"}), (1, 5, 5))
    assert said.misconception == f"one{EITHER}two" and said.lines[-1] == "one! Or: two!"


def test_of_twins_that_other_answers_rule_out_it_is_said(monkeypatch):
    said = verdict(fake(monkeypatch, {"one": (1, 2, 30), "two": (1, 20, 3)}, two={"one": "why"}), (1, 5, 5))
    assert said.misconception == f"{IN_PART}one{EITHER}two" and said.lines[-1] == f"{ONLY_THERE}one! Or: two!"


@pytest.mark.parametrize("numbers", [(1, 20, 5), (1, 5, 5)], ids=["a right answer", "a wrong answer"])
def test_an_idea_that_another_answer_rules_out_is_said_of_the_one_answer_alone(monkeypatch, numbers):
    said = verdict(fake(monkeypatch, {"one": (1, 2, 30) if numbers[1] == 20 else (1, 20, 3)}), numbers)
    assert said.misconception == f"{IN_PART}one" and said.lines[-1] == f"{ONLY_THERE}one!"


@pytest.mark.parametrize("numbers", [(1, 2, 5), (1, 20, 3), (1, 5, 5)])
def test_an_idea_that_only_some_answers_suggest_is_not_guessed_where_the_text_has_nothing_of_it(monkeypatch, numbers):
    said = verdict(fake(monkeypatch, {"one": (1, 2, 3)}), numbers, is_written=False)
    assert said.misconception is None
    assert verdict(fake(monkeypatch, {"one": (1, 2, 3)}), (1, 2, 3), is_written=False).misconception == "one"


def test_an_idea_beside_another_fault_is_named_as_it_is(monkeypatch):
    said = verdict(fake(monkeypatch, {"one": (1, 2, 30)}), (1, 5, 30))
    assert said.misconception == "one" and said.lines[-1] == "one!"


@pytest.mark.parametrize("heard", [20, 7], ids=["nothing", "something else"])
def test_a_silenced_warning_rules_no_idea_out(monkeypatch, heard):
    ideas = {"another": (5, 2, 30), "one": (1, 2, 30)}
    said = verdict(fake(monkeypatch, ideas, listens="b"), (1, heard, 30), is_written=False)
    assert said.misconception == "one" and said.lines[-1] == "one!"
    assert verdict(fake(monkeypatch, ideas, listens="b"), (10, 2, 30), is_written=False).misconception is None


def test_of_two_ideas_the_one_is_named_that_no_answer_rules_out(monkeypatch):
    ex = fake(monkeypatch, {"one": (1, 20, 30), "two": (1, 2, 30)})
    assert verdict(ex, (1, 5, 30)).misconception == "two"


def test_of_two_ideas_that_are_no_twins_none_is_named(monkeypatch):
    ex = fake(monkeypatch, {"one": (1, 2, 30), "two": (1, 20, 3)})
    assert verdict(ex, (1, 5, 5)).misconception is None


def test_a_right_answer_before_rules_an_idea_out(monkeypatch):
    ex = fake(monkeypatch, {"one": (1, 2, 3), "two": (10, 2, 3)})
    assert verdict(ex, (10, 2, 5)).misconception == "two"


def test_the_name_leads_back_to_what_was_said(monkeypatch):
    ex = fake(monkeypatch, {"one": (1, 2, 30), "two": (1, 20, 3)}, two={"one": "why"})
    for name in ("one", f"{IN_PART}one", f"{IN_PART}one{EITHER}two"):
        found = judging.idea_named(ex, name)
        assert found.name == name and found.words.startswith(ONLY_THERE) == name.startswith(IN_PART)
    assert judging.idea_named(ex, f"{IN_PART}three") is None

"""Every question answered rightly, and with each of its wrong answers, in the terminal and in a notebook's form."""

import json
import os

import pytest

from grader.course import catalogue
from grader.course.tracks import STRETCH
from grader.notebook.quiz import Form
from grader.quiz import bank
from grader.quiz.asked import Asked
from grader.quiz.comparing import RIGHT, WRONG, judged
from grader.quiz.terminal import ask

OF_THE_DAY = os.environ["BABYGRAD_SEED_OF_THE_DAY"]
SEEDS = ["0", pytest.param(OF_THE_DAY, marks=pytest.mark.leg("night"))]
of_each_notebook = pytest.mark.parametrize("number", catalogue.numbers())
OTHERS = [pytest.param(n, marks=pytest.mark.leg("night")) for n in catalogue.numbers() if n not in ("03", "10")]


def in_the_terminal(asked, answers):
    """(kind, everything that is said) of these answers."""
    typed = [letter for letter, choice in asked.lettered if choice == answers[0]] if asked.choices else list(answers)
    verdicts, said, waiting = [], [], iter(typed)
    ask(
        [asked],
        1,
        lambda _, verdict: verdicts.append(verdict),
        lambda *lines, sep=" ": said.append(sep.join(lines)),
        lambda _: next(waiting),
    )
    (verdict,) = verdicts
    return verdict.kind, " ".join(" ".join(said).split())


def in_a_form(asked, answers):
    kept = []
    form = Form([asked], lambda id, right: kept.append((id, right)))
    if asked.choices:
        form.choice.value = answers[0]
    for text, answer in zip(form.texts, answers):
        text.value = answer
    form.button.click()
    return kept, form.said.value, form.link.outputs


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("number", ["03", "10", *OTHERS])
@pytest.mark.leg("push")
def test_the_terminal_and_the_form_give_the_same_verdict_and_the_right_sentence(number, seed):
    for entry in bank.entries([number]).values():
        asked = bank.drawn(entry, seed)
        for answers, shows in [(asked.right, ""), *asked.wrong]:
            kind, said = in_the_terminal(asked, answers)
            kept, html, links = in_a_form(asked, answers)
            assert kind == (WRONG if shows else RIGHT) and kept == [(asked.id, not shows)], (asked, answers)
            assert " ".join(shows.split()) in said and bool(links) == bool(shows), (asked, answers, said)
            assert judged(asked, answers).said == shows, (asked, answers)
            assert ("Not right." in html) == bool(shows) and ("Right." in html) != bool(shows)


@of_each_notebook
def test_a_question_is_the_same_after_it_was_recorded(number):
    for entry in bank.entries([number]).values():
        asked = bank.drawn(entry, "0")
        assert Asked.from_data(json.loads(json.dumps(asked.as_data()))) == asked


@of_each_notebook
@pytest.mark.leg("push")
def test_a_question_is_known_by_its_section_and_by_the_exercises_of_its_outcome(number):
    for entry in bank.entries([number]).values():
        assert entry.section and set(entry.exercises) <= {ex.id for ex in catalogue.exercises_of(number)}
        for id, name in entry.ideas:
            assert entry in bank.linked([entry], id, name)
        assert bank.drawn(entry, "0").link.count("#") == 1 and not bank.drawn(entry, "0").link.endswith("#")


def test_what_a_stretch_goal_is_about_is_asked_of_nobody_else():
    """Its section may begin as core."""
    assert bank.entries(["07"])["7.Q8"].mark == STRETCH != bank.entries(["07"])["7.Q7"].mark

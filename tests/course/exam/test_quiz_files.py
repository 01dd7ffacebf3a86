"""A question of the quiz as it is written, and what is said where it is none."""

import random

import pytest

from grader.exam.question import Wrong
from grader.exam.quiz_files import NoQuestion, question, quiz_questions

OUTCOMES = ("say why shares add up", "say what a second call does")
WRITTEN = """3.Q7 E: say what
What do both hold
in the end?

Two numbers.
draw: {"n": whole(rng, 2,
  9)}
hidden:
    x = {n}

    y = 2 * x
asked: x; what y holds = y * 1
- 3.1: assigns instead of adding => Shares
  add up.
- at 1: {n} * 3 => Twice, not
  three times.
"""


def read(text):
    return question(text, OUTCOMES, {"whole": lambda rng, low, high: low})


def test_a_question_is_read_as_it_is_written():
    found = read(WRITTEN)
    assert (found.id, found.section, found.outcome) == ("3.Q7", "E", OUTCOMES[1])
    assert found.text == "What do both hold in the end?\n\nTwo numbers."
    assert found.code == "x = {n}\n\ny = 2 * x" and not found.shown and not found.choose
    assert found.answers == {"x": "x", "what y holds": "y * 1"}
    assert found.draw(random.Random(0)) == {"n": 2}
    wrong = Wrong("{n} * 3", "Twice, not three times.", at=1)
    assert found.wrong == (Wrong(("3.1", "assigns instead of adding"), "Shares add up."), wrong)


def test_a_wrong_choice_may_name_a_misconception():
    found = read("3.Q7 E: say why\nWhich?\ndraw: {}\nanswer: a += b\n- a = b | 3.1: assigns instead => It adds.\n")
    assert found.choose and found.answer == "a += b"
    assert found.wrong == (Wrong("a = b", "It adds.", named=("3.1", "assigns instead")),)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("say what", "say", "'3.Q7 E: say': an id, a section, and the beginning of one goal"),
        ("3.Q7 E", "3.Q7", "'3.Q7: say what': an id, a section"),
        ("draw: ", "drawn: ", "a line draw: is missing"),
        (" => Shares", " Shares", "has no => before what it shows"),
    ],
)
def test_what_is_no_question_is_said(old, new, said):
    with pytest.raises(NoQuestion, match=r"3\.Q7") as error:
        read(WRITTEN.replace(old, new))
    assert said in str(error.value)


def test_numbers_are_drawn_with_what_stands_beside_the_questions():
    assert {"p", "q", "told"} <= set(quiz_questions("03")[3].drawn("0").numbers)


def test_a_notebook_without_questions_has_none():
    assert quiz_questions("99") == ()

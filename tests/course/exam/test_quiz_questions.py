"""Questions of the quiz: right answers, wrong answers that differ, what each needs to be asked."""

import os
import re

import pytest

from grader.course import catalogue
from grader.exam import solving
from grader.exam.outcomes import goals
from grader.exam.question import CHOICE
from grader.exam.quiz_files import quiz_questions
from grader.maintainer.sources import markdown_of, read, sources

from .in_pytorch import demand_the_same_answers

NUMBERS = catalogue.numbers()
OF_THE_DAY = os.environ["BABYGRAD_SEED_OF_THE_DAY"]
SEEDS = ["0A", pytest.param(f"{OF_THE_DAY}B", marks=pytest.mark.leg("night"))]
of_each_notebook = pytest.mark.parametrize("number", NUMBERS)


def questions(number):
    return quiz_questions(number)


@pytest.mark.parametrize("seed", SEEDS)
@of_each_notebook
def test_pytorch_gives_the_same_answers(number, seed):
    for question in questions(number):
        if question.code:
            demand_the_same_answers(question.drawn(seed))


@pytest.mark.parametrize("seed", SEEDS)
@of_each_notebook
@pytest.mark.leg("push")
def test_each_wrong_answer_is_wrong_and_shows_something_else(number, seed):
    for question in questions(number):
        drawn = question.drawn(seed)
        right = solving.solved(drawn)
        wrong = [solving.mistaken(drawn, wrong) for wrong in question.wrong]
        assert right and all(answers != right and len(answers) == len(right) for answers in wrong), (question.id, right)
        assert len({tuple(answers) for answers in wrong}) == len(wrong) >= 1, (question.id, wrong)


@of_each_notebook
def test_other_seeds_ask_other_things(number):
    for question in questions(number):
        drawn = [question.drawn(f"{seed}A") for seed in range(60)]
        asked = {(each.text, each.code, each.filled(question.answer)) for each in drawn}
        assert len(asked) >= 6, (question.id, len(asked))


@of_each_notebook
def test_each_is_short_and_says_where_it_is_told(number):
    ids = [question.id for question in questions(number)]
    assert ids == [f"{int(number)}.Q{count}" for count in range(1, len(ids) + 1)]
    text = markdown_of(read(sources([number])[0]))
    for question in questions(number):
        assert question.outcome in goals(number), question.id
        assert re.search(rf"^## {question.section}\. ", text, re.M) and question.section, question.id
        assert question.points == question.minutes == 1 and question.kind != "words", question.id
        assert all(wrong.shows.endswith((".", "?")) for wrong in question.wrong), question.id
        assert len(question.answers) <= 3 and (question.kind != CHOICE or 2 <= len(question.wrong) <= 3), question.id


@of_each_notebook
@pytest.mark.leg("push")
def test_what_is_typed_can_be_typed(number):
    """A number, a shape or a line: short, without np.float64(32.0)."""
    for question in questions(number):
        drawn = question.drawn("0A")
        for key in (*solving.solved(drawn), *(text for w in question.wrong for text in solving.mistaken(drawn, w))):
            assert "np." not in key and "{" not in drawn.text, (question.id, key)
            assert question.kind == CHOICE or len(key) <= 24, (question.id, key)


@of_each_notebook
def test_each_misconception_that_a_wrong_answer_shows_is_known(number):
    for wrong in (wrong for question in questions(number) for wrong in question.wrong):
        if idea := wrong.named or (wrong.idea if isinstance(wrong.idea, tuple) else ()):
            assert solving.misconception(*idea), wrong

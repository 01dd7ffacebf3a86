"""What a process may send in the place of answers, judged without a process: there is a verdict, and it is short."""

import numpy as np
import pytest

from grader.asking.answers import DidNotRaise, Form, Raised
from grader.asking.outcome import Frame, Other, Outcome, Stopped
from grader.checking.expected import reference_answers
from grader.checking.judging import Judging, known_beforehand
from grader.course import catalogue

IDS = ("0.1", "0.2", "0.3", "1.2", "1.5", "2.7", "2.9", "3.1", "6.2", "9.3", "10.12", "13.1")
LONGEST_MESSAGE = 20_000
TEXT = "<b>" * 1300


def layers(depth, x):
    """x in lists of 12, so many layers deep."""
    return [layers(depth - 1, x)] * 12 if depth else x


ANSWERS = [
    None, True, 0, 3.5, float("nan"), -float("inf"), 1 << 999, "", TEXT, [], [[]], ["a", None], layers(3, TEXT),
    {}, {"a": None}, {TEXT + str(i): TEXT for i in range(50)}, np.zeros(0), np.array(1), np.array([True]),
    np.zeros((0, 10**9)), np.ones(1 << 18), np.ones((1,) * 60), np.array([1], ">u8"), np.array([1], "f2"),
    Other("", ""), Other(TEXT, TEXT), DidNotRaise(DidNotRaise(Other("", ""))), Raised("", (), "", "", True), Form(TEXT),
    Outcome(1), Stopped("a", "b"), Frame("a", 1, "b", "c"), [["leaf", "a", 2.0], ["+", 0, 5]], [["leaf"]], [[["x"]]],
    layers(4, 1.0),
]  # fmt: skip
STOPS = [
    Stopped("", "", stub="abc"),
    Stopped("E", TEXT, stub="9" * 3999 + ".1"),
    Stopped("E", TEXT, (Frame("", -1, "", ""),), used="file "),
    Stopped("AttributeError", "", used="nothing"),
    Stopped("SyntaxError", TEXT, (Frame(TEXT, 10**50, TEXT, TEXT),) * 1000, importing=True),
    Stopped("TypeError", "'float' object is not iterable", (Frame("a", 1, "f", "(" * 4000),)),
    Stopped("E", "m", importing=True, stub="6.2"),
]


def verdict_on(ex, answers):
    """The Verdict if every question is answered with this."""
    got = {ex.id: {probe.name: Outcome(answers) for probe in ex.probes}}
    judging = Judging([ex], {}, 0)
    judging.missing(got)
    return judging.verdicts(got)[0]


@pytest.mark.parametrize("id", IDS)
@pytest.mark.leg("push")
def test_odd_answers_get_a_short_verdict(id):
    ex = catalogue.exercise(id)
    right = reference_answers([ex], 0)[id]
    names = {name for outcome in right.values() for name in outcome.answers}
    for odd in [*ANSWERS, *STOPS]:
        for answers in (odd, {"asked": odd}, dict.fromkeys(names, odd) if not isinstance(odd, Stopped) else odd):
            verdict = verdict_on(ex, answers)
            assert verdict.earned == 0, (odd, verdict)
            assert len(verdict.message) < LONGEST_MESSAGE, odd


@pytest.mark.parametrize("number", [nb.number for nb in catalogue.notebooks()])
def test_an_exercise_asks_something_that_nobody_can_have_learnt_by_heart(number):
    exercises = [ex for ex in catalogue.exercises_of(number) if ex.file != "hunts.py"]  # a hunt's answers stay right
    learnt = [ex.id for ex in exercises if all(probe.name in known_beforehand(ex.id, 987_654) for probe in ex.probes)]
    assert learnt == []

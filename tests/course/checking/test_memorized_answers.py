"""Right answers that are the same in every check earn nothing where they were learnt by heart, and only there."""

from types import SimpleNamespace

import pytest

from grader.asking.outcome import Outcome, Stopped
from grader.checking.by_heart import fails_differently
from grader.checking.messages import KNOWN
from grader.checking.questioning import Died

ON_PAPER = """return {
    "t1": 6, "t2": 10, "t3": 7, "L": 70, "L.grad": 1, "t2.grad": 7, "t3.grad": 10, "t1.grad": 7,
    "c.grad": 7, "d.grad": 10, "b.grad": 14, "a.grad": 31,
}"""
ONE_PATH = """t1, t3 = a * b, a + d
t2 = t1 + c
return {
    "t1": t1, "t2": t2, "t3": t3, "L": t2 * t3, "L.grad": 1, "t2.grad": t3, "t3.grad": t2, "t1.grad": t3,
    "c.grad": t3, "d.grad": t2, "b.grad": a * t3, "a.grad": b * t3,
}"""
HALF = ONE_PATH.partition('"b.grad"')[0] + "}"  # what is not found yet is missing
FOUND = ON_PAPER.removeprefix("return ")
FOR_TWO_NUMBERS = """gradient = np.zeros(x.shape)
for place in range(len(x)):
    old = x[place].copy()
    x[place] = old + h
    above = f(x)
    x[place] = old - h
    gradient[place] = (above - f(x)) / (2 * h)
    x[place] = old
return gradient"""


def struck(learner, id, code, file):
    """(is it said that what is right earns nothing?, points)"""
    learner.write(id, code, file)
    verdict = learner.check(id)[id]
    assert 0 < verdict.right < verdict.asked, verdict.message
    return KNOWN in verdict.lines, verdict.earned


@pytest.mark.parametrize(
    "code",
    [
        ON_PAPER,
        f"return {{(2, 3, 4, 5): {FOUND}}}.get((a, b, c, d), {{}})",
        f"return {{(2, 3, 4, 5): {FOUND}}}[a, b, c, d]",
    ],
    ids=["the same for all", "nothing for others", "stopped at others"],
)
def test_an_answer_learnt_by_heart_is_struck(learner, code):
    assert struck(learner, "2.2", code, "hunts.py") == (True, 0)


@pytest.mark.parametrize(
    ("id", "code", "file"),
    [("1.2", FOR_TWO_NUMBERS, "derivatives.py"), ("2.2", ONE_PATH, "hunts.py"), ("2.2", HALF, "hunts.py")],
)
def test_an_honest_answer_that_is_right_in_part_has_its_share(learner, id, code, file):
    said, earned = struck(learner, id, code, file)
    assert not said and earned > 0


ASKED = SimpleNamespace(
    probe=SimpleNamespace(name="drawn"), wrong="wrong", expected=Outcome({"asked": 0, "returned": 7})
)


def differs(one, other):
    """Do these answers to the drawn question, with one input and with another, show a computation?"""
    asked = SimpleNamespace(**{**vars(ASKED), "got": one})
    return fails_differently([asked], (), {"drawn": other})


def test_only_a_wrong_number_that_goes_with_the_input_shows_a_computation():
    def answered(x, returned, **more):
        return Outcome({"asked": {"x": x}, "returned": returned, **more})

    assert differs(answered(2, 5), answered(3, 6))
    assert not differs(answered(2, 5), answered(3, 5))
    assert not differs(answered(2, 2), answered(3, 3)), "an input that is handed back"
    assert not differs(answered(2, None), answered(3, None))
    assert not differs(answered(2, 5), Outcome(Stopped("KeyError", "3")))
    assert not differs(Outcome(Stopped("KeyError", "2")), Outcome(Stopped("KeyError", "3")))
    assert not differs(Died("timeout"), answered(3, 6)) and not differs(answered(2, 5), None)

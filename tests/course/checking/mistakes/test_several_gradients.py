"""10.1: several of the three gradients may be wrong at once. Each is asked alone, so the first still has its words."""

import inspect
import textwrap

import numpy as np
import pytest

from grader.checking.judging import matching_misconception
from grader.checking.question import Question
from grader.checking.reference import answers_of, reference_answers
from grader.checking.written import Written
from grader.course import catalogue
from grader.course.exercise import IN_PART
from grader.course.packages import private_copy
from grader.course.paths import REFERENCE

EX = catalogue.exercise("10.1")


def named(backward):
    """The name of the misconception that is told of a Linear with this backward; None for no name."""
    with private_copy(REFERENCE) as bg:
        bg.layers.Linear.backward = backward
        got = answers_of(bg, EX, EX.probes, 0)
    right = reference_answers([EX], 0)["10.1"]
    code = textwrap.dedent(inspect.getsource(backward))
    parts = [f"# exercise 10.1\n{part}# end of exercise 10.1\n" for part in ("", code)]  # forward, backward
    written = Written("10.1", "layers.py", "".join(parts).encode())
    found = matching_misconception(EX, [Question(p, got[p.name], right[p.name]) for p in EX.probes], 0, written)
    return found and found.name


@pytest.mark.leg("night")
def test_of_three_wrong_gradients_none_is_guessed_where_a_word_is_missing_and_nothing_else():
    def backward(self, dout):
        x = self.from_forward()
        self.dweight, self.dbias = dout.T @ x, dout.sum(axis=1)
        return dout @ self.weight

    assert named(backward) is None


def test_of_two_means_the_first_is_named():
    def backward(self, dout):
        x = self.from_forward()
        self.dweight, self.dbias = x.T @ dout / len(x), np.mean(dout, axis=0)
        return dout @ self.weight.T

    assert named(backward) == f"{IN_PART}dweight as a mean"

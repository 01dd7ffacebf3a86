"""What a wrong number hints at, where no misconception explains it. Only what the numbers prove is said."""

import numpy as np
import pytest

from grader.asking.outcome import Outcome
from grader.checking.number_patterns import pattern_in
from grader.checking.question import Question
from grader.checking.verdict import judge
from grader.course.catalogue import exercise

INF, NAN = float("inf"), float("nan")
A = np.arange(4.0).reshape(2, 2)


@pytest.mark.parametrize(
    ("expected", "got", "words"),
    [
        ([2.0, 3.0], [4.0, 6.0], "exactly twice"),
        ([2.0, 3.0], [0.5, 0.75], "exactly a quarter of what it should be"),
        (np.float32([0.2, 0.3]), np.float32([0.4, 0.6000001]), "exactly twice"),
        (np.array([1.0, -2.0]), np.array([-1.0, 2.0]), "the sign is wrong"),
        (np.array([1, 2], "u1"), np.array([-1.0, -2.0]), "the sign is wrong"),
        (np.array([1.0, 2.0]), np.zeros(2), "It is 0"),
        (np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3).T, "Rows and columns are swapped"),
        (A, A.T, "Rows and columns are swapped"),
        (np.array([[1, INF], [3, NAN]]), np.array([[1, 3], [INF, NAN]]), "Rows and columns are swapped"),
        (np.array([0.0, 3.0]), np.array([1e-9, 3.0000002]), "nearly right: off by at most 3e-07"),
        (np.e, 2.718, "nearly right: off by at most 3e-04"),
        (np.ones(2) / 3, np.ones(2, "f4") / 3, "float32"),
        (np.array([1.0, 2.0, 3.0]), np.array([1.0, NAN, INF]), "2 of its 3 numbers are nan or inf"),
    ],
)
def test_a_pattern_is_named(expected, got, words):
    assert words in pattern_in(expected, got)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (2.0, 5.3), (2.0, 2.01), (np.ones(2), np.ones(3)), ("a", "b"), (1.0, None), ([[1.0]], [[2.0]]), (True, 2.0),
        (2.0, 4.0), (np.array([2.0, -2.0, 0.0]), np.array([4.0, -4.0, 0.0])),  # one size of number proves no factor
        (np.array(3.0), np.array([[3.0000002]])), (np.ones((3, 1)), np.ones((1, 1))),  # the shape is wrong
        (np.zeros(2), np.zeros((2, 2))), (np.ones(2), np.zeros((2, 1))), (np.ones(2), -np.ones((1, 2))),
        (A, np.array([[INF, 1], [2, 3]])[:, :1]), (np.zeros(0), np.zeros(0)), (np.ones(2), [1.0, 1.0]),
        (NAN, 1.0), (1.0, NAN), (INF, -INF), (A, np.zeros((10**9, 0))),
    ],
)  # fmt: skip
def test_nothing_is_said_of_other_numbers(expected, got):
    assert pattern_in(expected, got) == ""


def test_an_inf_in_a_square_is_no_exchange_of_rows_and_columns():
    assert pattern_in(A, np.where(A == 3, INF, A)) == "1 of its 4 numbers is nan or inf."
    assert pattern_in(np.where(A == 3, INF, A), np.where(A == 3, INF, A + 1)) == ""


@pytest.mark.parametrize(
    ("others", "says"),
    [
        ([(3.0, 6.0)], True),
        ([(2.0, 4.0)], False),  # the same number once more
        ([(3.0, 6.0), (5.0, 5.5)], False),
        ([(3.0, 6.0), ("a text", None), (np.ones(2), np.ones(3))], True),
    ],
)
def test_a_factor_takes_two_different_numbers(others, says):
    assert ("exactly twice" in pattern_in(2.0, 4.0, others)) == says


@pytest.mark.parametrize(("others", "says"), [([], True), ([(3.0, -3.0)], True), ([(3.0, 3.5)], False)])
def test_a_sign_is_that_of_all_wrong_answers(others, says):
    """1 in place of -1 may come of anything."""
    assert ("the sign is wrong" in pattern_in(-1.0, 1.0, others)) == says


def test_the_questions_of_an_exercise_prove_a_factor_together():
    ex = exercise("1.1")
    message = judge(ex, [asked(p, at) for at, p in enumerate(ex.probes, 2)]).message
    assert "It is exactly twice what it should be." in message
    assert "exactly" not in judge(ex, [asked(ex.probes[0], 2)]).message


def asked(probe, at):
    """A question whose right answer is `at`, answered with twice as much."""
    return Question(probe, Outcome({"returned": 2.0 * at}), Outcome({"returned": float(at)}))

"""Answers were recorded by one version of Python, a learner's come from another, and each has words of its own."""

import math

import pytest

from grader.asking.outcome import Outcome, Stopped
from grader.checking.judging import alike

# What each version says of the same mistake, before 3.14 and since.
SAID = [
    ("float division by zero", "division by zero"),
    ("0.0 cannot be raised to a negative power", "zero to a negative power"),
    ("too many values to unpack (expected 2)", "too many values to unpack (expected 2, got 3)"),
    ("math domain error", "expected a positive input, got -2.5"),
    ("math domain error", "expected a positive input"),
    ("math domain error", "expected a nonnegative input, got -1e-05"),
]


def stopped(message, type="ZeroDivisionError"):
    return Outcome(Stopped(type, message))


@pytest.mark.parametrize(("old", "new"), SAID)
def test_what_python_says_since_is_what_it_said(old, new):
    assert alike(stopped(old), stopped(new)) and alike(stopped(new), stopped(old)) and alike(stopped(old), stopped(old))


def test_other_words_are_not_alike():
    (first, _), (second, _), (third, more) = SAID[:3]
    assert not alike(stopped(first), stopped(second))
    assert not alike(stopped(first), stopped("division by nothing"))
    assert not alike(stopped(first), stopped("division by zero", "ValueError"))
    assert not alike(stopped("expected a positive input, got a list"), stopped("math domain error"))
    few, fewer = (stopped(f"not enough values to unpack (expected 2, got {so_many})") for so_many in (0, 1))
    assert not alike(few, fewer) and not alike(stopped(third), few) and not alike(stopped(more), few)


@pytest.mark.parametrize(
    "mistake",
    [lambda: 1.0 / 0.0, lambda: 0.0**-1, lambda: math.log(-2.5), lambda: math.log(0), lambda: math.sqrt(-1e-5)],
)
def test_this_python_says_one_of_them(mistake):
    with pytest.raises((ZeroDivisionError, ValueError)) as raised:
        mistake()
    assert str(raised.value) in {words for pair in SAID for words in pair}

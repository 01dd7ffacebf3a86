"""Answers were recorded by one version of Python, a learner's come from another, and each has words of its own."""

import pytest

from grader.asking.outcome import Outcome, Stopped
from grader.checking.judging import NEWER_WORDS, alike


def stopped(message, type="ZeroDivisionError"):
    return Outcome(Stopped(type, message))


@pytest.mark.parametrize(("old", "new"), NEWER_WORDS.items())
def test_what_python_says_since_is_what_it_said(old, new):
    assert alike(stopped(old), stopped(new)) and alike(stopped(new), stopped(old)) and alike(stopped(old), stopped(old))


def test_how_many_values_were_too_many_is_said_since():
    old, new = (stopped(f"too many values to unpack (expected 2{so_many})") for so_many in ("", ", got 3"))
    assert alike(old, new) and alike(new, old)
    few, fewer = (stopped(f"not enough values to unpack (expected 2, got {so_many})") for so_many in (0, 1))
    assert not alike(few, fewer) and not alike(old, few)


def test_other_words_are_not_alike():
    first, second = map(stopped, NEWER_WORDS)
    assert not alike(first, second)
    assert not alike(first, stopped("division by nothing"))
    assert not alike(first, stopped("division by zero", "ValueError"))


@pytest.mark.parametrize("make", [lambda: 1.0 / 0.0, lambda: 0.0**-1])
def test_this_python_says_one_of_them(make):
    with pytest.raises(ZeroDivisionError) as raised:
        make()
    assert str(raised.value) in {*NEWER_WORDS, *NEWER_WORDS.values()}

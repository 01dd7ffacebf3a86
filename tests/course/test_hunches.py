"""What a wrong number hints at, where no misconception explains it."""

import numpy as np
import pytest

from grader.hunches import hunch


@pytest.mark.parametrize(
    ("expected", "got", "words"),
    [
        (2.0, 4.0, "exactly twice"),
        (np.array([1.0, -2.0]), np.array([-1.0, 2.0]), "the sign is the other way round"),
        (np.array([1.0, 2.0]), np.zeros(2), "It is 0"),
        (np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3).T, "changed places"),
        (np.array([0.0, 3.0]), np.array([1e-9, 3.0000002]), "nearly right, but not to the last digits"),
    ],
)
def test_a_pattern_is_named(expected, got, words):
    assert words in hunch(expected, got)


@pytest.mark.parametrize(
    ("expected", "got"), [(2.0, 5.3), (2.0, 2.01), (np.ones(2), np.ones(3)), ("a", "b"), (1.0, None)]
)
def test_nothing_is_said_of_other_numbers(expected, got):
    assert hunch(expected, got) == ""

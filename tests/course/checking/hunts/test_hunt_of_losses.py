"""The hunt of notebook 11: what is said of a batch that does not give all four losses away."""

import pytest

from grader.course import catalogue

PROBES = {probe.name.removeprefix("catches_"): probe for probe in catalogue.exercise("11.9").probes}


def told(name, batch):
    """Of a batch as it comes over the pipe: scores and targets, as lists."""
    return PROBES[name].compare({"asked": {"first": 0}}, {"the batch": batch})


def test_a_loss_that_is_off_by_too_little_is_told_by_how_much_it_has_to_be():
    words = told("A", [[[0, 0, 1000], [0, 0, 0], [0, 1, 0]], [0, 0, 1]])
    assert "A says 334.106, and 333.883 is right: only what is off by more than 1 % counts as wrong" in words


@pytest.mark.parametrize("name", "AD")
def test_a_loss_that_is_right_is_told_to_be(name):
    assert f"{name} is right, too" in told(name, [[[0, 1]], [0]])


@pytest.mark.parametrize("name", "ABCD")
def test_of_a_batch_that_gives_it_away_nothing_is_said(name):
    assert told(name, [[[0, 50], [0, 0], [-1000, -1000]], [0, 0, 1]]) is None


def test_the_scores_begin_with_the_number_that_was_given():
    assert "The first score must be 0." in told("A", [[[1, 50], [0, 0], [-1000, -1000]], [0, 0, 1]])

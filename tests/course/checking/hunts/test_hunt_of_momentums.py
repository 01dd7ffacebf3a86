"""The hunt of notebook 12: what is said of a run that does not give all four momentums away."""

import pytest

from grader.broken_engines.momentums import ENGINES
from grader.course import catalogue

PROBES = {probe.name.removeprefix("catches_"): probe for probe in catalogue.exercise("12.10").probes}


def told(name, run, first=None):
    """Of a run as it comes over the pipe: a list of lists.  first: the gradient that was given; None: the run's own."""
    return PROBES[name].compare({"asked": {"first": run[0][0] if first is None else first}}, {"the run": run})


@pytest.mark.parametrize("name", ENGINES)
def test_a_run_in_which_nobody_is_pushed_gives_nobody_away(name):
    assert f"{name} ends at 0.0000, which is right" in told(name, [[0, 0.1]])


def test_mistakes_that_cancel_at_the_end_are_told_as_such():
    words = told("B", [[1, 0.1], [1, 0.2], [1, 0.1]])
    assert "wrong after step 2" in words and "cancel" in words


@pytest.mark.parametrize("name", ENGINES)
def test_of_a_run_that_gives_it_away_nothing_is_said(name):
    assert told(name, [[1, 0.5], [2, 0.1], [-3, 0.2]]) is None


def test_the_run_begins_with_the_gradient_that_was_given():
    assert "The first gradient must be 4." in told("A", [[1, 0.5], [2, 0.1], [-3, 0.2]], first=4)

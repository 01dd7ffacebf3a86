"""The hunt of notebook 00: what is said of predictions that do not give all three measures away."""

import pytest

from grader.course import catalogue

PROBES = {probe.name.removeprefix("measure_"): probe for probe in catalogue.exercise("0.3").probes}


def told(name, predicted, truth):
    """Of predictions as they come over the pipe."""
    return PROBES[name].compare({"asked": {"truth": truth}}, {"predicted": predicted})


@pytest.mark.parametrize(
    ("name", "lists", "words"),
    [
        ("A", ([5, 5], [3, 3]), "For [5, 5] and [3, 3] A says 4, and that is right."),
        ("B", ([5, 2], [3, 3]), "B is right about three of the first four lists. What do their errors have in common?"),
        ("C", ([4, 3], [3, 3]), "C says 0.5, and that is right. C does not square."),
    ],
)
def test_a_measure_that_is_right_is_told_to_be(name, lists, words):
    assert words in told(name, *lists)


@pytest.mark.parametrize("name", "ABC")
def test_of_lists_that_give_it_away_nothing_is_said(name):
    assert told(name, [5, 3], [3, 3]) is None
    assert told(name, [3, 0.5], [3, 4]) is None


NO_PREDICTIONS = [
    *([5], [], [5, "3"], [5, 3, 3], [float("nan"), 1], [True, 5], [1e300, 0], [[5, 3], [3, 3]], {"0": 5, "1": 3}, 5)
]


@pytest.mark.parametrize("given", NO_PREDICTIONS)
def test_what_is_no_list_of_two_numbers_is_told_what_was_expected(given):
    assert "a list of two plain numbers was expected" in told("A", given, [3, 3])


def test_who_returned_nothing_is_asked_for_the_return():
    assert told("A", None, [3, 3]).endswith("Is a return missing?")

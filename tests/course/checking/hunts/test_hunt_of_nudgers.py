"""The hunt of notebook 01: each nudger is to be caught by what it does, and not by what another one does."""

import pytest

from grader.course import catalogue
from grader.probes.recipe import recipe_of

PROBES = {probe.name.removeprefix("nudger_"): probe for probe in catalogue.exercise("1.5").probes}


def told(name, expression):
    return PROBES[name].compare({}, {"recipe": recipe_of(expression, x=2.0)})


@pytest.mark.parametrize("expression", [lambda x: x + 1e18, lambda x: 1e17 - 5 * x, lambda x: (x + 1e18) * 3])
def test_a_straight_line_catches_nobody_but_c_however_high_it_lies(expression):
    assert told("C", expression) is None
    for name in "AB":
        assert f"With more digits {name} would find" in told(name, expression)


@pytest.mark.parametrize("expression", [lambda x: x + (x - 2).relu(), lambda x: (x - 2).relu() - x])
def test_a_kink_is_no_lost_digit(expression):
    assert "the slope jumps" in told("C", expression)


@pytest.mark.parametrize(
    "expression",
    [
        *(lambda x: x**3 + 1e9, lambda x: x**1e-7, lambda x: 10_000_000_000 - x * x * x, lambda x: 1e12 + 1 / x),
        *(lambda x: x.exp() + 1e10, lambda x: (x - 1.5) ** 0.5 + 1e12, lambda x: x**40 * 1e-12 + 1e12),
    ],
)
def test_a_curve_that_lies_high_catches_all(expression):
    assert [told(name, expression) for name in "ABC"] == [None] * 3


def test_a_square_that_lies_high_does_not_catch_b():
    assert "B finds 4, and the right slope is 4" in told("B", lambda x: x * x + 1e10)


def test_who_returned_nothing_is_asked_for_the_return():
    for name in "ABC":
        assert "Is a return missing?" in told(name, lambda x: None)

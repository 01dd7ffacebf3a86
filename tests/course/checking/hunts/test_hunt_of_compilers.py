"""The hunt of notebook 15: four broken compilers, and what is said of a function that misses one."""

import numpy as np
import pytest

from babygrad import Tensor, trace
from grader.broken_engines import compilers
from grader.broken_engines.compilers import ENGINES, LEAVES, RIGHT, outcomes_of
from grader.course import catalogue
from grader.probes.recipe import recipes_of

PROBES = {probe.name.removeprefix("catches_"): probe for probe in catalogue.exercise("15.8").probes}


def twice_read(x, y):
    e = x.exp()
    return e.tanh() * e


FUNCTIONS = {  # and who is wrong about it
    "product": (lambda x, y: x * y, []),
    "number": (lambda x, y: 3 - x, ["Cleo"]),
    "number below": (lambda x, y: x / 4 - 1, []),
    "settings": (lambda x, y: (x + 1) * (x - 2) / (x * 3) * (x * 4), ["Ada"]),
    "square": (lambda x, y: x**2 + x**3, []),
    "equal constants": (lambda x, y: 3 / x + 3 / x, ["Cleo"]),
    "matrices": (lambda x, y: x @ y, []),
    "a matrix of its own": (lambda x, y: y @ (x / y), ["Dora"]),
    "a vector": (lambda x, y: (x / y).sum(0) @ (x * y), []),
    "axes": (lambda x, y: x.sum(0) - x.sum(1), ["Ada"]),
    "keepdims": (lambda x, y: x.max(0, keepdims=True) + x.max(0) * y, []),
    "exponents": (lambda x, y: x**4 + x**3, ["Ada"]),
    "read later": (twice_read, ["Ben"]),
    "of another shape": (lambda x, y: x.sum() * (x.log() / x.sum()) - x.sigmoid().relu(), []),
}


@pytest.mark.parametrize(("function", "wrong"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_who_is_wrong(function, wrong):
    found = outcomes_of(function)
    assert found.pop("right") == 0.0 and list(found) == list(ENGINES)
    assert [name for name, off in found.items() if off > 1e-6] == wrong


@pytest.mark.parametrize("function", [function for function, _ in FUNCTIONS.values()], ids=FUNCTIONS)
def test_the_right_numbers_are_those_of_tensors(function):
    recipe = recipes_of(lambda x, y: [function(x, y)], **LEAVES)[0]
    first, given = compilers.matrices(1), compilers.matrices(2)
    wanted = function(*map(Tensor, given.values())).data
    np.testing.assert_allclose(compilers.compiled(recipe, RIGHT, first, given), wanted, rtol=1e-12)
    np.testing.assert_allclose(compilers.eager(recipe, given)[-1], wanted, rtol=1e-12)


ON_THE_PAGE = {"+ number": "addscalar", "* number": "mulscalar", "/ number": "divscalar", "**": "powerscalar"}
ON_THE_PAGE |= {"+": "add", "-": "sub", "*": "mul", "/": "div", "@": "matmul", "sum": "summation"}


@pytest.mark.parametrize("function", [function for function, _ in FUNCTIONS.values()], ids=FUNCTIONS)
def test_a_program_of_the_hunt_is_the_one_that_trace_prints(function):
    recipe = recipes_of(lambda x, y: [function(x, y)], **LEAVES)[0]
    steps = compilers.as_traced(recipe)
    lines = [(ON_THE_PAGE.get(kind, kind), constants_of(places, steps)) for kind, places, _ in steps if places]
    page = trace(function, *map(Tensor, compilers.matrices(1).values()))
    traced = [(line.function.name().lower(), [name in page.constants for name in line.inputs]) for line in page.lines]
    assert lines == traced


def constants_of(places, steps):
    return [steps[place][0] == "number" for place in places]


def told(name, build):
    return PROBES[name].compare({}, {"recipe": recipes_of(lambda x, y: [build(x, y)], **LEAVES)[0]})


@pytest.mark.parametrize("name", PROBES)
def test_of_a_function_that_gives_it_away_nothing_is_said(name):
    assert told(name, lambda x, y: (lambda d: d**3 @ d**4)(2 / x)) is None


@pytest.mark.parametrize("name", PROBES)
def test_what_is_said_where_the_numbers_are_right(name):
    assert told(name, lambda x, y: x * y) == (
        f"It returned x * y, and {name}'s program gives the right numbers. {catalogue_look(name)}"
    )


def catalogue_look(name):
    from grader.course import folders

    return folders.load("15", "marking").LOOK[name]


def test_what_is_said_of_what_cannot_be_played():
    assert ", which has 5 operations; 4 are allowed." in told("Ada", lambda x, y: x * 2 * 3 * 4 * 5 * y)
    assert "which cannot be computed" in told("Ada", lambda x, y: x.sum(0) @ y.sum(0, keepdims=True))
    assert "not all numbers are finite" in told("Ada", lambda x, y: (x - 5).log())
    assert "an expression of x and y was expected" in PROBES["Ada"].compare({}, {"recipe": None})

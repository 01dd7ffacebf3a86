"""The hunt of notebook 14: wrong ways to multiply by a Hessian, and what is said of a question that misses one."""

import numpy as np
import pytest

import babygrad as bg
from babygrad import higher
from grader.broken_engines.second_orders import LEAVES, products, products_of
from grader.course import catalogue
from grader.marking.play import play
from grader.probes.recipe import recipe_of

PROBES = {probe.name.removeprefix("catches_"): probe for probe in catalogue.exercise("14.7").probes}
QUESTIONS = {
    "exp": lambda x, y: x.exp() * y,
    "quotient": lambda x, y: x / y - 2 / x,
    "power": lambda x, y: (x * y) ** 3 + 1,
    "root": lambda x, y: (y - x) ** 0.5 + x**0 + y**1,
    "tanh, relu": lambda x, y: (x.tanh() - 5 * y).relu() + (y - x).tanh().relu(),
    "sigmoid, log": lambda x, y: (x * y).sigmoid() * y.log(),
    "sin": lambda x, y: 3 - (x * y).sin(),
}


def told(name, build, vector, speed=None):
    """speed: of x, as it was given; None: the vector's own."""
    asked = {"speed": vector[0] if vector and speed is None else speed}
    return PROBES[name].compare({"asked": asked}, {"recipe": recipe_of(build, **LEAVES), "vector": vector})


@pytest.mark.parametrize("build", QUESTIONS.values(), ids=QUESTIONS)
def test_the_right_one_is_right(build):
    recipe, vector = recipe_of(build, **LEAVES), [1.5, -0.5]
    if build is not QUESTIONS["sin"]:  # a Tensor has none
        leaves = [bg.Tensor(number) for number in LEAVES.values()]
        mine = higher.hvp(build, leaves, vector)
        np.testing.assert_allclose(products(recipe, vector)["right"], [p.item() for p in mine], rtol=1e-12)
    found, of_function = products(recipe, vector), products_of(build, vector)
    assert all(np.array_equal(found[name], of_function[name]) for name in found)


def test_sin_bends_as_nudging_says():
    recipe = recipe_of(QUESTIONS["sin"], **LEAVES)
    h, (x, y) = 1e-4, LEAVES.values()

    def wave(x, y):
        return 3 - np.sin(x * y)

    bends = (wave(x + h, y) - 2 * wave(x, y) + wave(x - h, y)) / h**2
    assert np.isclose(products(recipe, [1, 0])["right"][0], bends, rtol=1e-5)
    assert play(recipe, lambda number: bg.Value(number))[0].data == wave(x, y)


@pytest.mark.parametrize("name", PROBES)
def test_of_a_question_that_gives_it_away_nothing_is_said(name):
    assert told(name, lambda x, y: x.exp() * y, [1, 0]) is None


@pytest.mark.parametrize(
    ("name", "vector", "words"),
    [
        ("Ada", [1, 1], "Ada finds [1.0, 1.0], which is right. Ada adds up the rows"),
        ("Ben", [1, 0], "Ben finds [0.0, 1.0], which is right. Ben takes local derivatives"),
        ("Cleo", [1, 1], "Cleo finds [1.0, 1.0], which is right. Cleo's product points"),
        ("Ada", [0, 0], "Ada finds [0.0, 0.0], which is right"),
        ("Ada", [11, 0], "must be from -10 to 10"),
        ("Ada", [1, 0, 0], "A pair was expected"),
        ("Ada", None, "A pair was expected"),
    ],
)
def test_what_is_said_of_a_product(name, vector, words):
    assert words in told(name, lambda x, y: x * y, vector)


def test_what_is_said_of_what_cannot_be_played():
    assert ", which has 3 operations; 2 are allowed." in told("Ada", lambda x, y: x * y + x * 2, [1, 0])
    assert "which has no second derivatives" in told("Ada", lambda x, y: x / (y - 3), [1, 0])
    assert "which has no second derivatives" in told("Ada", lambda x, y: (x - y).log(), [1, 0])
    assert "an expression of x and y was expected" in PROBES["Ada"].compare({}, {"recipe": None, "vector": [1, 0]})


def test_x_moves_as_fast_as_was_said():
    assert "It must begin with 3." in told("Ada", lambda x, y: x.exp() * y, [1, 0], speed=3)

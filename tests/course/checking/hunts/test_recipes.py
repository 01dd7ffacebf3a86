"""Expressions of hunts: what comes back from the learner's function, and that it is an expression."""

import numpy as np
import pytest

from grader.asking.answers import Form
from grader.marking.play import complaint, play
from grader.probes.recipe import RecipeError, as_text, operations, recipe_of, recipes_of


def test_an_expression_is_written_down():
    recipe = recipe_of(lambda a, b: a * b + a, a=2.0, b=-3.0)
    assert operations(recipe) == 2
    assert as_text(recipe) == "(a * b) + a"


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_bare_leaf_is_no_expression_and_is_named(name):
    found = recipe_of(lambda a, b: {"a": a, "b": b}[name], a=2.0, b=-3.0)
    assert found == Form(f"{name} itself, without an operation")


def test_what_is_not_used_is_left_out():
    def with_a_leftover(a, b):
        a * 5
        return a + b

    assert operations(recipe_of(with_a_leftover, a=2.0, b=-3.0)) == 1


SHAPES = {"x": (2, 3), "w": (3, 2)}


def recorded(build):
    (recipe,) = recipes_of(lambda x, w: [build(x, w)], **SHAPES)
    return recipe


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda x, w: x @ w, "x @ w"),
        (lambda x, w: x.sum(), "x.sum()"),
        (lambda x, w: x.sum(0) * 2, "x.sum(0) * 2"),
        (lambda x, w: x.max(axis=-1, keepdims=True), "x.max(-1, keepdims=True)"),
        (lambda x, w: 5 - (x @ w).tanh(), "5 - ((x @ w).tanh())"),
    ],
)
def test_an_expression_of_arrays_is_written_down_and_played(build, text):
    recipe = recorded(build)
    assert as_text(recipe) == text
    assert complaint(recipe, {name: list(shape) for name, shape in SHAPES.items()}, most=3) is None
    if ".tanh" not in text:  # an array has no method of that name
        result, leaves = play(recipe, np.ones)
        assert np.array_equal(result, build(leaves["x"], leaves["w"]))


def test_what_is_used_twice_is_not_called_as_a_leaf_is():
    recipe = recipe_of(lambda x, y: (lambda t: t + t * y)(x * y), x=2.0, y=3.0)
    assert as_text(recipe) == "z + (z * y) with z = x * y"


def test_several_expressions_each_have_a_recipe_of_their_own():
    one, other, nothing = recipes_of(lambda x, w: (x * 2, w + 1, 7), **SHAPES)
    assert [as_text(one), as_text(other), nothing] == ["x * 2", "w + 1", 7]


def test_a_single_expression_is_no_list():
    assert recipes_of(lambda x, w: x + 1, **SHAPES) == Form("x + 1, a single expression")


def test_leaves_that_are_numbers_know_no_sums():
    with pytest.raises(AttributeError, match=r"no \.sum here"):
        recipe_of(lambda a: a.sum(), a=2.0)


@pytest.mark.parametrize("build", [lambda x, w: x.sum((0, 1)), lambda x, w: x @ 3, lambda x, w: x.max("0")])
def test_what_an_array_cannot_do_in_a_hunt_is_said(build):
    with pytest.raises(TypeError):
        recorded(build)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda x, w: x > 0, "there is no > here. A leaf"),
        (lambda x, w: x[0], r"there is no \[\] here. A leaf"),
        (lambda x, w: abs(x), r"there is no abs\(\) here. A leaf"),
        (lambda x, w: 2**x, r"there is no power of a number, such as 2 \*\* x, here. A leaf"),
        (lambda x, w: 3 @ x, "there is no @ with a number or an array here. A leaf"),
        (lambda x, w: x**w, "the exponent of .. must be a plain number, such as 2, but w was given"),
        (lambda x, w: x.T, "there is no .T here"),
    ],
)
def test_a_leaf_says_what_it_cannot_write_down(build, words):
    with pytest.raises((TypeError, AttributeError), match=words):
        recorded(build)


@pytest.mark.parametrize("build", [lambda x, w: x.sum(axis=0), lambda x, w: x.sum(0)])
def test_the_axis_of_a_sum_goes_by_either_name(build):
    assert as_text(recorded(build)) == "x.sum(0)"


@pytest.mark.parametrize(
    "step",
    [
        ["sum", 0],
        ["sum", 0, "0", False],
        ["sum", 0, 1.5, False],
        ["max", 0, 0, 1],
        ["@", 0],
        ["@", 0, 1],
        ["tanh", 0, 0],
        ["**", 0, None],
        ["leaf", "y", ["2"]],
    ],
    ids=str,
)
def test_a_step_that_is_not_well_formed_is_refused(step):
    with pytest.raises(RecipeError):
        operations([["leaf", "x", [2, 3]], step])

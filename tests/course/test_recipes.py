"""Expressions of hunts: what comes back from the learner's function, and that it is an expression."""

import pytest

from grader.exercise import Form
from grader.recipe import as_text, operations, record


def test_an_expression_is_written_down():
    recipe = record(lambda a, b: a * b + a, a=2.0, b=-3.0)
    assert operations(recipe) == 2
    assert as_text(recipe) == "(a * b) + a"


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_bare_leaf_is_no_expression_and_is_named(name):
    found = record(lambda a, b: {"a": a, "b": b}[name], a=2.0, b=-3.0)
    assert found == Form(f"{name} itself, without an operation")


def test_what_is_not_used_is_left_out():
    def with_a_leftover(a, b):
        a * 5
        return a + b

    assert operations(record(with_a_leftover, a=2.0, b=-3.0)) == 1

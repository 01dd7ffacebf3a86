"""The twelve engines of notebook 13: the right one is right, and each of the others has one fault of its own."""

import numpy as np
import pytest

import babygrad as bg
from grader.broken_engines.sabotaged_engines import (
    ENGINES,
    LEAVES,
    SHAPES,
    Right,
    given_away,
    given_away_by_each,
    walked_twice,
)
from grader.course import catalogue


def near_and_far(x, **_):
    square = x * x
    return square * (square * 3)


EXPRESSIONS = {
    "5 - x": (lambda x, **_: 5 - x, [1]),
    "x / row": (lambda x, row, **_: x / row, [2]),
    "x.tanh()": (lambda x, **_: x.tanh(), [3]),
    "x.relu()": (lambda x, **_: x.relu(), [4]),
    "x + col": (lambda x, col, **_: x + col, [5]),
    "x.sum(0)": (lambda x, **_: x.sum(0), [6]),
    "batch @ w": (lambda w, batch, **_: batch @ w, [7]),
    "x * x": (lambda x, **_: x * x, [8]),
    "used near and far": (near_and_far, [8, 9, 11]),
    "an array with two owners": (lambda x, **_: (x + x.exp()) + x, [8, 10, 11]),
    "x.exp() * 2": (lambda x, **_: x.exp() * 2, [11]),
    "x.max()": (lambda x, **_: x.max(), [12]),
    "x.exp()": (lambda x, **_: x.exp(), []),
    "x - row": (lambda x, row, **_: x - row, []),
    "x @ w": (lambda x, w, **_: x @ w, []),
    "x @ row": (lambda x, row, **_: x @ row, []),
    "x.sum(1)": (lambda x, **_: x.sum(1), []),
    "x.sum()": (lambda x, **_: x.sum(), []),
    "x.max(0)": (lambda x, **_: x.max(0), []),
    "x.sigmoid()": (lambda x, **_: x.sigmoid(), []),
    "x ** 3": (lambda x, **_: x**3, []),
}
each_expression = pytest.mark.parametrize(("build", "found"), EXPRESSIONS.values(), ids=EXPRESSIONS)


@each_expression
def test_an_expression_gives_away_these_engines_and_no_others(build, found):
    assert given_away(lambda *leaves: build(**dict(zip(LEAVES, leaves)))) == found


@each_expression
def test_the_right_engine_is_right(build, found):
    leaves = {name: bg.Tensor(numbers) for name, numbers in LEAVES.items()}
    out = build(**leaves)
    for _ in range(2):
        out.backward(np.arange(1.0, out.size + 1).reshape(out.shape))
    nodes = {name: Right(numbers) for name, numbers in LEAVES.items()}
    answers = walked_twice(build(**nodes), nodes)
    np.testing.assert_allclose(answers["result"], out.data, rtol=1e-12)
    for name, leaf in leaves.items():
        if leaf.grad is None:
            assert answers[name] is None
        else:
            np.testing.assert_allclose(answers[name], leaf.grad, rtol=1e-12)


def test_the_answer_of_the_reference_gives_away_all_twelve():
    found = given_away_by_each(bg.hunts.expressions_for_twelve_engines)
    assert set().union(*found) == set(ENGINES) == set(range(1, 13))


def logarithm(x, row, col, w, batch):
    return x.log()


REFUSED = {
    "not finite": (logarithm, r"x\.log\(\) gives numbers that are not finite"),
    "six operations": (lambda x, row, col, w, batch: x + 1 + 2 + 3 + 4 + 5 + 6, "6 operations, and 5 are allowed"),
    "thirteen": (lambda x, *others: sum([x + i for i in range(7)]), "is an expression of 14 operations, and 5 are"),
    "a leaf": (lambda x, row, col, w, batch: x, "x itself, without an operation, but an expression with at least one"),
    "a plain number": (lambda x, row, col, w, batch: 3, "3, but an expression with at least one operation"),
    "nothing": (lambda x, row, col, w, batch: None, "is `return` missing"),
    "a list": (lambda x, row, col, w, batch: [x + 1], "given_away_by_each"),
    "two leaves": (lambda x, row: x + row, "takes x, row, col, w, batch, in this order, even if it needs only some"),
    "shapes that do not fit": (lambda x, row, col, w, batch: x @ row.sum(), "@ takes arrays with at least one axis"),
    "an unknown function": (lambda x, row, col, w, batch: x.sqrt(), "there is no .sqrt here"),
}


@pytest.mark.parametrize(("idea", "words"), REFUSED.values(), ids=REFUSED)
def test_an_idea_that_cannot_be_asked_is_refused_in_words(idea, words):
    with pytest.raises((ValueError, AttributeError), match=words):
        given_away(idea)


def test_a_list_with_an_expression_that_cannot_be_asked_is_refused():
    with pytest.raises(ValueError, match="not finite"):
        given_away_by_each(lambda *leaves: [logarithm(*leaves)])


def test_one_expression_is_no_list():
    with pytest.raises(ValueError, match="a list of expressions was expected, but x"):
        given_away_by_each(logarithm)


def test_an_idea_may_call_its_leaves_as_it_likes():
    assert given_away(lambda a, b, c, d, e: a * a) == [8]


def test_the_exercise_gives_leaves_of_the_shapes_that_the_engines_have_numbers_for():
    (hunt,) = (ex for ex in catalogue.exercises_of("13") if ex.id == "13.4")
    assert hunt.probes[0].function.__globals__["SHAPES"] == SHAPES

"""The hunt of notebook 16: broken attentions, and what is said of an input that gives nobody, or too many, away."""

import numpy as np
import pytest

import babygrad as bg
from babygrad.transformer import causal_mask, scaled_dot_product_attention
from grader.broken_engines import attentions
from grader.course import catalogue

PROBES = {probe.name.removeprefix("only_"): probe for probe in catalogue.exercise("16.10").probes}
VALUE = [[1], [0]]
GOOD = {
    "Ada": [[[10, 0], [0, 1]], [[10, 0], [0, 1]], VALUE],
    "Ben": [[[10], [1]], [[-1], [-10]], VALUE],
    "Cleo": [[[10], [1]], [[10], [10]], VALUE],
}


def told(name, inputs):
    return PROBES[name].compare({}, {f"the input for {name}": inputs})


def drawn(seed):
    rng = np.random.default_rng(seed)
    rows, size, of_value = rng.integers(1, 4), rng.integers(1, 3), rng.integers(1, 3)
    return [rng.integers(-10, 11, (rows, count)).tolist() for count in (size, size, of_value)]


@pytest.mark.parametrize("seed", range(20))
def test_the_right_one_is_right(seed):
    inputs = drawn(seed)
    mine = scaled_dot_product_attention(*map(bg.Tensor, inputs), causal_mask(len(inputs[0])))
    np.testing.assert_allclose(attentions.ATTENTIONS["right"](*inputs), mine.data, rtol=1e-12, atol=1e-14)


def test_each_of_the_others_is_right_now_and_then_and_wrong_now_and_then():
    wrong = {name: [attentions.differ(drawn(seed), name) for seed in range(60)] for name in attentions.WRONG}
    assert all(0 < sum(found) < 60 for found in wrong.values()), wrong


@pytest.mark.parametrize("name", PROBES)
def test_of_an_input_that_gives_one_away_nothing_is_said(name):
    assert told(name, GOOD[name]) is None
    for other in PROBES.keys() - {name}:
        assert f"{other}'s attention returns" in told(other, GOOD[name])


@pytest.mark.parametrize(
    ("name", "inputs", "words"),
    [
        ("Ada", [[[1]], [[1]], [[1]]], "Ada's attention returns [[1.0]], which is right."),
        ("Ben", [[[1, 2], [2, -1]], [[1, 1], [0, 1]], VALUE], "away, but Ada's and Cleo's too: Ada's returns"),
        ("Ben", None, "it should be three lists (query, key, value)"),
        ("Ben", [[[1]], [[1]]], "it should be three lists (query, key, value)"),
        ("Ben", [[[1], [2]], [[1]], [[1], [2]]], "so as many rows"),
        ("Ben", [[[1]], [[1, 2]], [[1]]], "the rows of query and of key should be equally long"),
        ("Cleo", [[[11]], [[1]], [[1]]], "numbers from -10 to 10"),
        ("Cleo", [[[float("nan")]], [[1]], [[1]]], "numbers from -10 to 10"),
        ("Cleo", [[["a"]], [[1]], [[1]]], "numbers from -10 to 10"),
        ("Cleo", [[[1]] * 4] * 3, "a list of 1 to 3 rows"),
        ("Cleo", [[[1], [1, 2]]] * 3, "a list of 1 to 3 rows"),
        ("Cleo", [[[1, 2, 3]]] * 3, "each row a list of 1 or 2 numbers"),
    ],
)
def test_what_is_said(name, inputs, words):
    assert words in told(name, inputs)


def test_what_is_said_of_something_else():
    assert 'keys "Ada", "Ben" and "Cleo"' in PROBES["Ada"].compare({}, {"the answer": "a list of 3"})

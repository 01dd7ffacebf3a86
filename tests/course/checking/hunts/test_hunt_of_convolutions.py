"""The hunt of notebook 17: broken convolutions, and what is said of a question that gives nobody, or too many, away."""

import numpy as np
import pytest

import babygrad as bg
from babygrad.conv import conv2d
from grader.broken_engines import convolutions
from grader.course import catalogue

PROBES = {probe.name.removeprefix("only_"): probe for probe in catalogue.exercise("17.7").probes}
PICTURE, ONES = [[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 1], [1, 1]]
GOOD = {
    "Ada": [PICTURE, [[1, 0], [0, 0]], 2, 0],
    "Ben": [PICTURE, ONES, 1, 0],
    "Cleo": [[[1, 2], [3, 4]], ONES, 2, 1],
}


def told(name, question):
    return PROBES[name].compare({}, {f"the question for {name}": question})


def drawn(seed):
    rng = np.random.default_rng(seed)
    size, padding = int(rng.integers(1, 4)), int(rng.integers(0, 3))
    shape = rng.integers(max(1, size - 2 * padding), 5, 2)
    picture, filter = rng.integers(-10, 11, shape), rng.integers(-10, 11, (size, size))
    return [picture.tolist(), filter.tolist(), int(rng.integers(1, 4)), padding]


@pytest.mark.parametrize("seed", range(20))
def test_the_right_one_is_right(seed):
    picture, filter, stride, padding = drawn(seed)
    x = bg.Tensor([[picture]])
    out = conv2d(x, bg.Tensor([[filter]]), None, stride, padding)
    out.backward(np.arange(1.0, out.size + 1).reshape(out.shape))
    answer, gradient = convolutions.CONVOLUTIONS["right"](picture, filter, stride, padding)
    np.testing.assert_allclose(answer, out.data[0, 0], atol=1e-9)
    np.testing.assert_allclose(gradient, x.grad[0, 0], atol=1e-9)


def test_each_of_the_others_is_right_now_and_then_and_wrong_now_and_then():
    wrong = {name: [convolutions.differ(drawn(seed), name) for seed in range(80)] for name in convolutions.WRONG}
    assert all(0 < sum(found) < 80 for found in wrong.values()), wrong


def test_nobody_goes_wrong_where_there_is_nothing_to_get_wrong():
    asked = [(drawn(seed), name) for seed in range(80) for name in convolutions.WRONG]
    assert all(convolutions.could_differ(*each) for each in asked if convolutions.differ(*each))


@pytest.mark.parametrize(
    ("name", "question", "words"),
    [
        ("Ada", [[[1]], [[0, 0, 5], [0, 1, 0], [0, 0, 0]], 1, 1], "this one does look different then"),
        ("Ada", [[[1]], [[2]], 1, 1], "Does this one look any different then?"),
        ("Ben", [PICTURE, [[1, 0], [0, 0]], 1, 0], "where windows overlap, and these do."),
        ("Ben", [PICTURE, ONES, 2, 0], "Does any number of the picture lie in two of them?"),
        ("Ben", [[[1]], ONES, 3, 2], "Does any number of the picture lie in two of them?"),
        ("Cleo", [[[1, 2], [3, 4]], [[0, 0], [0, 1]], 3, 1], "windows do reach into it. But all that leaks in"),
        ("Cleo", [[[1, 2], [3, 4]], [[0, 0, 0], [0, 1, 0], [0, 0, 0]], 2, 1], "windows do reach into it."),
        ("Cleo", [[[1, 2], [3, 4]], ONES, 1, 0], "Is there any padding?"),
    ],
)
def test_why_nothing_shows_is_true(name, question, words):
    assert words in told(name, question)


@pytest.mark.parametrize("name", PROBES)
def test_of_a_question_that_gives_one_away_nothing_is_said(name):
    assert told(name, GOOD[name]) is None
    for other in PROBES.keys() - {name}:
        assert f"{other}'s answer and gradient are right" in told(other, GOOD[name])


@pytest.mark.parametrize(
    ("name", "question", "words"),
    [
        ("Ada", [[[1]], [[1]], 1, 0], "Ada's answer and gradient are right: [[1.0]], and the gradient [[1.0]]."),
        ("Ben", [PICTURE, [[1, 2], [3, 4]], 1, 0], "gives Ben's convolution away, but Ada's too: Ada finds"),
        ("Ada", [PICTURE, [[1, 2], [3, 4]], 1, 0], "Windows overlap, and he keeps the last share alone."),
        ("Ben", None, "it should be four things (picture, filter, stride, padding)"),
        ("Ben", [[[1]], [[1]]], "it should be four things (picture, filter, stride, padding)"),
        ("Ben", [[[1], [1, 2]], [[1]], 1, 0], "picture should be a list of 1 to 4 rows, equally long"),
        ("Ben", [[[1, 2, 3, 4, 5]], [[1]], 1, 0], "picture should be a list of 1 to 4 rows, equally long"),
        ("Ben", [[[11]], [[1]], 1, 0], "numbers from -10 to 10"),
        ("Cleo", [[[float("nan")]], [[1]], 1, 0], "numbers from -10 to 10"),
        ("Cleo", [[["a"]], [[1]], 1, 0], "numbers from -10 to 10"),
        ("Cleo", [[[1]], [[1, 2]], 1, 0], "filter should be a list of 1 to 3 rows, as long as there are rows"),
        ("Cleo", [[[1]], [[1]], 4, 0], "stride should be a whole number from 1 to 3"),
        ("Cleo", [[[1]], [[1]], 1.0, 0], "stride should be a whole number from 1 to 3"),
        ("Cleo", [[[1]], [[1]], 1, 3], "padding should be a whole number from 0 to 2"),
        ("Cleo", [[[1]], [[1, 1], [1, 1]], 1, 0], "the filter should fit into the picture with its padding"),
    ],
)
def test_what_is_said(name, question, words):
    assert words in told(name, question)


def test_what_is_said_of_something_else():
    assert 'keys "Ada", "Ben" and "Cleo"' in PROBES["Ada"].compare({}, {"the answer": "a list of 3"})

"""Notebook 00's first picture tells the truth: a net of 33 numbers, trained on this engine, draws these boundaries."""

from itertools import pairwise

import numpy as np

from babygrad import nn, optim
from babygrad.losses import binary_cross_entropy_with_logits
from babygrad.tensor import Tensor
from babygrad.warmup import sides
from toolbox.data.sets import make_moons
from toolbox.films import moons


def trained():
    """{step: the net's 33 numbers}, for the steps that are drawn."""
    points, labels = make_moons()
    model = nn.MLP([2, moons.HIDDEN, 1], activation="tanh", rng=np.random.default_rng(0))
    optimizer = optim.SGD(list(model.parameters()), lr=1)
    found = {}
    for step in range(max(moons.LEARNED) + 1):
        found[step] = np.concatenate([p.data.ravel() for p in model.parameters()])
        optimizer.zero_grad()
        binary_cross_entropy_with_logits(model(Tensor(points)), labels.reshape(-1, 1)).backward()
        optimizer.step()
    return {step: found[step] for step in moons.LEARNED}


def test_the_numbers_are_those_of_a_training_on_this_engine():
    for step, numbers in trained().items():
        written = np.concatenate([np.ravel(part) for part in moons.weights_after(step)])
        np.testing.assert_allclose(written, numbers, atol=0.006)  # two digits are written down


def test_the_boundary_gets_better_and_in_the_end_all_points_are_right():
    points, labels = make_moons()
    right = [int(np.sum((moons.scores_after(step, points) > 0) == (labels == 1))) for step in moons.LEARNED]
    assert right == sorted(right) and right[0] == 50 and right[-1] == 100 and len(right) == 25


def test_the_moments_are_close_together_where_much_happens():
    steps = list(moons.LEARNED)
    assert steps == sorted(steps) and steps[0] == 0 and steps[-1] == 400
    assert max(after - before for before, after in pairwise(steps)) == 50 and steps.index(10) >= 5


def test_it_says_what_the_notebook_says_of_some_moments():
    said = dict(zip(moons.LEARNED, (frame.sentence for frame in moons.moons_learned().frames)))
    assert "86 of 100" in said[10] and "nearly straight" in said[10]
    assert "50 of 100" in said[0] and "calls every point a circle" in said[0]
    assert all(step in moons.LEARNED for step in moons.NOTES)


def test_the_line_is_nearly_straight_after_ten_steps_and_winds_in_the_end():
    """How high the boundary is at three places tells how much it bends between them."""
    heights, bend = np.linspace(-3, 3, 6001), {}
    for step in (10, 400):
        up = [heights[np.argmax(moons.scores_after(step, column(x, heights)) < 0)] for x in (-0.5, 0.0, 0.5)]
        bend[step] = abs(up[0] + up[2] - 2 * up[1])
    assert bend[10] < 0.05 and bend[400] > 0.9


def column(x, heights):
    return np.stack([np.full(len(heights), x), heights], axis=1)


def test_no_straight_line_does_better_than_the_notebook_says():
    points, labels = make_moons()
    slopes, starts = np.meshgrid(np.linspace(-2, 3, 501), np.linspace(-1.5, 2, 701))
    right = sum((y <= slopes * x + starts) == label for (x, y), label in zip(points, labels))
    assert slopes.size > 350_000 and right.max() == 90
    assert sum(side == label for side, label in zip(sides(points, 0.19, 0.06), labels)) == 90

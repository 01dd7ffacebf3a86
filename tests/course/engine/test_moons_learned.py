"""Notebook 00's first picture tells the truth: a net of 33 numbers, trained on this engine, draws these borders."""

import numpy as np
import pytest

from babygrad import nn, optim
from babygrad.data import make_moons
from babygrad.losses import binary_cross_entropy_with_logits
from babygrad.tensor import Tensor
from babygrad.viz import moons
from babygrad.warmup import sides


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


def test_the_border_gets_better_and_in_the_end_all_points_are_right():
    points, labels = make_moons()
    right = [int(np.sum((moons.scores_after(step, points) > 0) == (labels == 1))) for step in moons.LEARNED]
    assert right == sorted(right) and right[0] == 50 and right[-1] == 100


def test_each_picture_says_how_many_are_right():
    plt = pytest.importorskip("matplotlib.pyplot")
    titles = [ax.get_title() for ax in moons.plot_moons_learned().flat]
    plt.close("all")
    assert titles == [f"after {step} steps: {n} of 100 right" for step, n in [(0, 50), (10, 86), (100, 92), (400, 100)]]


def test_no_straight_line_does_better_than_the_notebook_says():
    points, labels = make_moons()
    slopes, starts = np.meshgrid(np.linspace(-2, 3, 501), np.linspace(-1.5, 2, 701))
    right = sum((y <= slopes * x + starts) == label for (x, y), label in zip(points, labels))
    assert slopes.size > 350_000 and right.max() == 90
    assert sum(side == label for side, label in zip(sides(points, 0.19, 0.06), labels)) == 90

"""The pictures of a training: labelled, told apart without colour, drawn in a moment, on a card of their own."""

import subprocess
import sys

import matplotlib
import numpy as np
import pytest

from babygrad import MLP, plot_decision_boundary, plot_losses
from grader.places import REFERENCE

matplotlib.use("Agg")

POINTS = np.array([[0.0, 0.0], [1.0, 0.5], [2.0, 1.0], [0.5, 2.0]])
LABELS = np.array([-1, -1, 1, 1])


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def test_losses_are_labelled_and_one_curve_needs_no_legend():
    ax = plot_losses([3.0, 2.0, 1.0])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("step", "loss")
    assert ax.get_legend() is None


def test_several_losses_differ_in_colour_and_in_dashes():
    ax = plot_losses({"right": [3, 2], "wrong": [3, 4], "neither": [3, 3]})
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["right", "wrong", "neither"]
    assert len({(line.get_color(), line.get_linestyle()) for line in ax.lines}) == 3
    assert len({line.get_linestyle() for line in ax.lines}) == 3


def test_a_loss_that_explodes_leaves_the_rest_of_its_curve():
    (line,) = plot_losses([1.0, 2.0, float("inf"), float("nan")]).lines
    assert np.isfinite(line.get_ydata()).tolist() == [True, True, False, False]


def test_a_boundary_asks_a_network_of_values_point_by_point():
    ax = plot_decision_boundary(MLP(2, [3, 1], rng=np.random.default_rng(0)), POINTS, LABELS, resolution=5)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x₀", "x₁")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["label -1", "label 1"]


def test_a_boundary_asks_a_function_once_for_all_places():
    asked = []

    def predict(places):
        asked.append(places.shape)
        return places[:, :1] - 1.0

    plot_decision_boundary(predict, POINTS, LABELS, resolution=7)
    assert asked == [(49, 2)]


def test_the_two_labels_have_different_markers():
    ax = plot_decision_boundary(lambda places: places[:, 0], POINTS, LABELS, resolution=4)
    marks = [c.get_paths()[0].vertices.shape for c in ax.collections if len(c.get_offsets()) == 2]
    assert len(set(marks)) == 2


def test_a_network_that_sees_one_side_only_is_drawn_too():
    plot_decision_boundary(lambda places: np.ones(len(places)), POINTS, LABELS, resolution=4)


def test_the_card_has_a_colour_of_its_own():
    ax = plot_losses([1.0, 0.5])
    assert (
        matplotlib.colors.to_hex(ax.get_facecolor()) == matplotlib.colors.to_hex(ax.figure.get_facecolor()) == "#ffffff"
    )


def test_importing_the_package_imports_no_pyplot_and_no_progress_bar():
    use = "babygrad.plot_losses, babygrad.MLP, babygrad.make_moons"
    heavy = "{'matplotlib', 'sklearn', 'tqdm'} & sys.modules.keys()"
    code = f"import sys, babygrad; {use}; print({heavy})"
    run = subprocess.run([sys.executable, "-c", code], cwd=REFERENCE, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"

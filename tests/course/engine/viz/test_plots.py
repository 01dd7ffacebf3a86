"""The pictures of a training: labelled, told apart without colour, drawn in a moment, on a card of their own."""

import subprocess
import sys

import matplotlib
import numpy as np
import pytest

from babygrad import nn
from babygrad.normalize import Dropout
from babygrad.scalar_nn import MLP
from grader.course.paths import REFERENCE
from toolbox import plot_decision_boundary, plot_losses, plot_training

matplotlib.use("Agg")

POINTS = np.array([[0.0, 0.0], [1.0, 0.5], [2.0, 1.0], [0.5, 2.0]])
LABELS = np.array([-1, -1, 1, 1])
HISTORY = {"loss": [3.0, 2.0], "accuracy": [0.5, 0.75], "lr": [0.1, 0.1]}
VALIDATED = {**HISTORY, "val_loss": [4.0, 3.0], "val_accuracy": [0.25, 0.5]}


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


def shades(ax):
    """The fill colours of the sides, as they are seen at the centre of each place of a coarse grid."""
    ax.figure.canvas.draw()
    for collection in [c for c in ax.collections if len(c.get_offsets()) > 1] + list(ax.lines):
        collection.set_visible(False)
    ax.get_legend().set_visible(False)
    ax.figure.canvas.draw()
    image = np.asarray(ax.figure.canvas.buffer_rgba())[..., :3]
    box = ax.get_window_extent()
    columns = np.linspace(box.x0, box.x1, 9)[1:-1:2].astype(int)
    rows = (image.shape[0] - np.linspace(box.y0, box.y1, 9)[1:-1:2]).astype(int)
    return [["#" + bytes(image[row, column]).hex() for column in columns] for row in rows]


ORANGE, BLUE, GREEN = "#f6d3bd", "#bcd9ec", "#bfe6da"


def splitting_net(columns):
    """A net with scores x @ columns."""
    net = nn.Sequential(nn.Linear(2, len(columns[0]), bias=False))
    net.layers[0].weight.data[...] = columns
    return net


@pytest.mark.parametrize(
    ("model", "left", "right"),
    [
        (splitting_net([[0.0, 1.0], [0.0, 0.0]]), ORANGE, BLUE),
        (splitting_net([[1.0, 0.0], [0.0, 0.0]]), BLUE, ORANGE),
        (splitting_net([[1.0], [0.0]]), ORANGE, BLUE),
        (lambda places: places[:, 0], ORANGE, BLUE),
        (lambda places: np.stack([places[:, 0], -places[:, 0]], axis=1), BLUE, ORANGE),
    ],
    ids=["two scores", "two scores, the other way round", "one score", "function", "function with two scores"],
)
def test_each_side_has_the_shade_of_the_class_with_the_highest_score(model, left, right):
    points = np.array([[-2.0, -1.0], [2.0, 1.0], [-1.0, 1.0], [1.0, -1.0]])
    for row in shades(plot_decision_boundary(model, points, [0, 1, 0, 1])):
        assert row == [left, left, right, right]


def test_three_classes_have_three_sides():
    points = np.array([[-2.0, 0.0], [0.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
    net = nn.Sequential(nn.Linear(2, 3))
    net.layers[0].weight.data[...] = [[-4.0, 0.0, 4.0], [0.0, 0.0, 0.0]]
    net.layers[0].bias.data[...] = [-4.0, 0.0, -4.0]
    ax = plot_decision_boundary(net, points, [0, 1, 2, 1], resolution=60)
    for row in shades(ax):
        assert row == [ORANGE, BLUE, BLUE, GREEN]


def test_a_net_is_asked_in_use_and_is_in_training_afterwards():
    class Spy(nn.Module):
        def __init__(self):
            self.dropout, self.linear, self.seen = Dropout(0.5), nn.Linear(2, 2), []

        def forward(self, x):
            answers = self.linear(self.dropout(x))
            self.seen.append((self.training, self.dropout.training, answers.requires_grad))
            return answers

    net = Spy()
    plot_decision_boundary(net, POINTS, LABELS, resolution=5)
    assert net.seen == [(False, False, False)]
    assert net.training and net.dropout.training


def test_a_net_that_diverged_is_drawn_without_sides():
    net = splitting_net([[np.nan, 1.0], [0.0, 0.0]])
    plot_decision_boundary(net, POINTS, LABELS, resolution=5)


def test_a_history_is_drawn_by_epochs_counted_from_1():
    ax = plot_losses(VALIDATED)
    assert ax.get_xlabel() == "epoch"
    assert [line.get_label() for line in ax.lines] == ["training", "validation"]
    assert [line.get_xdata().tolist() for line in ax.lines] == [[1, 2], [1, 2]]
    assert [line.get_ydata().tolist() for line in ax.lines] == [[3, 2], [4, 3]]


def test_what_is_counted_can_be_named():
    assert plot_losses([1.0, 0.5], xlabel="batch").get_xlabel() == "batch"


@pytest.mark.parametrize(("history", "curves"), [(HISTORY, 1), (VALIDATED, 2)])
def test_a_training_is_drawn_as_loss_and_accuracy_in_percent(history, curves):
    loss, accuracy = plot_training(history)
    assert (loss.get_ylabel(), accuracy.get_ylabel(), accuracy.get_xlabel()) == ("loss", "accuracy in %", "epoch")
    assert len(loss.lines) == len(accuracy.lines) == curves
    assert accuracy.lines[0].get_ydata().tolist() == [50, 75]


def test_a_training_of_one_epoch_shows_dots():
    loss, _ = plot_training({name: values[:1] for name, values in VALIDATED.items()})
    assert [line.get_marker() for line in loss.lines] == ["o", "o"]


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
    use = "toolbox.plot_losses, babygrad.scalar_nn.MLP, toolbox.make_moons, toolbox.Trainer"
    heavy = "{'matplotlib', 'sklearn', 'tqdm'} & sys.modules.keys()"
    code = f"import sys, babygrad, toolbox; {use}; print({heavy})"
    run = subprocess.run([sys.executable, "-c", code], cwd=REFERENCE, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"

"""What a plot shows, in words: its text/plain, and its alternative text."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from matplotlib.figure import Figure

from grader.notebook.plots_in_words import in_words, install


@pytest.fixture
def ax():
    return Figure().subplots()


def said(ax):
    return in_words(ax.figure)


def test_title_axes_and_a_curve_with_its_turn(ax):
    ax.plot(range(9), [5, 4, 3, 1, 2, 3, 4, 5, 6], label="loss of\nAda")
    ax.set(title="Down and up", xlabel="step", ylabel="loss", yscale="log")
    assert said(ax) == (
        "Plot: Down and up. Across: step. Up: loss (logarithmic). "
        "loss of Ada: 9 points, from (0, 5) to (8, 6), halfway (4, 2), lowest at (3, 1)."
    )


@pytest.mark.parametrize(
    ("ys", "words"),
    [
        (range(9), "from (0, 0) to (8, 8), halfway (4, 4), never falling."),
        (range(8, -1, -1), "from (0, 8) to (8, 0), halfway (4, 4), never rising."),
        ([2.0] * 9, "from (0, 2) to (8, 2), level."),
        ([0, 5, 4, 3, 2, 3, 4, 5, 9], "halfway (4, 2), with ups and downs."),
        ([float("nan"), *range(1, 8), float("inf")], "(1, 1), (2, 2), (3, 3), (4, 4)"),
        (np.sin(np.arange(0, 2.1 * np.pi, np.pi / 4)), "from (0, 0) to (8, 0), halfway (4, 0), lowest at (6, -1)"),
    ],
)
def test_what_a_line_does(ax, ys, words):
    ax.plot(range(9), ys)
    assert words in said(ax)


def test_a_line_that_comes_back_has_no_turns(ax):
    turn = np.linspace(0, 6.283, 50)
    ax.plot(np.cos(turn), np.sin(turn), label="circle")
    assert "circle: 50 points, from (1, 0) to (1, -0.000185), -0.999 to 0.999 in height." in said(ax)


def test_few_points_are_all_named_and_lines_across_the_plot_are_level_or_upright(ax):
    ax.plot([2, 4], [4, 16], "o", label="equal")
    ax.axhline(0.5)
    ax.axvline(3, label="here")
    ax.plot([], [])
    assert said(ax) == "Plot: equal: (2, 4), (4, 16). Line: level at 0.5. here: upright at 3. Line: no points."


def test_points_bars_texts_and_names_of_categories(ax):
    ax.scatter(range(10), range(0, 20, 2), label="moons")
    ax.bar(["a", "b"], [1, 3])
    ax.text(0, 0, "twice\nas high")
    words = said(ax)
    assert "moons: 10 points, 0 to 9 across, 0 to 18 up." in words
    assert "0.8 by 3 at (0.6, 0)" in words and words.endswith("Written on it: twice as high.")
    ax.hist(range(100), bins=20)
    assert "22 bars, heights 1 to 5." in said(ax)


def test_a_boundary_is_told_and_its_shade_is_not(ax):
    across, up = np.meshgrid(np.linspace(-1, 1, 11), np.linspace(-1, 1, 11))
    ax.contourf(across, up, up - across, levels=[0, 9])
    ax.contour(across, up, up - across, levels=[0])
    words = said(ax)
    assert words.startswith("Plot: Border (where the value is 0) through (") and words.count("Border") == 1
    ax.contour(across, up, up, levels=[-0.5, 0.5])
    assert "Contour lines at -0.5, 0.5." in said(ax)


def test_images_and_the_largest_of_each_named_row(ax):
    ax.imshow([[0, 1], [0.5, 0]])
    ax.set_xticks(range(2), "ab")
    ax.set_yticks(range(2), "ab")
    assert said(ax) == "Plot: 2 by 2 numbers, 0 to 1. The largest of each row: a: b; b: a."
    ax.axis("off")
    assert said(ax) == "Plot: 2 by 2 numbers, 0 to 1."
    ax.imshow([[1, 2]], label="beside it")
    assert said(ax) == "Plot: 2 by 2 numbers, 0 to 1. beside it: 1 by 2 numbers, 1 to 2."


def test_several_plots_are_counted_and_empty_ones_are_not():
    figure = Figure()
    for number, ax in enumerate(figure.subplots(1, 3)):
        ax.set_title(f"no. {number}")
        ax.axis("off")
    ax.set_title("")
    figure.suptitle("All")
    assert in_words(figure) == "Plots, 2: All: (1) no. 0. (2) no. 1."


def test_what_cannot_be_worded_costs_nobody_the_picture(ax, monkeypatch):
    monkeypatch.setattr(type(ax), "get_title", lambda ax: 1 / 0)
    assert said(ax) == "Plot: 1 axes."


def test_a_shell_sends_the_words_with_the_picture():
    shell = InteractiveShell()
    install(shell)
    shell.display_formatter.formatters["image/png"].for_type(Figure, lambda figure: b"png")
    figure, ax = plt.subplots()
    ax.plot([1, 2])
    data, metadata = shell.display_formatter.format(figure)
    plt.close(figure)
    assert data["text/plain"] == metadata["image/png"]["alt"] == "Plot: Line: (0, 1), (1, 2)."
    data, metadata = shell.display_formatter.format([1, 2])
    assert data == {"text/plain": "[1, 2]"} and metadata == {}

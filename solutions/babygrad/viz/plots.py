"""Pictures of a training: how the loss falls, and where a model draws the line between two classes."""

import numpy as np

# Colours that stay apart for colour-blind readers, and a card that lies on a light page or a dark one.
INK, GRID, CARD = "#1c2733", "#d5dce4", "#ffffff"
LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
CLASSES = (("o", "#d55e00"), ("^", "#0072b2"))  # marker, colour: the low label, then the high one
SIDES = ("#f6d3bd", "#bcd9ec")


def plot_losses(losses, ax=None):
    """Draw the loss at each step.

    losses: a list of numbers, or a dict {name: list of numbers} to compare several.
    ax: matplotlib axes to draw on; new ones if None.  Returns the axes.
    A loss that is no number any more (nan, infinite) is left out.
    """
    ax = axes_on_a_card(ax, (7, 3.2))
    curves = losses if isinstance(losses, dict) else {"": losses}
    for index, (name, curve) in enumerate(curves.items()):
        looks = dict(color=LINES[index % len(LINES)], linestyle=DASHES[index % len(DASHES)])
        ax.plot(range(len(curve)), _finite(curve), linewidth=2, label=name, **looks)
    ax.set(xlabel="step", ylabel="loss")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.grid(color=GRID)
    if any(curves):
        ax.legend()
    return ax


def plot_decision_boundary(model, points, labels, ax=None, resolution=40):
    """Draw the points, and on which side of the model's boundary each place of the plane lies.

    model: an MLP that answers one point with a Value; above 0 is the side of the higher label.
        Or a function that answers an array of points, shape (n, 2), with n numbers.
    points: an array of shape (n, 2).  labels: n numbers of two kinds, such as -1 and +1.
    ax: matplotlib axes to draw on; new ones if None.  Returns the axes.
    resolution: the model is asked at resolution x resolution places.
    """
    ax = axes_on_a_card(ax, (5.5, 4.2))
    points, labels = np.asarray(points, dtype=float), np.asarray(labels)
    across, up = np.linspace(points.min(0) - 0.4, points.max(0) + 0.4, resolution).T
    places = np.stack(np.meshgrid(across, up), axis=-1)
    scores = _scores(model, places.reshape(-1, 2)).reshape(resolution, resolution)
    _draw_sides(ax, across, up, scores)
    for label, (marker, colour) in zip(np.unique(labels), CLASSES):
        looks = dict(s=28, marker=marker, color=colour, edgecolor=INK, linewidth=0.6)
        ax.scatter(*points[labels == label].T, label=f"label {label:g}", **looks)
    ax.set(xlabel="x₀", ylabel="x₁", xlim=across[[0, -1]], ylim=up[[0, -1]])
    ax.legend(loc="upper right")
    return ax


def _draw_sides(ax, across, up, scores):
    """The two sides in two shades, and the line between them where the score is 0."""
    ax.contourf(across, up, np.sign(scores), levels=[-2, 0, 2], colors=SIDES)
    if scores.min() < 0 < scores.max():
        ax.contour(across, up, scores, levels=[0], colors=INK, linewidths=1.5)


def _scores(model, places):
    """The model's answers, as plain numbers: asked point by point if it is a network of Values."""
    if hasattr(model, "layers") and hasattr(model, "parameters"):
        return np.array([model(place.tolist()).data for place in places])
    answers = model(places)
    return np.asarray(getattr(answers, "data", answers), dtype=float).reshape(len(places))


def _finite(curve):
    curve = np.asarray(curve, dtype=float)
    return np.where(np.isfinite(curve), curve, np.nan)


def axes_on_a_card(ax, size):
    """These axes, or new ones, on a card with ink of its own: a page's colours do not matter."""
    import matplotlib.pyplot as plt  # takes half a second to import: only who draws waits

    if ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    ax.figure.set_facecolor(CARD)
    ax.set_facecolor(CARD)
    ax.tick_params(colors=INK)
    for name in ("left", "right", "top", "bottom"):
        ax.spines[name].set_color(GRID)
    for text in (ax.xaxis.label, ax.yaxis.label, ax.title):
        text.set_color(INK)
    return ax

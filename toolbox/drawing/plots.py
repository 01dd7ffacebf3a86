"""Pictures of a training: how the loss falls, and where a model draws the line between two classes."""

import numpy as np

from .colours import CLASSES, GRID, INK, LINES, PLOT

MANY = 200  # points, above which they are drawn small
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))


def plot_losses(losses, ax=None, xlabel=None):
    """Draw the loss at each step.

    losses: a list of numbers, or a dict {name: list of numbers} to compare several. Or the history that Trainer.fit
        returns: its losses in training and validation, at each epoch.
    ax: matplotlib axes to draw on; new ones if None.  Returns the axes.
    xlabel: what is counted: "step" if None, and "epoch" for a history.
    A loss that is nan or infinite is left out.
    """
    ax = axes_on_a_card(ax, (7, 3.2))
    if is_history(losses):
        return draw_curves(ax, both(losses, "loss"), "epoch" if xlabel is None else xlabel, "loss", first=1)
    curves = losses if isinstance(losses, dict) else {"": losses}
    return draw_curves(ax, curves, "step" if xlabel is None else xlabel, "loss")


def plot_training(history, axes=None):
    """Draw loss and accuracy, epoch by epoch, below each other.

    history: what Trainer.fit returns.
    axes: two matplotlib axes to draw on; new ones if None.  Returns the two axes.
    """
    if axes is None:
        import matplotlib.pyplot as plt

        _, axes = plt.subplots(2, 1, figsize=(7, 5), sharex=True, layout="constrained")
    loss, accuracy = (axes_on_a_card(ax, None) for ax in axes)
    plot_losses(history, loss, xlabel="")
    percent = {name: 100 * np.asarray(curve, float) for name, curve in both(history, "accuracy").items()}
    draw_curves(accuracy, percent, "epoch", "accuracy in %", first=1)
    return axes


def is_history(losses):
    """Is it what Trainer.fit returns?"""
    return isinstance(losses, dict) and {"loss", "accuracy", "lr"} <= losses.keys()


def both(history, what):
    """{"training": a curve of the history, "validation": the same of the validation data, if there are any}."""
    curves = {"training": history.get(what, ()), "validation": history.get(f"val_{what}")}
    return {name: curve for name, curve in curves.items() if curve is not None}


def draw_curves(ax, curves, xlabel, ylabel, first=0):
    """Curves that differ in colour and dashes, with a legend if they have names. first: the place of the first value.

    A curve of one value is a dot.
    """
    for index, (name, curve) in enumerate(curves.items()):
        looks = dict(color=LINES[index % len(LINES)], linestyle=DASHES[index % len(DASHES)])
        looks["marker"] = "o" if len(curve) == 1 else ""
        ax.plot(range(first, first + len(curve)), _finite(curve), linewidth=2, label=name, **looks)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.grid(color=GRID)
    if any(curves):
        ax.legend()
    return ax


def plot_decision_boundary(model, points, labels, ax=None, resolution=40):
    """Draw the points, and on which side of the model's boundary each place of the plane lies.

    model: an nn.Module that answers points (n, 2) with a score for each class, (n, C), or with one number each, (n, 1).
        Or an MLP of Values, which answers one point with a Value.
        Or a function that answers an array of points, shape (n, 2), with n numbers, or with (n, C) scores.
        Of C scores the highest counts; one number above 0 is the side of the higher label.
    points: an array of shape (n, 2).  labels: n numbers of C kinds (two for one number), such as -1 and +1, or 0, 1, 2.
    ax: matplotlib axes to draw on; new ones if None.  Returns the axes.
    resolution: the model is asked at resolution x resolution places.
    """
    ax = axes_on_a_card(ax, (5.5, 4.2))
    points, labels = np.asarray(points, dtype=float), np.asarray(labels)
    across, up = np.linspace(points.min(0) - 0.4, points.max(0) + 0.4, resolution).T
    places = np.stack(np.meshgrid(across, up), axis=-1)
    scores = scores_of(model, places.reshape(-1, 2)).reshape(resolution, resolution, -1)
    _draw_sides(ax, across, up, scores)
    size, edge = (28, 0.6) if len(points) <= MANY else (10, 0.3)
    for index, label in enumerate(np.unique(labels)):
        marker, colour, _ = CLASSES[index % len(CLASSES)]
        looks = dict(s=size, marker=marker, color=colour, edgecolor=INK, linewidth=edge)
        ax.scatter(*points[labels == label].T, label=f"label {label:g}", **looks)
    ax.set(xlabel="x₀", ylabel="x₁", xlim=across[[0, -1]], ylim=up[[0, -1]])
    ax.legend(loc="upper right")
    return ax


def _draw_sides(ax, across, up, scores):
    """The side of each class in its shade, and a line where it ends: where its lead over the others is 0."""
    for index in range(scores.shape[-1]):
        others = np.delete(scores, index, axis=-1).max(axis=-1)
        lead = scores[..., index] - others
        if lead.max() >= 0:
            shade = CLASSES[index % len(CLASSES)][2]
            ax.contourf(across, up, lead, levels=[0, 2 * lead.max() or 1], colors=[shade])
        if index > 0 and lead.min() < 0 < lead.max():  # the first one's lines are the others' too
            ax.contour(across, up, lead, levels=[0], colors=INK, linewidths=1.5)


def scores_of(model, places):
    """The model's answers as an array (n, C), C at least 2."""
    if hasattr(model, "state_dict"):
        from babygrad.nn import predict

        answers = predict(model, places)
    elif hasattr(model, "layers") and hasattr(model, "parameters"):  # a network of Values is asked point by point
        answers = [model(place.tolist()).data for place in places]
    else:
        answers = model(places)
    answers = np.asarray(getattr(answers, "data", answers), dtype=float).reshape(len(places), -1)
    return answers if answers.shape[1] > 1 else np.hstack([-answers, answers])


def plot_images(images, titles, axes):
    """Draw square pictures, dark ink on white paper, each with a title.

    images: arrays (n * n,) from 0 (paper) to 1 (ink).  titles: a text for each.
    axes: matplotlib axes, at least as many; those that are left over stay empty.
    """
    for ax in axes:
        ax.set_axis_off()
    for ax, image, title in zip(axes, images, titles):
        side = round(len(image) ** 0.5)
        ax.imshow(image.reshape(side, side), cmap="gray_r", vmin=0, vmax=1)
        ax.set_title(title, color=INK, fontsize="small")


def _finite(curve):
    curve = np.asarray(curve, dtype=float)
    return np.where(np.isfinite(curve), curve, np.nan)


def axes_on_a_card(ax, size):
    """These axes, or new ones, on a card with ink of its own: a page's colours do not matter."""
    import matplotlib.pyplot as plt  # imported here because it takes half a second

    if ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    ax.figure.set_facecolor(PLOT)
    ax.set_facecolor(PLOT)
    ax.tick_params(colors=INK)
    for name in ("left", "right", "top", "bottom"):
        ax.spines[name].set_color(GRID)
    for text in (ax.xaxis.label, ax.yaxis.label, ax.title):
        text.set_color(INK)
    return ax

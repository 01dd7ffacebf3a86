"""What make train says and draws of a net that puts points or digits into classes."""

import numpy as np

from toolbox.drawing import plots
from toolbox.training.trainer import predict

GRID = 3, 4  # rows and columns of digits it got wrong


def introduction(run, split, epochs):
    """What is trained on what."""
    line = f"{run.name}: {len(split.x_train):,} {run.unit} to train on, {len(split.x_val):,} to validate. "
    line += f"{run.net}, {epochs} epochs."
    return "\n".join([line, split.note]) if split.note else line


def extras(run, split, seed):
    """What else the Trainer is given: nothing."""
    return {}


def outcome(run, model, split, history):
    """The result in one line."""
    epochs, accuracy = len(history["loss"]), history["val_accuracy"][-1]
    return f"Accuracy after {epochs} epochs: {accuracy:.1%} of {len(split.x_val):,} {run.unit} it was not trained on."


def film(trainer, run):
    """The Trainer's own."""
    return trainer.film()


def draw(run, model, split, history, left, right):
    """The curves, and beside them the boundary, or digits it got wrong."""
    plots.plot_training(history, left.subplots(2, 1, sharex=True))
    if split.x_val.shape[1] == 2:
        boundary = right.subplots()
        plots.plot_decision_boundary(model, split.x_val, split.y_val, boundary, resolution=200)
        boundary.set_title("points it was not trained on")
    else:
        draw_mistakes(model, split, right)


def draw_mistakes(model, split, figure):
    """A few of the digits that it got wrong."""
    said = predict(model, split.x_val).argmax(axis=1)
    wrong = np.flatnonzero(said != split.y_val)
    titles = [f"is {split.y_val[row]}, read as {said[row]}" for row in wrong]
    plots.plot_images(split.x_val[wrong], titles, figure.subplots(*GRID).ravel())
    first = GRID[0] * GRID[1]
    some = f": the first {first}" if len(wrong) > first else ""
    figure.suptitle(f"{len(wrong)} of {len(split.y_val):,} digits read wrong{some}", fontsize="medium")

"""A film of a training run: the boundary beside the loss, or the curves alone."""

import math

import numpy as np

from ..drawing.colours import CLASSES, INK, LINES
from ..drawing.plots import both
from ..player.player import Frame, Player
from ..player.stage import Stage, side_by_side
from .curves import Panel, curves_film, until, up_to

CAPTION = "Look at the boundary while the loss falls. A cross: this point lies on the wrong side."
CURVES = "Look at how far apart the curves of training and validation are in the end."


def training_film(recording, history):
    """A Player of what a Trainer recorded.  history: what its fit returned."""
    moments = [moment for moment in recording.moments if moment.boundary is not None]
    if not moments or not recording.moments[-1].step:
        return film_of_history(recording, history)
    boundary, loss = boundary_stage(recording.plane, whose(recording.plane)), loss_stage(recording)
    crossed = crosses(boundary, recording.plane.points, [moment.boundary.wrong for moment in moments])
    frames = [frame(recording, moment, boundary, loss)._replace(texts=texts) for moment, texts in zip(moments, crossed)]
    title = f"A net learns: {len(moments)} moments of {counted(recording.moments[-1].step, 'step')}"
    return Player(title, frames, side_by_side([boundary, loss]), caption=CAPTION, pace=0.5)


def counted(number, noun):
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


# ------------------------------------------------------------------ the boundary


def whose(plane):
    """Which kind of point has which label, as long as there are few."""
    kinds = [f"{KINDS[CLASSES[i % len(CLASSES)][0]]} have label {label:g}" for i, label in enumerate(plane.labels)]
    return f"The boundary: {', '.join(kinds)}" if len(kinds) < 4 else "The boundary"


def boundary_stage(plane, title="The decision boundary", prefix="", **size):
    """The points, and below them each class's side of the plane.

    prefix: of the keys of what moves, where several boundaries are in one picture.  size: as a Stage takes it.
    """
    stage = Stage(title, *zip(plane.low, plane.high), xlabel="x₀", ylabel="x₁", **size)
    stage.curve(corners_of(plane), colour="none", fill=CLASSES[0][2])
    for index in range(1, len(plane.labels)):
        stage.curve([], f"{prefix}side{index}", colour=INK, width=1.5, fill=CLASSES[index % len(CLASSES)][2])
    for index, _ in enumerate(plane.labels):
        marker, colour, _ = CLASSES[index % len(CLASSES)]
        shapes = "".join(SHAPES[marker].format(*stage.at(*point)) for point in plane.points[plane.classes == index])
        stage.put(f'<path d="{shapes}" fill="{colour}" stroke="{INK}" stroke-width="0.4"/>')
    return stage


SHAPES = {  # of a point, around (x, y)
    "o": "M{0:.0f} {1:.0f}m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
    "^": "M{0:.0f} {1:.0f}m0-4l4 7h-8z",
    "s": "M{0:.0f} {1:.0f}m-3-3h6v6h-6z",
    "D": "M{0:.0f} {1:.0f}m0-4l4 4l-4 4l-4-4z",
    "P": "M{0:.0f} {1:.0f}m-1-4h2v3h3v2h-3v3h-2v-3h-3v-2h3z",
}
KINDS = {"o": "circles", "^": "triangles", "s": "squares", "D": "diamonds", "P": "plus signs"}


def corners_of(plane):
    (left, low), (right, high) = plane.low, plane.high
    return [(left, low), (right, low), (right, high), (left, high)]


def crosses(stage, points, moments, prefix=""):
    """A cross on each point that ever lies wrong, drawn once.  moments: for each of them bools, which lie wrong then.

    Points that are always wrong together are one part of the picture.
    Returns for each moment a Frame's texts, which show and hide parts: what is not as it was the moment before.
    """
    histories, whose = np.unique(np.transpose(moments), axis=0, return_inverse=True)
    texts, drawn = [{} for _ in moments], ""
    for number, history in enumerate(histories):
        if history.any():
            key = f"{prefix}x{number}"
            path = "".join(cross(stage, *point) for point in points[whose.reshape(-1) == number])
            drawn += f'<path data-key="{key}" d="{path}"/>'
            for moment, wrong in enumerate(history):
                if moment == 0 or wrong != history[moment - 1]:
                    texts[moment][key] = "x" if wrong else ""
    stage.put(f'<g fill="none" stroke="{INK}" stroke-width="2">{drawn}</g>')
    return texts


def cross(stage, x, y):
    left, top = (pixel - 5 for pixel in stage.at(x, y))
    return f"M{left:.0f} {top:.0f}l10 10m0-10l-10 10"


# ------------------------------------------------------------------ the loss


def loss_stage(recording):
    """The whole curve, and a dot at its place of now."""
    moments = recording.moments
    top = max(moment.loss for moment in moments)
    counted_from = f"step, from the end of epoch {recording.began} on" if recording.began else "step"
    stage = Stage("The loss", (0, 1.03 * moments[-1].step), (0, 1.05 * top or 1), xlabel=counted_from, ylabel="loss")
    until(stage, "loss", [([(moment.step, moment.loss) for moment in moments], LINES[0], "")])
    stage.dot(0, 0, "now", colour=LINES[0])
    return stage


def frame(recording, moment, boundary, loss):
    """One moment."""
    moved = {f"side{i}": boundary.curve_to(side) for i, side in enumerate(moment.boundary.sides, 1)}
    moved |= {"loss": up_to(loss, moment.step), "now": loss.to(moment.step, moment.loss)}
    return Frame(sentence(recording, moment), moved=moved)


def sentence(recording, moment):
    """Such as: Epoch 4, step 64: loss 0.44; 27 of 200 points lie on the wrong side. The boundary is ..."""
    began = f"After epoch {recording.began}, where the run went on" if recording.began else "Before the first step"
    when = f"Epoch {moment.epoch}, step {moment.step:,}" if moment.step else began
    boundary = moment.boundary
    wrong = int(boundary.wrong.sum())
    points = f"{wrong} of {counted(len(boundary.wrong), 'point')} {'lies' if wrong == 1 else 'lie'} on the wrong side."
    return f"{when}: loss {moment.loss:.2f}; {points}{form(boundary.bend)}"


def form(bend):
    """A sentence about the boundary."""
    if math.isnan(bend):
        return ""
    if math.isinf(bend):
        return " The boundary is closed."
    return (
        f" The boundary is {bend:.1f} times as long as a straight line."
        if bend >= 1.05
        else " The boundary is nearly straight."
    )


# ------------------------------------------------------------------ the curves alone


def film_of_history(recording, history):
    """Loss and accuracy, epoch by epoch, and why there is no boundary.  Raises RuntimeError without an epoch."""
    if not history:
        raise RuntimeError("no epoch was complete: there is nothing to show")
    loss, accuracy = (both(history, what) for what in ("loss", "accuracy"))
    panels = [Panel("loss", loss)]
    if all(map(math.isfinite, accuracy["training"])):
        percent = {name: [100 * share for share in shares] for name, shares in accuracy.items()}
        panels.append(Panel("accuracy in %", percent, top=100, legend="lower right"))
    why = f" No boundary is drawn: {recording.why_no_boundary}." if recording.why_no_boundary else ""
    title = f"A net learns: {counted(len(history['loss']), 'epoch')}"
    return curves_film(title, panels, lambda epoch: about(epoch, panels), CURVES + why)


def about(epoch, panels):
    """Such as: Epoch 3: loss 0.22 in training, 0.31 in validation; accuracy in % 93.4 in training, 91.1 in ..."""
    parts = [f"{p.name} " + listed(p.curves, epoch, ".1f" if p.top else ".3f") for p in panels]
    return f"Epoch {epoch}: {'; '.join(parts)}."


def listed(curves, epoch, digits):
    return ", ".join(f"{curve[epoch - 1]:{digits}} in {name}" for name, curve in curves.items())

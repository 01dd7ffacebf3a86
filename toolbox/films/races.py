"""Optimizers that race: down a valley of two numbers, and on a net's loss."""

import math

import numpy as np

from ..drawing.colours import CONTOUR, INK
from ..player.player import Frame, Player
from ..player.stage import Stage
from .curves import Panel, curves_film, legend, looks

VALLEY = "Look at who swings from side to side, who runs past the star, and who is there first."
CURVES = "Look at who is ahead after the first epoch, and how far apart they are in the end."
LEVELS = (0.5, 2, 6, 14, 26, 42, 62)  # of the contour lines
STAR = "l2.4 6.8h7.1l-5.7 4.4 2.1 6.9-5.9-4.2-5.9 4.2 2.1-6.9-5.7-4.4h7.1z"  # from its upper end
ARRIVED = 0.01  # the height below which somebody is at the bottom


def race_down(makers, descend, curvature, steps=40):
    """A Player of optimizers that go down the valley curvature[0] x² + curvature[1] y², whose bottom is at (0, 0).

    makers: {name: a function that makes an optimizer for a list of parameters}. One whose exercise is not filled in
        stays away, and the film says so.
    descend(make_optimizer): returns an array of places (n + 1, 2), from the start on.
    Raises NotImplementedError if nobody can start.
    """
    runs, away = those_who_can(makers, descend)
    runs = {name: np.asarray(places)[: steps + 1] for name, places in runs.items()}
    heights = {name: (places**2 * curvature).sum(axis=1) for name, places in runs.items()}
    stage = valley(runs, curvature)
    frames = [Frame(step_told(n, runs, heights), moved=moved_to(n, runs, stage)) for n in range(steps + 1)]
    return Player(f"Down a valley: {', '.join(runs)}", frames, stage.svg, caption=VALLEY + away, pace=0.6)


def those_who_can(makers, run):
    """({name: what run(maker) gives}, a sentence about those whose exercise is not filled in)."""
    there, away = {}, {}
    for name, maker in makers.items():
        try:
            there[name] = run(maker)
        except NotImplementedError as missing:
            away[name] = missing
    if not there:
        raise next(iter(away.values()))
    return there, "".join(f" Without {name} ({missing})." for name, missing in away.items())


# ------------------------------------------------------------------ the valley


def valley(runs, curvature):
    """Contour lines, a star at the bottom, and of each run a trace and a marker."""
    places = np.vstack(list(runs.values()))
    (left, low), (right, high) = places.min(axis=0), places.max(axis=0)
    across, up = 0.08 * (right - left), 0.15 * (high - low)
    x, y = (left - across, right + 2 * across), (low - up, high + up)
    stage = Stage("The valley from above", x, y, xlabel="x", ylabel="y", wide=520, high=290)
    for level in LEVELS:
        stage.curve(ellipse(level, curvature), colour=CONTOUR, width=1)
    left, top = stage.at(0, 0)
    stage.put(f'<path d="M{left:g} {top - 10:g}{STAR}" fill="{INK}"/>')
    for index, run in enumerate(runs.values()):
        colour, dashes, marker = looks(index)
        stage.curve([], f"trace{index}", colour=colour, width=1.6, dashes=dashes)
        stage.dot(*run[0], f"now{index}", colour=colour, marker=marker, r=6)
    legend(stage, runs, "lower right")
    return stage


def ellipse(level, curvature):
    """Where the valley is so high: 61 points."""
    wide, high = (math.sqrt(level / each) for each in curvature)
    angles = [2 * math.pi * i / 60 for i in range(61)]
    return [(wide * math.cos(angle), high * math.sin(angle)) for angle in angles]


def moved_to(step, runs, stage):
    """Traces and markers after this step."""
    moved = {}
    for index, places in enumerate(runs.values()):
        moved[f"trace{index}"] = stage.curve_to(places[: step + 1])
        moved[f"now{index}"] = stage.to(*places[step])
    return moved


def step_told(step, runs, heights):
    """The sentence of a step: where each is and how high, and who runs past the star or arrives."""
    where = (f"{name} at {pair(places[step])}, height {heights[name][step]:.2g}" for name, places in runs.items())
    told = [f"{f'Step {step}' if step else 'The start'}: {'; '.join(where)}."]
    for name, places in runs.items():
        if step and places[step][0] > 0 >= places[:step, 0].max():
            told.append(f"Now past the star: {name}.")
        if heights[name][step] < ARRIVED <= heights[name][:step].min(initial=np.inf):
            told.append(f"First below {ARRIVED:g}: {name}.")
    return " ".join(told)


def pair(place):
    """Such as (-8.0, 1.5)."""
    return "({}, {})".format(*(f"{number + 0.0:.1f}" for number in np.round(place, 1)))


# ------------------------------------------------------------------ a net


def race_on(makers, trained):
    """A Player of optimizers that train the same net: its loss and its accuracy, epoch by epoch.

    makers: as for race_down.  trained(make_optimizer): returns (losses, accuracies), two lists with a number for each
    epoch, accuracies from 0.0 to 1.0.  Raises NotImplementedError if nobody can start.
    """
    runs, away = those_who_can(makers, trained)
    losses = {name: list(losses) for name, (losses, _) in runs.items()}
    percent = {name: [100 * share for share in shares] for name, (_, shares) in runs.items()}
    panels = [Panel("mean loss of an epoch", losses), Panel("accuracy in %", percent, 100, "lower right")]

    def told(epoch):
        each = (f"{name}: loss {losses[name][epoch - 1]:.2f}, {percent[name][epoch - 1]:.1f} % right" for name in runs)
        return f"Epoch {epoch}. {'; '.join(each)}."

    return curves_film(f"A race: {', '.join(runs)}", panels, told, CURVES + away)

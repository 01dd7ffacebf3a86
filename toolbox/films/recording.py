"""What a Trainer writes down for a film of its run: a bounded number of moments, however long the run is."""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from babygrad.arrays import plain_array

from ..drawing.plots import scores_of
from ..training.progress import are_classes

MOMENTS = 58  # after the first; when there would be more, every second one goes. Even: the last one stays
POINTS = 200  # drawn; of more points the first so many
MARGIN = 0.4  # around the points


class Boundary(NamedTuple):
    """sides: of each class but the first closed outlines, an array (n, 2), nan between them.  wrong: (points,) bools.

    bend: how many times as long the boundary is as a straight line between its ends; of several the longest counts.
        inf if it is closed, nan if there is none, or if there are more than two classes.
    """

    sides: tuple
    wrong: np.ndarray
    bend: float


@dataclass
class Moment:
    """After a step: its number in this recording, the epoch it is in, the boundary then (None if none is drawn).

    losses, batches: the sum of the losses of the batches since the moment before, and how many these are. Those of
        the first moment are of the first batch, whose loss is computed before the first step.
    """

    step: int
    epoch: int
    boundary: Boundary | None
    losses: float = 0.0
    batches: int = 0

    @property
    def loss(self):
        """The mean loss since the moment before."""
        return self.losses / self.batches if self.batches else float("nan")


class Recording:
    """Moments of a run, in order. The first is the one before its first step.

    model: what is trained.  began: how many epochs were complete when the recording began.
    .plane: the points and the plane around them; None before the first batch, and where there is no boundary to draw.
    .why_no_boundary: a few words, "" if there is one.
    """

    def __init__(self, model, began=0):
        self.model, self.began = model, began
        self.moments, self.every = [], 1
        self.plane, self.why_no_boundary = None, ""

    def before_batch(self, epoch, loader, batch):
        """The first batch shows what the data are, and nothing has been learned yet."""
        if not self.moments:
            x, y = getattr(loader, "dataset", batch)
            self.why_no_boundary = why_no_boundary(plain_array(x), y)
            if not self.why_no_boundary:
                self.plane = Plane(plain_array(x), plain_array(y).reshape(-1))
            self.moments.append(self.moment(0, epoch))

    def after_step(self, epoch, loss):
        """A step was taken, after this loss of its batch."""
        last = self.moments[-1]
        if last.step == 0:
            last.losses, last.batches = loss, 1
        if last.step % self.every:  # not kept so far: this step takes its place
            moment = self.moments[-1] = Moment(last.step + 1, epoch, None, last.losses + loss, last.batches + 1)
        else:
            moment = Moment(last.step + 1, epoch, None, loss, 1)
            self.moments.append(moment)
        if moment.step % self.every == 0:
            self.look(moment)
            if len(self.moments) > 1 + MOMENTS:
                self.thin_out()

    def end(self):
        """The run is over: its last step is a moment too."""
        if self.moments:
            self.look(self.moments[-1])

    def look(self, moment):
        """Put the boundary of now into a moment."""
        if self.plane is not None:
            moment.boundary = self.plane.boundary(self.model)

    def moment(self, step, epoch):
        moment = Moment(step, epoch, None)
        self.look(moment)
        return moment

    def thin_out(self):
        """Every second moment goes, and leaves its losses to the next one."""
        self.every *= 2
        first, *rest = self.moments
        for gone, kept in zip(rest[::2], rest[1::2]):
            kept.losses, kept.batches = kept.losses + gone.losses, kept.batches + gone.batches
        self.moments = [first, *rest[1::2], *rest[len(rest) // 2 * 2 :]]


class Plane:
    """The points of a film, and the part of the plane around them.

    points: an array (n, 2).  labels: n numbers of a few kinds. Of many points only the first POINTS are kept.
    .classes: of each point the place of its label in .labels, which are in order.
    .low, .high: two corners of what a film shows. The outlines reach a little further.
    """

    def __init__(self, points, labels, resolution=40):
        self.points = np.array(points[:POINTS], dtype=float)
        self.labels, classes = np.unique(labels, return_inverse=True)
        self.classes = classes.reshape(-1)[:POINTS]
        self.low, self.high = self.points.min(axis=0) - MARGIN, self.points.max(axis=0) + MARGIN
        self.across, self.up = np.linspace(self.low - 0.05, self.high + 0.05, resolution).T

    def boundary(self, model):
        """Where a model, as plot_decision_boundary takes one, draws the boundary now: a Boundary."""
        places = np.stack(np.meshgrid(self.across, self.up), axis=-1).reshape(-1, 2)
        scores = scores_of(model, np.vstack([places, self.points]))
        grid = scores[: len(places)].reshape(len(self.up), len(self.across), -1)
        contours = [self.contours(grid, index) for index in range(1, grid.shape[-1])]
        wrong = scores[len(places) :].argmax(axis=1) != self.classes
        return Boundary(tuple(map(outlines, contours)), wrong, bend(contours[0]) if len(contours) == 1 else np.nan)

    def contours(self, grid, index):
        """What knows where class number `index` has the highest score: where its lead over the others is above 0."""
        from contourpy import contour_generator  # comes with matplotlib

        lead = grid[..., index] - np.delete(grid, index, axis=-1).max(axis=-1)
        return contour_generator(self.across, self.up, lead)


def outlines(contours):
    """Where a lead is above 0: closed outlines, an array (n, 2), nan between them."""
    filled = contours.filled(0, np.inf)
    closed = [points[a:b] for points, cuts in zip(*filled) for a, b in pairwise(cuts)]
    gap = np.full((1, 2), np.nan)
    return np.vstack([part for outline in closed for part in (corners(outline), gap)] or [gap])


def bend(contours):
    """Length over distance of the ends, of the longest line on which a lead is 0: see Boundary."""
    lines = [(np.linalg.norm(np.diff(line, axis=0), axis=1).sum(), line) for line in contours.lines(0)]
    length, line = max(lines, key=lambda pair: pair[0], default=(np.nan, np.zeros((1, 2))))
    distance = np.linalg.norm(line[-1] - line[0])
    return length / distance if distance > 1e-9 * length else length * np.inf


def corners(outline):
    """A closed outline, (n, 2), whose last point is its first, without those points at which it does not turn."""
    here = outline[:-1]
    here = here[np.abs(here - np.roll(here, 1, axis=0)).max(axis=1) > 1e-9]  # where a lead is 0, one stands twice
    way, on = here - np.roll(here, 1, axis=0), np.roll(here, -1, axis=0) - here
    turns = here[np.abs(way[:, 0] * on[:, 1] - way[:, 1] * on[:, 0]) > 1e-12]
    return np.vstack([turns, turns[:1]])


def why_no_boundary(x, y):
    """Why a film of these data shows no boundary; "" if it does."""
    if x.ndim != 2 or x.shape[1] != 2:
        numbers = " x ".join(map(str, x.shape[1:])) or "1"
        return f"a sample has {numbers} numbers, and a boundary is drawn through a plane of two"
    if not are_classes(y):
        return "the targets are no classes"
    return ""

"""The border that a model draws through the plane, at one moment: outlines of the sides, and which points lie wrong."""

from typing import NamedTuple

import numpy as np

from ..viz.plots import scores_at

POINTS = 200  # drawn; of more points the first so many
MARGIN = 0.4  # around the points


class Border(NamedTuple):
    """sides: of each class but the first a list of closed outlines, arrays (n, 2).  wrong: of each point, is it?"""

    sides: tuple
    wrong: np.ndarray


class Plane:
    """The points of a film, and the part of the plane around them.

    points: an array (n, 2).  labels: n numbers of a few kinds. Of many points only the first POINTS are kept.
    .classes: of each point the place of its label among all labels, in order.
    """

    def __init__(self, points, labels, resolution=40):
        self.points = np.array(points[:POINTS], dtype=float)
        self.labels, classes = np.unique(labels, return_inverse=True)
        self.classes = classes.reshape(-1)[:POINTS]
        self.low, self.high = self.points.min(axis=0) - MARGIN, self.points.max(axis=0) + MARGIN
        self.across, self.up = np.linspace(self.low, self.high, resolution).T

    def border(self, model):
        """Where a model, as plot_decision_boundary takes one, draws the border now: a Border."""
        places = np.stack(np.meshgrid(self.across, self.up), axis=-1).reshape(-1, 2)
        scores = scores_at(model, np.vstack([places, self.points]))
        grid = scores[: len(places)].reshape(len(self.up), len(self.across), -1)
        sides = tuple(self.outlines(grid, index) for index in range(1, grid.shape[-1]))
        return Border(sides, scores[len(places) :].argmax(axis=1) != self.classes)

    def outlines(self, grid, index):
        """Where class number `index` has the highest score: closed outlines, arrays (n, 2)."""
        from contourpy import contour_generator  # comes with matplotlib

        lead = grid[..., index] - np.delete(grid, index, axis=-1).max(axis=-1)
        filled = contour_generator(self.across, self.up, lead).filled(0, np.inf)
        return [corners(points[a:b]) for points, cuts in zip(*filled) for a, b in zip(cuts[:-1], cuts[1:])]


def corners(outline):
    """A closed outline, (n, 2), whose last point is its first, without those points at which it does not turn."""
    here = outline[:-1]
    way, on = here - np.roll(here, 1, axis=0), np.roll(here, -1, axis=0) - here
    turns = np.abs(way[:, 0] * on[:, 1] - way[:, 1] * on[:, 0]) > 1e-12
    return here[turns]

"""A net that learns the boundary between two moons: what notebook 00 shows of what comes later, from numbers kept."""

import numpy as np

from .. import recorded
from ..data.sets import make_moons
from .boundaries import BoundaryFilm, after

HIDDEN = 8
# {after so many steps: weights and biases of the hidden layer, then those of the output}: 33 numbers, nothing else.
LEARNED = {int(step): numbers for step, numbers in recorded.read("moons").items()}
NOTES = {
    0: "The net calls every point a circle.",
    10: "A line, nearly straight, from the lower left to the upper right.",
    100: "Now it bends.",
    200: "It bends around the end of each moon.",
    400: "It winds between the moons, and each point is on its own side.",
}


def weights_after(step):
    """The net's numbers after that many steps: arrays of shape (2, 8), (8,), (8,) and (1,)."""
    inner, shift, outer, last = np.split(np.array(LEARNED[step]), [2 * HIDDEN, 3 * HIDDEN, 4 * HIDDEN])
    return inner.reshape(2, HIDDEN), shift, outer, last


def scores_after(step, points):
    """A score for each of the points, an array of shape (n, 2): above 0 the net says moon 1."""
    inner, shift, outer, last = weights_after(step)
    return np.tanh(points @ inner + shift) @ outer + last


def moons_learned():
    """A film of the boundary at 25 moments of 400 steps, with how many of the 100 points are on the right side."""
    film = BoundaryFilm(*make_moons(), resolution=49)
    for step in LEARNED:
        when = f"After {after(step, 'step')}" if step else "At first"
        film.look(lambda places, step=step: scores_after(step, places), when=when, note=NOTES.get(step, ""))
    return film.player("A net learns to tell two moons apart")

"""A pad: a digit is drawn with mouse or finger, or chosen and moved by keyboard, and the learner's net reads it."""

import math
from typing import NamedTuple

import numpy as np

from . import on_a_card, shown

NEEDS = "The pad needs anywidget: python -m pip install anywidget"
RUN = "It works where the notebook runs: in JupyterLab, run this cell."
LEAST = 0.1  # of the pad: what is smaller is not made as large as the data are, or a speck would become a digit


class Fit(NamedTuple):
    """How digits lie in the pictures of a data set: inside high x wide pixels, drawn by a pen as wide as this.

    by_ink: is the middle that of the ink, or of the box around it?  words: the same, for the page.
    """

    high: float
    wide: float
    pen: float
    by_ink: bool
    words: str


FITS = {
    8: Fit(8, 7, 1.4, False, "as high as the picture, in the middle of it"),
    28: Fit(20, 20, 2.2, True, "20 pixels high or wide, with the middle of its ink in the middle"),
}


class Pad:
    """Shows a pad on which a digit is drawn, with what a net makes of it: the probability of each of the ten digits.

    model: a Module that gives ten scores for rows of pixels.  x (N, 64) or (N, 784), y (N,): pictures like those it
    has learned from, with their labels; the first of each digit can be chosen in place of drawing.
    Raises ValueError for pictures of another size.
    """

    def __init__(self, model, x, y):
        self.model, self.side = model, math.isqrt(np.shape(x)[1])
        if self.side not in FITS or self.side**2 != np.shape(x)[1]:
            raise ValueError(f"a pad needs pictures of 64 or 784 pixels in a row, but these have {np.shape(x)[1]}")
        self.fit = FITS[self.side]
        self.samples = {int(digit): x[np.flatnonzero(y == digit)[0]] for digit in np.unique(y)}

    def __repr__(self):
        return f"A pad of {self.side} × {self.side} pixels, to draw a digit that the net reads."

    def _ipython_display_(self):
        shown(self, lambda note: on_a_card("pad", "", f"{self} {note}"), self.box, NEEDS, RUN)

    def box(self):
        """The widget.  Raises ImportError without anywidget."""
        from .pad_page import Page

        return Page(self)

    def read(self, drawn):
        """What is on the pad, {strokes, digit, moved}, as the net gets it, and what the net says, for the page."""
        if drawn["digit"] is None and not any(drawn["strokes"]):
            return {"pixels": [], "shares": [], "said": "Draw a digit, or choose one."}
        picture = self.samples.get(drawn["digit"], np.zeros(self.side**2)).reshape(self.side, self.side)
        if drawn["digit"] is None:
            picture = as_the_data_are(drawn["strokes"], self.side)
        picture = moved(picture, *drawn["moved"])
        try:
            shares = self.shares(picture)
        except Exception as error:  # the code is the learner's
            shares, said = [], f"Your net could not read it. {type(error).__name__}: {error}"
        else:
            first, second = np.argsort(shares)[::-1][:2]
            said = f"Read as {first}: {shares[first]:.0%}. Next comes {second}: {shares[second]:.0%}."
        return {"pixels": picture.round(3).ravel().tolist(), "shares": shares, "said": said}

    def shares(self, picture):
        """The probabilities of the ten digits: softmax of the scores."""
        from babygrad.nn import predict  # what is saved while the pad is there counts

        scores = predict(self.model, picture.reshape(1, -1))[0]
        powers = np.exp(scores - scores.max())
        return (powers / powers.sum()).tolist()


def as_the_data_are(strokes, side):
    """A picture (side, side) of strokes, lists of points (x, y) of the pad, from 0 to 1: as large as the data, and
    where they are."""
    lines = np.array([pair for each in strokes if each for pair in zip(each, [*each[1:], each[-1]])], dtype=float)
    fit = FITS[side]
    least, most = lines.min((0, 1)), lines.max((0, 1))
    room = np.array([fit.wide, fit.high]) - fit.pen
    scale = (room / np.maximum(most - least, LEAST)).min()
    lines = (lines - (least + most) / 2) * scale + side / 2
    picture = ink(lines, side, fit.pen)
    if fit.by_ink:
        rows, columns = np.indices(picture.shape) + 0.5
        middle = np.array([(picture * columns).sum(), (picture * rows).sum()]) / picture.sum()
        picture = ink(lines + side / 2 - middle, side, fit.pen)
    return picture


def ink(lines, side, pen):
    """Lines (n, 2 ends, 2) in pixels, drawn by a pen: 1 inside, 0 outside, in between where the edge of a line is."""
    centres = np.arange(side) + 0.5
    pixels = np.stack(np.meshgrid(centres, centres), axis=-1)[:, :, None]
    begin, step = lines[:, 0], lines[:, 1] - lines[:, 0]
    along = ((pixels - begin) * step).sum(-1) / np.maximum((step**2).sum(-1), 1e-12)
    nearest = begin + np.clip(along, 0, 1)[..., None] * step
    return np.clip(pen / 2 + 0.5 - np.linalg.norm(pixels - nearest, axis=-1).min(-1), 0, 1)


def moved(picture, right, down):
    """The picture, moved by whole pixels. What leaves it is lost."""
    side = len(picture)
    around = np.pad(picture, side)
    across, along = (side - min(max(by, -side), side) for by in (right, down))
    return around[along : along + side, across : across + side]

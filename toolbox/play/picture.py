"""The pictures of a playground, as SVG: points, which stay; sides and what is wrong, which change; the loss.

Of each picture only the changing part is sent while the net learns. Written by hand because a plotting library takes a
tenth of a second for each.
"""

from itertools import pairwise

import numpy as np

from ..drawing.colours import CARD, CLASSES, EDGE_OF_CARD, INK, LINES, SOFT_INK
from ..drawing.svg import FONTS
from ..films.recording import corners

WIDE, HIGH = 400, 300
CURVE_HIGH = 110
POINTS_OF_CURVE = 120
FINE = 4  # units in a pixel: whole numbers are short
KINDS_OF_POINTS = (
    lambda x, y: f"M{x - 16} {y}a16 16 0 1 0 32 0a16 16 0 1 0 -32 0z",  # a circle
    lambda x, y: f"M{x} {y - 20}l18 32h-36z",  # a triangle
)


def svg(inside, words="", high=HIGH, more=""):
    """A drawing; words: its name for whoever cannot see it, "" if it has none to tell."""
    name = f'role="img" aria-label="{words}"' if words else 'aria-hidden="true"'
    box = f'width="{WIDE}" height="{high}" viewBox="0 0 {WIDE * FINE} {high * FINE}"'
    style = f'style="display: block; max-width: 100%; height: auto" font-family="{FONTS}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} {style} {name}{more}>{inside}</svg>'


class Frame:
    """From the plane to the picture."""

    def __init__(self, window):
        self.corner, self.size = window[0], window[1] - window[0]

    def places(self, x):
        """Whole numbers (n, 2) of the picture for points (n, 2) of the plane."""
        share = (np.asarray(x, dtype=float) - self.corner) / self.size
        return np.rint(np.stack([share[:, 0], 1 - share[:, 1]], axis=1) * (WIDE * FINE, HIGH * FINE)).astype(int)


def points_layer(training):
    """The points alone: a circle for label 0, a triangle for label 1. It lies above the sides."""
    corners = " ".join(f"{number:.6g}" for corner in training.window() for number in corner)
    return svg(draw_points(training), more=f' data-window="{corners}"')


def draw_points(training):
    places = Frame(training.window()).places(training.x)
    drawn = []
    for label, shape in enumerate(KINDS_OF_POINTS):
        path = "".join(shape(x, y) for x, y in places[training.y == label].tolist())
        drawn.append(f'<path d="{path}" fill="{CLASSES[label][1]}" stroke="{INK}" stroke-width="3"/>')
    return "".join(drawn)


def sides_layer(training, words):
    """The sides in two shades with the boundary between them, and a ring around each point that is wrong."""
    return svg(draw_sides(training), words)


def draw_sides(training):
    card = f'<rect width="100%" height="100%" fill="{{}}" stroke="{EDGE_OF_CARD}" stroke-width="4"/>'
    if training.view is None:
        return card.format(CARD)
    area, boundary = outline(training.view.scores)
    places = Frame(training.window()).places(training.x)[training.view.wrong]
    rings = "".join(f"M{x - 32} {y}a32 32 0 1 0 64 0a32 32 0 1 0 -64 0" for x, y in places.tolist())
    return (
        card.format(CLASSES[0][2])
        + f'<path d="{area}" fill="{CLASSES[1][2]}"/><path d="{boundary}" fill="none" stroke="{INK}" stroke-width="7"/>'
        + f'<path d="{rings}" fill="none" stroke="{INK}" stroke-width="6" stroke-dasharray="16 8"/>'
    )


def outline(scores):
    """(the area where the scores are above 0, its boundary): two SVG paths.

    scores: (rows, columns), from the bottom left to the top right of the picture.
    """
    from contourpy import contour_generator  # comes with matplotlib

    rows, columns = scores.shape
    across, up = np.linspace(0, WIDE * FINE, columns), np.linspace(HIGH * FINE, 0, rows)
    contours = contour_generator(across, up, np.nan_to_num(scores))
    filled = [points[a:b] for points, cuts in zip(*contours.filled(0, np.inf)) for a, b in pairwise(cuts)]
    area = "".join(f"{path(corners(closed)[:-1])}z" for closed in filled)
    return area, "".join(map(path, contours.lines(0)))


def path(places):
    """An SVG path along places, an array (n, 2)."""
    return "M" + "L".join(f"{x} {y}" for x, y in np.rint(places).astype(int).tolist())


def still(training, words):
    """All of the plane's picture in one."""
    return svg(draw_sides(training) + draw_points(training), words)


def loss_curve(training):
    """How the loss of all points went, from step 0 on."""
    finite = [(step, loss) for step, loss in training.losses if np.isfinite(loss)]
    card = f'<rect width="100%" height="100%" fill="{CARD}" stroke="{EDGE_OF_CARD}" stroke-width="4"/>'
    if not finite:
        return svg(card, "No loss yet.", CURVE_HIGH)
    finite = finite[:: max(1, len(finite) // POINTS_OF_CURVE)] + finite[-1:]
    most, last = max(loss for _, loss in finite) or 1.0, max(finite[-1][0], 1)
    left, right, top, bottom = 60, WIDE * FINE - 40, 100, CURVE_HIGH * FINE - 80
    line = "L".join(
        f"{left + round((right - left) * step / last)} {bottom - round((bottom - top) * loss / most)}"
        for step, loss in finite
    )
    words = f"Loss, from {finite[0][1]:.3g} at the start to {finite[-1][1]:.3g} after step {finite[-1][0]}."
    text = f'font-size="56" fill="{SOFT_INK}"'
    return svg(
        f'{card}<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="{SOFT_INK}" stroke-width="4"/>'
        f'<path d="M{line}" fill="none" stroke="{LINES[0]}" stroke-width="8" stroke-linejoin="round"/>'
        f'<text x="{left}" y="66" {text}>loss (top of the axis: {most:.3g})</text>'
        f'<text x="{left}" y="{CURVE_HIGH * FINE - 24}" {text}>0</text>'
        f'<text x="{right}" y="{CURVE_HIGH * FINE - 24}" {text} text-anchor="end">step {finite[-1][0]}</text>',
        words,
        CURVE_HIGH,
    )

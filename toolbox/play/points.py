"""The points of a playground: those of a data set, and those of one's own, typed or clicked."""

import math

import numpy as np

from ..data import sets as data
from .settings import SettingError

ONLY_MINE = "only mine"
NOISE = 0.1
MAKERS = {
    "moons": lambda n, seed: data.make_moons(n, NOISE, seed),
    "circles": lambda n, seed: data.make_circles(n, NOISE, seed),
    "spirals": lambda n, seed: data.make_spirals(n, NOISE / 2, seed),
    ONLY_MINE: lambda n, seed: (np.empty((0, 2)), np.empty(0, dtype=int)),
}
LABELS = {"0": 0, "-1": 0, "1": 1, "+1": 1}
FARTHEST = 100.0
MARGIN = 0.4  # around the points
SQUARE = np.array([[-1.5, -1.5], [1.5, 1.5]])


def points_of(settings, count):
    """(x, y) of these settings: an array (n, 2), and n labels, 0 or 1.

    count: how many points a data set has.  Raises SettingError for a line that is wrong.
    """
    x, y = MAKERS[settings.data](count, settings.data_seed)
    own_x, own_y = parsed(settings.points)
    return np.concatenate([x, own_x]), np.concatenate([y, own_y])


def window_of(x, data):
    """The corners of what is shown of points x: ((left, low), (right, high)).  Of one's own there is room for more."""
    shown = np.concatenate([x, SQUARE]) if data == ONLY_MINE else x
    return shown.min(axis=0) - MARGIN, shown.max(axis=0) + MARGIN


def parsed(text):
    """(x, y) of lines such as "0.5 1 0".  Empty lines do not count.  Raises SettingError that names the line."""
    rows = [point(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    return np.array([row[:2] for row in rows]).reshape(-1, 2), np.array([row[2] for row in rows], dtype=int)


def point(line, number):
    """(x, y, label) of a line."""
    parts = line.replace(",", " ").replace(";", " ").split()
    if len(parts) != 3:
        raise SettingError(f"line {number} of your points: x, y and label are needed, but it says {line.strip()!r}")
    if parts[2] not in LABELS:
        raise SettingError(f"line {number} of your points: the label must be 0 or 1, but it is {parts[2]!r}")
    return coordinate(parts[0], number), coordinate(parts[1], number), LABELS[parts[2]]


def coordinate(text, number):
    try:
        value = float(text)
    except ValueError:
        raise SettingError(f"line {number} of your points: {text!r} is not a number") from None
    if not math.isfinite(value) or abs(value) > FARTHEST:
        raise SettingError(f"line {number} of your points: {text} is not between -{FARTHEST:g} and {FARTHEST:g}")
    return value

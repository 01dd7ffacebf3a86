"""Films of the boundary that a model draws while it learns: one, or several side by side."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..drawing.plots import scores_of
from ..player.player import Frame, Player
from ..player.stage import side_by_side
from .curves import Panel, drawn, moved_to, up_to
from .recording import Boundary, Plane
from .training import boundary_stage, crosses

LARGE, SMALL = {"wide": 520, "high": 360}, {}  # pixels: one alone, or as large as a Stage is in a row
CAPTION = "Watch the boundary, the line between the two colours. A cross marks a point on the wrong side."
COUNTED = {2: "two", 3: "three"}


class Moment(NamedTuple):
    """when: a few words.  boundary: where it runs.  losses: those of all epochs so far.  note: what is remarkable."""

    when: str
    boundary: Boundary
    losses: tuple
    note: str


class BoundaryFilm:
    """The boundary of a model, looked at again and again while it learns.

    points: an array of shape (n, 2).  labels: n numbers of two kinds or more.
    resolution: how fine the plane is, in places across; an odd number. A model is asked at every second place, and
        near the boundary at those between too: a network of Values takes its time for each.
    """

    def __init__(self, points, labels, resolution=25):
        self.plane, self.moments = Plane(points, labels, resolution), []

    def look(self, model, losses=(), when="", note=""):
        """Keep where the boundary runs now.

        model: as plot_decision_boundary takes one.  losses: those of the epochs so far, if they are to be shown.
        when: "After 3 epochs", say; counted from the losses if it is not given.
        note: a sentence about what is remarkable then.
        """
        counted = f"After {after(len(losses), 'epoch')}" if losses else "Before the training"
        self.moments.append(
            Moment(when or counted, self.plane.boundary(sparingly(model, self.plane)), tuple(losses), note)
        )

    def player(self, title="The decision boundary in training", caption=CAPTION):
        """The film so far.  Returns a Player."""
        return film_of({"": self}, title, caption)


def sparingly(model, plane):
    """A function of the places of a plane's grid and its points, which asks a model at as few of them as will do."""
    across, up = len(plane.across), len(plane.up)

    def scores(places):
        grid, points = places[: across * up].reshape(up, across, 2), places[across * up :]
        fine = between(scores_of(model, grid[::2, ::2].reshape(-1, 2)).reshape((up + 1) // 2, (across + 1) // 2, -1))
        asked = np.zeros((up, across), bool)
        asked[::2, ::2] = True
        while (wanted := near_a_boundary(fine.argmax(axis=-1)) & ~asked).any():  # an answer may show more of it
            fine[wanted] = scores_of(model, grid[wanted])
            asked |= wanted
        return np.vstack([fine.reshape(across * up, -1), scores_of(model, points)])

    return scores


def between(known):
    """A grid twice as fine: the scores that are known, and between two of them their mean."""
    rows, columns, kinds = known.shape
    fine = np.empty((2 * rows - 1, 2 * columns - 1, kinds))
    fine[::2, ::2] = known
    fine[1::2, ::2] = (known[:-1] + known[1:]) / 2
    fine[:, 1::2] = (fine[:, :-1:2] + fine[:, 2::2]) / 2
    return fine


def near_a_boundary(side):
    """Which places of the finer grid lie in or at one of the wider grid's squares that is not all on one side."""
    squares = np.lib.stride_tricks.sliding_window_view(side, (3, 3))[::2, ::2]
    near = np.zeros(side.shape, bool)
    for row, column in np.argwhere(squares.min((2, 3)) < squares.max((2, 3))):
        near[2 * row : 2 * row + 3, 2 * column : 2 * column + 3] = True
    return near


def film_of(films, title, caption=CAPTION):
    """A Player of several BoundaryFilms side by side, a frame for each of their moments, with their losses.

    films: {name: BoundaryFilm}, of as many moments each, after as many epochs.
    """
    curves = Losses(films)
    size = LARGE if len(films) == 1 and not curves.there else SMALL
    panels = [BoundaryPanel(name, film, f"{number}.", title, size) for number, (name, film) in enumerate(films.items())]
    frames = []
    for number, moment in enumerate(panels[0].film.moments):
        moved = {key: place for panel in panels for key, place in panel.moved(number).items()}
        told = "; ".join(panel.told(number) for panel in panels)
        crossed = [panels[0].crossed(number)] * (len(panels) == 1)
        sentence = " ".join(filter(None, [f"{moment.when}: {told}.", *crossed, moment.note]))
        losses = curves.told(number)
        moved |= losses.get("moved", {})
        texts = {key: text for panel in panels for key, text in panel.crosses[number].items()}
        frames.append(Frame(sentence, texts | losses.get("texts", {}), moved=moved))
    stages = [panel.stage for panel in panels] + ([curves.stage] if curves.there else [])
    return Player(title, frames, side_by_side(stages), caption=caption, pace=0.8)


class BoundaryPanel:
    """One boundary on its Stage."""

    def __init__(self, name, film, prefix, title, size):
        self.name, self.film, self.prefix = name, film, prefix
        self.stage = boundary_stage(film.plane, name or title, prefix, **size)
        wrong = [moment.boundary.wrong for moment in film.moments]
        self.crosses = crosses(self.stage, film.plane.points, wrong, prefix)  # for each moment, a Frame's texts

    def moved(self, number):
        """Where the boundary is at a moment."""
        boundary = self.film.moments[number].boundary
        return {f"{self.prefix}side{i}": self.stage.curve_to(side) for i, side in enumerate(boundary.sides, 1)}

    def told(self, number):
        """Such as: no zero_grad: 92 of 100 points right, loss 0.51."""
        moment = self.film.moments[number]
        wrong = moment.boundary.wrong
        right = f"{len(wrong) - wrong.sum()} of {len(wrong)} points right"
        name = f"{self.name}: " if self.name else ""
        return f"{name}{right}" + (f", loss {moment.losses[-1]:.2f}" if moment.losses else "")

    def crossed(self, number):
        """Where the boundary runs, for who does not see it: where it crosses the middle of the picture."""
        plane = self.film.plane
        middle = (plane.low[1] + plane.high[1]) / 2
        found = crossings(self.film.moments[number].boundary.sides[-1], middle, (plane.low[0], plane.high[0]))
        if not found:
            return "Halfway up the picture there is no boundary."
        places = "" if len(found) == 1 else f" at {COUNTED.get(len(found), len(found))} places:"
        return f"Halfway up the picture the boundary is{places} at x₀ = {listed(found)}."


def crossings(outline, height, ends):
    """Where an outline, (n, 2), crosses a height between two ends, from left to right, as texts."""
    found = []
    for (x, y), (other, after) in pairwise(outline):
        if (y > height) != (after > height) and not np.isnan(y + after):
            place = x + (height - y) / (after - y) * (other - x)
            if ends[0] < place < ends[1]:
                found.append(place)
    return [f"{round(place, 1) + 0:.1f}" for place in sorted(found)]  # + 0: no -0.0


def listed(words):
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def after(count, noun):
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


class Losses:
    """The losses of several films on one Stage.  .there: is there one to be shown?"""

    def __init__(self, films):
        self.films = list(films.values())
        curves = {name: film.moments[-1].losses for name, film in films.items()}
        self.there = any(curves.values())
        if self.there:
            self.panel = Panel("The loss", curves)
            self.stage = drawn(self.panel, 0, max(map(len, curves.values())), **SMALL)

    def told(self, number):
        """What a Frame says of the curves at a moment."""
        if not self.there:
            return {}
        epoch = len(self.films[0].moments[number].losses)
        dots = [f"d0.{place}" for place in range(len(self.films))]
        moved = moved_to(epoch, [self.panel], [self.stage]) if epoch else {"curves0": up_to(self.stage, 0)}
        return {"moved": moved, "texts": dict.fromkeys(dots, "shown" if epoch else "")}

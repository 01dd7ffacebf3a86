"""A secant that becomes the tangent while the nudge shrinks, until the digits run out (notebook 01)."""

import math
from typing import NamedTuple

from ..drawing.colours import INK, LINE, LINES
from ..player.player import Frame, Player
from ..player.stage import Stage, side_by_side

WIDE = (1.5, 1.0, 0.7, 0.4, 0.2)  # nudges that are seen as they are
TINY = tuple(10.0**-n for n in range(1, 18))  # and those under a magnifying glass
EDGE = 2.0  # of the picture on either side of x, in nudges when it is magnified
LEAST_ERROR = 1e-13  # as low as the picture goes
TREMBLING = 1e-8  # nudges so small are about rounding
SECANT, TANGENT = LINES[1], LINES[0]


def secants(slope, f, x, right):
    """A film of the secant through the places at which a slope function asks f, while its nudge shrinks.

    slope: a function of f, x and h that measures the slope of f at x with the nudge h, such as numerical_derivative.
    f: a function of a number.  x: a number.  right: the slope of f at x, to compare with.
    Returns a Player: a notebook shows it.
    """
    scene = Scene([nudged(slope, f, x, h, right) for h in (*WIDE, *TINY)], f, x, right)
    title = "A secant becomes the tangent"
    caption = "Watch the secant (dashed) close in on the tangent, and the dot on the right: where is it lowest?"
    return Player(title, scene.frames(), side_by_side([scene.curve, scene.errors]), caption=caption)


class Nudge(NamedTuple):
    """What a slope function found with one nudge.

    h: the nudge.  asked: {x: f(x)} of all places at which it asked f.  slope: what it returned.
    off: how far that is from the tangent's slope.
    """

    h: float
    asked: dict
    slope: float
    off: float


def nudged(slope, f, x, h, right):
    """The Nudge of slope(f, x, h), which calls f where it likes."""
    asked = {}

    def watched(place):
        asked[place] = f(place)
        return asked[place]

    found = slope(watched, x, h)
    return Nudge(h, asked, found, abs(found - right))


def steps_between(nudge):
    """How many of the smallest steps that a computer makes lie between the values that were subtracted."""
    values = list(nudge.asked.values())
    return round((max(values) - min(values)) / math.ulp(max(map(abs, values))))


class Scene:
    """The curve on the left, the error of each nudge on the right.

    Places on the left are told from (x, f(x)) on, and in units of `zoom`.
    """

    def __init__(self, nudges, f, x, right):
        self.nudges, self.f, self.x, self.right = nudges, f, x, right
        self.tall = EDGE * max(1, abs(right)) * (SIZE["high"] - 66) / (SIZE["wide"] - 72)  # a slope of 1 is drawn as 1
        self.curve = Stage("thick: curve, thin: tangent", (-EDGE, EDGE), (-self.tall, self.tall), axes=False, **SIZE)
        self.errors = Stage(
            "How far off", (3e-18, 30), (LEAST_ERROR / 3, 3), log="xy", xlabel="nudge h", ylabel="off by", **SIZE
        )
        self.draw()

    def draw(self):
        """All parts, before the film begins."""
        stage = self.curve
        for number in range(len(WIDE)):
            stage.curve([], f"old{number}", colour=LINE, width=1, dashes="2 3")
        stage.curve([], "curve", colour=INK, width=3)
        stage.curve(self.line(self.right), colour=TANGENT, width=1.5)
        stage.curve([], "secant", colour=SECANT, width=2, dashes="7 4")
        for number in range(MOST_ASKED):
            stage.dot(0, 0, f"asked{number}", colour=SECANT, r=5)
        stage.words(-0.95 * EDGE, 0.85 * self.tall, "", "zoom")
        stage.words(-0.95 * EDGE, -0.95 * self.tall, "dashed: secant, dotted: earlier ones")
        self.errors.curve([], "errors", colour=SECANT, width=1)
        self.errors.dot(1, 1, "error", colour=SECANT, r=6)

    def frames(self):
        """A Frame for each nudge, and one for all of them."""
        found = [self.frame(number) for number in range(len(self.nudges))]
        return [*found, self.end()]

    def frame(self, number):
        nudge = self.nudges[number]
        zoom = 1.0 if number < len(WIDE) else nudge.h
        moved = self.seen(nudge, zoom)
        if number < len(WIDE):
            moved[f"old{number}"] = self.curve.curve_to(self.through(nudge, zoom))
        else:
            moved |= {f"old{i}": self.curve.curve_to([]) for i in range(len(WIDE))}
        way = [(each.h, max(each.off, LEAST_ERROR)) for each in self.nudges[: number + 1]]
        moved |= {"errors": self.errors.curve_to(way), "error": self.errors.to(*way[-1])}
        shown = {f"asked{i}": "shown" if i < len(nudge.asked) else "" for i in range(MOST_ASKED)}
        return Frame(told(nudge, zoom), shown | {"zoom": magnified(zoom)}, moved=moved)

    def seen(self, nudge, zoom):
        """Curve, secant and dots under a magnifying glass."""
        moved = {"curve": self.curve.curve_to(self.curve_at(zoom))}
        moved["secant"] = self.curve.curve_to(self.through(nudge, zoom))
        for number, (place, value) in enumerate([*nudge.asked.items()][:MOST_ASKED]):
            moved[f"asked{number}"] = self.curve.to(*self.at(place, value, zoom))
        return moved

    def at(self, place, value, zoom):
        return (place - self.x) / zoom, (value - self.f(self.x)) / zoom

    def curve_at(self, zoom):
        """The curve as a computer finds it: magnified enough, it is a staircase."""
        places = [self.x + EDGE * zoom * i / POINTS for i in range(-POINTS, POINTS + 1)]
        across = [EDGE * i / POINTS for i in range(-POINTS, POINTS + 1)]
        points = [(u, self.at(place, self.f(place), zoom)[1]) for u, place in zip(across, places)]
        return corners(points)

    def line(self, slope, u=0.0, v=0.0):
        """A line through (u, v), from one edge to the other."""
        return [(side, v + slope * (side - u)) for side in (-EDGE, EDGE)]

    def through(self, nudge, zoom):
        """The line with the slope that was found, through the middle of the places that were asked."""
        places = [self.at(place, value, zoom) for place, value in nudge.asked.items()] or [(0.0, 0.0)]
        middle = [sum(each) / len(places) for each in zip(*places)]
        return self.line(nudge.slope, *middle)

    def end(self):
        """All secants that could be told apart, the tangent, and the best of all nudges."""
        best = min(self.nudges, key=lambda nudge: nudge.off)
        moved = self.seen(best, 1.0)
        for number, nudge in enumerate(self.nudges[: len(WIDE)]):
            moved[f"old{number}"] = self.curve.curve_to(self.through(nudge, 1.0))
        moved["error"] = self.errors.to(best.h, max(best.off, LEAST_ERROR))
        sentence = (
            f"All of them: h = {best.h:g} came closest, off by {best.off:.1g}. "
            "Larger ones miss because the curve bends, smaller ones because the digits run out."
        )
        return Frame(sentence, {"zoom": "all wide secants, and the tangent"}, moved=moved)


SIZE = {"wide": 345, "high": 300}
POINTS = 60  # of the curve, on either side of x
MOST_ASKED = 4  # places that are marked


def corners(points, most=0.004):
    """As few of a curve's points as show it, none of the others farther than `most` from the lines between them."""
    kept, since = points[:1], []
    for here in points[1:]:
        (u, v), rise = kept[-1], (here[1] - kept[-1][1]) / (here[0] - kept[-1][0])
        if any(abs(y - v - rise * (x - u)) > most for x, y in since):
            kept.append(since[-1])
            since = []
        since.append(here)
    return [*kept, points[-1]]


def magnified(zoom):
    power = round(-math.log10(zoom))
    return "" if zoom == 1 else f"magnified {f'{10**power:,}' if power < 7 else f'1e{power}'} times"


def told(nudge, zoom):
    """Such as: h = 0.5: the secant, through the curve at 0.5 and 1.5, has the slope 0.518069449, off by 0.02."""
    places = " and ".join(f"{place:g}" for place in sorted(nudge.asked))
    where = f", through the curve at {places}," if zoom == 1 and nudge.asked else ""
    parts = [f"h = {nudge.h:g}: the secant{where} has the slope {nudge.slope:.9f}, off by {nudge.off:.1g}."]
    if zoom == TINY[0]:
        parts.append(
            "From here on the picture is magnified 1/h times, and the curve becomes as straight as its tangent."
        )
    if nudge.h <= TREMBLING and nudge.asked:
        steps = steps_between(nudge)
        apart = "one" if steps == 1 else f"{steps:,}"
        parts.append(f"The two values differ by {apart} of the smallest steps between floats." if steps else NOTHING)
    return " ".join(parts)


NOTHING = "The two values are the same: nothing is left to measure."

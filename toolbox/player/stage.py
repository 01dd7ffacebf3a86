"""A picture with axes whose parts a film can move: lines, dots and words at places given in the numbers of the axes.

Plain text in, SVG out: no matplotlib, no NumPy. A part with a key can be changed by a Frame (player.py): its text by
Frame.texts, its place or form by Frame.moved, with what to(), curve_to() and size_to() say.
"""

import html
import math

from ..drawing.colours import CARD, GRID, INK, SOFT_INK
from ..drawing.svg import FONTS, LEAST_TYPE

TYPE = 12  # pixels: of the letters
GROWTH = 1.2  # how much larger a panel may be drawn where there is room
LEFT, RIGHT, TOP, BOTTOM = 60, 12, 26, 40  # pixels around the axes, for their words
MARKERS = {  # each about as large as the others, around (0, 0)
    "o": '<circle r="{r}"/>',
    "^": '<path d="M0 -{r}L{r} {r}L-{r} {r}Z"/>',
    "s": '<rect x="-{r}" y="-{r}" width="{d}" height="{d}"/>',
    "D": '<path d="M0 -{d}L{d} 0L0 {d}L-{d} 0Z" transform="scale(.75)"/>',
    "x": '<path d="M-{r} -{r}L{r} {r}M-{r} {r}L{r} -{r}" stroke-width="2"/>',
}
HALO = {"stroke": CARD, "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke"}  # lines end at words


class Stage:
    """Axes, and what stands on them.

    title: what it shows, in a few words: above it, and read aloud.
    x, y: the lowest and the highest number of each axis.  log: which axes count in powers of ten: "", "x", "y", "xy".
    xlabel, ylabel: the words at the axes.  wide, high: pixels, words included.  axes: False for a bare ground.
    """

    def __init__(self, title, x, y, *, xlabel="", ylabel="", log="", wide=345, high=250, axes=True):
        self.title, self.wide, self.high = title, wide, high
        self.x, self.y = _Axis(x, "x" in log, LEFT, wide - RIGHT), _Axis(y, "y" in log, high - BOTTOM, TOP)
        self._below, self._parts = [_text(LEFT, 16, title, fill=INK)], []
        if axes:
            self._draw_axes(xlabel, ylabel)

    # -------------------------------------------------------------- places

    def at(self, x, y):
        """The pixels of a place: (from the left, from the top)."""
        return self.x.pixel(x), self.y.pixel(y)

    def to(self, x, y):
        """What moves a dot or words there: for Frame.moved."""
        return {"style": "transform:translate({}px,{}px)".format(*map(_short, self.at(x, y)))}

    def curve_to(self, points):
        """What makes a curve go through other points [(x, y), ...]: for Frame.moved. nan or infinity leaves a gap."""
        return {"d": self._path(points)}

    def size_to(self, low, high):
        """What makes a bar reach from low to high: for Frame.moved."""
        top, bottom = sorted((self.y.pixel(low), self.y.pixel(high)))
        return {"y": _short(top), "height": _short(bottom - top)}

    def _path(self, points):
        path, pen = [], "M"
        for x, y in points:
            place = self.at(x, y)
            if all(map(math.isfinite, place)):
                path.append(pen + " ".join(_short(max(-4000, min(4000, pixel))) for pixel in place))
            pen = "L" if all(map(math.isfinite, place)) else "M"
        return "".join(path)

    # -------------------------------------------------------------- parts

    def curve(self, points, key="", *, colour=INK, width=2, dashes="", fill="none"):
        """A line through points [(x, y), ...].  dashes: "6 4" for 6 pixels of line and 4 of gap."""
        looks = {"stroke": colour, "stroke-width": width, "stroke-dasharray": dashes, "fill": fill}
        self._put(_element("path", key, {"d": self._path(points)} | looks))

    def dot(self, x, y, key="", *, marker="o", colour=INK, r=5):
        """A marker: o ^ s D x.  r: pixels."""
        inside = MARKERS[marker].format(r=r, d=2 * r)
        looks = {"fill": colour, "stroke": colour if marker == "x" else INK, "stroke-width": 0.8}
        self._put(_element("g", key, self.to(x, y) | looks, inside))

    def words(self, x, y, text, key="", *, colour=INK, anchor="start", size=TYPE):
        """Words that begin at a place, end there (anchor="end") or have it in their middle ("middle")."""
        looks = {"fill": colour, "text-anchor": anchor, "font-size": size} | HALO
        self._put(_element("text", key, self.to(x, y) | looks, html.escape(text)))

    def bar(self, x, low, high, key="", *, width=30, colour=INK):
        """An upright bar around x, from low to high.  width: pixels."""
        place = {"x": _short(self.x.pixel(x) - width / 2), "width": width}
        self._put(_element("rect", key, place | self.size_to(low, high) | {"fill": colour}))

    def put(self, svg):
        """Any other SVG, its places in pixels (at())."""
        self._put(svg)

    def _put(self, svg):
        self._parts.append(svg)

    # -------------------------------------------------------------- the picture

    def _draw_axes(self, xlabel, ylabel):
        left, right, low, high = self.x.start, self.x.end, self.y.start, self.y.end
        for number, words in self.x.ticks():
            place = _short(self.x.pixel(number))
            self._below.append(f'<path d="M{place} {low}V{high}" stroke="{GRID}" fill="none"/>')
            self._below.append(_text(place, low + 15, words, anchor="middle"))
        for number, words in self.y.ticks():
            place = _short(self.y.pixel(number))
            self._below.append(f'<path d="M{left} {place}H{right}" stroke="{GRID}" fill="none"/>')
            self._below.append(_text(left - 5, float(place) + 4, words, anchor="end"))
        self._below.append(_text((left + right) / 2, self.high - 6, xlabel, anchor="middle"))
        turned = f' transform="rotate(-90 12 {(low + high) / 2})"'
        self._below.append(_text(12, (low + high) / 2, ylabel, anchor="middle", more=turned))

    @property
    def inside(self):
        """All of it, without the <svg> around it. What leaves the axes is cut off."""
        left, right, low, high = self.x.start, self.x.end, self.y.start, self.y.end
        box = f"{left} {high} {right - left} {low - high}"
        place = f'x="{left}" y="{high}" width="{right - left}" height="{low - high}"'
        return f'{"".join(self._below)}<svg {place} viewBox="{box}">{"".join(self._parts)}</svg>'

    @property
    def svg(self):
        return as_svg(self.title, self.inside, self.wide, self.high)


def side_by_side(stages):
    """The SVGs of several Stages, as many in a row as can be read there. No two parts may have the same key."""
    wide = max(stage.wide for stage in stages)
    if len(stages) == 1:
        return stages[0].svg
    room = f"--least: {math.ceil(wide * LEAST_TYPE / TYPE)}px; max-width: {round(GROWTH * wide * len(stages))}px"
    return f'<div class="panels" style="{room}">{"".join(stage.svg for stage in stages)}</div>'


def as_svg(title, inside, wide, high):
    """A whole picture of these parts, in pixels, on a ground of its own: it looks the same on a dark page."""
    name = html.escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" '
        f'role="img" aria-label="{name}" font-family="{html.escape(FONTS)}" font-size="{TYPE}" '
        f'style="max-width:100%;height:auto"><title>{name}</title>'
        f'<rect width="{wide}" height="{high}" fill="{CARD}"/>{inside}</svg>'
    )


class _Axis:
    """From numbers to pixels."""

    def __init__(self, ends, log, start, end):
        self.log, self.start, self.end = log, start, end
        self.low, self.high = (math.log10(number) for number in ends) if log else map(float, ends)

    def pixel(self, number):
        number = float(number)
        if self.log:
            number = math.log10(number) if number > 0 else math.nan
        return self.start + (number - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self):
        """About five round numbers: (number, words)."""
        if self.log:
            powers = range(math.ceil(self.low), math.floor(self.high) + 1)
            return [(10.0**p, f"1e{p}") for p in powers[:: max(1, math.ceil(len(powers) / 6))]]
        step = _round_step((self.high - self.low) / 5)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [(i * step, f"{i * step:g}") for i in range(first, last + 1)]


def _round_step(about):
    """The next of 1, 2, 5, 10, 20, ..."""
    power = 10.0 ** math.floor(math.log10(about))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= about * (1 - 1e-9))


def _element(name, key, attributes, inside=""):
    """An SVG element; an attribute that says nothing is left out."""
    written = {"data-key": key} | attributes
    said = "".join(f' {each}="{html.escape(str(text))}"' for each, text in written.items() if text != "")
    return f"<{name}{said}>{inside}</{name}>"


def _text(x, y, words, *, anchor="start", fill=SOFT_INK, more=""):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{fill}"{more}>{html.escape(words)}</text>'


def _short(number):
    """Pixels with one digit behind the point, and none where it is 0."""
    return f"{number:.1f}".removesuffix(".0")

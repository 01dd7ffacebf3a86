"""Curves that grow, epoch by epoch, in one diagram or in two beside each other."""

import html
import math
from typing import NamedTuple

from ..drawing.colours import INK, LINES
from ..player.player import Frame, Player
from ..player.stage import MARKERS, Stage, side_by_side

MOST = 60  # frames; of more epochs some are left out
DASHES = ("", "8 4", "8 3 2 3", "2 3", "14 4")  # SVG's words for what matplotlib's lines have
SHAPES = ("o", "^", "s", "D", "x")


class Panel(NamedTuple):
    """One diagram.

    name: what is drawn, such as "loss".  curves: {name: a list of numbers, that after epoch 1 first}.
    top: the highest number of its axis, None for that of the curves.  legend: the corner with the curves' names.
    close: does the axis begin near the curves' lowest number? Otherwise it begins at 0.
    """

    name: str
    curves: dict
    top: float | None = None
    legend: str = "upper right"
    close: bool = False


def looks(index):
    """Of a curve: its colour, dashes and marker."""
    return LINES[index % len(LINES)], DASHES[index % len(DASHES)], SHAPES[index % len(SHAPES)]


def curves_film(title, panels, sentence, caption):
    """A Player in which curves grow.

    panels: a list of Panels.  sentence(epoch): what is said of an epoch, from 1 on.
    """
    epochs = max(len(curve) for panel in panels for curve in panel.curves.values())
    stages = [drawn(panel, number, epochs) for number, panel in enumerate(panels)]
    frames = [
        Frame(sentence(epoch), moved=moved_to(epoch, panels, stages))
        for epoch in sorted({round(1 + i * (epochs - 1) / (MOST - 1)) for i in range(MOST)})
    ]
    return Player(title, frames, side_by_side(stages), caption=caption, pace=0.7)


def until(stage, key, curves):
    """Put whole curves on a Stage, [(points, colour, dashes)], of which only the part left of a place is seen.

    Then {key: up_to(stage, x)} is all that lets them grow: a frame need not say them anew.
    """
    stage.put(f'<svg data-key="{key}" width="0" height="{stage.high}">')
    for points, colour, dashes in curves:
        stage.curve(points, colour=colour, dashes=dashes)
    stage.put("</svg>")


def up_to(stage, x):
    """For Frame.moved: curves are seen up to here."""
    return {"width": f"{stage.x.pixel(x):.1f}"}


def drawn(panel, number, epochs, **size):
    """The Stage of a Panel.  size: as a Stage takes it."""
    stage = Stage(panel.name, (0, 1.03 * epochs), ends(panel), xlabel="epoch", **size)
    each = [(enumerate(curve, 1), *looks(index)[:2]) for index, curve in enumerate(panel.curves.values())]
    until(stage, f"curves{number}", each)
    for index in range(len(panel.curves)):
        colour, _, marker = looks(index)
        stage.dot(0, 0, f"d{number}.{index}", colour=colour, marker=marker)
    legend(stage, panel.curves, panel.legend)
    return stage


def ends(panel):
    """The lowest and the highest number of a Panel's axis."""
    drawn = [number for curve in panel.curves.values() for number in curve if math.isfinite(number)]
    low, top = min(drawn, default=0) if panel.close else 0, panel.top or max(drawn, default=1)
    room = 0.05 * (top - low) or 1
    above = 10 if len(panel.curves) > 2 and "upper" in panel.legend else 1  # for the names of many curves
    return (low - room if panel.close else low), top + above * room


def moved_to(epoch, panels, stages):
    """Where curves and their ends are after this epoch."""
    moved = {}
    for number, (panel, stage) in enumerate(zip(panels, stages)):
        moved[f"curves{number}"] = up_to(stage, epoch)
        for index, curve in enumerate(panel.curves.values()):
            moved[f"d{number}.{index}"] = stage.to(epoch, curve[epoch - 1])
    return moved


def legend(stage, names, corner):
    """The names of curves below each other, each with its line and marker, in a corner such as "lower right"."""
    if len(names) < 2:
        return
    width = 46 + 8.5 * max(map(len, names))
    left = stage.x.end - width if "right" in corner else stage.x.start + 6
    top = stage.y.end + 6 if "upper" in corner else stage.y.start - 6 - 17 * len(names)
    stage.put(
        f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{17 * len(names):g}" fill="#fff" opacity=".8"/>'
    )
    for index, name in enumerate(names):
        colour, dashes, marker = looks(index)
        here = top + 17 * index + 9
        stage.put(
            f'<path d="M{left + 4:g} {here:g}h28" fill="none" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{dashes}"/>'
            f'<g transform="translate({left + 18:g},{here:g})" fill="{colour}" stroke="{INK}" stroke-width=".8">'
            f"{MARKERS[marker].format(r=5, d=10)}</g>"
            f'<text x="{left + 40:g}" y="{here + 4:g}" fill="{INK}">{html.escape(name)}</text>'
        )

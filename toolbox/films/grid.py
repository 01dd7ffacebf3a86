"""Small arrays as squares with numbers, in SVG: rows and columns, and blocks of them where there are more axes."""

import math

from ..drawing.colours import CARD, EDGE_OF_CARD, INK, LINE, RESULT, SOFT_INK
from ..drawing.svg import FONTS
from ..graphs.graph import short

WIDE, HIGH = 46, 34  # a cell, in pixels
HEAD = 42  # room for the two lines above a grid
ENLARGED, ROOM = 1.4, 640  # how much at most, and the width that it then may have
BETWEEN = 12  # between two blocks
LETTER = 8  # the width of a letter
TIP = 4  # half an arrowhead's width
MOST, LONGEST = 24, 12  # cells, and cells in a row

SHOWN, HIDDEN = {"visibility": "visible"}, {"visibility": "hidden"}  # what of a part is moved, in a Frame


class Grid:
    """Where each cell of an array is. The last two axes are rows and columns; of the others each place is a block.

    title: the words above it.  shape: a tuple.  left, top: of its upper left corner, with the title.
    """

    def __init__(self, title, shape, left=0, top=0):
        if math.prod(shape) > MOST or max((1, *shape)[-1:]) > LONGEST:
            room = f"at most {MOST} cells, and at most {LONGEST} in a row"
            raise ValueError(f"a film has room for {room}, but {title} has shape {shape}")
        self.title, self.shape, self.left, self.top = title, shape, left, top
        self.rows, self.columns = (1, 1, *shape)[-2:]
        self.size = math.prod(shape)
        self.blocks = self.size // max(1, self.rows * self.columns)
        self.abreast = max(1, min(self.blocks, LONGEST // max(1, self.columns)))

    @property
    def width(self):
        return max(self.width_of_cells, LETTER * len(self.title), LETTER * len(self.words_of_shape))

    @property
    def width_of_cells(self):
        return self.abreast * self.columns * WIDE + (self.abreast - 1) * BETWEEN

    @property
    def height(self):
        lines = math.ceil(self.blocks / self.abreast)
        return HEAD + lines * self.rows * HIGH + (lines - 1) * BETWEEN

    def side_towards(self, other):
        """x of the side that faces a grid beside it."""
        return self.left + self.width_of_cells if other.left > self.left else self.left

    @property
    def words_of_shape(self):
        return f"shape {self.shape}"

    def index(self, place):
        """The index of a cell as it is written: [1, 0]; nothing for the only cell of shape ()."""
        index = []
        for size in reversed(self.shape):
            place, here = divmod(place, size)
            index.insert(0, here)
        return str(index) if index else ""

    def corner(self, place):
        """The upper left corner of a cell: x and y."""
        block, cell = divmod(place, self.rows * self.columns)
        row, column = divmod(cell, self.columns)
        line, across = divmod(block, self.abreast)
        x = self.left + across * (self.columns * WIDE + BETWEEN) + column * WIDE
        return x, self.top + HEAD + line * (self.rows * HIGH + BETWEEN) + row * HIGH

    def drawn(self, texts=None, keys=None, colours=None):
        """The title and all cells, with texts in them, a data-key and a colour each."""
        words = words_at(self.left, self.top + 15, self.title) + words_at(self.left, self.top + 33, self.words_of_shape)
        texts, keys = texts or [""] * self.size, keys or [""] * self.size
        colours = colours or [RESULT] * self.size
        cells = (square(self.corner(p), texts[p], colours[p], keys[p]) for p in range(self.size))
        return words + "".join(cells)


def words_at(x, y, words, key=""):
    """Words that begin there."""
    name = f' data-key="{key}"' if key else ""
    return f'<text{name} style="{at((x, y))}" text-anchor="start" fill="{SOFT_INK}">{words}</text>'


def square(corner, text, fill, key="", more=""):
    """One cell with a number in it.  more: further declarations of its style."""
    name = f' data-key="{key}"' if key else ""
    number = f'<text x="{WIDE // 2}" y="{HIGH // 2 + 5}">{text}</text>' if text else ""
    path = f'<path d="M0 0h{WIDE}v{HIGH}H0z" fill="{fill}" stroke="{LINE}"/>'
    return f'<g{name} style="{at(corner)}{more}">{path}{number}</g>'


def late(corner, text, fill, key):
    """A cell that is hidden. When it is shown it appears half a second later, as what travels there has arrived."""
    return hidden(square(corner, text, fill, key, ";transition:visibility 0s .5s"))


def hidden(cell):
    return cell.replace("<g", '<g visibility="hidden"', 1)


def at(corner):
    """The style of a part that lies there."""
    return f"transform:translate({corner[0]}px,{corner[1]}px)"


def line(grids, start, end, key):
    """A line from a cell of one grid into a cell of another, hidden.

    It runs between the rows, across no number, and ends with an arrowhead in its cell.  grids: both.
    """
    (a, b), (c, d) = grids[0].corner(start), grids[1].corner(end)
    out, into = (each.side_towards(other) for each, other in (grids, grids[::-1]))
    way = [(a + WIDE // 2, b), *[(out, b), (into, d)] * (grids[0].left != grids[1].left), (c + WIDE // 2, d)]
    steps = f"M{'L'.join(f'{x} {y}' for x, y in way)}v{2 * TIP}m-{TIP} -{TIP}l{TIP} {TIP}l{TIP} -{TIP}"
    return f'<path data-key="{key}" visibility="hidden" d="{steps}" stroke="{INK}" stroke-width="2" fill="none"/>'


def card(inside, width, height, label):
    """An SVG of that size with a card to lie on. A small one is enlarged."""
    scale = max(1, min(ENLARGED, ROOM / width))
    fonts = f'font-family="{FONTS}" font-size="13" text-anchor="middle"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.0f}" height="{height * scale:.0f}" '
        f'viewBox="0 0 {width} {height}" '
        f'role="img" aria-label="{label}" {fonts} fill="{INK}">'
        f'<rect width="100%" height="100%" rx="8" fill="{CARD}" stroke="{EDGE_OF_CARD}"/>'
        f"{inside}</svg>"
    )


def number(x):
    """A number in a few letters."""
    return short(float(x), digits=3)


def in_brackets(x):
    return f"({number(x)})" if x < 0 else number(x)


def listed(things):
    """Such as: a, b and c."""
    return " and ".join(filter(None, [", ".join(things[:-1]), *things[-1:]]))


def all_of(numbers):
    return listed([number(x) for x in numbers])


def upstream_told(gradients):
    """What an upstream gradient is, and which."""
    told = "Each of its cells gets an upstream gradient from what comes later: how fast the loss grows with that cell."
    return f"{told} Here we take {all_of(gradients)}."

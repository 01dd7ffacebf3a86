"""A row meets a column: how each number of a matrix product is made, and each number of its gradients."""

from typing import NamedTuple

import numpy as np

from babygrad.tensor import Tensor

from ..drawing.colours import RESULT, SHADES
from ..player.player import Frame, Player
from .grid import (
    HIDDEN,
    HIGH,
    SHOWN,
    WIDE,
    Grid,
    at,
    card,
    hidden,
    in_brackets,
    late,
    number,
    square,
    upstream_told,
)
from .ways import back_ways, forward_ways

LONGEST = 4  # rows, and columns: more would be too many frames
MARGIN, GAP, SIGN = 16, 40, 18  # around everything; between the pictures; for a sign between two numbers


def row_meets_column(a, b, out_grad=None):
    """A film of a @ b, cell by cell, and then of both gradients, as your own rule gives them.

    Which row and which column make a cell of a gradient is asked of your rule, with one cell of the upstream
    gradient at a time.

    a, b: two matrices, arrays or lists, with at most 4 rows and columns each.
    out_grad: the upstream gradient, in the shape of a @ b; 1, 2, 3 ... if None.
    Returns a Player: a notebook shows it.  Raises ValueError for other shapes, NotImplementedError where an exercise
    is missing.
    """
    a, b = np.array(a, dtype=float), np.array(b, dtype=float)
    if a.ndim != 2 or b.ndim != 2 or max(*a.shape, *b.shape) > LONGEST:
        room = f"two matrices with at most {LONGEST} rows and columns"
        raise ValueError(f"row_meets_column needs {room}, but the shapes are {a.shape} and {b.shape}")
    out = Tensor(a) @ Tensor(b)
    out_grad = np.arange(1.0, out.size + 1).reshape(out.shape) if out_grad is None else np.array(out_grad, dtype=float)
    if out_grad.shape != out.shape:
        raise ValueError(f"out_grad has shape {out_grad.shape}, but a @ b has shape {out.shape}")
    film = Products(a, b, out, out_grad)
    return Player(film.title, list(film.frames()), film.picture(), caption=film.caption)


class Products:
    """The frames and the picture of one film.

    Its parts: a3, b3, c3, g3: cells of a, b, a @ b and its upstream gradient; A3, B3: of the gradients of a and b.
    A t before the key: the copy of that cell that travels to the line below. An n: the number in the cell.
    """

    title = "A row meets a column: a @ b and both gradients"
    caption = "The row and the column meet in the line below the matrices. Which ones meet for a gradient?"

    def __init__(self, a, b, out, out_grad):
        self.numbers = {"a": a, "b": b, "c": out.data, "g": out_grad}
        self.backs = [
            back_ways(lambda g, which=which: out._op.shares(Tensor(g), out)[which].data, out_grad, x.shape, name)
            for which, (name, x) in enumerate((("a", a), ("b", b)))
        ]
        for key, back in zip("AB", self.backs):
            if back.gradient is not None:
                self.numbers[key] = back.gradient
        names = {"a": "a", "b": "b", "c": "a @ b", "A": "gradient of a", "B": "gradient of b", "g": "upstream gradient"}
        shapes = {"a": a, "b": b, "c": out.data, "A": a, "B": b, "g": out_grad}
        self.grids = {key: Grid(name, shapes[key].shape) for key, name in names.items()}
        self.shown = set()  # the keys of the copies that are in the line
        self.put_in_place()

    def put_in_place(self):
        """a to the left of the product and b above it, and the same with the gradients."""
        left, grids = MARGIN, self.grids
        top = 8 + grids["b"].height + GAP // 2
        for beside, above, crossing in ("abc", "ABg"):
            grids[beside].left, grids[beside].top = left, top
            left += grids[beside].width + GAP // 2
            grids[above].left, grids[above].top = left, 8
            grids[crossing].left, grids[crossing].top = left, top
            left += max(grids[above].width, grids[crossing].width) + GAP
        below = top + max(grids["a"].height, grids["c"].height) + GAP // 2
        self.line = (MARGIN, below)
        pairs = max(*grids["a"].shape, *grids["b"].shape)
        self.size = max(left - GAP, self.slot(pairs)[0] + 2 * WIDE) + MARGIN, below + HIGH + MARGIN

    def slot(self, pair, half=0):
        """The upper left corner of a place in the line: of the first or second number of a pair."""
        return self.line[0] + pair * 2 * (WIDE + SIGN) + half * (WIDE + SIGN), self.line[1]

    # ------------------------------------------------------------------ frames

    def frames(self):
        shapes = {key: self.numbers[key].shape for key in "abc"}
        rows = f"A row of a has {shapes['a'][1]} numbers, and so has a column of b"
        yield Frame(f"{rows}: {shapes['a']} @ {shapes['b']} gives {shapes['c']}.", self.signs(0))
        for place, result in enumerate(self.numbers["c"].ravel()):
            i, j = divmod(place, shapes["c"][1])
            row, column = line_of("a", shapes["a"], "row", i), line_of("b", shapes["b"], "column", j)
            yield self.meeting("c", place, row, column, result)
        words = f"a @ b is there. {upstream_told(self.numbers['g'].ravel())}"
        yield Frame(words, self.signs(0), moved=self.put_away() | {"back": SHOWN})
        for key, back in zip("AB", self.backs):
            if not back.trouble:
                yield from self.gradient(key, back)
        yield Frame(self.end(), self.signs(0), moved=self.put_away())

    def gradient(self, key, back):
        """A frame for each cell of a gradient."""
        other = "b" if key == "A" else "a"
        for place, factors in enumerate(back.factors):
            number_there = back.gradient.ravel()[place]
            met = self.met(key, place, factors)
            if met:
                yield self.meeting(key, place, *met, number_there)
            else:
                words = f"{self.named(key, place)} is {number(number_there)}. No row or column of {other} explains it."
                lit = (f"n{key}{place}",)
                yield Frame(words, self.signs(0), lit, lit, moved=self.put_away() | {f"n{key}{place}": SHOWN})

    def met(self, key, place, factors):
        """The two Lines that meet in a cell of a gradient, as the rule has it, in the order of its formula.

        factors: how often each upstream gradient counts in that cell.  None if no two Lines explain them.
        """
        other, name = ("b", "row") if key == "A" else ("a", "column")
        shape, numbers = self.numbers["g"].shape, self.numbers[other]
        i, j = divmod(place, self.grids[key].shape[1])
        expected = (i, j) if key == "A" else (j, i)
        pairs = [(line_of("g", shape, name, expected[0]), line_of(other, numbers.shape, name, expected[1]))]
        pairs += [(one, another) for one in lines("g", shape) for another in lines(other, numbers.shape)]
        for one, another in pairs:
            if len(one.places) == len(another.places):
                wanted = np.zeros(factors.size)
                wanted[one.places] = numbers.ravel()[another.places]
                if np.allclose(wanted, factors):
                    return (one, another) if key == "A" else (another, one)
        return None

    def meeting(self, key, place, left, right, result):
        """The frame in which two Lines meet, and make one number of the matrix with that key."""
        slots = {f"{left.key}{p}": self.slot(pair) for pair, p in enumerate(left.places)}
        slots |= {f"{right.key}{p}": self.slot(pair, 1) for pair, p in enumerate(right.places)}
        moved = self.put_away(set(slots)) | {f"t{c}": {"style": at(corner)} | SHOWN for c, corner in slots.items()}
        self.shown = set(slots)
        pairs = list(zip(left.places, right.places))
        x, y = self.slot(len(pairs))
        moved |= {"total": {"style": at((x, y + HIGH // 2 + 5))}, f"n{key}{place}": SHOWN}
        products = (f"{in_brackets(self.cell(left.key, p))} · {in_brackets(self.cell(right.key, q))}" for p, q in pairs)
        words = f"{self.named(key, place)}: {left} meets {right}: {' + '.join(products)} = {number(result)}."
        texts = self.signs(len(pairs)) | {"total": f"= {number(result)}"}
        return Frame(words, texts, (*slots, f"n{key}{place}"), (f"n{key}{place}",), moved=moved)

    def named(self, key, place):
        """Such as: The gradient of a at [0, 1]."""
        grid = self.grids[key]
        return f"{'' if key == 'c' else 'The '}{grid.title} at {grid.index(place)}"

    def cell(self, key, place):
        return float(self.numbers[key].ravel()[place])

    def signs(self, pairs):
        """The signs of the line between that many pairs."""
        most = max(*self.grids["a"].shape, *self.grids["b"].shape)
        texts = {f"times{p}": "·" if p < pairs else "" for p in range(most)}
        return texts | {f"plus{p}": "+" if p + 1 < pairs else "" for p in range(most)} | {"total": ""}

    def put_away(self, kept=frozenset()):
        """The copies in the line go home, but for those that are kept."""
        away, self.shown = self.shown - kept, self.shown & kept
        return {f"t{cell}": {"style": at(self.home(cell))} | HIDDEN for cell in sorted(away)}

    def home(self, cell):
        return self.grids[cell[0]].corner(int(cell[1:]))

    def cells(self, keys):
        return [f"{key}{place}" for key in keys if key in self.numbers for place in range(self.grids[key].size)]

    def end(self):
        """What was remarkable, or what went wrong."""
        for key, back in zip("ab", self.backs):
            if back.trouble:
                return back.trouble
            if wrong := self.astray(key, back):
                return wrong
        return (
            "For the gradient of a, rows of the upstream gradient met rows of b, "
            "which are the columns of transpose(b). For the gradient of b, columns of a, "
            "which are the rows of transpose(a), met columns of the upstream gradient."
        )

    def astray(self, key, back):
        """The first cell whose gradient is not what nudging it says; "" if there is none."""
        a, b = self.numbers["a"], self.numbers["b"]
        operation = (lambda t: t @ Tensor(b)) if key == "a" else (lambda t: Tensor(a) @ t)
        _, factors = forward_ways(operation, self.numbers[key])
        due = (factors.T @ self.numbers["g"].ravel()).reshape(back.gradient.shape)
        for index in zip(*np.nonzero(~np.isclose(back.gradient, due))):
            name, got = f"{key}[{index[0]}, {index[1]}]", number(back.gradient[index])
            return f"But by nudging {name} its gradient is {number(due[index])}, not {got}."
        return ""

    # ------------------------------------------------------------------ the picture

    def picture(self):
        """As it is in the first frame."""
        there = "".join(self.matrix(key) for key in "abc")
        back = "".join(self.matrix(key) for key in "ABg")
        signs = "".join(self.sign(name, p) for p in range(len(self.signs(0)) // 2) for name in ("times", "plus"))
        copies = "".join(hidden(self.copy(cell)) for cell in self.cells("abg"))
        total = f'<text data-key="total" text-anchor="start" font-weight="bold" style="{at(self.slot(1))}"></text>'
        return card(
            f'{there}<g data-key="back" visibility="hidden">{back}</g>{signs}{total}{copies}', *self.size, self.title
        )

    def copy(self, cell):
        """The copy of a cell that travels to the line."""
        words = number(self.cell(cell[0], int(cell[1:])))
        return square(self.home(cell), words, SHADES["abg".index(cell[0])], f"t{cell}")

    def matrix(self, key):
        """A matrix whose numbers are there, or come one by one."""
        grid = self.grids[key]
        keys = [f"{key}{place}" for place in range(grid.size)]
        if key not in self.numbers:
            return grid.drawn(["?"] * grid.size, keys)
        numbers = [number(x) for x in self.numbers[key].ravel()]
        if key in "abg":
            return grid.drawn(numbers, keys)
        covers = (late(grid.corner(p), text, RESULT, f"n{key}{p}") for p, text in enumerate(numbers))
        return grid.drawn(keys=keys) + "".join(covers)

    def sign(self, name, pair):
        x, y = self.slot(pair, name == "plus")
        return f'<text data-key="{name}{pair}" x="{x + WIDE + SIGN // 2}" y="{y + HIGH // 2 + 5}"></text>'


class Line(NamedTuple):
    """A row or column: the key of its matrix, how it is called, and its places in the flattened matrix."""

    key: str
    name: str
    places: list

    def __str__(self):
        return f"{self.name} of {'the upstream gradient' if self.key == 'g' else self.key}"


def lines(key, shape):
    """All rows and columns of a matrix."""
    return [line_of(key, shape, name, i) for name, size in zip(("row", "column"), shape) for i in range(size)]


def line_of(key, shape, name, i):
    places = np.arange(shape[0] * shape[1]).reshape(shape)
    return Line(key, f"{name} {i}", (places[i] if name == "row" else places[:, i]).tolist())

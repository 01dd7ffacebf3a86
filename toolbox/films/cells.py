"""Cells that travel: where each number of a small array goes, and on which ways gradients come back."""

from functools import partial
from itertools import chain, count

import numpy as np

from babygrad.derivatives import numerical_gradient
from babygrad.tensor import Tensor

from ..drawing.colours import RESULT, SHADES
from ..graphs.graph import TensorReader
from ..player.player import Frame, Player
from .grid import (
    HIDDEN,
    SHOWN,
    Grid,
    all_of,
    at,
    card,
    hidden,
    in_brackets,
    late,
    line,
    listed,
    number,
    square,
    upstream_told,
)
from .ways import back_ways, forward_ways, own_rule, ways

MARGIN, GAP = 16, 72  # around everything, and between two grids
SCALED = "On its way a number is multiplied by a local derivative: how much that cell grows if the number grows by 1."
WIDEST = 930  # pixels, of two grids side by side: on a page of 700 their letters are still 9 high


def travel(operation, x, out_grad=None, by_nudging=False):
    """A film of an operation: the cells of x travel to the result, then gradients travel back to x.

    Nothing in it is known beforehand. Where a number goes, the forward of your operation says; where an upstream
    gradient goes, and what it counts there, your rule says, asked for one cell at a time.

    operation: a function of a Tensor that moves, repeats or adds up its numbers: lambda t: ops.reshape(t, (3, 2)).
    x: its numbers, an array or a list (of lists); at most 24, and at most 12 in a row.
    out_grad: the upstream gradient, in the result's shape; 10, 20, 30 ... if None.
    by_nudging: take the ways back from nudging each number of x, and not from your rule.
    Returns a Player: a notebook shows it.  Raises ValueError for too many cells, and for an operation that makes new
    numbers, such as exp; NotImplementedError where an exercise is missing.
    """
    x = np.array(x, dtype=float)
    out, factors = forward_ways(operation, x)
    out_grad = 10.0 * np.arange(1, out.size + 1).reshape(out.shape) if out_grad is None else np.array(out_grad, float)
    if out_grad.shape != out.shape:
        raise ValueError(f"out_grad has shape {out_grad.shape}, but the result has shape {out.shape}")
    rule = (nudging if by_nudging else own_rule)(operation, x)
    film = Travel(x, out, factors, out_grad, back_ways(rule, out_grad, x.shape))
    title = f"{names_of(operation, x)}: shape {x.shape} becomes {out.shape}, and gradients go back"
    return Player(title, film.frames(), film.picture(), caption=film.caption)


def names_of(operation, x):
    """The names of the operations from x to the result, as graphs have them: Reshape, say."""
    found, node, reader = [], operation(Tensor(x)), TensorReader()
    while reader.operation(node):
        found.insert(0, reader.operation(node))
        node = max(node._inputs, key=lambda input: bool(reader.operation(input)))
    return ", ".join(found) or "Nothing"


def nudging(operation, x):
    """What own_rule returns, without any rule: numerical_gradient nudges each number of x."""

    def rule(out_grad):
        return numerical_gradient(lambda nudged: np.sum(out_grad * operation(Tensor(nudged)).data), x.copy()).round(6)

    return rule


class Travel:
    """The frames and the picture of one film.

    Its parts: x3, u3: cells of x, and of the upstream gradient; f3, b3: the cell on way number 3, forward or back;
    F3, B3: the sum that lies there when it has arrived on top of others; wf3, wb3: the line that shows the way; back:
    all that belongs to the way back.
    """

    caption = "Follow one number of x to the result, and its gradient back."

    def __init__(self, x, out, factors, out_grad, back):
        self.x, self.out, self.out_grad, self.back = x.ravel(), out.ravel(), out_grad.ravel(), back
        self.factors = factors
        self.there = ways(factors, self.x)
        self.home = [] if back.trouble else ways(back.factors, self.out_grad)
        names = ("x", "result", "upstream gradient", "gradient of x")
        shapes = (x.shape, out.shape, out.shape, x.shape)
        self.grids = [Grid(name, shape) for name, shape in zip(names, shapes)]
        self.size = put_in_place(self.grids)

    # ------------------------------------------------------------------ frames

    def frames(self):
        from_x, to_result = self.name_of(self.grids[0], self.x), self.grids[1].index
        from_result, to_x = self.name_of(self.grids[2], self.out_grad), from_x
        shapes = f"x has shape {self.grids[0].shape}, the result will have shape {self.grids[1].shape}."
        scaled = not np.isin(self.factors, (0, 1)).all()
        yield Frame(f"{shapes} {SCALED}" if scaled else shapes)
        yield from self.film("f", self.there, self.grids[1], partial(told, from_x, "goes to", to_result))
        words = f"That is the result. {upstream_told(self.out_grad)}"
        yield Frame(words, moved=self.hidden_ways("f") | {"back": SHOWN})
        yield from self.film("b", self.home, self.grids[3], partial(told, from_result, "goes back to", to_x))
        yield Frame(self.end(), moved=self.hidden_ways("b"))

    def film(self, kind, all_ways, ends, sentence):
        """One frame for each cell that travels.  ends: the grid that it travels to."""
        numbers, shown = count(), {}
        for start, here in enumerate(all_ways):
            source = f"{'x' if kind == 'f' else 'u'}{start}"
            moved, lit = dict.fromkeys(shown, HIDDEN), [source]
            shown = {}
            for way, place in zip(here, numbers):
                arrived = {f"{kind}{place}": {"style": at(ends.corner(way.end))} | SHOWN}
                arrived |= {} if way.before is None else {f"{kind.upper()}{place}": SHOWN}
                shown[f"w{kind}{place}"] = SHOWN
                moved |= arrived
                lit += arrived
            yield Frame(sentence(start, here), lit=tuple(lit), main=(source,), moved=moved | shown)

    def name_of(self, grid, numbers):
        return lambda place: f"the {number(numbers[place])} at {grid.index(place)}".removesuffix(" at ")

    def hidden_ways(self, kind):
        return {f"w{each}{place}": HIDDEN for each, _, place, _ in self.each_way() if each == kind}

    def each_way(self):
        """Of both directions: kind, the two grids, the number of the way, and the Way."""
        for kind, all_ways, grids in (("f", self.there, self.grids[:2]), ("b", self.home, self.grids[2:])):
            yield from ((kind, grids, place, way) for place, way in enumerate(chain.from_iterable(all_ways)))

    def end(self):
        """What came back, and what is remarkable about it."""
        if self.back.trouble:
            return self.back.trouble
        found = f"The gradient of x is {all_of(self.back.gradient.ravel())}."
        astray = self.astray()
        return f"{found} {astray or ' '.join(self.remarks())}"

    def astray(self):
        """Where the rule and the forward do not agree: the first such cell; "" if they do."""
        wanted = self.factors.T @ self.out_grad
        for place, (got, due) in enumerate(zip(self.back.gradient.ravel(), wanted)):
            if not np.isclose(got, due, atol=1e-5):
                name = self.name_of(self.grids[0], self.x)(place)
                return f"But by nudging {name} its gradient is {number(due)}, not {number(got)}."
        return ""

    def remarks(self):
        """Why it is right, on the first cell that was repeated, and on the first that was added up."""
        ends, starts = (self.factors != 0).sum(axis=0), (self.factors != 0).sum(axis=1)
        if (ends > 1).any():
            yield self.repeated(int(np.argmax(ends > 1)))
        if (starts > 1).any():
            yield self.added_up(int(np.argmax(starts > 1)))
        if max(ends.max(initial=0), starts.max(initial=0)) <= 1:
            yield "Each gradient came back on the way that its number went."

    def repeated(self, place):
        """Of a number of x that is in several results."""
        column = self.factors[:, place]
        ends = np.flatnonzero(column)
        arrived = " + ".join(in_brackets(column[end] * self.out_grad[end]) for end in ends)
        name = self.name_of(self.grids[0], self.x)(place)
        total = number(column @ self.out_grad)
        return (
            f"If {name} grows by 1, {len(ends)} cells of the result change, and the loss grows by {arrived} = {total}."
        )

    def added_up(self, place):
        """Of a result into which several numbers of x went."""
        row = self.factors[place]
        starts = np.flatnonzero(row)
        first, gradient = row[starts[0]], self.out_grad[place]
        name = self.name_of(self.grids[1], self.out)(place)
        if (row[starts] != first).any():
            return f"Into {name} went {len(starts)} numbers of x: each gets its gradient as often as it counts there."
        whole = "the whole " if first == 1 else ""
        each = number(gradient) if first == 1 else f"{product(first, gradient)} = {number(first * gradient)}"
        made = f"{name[0].upper()}{name[1:]} is made of {len(starts)} numbers of x"
        grows = f"If one of them grows by 1, the {number(self.out[place])} grows by {number(first)}"
        return f"{made}. {grows}, so each gets {whole}{each}."

    # ------------------------------------------------------------------ the picture

    def picture(self):
        """As it is in the first frame. The ways lie above everything, sums above the cells that have arrived."""
        x, result, upstream, gradient = self.grids
        reached = [{way.end for here in all_ways for way in here} for all_ways in (self.there, self.home)]
        ends = (["" if end in reached[0] else "0" for end in range(result.size)],)
        ends += (["?" if self.back.trouble else "" if end in reached[1] else "0" for end in range(gradient.size)],)
        to_x = [here[0].end if len(here) == 1 else None for here in self.home] or [None] * upstream.size
        there = grid_of(x, self.x, "x", range(x.size)) + result.drawn(ends[0]) + self.travelling("f")
        home = grid_of(upstream, self.out_grad, "u", to_x) + gradient.drawn(ends[1]) + self.travelling("b")
        inside = f'{there}<g data-key="back" visibility="hidden">{home}</g>{self.lines()}'
        return card(inside, *self.size, "Cells that travel, and their gradients")

    def lines(self):
        return "".join(
            line(grids, way.start, way.end, f"w{kind}{place}") for kind, grids, place, way in self.each_way()
        )

    def travelling(self, kind):
        """The cells that travel one way, and the sums that they make."""
        cells, sums = [], []
        for each, grids, place, way in self.each_way():
            if each == kind:
                start, end = grids[0].corner(way.start), grids[1].corner(way.end)
                colour = colour_of(way.start if kind == "f" else way.end)
                cells.append(hidden(square(start, number(way.amount), colour, f"{kind}{place}")))
                if way.before is not None:
                    colour = RESULT if kind == "f" else colour
                    sums.append(late(end, number(way.after), colour, f"{kind.upper()}{place}"))
        return "".join(cells + sums)


def grid_of(grid, numbers, key, of_x):
    """A grid with its numbers.  of_x: to which number of x each cell belongs; None for no single one."""
    keys = [f"{key}{place}" for place in range(grid.size)]
    return grid.drawn([number(x) for x in numbers], keys, [colour_of(place) for place in of_x])


def colour_of(place):
    """Of a number of x, and of all that comes from it or goes to it."""
    return RESULT if place is None else SHADES[place % len(SHADES)]


def put_in_place(grids):
    """Give four grids their places: x beside the result, below them their gradients; or all in one column."""
    x, result, upstream, gradient = grids
    left = max(x.width, gradient.width)
    beside = MARGIN + left + GAP
    width = beside + max(result.width, upstream.width) + MARGIN
    if width <= WIDEST:
        for grid, start, top in ((x, MARGIN, 8), (result, beside, 8)):
            grid.left, grid.top = start, top
        below = 8 + max(x.height, result.height) + GAP // 2
        for grid, start in ((gradient, MARGIN), (upstream, beside)):
            grid.left, grid.top = start, below
        return width, below + max(gradient.height, upstream.height) + MARGIN
    top = 8
    for grid in grids:
        grid.left, grid.top = MARGIN, top
        top += grid.height + GAP // 2
    return max(grid.width for grid in grids) + 2 * MARGIN, top


def told(name_of_start, verb, name_of_end, start, here):
    """Such as: The 4 at [1, 0] goes to [0], added to the 1 that is already there: 1 + 4 = 5.

    here: the Ways from that start.
    """
    name = name_of_start(start)
    name = name[0].upper() + name[1:]
    if not here:
        return f"{name} goes nowhere."
    ends = [f"{name_of_end(way.end) or 'the only cell'}{arithmetic(way)}" for way in here]
    plain = all(way.factor == 1 and way.before is None for way in here)
    if len(here) == 1:
        return f"{name} {verb} {ends[0]}."
    together = listed(ends) if plain else "; to ".join(ends)
    return f"{name} {verb} {len(here)} cells: to {together}."


def arithmetic(way):
    """What a number is multiplied by on its way, and what it is added to when it arrives; "" where it is only moved."""
    times = "" if way.factor == 1 else f", as {product(way.factor, way.number)} = {number(way.amount)}"
    if way.before is None:
        return times
    before, after = number(way.before), number(way.after)
    return f"{times}, added to the {before} that is already there: {before} + {in_brackets(way.amount)} = {after}"


def product(factor, x):
    return f"{in_brackets(factor)} · {in_brackets(x)}"

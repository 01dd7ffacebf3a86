"""A window slides over a picture: where its numbers lie in memory, and which column of the matrix it becomes."""

import numpy as np

from babygrad.tensor import Tensor

from ..drawing.colours import LIT, RESULT, SHADES
from ..player.player import Frame, Player
from .grid import HEAD, HIDDEN, HIGH, SHOWN, WIDE, Grid, at, card, hidden, number, square

CAPTION = "Look at the places in memory: how far is it from one window to the next, and why is nothing copied?"
MARGIN, GAP = 16, 40


def window_slides(windows_of, picture, size, stride=1):
    """A Player: each window of a picture in turn, its places in memory, and the column that it becomes.

    windows_of: the function `windows` of conv; it says which windows there are.  picture: a list of rows of numbers.
    """
    picture = np.array(picture, float)
    cut = windows_of(Tensor(picture[None, None], requires_grad=False), size, stride).data[0, 0]
    matrix = cut.reshape(-1, size * size).T
    film = Slides(picture, cut, matrix, size, stride)
    title = f"Windows of {size} by {size}, stride {stride}: {picture.shape} gives {matrix.shape[1]} of them"
    return Player(title, film.frames(), film.picture(), caption=CAPTION)


class Slides:
    """The frames and the picture.  Its parts: window: the outline; m3: a cell of memory; c3: a cell of the matrix."""

    def __init__(self, picture, cut, matrix, size, stride):
        self.pixels, self.cut, self.matrix, self.size, self.stride = picture, cut, matrix, size, stride
        self.grids = [
            Grid("picture", picture.shape, MARGIN, 8),
            Grid("one column for each window", matrix.shape),
            Grid("memory: row after row", (picture.size,), MARGIN),
        ]
        of_picture, of_matrix, memory = self.grids
        of_matrix.left, of_matrix.top = MARGIN + of_picture.width + GAP, 8
        memory.top = 8 + max(of_picture.height, of_matrix.height) + GAP // 2

    def frames(self):
        rows, columns = self.cut.shape[:2]
        yield Frame(f"The picture has {self.pixels.shape[0]} rows. In memory they lie one behind the other.")
        for place in range(rows * columns):
            yield self.of_window(place, *divmod(place, columns))
        steps = [int(step) // self.cut.itemsize for step in self.cut.strides]
        told = f"From a window to the one below it is {steps[0]} places in memory, to the one on the right {steps[1]}"
        inside = f"inside a window {steps[2]} downwards and {steps[3]} to the right"
        last = "These four numbers are the strides: with them NumPy finds each window in the picture itself."
        hide = {"window": HIDDEN} | {f"m{place}": HIDDEN for place in self.places_of(rows - 1, columns - 1)}
        yield Frame(f"{told}; {inside}. {last}", moved=hide)

    def of_window(self, place, i, j):
        """One window."""
        numbers, here = self.cut[i, j].ravel(), self.places_of(i, j)
        before = self.places_of(*divmod(place - 1, self.cut.shape[1])) if place else []
        moved = {f"m{there}": HIDDEN for there in before} | {f"m{there}": SHOWN for there in here}
        moved |= {"window": {"style": at(self.grids[0].corner(here[0]))} | SHOWN}
        moved |= {f"c{row * self.matrix.shape[1] + place}": SHOWN for row in range(len(numbers))}
        told = f"Window ({i}, {j}) begins in row {i * self.stride}, column {j * self.stride}. Its numbers are "
        told += f"{', '.join(map(number, numbers))}; in memory they lie at {', '.join(map(str, here))}."
        return Frame(f"{told} They become column {place}.", moved=moved)

    def places_of(self, i, j):
        """Where the numbers of a window lie in memory."""
        width, inside = self.pixels.shape[1], np.arange(self.size)
        first = i * self.stride * width + j * self.stride
        return (first + inside[:, None] * width + inside).ravel().tolist()

    def picture(self):
        of_picture, of_matrix, memory = self.grids
        words = [number(x) for x in self.pixels.ravel()]
        drawn = of_picture.drawn(words, colours=[SHADES[0]] * of_picture.size) + of_matrix.drawn()
        drawn += memory.drawn(words)
        for place, word in enumerate(words):
            drawn += hidden(square(memory.corner(place), word, SHADES[0], f"m{place}"))
        for place, x in enumerate(self.matrix.ravel()):
            drawn += hidden(square(of_matrix.corner(place), number(x), RESULT, f"c{place}"))
        wide, high = self.size * WIDE, self.size * HIGH
        frame = f'<path d="M0 0h{wide}v{high}H0z" fill="none" stroke="{LIT}" stroke-width="4"/>'
        corner = of_picture.left, of_picture.top + HEAD
        drawn += f'<g data-key="window" visibility="hidden" style="{at(corner)}">{frame}</g>'
        width = max(grid.left + grid.width for grid in self.grids) + MARGIN
        return card(drawn, width, memory.top + memory.height + MARGIN, "A window slides over a picture")

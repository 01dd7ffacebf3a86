"""The filters of a first layer while a net learns: a picture of each, and the accuracy beside them."""

import numpy as np

from ..drawing.colours import LINES
from ..player.player import Frame, Player
from ..player.stage import BOTTOM, LEFT, RIGHT, TOP, Stage, side_by_side
from .curves import until, up_to

CAPTION = "Blue looks for ink, orange for paper. When do the filters begin to look like strokes and edges?"
ABREAST, CELL, GAP = 4, 12, 10  # filters in a row; pixels of a weight, and between two filters


def filters_film(moments, accuracy):
    """A Player.

    moments: {epoch: an array (filters, size, size)}, 0 for the start; of a resumed run later ones alone.
    accuracy: a list, the share that was right after epoch 1, 2, ...
    """
    filters, most = Filters(next(iter(moments.values())).shape), max(np.abs(x).max() for x in moments.values())
    curve = accuracy_stage(accuracy)
    frames, before = [], None
    for epoch, weights in sorted(moments.items()):
        moved = filters.coloured(weights / most)
        if epoch:
            share = 100 * accuracy[epoch - 1]
            moved |= {"accuracy": up_to(curve, epoch), "now": curve.to(epoch, share)}
        frames.append(Frame(sentence(epoch, accuracy, weights, before), moved=moved))
        before = weights
    title = f"{len(weights)} filters learn: {len(accuracy)} epochs"
    return Player(title, frames, side_by_side([filters.stage, curve]), caption=CAPTION, pace=1.0)


def sentence(epoch, accuracy, weights, before):
    """Such as: After epoch 2: 97.5 % right. Filter 3 has changed most."""
    if not epoch:
        return "Before the first step: the filters are random numbers."
    told = f"After epoch {epoch}: {accuracy[epoch - 1]:.1%} right."
    if before is None:
        return told
    return f"{told} Filter {int(np.abs(weights - before).sum((1, 2)).argmax())} has changed most."


def accuracy_stage(accuracy):
    low = min(90.0, 100 * min(accuracy) - 1)
    epochs = len(accuracy)
    stage = Stage("Right, of digits it has not seen", (0, 1.03 * epochs), (low, 100), xlabel="epoch", ylabel="%")
    until(stage, "accuracy", [([(epoch, 100 * share) for epoch, share in enumerate(accuracy, 1)], LINES[0], "")])
    stage.dot(0, low, "now", colour=LINES[0])
    return stage


class Filters:
    """A stage with a square for each weight.  shape: (filters, size, size)."""

    def __init__(self, shape):
        count, size, _ = shape
        room, rows = size * CELL + GAP, -(-count // ABREAST)
        wide, high = LEFT + ABREAST * room + RIGHT, TOP + rows * room + BOTTOM
        self.stage = Stage("The filters", (0, 1), (0, 1), wide=wide, high=high, axes=False)
        self.keys = [f"f{n}_{place}" for n in range(count) for place in range(size**2)]
        for key in self.keys:
            n, place = map(int, key[1:].split("_"))
            x = LEFT + n % ABREAST * room + place % size * CELL
            y = TOP + n // ABREAST * room + place // size * CELL
            self.stage.put(f'<rect data-key="{key}" x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#fff"/>')

    def coloured(self, weights):
        """For Frame.moved.  weights: from -1 to 1."""
        return {key: {"fill": colour(x)} for key, x in zip(self.keys, weights.ravel())}


def colour(x):
    """Blue for 1, white for 0, orange for -1."""
    end = (0, 114, 178) if x > 0 else (213, 94, 0)
    return "#" + "".join(f"{round(255 + (channel - 255) * abs(x)):02x}" for channel in end)

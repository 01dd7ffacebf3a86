"""Units of a net as lights, that go out when no gradient reaches them any more."""

import html
import math
from itertools import pairwise

import numpy as np

from babygrad.tensor import Tensor
from babygrad.training import train_epoch

from ..drawing.colours import INK, LINES, SOFT_INK
from ..player.player import Frame, Player
from ..player.stage import as_svg
from ..training.monitor import dead_units

CAPTION = "Look at which lights go out, and whether one comes on again. A cross in an empty square: this unit is dead."
CELL, TOP = 26, 30  # pixels: of a square, and above the squares


def lights_go_out(nets, loss_fn, loader, epochs=5, every=9):
    """A Player of the first layer's units while several nets train.

    nets: {name: (an nn.MLP, its optimizer)}.  loss_fn, loader: as for train_epoch; the loader is a DataLoader.
    every: after so many steps it is looked which units are dead: those that no sample of the loader's gives a gradient.
    """
    runs = {
        name: list(watched(net, optimizer, loss_fn, loader, epochs, every)) for name, (net, optimizer) in nets.items()
    }
    moments = list(zip(*runs.values()))
    changes = [changed(lights(one), lights(other)) for one, other in pairwise(moments)]
    frames = [Frame(sentence(list(nets), m), texts) for m, texts in zip(moments, [lights(moments[0]), *changes])]
    title = f"Units that die: {', '.join(nets)}"
    return Player(title, frames, picture(title, list(nets), moments[0]), caption=CAPTION, pace=0.7)


def watched(net, optimizer, loss_fn, loader, epochs, every):
    """Trains a net; gives (epoch, step, mean loss since the last time or nan, which units are dead) again and again."""
    passes, step = loader.epoch, 0
    yield 1, 0, math.nan, dead(net, loss_fn, loader)
    for epoch in range(1, epochs + 1):
        batches = list(loader)
        for start in range(0, len(batches), every):
            some = batches[start : start + every]
            loss = train_epoch(net, loss_fn, optimizer, some)
            step += len(some)
            yield epoch, step, loss, dead(net, loss_fn, loader)
    loader.epoch = passes  # the next net is dealt the same batches


def dead(net, loss_fn, loader):
    """Of each unit of the first layer: does no sample give it a gradient? An array of bools."""
    x, y = loader.dataset
    net.zero_grad()
    loss_fn(net(Tensor(x, requires_grad=False)), y).backward()
    dweight, dbias = (parameter.grad for parameter in net.parameters()[:2])
    net.zero_grad()
    return np.array([dead_units(dweight[:, [unit]], dbias[[unit]]) == 1 for unit in range(len(dbias))])


def sentence(names, moment):
    """Such as: Epoch 1, step 9. lr 1: 0 of 64 units are dead, loss 2.25; lr 2: 24 of 64 units are dead, loss 2.61."""
    epoch, step = moment[0][:2]
    each = "; ".join(f"{name}: {told(*found[2:])}" for name, found in zip(names, moment))
    return f"Epoch {epoch}, step {step}. {each}." if step else f"Before the first step. {each}."


def told(loss, which):
    count = int(which.sum())
    costs = "" if math.isnan(loss) else f", loss {loss:.2f}"
    return f"{count} of {len(which)} units {'is' if count == 1 else 'are'} dead{costs}"


def lights(moment):
    """Which lights are on."""
    return {
        f"u{net}.{unit}": "" if out else "on"
        for net, (*_, which) in enumerate(moment)
        for unit, out in enumerate(which)
    } | {f"n{net}": f"{int(which.sum())} dead" for net, (*_, which) in enumerate(moment)}


def changed(before, now):
    """What of now was not so before."""
    return {key: text for key, text in now.items() if before[key] != text}


def picture(title, names, moment):
    """The units of each net in a square, as squares."""
    across = math.ceil(math.sqrt(max(len(which) for *_, which in moment)))
    wide, high = across * CELL + 40, TOP + across * CELL + 10
    inside = "".join(
        f'<g transform="translate({20 + wide * net},0)">{of_net(net, name, len(which), across)}</g>'
        for net, (name, (*_, which)) in enumerate(zip(names, moment))
    )
    return as_svg(title, inside, wide * len(names), high)


def of_net(net, name, units, across):
    size = CELL - 4
    cells = [
        f'<text x="0" y="18" fill="{INK}" font-weight="bold">{html.escape(name)}</text>'
        f'<text data-key="n{net}" x="{across * CELL - 4}" y="18" text-anchor="end" fill="{INK}"></text>'
    ]
    for unit in range(units):
        x, y = unit % across * CELL, TOP + unit // across * CELL
        cells.append(
            f'<path d="M{x} {y}h{size}v{size}h-{size}zm7 7l8 8m0-8l-8 8" fill="#fff" stroke="{SOFT_INK}"/>'
            f'<rect data-key="u{net}.{unit}" x="{x}" y="{y}" width="{size}" height="{size}" fill="{LINES[0]}"/>'
        )
    return "".join(cells)

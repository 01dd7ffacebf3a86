"""For notebook 17: a net of filters that reads MNIST, trained here if the files are here, else as it was recorded.

benchmarks/reading.py trains the whole run, and writes what is recorded.
"""

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from babygrad import conv
from babygrad.nn import predict

from ..recorded import read
from .quick import quick
from .runs import WITH_FILTERS

LABEL, STEP, MOST = 7, 0.1, 8000
ABOUT = "8,000 pictures to learn from, 2,000 others to ask about"


class Reading(NamedTuple):
    """told: how well it reads, in lines.  filters (8, 5, 5).  picture, saliency, fooled (28, 28).  titles: of two.

    net: (model, pictures, labels), with pictures that it has not learned from; None of a run that was recorded.
    """

    told: str
    filters: np.ndarray
    picture: np.ndarray
    saliency: np.ndarray
    fooled: np.ndarray
    titles: list
    net: tuple | None = None


def reading_mnist(epochs=2):
    """A Reading: of a net that is trained now, or of the one that was recorded."""
    folders = [os.environ.get("BABYGRAD_MNIST", ""), *(each / "data" / "mnist" for each in Path.cwd().parents)]
    folder = next((folder for folder in folders if folder and Path(folder).is_dir()), None)
    if folder is not None:
        try:
            return trained(folder, epochs)
        except FileNotFoundError as missing:
            print(missing)
    kept = {name: np.array(x) if name in ARRAYS else x for name, x in read("mnist_filters").items()}
    return Reading(**kept)._replace(told=f"MNIST's files are not here. A run that was recorded:\n{kept['told']}")


ARRAYS = ("filters", "picture", "saliency", "fooled")


def trained(folder, epochs=None, seed=0):
    """Train the run of make train DATA=mnist NET=conv for some epochs, and look at the first 7 that can be fooled."""
    run = WITH_FILTERS["mnist"]
    split, model, epochs = run.split(seed, folder), run.model(seed), epochs or run.epochs
    split = split._replace(x_train=split.x_train[:MOST], y_train=split.y_train[:MOST])
    lines = [f"MNIST, {ABOUT}"]
    for epoch, share in enumerate(shares(run, model, split, epochs, seed), 1):
        lines.append(f"epoch {epoch}   {share:.1%} read right")
    return looked_at(model, split, "\n".join(lines))


def shares(run, model, split, epochs, seed=0):
    """Train.  Yields after each epoch the share that is read right."""
    optimizer = run.optimizer(model)
    schedule, (loader, _) = run.scheduler(optimizer, epochs), run.loaders(split, seed)

    def step(x, y):
        loss = run.loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    step = quick(step)
    for _ in range(epochs):
        model.train()
        for x, y in loader:
            step(conv.Tensor(x, requires_grad=False), y)
        schedule.step()
        yield float((predict(model, split.x_val).argmax(axis=1) == split.y_val).mean())


def looked_at(model, split, told):
    """A Reading of the first 7 that one step turns into something else, a 3 if there is one."""
    sevens = split.x_val[split.y_val == LABEL]
    labels = np.full(len(sevens), LABEL)
    astray = conv.fooled(model, sevens, labels, STEP)
    before, after = (predict(model, x).argmax(axis=1) for x in (sevens, astray))
    taken_in = np.flatnonzero((before == LABEL) & (after != LABEL))
    threes = np.flatnonzero((before == LABEL) & (after == 3))
    place = int(next(iter([*threes, *taken_in, 0])))
    map_of = conv.saliency(model, sevens[place : place + 1], [LABEL])[0]
    filters = model.layers[1].weight.data[:, 0].copy()
    pictures = [each.reshape(28, 28) for each in (sevens[place], map_of, astray[place])]
    titles = [f"read as {before[place]}", f"read as {after[place]}"]
    return Reading(told, filters, *pictures, titles, (model, split.x_val, split.y_val))

"""Whole training runs with babygrad and with PyTorch (nn and optim): the same data, first weights and batches.

All in float64, on one thread. babygrad's DataLoader deals the batches to both, so what is timed is the training. The
two take turns, a whole run each. The times are medians over the rounds, and so is the ratio of a round's two times:
what else the machine does in a round slows both. MNIST is 8,000 of the 10,000 test images, and 2,000 others to
measure the accuracy on: not to be compared with published numbers, which are for 60,000 and 10,000.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

import babygrad
from babygrad.arrays import DataLoader
from babygrad.training import accuracy
from grader.course.paths import ROOT
from toolbox import load_mnist_part
from toolbox.training import runs

from .engine import ratio, torch_mlp

ROUNDS = 5
SEED = 0
MEASURED = {}  # {run: how many times as long PyTorch takes as the compiled run, and as the one that is not compiled}
AGREE = 1e-9  # how far apart a weight may be at the end


@dataclass(frozen=True)
class Run:
    """A network, how it is trained, and on what.

    data(): x_train, x_test, y_train, y_test.  lr, momentum: of SGD.
    """

    name: str
    sizes: tuple
    nonlin: str
    epochs: int
    lr: float
    momentum: float
    data: Callable
    batch: int = 64

    @property
    def title(self):
        epochs = f"{self.epochs} epochs" if self.epochs > 1 else "one epoch"
        return f"{self.name}, {'-'.join(map(str, self.sizes))} {self.nonlin}, {epochs}"


def moons():
    return in_parts(runs.RUNS["moons"].split(SEED))


def digits():
    return in_parts(runs.RUNS["digits"].split(SEED))


def mnist():
    """8,000 images of the test files to train on, 2,000 others.  Raises FileNotFoundError if they are not there."""
    return in_parts(runs.halved(*load_mnist_part(mnist_folder(), "test"), SEED))


def in_parts(split):
    """x_train, x_test, y_train, y_test."""
    return split.x_train, split.x_val, split.y_train, split.y_val


def mnist_folder():
    """Where MNIST's files are: as BABYGRAD_MNIST says, else the first of the usual folders that is there."""
    usual = [ROOT / "data" / "mnist", ROOT.parent / "shared" / "data" / "mnist"]
    there = [folder for folder in usual if folder.is_dir()]
    return Path(os.environ.get("BABYGRAD_MNIST") or (there or usual)[0])


def as_trained_by_make_train(name, data, epochs=None):
    """The run of the toolbox's runs.py.  epochs: fewer."""
    run = runs.RUNS[name]
    return Run(name, run.sizes, run.activation, epochs or run.epochs, run.lr, run.momentum, data, run.batch)


RUNS = (
    as_trained_by_make_train("moons", moons),
    as_trained_by_make_train("digits", digits),
    as_trained_by_make_train("mnist", mnist, epochs=1),
)


class Babygrad:
    """A model at its start, trained as notebook 11 does."""

    def __init__(self, run):
        self.model = babygrad.nn.MLP(run.sizes, run.nonlin, rng=np.random.default_rng(SEED))
        self.optimizer = babygrad.optim.SGD(self.model.parameters(), run.lr, run.momentum)

    def epoch(self, batches):
        """One pass.  Returns the mean loss of a sample, as it was before its step."""
        return babygrad.training.train_epoch(self.model, babygrad.losses.cross_entropy, self.optimizer, batches)

    def scores(self, x):
        with babygrad.no_grad():
            return self.model(x).data

    def weights(self):
        """Pairs of arrays (weight, bias), layer after layer."""
        return [(layer.weight.data, layer.bias.data) for layer in self.model.layers[::2]]


class Compiled(Babygrad):
    """The same, with compiled steps."""

    def __init__(self, run):
        super().__init__(run)

        def step(x, y):
            loss = babygrad.losses.cross_entropy(self.model(babygrad.Tensor(x, requires_grad=False)), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            return loss

        self.step = babygrad.compile(step)

    def epoch(self, batches):
        """One pass.  Returns the mean loss of a sample, as it was before its step."""
        total, samples = 0.0, 0
        for x, y in batches:
            total += self.step(x, y).item() * len(x)
            samples += len(x)
        return total / samples


class Torch:
    """The same in PyTorch, with the weights that Babygrad begins with."""

    def __init__(self, run):
        import torch

        torch.set_num_threads(1)
        self.torch = torch
        self.model = torch_mlp(Babygrad(run).weights(), run.nonlin)
        self.optimizer = torch.optim.SGD(self.model.parameters(), run.lr, run.momentum)
        self.loss = torch.nn.CrossEntropyLoss()

    def epoch(self, batches):
        """One pass.  Returns the mean loss of a sample, as it was before its step."""
        total, samples = 0.0, 0
        for x, y in batches:
            loss = self.loss(self.model(self.torch.from_numpy(x)), self.torch.from_numpy(y))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(x)
            samples += len(x)
        return total / samples

    def scores(self, x):
        with self.torch.no_grad():
            return self.model(self.torch.from_numpy(x)).numpy()

    def weights(self):
        """Pairs of arrays (weight, bias) in babygrad's shapes, layer after layer."""
        return [(layer.weight.detach().numpy().T, layer.bias.detach().numpy()) for layer in self.model[::2]]


SIDES = {"babygrad": Babygrad, "babygrad, compiled": Compiled, "PyTorch, nn and optim": Torch}
OURS, COMPILED, TORCH = SIDES
AT_LEAST = {"moons": 4.0, "digits": 2.5}  # how many times as long PyTorch takes as the compiled run


@dataclass
class Result:
    """What a run came to."""

    seconds: float
    loss: float
    accuracy: float
    weights: list


def main():
    """Print the table.  Returns True if all sides of each run came to the same weights, and promises are kept."""
    print(f"\n{'whole training runs':<52}{'time':>10}{'ratio':>8}{'loss':>10}{'accuracy':>10}{'apart':>10}")
    with threadpool_limits(1):
        kept = [row(run) for run in RUNS]
    print("ratio: to babygrad's time.  apart: the largest difference of a weight at the end.")
    return all(kept)


def row(run):
    """Measure one run on all sides, and print it.  Returns whether they agree, and the compiled one is fast enough."""
    try:
        rounds = measured(run)
    except FileNotFoundError as error:
        print(f"{run.name} is left out: {error}", file=sys.stderr)
        return True
    except ModuleNotFoundError as error:
        print(f"{error.name} is not installed: python -m pip install -r requirements/bench.txt", file=sys.stderr)
        return False
    print(run.title)
    apart = {name: apart_at_most(rounds[OURS][-1].weights, rounds[name][-1].weights) for name in SIDES}
    for name, results in rounds.items():
        print(line(name, results, rounds[OURS]) + (f"{apart[name]:>10.0e}" if name != OURS else ""))
    faster = ratio(*([result.seconds for result in rounds[name]] for name in (TORCH, COMPILED)))
    eager = ratio(*([result.seconds for result in rounds[name]] for name in (TORCH, OURS)))
    MEASURED[run.name] = {COMPILED: round(faster, 2), OURS: round(eager, 2)}
    if run.name in AT_LEAST:
        print(f"  {'PyTorch, times compiled':<50}{faster:>18.2f}   at least {AT_LEAST[run.name]}")
    return max(apart.values()) <= AGREE and faster >= AT_LEAST.get(run.name, 0)


def measured(run, rounds=ROUNDS):
    """{side: its Result in each round}. One round before is not counted: a first run loads and warms up."""
    data = run.data()
    results = [{name: trained(side(run), run, data) for name, side in SIDES.items()} for _ in range(1 + rounds)]
    return {name: [result[name] for result in results[1:]] for name in SIDES}


def trained(side, run, data):
    """Train one side to the end.  Returns its Result, with the loss of the last epoch."""
    x_train, x_test, y_train, y_test = data
    loader = DataLoader(x_train, y_train, run.batch, seed=SEED)
    begin = time.perf_counter()
    for _ in range(run.epochs):
        loss = side.epoch(loader)
    seconds = time.perf_counter() - begin
    right = accuracy(side.scores(x_test), y_test)
    return Result(seconds, loss, right, side.weights())


def apart_at_most(ours, theirs):
    """The largest difference of a number in two lists of pairs (weight, bias)."""
    pairs = zip(ours, theirs, strict=True)
    return max(np.abs(a - b).max() for mine, other in pairs for a, b in zip(mine, other, strict=True))


def line(name, results, ours):
    """One side's line of the table, without what both share."""
    times, limits = [r.seconds for r in results], [r.seconds for r in ours]
    last = results[-1]
    shown = f"  {name:<50}{statistics.median(times):>8.3f} s{ratio(times, limits):>8.2f}"
    return shown + f"{last.loss:>10.5f}{100 * last.accuracy:>8.1f} %"


if __name__ == "__main__":
    raise SystemExit(not main())

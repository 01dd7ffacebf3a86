"""The three runs of notebook 11, defined once: their data, net and optimizer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from . import data, losses, nn, optim, training


class Split(NamedTuple):
    """What a run trains on, and what it validates with. note: what one must know to read the accuracy rightly."""

    x_train: np.ndarray
    y_train: np.ndarray
    x_val: np.ndarray
    y_val: np.ndarray
    note: str = ""


@dataclass(frozen=True)
class Run:
    """A net, its data and how it is trained.

    sizes, activation: of an nn.MLP.  epochs, batch: how many, and how many samples in each step.
    lr, momentum: of SGD; without momentum that is GradientDescent.  unit: what the data are, such as "digits".
    read(seed, folder): gives the Split.  folder: where MNIST's files are.
    """

    name: str
    sizes: tuple
    activation: str
    epochs: int
    lr: float
    momentum: float
    unit: str
    read: Callable
    batch: int = 64
    loss_fn = staticmethod(losses.cross_entropy)

    def split(self, seed=0, folder="data/mnist"):
        """The data, a Split.  Raises FileNotFoundError or ValueError for MNIST's files, as load_mnist does."""
        return self.read(seed, folder)

    def model(self, seed=0):
        """The net at its start."""
        return nn.MLP(self.sizes, self.activation, np.random.default_rng(seed))

    def optimizer(self, model):
        """For the model's parameters. GradientDescent is given in notebook 11, SGD is written in 12."""
        if not self.momentum:
            return training.GradientDescent(model.parameters(), self.lr)
        return optim.SGD(model.parameters(), self.lr, self.momentum)

    def loaders(self, split, seed=0):
        """(train, validation): DataLoaders. Only the first is shuffled."""
        validation = data.DataLoader(split.x_val, split.y_val, 1000, shuffle=False)
        return data.DataLoader(split.x_train, split.y_train, self.batch, seed=seed), validation


def moons(seed, folder=None):
    """1,000 points to train on, 4,000 fresh ones to validate."""
    return Split(*data.make_moons(1000, 0.2, seed), *data.make_moons(4000, 0.2, seed + 1))


def digits(seed, folder=None):
    """Four fifths of the 1,797 digits of 8x8 pixels to train on, the others to validate."""
    return halved(*data.load_digits(), seed)


def mnist(seed, folder):
    """60,000 digits to train on and 10,000 to validate; with only the test files there, four fifths of these 10,000.

    That split is the same for each seed.
    """
    try:
        train, test = data.load_mnist(folder)
        return Split(*train, *test)
    except FileNotFoundError as missing:
        return mnist_of_test_files(folder, missing)


def mnist_of_test_files(folder, missing):
    """The split of the test files alone.  Raises `missing` if they are not there either."""
    try:
        split = halved(*data.load_mnist_part(folder, "test"), seed=0)
    except FileNotFoundError:
        raise missing from None
    return split._replace(
        note=f"Only MNIST's test files are in {folder}: {len(split.x_train):,} of their digits to train on, "
        f"{len(split.x_val):,} to validate. The accuracy is not comparable with published numbers, which are for "
        "60,000 and 10,000."
    )


def halved(x, y, seed):
    """Four fifths to train on, one fifth to validate."""
    x_train, x_val, y_train, y_val = data.train_test_split(x, y, test_size=0.2, seed=seed)
    return Split(x_train, y_train, x_val, y_val)


RUNS = {
    run.name: run
    for run in (
        Run("moons", (2, 32, 32, 2), "tanh", epochs=200, lr=0.05, momentum=0, unit="points", read=moons),
        Run("digits", (64, 64, 10), "relu", epochs=30, lr=0.1, momentum=0.9, unit="digits", read=digits),
        Run("mnist", (784, 128, 10), "relu", epochs=20, lr=0.1, momentum=0.9, unit="digits", read=mnist),
    )
}

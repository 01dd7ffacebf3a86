"""The runs of make train, defined once: data, net and optimizer. Of notebooks 11, 16 and, with filters, 17."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from babygrad import conv_net, losses, nn, optim, training, transformer
from babygrad.arrays import DataLoader

from ..data import sets as data
from ..data import text

COUNTED = {"bigram model": 2, "trigram model": 3}


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

    @property
    def net(self):
        """The net in words."""
        return f"MLP {'-'.join(map(str, self.sizes))} {self.activation}"

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

    def scheduler(self, optimizer, epochs):
        """None: the learning rate stays."""

    def loaders(self, split, seed=0):
        """(train, validation): DataLoaders. Only the first is shuffled."""
        validation = DataLoader(split.x_val, split.y_val, 1000, shuffle=False)
        return DataLoader(split.x_train, split.y_train, self.batch, seed=seed), validation


class FilterRun(Run):
    """A net of filters (conv_net.reading_net) that reads digits: SGD, and half a cosine of learning rates.

    sizes: (pixels of a picture, 10).
    """

    @property
    def net(self):
        size = self.model().layers[1].weight.shape[-1]
        return f"Filters of {size}x{size}: 8, then 16 of them, batch norm, max pooling, then an MLP"

    def model(self, seed=0):
        return conv_net.reading_net(round(self.sizes[0] ** 0.5), np.random.default_rng(seed))

    def scheduler(self, optimizer, epochs):
        return optim.CosineLR(optimizer, epochs)


@dataclass(frozen=True)
class TextRun:
    """A transformer, the text that it learns to continue, and how it is trained: AdamW with warm-up and clipping.

    context, features, heads, layers: of a Transformer.  stride: how far apart two windows of the text begin.
    epochs, batch: how many, and how many windows in each step.  lr, weight_decay: of AdamW.
    start: what it writes on from.  stop: a character after which it stops, or None.  length: the most characters it
        writes at once.  times: how often, in one sample.  temperature: of what it writes.
    read(): gives the Corpus.
    """

    name: str
    context: int
    features: int
    heads: int
    layers: int
    stride: int
    epochs: int
    batch: int
    lr: float
    weight_decay: float
    start: str
    stop: str | None
    length: int
    times: int
    temperature: float
    read: Callable
    warmup: int = 1  # epochs
    max_norm: float = 1.0  # of all gradients together
    loss_fn = staticmethod(transformer.language_loss)

    @property
    def net(self):
        """The net in words."""
        sizes = f"{self.layers} blocks of {self.heads} heads, {self.features} features, context {self.context}"
        return f"Transformer: {sizes}"

    @cached_property
    def corpus(self):
        """The text. It is the same for each seed."""
        return self.read()

    @cached_property
    def counts(self):
        """What to compare with: {name: Counts}."""
        return {name: text.best_counts(self.corpus, order) for name, order in COUNTED.items()}

    def split(self, seed=0, folder=None):
        """The windows to train on and to validate with, and in place of labels what comes next: a Split."""
        train = transformer.windows(self.corpus.train, self.context, self.stride)
        validation = transformer.windows(self.corpus.validation, self.context, self.context)
        return Split(*train, *validation, self.corpus.note)

    def model(self, seed=0):
        """The net at its start."""
        sizes = len(self.corpus.vocabulary), self.context, self.features, self.heads, self.layers
        return transformer.Transformer(*sizes, np.random.default_rng(seed))

    def optimizer(self, model):
        """AdamW, which shortens all gradients together to max_norm before each step."""
        params = model.parameters()
        optimizer = optim.AdamW(params, self.lr, weight_decay=self.weight_decay)
        optimizer.before_step = [lambda: optim.clip_grad_norm_(params, self.max_norm)]
        return optimizer

    def scheduler(self, optimizer, epochs):
        """Warm-up, then half a cosine down to 0."""
        return optim.CosineLR(optimizer, epochs, min(self.warmup, epochs - 1))

    def loaders(self, split, seed=0):
        """(train, validation): DataLoaders. Only the first is shuffled, and has only full batches."""
        validation = DataLoader(split.x_val, split.y_val, self.batch, shuffle=False)
        return DataLoader(split.x_train, split.y_train, self.batch, seed=seed, drop_last=True), validation

    def sample(self, model, seed=0):
        """What the model writes: a list of texts, without empty ones. The same model and seed write the same."""
        vocabulary, rng = self.corpus.vocabulary, np.random.default_rng(seed)
        start = vocabulary.encode(self.start)
        stop = None if self.stop is None else vocabulary.encode(self.stop)[0]
        texts = []
        for _ in range(self.times):
            tokens = transformer.generate(model, start, self.length, rng, self.temperature, stop=stop)
            texts.append(vocabulary.decode(tokens).strip())
        return [text for text in texts if text]


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
        TextRun(
            "cities",
            context=16,
            features=32,
            heads=4,
            layers=2,
            stride=4,
            epochs=8,
            batch=16,
            lr=0.003,
            weight_decay=1,
            start=text.END,
            stop=text.END,
            length=30,
            times=8,
            temperature=0.8,
            read=text.read_cities,
        ),
        TextRun(
            "manual",
            context=64,
            features=64,
            heads=4,
            layers=3,
            stride=32,
            epochs=10,
            batch=16,
            lr=0.003,
            weight_decay=0.1,
            start="\n\nThe ",
            stop=None,
            length=200,
            times=1,
            temperature=0.7,
            read=text.read_manual,
        ),
    )
}

WITH_FILTERS = {  # with NET=conv
    run.name: run
    for run in (
        FilterRun("digits", (64, 10), "relu", epochs=15, lr=0.1, momentum=0.9, unit="digits", read=digits),
        FilterRun("mnist", (784, 10), "relu", epochs=8, lr=0.1, momentum=0.9, unit="digits", read=mnist),
    )
}
NETS = {"": RUNS, "conv": WITH_FILTERS}

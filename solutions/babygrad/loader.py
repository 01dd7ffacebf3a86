"""Data dealt in batches.

Given.
"""

import operator

import numpy as np


class DataLoader:
    """Deals data in batches: `for x_batch, y_batch in loader` is one pass over all rows, an epoch.

    x, y: arrays, or what NumPy makes one of, of equal length. They are not copied; each batch is.
    batch_size: rows in a batch. The last batch has what is left; drop_last leaves it out unless it is full.
    shuffle: deal the rows of each pass in a new order; otherwise as they come.
    seed: a whole number. The order of pass k depends on seed and k alone.

    .dataset: (x, y) as arrays.
    .epoch: how many passes were begun, by a loop or by iter(). Set it to k, and the next pass is pass k (counted from
    0): a training run that goes on after k passes is dealt the batches it would have been dealt.
    len(loader): the number of batches in a pass.
    Raises ValueError for x and y of different lengths, no rows, no full batch with drop_last, or a batch_size below 1;
    TypeError for a batch_size that is not an int.
    Source: torch.utils.data.DataLoader.
    """

    def __init__(self, x, y, batch_size, shuffle=True, seed=0, drop_last=False):
        self.dataset = paired(x, y)
        self.batch_size = whole_number("batch_size", batch_size, 1)
        self.shuffle = shuffle
        self.seed = whole_number("seed", seed, 0)
        self.drop_last = drop_last
        self.epoch = 0
        if len(self) == 0:
            rows = len(self.dataset[0])
            raise ValueError(
                f"with drop_last nothing would be dealt: {rows} rows are less than one batch of {self.batch_size}; "
                "take a smaller batch_size"
            )

    @property
    def epoch(self):
        """How many passes were begun."""
        return self._epoch

    @epoch.setter
    def epoch(self, passes):
        self._epoch = whole_number("epoch", passes, 0)

    def __len__(self):
        """Batches in a pass."""
        full, left = divmod(len(self.dataset[0]), self.batch_size)
        return full + (left > 0 and not self.drop_last)

    def __iter__(self):
        """One pass: pairs (x_batch, y_batch). Passes may run side by side."""
        x, y = self.dataset
        batches = self._batches(self.epoch)
        self.epoch += 1
        return ((x.take(rows, 0), y.take(rows, 0)) for rows in batches)  # the same as x[rows], in a fifth of the time

    def _batches(self, epoch):
        """The row numbers of each batch of a pass."""
        rows, size = len(self.dataset[0]), self.batch_size
        order = np.random.default_rng((self.seed, epoch)).permutation(rows) if self.shuffle else np.arange(rows)
        return [order[start : start + size] for start in range(0, len(self) * size, size)]


def paired(x, y):
    """x and y as arrays with as many rows, at least one. Raises ValueError."""
    x, y = with_rows("x", x), with_rows("y", y)
    if len(x) != len(y):
        raise ValueError(f"each row of x needs its row of y, but x has {len(x)} rows and y has {len(y)}")
    if len(x) == 0:
        raise ValueError("x and y are empty: there is nothing to deal")
    return x, y


def with_rows(name, data):
    """data as an array of at least one axis; a Tensor gives its numbers."""
    try:
        array = np.asarray(data.data if hasattr(data, "_inputs") else data)
    except ValueError:
        raise ValueError(f"{name} is not an array: its rows have different lengths") from None
    if array.ndim == 0:
        raise ValueError(f"{name} must be an array with a row for each example, but it is {data!r}")
    return array


def whole_number(name, number, least):
    """number as an int, at least `least`. Raises TypeError or ValueError that name it."""
    try:
        whole = operator.index(number)
    except TypeError:
        whole = None
    if whole is None or isinstance(number, bool):
        raise TypeError(f"{name} must be a whole number, but it is {number!r}")
    if whole < least:
        raise ValueError(f"{name} must be at least {least}, but it is {whole}")
    return whole

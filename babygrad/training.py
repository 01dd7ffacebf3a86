"""Notebook 11: an epoch of training, written by the learner, and what belongs to it: batches, a mean.

Yours: 11.7, 11.8.
"""

import operator

import numpy as np

from .arrays import plain_array
from .optim import Optimizer
from .tensor import Tensor


def accuracy(scores, targets):
    """The share of rows whose target has the highest score, from 0.0 to 1.0: a float.

    scores: a Tensor or array (N, C).  targets (N,): ints. If several scores of a row tie, the first of them counts.
    With one score for each row, (N,) or (N, 1), a score above 0 means the higher of two classes, and so does a
    target above 0: that part is given.
    Raises ValueError unless each row has one target.
    """
    scores, targets = plain_array(scores), plain_array(targets)
    if targets.size != len(scores):
        raise ValueError(f"each row of scores needs one target, but the shapes are {scores.shape} and {targets.shape}")
    targets = targets.reshape(-1)
    if scores.ndim == 2 and scores.shape[1] > 1:
        # scores is an array (N, C) here, and targets an array (N,)
        # exercise 11.7
        raise NotImplementedError("exercise 11.7: accuracy")
        # end of exercise 11.7
    return float(((scores.reshape(-1) > 0) == (targets > 0)).mean())


def train_epoch(model, loss_fn, optimizer, loader):
    """One pass over all samples: a step of the optimizer for each batch.

    model: a Module.  loss_fn(answers, targets): returns the loss of a batch, a Tensor with one number.
    optimizer: with step() and zero_grad().
    loader: gives pairs (x, y) of arrays, one for each batch; some loaders can be iterated only once.
    Returns the mean loss of a sample, a float. Each loss counts as it was before its step.

    The model is given a Tensor that requires no gradient: nobody needs that of x. No graph outlives its batch.
    """
    # exercise 11.8
    raise NotImplementedError("exercise 11.8: train_epoch")
    # end of exercise 11.8


class GradientDescent(Optimizer):
    """The plainest optimizer: each parameter goes downhill by lr times its gradient. SGD of notebook 12 adds extras.

    params: a sequence of Tensors, such as model.parameters().  lr: the learning rate, above 0.
    """

    def __init__(self, params, lr):
        super().__init__(params, lr)

    def update(self, p, memory):
        """One step for one parameter, in place. Nothing is remembered."""
        p.data -= self.lr * p.grad


class AverageMeter:
    """A mean that grows: update(value, n) counts value n times.  .value: the last one.  .average: the mean so far."""

    def __init__(self):
        self.reset()

    def reset(self):
        """Begin again."""
        self.value, self.total, self.count = float("nan"), 0.0, 0

    def update(self, value, n=1):
        """Count value n times."""
        self.value = float(value)
        self.total += self.value * n
        self.count += n

    @property
    def average(self):
        """The mean; nan if nothing was counted."""
        return self.total / self.count if self.count else float("nan")


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

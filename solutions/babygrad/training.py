"""Notebook 11: an epoch of training, and how much of it is right.

Yours: 11.8.
"""

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
        return float(np.mean(np.argmax(scores, axis=1) == targets))
    return float(((scores.reshape(-1) > 0) == (targets > 0)).mean())


def train_epoch(model, loss_fn, optimizer, loader):
    """One pass over all samples: a step of the optimizer for each batch.

    model: a Module.  loss_fn(answers, targets): returns the loss of a batch, a Tensor with one number.
    optimizer: with step() and zero_grad().
    loader: gives pairs (x, y) of arrays, one for each batch; some loaders can be iterated only once.
    Returns the mean loss of a sample, a float. Each loss counts as it was before its step.

    The model is given a Tensor that requires no gradient: nobody needs that of x. No graph outlives its batch.
    """
    ### BEGIN SOLUTION 11.8: train_epoch
    total, samples = 0.0, 0
    for x, y in loader:
        loss = loss_fn(model(Tensor(x, requires_grad=False)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
        samples += len(x)
    return total / samples
    ### END SOLUTION


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

"""Counts loss and accuracy during train_epoch, and stops before a step with NaN or infinite gradients.

train_epoch stays what the notebook shows: a loop that knows nothing of this. What it is given calls the Guard back:
loss_fn with each loss, the optimizer before each step, and the loader, wrapped as tqdm wraps one, for each batch.
"""

import math
from contextlib import contextmanager
from types import MethodType

import numpy as np

from babygrad.arrays import plain_array
from babygrad.optim import Optimizer
from babygrad.tensor import Tensor

from .progress import Seen


class TrainingDiverged(ArithmeticError):
    """The loss or a gradient became NaN or infinite. The parameters are those from before the step."""


class Guard:
    """One epoch, watched: train_epoch is given .loader and .loss_fn, and before_step is called before each step.

    .epoch, .batch: where we are, counted from 1.  .seen: loss and accuracy so far.
    """

    def __init__(self, trainer, bar):
        self.trainer, self.bar = trainer, bar
        self.epoch, self.batch, self.seen = trainer.done + 1, 0, Seen()
        self.names = trainer.model.named_parameters()
        self.loader = Batches(trainer.loaders["train"], self)
        self.data = self.loss = None

    def before_batch(self, batch):
        self.batch += 1
        self.data = batch
        if self.trainer.recording is not None:
            self.trainer.recording.before_batch(self.epoch, self.trainer.loaders["train"], batch)

    def after_batch(self):
        self.bar.advance()
        if self.trainer.recording is not None:
            self.trainer.recording.after_step(self.epoch, self.seen.loss.value)

    def loss_fn(self, answers, targets):
        """The loss of a batch, counted."""
        return self.counted(self.trainer.loss_fn(answers, targets), answers, targets)

    def counted(self, loss, answers, targets):
        """The loss of a batch, now that it counts.  Raises TrainingDiverged if it is nan or infinite."""
        self.loss = loss
        if not isinstance(loss, Tensor):
            raise TypeError(f"loss_fn must return a Tensor with one number, but it returned a {type(loss).__name__}")
        if not math.isfinite(loss.item()):
            self.walk_back(loss)
            raise self.diverged(f"the loss is {loss.item()}")
        self.seen.count(loss, answers, targets)
        self.bar.show(self)
        return loss

    def walk_back(self, loss):
        """A backward pass after the loss went bad, only to see which gradients do."""
        self.trainer.model.zero_grad()
        if loss.requires_grad:
            with np.errstate(all="ignore"):
                loss.backward()

    def before_step(self):
        """Raises TrainingDiverged if a gradient holds NaN or infinite numbers."""
        with np.errstate(all="ignore"):
            bad = any(p.grad is not None and is_bad(p.grad) for _, p in self.names)
        if bad:
            raise self.diverged("a gradient is nan or infinite")
        self.loss = None  # so that its graph can be freed

    def diverged(self, what):
        """The exception: where, what, and what to try."""
        lines = [f"epoch {self.epoch}, batch {self.batch}: {what}. The parameters are those from before this step."]
        lines += [self.first_bad_gradient(), *self.bad_weights(), *self.bad_data()]
        lr = getattr(self.trainer.optimizer, "lr", None)
        now = "" if lr is None else f" (it is {lr:g})"
        lines.append(f"Try a smaller lr{now}, or clip_grad_norm_ before each step, and look at the data.")
        return TrainingDiverged("\n".join(lines))

    def first_bad_gradient(self):
        """In words: which layer's gradient went bad first in the backward pass."""
        for name, parameter in nearest_first(self.names, self.loss):
            if parameter.grad is not None and is_bad(parameter.grad):
                return f"In the backward pass, the first gradient to go bad was that of {name}."
        return "All gradients are still finite."

    def bad_weights(self):
        bad = [name for name, parameter in self.names if is_bad(parameter.data)]
        return [f"Already nan or infinite before this step: {', '.join(bad)}."] if bad else []

    def bad_data(self):
        named = zip(("inputs", "targets"), self.data or ())
        bad = [name for name, array in named if is_bad(plain_array(array))]
        return [f"The {' and '.join(bad)} of this batch hold nan or infinite numbers: clean the data."] if bad else []


def is_bad(array):
    """Does it hold a nan or an infinite number?"""
    # If the sum is finite, so is every number: most arrays need no more. If it is not, it may have overflowed.
    return array.dtype.kind in "fc" and not math.isfinite(array.sum()) and not np.isfinite(array).all()


def nearest_first(names, loss):
    """The pairs (name, Parameter), those nearest to the loss in its graph first."""
    known, found, nodes = {id(p): (name, p) for name, p in names}, {}, [loss]
    seen = {id(loss)}
    for node in nodes:  # grows while we walk
        if id(node) in known:
            found[id(node)] = known[id(node)]
        fresh = [x for x in getattr(node, "_inputs", ()) if id(x) not in seen]
        seen.update(map(id, fresh))
        nodes += fresh
    return [*found.values(), *(pair for key, pair in reversed(known.items()) if key not in found)]


@contextmanager
def called_back(optimizer, guard):
    """The optimizer for train_epoch: in this block it calls guard.before_step() before each step."""
    if not has_callbacks(optimizer):
        yield Stepping(optimizer, guard)
        return
    others = optimizer.before_step
    try:
        optimizer.before_step = [*others, guard.before_step]
        yield optimizer
    finally:
        optimizer.before_step = others


def has_callbacks(optimizer):
    """Is it an Optimizer with the step of all of them? Another step knows nothing of before_step."""
    return isinstance(optimizer, Optimizer) and optimizer.step == MethodType(Optimizer.step, optimizer)


class StandIn:
    """Calls the guard in place of a thing that has no callbacks. What is not defined here is the thing's own."""

    def __init__(self, thing, guard):
        vars(self).update(thing=thing, guard=guard)

    def __getattr__(self, name):
        return getattr(vars(self)["thing"], name)

    def __setattr__(self, name, value):
        setattr(self.thing, name, value)


class Stepping(StandIn):
    """For an optimizer that is not an Optimizer: any object with zero_grad() and step()."""

    def step(self):
        self.guard.before_step()
        self.thing.step()


class Batches(StandIn):
    """For a loader, which may be a list. A generator would do for a `for` loop, but has no len() and no batch_size."""

    def __len__(self):
        return len(self.thing)

    def __iter__(self):
        for batch in self.thing:
            self.guard.before_batch(batch)
            yield batch
            self.guard.after_batch()

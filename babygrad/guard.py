"""Counts loss and accuracy during train_epoch, and stops before a step with NaN or infinite gradients.

The guard wraps loader, loss_fn and optimizer, so train_epoch stays what the notebook shows.
"""

import math

import numpy as np

from . import training
from .arrays import plain_array
from .operators import Tensor

GOOD_FOR_COUNTING = (-1, 0, 1)  # float targets with these values alone count as class labels


class TrainingDiverged(ArithmeticError):
    """The loss or a gradient became NaN or infinite. The parameters are those from before the step."""


class Seen:
    """The mean loss and accuracy of the samples so far."""

    def __init__(self):
        self.loss, self.accuracy = training.AverageMeter(), training.AverageMeter()

    def count(self, loss, answers, targets):
        """Count a batch.  loss, answers: Tensors.  targets: an array."""
        self.loss.update(loss.item(), len(targets))
        if are_classes(targets):
            self.accuracy.update(training.accuracy(answers, targets), len(targets))


def are_classes(targets):
    """Is it one class for each sample: an integer, or one of -1, 0, 1? Otherwise there is no accuracy to count."""
    targets = plain_array(targets)
    if targets.size != len(targets):
        return False
    return targets.dtype.kind in "iub" or bool(np.isin(targets, GOOD_FOR_COUNTING).all())


class Guard:
    """What train_epoch gets in one epoch: .loader, .loss_fn and .optimizer, each watched.

    .epoch, .batch: where we are, counted from 1.  .seen: loss and accuracy so far.
    """

    def __init__(self, trainer, bar):
        self.trainer, self.bar = trainer, bar
        self.epoch, self.batch, self.seen = trainer.done + 1, 0, Seen()
        self.names = trainer.model.named_parameters()
        self.loader = WatchedLoader(trainer.loaders["train"], self)
        self.optimizer = WatchedOptimizer(trainer.optimizer, self)
        self.data = self.loss = None

    def loss_fn(self, answers, targets):
        """The loss of a batch, counted."""
        self.loss = loss = self.trainer.loss_fn(answers, targets)
        if not isinstance(loss, Tensor):
            raise TypeError(f"loss_fn gives a Tensor with one number, but it gave a {type(loss).__name__}")
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
        """In words: which layer's gradient went bad first, on the way back from the loss."""
        for name, parameter in nearest_first(self.names, self.loss):
            if parameter.grad is not None and is_bad(parameter.grad):
                return f"On the way back from the loss, the first gradient that went bad is that of {name}."
        return "All gradients are still finite."

    def bad_weights(self):
        bad = [name for name, parameter in self.names if is_bad(parameter.data)]
        return [f"Nan or infinite before this step already: {', '.join(bad)}."] if bad else []

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


class Watched:
    """A proxy: attributes that are not defined here are those of the wrapped thing."""

    def __init__(self, thing, guard):
        vars(self).update(thing=thing, guard=guard)

    def __getattr__(self, name):
        return getattr(vars(self)["thing"], name)

    def __setattr__(self, name, value):
        setattr(self.thing, name, value)


class WatchedLoader(Watched):
    def __len__(self):
        return len(self.thing)

    def __iter__(self):
        for batch in self.thing:
            self.guard.batch += 1
            self.guard.data = batch
            yield batch
            self.guard.bar.advance()


class WatchedOptimizer(Watched):
    def step(self):
        self.guard.before_step()
        self.thing.step()

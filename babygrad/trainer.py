"""The Trainer: train_epoch with a progress bar, validation, checkpoints, and a guard that stops before a bad step."""

import json
import math
import numbers
import operator
import shutil
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from . import training
from .autograd import no_grad
from .guard import Guard, Seen, TrainingDiverged
from .nn import walk
from .operators import Tensor
from .progress import Bar
from .storage import load, save

__all__ = ["CheckpointError", "Trainer", "TrainingDiverged", "predict"]


class CheckpointError(ValueError):
    """Training cannot be resumed from a checkpoint: it is damaged, or of another model or optimizer."""


class Trainer:
    """Trains a model for many epochs: each is one call of train_epoch.

    model: a Module.  loss_fn(answers, targets): gives a Tensor with one number.  optimizer: for the model's parameters.
    checkpoint: path of a file (npz, no pickle) that is written after each epoch, with all that the run needs to go on:
        weights, optimizer, scheduler, history, the passes of the loaders, the random generators of the model's modules.
        A checkpoint of an earlier run is kept beside it, as name.before.npz, when a new run begins.
    progress: show a progress bar.
    scheduler: stepped after each epoch.
    patience: stop after so many epochs without a better validation loss. At the end of fit the model then has the
        weights of its best epoch.
    log: path of a csv file with a row for each epoch.

    .history: what fit returns.  .interrupted: did Ctrl-C end the last fit?
    Raises TypeError for a model that is no Module, ValueError for a patience below 1.
    """

    def __init__(
        self, model, loss_fn, optimizer, *, checkpoint=None, progress=True, scheduler=None, patience=None, log=None
    ):
        if not hasattr(model, "named_parameters"):
            raise TypeError(f"the model is a Module, but it is of type {type(model).__name__}")
        self.model, self.loss_fn, self.optimizer, self.scheduler = model, loss_fn, optimizer, scheduler
        self.checkpoint = None if checkpoint is None else Path(checkpoint)
        self.progress = progress
        self.patience = None if patience is None else whole("patience", patience)
        self.log = log
        self.start()

    def start(self):
        """The state before the first epoch."""
        self.history, self.best, self.interrupted = {}, {}, False
        self.saved = 0  # how many epochs the checkpoint holds, of this run
        self.logger = None

    @property
    def done(self):
        """How many epochs are complete."""
        return len(self.history.get("loss", ()))

    def fit(self, train_loader, epochs, val_loader=None, resume=False):
        """Train until `epochs` epochs are complete.

        train_loader: gives pairs (x, y) of arrays.  val_loader: the same, to validate with after each epoch.
        resume: go on from the checkpoint, to the same numbers, bit for bit, as a run that was never stopped. If
        there is no checkpoint yet, training starts anew, and says so.
        Returns the history: {"loss", "accuracy", "val_loss", "val_accuracy", "lr"}, a list with one number for each
        epoch (the val_ ones with a val_loader only). Losses are means over the samples, accuracies shares from 0.0
        to 1.0, nan where targets are not classes. lr is the learning rate in that epoch.
        Ctrl-C ends it early: the model keeps what it learnt, and the history so far is returned.
        Raises TrainingDiverged, an ArithmeticError, before a step with a nan or infinite loss or gradient;
        CheckpointError, a ValueError, for a checkpoint that does not fit; TypeError or ValueError if train_epoch does
        not return a mean loss.
        """
        epochs = whole("epochs", epochs)
        if self.patience and val_loader is None:
            raise ValueError("patience looks at the validation loss: give fit a val_loader")
        if resume and self.checkpoint is None:
            raise ValueError("resume goes on from a checkpoint: Trainer(..., checkpoint='a file') names it")
        self.loaders = {"train": train_loader, "validation": val_loader}
        self.start()
        if resume:
            self.go_on()
        with modes_kept(self.model):
            self.model.train()
            self.run(epochs)
        return self.history

    def run(self, epochs):
        """Epoch after epoch, until the last, an early stop, or Ctrl-C."""
        bar = Bar(self.progress, epochs, self.loaders["train"], self.done)
        guard = Guard(self, bar)
        try:
            while self.done < epochs and not self.out_of_patience():
                self.epoch(guard)
                guard = Guard(self, bar)
            bar.close()
            self.take_best(epochs)
        except KeyboardInterrupt:
            bar.close()
            self.interrupted = True
            print(self.where_it_stopped(guard))
        finally:
            bar.vanish()

    def epoch(self, guard):
        """One epoch, validated, written down and saved."""
        lr = float(getattr(self.optimizer, "lr", math.nan))
        loss = training.train_epoch(self.model, guard.loss_fn, guard.optimizer, guard.loader)
        row = {"loss": mean_loss(loss), "accuracy": guard.seen.accuracy.average, **self.validation(), "lr": lr}
        if self.scheduler is not None:
            self.scheduler.step()
        # In one assignment: Ctrl-C finds all lists of one length.
        self.history = {name: [*self.history.get(name, ()), value] for name, value in row.items()}
        if self.patience and best_epoch(self.history["val_loss"]) == self.done - 1:
            self.best = self.model.state_dict()
        self.save()
        self.write_log()
        guard.bar.show(guard)

    def validation(self):
        """The row's part that tells how the model does on the validation data; empty without any."""
        loader = self.loaders["validation"]
        if loader is None:
            return {}
        seen = Seen()
        with modes_kept(self.model), no_grad():
            self.model.eval()
            for x, y in loader:
                answers = self.model(Tensor(x, requires_grad=False))
                seen.count(self.loss_fn(answers, y), answers, y)
        return {"val_loss": seen.loss.average, "val_accuracy": seen.accuracy.average}

    def write_log(self):
        """A row for the epoch that ended. The first time all epochs so far, so that a resumed run has them all."""
        if self.log is None:
            return
        first = self.done - 1
        if self.logger is None:
            self.logger, first = training.Logger(self.log), 0
        for epoch in range(first, self.done):
            self.logger.log(epoch=epoch + 1, **{name: values[epoch] for name, values in self.history.items()})

    # Early stop.

    def out_of_patience(self):
        """Were there `patience` epochs in a row without a better validation loss?"""
        return bool(self.patience and self.done) and self.done - 1 - self.best_so_far() >= self.patience

    def best_so_far(self):
        return best_epoch(self.history["val_loss"])

    def take_best(self, epochs):
        """With patience: the weights of the best epoch."""
        if not self.best:
            return
        self.model.load_state_dict(self.best)
        if self.done < epochs:
            print(
                f"Stopped after epoch {self.done}: {self.patience} in a row without a better validation loss. "
                f"The model has the weights of epoch {self.best_so_far() + 1}."
            )

    def where_it_stopped(self, guard):
        """One line that says how far it came, after Ctrl-C."""
        line = f"Stopped in epoch {guard.epoch}, after {guard.batch} batches. The model keeps what it learnt."
        if self.checkpoint is None:
            return f"{line} There is no checkpoint."
        if not self.saved:
            return f"{line} No epoch was complete, so nothing was written to {self.checkpoint}."
        return f"{line} {self.checkpoint} holds epoch {self.saved}: fit(..., resume=True) goes on from its end."

    # The checkpoint.

    def save(self):
        """Write the checkpoint, if there is to be one. The file is whole at any time."""
        if self.checkpoint is None:
            return
        if not self.saved and self.checkpoint.exists():
            before = self.checkpoint.with_name(f"{self.checkpoint.stem}.before{self.checkpoint.suffix}")
            shutil.copyfile(self.checkpoint, before)
        save(joined(self.state()), self.checkpoint)
        self.saved = self.done

    def state(self):
        """All that a run needs to go on: {part: {name: value}}."""
        return {
            "kind": self.kinds(),
            "model": self.model.state_dict(),
            "best": self.best,
            "optimizer": self.optimizer.state_dict(),
            "scheduler": self.scheduler.state_dict() if self.scheduler is not None else {},
            "generator": {name: as_text(rng) for name, rng in generators(self.model)},
            "passes": {name: loader.epoch for name, loader in self.loaders.items() if hasattr(loader, "epoch")},
            "history": self.history,
        }

    def kinds(self):
        """What must be the same when a run is resumed."""
        things = {"optimizer": self.optimizer, "scheduler": self.scheduler}
        validated = "validated" if self.loaders["validation"] is not None else "not validated"
        return {**{name: type(thing).__name__ for name, thing in things.items()}, "each epoch": validated}

    def go_on(self):
        """Take over what the checkpoint holds.  Raises CheckpointError; then the model is as it was."""
        if not self.checkpoint.exists():
            print(f"There is no checkpoint {self.checkpoint} yet: training starts anew.")
            return
        before = self.model.state_dict()
        try:
            self.take_over(parted(load(self.checkpoint)))
        except (ValueError, TypeError, KeyError) as error:
            self.model.load_state_dict(before)
            raise CheckpointError(
                f"training cannot go on from {self.checkpoint}: {error}. "
                "Train with what it was written with, or name another file to start anew"
            ) from error

    def take_over(self, state):
        """Restore everything. What may not fit is checked first."""
        if not {"kind", "model", "optimizer", "history"} <= state.keys():
            raise ValueError("it is not a checkpoint of a Trainer")
        refuse_other_kinds(self.kinds(), state["kind"])
        rngs, their_states = generators(self.model), state.get("generator", {})
        refuse_other_generators([name for name, _ in rngs], their_states)
        self.model.load_state_dict(state["model"])
        if self.scheduler is not None:
            self.scheduler.load_state_dict(state["scheduler"])
        self.optimizer.load_state_dict(state["optimizer"])
        for name, rng in rngs:
            rng.bit_generator.state = json.loads(str(their_states[name]))
        for name, passes in state.get("passes", {}).items():
            if hasattr(self.loaders[name], "epoch"):
                self.loaders[name].epoch = int(passes)
        self.best = state.get("best", {})
        self.history = {name: values.tolist() for name, values in state["history"].items()}
        self.saved = self.done


def whole(name, number):
    """number as an int of at least 1.  Raises TypeError or ValueError that name it."""
    try:
        number = operator.index(number)
    except TypeError:
        raise TypeError(f"{name} is a whole number, but it is {number!r}") from None
    if number < 1:
        raise ValueError(f"{name} is at least 1, but it is {number}")
    return number


@contextmanager
def modes_kept(model):
    """After the block each module is in training, or in use, as it was before."""
    modes = [(module, module.training) for module in model.modules()]
    try:
        yield
    finally:
        for module, mode in modes:
            module.training = mode


def predict(model, x):
    """The model's answers, an array: asked in eval mode, and nothing is recorded.

    model: a Module.  x: an array (N, ...).  Each module's mode is kept.
    """
    with modes_kept(model), no_grad():
        return model.eval()(Tensor(x, requires_grad=False)).data


def mean_loss(loss):
    """What train_epoch returned, as a float.  Raises TypeError or ValueError if it is not a mean loss."""
    if isinstance(loss, numbers.Real) and math.isfinite(loss):
        return float(loss)
    kind = ValueError if isinstance(loss, numbers.Real) else TypeError
    shown = repr(loss) if len(repr(loss)) < 80 else f"a {type(loss).__name__}"
    raise kind(f"train_epoch returned {shown}, but it returns the mean loss of a sample, a float (training.py)")


def best_epoch(losses):
    """The place of the smallest loss, the first if several are; nan counts as the largest."""
    known = [loss if loss == loss else math.inf for loss in losses]
    return known.index(min(known))


# The parts of a checkpoint.


def joined(parts):
    """{part: {name: value}} as {"part/name": value}."""
    return {f"{part}/{name}": value for part, values in parts.items() for name, value in values.items()}


def parted(state):
    """The inverse of `joined`."""
    parts = {}
    for key, value in state.items():
        part, _, name = key.partition("/")
        parts.setdefault(part, {})[name] = value
    return parts


def generators(model):
    """Pairs (name, Generator) of the random generators that the model's modules hold."""
    return [(name, thing) for name, thing in walk(model) if isinstance(thing, np.random.Generator)]


def as_text(rng):
    """A generator's state: a text that json reads."""
    return json.dumps(rng.bit_generator.state, default=np.ndarray.tolist)


def refuse_other_kinds(here, there):
    """Raises ValueError if a run of these kinds cannot go on."""
    for name, kind in here.items():
        if str(there.get(name)) != kind:
            raise ValueError(f"{name}: {kind} here, {there.get(name)} in the checkpoint".replace("NoneType", "none"))


def refuse_other_generators(here, there):
    """Raises ValueError that names the random generators which are not on both sides."""
    alone = sorted(set(here) ^ set(there))
    if alone:
        raise ValueError(f"random generators that are not both in the model and in the checkpoint: {', '.join(alone)}")

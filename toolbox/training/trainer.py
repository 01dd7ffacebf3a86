"""The Trainer: train_epoch with a progress bar, validation, checkpoints, and a guard that stops before a bad step."""

import math
import numbers
from pathlib import Path

from babygrad import training
from babygrad.autograd import no_grad
from babygrad.nn import modes_kept, predict
from babygrad.tensor import Tensor

from ..data.sets import whole_number
from .checkpoint import CheckpointError, read_checkpoint, write_checkpoint
from .guard import Guard, TrainingDiverged, called_back
from .progress import Bar, Logger, Seen

__all__ = ["CheckpointError", "Trainer", "TrainingDiverged", "evaluate", "predict"]


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
    film: record each fit, so that film() can show it: some sixty moments, however long it is.
    compile: in place of train_epoch, run each step as a program (tracing.py), its update too. The numbers are the same;
        a step that cannot be compiled raises CannotCompile, which says why.
    after_epoch: a function of the Trainer, called after each epoch, when its checkpoint is written. What it returns is
        shown above the progress bar; None shows nothing.

    .history: what fit returns.  .interrupted: did Ctrl-C end the last fit?
    Raises TypeError for a model that is no Module, ValueError for a patience below 1.
    """

    def __init__(
        self,
        model,
        loss_fn,
        optimizer,
        *,
        checkpoint=None,
        progress=True,
        scheduler=None,
        patience=None,
        log=None,
        film=False,
        compile=False,
        after_epoch=None,
    ):
        if not hasattr(model, "named_parameters"):
            raise TypeError(f"the model must be a Module, but it is of type {type(model).__name__}")
        self.model, self.loss_fn, self.optimizer, self.scheduler = model, loss_fn, optimizer, scheduler
        self.checkpoint = None if checkpoint is None else Path(checkpoint)
        self.progress = progress
        self.patience = None if patience is None else whole_number("patience", patience, 1)
        self.log = log
        self.filmed = film
        self.compiled = self.compiled_step() if compile else None
        self.after_epoch = after_epoch
        self.start()

    def start(self):
        """The state before the first epoch."""
        self.history, self.best, self.interrupted = {}, {}, False
        self.saved = 0  # how many epochs the checkpoint holds, of this run
        self.logger = self.recording = None

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
        epochs = whole_number("epochs", epochs, 1)
        if self.patience and val_loader is None:
            raise ValueError("patience looks at the validation loss: give fit a val_loader")
        if resume and self.checkpoint is None:
            raise ValueError("resume goes on from a checkpoint: Trainer(..., checkpoint='a file') names it")
        self.loaders = {"train": train_loader, "validation": val_loader}
        self.start()
        if resume and self.checkpoint.exists():
            read_checkpoint(self)
        elif resume:
            print(f"There is no checkpoint {self.checkpoint} yet: training starts anew.")
        if self.filmed:
            self.recording = self.begin_recording()
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
                if self.after_epoch is not None:
                    bar.say(self.after_epoch(self))
            bar.close()
            self.end_recording()
            self.take_best(epochs)
        except KeyboardInterrupt:
            bar.close()
            self.interrupted = True
            self.end_recording()
            print(self.where_it_stopped(guard))
        finally:
            bar.vanish()

    def epoch(self, guard):
        """One epoch, validated, written down and saved."""
        lr = float(getattr(self.optimizer, "lr", math.nan))
        with called_back(self.optimizer, guard) as optimizer:
            if self.compiled is None:
                loss = training.train_epoch(self.model, guard.loss_fn, optimizer, guard.loader)
            else:
                loss = self.compiled_epoch(guard, optimizer)
        row = {"loss": mean_loss(loss), "accuracy": guard.seen.accuracy.average, **self.validation(), "lr": lr}
        if self.scheduler is not None:
            self.scheduler.step()
        # In one assignment: Ctrl-C finds all lists of one length.
        self.history = {name: [*self.history.get(name, ()), value] for name, value in row.items()}
        if self.patience and self.best_epoch == self.done:
            self.best = self.model.state_dict()
        if self.checkpoint is not None:
            write_checkpoint(self)
        if self.log is not None:
            self.write_log()
        guard.bar.show(guard)

    def compiled_step(self):
        """A step as two programs: one returns loss and answers and leaves the gradients, the other one updates.

        The guard looks at the loss between them.
        """
        from babygrad.programs import compile

        def step(x, y):
            answers = self.model(x if x.dtype.kind in "iu" else Tensor(x, requires_grad=False))
            loss = self.loss_fn(answers, y)
            self.optimizer.zero_grad()
            loss.backward()
            return loss, answers

        return compile(step), compile(lambda: self.optimizer.step())

    def compiled_epoch(self, guard, optimizer):
        """What train_epoch does, with compiled steps."""
        step, update = self.compiled
        for x, y in guard.loader:
            loss, answers = step(x, y)
            guard.counted(loss, answers, y)
            update() if optimizer is self.optimizer else optimizer.step()
        return guard.seen.loss.average

    def validation(self):
        """The row's part that tells how the model does on the validation data; empty without any."""
        loader = self.loaders["validation"]
        if loader is None:
            return {}
        loss, right = evaluate(self.model, self.loss_fn, loader)
        return {"val_loss": loss, "val_accuracy": right}

    def write_log(self):
        """A row for the epoch that ended. The first time all epochs so far, so that a resumed run has them all."""
        first = self.done - 1
        if self.logger is None:
            self.logger, first = Logger(self.log), 0
        for epoch in range(first, self.done):
            self.logger.log(epoch=epoch + 1, **{name: values[epoch] for name, values in self.history.items()})

    # The film.

    def begin_recording(self):
        """A Recording of this fit."""
        from ..films.recording import Recording

        return Recording(self.model, began=self.done)

    def end_recording(self):
        if self.recording is not None:
            self.recording.end()

    def film(self):
        """A Player of the last fit: the boundary and the loss side by side, or the curves alone, and then it says why.

        The boundary is that of a model of two numbers a sample, with classes as targets. Of a run that was resumed it
        shows what came after.  Raises RuntimeError unless the Trainer was made with film=True, and has trained.
        """
        if self.recording is None:
            raise RuntimeError("nothing was recorded: make the Trainer with film=True, and call fit")
        from ..films.training import training_film

        return training_film(self.recording, self.history)

    # Early stop.

    @property
    def best_epoch(self):
        """The epoch with the smallest validation loss, from 1; the first if several are. nan counts as the largest."""
        known = [loss if loss == loss else math.inf for loss in self.history["val_loss"]]
        return 1 + known.index(min(known))

    def out_of_patience(self):
        """Were there `patience` epochs in a row without a better validation loss?"""
        return bool(self.patience and self.done) and self.done - self.best_epoch >= self.patience

    def take_best(self, epochs):
        """With patience: the weights of the best epoch."""
        if not self.best:
            return
        self.model.load_state_dict(self.best)
        if self.done < epochs:
            print(
                f"Stopped after epoch {self.done}: {self.patience} epochs in a row without a better validation loss. "
                f"The model has the weights of epoch {self.best_epoch}."
            )

    def where_it_stopped(self, guard):
        """One line that says how far it came, after Ctrl-C."""
        line = f"Stopped in epoch {guard.epoch}, after {guard.batch} batches. The model keeps what it learnt."
        if self.checkpoint is None:
            return f"{line} There is no checkpoint."
        if not self.saved:
            return f"{line} No epoch was complete, so nothing was written to {self.checkpoint}."
        return f"{line} {self.checkpoint} holds epoch {self.saved}: fit(..., resume=True) goes on from its end."


def evaluate(model, loss_fn, loader):
    """The mean loss and the accuracy of a model over all samples, a pair. For inference: eval(), no graph.

    Each module's mode is kept. The accuracy is nan where targets are no classes.
    """
    seen = Seen()
    with modes_kept(model), no_grad():
        model.eval()
        for x, y in loader:
            answers = model(Tensor(x, requires_grad=False))
            seen.count(loss_fn(answers, y), answers, y)
    return seen.loss.average, seen.accuracy.average


def mean_loss(loss):
    """What train_epoch returned, as a float.  Raises TypeError or ValueError if it is not a mean loss."""
    if isinstance(loss, numbers.Real) and math.isfinite(loss):
        return float(loss)
    kind = ValueError if isinstance(loss, numbers.Real) else TypeError
    shown = repr(loss) if len(repr(loss)) < 80 else f"a {type(loss).__name__}"
    raise kind(f"train_epoch returned {shown}, but it should return the mean loss of a sample, a float (training.py)")

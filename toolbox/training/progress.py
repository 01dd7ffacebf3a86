"""How far a training run is and how it does: what is counted, the progress bar that shows it, a log."""

import csv
import math
import sys
from pathlib import Path

import numpy as np

from babygrad import training
from babygrad.arrays import plain_array

GOOD_FOR_COUNTING = (-1, 0, 1)  # float targets with these values alone count as class labels


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


class Logger:
    """Rows of numbers in a csv file, one for each call of log.

    path: the file.  append: go on after the rows that are there; otherwise the file begins anew.
    """

    def __init__(self, path, append=False):
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.columns = self._columns_there() if append else None
        if self.columns is None:
            self.path.write_text("")

    def log(self, **row):
        """Write one row. The first one names the columns.  Raises ValueError for a row with other names."""
        if self.columns is None:
            self.columns = list(row)
            self._write(self.columns)
        if list(row) != self.columns:
            raise ValueError(f"this log has the columns {', '.join(self.columns)}, but the row has {', '.join(row)}")
        self._write(row.values())

    def _write(self, cells):
        with open(self.path, "a", newline="", encoding="utf-8") as file:
            csv.writer(file).writerow(cells)

    def _columns_there(self):
        if not self.path.exists():
            return None
        with open(self.path, newline="", encoding="utf-8") as file:
            return next(csv.reader(file), None)


class Bar:
    """One progress bar for the whole run, or none.  It moves with each batch if the loader knows how many it has."""

    LOOKS = "{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}"

    def __init__(self, shown, epochs, loader, done):
        from tqdm import tqdm  # imported here because it is slow, and only training needs it

        file = sys.stdout if in_a_notebook() else sys.stderr  # a notebook shows stderr on a red ground
        self.epochs, self.batches = epochs, len(loader) if hasattr(loader, "__len__") else 0
        size = max(self.batches, 1)
        looks = dict(bar_format=self.LOOKS, dynamic_ncols=True, file=file)
        self.tqdm = tqdm(disable=not shown, total=epochs * size, initial=min(done, epochs) * size, **looks)

    def advance(self):
        """A batch is done."""
        self.tqdm.update(1 if self.batches else 0)

    def show(self, guard):
        """Epoch, loss and accuracy so far."""
        if self.tqdm.disable:
            return
        self.tqdm.set_description_str(f"epoch {guard.epoch}/{self.epochs}", refresh=False)
        self.tqdm.set_postfix_str(in_words(guard.seen, guard.trainer.history), refresh=False)

    def say(self, text):
        """Print a text above the bar; None prints nothing."""
        if text is not None:
            self.tqdm.write(text)

    def close(self):
        self.tqdm.close()

    def vanish(self):
        """Close the bar and wipe it from the screen: an error message follows."""
        self.tqdm.leave = False
        self.tqdm.close()


def in_a_notebook():
    """Does this run in a notebook's kernel?"""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


def in_words(seen, history):
    """The text after the bar."""
    words = f"loss {seen.loss.average:.4f}"
    if seen.accuracy.count:
        words += f", accuracy {100 * seen.accuracy.average:.1f} %"
    if "val_loss" in history:
        words += f", validation loss {history['val_loss'][-1]:.4f}"
        if not math.isnan(history["val_accuracy"][-1]):
            words += f", accuracy {100 * history['val_accuracy'][-1]:.1f} %"
    return words

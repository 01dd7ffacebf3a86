"""How far a training run is and how it does: what is counted, and the progress bar that shows it."""

import math
import sys

import numpy as np

from babygrad import training
from babygrad.tensor import plain_array

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

"""One net of a playground while it learns: its settings, its steps, what is to be seen of it, and what went wrong."""

import re
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

import babygrad

from .points import points_of, window_of
from .settings import ALL, BEGIN_ANEW, SettingError, changed

PACKAGE = Path(babygrad.__file__).resolve().parent
STUB = re.compile(r"exercise (\d+\.\d+)(?:: (.+))?")
KINDS = ("circle", "triangle")


class Trouble(NamedTuple):
    """What ended the training: a sentence, and the traceback where code stopped with an error."""

    sentence: str
    traceback: str = ""


class View(NamedTuple):
    """What is to be seen: where the net stands after some steps.

    wrong: of each point, whether it is on the wrong side.  across, up: the places that were asked.
    scores: (len(up), len(across)); above 0 is the triangles' side.
    """

    loss: float
    wrong: np.ndarray
    across: np.ndarray
    up: np.ndarray
    scores: np.ndarray


class Training:
    """A net that learns with the settings as they are; they may change at any time.

    .settings  .x .y: the points.  .ready: is there a net with an optimizer?
    .steps: how many were taken.  .losses: pairs (step, loss of all points).
    .view: a View, or None as long as there is none.  .trouble: a Trouble, or None.
    .optimizers: those that are filled in.  .missing: what is said of the others.
    """

    def __init__(self, engine, **settings):
        self.engine = engine
        self.settings = changed(engine.start, engine.limits, **settings)
        self.optimizers, self.missing = {}, ""
        self.x, self.y = points_of(self.settings, engine.samples)
        self.begin()

    def begin(self):
        """First weights, no steps."""
        self.net, self.view, self.trouble, self.steps, self.losses = None, None, None, 0, []
        self.ready, self.waiting = False, iter(())
        with self.watched():
            self.net = self.engine(self.settings)
            self.optimizers, self.missing = self.engine.optimizers()
            self.choose()
        self.look()

    def choose(self):
        """The optimizer of the settings, from a fresh start."""
        if self.settings.optimizer not in self.optimizers:
            raise SettingError(f"{self.settings.optimizer} is not filled in yet. {self.missing}")
        self.net.choose(self.settings.optimizer, self.settings.learning_rate)
        self.ready = True

    def change(self, **changes):
        """Change settings.  Returns whether the net begins anew.

        Raises SettingError that names what cannot be; then nothing was changed.
        """
        settings = changed(self.settings, self.engine.limits, **changes)
        different = {name for name in changes if getattr(settings, name) != getattr(self.settings, name)}
        if different & {"data", "data_seed", "points"}:
            self.x, self.y = points_of(settings, self.engine.samples)
        self.settings = settings
        if different & BEGIN_ANEW or not self.ready:
            self.begin()
            return True
        if different & {"points", "batch"}:
            self.waiting = iter(())
        with self.watched():
            if "optimizer" in different:
                self.choose()
            elif "learning_rate" in different:
                self.net.set_rate(settings.learning_rate)
        if "points" in different:
            self.look()
        return False

    def advance(self, steps):
        """Take some steps, and look.  Trouble ends them early."""
        self.trouble = None
        with self.watched():
            if not self.ready:  # what was missing may be there by now
                self.begin()
            for _ in range(steps):
                if not self.trouble:
                    self.step()
        trouble = self.trouble
        self.look()
        self.trouble = trouble or self.trouble

    def step(self):
        """One step on the next batch."""
        if len(self.x) == 0:
            raise SettingError("There are no points yet: type one, such as 0.5 1 0, or click in the picture")
        x, y = self.next_batch()
        loss = float(self.net.step(x, y, self.settings.zero_grad))
        self.steps += 1
        if not np.isfinite(loss):
            self.trouble = ran_away(self.steps, loss)

    def next_batch(self):
        """Some rows of x with their labels; after the last of them the next epoch begins."""
        batch = next(self.waiting, None)
        if batch is None:
            size = len(self.x) if self.settings.batch == ALL else self.settings.batch
            self.waiting = iter(self.net.batches(self.x, self.y, size))
            batch = next(self.waiting)
        return batch

    def look(self):
        """A new view, if the net can be asked."""
        if self.net is None or len(self.x) == 0:
            self.view = None
            return
        with self.watched():
            (left, low), (right, high) = self.window()
            count_across, count_up = self.net.resolution()
            across, up = np.linspace(left, right, count_across), np.linspace(low, high, count_up)
            places = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
            answers = self.net.answers(np.concatenate([self.x, places]))
            scores, own = self.net.scores(answers), len(self.x)
            loss = float(self.net.loss(answers[:own], self.y))
            wrong = ~np.where(self.y > 0, scores[:own] > 0, scores[:own] < 0)  # nan and 0 are on no side
            self.view = View(loss, wrong, across, up, scores[own:].reshape(len(up), len(across)))
            self.losses = [pair for pair in self.losses if pair[0] < self.steps] + [(self.steps, loss)]
            if not np.isfinite(loss):
                self.trouble = self.trouble or ran_away(self.steps, loss)

    def window(self):
        """The corners of what is shown: ((left, low), (right, high))."""
        return window_of(self.x, self.settings.data)

    @contextmanager
    def watched(self):
        """What goes wrong inside becomes the trouble."""
        try:
            with np.errstate(all="ignore"):
                yield
        except OverflowError:
            self.trouble = Trouble(f"In step {self.steps + 1} a number became too large. {SMALLER}", written())
        except SettingError as error:
            self.trouble = Trouble(f"{error}.".replace("..", "."))
        except (Exception, KeyboardInterrupt) as error:
            self.trouble = Trouble(in_words(error, self.steps), "" if unfilled(error) else written())

    def facts(self):
        """What the picture shows, in words."""
        if self.view is None:
            return f"{len(self.x)} points."
        wrong = int(self.view.wrong.sum())
        kinds = [f"{count(int(self.view.wrong[self.y == label].sum()), KINDS[label])}" for label in (0, 1)]
        which = f" ({', '.join(kinds)})" if wrong else ""
        share = float(np.mean(self.view.scores < 0))
        said = f"Step {self.steps}: loss {self.view.loss:.3g}, {wrong} of {count(len(self.x), 'point')} wrong"
        return f"{said}{which}. {share:.0%} of the plane is classified as circle."


SMALLER = "The steps are too long: take a smaller learning rate, and start over."


def ran_away(steps, loss):
    return Trouble(f"After step {steps} the loss is {loss:g}: the numbers ran away. {SMALLER}")


def in_words(error, steps):
    """One sentence for what stopped the learner's code."""
    where = place_of(error)
    missing = unfilled(error)
    if missing:
        title = f", {missing[2]}" if missing[2] else ""
        return f"This needs exercise {missing[1]}{title}{f': babygrad/{where[0]}' if where else ''}."
    if isinstance(error, KeyboardInterrupt):
        return f"Interrupted in step {steps + 1}."
    what = traceback.format_exception_only(error)[-1].strip()
    if isinstance(error, SyntaxError) and error.filename:
        return f"Python could not read {Path(error.filename).name}, line {error.lineno}: {error.msg}."
    at = f" in babygrad/{where[0]}, line {where[1]}" if where else ""
    return f"After {count(steps, 'step')} the code stopped{at}. {what}"


def unfilled(error):
    """The match of a stub's message, or None."""
    return STUB.match(str(error)) if isinstance(error, NotImplementedError) else None


def place_of(error):
    """(file, line) of the last line in the learner's package; None if there is none."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(PACKAGE):
            return path.relative_to(PACKAGE).as_posix(), frame.lineno
    return None


def written():
    """The traceback of the error that is being handled."""
    return traceback.format_exc()


def count(n, what):
    return f"{n} {what}{'' if n == 1 else 's'}"

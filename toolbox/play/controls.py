"""The controls of a playground: ipywidgets around a Training, and the task that lets it learn.

The net learns in a task on the kernel's own event loop, a few steps at a time, and not in a thread: so no step ever
meets a cell that runs, or a file that is loaded anew, and between two steps every click is heard. Clicks themselves
may arrive in another thread (a subshell of the kernel): they are handed to the loop.
"""

import asyncio
import html
import signal
import threading
import time
from contextlib import contextmanager

import ipywidgets as widgets

from . import picture
from .page import STYLE
from .settings import ALL, SettingError

PACE = 1 / 15  # seconds from one picture to the next, at least
BREATH = 0.01  # seconds between two pictures in which others have their turn, at least
SAY_EVERY = 10.0  # seconds between two announcements while it learns
LONGEST = 3000  # pictures in one go: nobody may be looking any more
LABELS = {
    "data": "Data",
    "data_seed": "Seed of the data",
    "depth": "Hidden layers",
    "width": "Neurons in each",
    "activation": "Activation",
    "seed": "Seed of the net",
    "optimizer": "Optimizer",
    "learning_rate": "Learning rate",
    "batch": "Batch",
    "steps": "Steps per picture",
    "zero_grad": "zero_grad",
    "points": "Your points",
}
FLEXIBLE = widgets.Layout(width="auto")  # page.RULES say how wide
DESCRIBED = {"description_width": "initial"}


class Controls:
    """What is seen and pressed. .box: the widget that holds all of it."""

    running = None  # the Controls that learn: one at a time

    def __init__(self, training):
        self.training, self.task, self.said_at = training, None, 0.0
        self.loop = asyncio.get_running_loop()
        self.home = threading.get_ident()
        self.sides, self.points, self.curve = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self.facts, self.details = widgets.HTML(), widgets.HTML()
        self.said = widgets.Label().add_class("said")
        self.make_controls()
        self.box = self.laid_out()
        self.show_points()
        self.show()
        self.say(self.trouble_or("Ready."))

    # -------------------------------------------------------------- what there is

    def make_controls(self):
        """A control for each setting, by its name, and the buttons."""
        settings, limits = self.training.settings, self.training.engine.limits
        self.of = {
            name: widgets.Dropdown(options=options(name, getattr(limits, name)), **described(name))
            for name in ("data", "depth", "width", "activation", "batch", "steps")
        }
        self.of["optimizer"] = widgets.Dropdown(options=self.optimizers(), **described("optimizer"))
        self.of |= {name: widgets.BoundedIntText(min=0, max=10**6, **described(name)) for name in ("data_seed", "seed")}
        self.of["learning_rate"] = widgets.BoundedFloatText(min=1e-6, max=1e6, step=None, **described("learning_rate"))
        self.of["zero_grad"] = widgets.Checkbox(description="zero_grad in each step", indent=False, layout=FLEXIBLE)
        self.of["points"] = widgets.Textarea(
            description="Your points, a line for each: x y label",
            placeholder="0.5 1 0",
            continuous_update=False,
            rows=3,
            layout=FLEXIBLE,
        ).add_class("typed")
        self.clicked = widgets.Dropdown(
            description="A click adds", options=[("a circle, label 0", 0), ("a triangle, label 1", 1)], **shape()
        ).add_class("clicked")
        for name, control in self.of.items():
            control.value = getattr(settings, name)
            control.observe(lambda change, name=name: self.act(self.change, name, change["new"]), "value")
        self.start_button = self.button("Start", self.toggle)
        self.step_button = self.button("Step", self.one_step)
        self.anew_button = self.button("Start over", self.begin)

    def button(self, name, what):
        button = widgets.Button(description=name, layout=FLEXIBLE)
        button.on_click(lambda _: self.act(what))
        return button

    def optimizers(self):
        return list(self.training.optimizers) or [self.training.settings.optimizer]

    def laid_out(self):
        """All of it in one box; page.STYLE says how it lies."""
        stage = widgets.Box([self.sides, self.points]).add_class("stage")
        buttons = widgets.HBox([self.start_button, self.step_button, self.anew_button]).add_class("buttons")
        seen = widgets.VBox([buttons, self.said, self.details, stage, self.facts, self.curve]).add_class("seen")
        names = ["learning_rate", "zero_grad", "optimizer", "batch", "steps"]
        names += ["depth", "width", "activation", "seed", "data", "data_seed"]
        chosen = [self.of[name] for name in names]
        settings = widgets.Box([*chosen, self.clicked, self.of["points"]]).add_class("settings")
        both = widgets.Box([seen, settings]).add_class("both")
        style = widgets.HTML(STYLE).add_class("style")
        return widgets.VBox([style, both]).add_class("babygrad-playground")

    # -------------------------------------------------------------- what is shown

    def show(self):
        """The picture as it is now."""
        words = self.training.facts()
        self.sides.value = picture.sides_layer(self.training, words)
        self.curve.value = picture.loss_curve(self.training)
        self.facts.value = f"<p>{html.escape(words)}</p>"

    def show_points(self):
        self.points.value = picture.points_layer(self.training)

    def show_details(self):
        """The traceback of what went wrong, folded, and the optimizers that are missing."""
        trouble, said = self.training.trouble, []
        if trouble and trouble.traceback:
            said.append(f"<details><summary>Traceback</summary><pre>{html.escape(trouble.traceback)}</pre></details>")
        if self.training.missing:
            said.append(f"<p>{html.escape(self.training.missing)}</p>")
        self.details.value = "".join(said)

    def say(self, sentence):
        """One sentence for everybody; a screen reader reads it out. Rarely."""
        self.said.value = sentence
        self.said_at = time.monotonic()
        self.show_details()

    def trouble_or(self, sentence):
        trouble = self.training.trouble
        return trouble.sentence if trouble else sentence

    # -------------------------------------------------------------- what is done

    def act(self, what, *arguments):
        """Do it now, or where it arrived in another thread, as soon as the kernel's own is free."""
        if threading.get_ident() == self.home:
            what(*arguments)
        else:
            self.loop.call_soon_threadsafe(what, *arguments)

    def change(self, name, value):
        """A setting has been changed by hand."""
        if value == getattr(self.training.settings, name):
            return
        try:
            with interruptible():
                anew = self.training.change(**{name: value})
        except SettingError as error:
            self.say(f"{error}."[:1].upper() + f"{error}."[1:])
            return
        if anew:
            self.stop()
            self.renew_optimizers()
        self.show_points()
        self.show()
        facts = f" {self.training.facts()}" if anew or name == "points" else ""
        self.say(self.trouble_or(f"{self.now(name)}{facts}"))

    def now(self, name):
        """What a setting is now, such as: Learning rate: 0.02."""
        if name == "points":
            return "Your points changed."
        value = getattr(self.training.settings, name)
        words = ("off", "on")[value] if name == "zero_grad" else getattr(self.of[name], "label", value)
        return f"{LABELS[name]}: {words}."

    def renew_optimizers(self):
        """Those that are filled in by now."""
        control, chosen = self.of["optimizer"], self.training.settings.optimizer
        if list(control.options) != self.optimizers() and chosen in self.optimizers():
            control.options = self.optimizers()
            control.value = chosen

    def begin(self):
        self.stop()
        with interruptible():
            self.training.begin()
        self.renew_optimizers()
        self.show()
        self.say(self.trouble_or(f"Started over. {self.training.facts()}"))

    def one_step(self):
        self.stop()
        self.advance(1)
        self.say(self.trouble_or(self.training.facts()))

    def advance(self, steps):
        with interruptible():
            self.training.advance(steps)
        self.show()

    def toggle(self):
        if self.task:
            self.stop()
            self.say(f"Stopped. {self.training.facts()}")
        else:
            self.start()

    def start(self):
        if Controls.running:
            Controls.running.stop()
        Controls.running = self
        self.start_button.description = "Stop"
        self.say("Training.")
        self.task = self.loop.create_task(self.learn())

    def stop(self):
        if self.task:
            self.task.cancel()
        self.task = None
        self.start_button.description = "Start"
        if Controls.running is self:
            Controls.running = None

    async def learn(self):
        """Steps and pictures until somebody stops it."""
        for _ in range(LONGEST):
            begun = time.monotonic()
            self.advance(self.training.settings.steps)
            if self.training.trouble:
                break
            if begun > self.said_at + SAY_EVERY:
                self.say(self.training.facts())
            await asyncio.sleep(max(BREATH, PACE - (time.monotonic() - begun)))
        self.task = None  # it ends by itself
        self.stop()
        self.say(self.trouble_or(f"Paused after {LONGEST} pictures. {self.training.facts()}"))


def options(name, choices):
    """The choices of a Dropdown; of batches, 0 means all."""
    return [("all points" if name == "batch" and choice == ALL else str(choice), choice) for choice in choices]


def described(name):
    return dict(description=LABELS[name]) | shape()


def shape():
    return dict(style=DESCRIBED, layout=FLEXIBLE)


@contextmanager
def interruptible():
    """While it lasts, "interrupt the kernel" reaches the code. (Between cells a kernel does not listen to it.)"""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

"""A playground: a net of the learner's own that learns while one looks, and everything about it may be changed.

And what it shares with the pad of pad.py: a widget, and what is shown where there is none.
"""

import html

from ..drawing.colours import CARD, EDGE_OF_CARD, INK

NEEDS = "Its controls need ipywidgets: python -m pip install ipywidgets"
RUN = "This is a still picture. Its controls work where the notebook runs: in JupyterLab, run this cell."


def playground(engine="scalar", **settings):
    """A network that learns while you look, with controls for all that matters. Your own package computes everything.

    Choose the data (or type points, or click them), the network, the learning rate, the batch, the optimizer; switch
    zero_grad off; press Start. You see the boundary, the loss, and how many points are wrong. An exercise that is
    missing is named, and so is the line where your code stopped.

    engine: "scalar", a network of Values, or "tensor", one of Tensors.
    settings: what to begin with: data, data_seed, points, depth, width, activation, seed, optimizer, learning_rate,
        batch (0: all points), zero_grad, steps (from one picture to the next).
    Returns a Playground: a notebook shows it.  Raises ValueError for an engine or a setting that does not exist.
    """
    from .engines import ENGINES

    if engine not in ENGINES:
        raise ValueError(f"engine is {engine!r}, but must be one of {', '.join(ENGINES)}")
    return Playground(ENGINES[engine], settings)


class Playground:
    """What playground() returns.  .training: the net and all about it."""

    def __init__(self, engine, settings):
        from .training import Training

        self.training, self.controls = Training(engine, **settings), None

    def __repr__(self):
        return f"{self.title}. {self.said()}"

    @property
    def title(self):
        engine = self.training.engine
        return f"{engine.title}; its loss is {engine.loss_name}"

    def said(self):
        """What there is to say before anything was pressed."""
        trouble = self.training.trouble
        return f"{self.training.facts()}{f' {trouble.sentence}' if trouble else ''}"

    def still(self, note):
        """For pages without a kernel, and without scripts: a picture, and a note."""
        from ..player.player import as_image
        from .picture import still

        return on_a_card("playground", as_image(still(self.training, html.escape(self.said()))), f"{self} {note}")

    def _ipython_display_(self):
        shown(self, self.still, self.box, NEEDS, RUN)

    def box(self):
        """The widget with all controls.  Raises ImportError without ipywidgets."""
        from .controls import Controls

        self.controls = self.controls or Controls(self.training)
        return self.controls.box


def shown(thing, still, box, needs, run):
    """Display what stays, still(note), and in a kernel the widget that box() makes, behind which it is hidden.

    The note is `run`, or `needs` where box() raises ImportError.
    """
    from IPython import get_ipython
    from IPython.display import display

    note = run
    try:
        widget = box() if hasattr(get_ipython(), "kernel") else None
    except ImportError:
        widget, note = None, needs
    display({"text/html": still(note), "text/plain": f"{thing}\n{note}"}, raw=True)
    if widget is not None:
        view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
        display({"application/vnd.jupyter.widget-view+json": view}, raw=True)


def on_a_card(kind, inside, words):
    """HTML that stands where no widget of this kind can be: a picture or nothing, and words below it."""
    style = f"color: {INK}; background: {CARD}; border: 1px solid {EDGE_OF_CARD}; padding: 8px 12px"
    return f'<div class="babygrad-{kind}-still" style="{style}">{inside}<p>{html.escape(words)}</p></div>'

"""What the course draws, plays, shows and trains with. Given: there is nothing to fill in here.

It works on whichever babygrad is imported. What looks at a graph takes the graph's own package, whatever its name.
A name is looked up in its file when it is first used: what is drawn of a Value needs no NumPy.
"""

from importlib import import_module

NAMES_IN = {
    "drawing.picture": "Drawing draw_graph",
    "drawing.net": "draw_net",
    "drawing.program": "draw_program",
    "drawing.text": "trace_graph",
    "drawing.plots": "plot_decision_boundary plot_losses plot_training",
    "drawing.gradients": "plot_gradients",
    "player.player": "Frame Player",
    "player.steps": "compare_backward step_through",
    "play": "playground",
    "play.pad": "Pad",
    "data.sets": "make_moons make_circles make_spirals load_digits load_mnist load_mnist_part train_test_split",
    "training.monitor": "GradientMonitor",
    "training.trainer": "Trainer",
}
FILES = ("clock", "data", "drawing", "films", "graphs", "play", "player", "recorded", "torch_bridge", "training")
HOME = {name: file for file, names in NAMES_IN.items() for name in names.split()}

__all__ = sorted(HOME)


def __getattr__(name):
    if name in HOME:
        return getattr(import_module(f"{__name__}.{HOME[name]}"), name)
    if name in FILES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"{__name__} has no {name!r}", name=name)


def __dir__():
    return sorted({*__all__, *FILES})

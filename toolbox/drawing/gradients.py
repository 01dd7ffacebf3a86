"""A picture of the gradients while a net trains, layer by layer."""

import numpy as np

from .colours import GRID, LINES
from .plots import DASHES, axes_on_a_card

FEW = 30  # steps, up to which each one gets a dot


def plot_gradients(monitor, ax=None):
    """Draw the norm of each layer's gradient, step by step, on a log scale.

    monitor: a GradientMonitor that has recorded at least one step.
    ax: matplotlib axes to draw on; new ones if None.  Returns the axes.
    The parameters of one layer count together. A norm that is 0 or no number has no place on a log scale: it is left
    out.
    Raises TypeError for anything but a GradientMonitor, ValueError for one that has recorded nothing.
    """
    layers = norms_by_layer(monitor)
    ax = axes_on_a_card(ax, (7, 3.2))
    for index, (name, norms) in enumerate(layers.items()):
        dots = "." if len(norms) <= FEW else ""
        ax.plot(range(len(norms)), norms, linewidth=2, marker=dots, label=name, **looks_of(index))
    ax.set(xlabel="step", ylabel="norm of the gradient", yscale="log")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.grid(color=GRID)
    ax.legend(title="layer", loc="center left", bbox_to_anchor=(1.01, 0.5))
    return ax


def norms_by_layer(monitor):
    """{layer's name: array of its gradient's norm at each step}, nan where a log scale has no place for it."""
    if not hasattr(monitor, "history"):
        raise TypeError(f"plot_gradients draws a GradientMonitor, but got a {type(monitor).__name__}")
    squares = {}
    for name, seen in monitor.history.items():
        squares.setdefault(layer_of(name), []).append(np.square(seen["norm"]))
    if not any(len(each[0]) for each in squares.values()):
        raise ValueError("the monitor has recorded nothing yet: call its record() after each optimizer.step()")
    norms = {layer: np.sqrt(np.nansum(each, axis=0)) for layer, each in squares.items()}
    return {layer: np.where(np.isfinite(each) & (each > 0), each, np.nan) for layer, each in norms.items()}


def layer_of(parameter):
    """The layer that a parameter belongs to: layers.0 of layers.0.weight. One without a layer stands for itself."""
    return parameter.rpartition(".")[0] or parameter


def looks_of(index):
    """Colour and dashes of a curve: the first five differ in both, and no two of the first 25 are alike."""
    return dict(color=LINES[index % len(LINES)], linestyle=DASHES[(index + index // len(LINES)) % len(DASHES)])

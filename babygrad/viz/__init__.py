"""Seeing what was computed: a graph as a picture or as text, and the course of a training."""

from .gradients import plot_gradients
from .picture import Drawing, draw_graph
from .plots import plot_decision_boundary, plot_losses, plot_training
from .text import trace_graph

__all__ = [
    "Drawing",
    "draw_graph",
    "plot_decision_boundary",
    "plot_gradients",
    "plot_losses",
    "plot_training",
    "trace_graph",
]

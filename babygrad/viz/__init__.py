"""Seeing what was computed: a graph as a picture, as text or step by step, and the course of a training."""

from .gradients import plot_gradients
from .net import draw_net
from .picture import Drawing, draw_graph
from .play import playground
from .player import Frame, Player
from .plots import plot_decision_boundary, plot_losses, plot_training
from .steps import compare_walks, step_through
from .text import trace_graph

__all__ = [
    "Drawing",
    "Frame",
    "Player",
    "compare_walks",
    "draw_graph",
    "draw_net",
    "playground",
    "plot_decision_boundary",
    "plot_gradients",
    "plot_losses",
    "plot_training",
    "step_through",
    "trace_graph",
]

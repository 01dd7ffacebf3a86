"""Seeing what was computed: a graph as a picture, as text or step by step, and the course of a training.

A name is looked up in its file when it is first used: what is drawn of a Value needs no NumPy.
"""

from ..lazy import lazy

NAMES_IN = {
    "picture": "Drawing draw_graph",
    "net": "draw_net",
    "play": "playground",
    "program": "draw_program",
    "player": "Frame Player",
    "steps": "compare_walks step_through",
    "text": "trace_graph",
    "plots": "plot_decision_boundary plot_losses plot_training",
    "gradients": "plot_gradients",
    "colours": "",
    "dot": "",
    "faults": "",
    "graph": "",
    "player_page": "",
    "stage": "",
    "svg": "",
    "walks": "",
}

__getattr__, __dir__, __all__ = lazy(__name__, NAMES_IN)

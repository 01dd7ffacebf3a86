"""Seeing what was computed: a graph as a picture or as text."""

from .picture import Drawing, draw_graph
from .text import trace_graph

__all__ = ["Drawing", "draw_graph", "trace_graph"]

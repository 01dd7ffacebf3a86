"""A graph as a picture."""

from functools import cached_property
from pathlib import Path

from ..graphs.graph import blanked, read_graph
from .dot import as_dot
from .svg import CANNOT_DRAW, as_html, as_svg
from .text import as_text


def draw_graph(root, *, max_nodes=300, blank=False):
    """A picture of everything root was made from, left to right; from the top down where that would be too wide.

    A box is a Value or a Tensor: label, data, grad. With round corners it was made by hand (a leaf);
    pale, nobody asks for its gradient, as for the 3 in 3 * x. Yellow, a circle or rounded, is an
    operation. The arrows into it are its operands, the first on top (or on the left), each with the local
    slope to it (Values) or with its shape (Tensors). In the box of a large Tensor the shape stands for the numbers.

    root: the Value or Tensor to start from.
    max_nodes: how many values to show. Of a larger graph: those with the fewest steps to root,
        and the number of the others.
    blank: True leaves room for each gradient instead of showing it, "all" also for each result and slope
        (or shape): a picture to fill in.
    Returns a Drawing: a notebook shows it, and it stays as it is when you compute on.
    Raises TypeError if root has no graph, ValueError if max_nodes is less than 1, or blank is something else.
    Source: the boxes and circles are those of draw_dot in Karpathy's micrograd; the slopes are ours.
    """
    return Drawing(blanked(read_graph(root, max_nodes), blank))


class Drawing:
    """A drawn graph.

    source: the graph in DOT, which every Graphviz program reads.
    svg: the picture, or None where nothing is installed that can draw.
    str(drawing): the same as text.
    """

    def __init__(self, graph):
        self._graph = graph

    def __repr__(self):
        return as_text(self._graph)

    @cached_property
    def source(self):
        return as_dot(self._graph)

    @cached_property
    def svg(self):
        return as_svg(self._graph)

    def save(self, path):
        """Write the drawing to a file whose name ends in .svg, .dot or .txt.

        Raises ValueError for another ending, RuntimeError for .svg where nothing can draw.
        """
        path = Path(path)
        if path.suffix not in (".svg", ".dot", ".txt"):
            raise ValueError(f"a drawing is saved as .svg, .dot or .txt, but the file is called {path.name}")
        if path.suffix == ".svg" and self.svg is None:
            raise RuntimeError(CANNOT_DRAW)
        text = self.svg if path.suffix == ".svg" else self.source if path.suffix == ".dot" else str(self)
        path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")

    def _repr_mimebundle_(self, include=None, exclude=None):
        """For Jupyter."""
        if self.svg is None:
            return {"text/plain": f"{self}\n{CANNOT_DRAW}"}
        return {"text/html": as_html(self.svg), "text/plain": str(self)}

"""A graph as text: one line for each value."""

import re

from ..graphs.graph import BLANK, counted, read_graph


def trace_graph(root, *, max_nodes=300):
    """Print everything root was made from: one line for each value, each after its inputs.

        e = a * b  data 6  grad 7  slopes 3, 2

    says that e was made from a and b, and that its local slopes are 3 (to a) and 2 (to b).
    A value without a label is called v1, v2, ...

    root: the Value or Tensor to start from.
    max_nodes: how many values to print. Of a larger graph: those with the fewest steps to root,
        and the number of the others.
    Returns nothing. Raises TypeError if root has no graph, ValueError if max_nodes is less than 1.
    """
    print(as_text(read_graph(root, max_nodes)))


def as_text(graph):
    rows = [(formula(graph, node), *node.rows, gradient(node), slopes(node)) for node in graph.nodes]
    widths = [min(40, max(map(len, column))) for column in zip(*rows)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join([graph.headline(), *(f"  {line}" for line in lines), *graph.notes()])


def as_sentence(graph, longest=8):
    """The text alternative of a picture: the operations, the last one first."""
    results = [node for node in reversed(graph.nodes) if node.operation]
    told = [", ".join(filter(None, [f"{formula(graph, node)} = {node.number}", gradient(node)])) for node in results]
    rest = [f"and {counted(len(told) - longest, 'more operation')}"] if len(told) > longest else []
    words = "; ".join([*told[:longest], *rest, *graph.notes()])
    return re.sub(rf"\b{BLANK}\b", "blank", words)


def formula(graph, node):
    if not node.operation:
        return node.name
    if node.detail:
        return f"{node.name} = {node.operation}({', '.join([*graph.operands(node), node.detail])})"
    return f"{node.name} = {expression(node.operation, graph.operands(node))}"


def expression(operation, operands):
    """'a * b', 'a**2', '2**a', 'tanh(a)'"""
    if len(operands) == 2 and not operation.isidentifier():
        return f"{operands[0]} {operation} {operands[1]}"
    if len(operands) == 1 and operation.startswith("**"):
        return f"{operands[0]}{operation}"
    if len(operands) == 1 and operation.endswith("**"):
        return f"{operation}{operands[0]}"
    return f"{operation}({', '.join(operands)})"


def gradient(node):
    return f"grad {node.grad}" if node.grad else ""


def slopes(node):
    if not any(node.slopes):
        return ""
    return ("slope " if len(node.slopes) == 1 else "slopes ") + ", ".join(slope or "?" for slope in node.slopes)

"""What probes use to look at a learner's graph without asking for code of a later exercise."""

from .compare import describe

MOST_DRAWN = 40  # nodes of a graph that goes back with the answers


def slopes_to(out, leaves):
    """The slope of out to each of the leaves, found from the local slopes that the nodes remember.

    A node that keeps a closure in _backward, as other courses do, is asked by calling it.
    """
    for node in _nodes(out):
        node.grad = 0.0
    out.grad = 1.0
    for node in reversed(_nodes(out)):
        _hand_on(node)
    slopes = [leaf.grad for leaf in leaves]
    for node in _nodes(out):
        node.grad = 0.0
    return slopes


def _hand_on(node):
    if "_backward" in vars(node):
        node._backward()
    else:
        if len(node._slopes) != len(node._prev):
            raise ValueError(
                f"{node!r} was made from {len(node._prev)} Values and remembers {len(node._slopes)} slopes"
            )
        for child, slope in zip(node._prev, node._slopes):
            child.grad += slope * node.grad


def _nodes(root):
    """Each node once, after everything it was made from."""
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((child, False) for child in node._prev)
    return order


def reached(gradient, leaves):
    """Names of the leaves that a gradient was made from, as far as `_inputs` tells: it can be differentiated
    again with respect to these.

    leaves: {name: Tensor}.  Returns a sorted list; [] for what is no Tensor.
    """
    seen, stack = set(), [gradient]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            inputs = getattr(node, "_inputs", ())
            stack.extend(inputs if isinstance(inputs, (tuple, list)) else ())  # the rows of a Tensor would never end
    return sorted(name for name, leaf in leaves.items() if id(leaf) in seen)


def remembers(expected, got):
    """The comparison for answers of `reached`: every gradient remembers the Tensors that it was made from."""
    for name, needed in expected.items():
        found = got.get(name)
        if not isinstance(found, list):
            return f"{name} cannot be read: {describe(found)}."
        missing = [each for each in needed if each not in found]
        if missing:
            return (
                f"{name} cannot be differentiated again: it does not remember that it was made from "
                f"{' and '.join(missing)}. Only operations on Tensors are remembered; what NumPy makes of .data is not."
            )
    return None


def drawn(package, root, gradients=()):
    """The learner's graph of root as plain values: the answer "graph", which a notebook draws if the check fails.

    gradients: pairs (Tensor, its gradient), shown in the picture as if backward had put them there.
    Nothing is compared, and a graph that cannot be read is left out.
    """
    before = []
    try:
        for node, gradient in gradients:
            before.append((node, node.grad))
            node.grad = getattr(gradient, "data", gradient)
        return _plain(package.viz.graph.read_graph(root, MOST_DRAWN))
    except Exception:  # whatever the learner's code made of the graph, the answers matter more
        return None
    finally:
        for node, grad in before:
            node.grad = grad


def _plain(graph):
    return [[list(node) for node in graph.nodes], graph.has_gradient, graph.left_out]

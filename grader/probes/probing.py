"""What probes use to look at a learner's graph without asking for code of a later exercise. arrays.py has more."""

from contextlib import contextmanager

from toolbox.graphs.faults import Judging
from toolbox.graphs.graph import read_graph

from ..course.phrases import listed, plural

MOST_DRAWN = 40  # nodes of a graph that goes back with the answers
MOST_AFTER = 40  # steps behind the first wrong one, of a walk that was stopped

LARGE = (256, 256)  # the shape of a large case: nudging each of its 65,536 numbers takes longer than any limit
LARGER = (4, 256, 256)  # where computing everything is quick, and a single nudge tells all, since the slope is constant
TOO_MANY_TO_NUDGE = (
    "This question has more than 65,000 numbers. Nudging them one by one means computing everything twice for each of "
    "them, and loops over single numbers are slow too. The rule itself is a line or two for whole arrays, and takes "
    "milliseconds."
)
SLOPES_RTOL = 1e-4  # of slopes found by nudging, rounded to six decimals


def slopes_to(out, leaves, gradient=1.0, held=0.0):
    """What is in the grad of each leaf after a walk back from out: the slope of out to it.

    The walk goes by the local slopes that the nodes remember. A node that keeps a closure in _backward instead, as in
    other courses, is asked by calling it.
    gradient: that of out, by which the slopes are multiplied.  held: what each leaf's grad holds before, and adds to.
    """
    nodes = _nodes(out)
    for node in nodes:
        node.grad = 0.0
    for leaf in leaves:
        leaf.grad = held
    out.grad = gradient
    for node in reversed(nodes):
        _hand_on(node)
    found = [leaf.grad for leaf in leaves]
    for node in (*nodes, *leaves):
        node.grad = 0.0
    return found


def local_slopes(node):
    """The slopes that a node remembers, one for each of its inputs; None if it keeps a closure in _backward instead.

    Slopes count first: a constructor may give every node an empty _backward beside them.
    Raises ValueError if there are neither.
    """
    slopes, inputs = getattr(node, "_slopes", ()), len(node._prev)
    if len(slopes) == inputs:
        return slopes
    if "_backward" in vars(node):
        return None
    raise ValueError(f"{node!r} has {inputs} in _prev and {len(slopes)} in _slopes")


def _hand_on(node):
    slopes = local_slopes(node)
    if slopes is None:
        node._backward()
    else:
        for child, slope in zip(node._prev, slopes):
            child.grad += slope * node.grad


def _nodes(root):
    """Each Value of a graph once, after everything it was made from."""
    return in_order(root, lambda node: node._prev)


def in_order(root, inputs_of):
    """Each node of a graph once, after its inputs."""
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((child, False) for child in inputs_of(node))
    return order


def rules_of(operations):
    """The rule of add; the rules of add, sub and mul."""
    return f"the {plural('rule', len(operations))} of {listed(operations)}"


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
        return _plain(read_graph(root, MOST_DRAWN))
    except Exception:  # whatever the learner's code made of the graph, the answers matter more
        return None
    finally:
        for node, grad in before:
            node.grad = grad


def _plain(graph):
    return [[list(node) for node in graph.nodes], graph.has_gradient, graph.left_out]


class Pictures:
    """The pictures of the backward passes of one question: of the first that goes wrong, or else of the last."""

    def __init__(self):
        self.graph = None

    def add(self, graph):
        if not _goes_wrong(self.graph):
            self.graph = graph

    def or_else(self, draw):
        """The pass that goes wrong; if none does, what draw() gives."""
        return self.graph if _goes_wrong(self.graph) else draw()


def _goes_wrong(plain):
    return plain is not None and len(plain) > 3


@contextmanager
def walking(package, root, pictures, **how):
    """Writes down the backward pass from root that happens in the block, and adds it to the pictures.

    An exception that leaves the block takes the picture along, as its attribute graph.
    how: as for toolbox.graphs.faults.Judging.
    """
    watching = _watching(package, root, how)
    if watching is None:
        yield
        return
    try:
        with watching:
            yield
    except Exception as error:
        pictures.add(_walk_as_plain(package, root, watching))
        error.graph = pictures.graph
        raise
    pictures.add(_walk_as_plain(package, root, watching))


def _watching(package, root, how):
    """None for a graph that cannot be read: the question is asked all the same."""
    try:
        return Judging(root, MOST_DRAWN, **how)
    except Exception:
        return None


def _walk_as_plain(package, root, watching):
    """The graph as `drawn` gives it, and the walk behind it if it goes wrong: tables of numbers and texts."""
    plain = drawn(package, root)
    try:
        walk = watching.walk
        if walk.fault is None or plain is None:
            return plain
        far_enough = (walk.fault.step or 0) + MOST_AFTER if walk.error else None
        spoken = walk.spoken[:far_enough]
        spokes = [[spoke.place, spoke.gradient] for spoke in spoken]
        shares = [[number, *share] for number, spoke in enumerate(spoken) for share in spoke.shares]
        changes = [[number, *change] for number, spoke in enumerate(spoken) for change in spoke.changes]
        return [
            *plain,
            [spokes, shares, changes, list(walk.began), list(walk.left), walk.error, list(walk.fault), walk.kept],
        ]
    except Exception:  # whatever the learner's code left in the nodes, the answers matter more
        return plain

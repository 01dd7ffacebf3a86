"""Where a backward pass first goes wrong: what was watched beside what the slopes and rules of the graph give.

Who judges knows these slopes and rules alone, in a right order; no answer of the reference.
"""

from typing import NamedTuple

from .backward_log import Watching, array_of, inputs_of, kind, module_beside, same, slopes_of, told, wants
from .graph import order_of_computing

UNCALLED = {"Value": "uncalled", "Tensor": "unasked"}


class Fault(NamedTuple):
    """Where a walk first goes wrong.

    step: the number of the Spoke; None at the end of the walk.  kind: as in steps.FAULTS.
    place: the node whose gradient is meant, or (too early, inside another's step) the other node of the two.
    """

    step: int | None
    kind: str
    place: int | None = None
    got: str = ""
    expected: str = ""


class Judging(Watching):
    """A Watching whose walk has its Fault.

    start: the gradient that root begins with.  whole: is it a whole backward pass, which reaches every node?
    kept: does it leave gradients in the nodes (and not only in a ledger)?
    """

    def __init__(self, root, max_nodes=10**9, start=None, whole=True, kept=True):
        super().__init__(root, max_nodes)
        self.whole, self.kept = whole, kept
        try:
            self.right = RIGHT[kind(root)](root, self.everything, start)  # {id of a node: what its gradient should be}
        except Exception:  # a rule or a slope is wrong: then nobody can say
            self.right = None

    @property
    def walk(self):
        right = () if self.right is None or not self.whole else tuple(told(self.due(node)) for node in self.shown)
        return super().walk._replace(fault=self.fault(), right=right)

    def due(self, node):
        """What a node's gradient should be in the end: a leaf keeps what it had before."""
        due, had = self.right.get(id(node)), self.before[id(node)]
        return due + had if self.kept and due is not None and had is not None and not inputs_of(node) else due

    def fault(self):
        """The Fault of the walk; None if it has none, or nobody can say."""
        if self.right is None:
            return None
        spoken = set()
        for number, step in enumerate(self.steps):
            if found := self.fault_of(step, spoken):
                return Fault(number, *found)
            spoken.add(id(step.node))
        if self.error:
            return None if self.error.startswith("NotImplementedError") else Fault(None, "stopped")
        return self.fault_at_the_end(spoken)

    def fault_of(self, step, spoken):
        """(kind, place, got, expected) of a step; None if nothing is wrong with it.  spoken: ids of nodes before it."""
        node, should = step.node, self.right.get(id(step.node))
        if step.inside is not None:
            return "inside", self.place(step.inside)
        if id(node) in spoken:
            return "again", self.place(node)
        if not same(step.gradient, should):
            waits_for = next((user for user in self.users(node) if id(user) not in spoken), None)
            kind, meant = ("gradient", node) if waits_for is None else ("early", waits_for)
            return kind, self.place(meant), told(step.gradient), told(should)
        for x in step.targets():
            amount = step.expected(x, should)
            before, after = (grads.get(id(x)) for grads in (step.before, step.after))
            wanted = amount if before is None else before + amount if amount is not None else after
            if id(x) not in step.unknown and not same(after, wanted):
                return "amount", self.place(x), told(after), told(wanted)
        targets = {id(x) for x in step.targets()}
        for key in step.before.keys() & step.after.keys() - targets:
            if not same(step.after[key], step.before[key]):
                return "changed", self.places.get(key), told(step.after[key]), told(step.before[key])
        return None

    def users(self, node):
        """The nodes made from this one that have a gradient to pass on, the last one first."""
        made = [user for user in self.everything if any(x is node for x in inputs_of(user))]
        return [user for user in reversed(made) if id(user) in self.right]

    def fault_at_the_end(self, spoken):
        if not self.whole:
            return None
        for node in reversed(self.everything):
            should = self.right.get(id(node))
            if inputs_of(node) and id(node) not in spoken and should is not None and not same(should, should * 0):
                return Fault(None, UNCALLED[kind(self.root)], self.place(node), "", told(should))
        found = self.after if self.kept else self.ended
        with_labels_first = sorted(self.everything, key=lambda node: not getattr(node, "label", ""))
        for node in with_labels_first if found is not None else ():
            should, got = self.due(node), found.get(id(node))
            if id(node) in self.right and not same(got, should):
                return Fault(None, "end", self.place(node), told(got), told(should))
        return None


def right_of_values(root, nodes, start):
    """{id: gradient} by the slopes that the nodes remember. A node without slopes is asked by calling its own step."""
    before = [(node, node.grad) for node in nodes]
    try:
        for node in nodes:
            node.grad = 0.0
        root.grad = 1.0 if start is None else start
        for node in reversed(nodes):
            slopes = slopes_of(node)
            if slopes is None:
                node._backward()
            else:
                for x, slope in zip(node._prev, slopes):
                    x.grad += slope * node.grad
        return {id(node): node.grad for node in nodes}
    finally:
        for node, grad in before:
            node.grad = grad


def right_of_tensors(root, nodes, start):
    """{id: gradient} by the rules, of the nodes that get one."""
    autograd = module_beside(root, "autograd")
    recording, autograd.Recording.on = autograd.Recording.on, False
    try:
        first = root.initial_gradient() if start is None else start
        ledger = {id(root): type(root)(array_of(first).copy(), requires_grad=False)}
        for node in reversed(order_of_computing(root, lambda node: node._inputs)):
            if node._op is not None and id(node) in ledger:
                for x, share in zip(node._inputs, node._op.shares(ledger[id(node)], node)):
                    if wants(x, share):
                        ledger[id(x)] = ledger[id(x)] + share if id(x) in ledger else share
        return {node: gradient.data.copy() for node, gradient in ledger.items()}
    finally:
        autograd.Recording.on = recording


RIGHT = {"Value": right_of_values, "Tensor": right_of_tensors}

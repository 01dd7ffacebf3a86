"""Scalar engines that walk backwards: a right one, and broken ones; for the bug hunt of notebook 03.

All share the operators of Right. Each broken one differs by one idea: how a node hands its gradient on,
in which order the nodes speak, what is forgotten before a walk, or (operators.py) the slope of an operation.
For small graphs. Their nodes have the attributes of a Value, so that they can be drawn, and their walks watched.
"""

import math


class Right:
    """A number that remembers its inputs and the local slope to each."""

    def __init__(self, data, inputs=(), slopes=(), op="", label=""):
        self.data = float(data)
        self.grad = 0.0
        self._prev = tuple(inputs)
        self._slopes = tuple(slopes)
        self._op, self.label = op, label

    def __repr__(self):
        return f"{type(self).__name__}({self.data})"

    # What the broken engines change.

    def _backward(self):
        """Each input gets (slope to it) * (own gradient) more."""
        for node, slope in zip(self._prev, self._slopes):
            node.grad += slope * self.grad

    def speaking_order(self):
        """The nodes as they hand on, this one first: each after everyone who used it."""
        return finished_last_first(self, lambda node: node)

    def start_afresh(self):
        """The gradient of a result belongs to one walk; that of a leaf adds up."""
        if self._prev:
            self.grad = 0.0

    def power_slope(self, x, n):
        return n * x ** (n - 1) if n else 0.0

    def quotient_slopes(self, x, y):
        return 1.0 / y, -x / y**2

    def relu_slope(self, x):
        return 1.0 if x > 0 else 0.0

    def backward(self):
        """Put into every node's grad how much this one changes for each unit that node changes."""
        order = self.speaking_order()
        for node in order:
            node.start_afresh()
        self.grad += 1.0
        for node in order:
            node._backward()

    # The operations.

    def __add__(self, other):
        other = self._number(other)
        return type(self)(self.data + other.data, (self, other), (1.0, 1.0), "+")

    def __sub__(self, other):
        other = self._number(other)
        return type(self)(self.data - other.data, (self, other), (1.0, -1.0), "-")

    def __mul__(self, other):
        other = self._number(other)
        return type(self)(self.data * other.data, (self, other), (other.data, self.data), "*")

    def __truediv__(self, other):
        other = self._number(other)
        return type(self)(self.data / other.data, (self, other), self.quotient_slopes(self.data, other.data), "/")

    def __pow__(self, exponent):
        return type(self)(self.data**exponent, (self,), (self.power_slope(self.data, exponent),), f"**{exponent:g}")

    def __neg__(self):
        return self * -1.0

    def __radd__(self, other):
        return self._number(other) + self

    def __rsub__(self, other):
        return self._number(other) - self

    def __rmul__(self, other):
        return self._number(other) * self

    def __rtruediv__(self, other):
        return self._number(other) / self

    def exp(self):
        e = math.exp(self.data)
        return type(self)(e, (self,), (e,), "exp")

    def log(self):
        return type(self)(math.log(self.data), (self,), (1.0 / self.data,), "log")

    def sin(self):
        return type(self)(math.sin(self.data), (self,), (math.cos(self.data),), "sin")

    def tanh(self):
        t = math.tanh(self.data)
        return type(self)(t, (self,), (1.0 - t * t,), "tanh")

    def sigmoid(self):
        s = 0.5 + 0.5 * math.tanh(self.data / 2)
        return type(self)(s, (self,), (s * (1.0 - s),), "sigmoid")

    def relu(self):
        return type(self)(max(self.data, 0.0), (self,), (self.relu_slope(self.data),), "relu")

    def _number(self, other):
        return other if isinstance(other, Right) else type(self)(other)


def finished_last_first(root, mark_of):
    """Depth first, a node is finished after its inputs. Two nodes with one mark are taken for one."""
    finished, marks = [], set()

    def visit(node):
        if mark_of(node) not in marks:
            marks.add(mark_of(node))
            for child in node._prev:
                visit(child)
            finished.append(node)

    visit(root)
    return finished[::-1]


class KeepsTheLastShare(Right):
    """Assigns where it should add."""

    def _backward(self):
        for node, slope in zip(self._prev, self._slopes):
            node.grad = slope * self.grad


class SpeaksWhenFirstMet(Right):
    """A node passes its gradient back as soon as the walk comes to it, then the walk goes on to its inputs."""

    def speaking_order(self):
        order, met = [], set()

        def visit(node):
            if node not in met:
                met.add(node)
                order.append(node)
                for child in node._prev:
                    visit(child)

        visit(self)
        return order


class SpeaksLevelByLevel(Right):
    """The root first, then its inputs, then theirs; each node once."""

    def speaking_order(self):
        order = [self]
        for node in order:
            order += [child for child in dict.fromkeys(node._prev) if child not in order]
        return order


class SpeaksAtEveryVisit(Right):
    """A node that is used three times speaks three times, each time with all that it holds."""

    def speaking_order(self):
        return [self] + [node for child in self._prev for node in child.speaking_order()]


class TakesEqualNumbersForOneNode(Right):
    """Ticks off numbers where it should tick off nodes."""

    def speaking_order(self):
        return finished_last_first(self, lambda node: node.data)


class KeepsOldGradients(Right):
    """A second walk hands on again what the first one left in the results."""

    def start_afresh(self):
        pass


class ForgetsTheLeavesToo(Right):
    """A second walk wipes out what the first one found."""

    def start_afresh(self):
        self.grad = 0.0


ENGINES = {"A": KeepsTheLastShare, "B": SpeaksLevelByLevel, "C": TakesEqualNumbersForOneNode}


def beside_the_right_one(who, expression):
    """{"right": root, who: root}: an expression of a = 2 and b = -3 in two engines, for compare_backward.

    who: "A", "B" or "C".  expression: a function of the two nodes.
    Raises ValueError if it does not give the engine away: how a engine walks is for you to find out.
    """
    roots, found = {}, []
    for name, engine in {"right": Right, who: ENGINES[who]}.items():
        roots[name], leaves = expression(*leaves_of(engine)), leaves_of(engine)
        expression(*leaves).backward()
        found.append([leaf.grad for leaf in leaves])
    if all(math.isclose(*pair, rel_tol=1e-6, abs_tol=1e-9) for pair in zip(*found)):
        raise ValueError(f"{who} finds the right gradients here. First find an expression that gives it away.")
    return roots


def leaves_of(engine):
    return engine(2.0, label="a"), engine(-3.0, label="b")

"""Array engines with a ledger: a right one, and broken ones; for the bug hunt of notebook 09.

All share the operations of Right. Each broken one differs by one idea: who requires a gradient, how shares come
together in the ledger, or how a leaf keeps its gradient. For small graphs.
"""

from itertools import zip_longest

import numpy as np


class Right:
    """An array that remembers its inputs and how its gradient is shared out among them."""

    def __init__(self, data, inputs=(), rule=None, requires_grad=True):
        self.data = np.array(data, dtype=float)
        self.grad = None
        self.inputs = tuple(inputs)
        self.rule = rule
        self.requires_grad = requires_grad

    def __repr__(self):
        return f"{type(self).__name__}({self.data.tolist()})"

    # What the broken engines change.

    def wants_gradient(self, inputs):
        """Does a result of these inputs require a gradient?"""
        return any(x.requires_grad for x in inputs)

    def shares(self, gradient):
        """Pairs (input, its share), one for each use."""
        return list(zip(self.inputs, self.rule(gradient)))

    def enter(self, ledger, x, share):
        """The ledger gets a share of x: the first is written down, a further one makes a new sum."""
        ledger[x] = ledger[x] + share if x in ledger else share

    def keep(self, gradient):
        """What a leaf does with the gradient that a walk has found for it."""
        self.grad = gradient.copy() if self.grad is None else self.grad + gradient

    def initial_gradient(self):
        """What a walk begins with."""
        return np.ones_like(self.data)

    def backward(self):
        """Each leaf keeps how much the sum of this one's numbers changes for each unit of its own."""
        ledger = {self: self.initial_gradient()}
        for node in self._after_all_who_used_it():
            if node in ledger and node.rule is not None:
                for x, share in node.shares(ledger[node]):
                    if x.requires_grad:
                        node.enter(ledger, x, share)
        for node, gradient in ledger.items():
            if node.rule is None:
                node.keep(gradient)

    def _after_all_who_used_it(self):
        finished = {}

        def visit(node):
            if node not in finished:
                for x in node.inputs:
                    visit(x)
                finished[node] = True

        visit(self)
        return list(finished)[::-1]

    # The operations.

    def _made(self, data, inputs, rule):
        wanted = self.wants_gradient(inputs)
        return type(self)(data, inputs, rule, True) if wanted else type(self)(data, requires_grad=False)

    def _tensor(self, other):
        return other if isinstance(other, Right) else type(self)(np.full_like(self.data, other), requires_grad=False)

    def __add__(self, other):
        other = self._tensor(other)
        return self._made(self.data + other.data, (self, other), lambda g: (g, g))

    def __sub__(self, other):
        other = self._tensor(other)
        return self._made(self.data - other.data, (self, other), lambda g: (g, -g))

    def __mul__(self, other):
        a, b = self, self._tensor(other)
        return self._made(a.data * b.data, (a, b), lambda g: (g * b.data, g * a.data))

    def __truediv__(self, other):
        a, b = self, self._tensor(other)
        return self._made(a.data / b.data, (a, b), lambda g: (g / b.data, -g * a.data / b.data**2))

    def __pow__(self, exponent):
        def slope():
            return exponent * self.data ** (exponent - 1) if exponent else 0.0

        return self._made(self.data**exponent, (self,), lambda g: (g * slope(),))

    def __radd__(self, other):
        return self._tensor(other) + self

    def __rsub__(self, other):
        return self._tensor(other) - self

    def __rmul__(self, other):
        return self._tensor(other) * self

    def __rtruediv__(self, other):
        return self._tensor(other) / self

    def _pointwise(self, data, slope):
        return self._made(data, (self,), lambda g: (g * slope,))

    def exp(self):
        return self._pointwise(np.exp(self.data), np.exp(self.data))

    def log(self):
        return self._pointwise(np.log(self.data), 1 / self.data)

    def sin(self):
        return self._pointwise(np.sin(self.data), np.cos(self.data))

    def tanh(self):
        return self._pointwise(np.tanh(self.data), 1 - np.tanh(self.data) ** 2)

    def sigmoid(self):
        s = 0.5 + 0.5 * np.tanh(self.data / 2)
        return self._pointwise(s, s * (1 - s))

    def relu(self):
        return self._pointwise(np.maximum(self.data, 0), self.data > 0)


class AddsInPlace(Right):
    """A further share is added into the array that came first, whoever else holds it."""

    def enter(self, ledger, x, share):
        if x in ledger:
            ledger[x] += share
        else:
            ledger[x] = share


class KeepsTheArrayItself(Right):
    """A leaf keeps the ledger's own array, and the next walk adds into it."""

    def keep(self, gradient):
        if self.grad is None:
            self.grad = gradient
        else:
            self.grad += gradient


class OneShareForEachInput(Right):
    """An operation's shares in a dict by input: of an input that it takes twice one share is left."""

    def shares(self, gradient):
        return list(dict(zip(self.inputs, self.rule(gradient))).items())


class WantsAllToWantIt(Right):
    """A result requires a gradient only if all of its inputs do."""

    def wants_gradient(self, inputs):
        return all(x.requires_grad for x in inputs)


ENGINES = {"A": AddsInPlace, "B": KeepsTheArrayItself, "C": OneShareForEachInput, "D": WantsAllToWantIt}


def leaf(engine, number):
    """The leaf of a hunt for this number: an array of three numbers."""
    return engine([number, number / 2, number + 1])


def gradients_after_two_passes(engine, expression):
    """What the leaves a = 2 and b = -3 hold when the expression's backward was called twice.

    expression: a function of two nodes.  Returns a dict of arrays; None for a leaf that got nothing.
    """
    leaves = {"a": leaf(engine, 2.0), "b": leaf(engine, -3.0)}
    out = expression(**leaves)
    out.backward()
    out.backward()
    return {name: x.grad for name, x in leaves.items()}


def where_they_part(who, expression):
    """How the right engine and a engine make two walks each, as text: up to the first line that is not the same.

    who: "A", "B", "C" or "D".  expression: a function of two nodes.
    Raises ValueError if it does not give the engine away: how a engine walks is for you to find out.
    """
    right, found = (listed(gradients_after_two_passes(engine, expression).items()) for engine in (Right, ENGINES[who]))
    if right == found:
        raise ValueError(f"{who} finds the right gradients here. First find an expression that gives it away.")
    told = []
    for right, engine in zip_longest(*(diary(engine, expression) for engine in (Right, ENGINES[who]))):
        if right == engine:
            told.append(right)
            continue
        over = "Nothing more happens."
        return "\n".join([*told, "Here they part.", f"right: {right or over}", f"{who}:     {engine or over}"])


def diary(engine, expression):
    """A line for each share that enters the ledger, and for each gradient that is kept, with all that is there then."""
    lines, names = [], {}

    class Watched(engine):
        def enter(self, ledger, x, share):
            super().enter(ledger, x, share)
            there = listed((names[node], gradient) for node, gradient in ledger.items())
            lines.append(f"{names[self]} passes a gradient back to {names[x]}. In the ledger: {there}")

        def keep(self, gradient):
            super().keep(gradient)
            kept = listed((f"{name}.grad", x.grad) for name, x in leaves.items())
            lines.append(f"{names[self]} keeps its gradient: {kept}")

    leaves = {"a": leaf(Watched, 2.0), "b": leaf(Watched, -3.0)}
    out = expression(**leaves)
    between = [node for node in reversed(out._after_all_who_used_it()) if node.inputs and node is not out]
    names |= {node: f"v{number}" for number, node in enumerate(between, 1)} | {out: "the result"}
    names |= {x: name for name, x in leaves.items()}
    for walk in ("first", "second"):
        lines.append(f"The {walk} walk begins.")
        out.backward()
    return lines


def listed(arrays):
    """Such as: a [2. 1. 3.], v1 [1. 1. 1.]."""
    return ", ".join(f"{name} {array}" for name, array in arrays)

"""Notebooks 02 and 03: a number that remembers how it was made, and the walk back."""

import math
from numbers import Real


class Value:
    """A number that remembers what it was made from.

    data: the number (a float).
    grad: how much the root of the graph changes for each unit that this number changes.
        0.0 until `backward` was called on the root.
    _prev: the Values it was made from, in order; the same one twice if it was used twice.
    _slopes: for each of them, how much this number changes for each unit it changes. Plain numbers.
    _op: the name of the operation, '' for a number made by hand (a leaf).
    label: a name for drawings.

    Raises TypeError if data is not a number.
    """

    __array_ufunc__ = None  # so that NumPy leaves np.float64(2) * x to x

    def __init__(self, data, _children=(), _op="", _slopes=(), label=""):
        self.data = data if type(data) is float else as_number(data)
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._slopes = tuple(_slopes)
        self.label = label

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    # Arithmetic. Each result remembers its inputs and the local slope to each.

    def __add__(self, other):
        """self + other.  One more on either side is one more in the sum: both slopes are 1."""
        other = as_value(other)
        return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))

    def __mul__(self, other):
        """self * other.  The slope to each side is the other side's number.

        Fill the blanks of: Value(the product, (the two inputs), "*", (the two slopes))
        """
        other = as_value(other)
        ### BEGIN SOLUTION 2.1: Value.__mul__
        return Value(self.data * other.data, (self, other), "*", (other.data, self.data))
        ### END SOLUTION

    def __pow__(self, exponent):
        """self ** exponent, for an exponent that is a plain number.

        The slope: the exponent, times the number to the power of one less.
        A name for drawings: "**3" for x ** 3, say.
        Raises TypeError for any other exponent (a Value, a text, None, ...) and names it.

        1. refuse an exponent that is not a number: as_number does that for you
        2. the result, with its one input and its one slope; at exponent 0 the slope is 0.0, whatever the number is
        """
        ### BEGIN SOLUTION 2.3: Value.__pow__
        as_number(exponent)
        slope = exponent * self.data ** (exponent - 1) if exponent else 0.0
        return Value(self.data**exponent, (self,), f"**{exponent}", (slope,))
        ### END SOLUTION

    def __neg__(self):
        """-self.  Made of what is there already (self times a number), it needs no slope of its own."""
        ### BEGIN SOLUTION 2.4: Value.__neg__
        return self * -1.0
        ### END SOLUTION

    def __sub__(self, other):
        """self - other: the sum of self and the negated other."""
        other = as_value(other)
        ### BEGIN SOLUTION 2.4: Value.__sub__
        return self + -other
        ### END SOLUTION

    def __truediv__(self, other):
        """self / other: self times other to the power of -1."""
        other = as_value(other)
        ### BEGIN SOLUTION 2.4: Value.__truediv__
        return self * other**-1
        ### END SOLUTION

    # Reflected operators. For 5 - x Python calls x.__rsub__(5): other is the number on the left.
    # The first line of each makes a Value of it.

    def __radd__(self, other):
        """other + self"""
        other = as_value(other)
        ### BEGIN SOLUTION 2.5: Value.__radd__
        return other + self
        ### END SOLUTION

    def __rsub__(self, other):
        """other - self"""
        other = as_value(other)
        ### BEGIN SOLUTION 2.5: Value.__rsub__
        return other - self
        ### END SOLUTION

    def __rmul__(self, other):
        """other * self"""
        other = as_value(other)
        ### BEGIN SOLUTION 2.5: Value.__rmul__
        return other * self
        ### END SOLUTION

    def __rtruediv__(self, other):
        """other / self"""
        other = as_value(other)
        ### BEGIN SOLUTION 2.5: Value.__rtruediv__
        return other / self
        ### END SOLUTION

    def __rpow__(self, base):
        """base ** self, such as 2 ** x: now the exponent moves.

        base: a positive number.  The slope: the result times the natural logarithm of the base.
        The one input is self.  A name for drawings: "2**" for 2 ** x, say.

        1. refuse a base that is not a number: as_number names it
        2. the result and its one slope
        """
        ### BEGIN SOLUTION 2.6: Value.__rpow__
        power = as_number(base) ** self.data
        return Value(power, (self,), f"{base}**", (power * math.log(base),))
        ### END SOLUTION

    # Functions of one number.

    def exp(self):
        """e to the power of self.  The slope is the result itself."""
        ### BEGIN SOLUTION 2.7: Value.exp
        e = math.exp(self.data)
        return Value(e, (self,), "exp", (e,))
        ### END SOLUTION

    def log(self):
        """The natural logarithm of self.  The slope is one over the number."""
        ### BEGIN SOLUTION 2.7: Value.log
        return Value(math.log(self.data), (self,), "log", (1.0 / self.data,))
        ### END SOLUTION

    def sin(self):
        """The sine of self, an angle in radians.  The slope is the cosine."""
        ### BEGIN SOLUTION 2.7: Value.sin
        return Value(math.sin(self.data), (self,), "sin", (math.cos(self.data),))
        ### END SOLUTION

    def tanh(self):
        """The hyperbolic tangent of self, between -1 and 1.  The slope is 1 - result squared.

        Right for -1000 and 1000 too.
        """
        ### BEGIN SOLUTION 2.8: Value.tanh
        t = math.tanh(self.data)
        return Value(t, (self,), "tanh", (1.0 - t * t,))
        ### END SOLUTION

    def sigmoid(self):
        """1 / (1 + e to the power of -self), between 0 and 1.  The slope: result * (1 - result).

        Right for -1000 and 1000 too: math.exp gives up at about 710, so never hand it a large
        positive number.  For a negative number the same fraction is e^x / (1 + e^x).
        """
        ### BEGIN SOLUTION 2.8: Value.sigmoid
        small = math.exp(-abs(self.data))
        s = (1.0 if self.data >= 0 else small) / (1.0 + small)
        return Value(s, (self,), "sigmoid", (s * (1.0 - s),))
        ### END SOLUTION

    def relu(self):
        """self if it is positive, else 0.0.  The slope: 1.0 if self is positive, else 0.0 (at 0 too)."""
        ### BEGIN SOLUTION 2.9: Value.relu
        positive = self.data > 0
        return Value(self.data if positive else 0.0, (self,), "relu", (1.0 if positive else 0.0,))
        ### END SOLUTION

    # The walk back.

    def _backward(self):
        """Hand this node's gradient on: each input gets (slope to it) * (own gradient) more.

        Adds to what the input's grad holds already.  A leaf has no inputs: nothing happens.
        """
        ### BEGIN SOLUTION 3.1: Value._backward
        for child, slope in zip(self._prev, self._slopes):
            child.grad += slope * self.grad
        ### END SOLUTION

    def backward(self):
        """Put into every node's grad how much self changes for each unit that node changes.

        A leaf's new gradient is added to what its grad holds; inner nodes start afresh.
        Returns nothing.

        1. the nodes in topological order
        2. set grad to 0.0 in every node that was made from others; leaves keep theirs
        3. add 1.0 to self's grad: self changes by one for each unit that self changes
        4. from the root to the leaves: each node hands its gradient on with _backward()
        """
        ### BEGIN SOLUTION 3.4: Value.backward
        order = topological_order(self)
        for node in order:
            if node._prev:
                node.grad = 0.0
        self.grad += 1.0
        for node in reversed(order):
            node._backward()
        ### END SOLUTION

    def zero_grad(self):
        """Forget this node's gradient: grad is 0.0 again."""
        self.grad = 0.0


def topological_order(root):
    """Nodes of root's graph, each after everything it was made from.

    root: the Value to start from.  Returns a list of Values; the last one is root.

    1. keep a set of the nodes you have finished (the nodes themselves, not their numbers)
    2. before a node goes on the list, all of its inputs must be on it
    3. each node goes on the list once
    """
    ### BEGIN SOLUTION 3.3: topological_order
    order, seen = [], set()
    stack = [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((child, False) for child in node._prev if child not in seen)
    return order
    ### END SOLUTION


def as_number(x):
    """x as a float.  Raises TypeError, naming x, if it is not a number (a text, None, a Value, ...)."""
    if isinstance(x, (float, Real)):  # float alone would do, but Python finds it faster
        return float(x)
    raise TypeError(f"a number was expected, but {x!r} is of type {type(x).__name__}")


def as_value(x):
    """x itself if it is a Value, else x as a new leaf.  Raises TypeError if x is not a number."""
    return x if isinstance(x, Value) else Value(x)

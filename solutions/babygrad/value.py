"""Notebooks 02 and 03: a number that remembers how it was made, and the backward pass.

Yours: 2.1, 2.3, 2.4, 2.5, 2.7, 2.8, 2.9, 3.1, 3.2, 3.3, 3.4.
"""

import math
from numbers import Real


class Value:
    """A number that remembers what it was made from.

    data: the number (a float).
    grad: how much the root of the graph changes for each unit that this number changes, ∂root/∂self.
        0.0 until `backward` was called on the root.
    _prev: the Values it was made from, in order; the same one twice if it was used twice.
    _slopes: for each of them the local slope (local derivative): how much this number changes for each unit
        that one changes. Plain numbers.
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

    # Arithmetic. Each result remembers its inputs and a local slope for each of them.

    def __add__(self, other):
        """self + other.  One more on either side is one more in the sum: both slopes are 1."""
        other = as_value(other)
        return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))

    def __mul__(self, other):
        """Multiplication of self and other, which may be a plain number.

        Returns a new node that remembers its two inputs, a name for drawings (the sign of the operation), and the local
        slope for each input: plain numbers.  self and other stay as they are, their grad included.
        """
        other = as_value(other)
        ### BEGIN SOLUTION 2.1: Value.__mul__
        return Value(self.data * other.data, (self, other), "*", (other.data, self.data))
        ### END SOLUTION

    def __pow__(self, exponent):
        """Exponentiation with a plain number as exponent: whole, negative, a fraction or 0.

        Returns a new node with self as its one input, and with the exponent in its name.
        Raises TypeError for any other exponent (a Value, a string, None, ...) and names it.  Where self is 0 and the
        power or its slope does not exist, ZeroDivisionError.
        """
        ### BEGIN SOLUTION 2.3: Value.__pow__
        as_number(exponent)
        slope = exponent * self.data ** (exponent - 1) if exponent else 0.0
        return Value(self.data**exponent, (self,), f"**{exponent}", (slope,))
        ### END SOLUTION

    def __neg__(self):
        """-self"""
        return self * -1.0

    def __sub__(self, other):
        """Subtraction of a Value or a plain number.  The graph of the result leads to self and to other."""
        other = as_value(other)
        ### BEGIN SOLUTION 2.4: Value.__sub__
        return self + -other
        ### END SOLUTION

    def __truediv__(self, other):
        """Division by a Value or a plain number.  The graph of the result leads to self and to other.

        Raises ZeroDivisionError if other is 0.
        """
        other = as_value(other)
        ### BEGIN SOLUTION 2.4: Value.__truediv__
        return self * other**-1
        ### END SOLUTION

    # Reflected operators: the plain number stands on the left, and is handed over as other.

    def __radd__(self, other):
        """number + self"""
        return self + other

    def __rmul__(self, other):
        """number * self"""
        return self * other

    def __rsub__(self, other):
        """Subtraction with the plain number, other, on the left.  The graph of the result leads to self."""
        other = as_value(other)
        ### BEGIN SOLUTION 2.5: Value.__rsub__
        return other - self
        ### END SOLUTION

    def __rtruediv__(self, other):
        """Division with the plain number, other, on the left.  The graph of the result leads to self."""
        other = as_value(other)
        ### BEGIN SOLUTION 2.5: Value.__rtruediv__
        return other / self
        ### END SOLUTION

    def __rpow__(self, base):
        """Exponentiation with the Value as exponent: Python calls x.__rpow__(2) for 2 ** x.

        base: a number above 0.  The graph of the result leads to self.
        Raises TypeError, and names the base, if it is not a number.
        """
        power = as_number(base) ** self.data
        return Value(power, (self,), f"{base}**", (power * math.log(base),))

    # Functions of one number.

    def sin(self):
        """The sine of self, an angle in radians."""
        return Value(math.sin(self.data), (self,), "sin", (math.cos(self.data),))

    def exp(self):
        """The exponential function of self.  Raises OverflowError where the result is too large for a float."""
        ### BEGIN SOLUTION 2.7: Value.exp
        e = math.exp(self.data)
        return Value(e, (self,), "exp", (e,))
        ### END SOLUTION

    def log(self):
        """The natural logarithm of self.  Raises ValueError for 0 and for any number below it."""
        ### BEGIN SOLUTION 2.7: Value.log
        return Value(math.log(self.data), (self,), "log", (1.0 / self.data,))
        ### END SOLUTION

    def tanh(self):
        """The hyperbolic tangent of self, between -1 and 1; at -1000 and 1000 too."""
        ### BEGIN SOLUTION 2.8: Value.tanh
        t = math.tanh(self.data)
        return Value(t, (self,), "tanh", (1.0 - t * t,))
        ### END SOLUTION

    def sigmoid(self):
        """The logistic function of self, between 0 and 1; at -1000 and 1000 too, with no OverflowError."""
        ### BEGIN SOLUTION 2.8: Value.sigmoid
        small = math.exp(-abs(self.data))
        s = (1.0 if self.data >= 0 else small) / (1.0 + small)
        return Value(s, (self,), "sigmoid", (s * (1.0 - s),))
        ### END SOLUTION

    def relu(self):
        """0.0 to the left of 0, self's own number to the right of it.  Always a new node with self as its input.

        At 0, where relu has a kink, the slope is that of the left side.
        """
        ### BEGIN SOLUTION 2.9: Value.relu
        positive = self.data > 0
        return Value(self.data if positive else 0.0, (self,), "relu", (1.0 if positive else 0.0,))
        ### END SOLUTION

    # The backward pass.

    def _backward(self):
        """One step of the backward pass: each of the node's own inputs, however many, gets its share of the gradient.

        Changes the grad of the inputs, and nothing else.  A leaf has no inputs: nothing happens.
        """
        ### BEGIN SOLUTION 3.1: Value._backward
        for child, slope in zip(self._prev, self._slopes):
            child.grad += slope * self.grad
        ### END SOLUTION

    def backward(self):
        """Fill in the grad of every node in self's graph: ∂self/∂node, how much self changes for each unit of the node.

        Leaves accumulate what several backward passes find; a leaf that is itself the root gets 1 from each.  Inner
        nodes hold what the last pass found.
        Three parts: the order, a fresh start, the pass.  Returns nothing.
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


def post_order(root):
    """Nodes of root's graph, each after everything it was made from; found by a function that calls itself.

    root: the Value to start from, of a graph that is not deep.
    Returns a list of Values, none of them twice; the last one is root.  For y = x * x and L = y * x: [x, y, L].
    """
    ### BEGIN SOLUTION 3.2: post_order
    order, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for child in node._prev:
                visit(child)
            order.append(node)

    visit(root)
    return order
    ### END SOLUTION


def topological_order(root):
    """Nodes of root's graph, each after everything it was made from, however deep the graph is.

    root: the Value to start from.  Returns a list of Values, none of them twice; the last one is root.
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
    """x as a float.  Raises TypeError, naming x, if it is not a number (a string, None, a Value, ...)."""
    if isinstance(x, (float, Real)):  # float alone would do, but Python finds it faster
        return float(x)
    raise TypeError(f"a number was expected, but {x!r} is of type {type(x).__name__}")


def as_value(x):
    """x itself if it is a Value, else x as a new leaf.  Raises TypeError if x is not a number."""
    return x if isinstance(x, Value) else Value(x)

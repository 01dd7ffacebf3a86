"""A right engine as other courses write it, complete, for value.py: closures, and an empty one from the constructor."""

import math


class Value:
    __array_ufunc__ = None

    def __init__(self, data, _children=(), _op="", label=""):
        if not isinstance(data, (int, float)):
            raise TypeError(f"a number was expected, not {data!r}")
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

    def __add__(self, other):
        other = as_value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = as_value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def of_one(self, data, slope, op):
        out = Value(data, (self,), op)

        def _backward():
            self.grad += slope * out.grad

        out._backward = _backward
        return out

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float)):
            raise TypeError(f"only numbers as exponents, not {exponent!r}")
        slope = exponent * self.data ** (exponent - 1) if exponent else 0.0
        return self.of_one(self.data**exponent, slope, f"**{exponent}")

    def __rpow__(self, base):
        if not isinstance(base, (int, float)):
            raise TypeError(f"only numbers as bases, not {base!r}")
        return self.of_one(base**self.data, base**self.data * math.log(base), f"{base}**")

    def exp(self):
        return self.of_one(math.exp(self.data), math.exp(self.data), "exp")

    def log(self):
        return self.of_one(math.log(self.data), 1 / self.data, "log")

    def sin(self):
        return self.of_one(math.sin(self.data), math.cos(self.data), "sin")

    def tanh(self):
        t = math.tanh(self.data)
        return self.of_one(t, 1 - t**2, "tanh")

    def sigmoid(self):
        s = (1 + math.tanh(self.data / 2)) / 2
        return self.of_one(s, s * (1 - s), "sigmoid")

    def relu(self):
        return self.of_one(max(0.0, self.data), float(self.data > 0), "ReLU")

    def backward(self):
        topo = topological_order(self)
        for node in topo:
            if node._prev:
                node.grad = 0.0
        self.grad += 1.0
        for node in reversed(topo):
            node._backward()

    def zero_grad(self):
        self.grad = 0.0

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -as_value(other)

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        return self * as_value(other) ** -1

    def __rtruediv__(self, other):
        return self**-1 * other

    __radd__, __rmul__ = __add__, __mul__


def topological_order(root):
    topo, finished, stack = [], set(), [root]
    while stack:
        node = stack[-1]
        waiting = [child for child in node._prev if child not in finished]
        stack.extend(waiting)
        if not waiting:
            stack.pop()
            if node not in finished:
                finished.add(node)
                topo.append(node)
    return topo


def as_value(x):
    return x if isinstance(x, Value) else Value(x)

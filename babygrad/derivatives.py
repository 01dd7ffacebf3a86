"""Notebook 01: slopes found by nudging, and slopes that travel with the numbers (Dual: forward mode).

Yours: 1.1, 1.2, 1.3, 1.4.
"""

import math

import numpy as np


def numerical_derivative(f, x, h=1e-6):
    """The derivative of a function at x, its slope there, measured by nudging x to both sides.

    f: a function of one number.  x: a number.  h: the size of the nudge, to each side.
    Returns a number: right for a straight line whatever h is, and nearly right for a curve if h is small.
    """
    # exercise 1.1
    raise NotImplementedError("exercise 1.1: numerical_derivative")
    # end of exercise 1.1


def numerical_gradient(f, x, h=1e-6):
    """The gradient of a function of an array, measured with one nudge at a time.

    f: a function of an array that returns one number.  x: a float array of any shape, also ().  h: the nudge.
    Returns an array of x's shape: the partial derivative for each element.  Afterwards x holds the same numbers as
    before, to the last digit, even when f raises an exception; the exception goes on to the caller.
    """
    # exercise 1.2
    raise NotImplementedError("exercise 1.2: numerical_gradient")
    # end of exercise 1.2


def two_step_gradients(a, b, w):
    """The gradients of sum(d) in the two steps of notebook 01 (c from a and b, d from c and w), by local derivatives.

    a, b, w: arrays of one shape.  Nothing is nudged, and the arrays stay as they are.
    Returns (gradient of a, gradient of b, gradient of w), three arrays of that shape.
    """
    # exercise 1.3
    raise NotImplementedError("exercise 1.3: two_step_gradients")
    # end of exercise 1.3


class Dual:
    """A dual number: a number that carries its derivative along, in forward mode.

    value: the number.  slope: its derivative, how fast it changes when the chosen input changes.
    A plain number is a Dual of slope 0: it does not change at all.  No operation changes a Dual: each makes a new one.
    """

    def __init__(self, value, slope=0.0):
        self.value = value
        self.slope = slope

    def __repr__(self):
        return f"Dual(value={self.value}, slope={self.slope})"

    def __add__(self, other):
        other = _as_dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__

    def __neg__(self):
        return Dual(-self.value, -self.slope)

    def __sub__(self, other):
        return self + -_as_dual(other)

    def __rsub__(self, other):
        return _as_dual(other) + -self

    def __mul__(self, other):
        """self * other, a new Dual.  Both sides may move."""
        other = _as_dual(other)
        # exercise 1.4
        raise NotImplementedError("exercise 1.4: Dual.__mul__")
        # end of exercise 1.4

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self * _as_dual(other) ** -1

    def __rtruediv__(self, other):
        return _as_dual(other) / self

    def __pow__(self, exponent):
        """self ** exponent, a new Dual.  exponent: a plain number such as 3, 0.5 or -2."""
        # exercise 1.4
        raise NotImplementedError("exercise 1.4: Dual.__pow__")
        # end of exercise 1.4

    # Functions of one number. exp is a worked example; sin is yours.

    def exp(self):
        """e to the power of self.  exp is its own derivative: everywhere as steep as it is high."""
        e = math.exp(self.value)
        return Dual(e, e * self.slope)

    def sin(self):
        """The sine of self, an angle in radians: a new Dual."""
        # exercise 1.4
        raise NotImplementedError("exercise 1.4: Dual.sin")
        # end of exercise 1.4

    # The rules of these two are found in notebook 02, and are better found there than read here.

    def log(self):
        """The natural logarithm of self.  Where it is e times as large, it grows e times more slowly."""
        return Dual(math.log(self.value), self.slope / self.value)

    def tanh(self):
        """The hyperbolic tangent of self: an S-shaped curve, steepest at 0 and flat on both sides."""
        t = math.tanh(self.value)
        return Dual(t, (1 - t * t) * self.slope)


def _as_dual(number):
    return number if isinstance(number, Dual) else Dual(number)

"""Notebook 01: slopes found by nudging, and slopes that travel with the numbers."""

import math

import numpy as np


def numerical_derivative(f, x, h=1e-6):
    """The slope of f at x, found by nudging x a little to both sides.

    f: a function of one number.  x: a number.  h: the size of the nudge, to each side.
    Returns a number: the change of f from x - h to x + h, over the distance between the two.
    """
    # exercise 1.1
    raise NotImplementedError("exercise 1.1: numerical_derivative")
    # end of exercise 1.1


def numerical_gradient(f, x, h=1e-6):
    """The slope of f with respect to each element of x, one nudge at a time.

    f: a function of an array that returns one number.  x: a float array of any shape.  h: the nudge.
    Returns an array of x's shape.  x holds exactly the same numbers afterwards as before,
    also when f raises an exception; the exception goes on to the caller.

    1. make room for the answer: one slope for each element of x
    2. for each index: remember the element, set it to h more, call f(x), set it to h less, call f(x)
    3. put the remembered element back, whatever happens (try ... finally)
    """
    # exercise 1.2
    raise NotImplementedError("exercise 1.2: numerical_gradient")
    # end of exercise 1.2


def two_step_gradients(a, b, w):
    """The gradients of sum(d), where c = a * b and d = c * w, by local slopes alone.

    a, b, w: arrays of one shape.  Returns (gradient of a, gradient of b), two arrays of that shape.

    1. the second step: how much does d change for each unit that c changes?
    2. the first step: how much does c change for each unit that a changes? And b?
    3. multiply along the path, element by element
    """
    # exercise 1.3
    raise NotImplementedError("exercise 1.3: two_step_gradients")
    # end of exercise 1.3


class Dual:
    """A number that carries its slope along: forward mode.

    value: the number.  slope: how fast it changes when the chosen input changes.
    A plain number is a Dual of slope 0: it does not change at all.
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
        """self * other.  Both may move, and each slope counts as often as the other's value says.

        The slope: self's slope times other's value, plus self's value times other's slope.
        """
        other = _as_dual(other)
        # exercise 1.4
        raise NotImplementedError("exercise 1.4: Dual.__mul__")
        # end of exercise 1.4

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        """self / other, top over bottom.

        The slope: (top's slope * bottom's value - top's value * bottom's slope) / bottom's value squared.
        """
        other = _as_dual(other)
        # exercise 1.4
        raise NotImplementedError("exercise 1.4: Dual.__truediv__")
        # end of exercise 1.4

    def __rtruediv__(self, other):
        return _as_dual(other) / self

    def __pow__(self, exponent):
        """self ** exponent, for an exponent that is a plain number.

        The slope: the exponent, times the value to the power of one less, times self's own slope.
        """
        if exponent == 0:
            return Dual(1.0)  # whatever self is, and however it changes
        # exercise 1.4
        raise NotImplementedError("exercise 1.4: Dual.__pow__")
        # end of exercise 1.4

    # Functions of one number. The chain rule in each: the function's slope at self.value, times self.slope.

    def exp(self):
        """e to the power of self.  exp is its own slope: at each place as steep as it is high."""
        # exercise 1.4
        raise NotImplementedError("exercise 1.4: Dual.exp")
        # end of exercise 1.4

    def log(self):
        """The natural logarithm of self.  Its slope is one over the value."""
        # exercise 1.4
        raise NotImplementedError("exercise 1.4: Dual.log")
        # end of exercise 1.4

    def sin(self):
        """The sine of self (radians).  Its slope is the cosine."""
        # exercise 1.4
        raise NotImplementedError("exercise 1.4: Dual.sin")
        # end of exercise 1.4

    def tanh(self):
        """The hyperbolic tangent of self.  Its slope is 1 - result squared."""
        # exercise 1.4
        raise NotImplementedError("exercise 1.4: Dual.tanh")
        # end of exercise 1.4


def _as_dual(number):
    return number if isinstance(number, Dual) else Dual(number)

"""Notebook 06: functions of one array, number by number.

Yours: 6.6, 6.7, 6.8.

A rule may use the result, `node`, or the input: `(a,) = node._inputs`. `positive(x)` and `sign(x)`, from masks.py, tell
places apart where the derivative is not the same everywhere.

In this file exp, log, abs and so on are the operations at the end. NumPy's functions are np.exp, np.log, np.abs.
"""

import numpy as np

from .elementwise import Elementwise
from .masks import positive, sign


class Exp(Elementwise):
    """e to the power of a.  inf where that is too large, with NumPy's warning."""

    def forward(self, a):
        return np.exp(a)

    def backward(self, out_grad, node):
        """The share of a."""
        # exercise 6.6
        raise NotImplementedError("exercise 6.6: Exp.backward")
        # end of exercise 6.6


class Log(Elementwise):
    """The natural logarithm.  -inf at 0 and nan below, with NumPy's warning."""

    def forward(self, a):
        return np.log(a)

    def backward(self, out_grad, node):
        """The share of a."""
        # exercise 6.6
        raise NotImplementedError("exercise 6.6: Log.backward")
        # end of exercise 6.6


class Sqrt(Elementwise):
    """The square root.  nan below 0, with NumPy's warning."""

    def forward(self, a):
        return np.sqrt(a)

    def backward(self, out_grad, node):
        """The share of a."""
        # exercise 6.6
        raise NotImplementedError("exercise 6.6: Sqrt.backward")
        # end of exercise 6.6


class Abs(Elementwise):
    """The size without the sign."""

    def forward(self, a):
        return np.abs(a)

    def backward(self, out_grad, node):
        """The share of a.  Where a is 0 the derivative counts as 0."""
        # exercise 6.7
        raise NotImplementedError("exercise 6.7: Abs.backward")
        # end of exercise 6.7


class ReLU(Elementwise):
    """a where it is positive, else 0."""

    def forward(self, a):
        # exercise 6.7
        raise NotImplementedError("exercise 6.7: ReLU.forward")
        # end of exercise 6.7

    def backward(self, out_grad, node):
        """The share of a.  Where a is 0 the derivative counts as 0."""
        # exercise 6.7
        raise NotImplementedError("exercise 6.7: ReLU.backward")
        # end of exercise 6.7


class Sigmoid(Elementwise):
    """1 / (1 + e to the power of -a), between 0 and 1.

    It is off by no more than 1e-15, at -1000 and 1000 too, and gives no warning.
    """

    def forward(self, a):
        # exercise 6.8
        raise NotImplementedError("exercise 6.8: Sigmoid.forward")
        # end of exercise 6.8

    def backward(self, out_grad, node):
        """The share of a."""
        # exercise 6.8
        raise NotImplementedError("exercise 6.8: Sigmoid.backward")
        # end of exercise 6.8


class Tanh(Elementwise):
    """The hyperbolic tangent, between -1 and 1."""

    def forward(self, a):
        return np.tanh(a)

    def backward(self, out_grad, node):
        """The share of a."""
        # exercise 6.8
        raise NotImplementedError("exercise 6.8: Tanh.backward")
        # end of exercise 6.8


def exp(a):
    """e to the power of a, number by number; inf where that is too large, with NumPy's warning."""
    return Exp()(a)


def log(a):
    """The natural logarithm, number by number; -inf at 0, nan below, with NumPy's warning."""
    return Log()(a)


def sqrt(a):
    """The square root, number by number; nan below 0, with NumPy's warning."""
    return Sqrt()(a)


def abs(a):
    """The size without the sign, number by number. The derivative at 0 is 0."""
    return Abs()(a)


def relu(a):
    """a where it is positive, else 0. The derivative at 0 is 0."""
    return ReLU()(a)


def sigmoid(a):
    """1 / (1 + e to the power of -a), number by number."""
    return Sigmoid()(a)


def tanh(a):
    """The hyperbolic tangent, number by number."""
    return Tanh()(a)

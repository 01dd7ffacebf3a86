"""Notebook 06: functions of one array, number by number.

Yours: 6.6, 6.7, 6.8.

A rule may use the result, `node`, or the input: `(a,) = node._inputs`. `positive(x)` and `sign(x)` tell places apart
where the derivative is not the same everywhere.

In this file exp, log, abs and so on are the operations at the end. NumPy's functions are np.exp, np.log, np.abs.
"""

import numpy as np

from ..tensor import Tensor
from .function import Function
from .shape import unbroadcast


class Elementwise(Function):
    """An operation on the numbers that stand in the same place. The shapes of its inputs broadcast.

    Its rule is about one place, as if no shape had been stretched: out_grad times the local derivative. The share of
    an input that was stretched is added up here, once for all operations.
    """

    def shares(self, out_grad, node):
        """What the rule returns, as a tuple: a share for each input, of the input's own shape."""
        shares = super().shares(out_grad, node)
        return tuple([added_up(share, x, node) for share, x in zip(shares, node._inputs)])


def added_up(share, x, node):
    """The share of an input x, added up to x's shape if x was stretched to that of the result, node."""
    if x.data.shape == node.data.shape or not isinstance(share, Tensor) or share.data.shape != node.data.shape:
        return share
    return unbroadcast(share, x.data.shape)


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


# Operations that tell places apart. Nothing flows back through them: a small nudge changes no answer. A rule that
# differs from place to place, such as relu's, takes its 0 and 1 from here. So it is made of operations from end to end,
# and its graph is right for other numbers too. (A mask such as `a.data > 0` is right for these numbers.)


class WithoutGradient(Elementwise):
    """An operation whose result stays the same when its inputs change a little."""

    def backward(self, out_grad, node):
        """Nothing flows to any input."""
        return (None,) * len(node._inputs)


class Positive(WithoutGradient):
    """1 where a is above 0, else 0."""

    def forward(self, a):
        return (a > 0).astype(a.dtype)


class Sign(WithoutGradient):
    """1 where a is above 0, -1 where it is below, 0 where it is 0."""

    def forward(self, a):
        return np.sign(a)


class Equal(WithoutGradient):
    """1 where a and b are the same number, else 0."""

    def forward(self, a, b):
        return (a == b).astype(np.result_type(a, b))


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


def positive(a):
    """1 where a is above 0, else 0. No gradient flows back."""
    return Positive()(a)


def sign(a):
    """1 where a is above 0, -1 where it is below, 0 where it is 0. No gradient flows back."""
    return Sign()(a)


def equal(a, b):
    """1 where a and b are the same number, else 0; shapes broadcast. No gradient flows back."""
    return Equal()(a, b)

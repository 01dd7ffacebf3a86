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
        ### BEGIN SOLUTION 6.6: Exp.backward
        return out_grad * node
        ### END SOLUTION


class Log(Elementwise):
    """The natural logarithm.  -inf at 0 and nan below, with NumPy's warning."""

    def forward(self, a):
        return np.log(a)

    def backward(self, out_grad, node):
        """The share of a."""
        ### BEGIN SOLUTION 6.6: Log.backward
        (a,) = node._inputs
        return out_grad / a
        ### END SOLUTION


class Sqrt(Elementwise):
    """The square root.  nan below 0, with NumPy's warning."""

    def forward(self, a):
        return np.sqrt(a)

    def backward(self, out_grad, node):
        """The share of a."""
        ### BEGIN SOLUTION 6.6: Sqrt.backward
        return out_grad / (node * 2.0)
        ### END SOLUTION


class Abs(Elementwise):
    """The size without the sign."""

    def forward(self, a):
        return np.abs(a)

    def backward(self, out_grad, node):
        """The share of a.  Where a is 0 the derivative counts as 0."""
        ### BEGIN SOLUTION 6.7: Abs.backward
        (a,) = node._inputs
        return out_grad * sign(a)
        ### END SOLUTION


class ReLU(Elementwise):
    """a where it is positive, else 0."""

    def forward(self, a):
        ### BEGIN SOLUTION 6.7: ReLU.forward
        return np.maximum(a, 0)
        ### END SOLUTION

    def backward(self, out_grad, node):
        """The share of a.  Where a is 0 the derivative counts as 0."""
        ### BEGIN SOLUTION 6.7: ReLU.backward
        return out_grad * positive(node)
        ### END SOLUTION


class Sigmoid(Elementwise):
    """1 / (1 + e to the power of -a), between 0 and 1.

    It is off by no more than 1e-15, at -1000 and 1000 too, and gives no warning.
    """

    def forward(self, a):
        ### BEGIN SOLUTION 6.8: Sigmoid.forward
        small = np.exp(-np.abs(a))
        return np.where(a >= 0, 1, small) / (1 + small)
        ### END SOLUTION

    def backward(self, out_grad, node):
        """The share of a."""
        ### BEGIN SOLUTION 6.8: Sigmoid.backward
        return out_grad * (node * (1.0 - node))
        ### END SOLUTION


class Tanh(Elementwise):
    """The hyperbolic tangent, between -1 and 1."""

    def forward(self, a):
        return np.tanh(a)

    def backward(self, out_grad, node):
        """The share of a."""
        ### BEGIN SOLUTION 6.8: Tanh.backward
        return out_grad * (1.0 - node * node)
        ### END SOLUTION


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

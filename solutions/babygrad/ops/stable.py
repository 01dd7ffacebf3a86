"""Notebook 10: the largest number, and the functions that turn scores into probabilities. Right for ±1000 and -inf.

Yours: 10.9, 10.10, 10.11.
"""

import numpy as np

from .function import Function
from .pointwise import Elementwise, equal, exp, sigmoid
from .shape import as_sizes, reshape, shape_with_ones, summation, wrong_axes


class AlongAxes(Function):
    """What the four operations share: the axes along which they work."""

    def __init__(self, axis=-1, keepdims=False):
        """axis: an int, a tuple of ints, or None for all.  keepdims: leave the axes in the shape, with size 1."""
        self.axes = axis if axis is None else as_sizes(axis)
        self.keepdims = keepdims

    def why_refused(self, shape):
        return wrong_axes(self.axes, shape) or ("there is no largest of no numbers." if 0 in shape else "")


class Max(AlongAxes):
    """The largest number along some axes."""

    def __init__(self, axis=None, keepdims=False):
        """axis: an int, a tuple of ints, or None for all.  keepdims: leave the axes in the shape, with size 1."""
        super().__init__(axis, keepdims)

    def forward(self, a):
        """a: an array.  `self.axes` is None or a tuple, as NumPy accepts them."""
        ### BEGIN SOLUTION 10.9: Max.forward
        return np.maximum.reduce(a, axis=self.axes, keepdims=self.keepdims)
        ### END SOLUTION

    def backward(self, out_grad, node):
        """out_grad: of the result's shape.  Returns the gradient of a, of a's shape. Winners that tie share equally.

        `shape_with_ones(a.shape, self.axes)` is the shape that the result has with the axes kept.
        """
        (a,) = node._inputs
        ### BEGIN SOLUTION 10.9: Max.backward
        shape = shape_with_ones(a.shape, self.axes)
        winners = equal(a, reshape(node, shape))
        return reshape(out_grad, shape) * winners / summation(winners, self.axes, keepdims=True)
        ### END SOLUTION


class LogSumExp(AlongAxes):
    """log(sum(exp(a))) along some axes, without ever computing a large exp(a)."""

    def forward(self, a):
        """a: an array.  Returns an array without the axes `self.axes`, or with `self.keepdims` of size 1 there.

        Right for ±1000 and -inf, without a warning; where all numbers are -inf, so is the result.
        `highest(a, self.axes)` finds the largest numbers, with the axes kept, and 0 where they are infinite.
        """
        ### BEGIN SOLUTION 10.10: LogSumExp.forward
        top = highest(a, self.axes)
        with np.errstate(divide="ignore"):  # all numbers may be -inf: the logarithm of 0 is right then
            out = np.log(np.add.reduce(np.exp(a - top), axis=self.axes, keepdims=True)) + top
        return out if self.keepdims else np.squeeze(out, self.axes)
        ### END SOLUTION

    def backward(self, out_grad, node):
        """out_grad: of the result's shape.  Returns the gradient of a, of a's shape, made of operations on Tensors.

        `shape_with_ones(a.shape, self.axes)` is the shape that the result has with the axes kept. Where all numbers
        were -inf there is no derivative: nan, with NumPy's warning.
        """
        (a,) = node._inputs
        ### BEGIN SOLUTION 10.10: LogSumExp.backward
        shape = shape_with_ones(a.shape, self.axes)
        return exp(a - reshape(node, shape)) * reshape(out_grad, shape)
        ### END SOLUTION


class LogSoftmax(AlongAxes):
    """The logarithms of softmax's probabilities along some axes, in one step; right where a probability rounds to 0."""

    def __init__(self, axis=-1):
        super().__init__(axis)

    def forward(self, a):
        """a: an array.  Returns an array of its shape."""
        ### BEGIN SOLUTION 10.11: LogSoftmax.forward
        lower = a - highest(a, self.axes)
        return lower - np.log(np.add.reduce(np.exp(lower), axis=self.axes, keepdims=True))
        ### END SOLUTION

    def backward(self, out_grad, node):
        """out_grad: of the result's shape.  Returns the gradient of a, made of operations on Tensors."""
        ### BEGIN SOLUTION 10.11: LogSoftmax.backward
        return out_grad - exp(node) * summation(out_grad, self.axes, keepdims=True)
        ### END SOLUTION


class Softmax(AlongAxes):
    """Scores (logits) as probabilities along some axes: positive numbers that add up to 1."""

    def __init__(self, axis=-1):
        super().__init__(axis)

    def forward(self, a):
        """a: an array.  Returns an array of its shape, right for ±1000 and -inf."""
        ### BEGIN SOLUTION 10.11: Softmax.forward
        small = np.exp(a - highest(a, self.axes))
        return small / np.add.reduce(small, axis=self.axes, keepdims=True)
        ### END SOLUTION

    def backward(self, out_grad, node):
        """out_grad: of the result's shape.  Returns the gradient of a, made of operations on Tensors."""
        ### BEGIN SOLUTION 10.11: Softmax.backward
        share = node * out_grad
        return share - node * summation(share, self.axes, keepdims=True)
        ### END SOLUTION


class Softplus(Elementwise):
    """log(1 + exp(a)), number by number, without ever computing a large exp(a). Given."""

    def forward(self, a):
        return np.logaddexp(0, a, dtype=a.dtype)

    def backward(self, out_grad, node):
        (a,) = node._inputs
        return out_grad * sigmoid(a)


def highest(a, axes):
    """The largest number along the axes, which are kept with size 1; 0 where it is infinite.

    a: an array.  The result can always be subtracted from a: inf - inf would be nan.
    """
    top = np.maximum.reduce(a, axis=axes, keepdims=True, initial=-np.inf)
    return top if np.isfinite(top).all() else np.where(np.isfinite(top), top, 0)


def max(a, axis=None, keepdims=False):
    """The largest number along axis: None for all, an int or a tuple. Those that tie share the gradient equally.

    Raises ValueError for an axis that does not exist, or if there are no numbers.
    """
    return Max(axis, keepdims)(a)


def logsumexp(a, axis=-1, keepdims=False):
    """log(sum(exp(a))) along axis (an int, a tuple, or None for all), right for ±1000 and -inf.

    If all numbers are -inf, so is the result, and its gradient is nan. Raises ValueError for an axis that does not
    exist.
    """
    return LogSumExp(axis, keepdims)(a)


def log_softmax(a, axis=-1):
    """a - logsumexp(a) along axis: the logarithms of probabilities.  Raises ValueError for an axis that does not exist.

    Right for ±1000; a -inf stays -inf. If all numbers along the axis are -inf, there is no answer: nan.
    """
    return LogSoftmax(axis)(a)


def softmax(a, axis=-1):
    """exp(a) over its sum along axis: probabilities.  Raises ValueError for an axis that does not exist.

    Right for ±1000; -inf gets 0. If all numbers along the axis are -inf, there is no answer: nan.
    """
    return Softmax(axis)(a)


def softplus(a):
    """log(1 + exp(a)), number by number; right for ±1000."""
    return Softplus()(a)

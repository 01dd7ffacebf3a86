"""Notebook 07: operations that move numbers, repeat them or add them up. The rule of each is another of them.

Yours: 7.1, 7.2, 7.3, 7.4, 7.6.
"""

import math
from operator import index

import numpy as np

from .function import Function


class Reshape(Function):
    """The same numbers, in the same order, in another shape."""

    def __init__(self, shape):
        """shape: an int or a sequence of ints; one of them may be -1, and is then worked out."""
        self.shape = as_sizes(shape)
        if min(self.shape, default=0) < -1:
            raise ValueError(
                f"a size cannot be negative (only -1, for one to be worked out), but shape is {self.shape}"
            )

    def forward(self, a):
        return a.reshape(self.shape)

    def backward(self, out_grad, node):
        """The share of a: a Tensor of a's shape."""
        (a,) = node._inputs
        # exercise 7.1
        raise NotImplementedError("exercise 7.1: Reshape.backward")
        # end of exercise 7.1

    def why_refused(self, shape):
        if not refused(np.reshape, shape, self.shape):
            return ""
        count = math.prod(shape)
        return (
            f"{count} number{'s' * (count != 1)} cannot fill the shape {self.shape}. "
            "The product of the sizes must stay the same; one size may be -1."
        )


class Transpose(Function):
    """The axes in another order."""

    def __init__(self, axes=None):
        """axes: where each axis of the result comes from, every axis once; None swaps the last two.

        axes (1, 2, 0) of a shape (2, 3, 4) gives (3, 4, 2). Negative axes count from the end.
        """
        self.axes = None if axes is None else as_sizes(axes)

    def forward(self, a):
        return a.swapaxes(-1, -2) if self.axes is None else a.transpose(self.order(a.ndim))

    def backward(self, out_grad, node):
        """The share of the input: a Tensor of the input's shape.  node.ndim is how many axes there are."""
        # exercise 7.2
        raise NotImplementedError("exercise 7.2: Transpose.backward")
        # end of exercise 7.2

    def order(self, ndim):
        """self.axes for an input with ndim axes: all of them, as a tuple of numbers from 0 on.  Raises ValueError."""
        if self.axes is None and ndim >= 2:
            return (*range(ndim - 2), ndim - 1, ndim - 2)
        axes = tuple([axis + ndim if axis < 0 else axis for axis in self.axes or ()])
        if self.axes is None or sorted(axes) != list(range(ndim)):
            raise ValueError(wrong_order(self.axes, ndim))
        return axes

    def why_refused(self, shape):
        if len(shape) >= 2 and not refused(np.transpose, shape, self.axes):
            return ""
        return wrong_order(self.axes, len(shape))


class Summation(Function):
    """The sum over some axes."""

    def __init__(self, axes=None, keepdims=False):
        """axes: None for all, an int, or a sequence of ints in any order; negative ones count from the end.

        keepdims: leave the axes that were summed in the shape, with size 1.
        """
        self.axes = axes if axes is None else as_sizes(axes)
        self.keepdims = keepdims

    def forward(self, a):
        return np.add.reduce(a, axis=self.axes, keepdims=self.keepdims)

    def backward(self, out_grad, node):
        """The share of a: a Tensor of a's shape.  self.axes is None or a tuple."""
        (a,) = node._inputs
        # exercise 7.3
        raise NotImplementedError("exercise 7.3: Summation.backward")
        # end of exercise 7.3

    def why_refused(self, shape):
        return wrong_axes(self.axes, shape)


class Mean(Summation):
    """The mean over some axes.  axes and keepdims as in Summation."""

    def forward(self, a):
        return super().forward(a) / self.count(a.shape)

    def backward(self, out_grad, node):
        """The share of a: a Tensor of a's shape."""
        (a,) = node._inputs
        # exercise 7.4
        raise NotImplementedError("exercise 7.4: Mean.backward")
        # end of exercise 7.4

    def count(self, shape):
        """How many numbers of an array of this shape go into each mean: a plain number.

        With self.axes == (0, 2) and the shape (2, 3, 4) it is 8.
        """
        # exercise 7.4
        raise NotImplementedError("exercise 7.4: Mean.count")
        # end of exercise 7.4


class BroadcastTo(Function):
    """The numbers repeated to fill a larger shape, by NumPy's rule: new axes in front, sizes of 1 stretched."""

    def __init__(self, shape):
        """shape: the sizes of the result."""
        self.shape = as_sizes(shape)

    def forward(self, a):
        """Given: a view of the same numbers, so the result is read-only."""
        return np.broadcast_to(a, self.shape)

    def backward(self, out_grad, node):
        """Given: `unbroadcast` works out what a gets, as for every input that was stretched."""
        (a,) = node._inputs
        return unbroadcast(out_grad, a.data.shape)

    def why_refused(self, shape):
        if not refused(np.broadcast_to, shape, self.shape):
            return ""
        return (
            f"this shape cannot be stretched to {self.shape}. Counted from the right, a size must be the same or 1; "
            "new axes come in front."
        )


def unbroadcast(grad, shape):
    """The gradient of an input that was stretched, in the input's own shape.

    grad: a Tensor, the gradient in the large shape.  shape: the input's shape, a tuple; it broadcasts to grad's.
    Returns a Tensor of that shape: grad itself if nothing was stretched. grad is not changed.
    """
    if grad.data.shape == shape:
        return grad
    # exercise 7.6
    raise NotImplementedError("exercise 7.6: unbroadcast")
    # end of exercise 7.6


# What the rules need to know of axes.


def stretched_axes(small, large):
    """The axes of the shape `large` along which copies lie when `small` broadcasts to it.

    small, large: shapes, as tuples.  Returns a tuple or a list of axes of large, counted from 0. A size of 1 over a
    size of 1 may count as a copy or not.  stretched_axes((3, 1), (2, 3, 4)) is (0, 2).
    """
    # exercise 7.6
    raise NotImplementedError("exercise 7.6: stretched_axes")
    # end of exercise 7.6


def shape_with_ones(shape, axes):
    """The shape that a sum over these axes has with keepdims=True, as a tuple or a list.

    shape: that of the array that is summed.
    axes: None for all, or a tuple in any order; negative ones count from the end.
    shape_with_ones((2, 3, 4), (0, -1)) is (1, 3, 1).
    """
    # exercise 7.3
    raise NotImplementedError("exercise 7.3: shape_with_ones")
    # end of exercise 7.3


def as_sizes(x):
    """x as a tuple of ints: an int, or a sequence of ints.  Raises TypeError that names x."""
    try:
        return tuple(map(index, x if type(x) is tuple or np.iterable(x) else [x]))
    except TypeError:
        raise TypeError(f"an integer or a tuple of integers was expected, but {x!r} is neither") from None


# Why shapes are refused, in words.


def refused(function, shape, argument):
    """Does NumPy refuse function(array of this shape, argument)?"""
    try:
        function(np.broadcast_to(np.int8(0), shape), argument)
    except (TypeError, ValueError):
        return True
    return False


def wrong_order(axes, ndim):
    """Why these are not all axes of an array, each once.  axes: None for the last two, swapped."""
    if axes is None:
        return "there are no two last axes to swap. Give it two axes with reshape first."
    every = ", ".join(map(str, range(ndim)))
    return f"axes {axes} must hold each of {every or 'no axis'} once (negative ones count from the end)."


def wrong_axes(axes, shape):
    """Why an array of this shape cannot be summed over these axes; "" if it can."""
    if not refused(np.sum, shape, axes):
        return ""
    ndim = len(shape)
    for axis in axes or ():
        if not -ndim <= axis < ndim:
            axes_there = {0: "A single number has no axes.", 1: "It has only axis 0."}
            return f"there is no axis {axis}. {axes_there.get(ndim, f'It has the axes 0 to {ndim - 1}.')}"
    return f"axes {axes} name an axis twice."


# The operations as functions.


def reshape(a, shape):
    """The same numbers in another shape; one size may be -1.  Raises ValueError if the sizes do not fit."""
    return Reshape(shape)(a)


def transpose(a, axes=None):
    """The axes in another order: a permutation of all of them, or None to swap the last two.

    Raises ValueError for anything else.
    """
    return Transpose(axes)(a)


def summation(a, axis=None, keepdims=False):
    """The sum along axis: None for all, an int, or a tuple in any order.  Raises ValueError for one out of range."""
    return Summation(axis, keepdims)(a)


def mean(a, axis=None, keepdims=False):
    """The mean along axis, given as in summation."""
    return Mean(axis, keepdims)(a)


def broadcast_to(a, shape):
    """a repeated to fill the shape, by NumPy's rule.  Raises ValueError if that cannot be."""
    return BroadcastTo(shape)(a)

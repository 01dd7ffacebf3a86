"""Notebook 10: picking numbers out of an array by their places, and its counterpart.

Yours: 10.8.
"""

import numpy as np

from .function import Function


class Gather(Function):
    """The numbers at the places that an index names: a[index], as in NumPy."""

    def __init__(self, index):
        """index: an int, a slice, an array of ints or of truth values, or a tuple of these; never a Tensor."""
        self.index = as_index(index)

    def forward(self, a):
        # exercise 10.8
        raise NotImplementedError("exercise 10.8: Gather.forward")
        # end of exercise 10.8

    def backward(self, out_grad, node):
        """out_grad: of the result's shape.  Returns the gradient of a, of a's shape, made of operations on Tensors."""
        (a,) = node._inputs
        # exercise 10.8
        raise NotImplementedError("exercise 10.8: Gather.backward")
        # end of exercise 10.8


class Scatter(Function):
    """Zeros, with each number of the input added at the place that an index names."""

    def __init__(self, index, shape):
        """index: as in Gather.  shape: the shape of the result; the input has the shape of result[index]."""
        self.index = as_index(index)
        self.shape = shape

    def forward(self, a):
        """a: an array.  Returns an array of the shape `self.shape`, of a's dtype.

        With the index [2, 0, 2] and the shape (4,), the numbers 10, 1 and 4 become [1, 0, 14, 0].
        """
        # exercise 10.8
        raise NotImplementedError("exercise 10.8: Scatter.forward")
        # end of exercise 10.8

    def backward(self, out_grad, node):
        """out_grad: of the shape `self.shape`.  Returns the gradient of the input, made of operations on Tensors."""
        # exercise 10.8
        raise NotImplementedError("exercise 10.8: Scatter.backward")
        # end of exercise 10.8


def as_index(index):
    """The index with arrays of its own, so that nobody can change them before the backward pass.

    Raises TypeError for a Tensor.
    """
    if hasattr(index, "_inputs"):
        raise TypeError("a Tensor holds floats, so it cannot say which places are meant. Index with an array of ints.")
    if isinstance(index, tuple):
        return tuple([as_index(part) for part in index])
    if isinstance(index, list):
        array = np.array(index)
        return array if array.size else array.astype(int)  # NumPy takes an empty list for floats
    return index.copy() if isinstance(index, np.ndarray) else index


def gather(a, index):
    """a[index], as in NumPy: an int, a slice, an array of ints or of truth values, or a tuple of these.

    A place that is named twice gets both gradients.
    Raises IndexError for a place that does not exist, TypeError for a Tensor as index.
    """
    return Gather(index)(a)


def scatter(a, index, shape):
    """Zeros of this shape, with each number of a added at its place: the backward of `gather`.

    a: a Tensor or array of the shape of zeros[index].  Raises ValueError for another shape, IndexError as `gather`.
    """
    operation = Scatter(index, shape)
    places = np.broadcast_to(0.0, shape)[operation.index].shape
    if np.shape(a) != places:  # np.add.at would read past the end of a
        raise ValueError(f"Scatter of {np.shape(a)}: a must have the shape of the places named, {places}.")
    return operation(a)


def length(x):
    """The size of the first axis.  Raises TypeError for a single number."""
    if not x.ndim:
        raise TypeError("a Tensor of shape () is a single number: it has no length")
    return x.shape[0]


def rows(x):
    """One Tensor after the other, along the first axis.  Raises TypeError for a single number."""
    return (gather(x, i) for i in range(length(x)))


def no_array(x, *args, **kwargs):
    """What NumPy calls to make an array of a Tensor. Else it would take the Tensor apart, number by number."""
    raise TypeError(
        "NumPy makes no array of a Tensor: its array is x.data. To go on with the Tensor, use its operations."
    )

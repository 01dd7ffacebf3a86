"""Notebooks 05 and 07 to 09: an array that remembers how it was made, its operators and its backward pass.

Yours: 5.5, 9.4.
"""

from copy import copy

import numpy as np

from .announce import announced
from .arrays import as_array
from .autograd import gradients, no_grad

NUMBER = (int, float)


class Tensor:
    """An array that remembers what it was made from.

    data: a number, a list (of lists ...) of numbers, or an array; it is copied. A floating-point array
        keeps its dtype, anything else becomes float64.
    dtype: a floating-point dtype, if it should be another one.
    requires_grad: does anybody want the gradient of it? True unless you say otherwise; a result requires
        grad if any of its inputs does.

    .data: the ndarray.  .grad: an ndarray of the same shape after `backward`, else None.
    ._op: the Function that made it, None for a leaf.  ._inputs: the Tensors it was made from, in order.
    .label: a name for drawings.
    Raises TypeError if data holds anything but real numbers, ValueError for rows of different lengths.
    Source: the names are those of torch.Tensor.
    """

    # What a result has that nothing was recorded of. It keeps the making of one short.
    grad = None
    requires_grad = False
    label = ""
    _op = None
    _inputs = ()

    __array_ufunc__ = None  # so that NumPy leaves np.ones(2) - x to x

    def __init__(self, data, *, dtype=None, requires_grad=True):
        self.data = as_array(data, dtype)
        self.requires_grad = requires_grad

    def __repr__(self):
        numbers = np.array2string(self.data, separator=", ", prefix="Tensor(", threshold=100)
        notes = [] if self.data.dtype == np.float64 else [f"dtype={self.data.dtype}"]
        if self._op is not None:
            notes.append(f"grad_fn={self._op.name()}")
        elif not self.requires_grad:
            notes.append("requires_grad=False")
        return f"Tensor({', '.join([numbers, *notes])})"

    shape = property(lambda self: self.data.shape, doc="The sizes of the axes, a tuple.")
    ndim = property(lambda self: self.data.ndim, doc="How many axes there are.")
    size = property(lambda self: self.data.size, doc="How many numbers there are.")
    dtype = property(lambda self: self.data.dtype, doc="The type of the numbers, such as float64.")
    grad_fn = property(lambda self: self._op, doc="The Function that made it, or None for a leaf.")

    def __bool__(self):
        return bool(self.item())  # as for an array: is the one number in it other than 0?

    def numpy(self):
        """The array itself (no copy)."""
        return self.data

    def item(self):
        """The only number, as a Python float.  Raises ValueError if there is not exactly one."""
        if self.data.size != 1:
            raise ValueError(f"item() needs a Tensor with one number, but this one has shape {self.shape}")
        return self.data.item()

    @announced
    def detach(self):
        """The same numbers (the same array), without the history: a Tensor that requires no grad."""
        return result(self.data)

    # The operators. other: a number, a list, an array or a Tensor.  For a plain number, `isinstance(other, NUMBER)`,
    # there are cheaper operations: arithmetic.add_scalar, mul_scalar, div_scalar, power_scalar.
    # Everything else goes to arithmetic.add, sub, mul, div or pow, which make Tensors of lists and arrays.

    def __add__(self, other):
        """self + other"""
        return arithmetic.add_scalar(self, other) if isinstance(other, NUMBER) else arithmetic.add(self, other)

    def __sub__(self, other):
        """self - other.  A plain number costs no Tensor here either."""
        # exercise 5.5
        raise NotImplementedError("exercise 5.5: x - other")
        # end of exercise 5.5

    def __mul__(self, other):
        """self * other"""
        return arithmetic.mul_scalar(self, other) if isinstance(other, NUMBER) else arithmetic.mul(self, other)

    def __truediv__(self, other):
        """self / other"""
        return arithmetic.div_scalar(self, other) if isinstance(other, NUMBER) else arithmetic.div(self, other)

    def __pow__(self, other):
        """self ** other"""
        return arithmetic.power_scalar(self, other) if isinstance(other, NUMBER) else arithmetic.pow(self, other)

    # Python calls these when self stands on the right, and other, on the left, knows no Tensors. For + and * the order
    # does not matter.

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        """other - self"""
        # exercise 5.5
        raise NotImplementedError("exercise 5.5: other - x")
        # end of exercise 5.5

    def __rtruediv__(self, other):
        """other / self"""
        # exercise 5.5
        raise NotImplementedError("exercise 5.5: other / x")
        # end of exercise 5.5

    def __rpow__(self, other):
        """other ** self"""
        # exercise 5.5
        raise NotImplementedError("exercise 5.5: other ** x")
        # end of exercise 5.5

    def __rmatmul__(self, other):
        """other @ self, where other is an array or a list and gets no gradient."""
        return matrix.matmul(other, self)

    # Methods with arguments of their own. The others, below the class, are operations as they are.

    def reshape(self, *sizes):
        """The same numbers in another shape: x.reshape(2, 3) or x.reshape((2, 3)). One size may be -1."""
        return shape.reshape(self, sizes[0] if len(sizes) == 1 else sizes)

    @property
    def T(self):
        """The axes in the opposite order, as in NumPy."""
        return shape.transpose(self, range(self.ndim)[::-1])

    # The backward pass.

    def initial_gradient(self, grad=None):
        """What the backward pass begins with, this Tensor's own gradient: grad as a Tensor, or ones.

        grad: a number, a list or an array; None for ones. A Tensor is taken as it is, with its history.
        Raises ValueError if grad does not have this Tensor's shape.
        """
        if grad is None:
            return result(np.ones(self.data.shape, self.data.dtype))
        if not isinstance(grad, Tensor):
            grad = result(as_array(grad, self.dtype))
        if grad.shape != self.shape:
            raise ValueError(f"a gradient has its Tensor's own shape {self.shape}, but grad has shape {grad.shape}")
        return grad

    @announced
    def backward(self, grad=None):
        """The backward pass: put the gradient of self, with respect to each node that requires grad, into its .grad.

        grad: the gradient of self itself, of self's shape; ones if None.
        A leaf accumulates: its new gradient is added to what its .grad holds. An inner node starts afresh. Each
        .grad is an ndarray of the node's shape and dtype that belongs to this node alone: changing one in place
        changes no other, nor grad.
        Nothing is recorded.  Returns nothing.
        Raises RuntimeError if self requires no grad, ValueError if grad does not have self's shape.
        """
        if not self.requires_grad:
            raise RuntimeError(
                "backward was called on a Tensor that requires no grad: all it was made from has requires_grad=False, "
                "or it was computed under no_grad(), or it was detached. Compute it from a leaf that requires grad."
            )
        # exercise 9.4
        raise NotImplementedError("exercise 9.4: Tensor.backward")
        # end of exercise 9.4

    def zero_grad(self):
        """Forget the gradient: .grad is None again."""
        self.grad = None


def result(data, op=None, inputs=()):
    """A Tensor that an operation made.

    data: what its forward returned.  op and inputs: how it was made; None if nobody wants its gradient.
    """
    out = object.__new__(Tensor)  # without __init__: nothing to check, and nothing to copy
    out.data = np.asarray(data)  # NumPy makes a plain number of an array without axes
    if op is not None:
        out._op = copy(op) if op.inputs else op  # called before: each result has an operation of its own
        out._op.inputs = out._inputs = inputs  # on both: next_functions has the operation alone, and a leaf has none
        out.requires_grad = True
    return out


def as_tensors(inputs):
    """The inputs of an operation as a tuple of Tensors. Numbers, lists and arrays require no grad.

    A list, and an array of integers or truth values, takes the dtype of the first Tensor beside it.
    """
    for x in inputs:
        if not isinstance(x, Tensor):
            break
    else:
        return inputs
    beside = next((x.data.dtype for x in inputs if isinstance(x, Tensor)), None)
    return tuple([x if isinstance(x, Tensor) else constant(x, beside) for x in inputs])


def constant(x, beside=None):
    """x as a Tensor that requires no grad; of the dtype `beside`, if x does not bring a floating-point dtype."""
    if isinstance(x, float):
        return result(np.array(x, beside))
    brings_its_own = getattr(getattr(x, "dtype", None), "kind", "") == "f"
    return Tensor(x, dtype=None if brings_its_own else beside, requires_grad=False)


# Operations are made of Tensors, and a Tensor's methods are operations: the one circle of imports in this package. By
# here all that operations need of this file is there.
from .ops import arithmetic, gather, matrix, pointwise, shape, stable  # noqa: E402

Tensor.__neg__ = arithmetic.negate
Tensor.__matmul__ = Tensor.matmul = matrix.matmul

Tensor.exp = pointwise.exp
Tensor.log = pointwise.log
Tensor.sqrt = pointwise.sqrt
Tensor.abs = Tensor.__abs__ = pointwise.abs
Tensor.relu = pointwise.relu
Tensor.sigmoid = pointwise.sigmoid
Tensor.tanh = pointwise.tanh

Tensor.sum = shape.summation
Tensor.mean = shape.mean
Tensor.transpose = shape.transpose
Tensor.broadcast_to = shape.broadcast_to

Tensor.max = stable.max
Tensor.logsumexp = stable.logsumexp
Tensor.softmax = stable.softmax
Tensor.log_softmax = stable.log_softmax

Tensor.__getitem__ = gather.gather
Tensor.__len__ = gather.length
Tensor.__iter__ = gather.rows
Tensor.__array__ = gather.no_array

"""Notebooks 05, 07, 08 and 10: what x + 2, np.ones(3) * x, x @ w, x.sum() and x[0] mean for a Tensor x.

Tensor must not know the operations that are built on it. So the lines at the end put these functions on
the class, once, when the package first needs Tensor.
"""

from .ops import arithmetic, gather, matrix, pointwise, shape, stable
from .tensor import Tensor

NUMBER = (int, float)

# The operators. other: a number, a list, an array or a Tensor.  For a plain number, `isinstance(other, NUMBER)`,
# there are cheaper operations: arithmetic.add_scalar, mul_scalar, div_scalar, power_scalar.
# Everything else goes to arithmetic.add, sub, mul, div or pow, which turn lists and arrays into Tensors by themselves.


def plus(x, other):
    """x + other"""
    return arithmetic.add_scalar(x, other) if isinstance(other, NUMBER) else arithmetic.add(x, other)


def minus(x, other):
    """x - other.  A plain number costs no Tensor here either."""
    # exercise 5.5
    raise NotImplementedError("exercise 5.5: x - other")
    # end of exercise 5.5


def times(x, other):
    """x * other"""
    return arithmetic.mul_scalar(x, other) if isinstance(other, NUMBER) else arithmetic.mul(x, other)


def over(x, other):
    """x / other"""
    return arithmetic.div_scalar(x, other) if isinstance(other, NUMBER) else arithmetic.div(x, other)


def power(x, other):
    """x ** other"""
    return arithmetic.power_scalar(x, other) if isinstance(other, NUMBER) else arithmetic.pow(x, other)


# The same with x on the right. For + and * the order does not matter; for the others Python calls separate methods.


def reflected(operation):
    """The method that Python calls when x stands on the right: for other - x it is reflected(arithmetic.sub).

    operation: a function of the left side and the right side, such as arithmetic.sub.
    Returns a function of x and other: reflected(arithmetic.sub)(x, 5) is the Tensor 5 - x.
    """

    def method(x, other):
        """The Tensor that the operator makes of the two. other: the number, list or array on its left."""
        # exercise 5.5
        raise NotImplementedError("exercise 5.5: other - x, other / x, other ** x")
        # end of exercise 5.5

    return method


# Methods with arguments of their own.


def reshaped(x, *sizes):
    """The same numbers in another shape: x.reshape(2, 3) or x.reshape((2, 3)). One size may be -1."""
    # exercise 7.5
    raise NotImplementedError("exercise 7.5: x.reshape")
    # end of exercise 7.5


def all_axes_reversed(x):
    """x.T: the axes in the opposite order, as in NumPy."""
    # exercise 7.5
    raise NotImplementedError("exercise 7.5: x.T")
    # end of exercise 7.5


def matmul_from_the_left(x, other):
    """other @ x, where other is an array or a list and gets no gradient."""
    # exercise 8.4
    raise NotImplementedError("exercise 8.4: other @ x")
    # end of exercise 8.4


Tensor.__add__ = Tensor.__radd__ = plus
Tensor.__sub__ = minus
Tensor.__rsub__ = reflected(arithmetic.sub)
Tensor.__mul__ = Tensor.__rmul__ = times
Tensor.__truediv__ = over
Tensor.__rtruediv__ = reflected(arithmetic.div)
Tensor.__pow__ = power
Tensor.__rpow__ = reflected(arithmetic.pow)
Tensor.__neg__ = arithmetic.negate

Tensor.__matmul__ = Tensor.matmul = matrix.matmul
Tensor.__rmatmul__ = matmul_from_the_left

Tensor.exp = pointwise.exp
Tensor.log = pointwise.log
Tensor.sqrt = pointwise.sqrt
Tensor.abs = Tensor.__abs__ = pointwise.abs
Tensor.relu = pointwise.relu
Tensor.sigmoid = pointwise.sigmoid
Tensor.tanh = pointwise.tanh

Tensor.sum = shape.summation
Tensor.mean = shape.mean
Tensor.reshape = reshaped
Tensor.transpose = shape.transpose
Tensor.T = property(all_axes_reversed)
Tensor.broadcast_to = shape.broadcast_to

Tensor.max = stable.max
Tensor.logsumexp = stable.logsumexp
Tensor.softmax = stable.softmax
Tensor.log_softmax = stable.log_softmax

Tensor.__getitem__ = gather.gather
Tensor.__len__ = gather.length
Tensor.__iter__ = gather.rows
Tensor.__array__ = gather.no_array

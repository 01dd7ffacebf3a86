"""Notebook 08: the matrix product, of matrices, batches of them, and vectors.

Yours: 8.1, 8.2, 8.3.
"""

import numpy as np

from .function import Function
from .shape import reshape, transpose, unbroadcast


class MatMul(Function):
    """a @ b, as in NumPy.

    Matrices (n, k) @ (k, m) give (n, m). Axes in front of the last two are batch dimensions, and broadcast. A
    vector on the left is a row (1, k), on the right a column (k, 1); that axis of size 1 is dropped from the result.
    """

    def forward(self, a, b):
        """a and b: arrays.  Raises ValueError if their shapes do not fit."""
        return a @ b

    def backward(self, out_grad, node):
        """Given: `product_gradients` looks at the number of axes, and calls one of the three functions below it."""
        return product_gradients(out_grad, *node._inputs)

    def why_refused(self, a, b):
        if not a or not b:
            return "a number has no rows and columns. Multiply by it with *."
        axis = -2 if len(b) > 1 else 0
        if a[-1] != b[axis]:
            return (
                f"the last axis of the first has size {a[-1]}, but the {'second last' if len(b) > 1 else 'only'} axis "
                f"of the second has size {b[axis]}. They must be equal. Should one be transposed?"
            )
        try:
            np.broadcast_shapes(a[:-2], b[:-2])
        except ValueError:
            return f"the axes in front of the last two, {a[:-2]} and {b[:-2]}, do not broadcast."
        return ""


def product_gradients(out_grad, a, b):
    """The gradients of a and of b, for out_grad of the shape of a @ b.  Each has its input's own shape."""
    if a.data.ndim == b.data.ndim == 2:
        return matrix_gradients(out_grad, a, b)
    if 1 in (a.ndim, b.ndim):
        return vector_gradients(out_grad, a, b)
    return batch_gradients(out_grad, a, b)


def matrix_gradients(out_grad, a, b):
    """The gradients of a and of b, for two matrices.

    a: a Tensor of shape (n, k).  b: of shape (k, m).  out_grad: of shape (n, m), the gradient of a @ b.
    Returns a pair of Tensors of shapes (n, k) and (k, m), made of operations on Tensors. (An input that
    requires no grad may get None: that saves work.)
    """
    # exercise 8.1
    raise NotImplementedError("exercise 8.1: matrix_gradients")
    # end of exercise 8.1


def batch_gradients(out_grad, a, b):
    """The same for batches: a (..., n, k), b (..., k, m), out_grad (..., n, m); the batch dimensions broadcast.

    Returns a pair of Tensors, of a's own shape and of b's, made of operations on Tensors: always two, whether
    the inputs require grad or not.
    """
    # exercise 8.2
    raise NotImplementedError("exercise 8.2: batch_gradients")
    # end of exercise 8.2


def vector_gradients(out_grad, a, b):
    """The same where a or b (or both) is a vector; the other one is a vector, a matrix or a batch.

    out_grad: a Tensor of the shape of a @ b, of shape () for two vectors.
    Returns a pair of Tensors, each of its input's own shape, made of operations on Tensors. (An input that
    requires no grad may get None.)
    """
    # exercise 8.3
    raise NotImplementedError("exercise 8.3: vector_gradients")
    # end of exercise 8.3


def matmul(a, b):
    """a @ b for matrices, batches of matrices and vectors, as in NumPy.  Raises ValueError if shapes do not fit."""
    return MatMul()(a, b)

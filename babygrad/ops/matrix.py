"""Notebook 08: the product of matrices, of batches of them, and of vectors."""

import numpy as np

from .function import Function
from .shape import reshape, transpose, unbroadcast


class MatMul(Function):
    """a @ b, as in NumPy.

    Matrices (n, k) @ (k, m) give (n, m). Axes in front of the last two are a batch, and broadcast. A vector
    on the left is a row (1, k), on the right a column (k, 1); that axis of size 1 is dropped from the result.
    """

    def forward(self, a, b):
        # exercise 8.1
        raise NotImplementedError("exercise 8.1: MatMul.forward")
        # end of exercise 8.1

    def backward(self, out_grad, node):
        return product_gradients(out_grad, *node._inputs)

    def complaint(self, a, b):
        if not a or not b:
            return "a number has no rows and columns. Multiply by it with *."
        if a[-1] != b[-2 if len(b) > 1 else 0]:
            return (
                f"the last axis of the first has size {a[-1]}, but the {'second last' if len(b) > 1 else 'only'} axis "
                f"of the second has size {b[-2 if len(b) > 1 else 0]}. They must be equal. Should one be transposed?"
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
    if a.ndim == 1 or b.ndim == 1:
        return vector_gradients(out_grad, a, b)
    return batch_gradients(out_grad, a, b)


def matrix_gradients(out_grad, a, b):
    """The gradients of a and of b, for matrices a (n, k), b (k, m) and out_grad (n, m).

    Returns a pair of Tensors. An input that requires no grad may get None.
    """
    # exercise 8.1
    raise NotImplementedError("exercise 8.1: matrix_gradients")
    # end of exercise 8.1


def batch_gradients(out_grad, a, b):
    """The same for batches: a (..., n, k), b (..., k, m), out_grad (..., n, m), where the axes in front broadcast.

    One matrix may have served a whole batch; then its gradient is the sum over the batch.
    """
    # exercise 8.2
    raise NotImplementedError("exercise 8.2: batch_gradients")
    # end of exercise 8.2


def vector_gradients(out_grad, a, b):
    """The same where a or b (or both) is a vector.

    1. a vector on the left as a matrix (1, k), on the right as (k, 1)
    2. out_grad in the shape that the product of these matrices has
    3. their gradients, each in its own input's shape
    """
    # exercise 8.3
    raise NotImplementedError("exercise 8.3: vector_gradients")
    # end of exercise 8.3


def matmul(a, b):
    """a @ b for matrices, batches of matrices and vectors, as in NumPy.  Raises ValueError if shapes do not fit."""
    return MatMul()(a, b)

"""Notebook 05, with plain arrays alone: the shape of a stretched sum, and three rules that need no Jacobian.

Yours: 5.1, 5.6.
"""

import numpy as np


def broadcast_shape(a, b):
    """The shape that NumPy gives to x + y, for x of shape a and y of shape b.

    a, b: shapes, that is tuples of ints such as (2, 3), (3,) or ().
    Returns a tuple: broadcast_shape((4, 3), (3,)) is (4, 3).  Raises ValueError for two shapes that do not fit.
    """
    ### BEGIN SOLUTION 5.1: broadcast_shape
    length = max(len(a), len(b))
    padded_a = (1,) * (length - len(a)) + tuple(a)
    padded_b = (1,) * (length - len(b)) + tuple(b)
    if any(m != n and 1 not in (m, n) for m, n in zip(padded_a, padded_b)):
        raise ValueError(f"shapes {a} and {b} do not fit together")
    return tuple(n if m == 1 else m for m, n in zip(padded_a, padded_b))
    ### END SOLUTION


# Each rule answers one question: if out_grad is the gradient of the result, what is the gradient of a? a is an array
# with one axis. No array is changed, and a million numbers take milliseconds.


def sum_rule(out_grad, n):
    """The rule of the sum of a, where a has n numbers.

    out_grad: a number.  Returns an array of n numbers.
    """
    ### BEGIN SOLUTION 5.6: the rule of a.sum()
    return np.full(n, out_grad)
    ### END SOLUTION


def reversed_rule(out_grad):
    """The rule of a reversed, the last number first.

    out_grad: an array.  Returns an array of the same shape.
    """
    ### BEGIN SOLUTION 5.6: the rule of a[::-1]
    return out_grad[::-1]
    ### END SOLUTION


def cumsum_rule(out_grad):
    """The rule of the running sum of a, in which place i holds the sum of a[0] to a[i].

    out_grad: an array.  Returns an array of the same shape.
    """
    ### BEGIN SOLUTION 5.6: the rule of np.cumsum(a)
    return np.cumsum(out_grad[::-1])[::-1]
    ### END SOLUTION

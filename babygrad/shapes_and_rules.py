"""Notebook 05, with plain arrays alone: the shape of a stretched sum, and three rules that need no Jacobian.

Yours: 5.1, 5.6.
"""

import numpy as np


def broadcast_shape(a, b):
    """The shape that NumPy gives to x + y, for x of shape a and y of shape b.

    a, b: shapes, that is tuples of ints such as (2, 3), (3,) or ().
    Returns a tuple: broadcast_shape((4, 3), (3,)) is (4, 3).  Raises ValueError for two shapes that do not fit.
    """
    # exercise 5.1
    raise NotImplementedError("exercise 5.1: broadcast_shape")
    # end of exercise 5.1


# Each rule answers one question: if out_grad is the gradient of the result, what is the gradient of a? a is an array
# with one axis. No array is changed, and a million numbers take milliseconds.


def sum_rule(out_grad, n):
    """The rule of the sum of a, where a has n numbers.

    out_grad: a number.  Returns an array of n numbers.
    """
    # exercise 5.6
    raise NotImplementedError("exercise 5.6: the rule of a.sum()")
    # end of exercise 5.6


def reversed_rule(out_grad):
    """The rule of a reversed, the last number first.

    out_grad: an array.  Returns an array of the same shape.
    """
    # exercise 5.6
    raise NotImplementedError("exercise 5.6: the rule of a[::-1]")
    # end of exercise 5.6


def cumsum_rule(out_grad):
    """The rule of the running sum of a, in which place i holds the sum of a[0] to a[i].

    out_grad: an array.  Returns an array of the same shape.
    """
    # exercise 5.6
    raise NotImplementedError("exercise 5.6: the rule of np.cumsum(a)")
    # end of exercise 5.6

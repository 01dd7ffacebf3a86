"""Notebooks 05 to 07: what operations that work number by number have in common.

Given.
"""

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

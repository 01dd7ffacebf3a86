"""Notebooks 05 to 07: what the operations have in common that work number by number."""

from ..tensor import Tensor
from .function import Function
from .shape import unbroadcast


class Elementwise(Function):
    """An operation on the numbers that stand in the same place. The shapes of its inputs broadcast.

    Its rule speaks of one place, as if no shape had been stretched: out_grad times the local slope. What an
    input that was stretched gets is added up here, once for all of them.
    """

    def shares(self, out_grad, node):
        """What the rule answers, as a tuple: a share for each input, of the input's own shape."""
        shares = super().shares(out_grad, node)
        return tuple([added_up(share, x, node) for share, x in zip(shares, node._inputs)])


def added_up(share, x, node):
    """The share of an input x, added up to x's shape if x was stretched to that of the result, node."""
    if x.data.shape == node.data.shape or not isinstance(share, Tensor) or share.data.shape != node.data.shape:
        return share
    return unbroadcast(share, x.data.shape)

"""Notebook 06: operations that tell places apart. Nothing flows back through them: a small nudge changes no answer.

Given.

A rule that differs from place to place, such as relu's, takes its 0 and 1 from here. So it is made of operations from
end to end, and its graph is right for other numbers too. (A mask such as `a.data > 0` is right for these numbers.)
"""

import numpy as np

from .elementwise import Elementwise


class WithoutGradient(Elementwise):
    """An operation whose result stays the same when its inputs change a little."""

    def backward(self, out_grad, node):
        """Nothing flows to any input."""
        return (None,) * len(node._inputs)


class Positive(WithoutGradient):
    """1 where a is above 0, else 0."""

    def forward(self, a):
        return (a > 0).astype(a.dtype)


class Sign(WithoutGradient):
    """1 where a is above 0, -1 where it is below, 0 where it is 0."""

    def forward(self, a):
        return np.sign(a)


class Equal(WithoutGradient):
    """1 where a and b are the same number, else 0."""

    def forward(self, a, b):
        return (a == b).astype(np.result_type(a, b))


def positive(a):
    """1 where a is above 0, else 0. No gradient flows back."""
    return Positive()(a)


def sign(a):
    """1 where a is above 0, -1 where it is below, 0 where it is 0. No gradient flows back."""
    return Sign()(a)


def equal(a, b):
    """1 where a and b are the same number, else 0; shapes broadcast. No gradient flows back."""
    return Equal()(a, b)

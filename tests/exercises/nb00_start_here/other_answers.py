"""Right solutions of notebook 00 in other styles."""

from itertools import zip_longest

import numpy as np


def variant_0_1_numpy(bg):
    """A number of NumPy's."""
    bg.warmup.area = lambda width, height: np.multiply(width, height)


def variant_0_1_other_way_round(bg):
    """Height times width, and never a whole number."""
    bg.warmup.area = lambda width, height: float(height) * width


def variant_0_2_numpy_knows(bg):
    """NumPy's own function, with NumPy's own exception."""
    bg.warmup.broadcast_shape = np.broadcast_shapes


def variant_0_2_an_addition(bg):
    """Two arrays are added, and their sum is asked for its shape."""
    bg.warmup.broadcast_shape = lambda a, b: (np.empty(a) + np.empty(b)).shape


def variant_0_2_from_the_right(bg):
    """zip_longest over the reversed shapes, a set of the sizes that are not 1, an exception without words."""

    def broadcast_shape(a, b):
        result = []
        for pair in zip_longest(reversed(a), reversed(b), fillvalue=1):
            sizes = {size for size in pair if size != 1} or {1}
            if len(sizes) == 2:
                raise ValueError
            result.append(sizes.pop())
        return tuple(reversed(result))

    bg.warmup.broadcast_shape = broadcast_shape


def variant_0_2_recursion(bg):
    """The last sizes, then the rest of both shapes."""

    def broadcast_shape(a, b):
        if not a or not b:
            return tuple(a or b)
        if a[-1] == b[-1] or b[-1] == 1:
            return (*broadcast_shape(a[:-1], b[:-1]), a[-1])
        if a[-1] == 1:
            return (*broadcast_shape(a[:-1], b[:-1]), b[-1])
        raise ValueError(f"{a[-1]} against {b[-1]}")

    bg.warmup.broadcast_shape = broadcast_shape


def variant_0_2_indices(bg):
    """Lists that grow in place, counted by index; an exception made from ValueError."""

    class Misfit(ValueError):
        pass

    def broadcast_shape(a, b):
        a, b = list(a), list(b)
        while len(a) < len(b):
            a.insert(0, 1)
        while len(b) < len(a):
            b.insert(0, 1)
        for i in range(len(a)):
            if a[i] == 1:
                a[i] = b[i]
            elif b[i] not in (1, a[i]):
                raise Misfit(f"at place {i}")
        return tuple(a)

    bg.warmup.broadcast_shape = broadcast_shape


def variant_0_3_shorter_first(bg):
    """The shorter shape comes first."""
    bg.hunts.three_broadcasters = lambda: ((0,), (3, 1))


def variant_0_3_lists(bg):
    """Lists, and more sizes than needed."""
    bg.hunts.three_broadcasters = lambda: [[2, 3, 1], [1, 0]]

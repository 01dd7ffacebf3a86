"""Tables of operators for an array: a right one, and broken ones; for the bug hunt of notebook 05.

All share what stands in Right. Each broken one differs by one idea. Run them before you read on.
"""

import numpy as np


class Right:
    """An array with + - * / ** for plain numbers, and for others of its kind, on either side."""

    __array_ufunc__ = None

    def __init__(self, data):
        self.data = np.array(data, dtype=float)

    def __repr__(self):
        return f"{type(self).__name__}({self.data.tolist()})"

    def __add__(self, other):
        return type(self)(self.data + _plain(other))

    def __sub__(self, other):
        return type(self)(self.data - _plain(other))

    def __mul__(self, other):
        return type(self)(self.data * _plain(other))

    def __truediv__(self, other):
        return type(self)(self.data / _plain(other))

    def __pow__(self, exponent):
        return type(self)(self.data**exponent)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return type(self)(other - self.data)

    def __rtruediv__(self, other):
        return type(self)(other / self.data)


def _plain(other):
    return other.data if isinstance(other, Right) else other


class ReflectsByTheSameFunction(Right):
    """Takes one function for x - 5 and for 5 - x."""

    __rsub__ = Right.__sub__


class AddsInPlace(Right):
    """Saves an array: the sum with a plain number is put where x was."""

    def __add__(self, other):
        if isinstance(other, Right):
            return super().__add__(other)
        self.data += other
        return type(self)(self.data)


class PowersByMultiplying(Right):
    """Multiplies as often as the exponent says, and for less than 1 not at all."""

    def __pow__(self, exponent):
        return type(self)(self.data ** float(max(int(exponent), 1)))


ENGINES = {"A": ReflectsByTheSameFunction, "B": AddsInPlace, "C": PowersByMultiplying}

"""Hessian-vector products of a function of two numbers: a right one and three broken ones, for the hunt of notebook 14.

All share the operations of Right, which carries a number, its two slopes and its four second derivatives along.
"""

import math

import numpy as np

from ..marking.play import play

LEAVES = {"x": 2.0, "y": 3.0}


class Right:
    """A number with its derivatives with respect to x and y: slope (2,) and curvature (2, 2)."""

    bends = 1.0  # does it count that the local derivative of a function changes too?

    def __init__(self, value, slope=(0.0, 0.0), curvature=((0.0, 0.0), (0.0, 0.0))):
        self.value, self.slope, self.curvature = value, np.array(slope), np.array(curvature)

    def _through(self, value, first, second):
        """A function of this number, with its first and second derivative here."""
        both = np.outer(self.slope, self.slope)
        return type(self)(value, first * self.slope, first * self.curvature + self.bends * second * both)

    def _number(self, other):
        return other if isinstance(other, Right) else type(self)(float(other))

    def __add__(self, other):
        other = self._number(other)
        return type(self)(self.value + other.value, self.slope + other.slope, self.curvature + other.curvature)

    def __mul__(self, other):
        a, b = self, self._number(other)
        both = np.outer(a.slope, b.slope)
        curvature = a.curvature * b.value + a.value * b.curvature + both + both.T
        return type(self)(a.value * b.value, a.slope * b.value + a.value * b.slope, curvature)

    def __pow__(self, exponent):
        first = exponent * self.value ** (exponent - 1) if exponent else 0.0
        second = exponent * (exponent - 1) * self.value ** (exponent - 2) if exponent not in (0, 1) else 0.0
        return self._through(self.value**exponent, first, second)

    def __sub__(self, other):
        return self + self._number(other) * -1.0

    def __truediv__(self, other):
        return self * self._number(other) ** -1.0

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return self._number(other) - self

    def __rtruediv__(self, other):
        return self._number(other) / self

    def exp(self):
        e = math.exp(self.value)
        return self._through(e, e, e)

    def log(self):
        return self._through(math.log(self.value), 1 / self.value, -1 / self.value**2)

    def sin(self):
        s = math.sin(self.value)
        return self._through(s, math.cos(self.value), -s)

    def tanh(self):
        t = math.tanh(self.value)
        return self._through(t, 1 - t * t, -2 * t * (1 - t * t))

    def sigmoid(self):
        s = 0.5 + 0.5 * math.tanh(self.value / 2)
        return self._through(s, s * (1 - s), s * (1 - s) * (1 - 2 * s))

    def relu(self):
        return self._through(max(self.value, 0.0), float(self.value > 0), 0.0)


class Forgets(Right):
    """The local derivatives of functions are taken from .data: constants, of which nothing more comes."""

    bends = 0.0


def _by_row_sums(hessian, vector):
    """The gradient is summed, then differentiated, then multiplied by the vector."""
    return hessian.sum(axis=0) * vector


def _along_the_vector(hessian, vector):
    """The curvature along the vector, as a vector of that direction."""
    return vector @ hessian @ vector / (vector @ vector or 1.0) * vector


def _right(hessian, vector):
    return hessian @ vector


ENGINES = {"Ada": (Right, _by_row_sums), "Ben": (Forgets, _right), "Cleo": (Right, _along_the_vector)}


def _leaf(engine, number):
    return engine(number, [float(number == leaf) for leaf in LEAVES.values()])


def _product(engine, multiply, recipe, vector):
    out, _ = play(recipe, lambda number: _leaf(engine, number))
    return multiply(out.curvature, np.array(vector, float))


def products(recipe, vector):
    """{name: the product that this engine finds}, and the right one under "right", arrays (2,).

    recipe: of an expression of the leaves x = 2 and y = 3.  Raises what Python's arithmetic raises, and RecipeError.
    """
    found = {name: _product(*engine, recipe, vector) for name, engine in ENGINES.items()}
    return found | {"right": _product(Right, _right, recipe, vector)}


def products_of(expression, vector):
    """The same for a function of two numbers, without a recipe: for the notebook."""
    found = {}
    for name, (engine, multiply) in {"right": (Right, _right), **ENGINES}.items():
        out = expression(*(_leaf(engine, number) for number in LEAVES.values()))
        found[name] = multiply(out.curvature, np.array(vector, float))
    return found

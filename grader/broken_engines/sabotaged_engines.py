"""Twelve array engines, each sabotaged in one place, and a right one; for the hunts of notebook 13.

The ideas are those of notebooks 05 to 10. How a walk goes is inherited from the engines of notebook 09; here the
operations stretch their inputs, and there are products of matrices, sums and maxima.
"""

import inspect
import math

import numpy as np

from ..asking.describe import describe
from ..marking.play import complaint, play
from ..probes.recipe import RecipeError, as_text, operations, recipes_of, with_count
from . import matrix_rules, tensor_engines


class Right(tensor_engines.Right):
    """An array that remembers its inputs and how its gradient is shared out among them."""

    def initial_gradient(self):
        """1, 2, 3, ...: with ones everywhere, some mistakes could not be seen."""
        return np.arange(1.0, self.data.size + 1).reshape(self.data.shape)

    # What the broken engines change, besides the walk.

    def fitted(self, gradient, shape):
        """The gradient of a stretched input, in the input's own shape."""
        return unstretched(without_new_axes(gradient, shape), shape)

    def minus_from_the_left(self, other):
        return other - self

    def over_rule(self, g, a, b):
        return g / b, -g * a / b**2

    def tanh_slope(self, tanh):
        return 1 - tanh**2

    def relu_mask(self):
        return self.data > 0

    def summed_axes(self, axes):
        return axes

    def shares_of_highest(self, is_highest, axis):
        """How much each of the numbers gets: those that are equal share."""
        return is_highest / is_highest.sum(axis, keepdims=True)

    matrix_rule = staticmethod(matrix_rules.right)

    # The operations.

    def _tensor(self, other):
        return other if isinstance(other, Right) else type(self)(other, requires_grad=False)

    def _of_two(self, other, data, rule):
        def fitted_rule(g):
            return [self.fitted(share, x.data.shape) for share, x in zip(rule(g), (self, other))]

        return self._made(data, (self, other), fitted_rule)

    def __add__(self, other):
        other = self._tensor(other)
        return self._of_two(other, self.data + other.data, lambda g: (g, g))

    def __sub__(self, other):
        other = self._tensor(other)
        return self._of_two(other, self.data - other.data, lambda g: (g, -g))

    def __mul__(self, other):
        a, b = self, self._tensor(other)
        return a._of_two(b, a.data * b.data, lambda g: (g * b.data, g * a.data))

    def __truediv__(self, other):
        a, b = self, self._tensor(other)
        return a._of_two(b, a.data / b.data, lambda g: self.over_rule(g, a.data, b.data))

    def __rsub__(self, other):
        return self.minus_from_the_left(self._tensor(other))

    def tanh(self):
        tanh = np.tanh(self.data)
        return self._pointwise(tanh, self.tanh_slope(tanh))

    def relu(self):
        return self._pointwise(np.maximum(self.data, 0), self.relu_mask())

    def __matmul__(self, other):
        a, b = self.data, other.data
        if not a.ndim or not b.ndim:
            raise TypeError("@ takes arrays with at least one axis, and a single number has none")
        rows, columns = np.atleast_2d(a), b if b.ndim > 1 else b[:, None]

        def rule(g):
            shares = self.matrix_rule(g.reshape((rows @ columns).shape), rows, columns)
            return [share.reshape(x.shape) for share, x in zip(shares, (a, b))]

        return self._made(a @ b, (self, other), rule)

    def sum(self, axis=None, keepdims=False):
        axes = self.summed_axes(axis)

        def rule(g):
            return (np.broadcast_to(_with_axis(g, axes, keepdims), self.data.shape).copy(),)

        return self._made(self.data.sum(axes, keepdims=keepdims), (self,), rule)

    def max(self, axis=None, keepdims=False):
        is_highest = self.data == self.data.max(axis, keepdims=True)

        def rule(g):
            return (_with_axis(g, axis, keepdims) * self.shares_of_highest(is_highest, axis),)

        return self._made(self.data.max(axis, keepdims=keepdims), (self,), rule)


def without_new_axes(gradient, shape):
    """Axes that broadcasting put in front are summed."""
    return gradient.sum(tuple(range(gradient.ndim - len(shape))))


def unstretched(gradient, shape):
    """Axes of size 1 that broadcasting stretched are summed."""
    return gradient.sum(tuple(axis for axis, size in enumerate(shape) if size == 1), keepdims=True)


def _with_axis(gradient, axis, keepdims):
    """The gradient of a result that lost an axis, with that axis again, of size 1."""
    return gradient if keepdims or axis is None else np.expand_dims(gradient, axis)


class MinusBothWays(Right):
    """5 - x is computed as x - 5."""

    def minus_from_the_left(self, other):
        return self - other


class PlusInTheDenominator(Right):
    """The minus of the second share of a / b was forgotten."""

    def over_rule(self, g, a, b):
        return g / b, g * a / b**2


class TanhOfTheInput(Right):
    """1 - x², where x is what went in, instead of what came out."""

    def tanh_slope(self, tanh):
        return 1 - self.data**2


class OpenAtZero(Right):
    """relu lets the gradient through where its input is 0."""

    def relu_mask(self):
        return self.data >= 0


class LeadingAxesOnly(Right):
    """Axes that are new are summed, those that were stretched are not."""

    def fitted(self, gradient, shape):
        return without_new_axes(gradient, shape)


class AxisZeroIsNone(Right):
    """`if axes:` takes axis 0 for no axis at all."""

    def summed_axes(self, axes):
        return axes if axes else None


class AllAxesReversed(Right):
    """.T in the rule of @: right for two matrices, not for a batch of them."""

    matrix_rule = staticmethod(matrix_rules.all_axes_reversed)


class LastShareWins(Right):
    """A further share takes the place of the one that was there."""

    def enter(self, ledger, x, share):
        ledger[x] = share


class SpeaksWhenFirstMet(Right):
    """A node hands on what it has when the walk first meets it, and is not asked again."""

    def _after_all_who_used_it(self):
        met, waiting = {}, [self]
        while waiting:
            node = waiting.pop()
            if node not in met:
                met[node] = True
                waiting.extend(reversed(node.inputs))
        return list(met)


class AddsInPlace(Right):
    """A further share is added into the array that came first, whoever else holds it."""

    enter = tensor_engines.AddsInPlace.enter

    def fitted(self, gradient, shape):
        """The very array, where nothing was stretched."""
        return gradient if gradient.shape == shape else super().fitted(gradient, shape)


class RemembersTheLastWalk(Right):
    """The results in the middle keep their gradients, and the next walk adds to them."""

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.before = 0.0

    def enter(self, ledger, x, share):
        if x not in ledger and x.rule is not None:
            share = share + x.before
        super().enter(ledger, x, share)
        x.before = ledger[x]


class AllOfTheHighest(Right):
    """Each of several equal maxima gets the whole gradient."""

    def shares_of_highest(self, is_highest, axis):
        return is_highest


ENGINES = dict(
    enumerate(
        (
            MinusBothWays,
            PlusInTheDenominator,
            TanhOfTheInput,
            OpenAtZero,
            LeadingAxesOnly,
            AxisZeroIsNone,
            AllAxesReversed,
            LastShareWins,
            SpeaksWhenFirstMet,
            AddsInPlace,
            RemembersTheLastWalk,
            AllOfTheHighest,
        ),
        1,
    )
)

# Of the leaves that an expression gets. Numbers of both signs, a zero, equal ones; sizes that tell axes apart.
LEAVES = {
    "x": [[1.0, -2.0, 0.0], [3.0, 3.0, -1.0]],
    "row": [2.0, -1.0, 0.5],
    "col": [[-1.5], [2.0]],
    "w": [[1.0, -1.0], [2.0, 0.5], [-0.5, 3.0]],
    "batch": [[[1.0, 0.5, -1.0], [2.0, -0.5, 1.5]], [[-2.0, 1.0, 0.5], [0.0, 3.0, -1.0]]],
}
SHAPES = {name: np.shape(numbers) for name, numbers in LEAVES.items()}
NUMBERS = {SHAPES[name]: numbers for name, numbers in LEAVES.items()}
MOST_OPERATIONS = 5
STOPS = (ArithmeticError, ValueError, IndexError, AttributeError, TypeError, RecipeError)


def given_away(idea):
    """The numbers of the engines that an expression gives away: wrong, or stopped with an error.

    idea: a function of x, row, col, w and batch that returns the expression.
    Raises ValueError where the exercise would refuse the expression, with the reason.
    """
    leaves = ", ".join(LEAVES)
    if not _takes_the_leaves(idea):
        raise ValueError(f"an idea takes {leaves}, in this order, even if it needs only some of them")
    (recipe,) = recipes_of(lambda *arrays: [_one_expression(idea(*arrays))], **SHAPES)
    return found_by(_sound(recipe))


def given_away_by_each(build):
    """The same for each of a list of expressions.  build: a function of the five leaves that returns the list."""
    recipes = recipes_of(build, **SHAPES)
    if not isinstance(recipes, list):
        raise ValueError(f"a list of expressions was expected, but {_described(recipes)} was returned")
    return [found_by(_sound(recipe)) for recipe in recipes]


def _takes_the_leaves(idea):
    try:
        inspect.signature(idea).bind(*LEAVES)
    except TypeError:
        return False
    return True


def _one_expression(returned):
    if returned is None:
        raise ValueError("the idea returned nothing: is `return` missing?")
    if isinstance(returned, (list, tuple)):
        raise ValueError("the idea returned a list, but one expression was expected. For a list: given_away_by_each")
    return returned


def _sound(recipe):
    if words := problem(recipe):
        raise ValueError(words)
    return recipe


def problem(recipe):
    """Why an expression cannot be asked, in words; None if it can."""
    if complaint(recipe, {name: list(shape) for name, shape in SHAPES.items()}, math.inf):
        return f"there is {_described(recipe)}, but an expression with at least one operation was expected."
    if operations(recipe) > MOST_OPERATIONS:
        return f"there is {with_count(recipe)}, and {MOST_OPERATIONS} are allowed."
    try:
        with np.errstate(all="ignore"):
            numbers = played(Right, recipe).values()
    except STOPS as error:
        return f"{as_text(recipe)} has no result. {'NumPy says: ' * isinstance(error, ValueError)}{error}."
    if not all(x is None or np.isfinite(x).all() for x in numbers):
        return (f"{as_text(recipe)} gives numbers that are not finite, so nothing can be compared. "
                "Each leaf has negative numbers; x and batch have a 0 too.")  # fmt: skip
    return None


def _described(x):
    return describe(x)[:200]


def found_by(recipe):
    """The numbers of the engines that the expression gives away."""
    right = played(Right, recipe)
    with np.errstate(all="ignore"):
        return [number for number, engine in ENGINES.items() if _is_given_away(engine, recipe, right)]


def _is_given_away(engine, recipe, right):
    try:
        return not alike(right, played(engine, recipe))
    except (ArithmeticError, ValueError, IndexError):
        return True


def played(engine, recipe):
    """{"result": array, leaf name: its gradient, or None} when the expression's backward was called twice."""
    return walked_twice(*play(recipe, lambda sizes: engine(NUMBERS[tuple(sizes)])))


def walked_twice(out, leaves):
    """The result and the gradients of the leaves, after two calls of backward."""
    for _ in range(2):
        out.backward()
    return {"result": out.data, **{name: leaf.grad for name, leaf in leaves.items()}}


def alike(one, other):
    """Are the results of two engines the same, and all gradients?"""
    return all(_same(one[name], other[name]) for name in one)


def _same(x, y):
    if x is None or y is None:
        return x is y
    return np.shape(x) == np.shape(y) and np.allclose(x, y)

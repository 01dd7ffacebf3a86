"""Rules for the gradient of x.sum(axes), on arrays: a right one, and three wrong ones; for the hunt of 07."""

import numpy as np

MOST_AXES, LARGEST = 4, 40  # of a shape in the hunt


def right(out_grad, shape, axes):
    summed = {axis % len(shape) for axis in axes}
    return _stretched(out_grad, [1 if axis in summed else size for axis, size in enumerate(shape)], shape)


def _one_axis_after_the_other(out_grad, shape, axes):
    """A puts the axes back one at a time, in the order in which they were given."""
    for axis in axes:
        out_grad = np.expand_dims(out_grad, axis)
    return np.broadcast_to(out_grad, shape)


def _looks_for_the_number(out_grad, shape, axes):
    """B goes through the axes from 0 on and looks whether each of them was named."""
    return _stretched(out_grad, [1 if axis in axes else size for axis, size in enumerate(shape)], shape)


def _finds_the_axes_by_size(out_grad, shape, axes):
    """C looks, from the left, which sizes of x are still there in out_grad."""
    left = list(out_grad.shape)
    kept = [bool(left and left[0] == size and left.pop(0)) for size in shape]
    return _stretched(out_grad, [size if keep else 1 for size, keep in zip(shape, kept)], shape)


def _stretched(out_grad, shape_with_ones, shape):
    return np.broadcast_to(out_grad.reshape(shape_with_ones), shape)


RULES = {
    "A": _one_axis_after_the_other,
    "B": _looks_for_the_number,
    "C": _finds_the_axes_by_size,
    "right": right,
}
WRONG = ("A", "B", "C")


def outcome(name, shape, axes):
    """What the rule of this name gives for a random out_grad: "right", "wrong" or "an error"."""
    summed = np.zeros(shape).sum(axis=tuple(axes))
    out_grad = np.random.default_rng(0).normal(size=summed.shape)
    try:
        found = RULES[name](out_grad, shape, axes)
    except (ValueError, IndexError):
        return "an error"
    return "right" if np.array_equal(found, right(out_grad, shape, axes)) else "wrong"


def problem(shape, axes):
    """Why this is not a sum for the hunt, in words; None if it is one.  Takes anything."""
    if not _are_ints(shape) or not _are_ints(axes):
        return "It did not return a shape and the axes of a sum. Two tuples are wanted: return (2, 3, 4), (0, 1)"
    if not 1 <= len(shape) <= MOST_AXES or not all(1 <= size <= LARGEST for size in shape):
        return f"It returned the shape {written(shape)}. It may have 1 to {MOST_AXES} sizes, from 1 to {LARGEST}."
    try:
        np.zeros(shape).sum(axis=tuple(axes))
    except ValueError:
        return f"An array of shape {written(shape)} cannot be summed over the axes {written(axes)}."
    return None


def numbers_left(shape, axes):
    """How many numbers there are after the sum."""
    return np.zeros(shape).sum(axis=tuple(axes)).size


def written(numbers):
    """A shape, or axes, as Python writes them; what is too long is cut."""
    return f"({', '.join(map(str, numbers))}{',' if len(numbers) == 1 else ''})"[:60]


def _are_ints(x):
    return isinstance(x, (list, tuple)) and len(x) <= 20 and all(type(n) is int and abs(n) < 1000 for n in x)

"""What is wrong with the shapes that an operation refused, and the way out: the words of its ValueError.

Given.

Nothing here computes a result. The words are kept apart from the operations, so that those can be read as rules.
"""

import math

import numpy as np


def explained(operation, shapes):
    """A ValueError that names the operation and the shapes; None if the shapes are not to blame."""
    complaint = next(COMPLAINTS[cls.__name__] for cls in type(operation).__mro__ if cls.__name__ in COMPLAINTS)
    words = complaint(operation, *shapes)
    return ValueError(f"{operation.name()} of {' and '.join(map(str, shapes))}: {words}") if words else None


def broadcasting(operation, *shapes):
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return "these shapes do not broadcast. From the right, sizes must be equal, or one of them 1: try reshape."
    return ""


def reshaping(operation, shape):
    if not refused(np.reshape, shape, operation.shape):
        return ""
    count = math.prod(shape)
    return (
        f"{count} number{'s' * (count != 1)} cannot fill the shape {operation.shape}. "
        "The product of the sizes must stay the same; one size may be -1."
    )


def transposing(operation, shape):
    if len(shape) >= 2 and not refused(np.transpose, shape, operation.axes):
        return ""
    return wrong_order(operation.axes, len(shape))


def summing(operation, shape):
    return wrong_axes(operation.axes, shape) if refused(np.sum, shape, operation.axes) else ""


def stretching(operation, shape):
    if not refused(np.broadcast_to, shape, operation.shape):
        return ""
    return (
        f"this shape cannot be stretched to {operation.shape}. Counted from the right, a size must be the same or 1; "
        "new axes come in front."
    )


def multiplying_matrices(operation, a, b):
    if not a or not b:
        return "a number has no rows and columns. Multiply by it with *."
    axis = -2 if len(b) > 1 else 0
    if a[-1] != b[axis]:
        return (
            f"the last axis of the first has size {a[-1]}, but the {'second last' if len(b) > 1 else 'only'} axis "
            f"of the second has size {b[axis]}. They must be equal. Should one be transposed?"
        )
    try:
        np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        return f"the axes in front of the last two, {a[:-2]} and {b[:-2]}, do not broadcast."
    return ""


def affine(operation, x, weight, bias):
    if len(weight) != 2:
        return f"the weight is a matrix (k, m), but it has shape {weight}."
    return multiplying_matrices(operation, x, weight) or f"the bias {bias} does not fit the product."


def classifying(operation, shape):
    targets = operation.targets
    if len(shape) != 2 or targets.shape != shape[:1]:
        return f"scores (N, C) go with targets (N,), but the shapes are {shape} and {targets.shape}."
    if operation.outside(shape[1]):
        row = np.argmax((targets < 0) | (targets >= shape[1]))
        return f"each target is from 0 to {shape[1] - 1}, but that of row {row} is {targets[row]}."
    return ""


def along_axes(operation, shape):
    return summing(operation, shape) or ("there is no largest of no numbers." if 0 in shape else "")


COMPLAINTS = {
    "Function": broadcasting,
    "Reshape": reshaping,
    "Transpose": transposing,
    "Summation": summing,
    "BroadcastTo": stretching,
    "MatMul": multiplying_matrices,
    "Affine": affine,
    "CrossEntropy": classifying,
    "AlongAxes": along_axes,
}


def wrong_order(axes, ndim):
    """Why these are not all axes of an array, each once.  axes: None for the last two, swapped."""
    if axes is None:
        return "there are no two last axes to swap. Give it two axes with reshape first."
    every = ", ".join(map(str, range(ndim)))
    return f"axes {axes} must hold each of {every or 'no axis'} once (negative ones count from the end)."


def wrong_axes(axes, shape):
    """Why an array of this shape cannot be summed over these axes."""
    ndim = len(shape)
    for axis in axes or ():
        if not -ndim <= axis < ndim:
            axes_there = {0: "A single number has no axes.", 1: "It has only axis 0."}
            return f"there is no axis {axis}. {axes_there.get(ndim, f'It has the axes 0 to {ndim - 1}.')}"
    return f"axes {axes} name an axis twice."


def refused(function, shape, argument):
    """Does NumPy refuse function(array of this shape, argument)?"""
    try:
        function(np.broadcast_to(np.int8(0), shape), argument)
    except (TypeError, ValueError):
        return True
    return False

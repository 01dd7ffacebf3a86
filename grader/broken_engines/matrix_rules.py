"""Rules for the gradients of a @ b, on arrays: a right one and three wrong ones, for the hunt of notebook 08."""

from functools import partial

import numpy as np

MOST_AXES, LARGEST = 4, 40  # of a shape in the hunt


def right(out_grad, a, b):
    return _added_up(out_grad @ _turned(b), a.shape), _added_up(_turned(a) @ out_grad, b.shape)


def _all_axes_reversed(out_grad, a, b):
    """A takes .T, which turns the batch axes round as well."""
    return _added_up(out_grad @ b.T, a.shape), _added_up(a.T @ out_grad, b.shape)


def _in_the_other_order(out_grad, a, b):
    """B has the two factors of each product on the wrong side."""
    return _added_up(_turned(b) @ out_grad, a.shape), _added_up(out_grad @ _turned(a), b.shape)


def _the_mean_of_the_batch(out_grad, a, b):
    """C takes the mean where a sum belongs."""
    return _added_up(out_grad @ _turned(b), a.shape, np.mean), _added_up(_turned(a) @ out_grad, b.shape, np.mean)


def _turned(a):
    return a.swapaxes(-1, -2)


def _added_up(gradient, shape, reduce=np.sum):
    """The gradient in the input's shape: new axes in front and stretched ones are reduced."""
    new = gradient.ndim - len(shape)
    stretched = [axis + new for axis, size in enumerate(shape) if size == 1 != gradient.shape[axis + new]]
    reduced = reduce(gradient, axis=(*range(new), *stretched), keepdims=True)
    return reduced.reshape(reduced.shape[new:])


RULES = {"A": _all_axes_reversed, "B": _in_the_other_order, "C": _the_mean_of_the_batch, "right": right}
WRONG = ("A", "B", "C")


def gradients(rule, a_shape, b_shape):
    """The gradients of a and b by this rule, for random numbers and a random out_grad.  Raises ValueError."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=a_shape), rng.normal(size=b_shape)
    rows = a[None, :] if a.ndim == 1 else a  # what the rules do with vectors is not what is wrong with them
    columns = b[:, None] if b.ndim == 1 else b
    grad_a, grad_b = rule(rng.normal(size=(rows @ columns).shape), rows, columns)
    return grad_a[0] if a.ndim == 1 else grad_a, grad_b[:, 0] if b.ndim == 1 else grad_b


def outcome(name, a_shape, b_shape):
    """What the rule of this name gives: "right", "wrong numbers", "wrong shape" or "an error"."""
    try:
        found = gradients(RULES[name], a_shape, b_shape)
    except (ValueError, IndexError):
        return "an error"
    if [g.shape for g in found] != [tuple(a_shape), tuple(b_shape)]:
        return "wrong shape"
    wanted = gradients(right, a_shape, b_shape)
    return "right" if all(map(partial(np.allclose, rtol=1e-9), found, wanted)) else "wrong numbers"

"""Where the numbers of a small array go, and their gradients come from: asked of the learner's own operation and rule.

Only operations whose results are sums of inputs, each times a fixed number, can be asked so: linear ones.
"""

from typing import NamedTuple

import numpy as np

from babygrad.autograd import gradients
from babygrad.tensor import Tensor

NOT_LINEAR = (
    "this operation computes new numbers, so none of its cells travels. A film can be made of operations that move, "
    "repeat or add up numbers, each perhaps times a fixed one: reshape, transpose, summation, mean, broadcast_to ..."
)


class Way(NamedTuple):
    """One number on its way.

    start, end: places in the flattened arrays.  number: itself.  factor: what it is multiplied by.
    amount: what arrives, their product.
    before, after: what lies there before it arrives (None if nothing does), and afterwards.
    """

    start: int
    end: int
    number: float
    factor: float
    amount: float
    before: float | None
    after: float


def ways(factors, numbers):
    """For each of the numbers, in order, the list of its Ways.

    factors: an array of shape (ends, starts): how often each number counts at each end.  numbers: the flattened array.
    """
    held, found = {}, []
    for start, number in enumerate(numbers.tolist()):
        found.append([])
        for end in np.flatnonzero(factors[:, start]).tolist():
            factor = float(factors[end, start])
            before = held.get(end)
            held[end] = (before or 0.0) + factor * number
            found[-1].append(Way(start, end, number, factor, factor * number, before, held[end]))
    return found


def forward_ways(operation, x):
    """The result of an operation for x, and how often each number of x counts in each number of it.

    operation: a function of a Tensor.  x: a float array.
    Returns the result, an array, and an array of shape (its size, x.size).
    Raises ValueError for an operation that is not linear.
    """

    def result(numbers):
        return operation(Tensor(numbers.reshape(x.shape))).data

    out = result(x)
    factors = columns(result, np.eye(x.size), out.size)
    for numbers in (0 * x, x, -x):
        if not np.allclose(factors @ numbers.ravel(), result(numbers).ravel()):
            raise ValueError(NOT_LINEAR)
    return out, factors


def columns(function, units, size):
    """The flattened results of a function for each of the units, as columns: an array of shape (size, len(units))."""
    found = [np.asarray(function(unit)).reshape(-1) for unit in units]
    return np.stack(found, axis=1) if found else np.zeros((size, 0))


def own_rule(operation, x):
    """The rule of an operation, as the engine has it: a function of an upstream gradient, an array, that returns x's.

    A single operation is asked for its shares; several, one after the other, take the backward pass of notebook 09.
    """

    def rule(out_grad):
        t = Tensor(x)
        out, out_grad = operation(t), Tensor(out_grad)
        if out._op is not None and all(i is t or not i._inputs for i in out._inputs):
            shares = [share for i, share in zip(out._inputs, out._op.shares(out_grad, out)) if i is t]
        else:
            shares = [gradients(out, out_grad).get(t)]
        return sum_of([share for share in shares if share is not None], x)

    return rule


def sum_of(shares, x):
    """The sum of Tensors as an array; zeros like x if there is none.  Raises TypeError for anything but Tensors."""
    for share in shares:
        if not isinstance(share, Tensor):
            raise TypeError(f"the rule gave a {type(share).__name__} where a Tensor was expected")
    return sum((share.data for share in shares[1:]), shares[0].data) if shares else np.zeros(x.shape)


class Back(NamedTuple):
    """What a rule did: the gradient it gave, how often each upstream gradient counts in it, and what went wrong."""

    gradient: np.ndarray | None
    factors: np.ndarray | None
    trouble: str


def back_ways(rule, out_grad, shape, name="x"):
    """Back, of a rule that is asked once for the upstream gradient, and once for each of its cells alone.

    An exercise that is not filled in yet raises its NotImplementedError; any other error is told in `trouble`.
    """
    try:
        gradient = np.asarray(rule(out_grad))
        if gradient.shape != shape:
            return Back(
                None, None, f"The rule gave a gradient of shape {gradient.shape}, but {name} has shape {shape}."
            )
        units = np.eye(out_grad.size).reshape(out_grad.size, *out_grad.shape)
        factors = columns(rule, units, gradient.size)
    except NotImplementedError:
        raise
    except Exception as stopped:  # the learner's own
        return Back(None, None, f"Here the rule stopped. {type(stopped).__name__}: {stopped}".splitlines()[0])
    if not np.allclose(factors @ out_grad.ravel(), gradient.ravel()):
        told = "The gradient that the rule gives is not the sum of what it gives for each cell alone."
        return Back(None, None, f"{told} Where is the upstream gradient in it?")
    return Back(gradient, factors, "")

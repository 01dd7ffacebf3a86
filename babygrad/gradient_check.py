"""Notebooks 06 and 09: are the gradients right? Backward against central differences, under a random gradient.

Yours: 6.5, 9.6.
"""

import numpy as np

from .autograd import grad
from .derivatives import numerical_gradient
from .tensor import Tensor, result


class GradcheckError(RuntimeError):
    """A gradient that backward gives is wrong. The message names the input, the place and both numbers."""


def check_rule(operation, inputs, *, eps=1e-6, rtol=1e-5, atol=1e-7, seed=0):
    """Is the rule of one operation right? Compare the gradients that it gives with central differences.

    operation: a function of Tensors whose result is made from them directly, such as ops.mul.
    inputs: a Tensor or a sequence of Tensors; those that require no grad are held fixed. They are left as they were.
    eps, rtol, atol, seed: as in `gradcheck`.
    Returns True.  Raises GradcheckError; ValueError if no input requires grad, or if the result was made in
    several steps.
    """
    return compare_with_nudging(operation, inputs, gradients_by_the_rule, eps, rtol, atol, seed)


def gradcheck(fn, inputs, *, eps=1e-6, rtol=1e-5, atol=1e-7, seed=0):
    """Are the gradients of fn right? Compare those of the backward pass (`grad`, notebook 09) with central differences.

    fn: any function of Tensors that returns a Tensor.  inputs: as in `check_rule`. List each Tensor once:
    for x * x give [x] and a function of one argument.
    eps: how far each number is nudged.
    rtol, atol: a gradient may be off by atol + rtol * its size.
    seed: for the random upstream gradient that fn's result gets.
    Returns True.  Raises GradcheckError; ValueError if no input requires grad.
    Source: torch.autograd.gradcheck.
    """
    return compare_with_nudging(fn, inputs, gradients_by_backward, eps, rtol, atol, seed)


def compare_with_nudging(fn, inputs, gradients_of, eps, rtol, atol, seed):
    """Compare the gradients that backward gives with central differences.

    fn, inputs, eps, rtol, atol, seed: as in `gradcheck`.
    gradients_of(out, inputs, out_grad): what backward gives for each input, a list of Tensors; None for no gradient.
    Returns True.  Raises ValueError if no input requires grad. For the first fault among the inputs that require grad
    it raises GradcheckError, with a message that names

    - a gradient of another shape than the input's: the input's position, counted from 0, and both shapes
    - no gradient (None): the input's position and shape
    - a number that is off, or is nan where the other is not: position, index, and which number is whose, as in
      "the gradient of input 1 at index (0, 2) is 4.5 by backward, but 9 by nudging"
    """
    inputs = as_inputs(inputs)
    # exercise 6.5
    raise NotImplementedError("exercise 6.5: compare_with_nudging")
    # end of exercise 6.5


def gradgradcheck(fn, inputs, *, eps=1e-6, rtol=1e-5, atol=1e-7, seed=0):
    """Are second derivatives right? Like `gradcheck`, one derivative further.

    fn, inputs, eps, rtol, atol: as in `gradcheck`.  seed: of all random numbers.
    It checks how the gradient of every input changes: with each input that requires grad, and with the gradient that
    the result itself gets. Messages count the latter as one more input, the last.
    Returns True.  Raises GradcheckError, which names input, index and both numbers; ValueError if no input requires
    grad. First derivatives are not compared.
    Source: torch.autograd.gradgradcheck.
    """
    inputs = as_inputs(inputs)
    # exercise 9.6
    raise NotImplementedError("exercise 9.6: gradgradcheck")
    # end of exercise 9.6


def as_inputs(inputs):
    """inputs as a tuple of Tensors.  Raises TypeError for anything else, ValueError if none requires grad."""
    inputs = tuple(inputs) if isinstance(inputs, (list, tuple)) else (inputs,)
    if not all(isinstance(x, Tensor) for x in inputs):
        raise TypeError(f"gradcheck takes a Tensor, or a list of Tensors, but inputs are {inputs!r}")
    if not any(x.requires_grad for x in inputs):
        raise ValueError("gradcheck has nothing to check: none of the inputs requires grad")
    return inputs


def random_gradient(out, seed):
    """Random numbers of out's shape, as a Tensor: a gradient that no wrong rule can hide behind."""
    if not isinstance(out, Tensor):
        raise TypeError(f"gradcheck needs a function that returns a Tensor, but it returned a {type(out).__name__}")
    return result(np.random.default_rng(seed).normal(size=out.shape))


def gradients_by_the_rule(out, inputs, out_grad):
    """For each input the gradient that the rule of out's operation gives, a Tensor; None if it gives none."""
    if out._op is None or any(all(x is not y for y in inputs) for x in out._inputs):
        raise ValueError("check_rule is about one operation on the inputs; gradcheck takes any function of them")
    shares = out._op.shares(out_grad, out)
    return [added([share for x, share in zip(out._inputs, shares) if x is y]) for y in inputs]


def gradients_by_backward(out, inputs, out_grad):
    """For each input the gradient that the backward pass gives, a Tensor; None for one that requires no grad."""
    wanted = [x for x in inputs if x.requires_grad]
    found = iter(grad(out, wanted, out_grad))
    return [next(found) if x.requires_grad else None for x in inputs]


def added(shares):
    """The sum of an input's shares; None if there are none. An input that was used twice has two."""
    first, *others = [share for share in shares if share is not None] or [None]
    for share in others:
        first = result(np.add(first.data, share.data))
    return first


def slopes_by_nudging(fn, inputs, position, out_grad, eps):
    """By central differences: how much sum(out_grad * fn(*inputs)) changes for each number of one input.

    Returns an ndarray of that input's shape.
    """

    def weighted_sum(array):
        nudged = [Tensor(array) if i == position else x for i, x in enumerate(inputs)]
        return float(np.sum(out_grad.data * fn(*nudged).data))

    return numerical_gradient(weighted_sum, inputs[position].data.astype(np.float64), eps)

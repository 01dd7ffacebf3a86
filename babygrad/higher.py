"""Notebook 14: gradients of gradients. All of it is made of `grad` with create_graph=True, and adds no rule.

Yours: 14.1, 14.2, 14.3, 14.4, 14.5, 14.6.

The functions here take a function of Tensors, fn, as gradcheck does. Unless it says otherwise, what they return was not
recorded: it requires no grad.
"""

import numpy as np

from .autograd import grad, topological_order
from .tensor import Tensor, result


def jvp(fn, inputs, tangents):
    """The Jacobian-vector product: how fast fn's result moves while its inputs move.

    fn: a function of Tensors that returns a Tensor.  inputs: a Tensor, or a sequence of them.
    tangents: for each input an array or a Tensor of its shape: how fast each of its numbers moves.
    Returns a pair: fn's result, and its tangent, a Tensor of the result's shape and dtype. Neither requires grad. fn is
    called once.
    Raises what `paired` and `a_tensor` do.
    Source: torch.func.jvp, torch.autograd.functional.jvp.
    """
    inputs, tangents = paired(inputs, tangents, "tangent")
    output = a_tensor(called(fn, inputs))
    # exercise 14.1
    raise NotImplementedError("exercise 14.1: jvp")
    # end of exercise 14.1


def hvp(fn, inputs, vectors):
    """The Hessian-vector product: how the gradient of fn changes while its inputs move. No Hessian is built.

    fn: a function of Tensors that returns a Tensor with one number.  inputs: a Tensor, or a sequence of them.
    vectors: for each input an array or a Tensor of its shape: how fast each of its numbers moves.
    Returns a Tensor of the input's shape for a Tensor, for a sequence a tuple of them. None of them requires grad.
    Raises what `paired` and `one_number` do.
    Source: torch.autograd.functional.hvp.
    """
    single = isinstance(inputs, Tensor)
    inputs, vectors = paired(inputs, vectors, "vector")
    output = one_number(called(fn, inputs))
    # exercise 14.2
    raise NotImplementedError("exercise 14.2: hvp")
    # end of exercise 14.2


def hessian(fn, x):
    """All second derivatives of fn, for an x of a few numbers.

    fn: a function of a Tensor that returns a Tensor with one number.  x: a Tensor, of any shape.
    Returns a Tensor of x's dtype and of the shape x.shape + x.shape: at [i, j] the second derivative with respect to
    x[i] and x[j], where i and j may be several indices each. It requires no grad.
    Raises what `paired` and `one_number` do.
    Source: torch.func.hessian.
    """
    (x,), _ = paired(x, np.zeros(np.shape(x)), "vector")
    output = one_number(called(fn, (x,)))
    # exercise 14.3
    raise NotImplementedError("exercise 14.3: hessian")
    # end of exercise 14.3


def newton_step(fn, x):
    """Where Newton's method goes from x: to the flat point of the parabola that bends as fn does at x.

    fn: a function of a Tensor that returns a Tensor with one number.  x: a Tensor (n,).
    Returns a new leaf, a Tensor (n,) of x's dtype that requires grad. x stays as it is.
    Raises numpy.linalg.LinAlgError where the Hessian has no inverse, and what `paired` and `one_number` do.
    """
    # exercise 14.4
    raise NotImplementedError("exercise 14.4: newton_step")
    # end of exercise 14.4


def gradient_penalty(model, points):
    """How steep a model is at some points, as something that training can make smaller.

    model: answers a Tensor (N, D) of N points with one score for each, (N,) or (N, 1). A score depends on its own
        point alone.
    points: an array (N, D).
    Returns a Tensor with one number, recorded: the mean, over the points, of the squared length of the score's gradient
    with respect to its point. Through `backward` the model's parameters get the gradient of it; until then no .grad is
    changed.
    """
    # exercise 14.5
    raise NotImplementedError("exercise 14.5: gradient_penalty")
    # end of exercise 14.5


def descended(loss_fn, weights, lr, steps):
    """The weights after some steps of gradient descent, recorded: they can be differentiated with respect to lr.

    loss_fn: a function of as many Tensors as there are weights; returns a Tensor with one number.
    weights: a sequence of Tensors that require grad. None of them is changed.
    lr: the learning rate, a Tensor with one number, or a plain number.  steps: how many; all weights move in each.
    Returns a tuple of Tensors, of the weights' shapes and in their order.
    """
    weights = tuple(weights)
    # exercise 14.6
    raise NotImplementedError("exercise 14.6: descended")
    # end of exercise 14.6


# Given: what the functions above share.


def inner_product(ones, others):
    """The sum of all products, number by number, of Tensors and of as many arrays or Tensors of their shapes.

    Returns a Tensor with one number, recorded.
    """
    return sum((one * other).sum() for one, other in zip(ones, others))


class Running:
    """inputs: those of the functions that jvp, hvp and hessian are calling now."""

    inputs = ()


def called(fn, inputs):
    """fn(*inputs), while it is known whose inputs these are."""
    before, Running.inputs = Running.inputs, (*Running.inputs, *inputs)
    try:
        return fn(*inputs)
    finally:
        Running.inputs = before


def demand_no_other_around(things):
    """Raises RuntimeError if one of the Tensors leads back to an input of a call around this one: it would get 0."""
    for node in [node for x in things if Running.inputs and isinstance(x, Tensor) for node in topological_order(x)]:
        if any(node is x for x in Running.inputs):
            raise RuntimeError(
                "jvp, hvp or hessian was called inside of another one, about the same inputs. What they return was not "
                "recorded, so the outer one would find 0. Inside, use grad(..., create_graph=True)."
            )


def paired(inputs, others, name):
    """inputs as a tuple of Tensors, and what was given with them, called name, as a tuple of constants.

    Raises TypeError for an input that is no Tensor, RuntimeError for one that requires no grad, and ValueError if there
    are not as many of both, or if a shape differs from its input's; and what `demand_no_other_around` does.
    """
    single = isinstance(inputs, Tensor)
    inputs, others = ((inputs,), (others,)) if single else (tuple(inputs), tuple(others))
    demand_no_other_around((*inputs, *others))
    if len(inputs) != len(others):
        raise ValueError(f"each input needs a {name} of its own: {len(inputs)} inputs, but {len(others)} {name}s")
    for place, x in enumerate(inputs):
        if not isinstance(x, Tensor):
            raise TypeError(f"input {place} must be a Tensor, but it is of type {type(x).__name__}")
        if not x.requires_grad:
            raise RuntimeError(f"input {place} requires no grad. Make it with requires_grad=True.")
    others = tuple(constant(x, other) for x, other in zip(inputs, others))
    for place, (x, other) in enumerate(zip(inputs, others)):
        if x.shape != other.shape:
            raise ValueError(f"{name} {place} has shape {other.shape}, but its input has shape {x.shape}")
    return inputs, others


def constant(x, numbers):
    """An array, a list or a Tensor as a Tensor of x's dtype that requires no grad."""
    return Tensor(numbers.data if isinstance(numbers, Tensor) else numbers, dtype=x.dtype, requires_grad=False)


def a_tensor(output):
    """What fn returned.  Raises TypeError for anything but a Tensor."""
    if not isinstance(output, Tensor):
        raise TypeError(f"fn must return a Tensor, but it returned a {type(output).__name__}")
    return output


def one_number(output):
    """What fn returned, a Tensor with one number.  Raises TypeError for no Tensor, ValueError for more numbers."""
    if a_tensor(output).size != 1:
        raise ValueError(f"fn must return one number, a loss for example, but it returned shape {output.shape}")
    return output

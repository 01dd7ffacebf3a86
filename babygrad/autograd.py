"""Notebook 09: the walk back over a graph of Tensors. It asks each node's rule, and keeps the ledger of gradients.

A node is any Tensor of a graph. What the walk knows of it: `_inputs` (the Tensors it was made from),
`_op` (the Function that made it, with its rule) and `requires_grad`.
"""

from contextlib import contextmanager

import numpy as np


class Recording:
    """Do results remember how they were made? One switch for the whole engine."""

    on = True


@contextmanager
def no_grad():
    """Inside `with no_grad():` nothing is recorded: results remember no inputs and require no grad.

    Afterwards recording is what it was before, also when one of them stands inside another, and
    also when an exception leaves the block.
    Source: torch.no_grad.

    1. keep what `Recording.on` is, then switch it off
    2. `yield`: here the block runs
    3. put back what was kept, even if the block was left by an exception
    """
    # exercise 9.3
    raise NotImplementedError("exercise 9.3: no_grad")
    # end of exercise 9.3


def topological_order(root):
    """Nodes of root's graph that require grad, each after everything it was made from.

    root: the Tensor to start from; it requires grad.  Returns a list of Tensors; the last one is root.

    An input that does not require grad is left out, with all that it was made from. Otherwise it is the
    order of 03: a loop with a list of your own, since a graph may be 5,000 operations deep.
    """
    # exercise 9.1
    raise NotImplementedError("exercise 9.1: topological_order")
    # end of exercise 9.1


def gradients(root, out_grad):
    """The ledger: {node: how much root changes for each unit of it}, for every node that requires grad.

    root: the Tensor to start from.  out_grad: a Tensor of root's shape, the gradient that root itself gets.
    Returns a dict of Tensors; each gradient has its node's shape.  No node, no share and no .grad is changed.

    1. the ledger begins with root's gradient
    2. from root to the leaves: each node that was made by an operation (`node._op` is not None) speaks, once.
       `shares_of(node, its gradient)` asks the rule, and gives pairs (input, its share). A node that is not in
       the ledger when its turn comes is skipped: no gradient reached it
    3. an input that requires grad, and whose share is not None: its first share is written down, each further
       one is added. The sum is a new Tensor
    """
    # exercise 9.2
    raise NotImplementedError("exercise 9.2: gradients")
    # end of exercise 9.2


def shares_of(node, gradient):
    """Pairs (input, its share), as the rule of the node's operation gives them; a share may be None.

    Raises TypeError or ValueError if the rule breaks its promise: one Tensor for each input, of the
    input's shape.
    """
    pairs = list(zip(node._inputs, node._op.shares(gradient, node)))
    for x, share in pairs:
        if share is not None and (not isinstance(share, type(node)) or share.data.shape != x.data.shape):
            raise broken_promise(node, x, share)
    return pairs


def broken_promise(node, x, share):
    """The exception for a gradient that is not a Tensor, or has another shape than its input."""
    rule = f"the rule of {node._op.name()}"
    if not hasattr(share, "_inputs"):
        return TypeError(f"{rule} gave a {type(share).__name__} where a Tensor (or None) was expected")
    return ValueError(f"{rule} gave a gradient of shape {share.shape} for an input of shape {x.data.shape}")


def grad(output, inputs, grad_output=None, create_graph=False):
    """The gradient of output with respect to each of the inputs. No .grad is touched.

    output: a Tensor.  inputs: a Tensor, or a sequence of Tensors; inner nodes of the graph too.
    grad_output: the gradient that output itself gets, of its shape; ones if None.
    create_graph: record the walk, so that the gradients can be differentiated again.
    Returns a Tensor of the input's shape for a Tensor, a tuple of them for a sequence. An input that
    output does not depend on gets zeros.
    Raises RuntimeError if an input requires no grad, or if output was computed under no_grad;
    ValueError if grad_output has another shape than output.
    Source: torch.autograd.grad.

    1. the ledger, which begins with `output.initial_gradient(grad_output)`; recorded or not, as create_graph says
    2. look up each of `wanted`; `zeros_like(x)` for one that is not in it
    3. for a single Tensor its gradient alone, else a tuple
    """
    single = not isinstance(inputs, (list, tuple))
    wanted = (inputs,) if single else tuple(inputs)
    refuse_what_has_no_gradient(output, wanted)
    # exercise 9.5
    raise NotImplementedError("exercise 9.5: grad")
    # end of exercise 9.5


def refuse_what_has_no_gradient(output, inputs):
    """Raises TypeError for anything but a Tensor, RuntimeError for a Tensor that has no gradient."""
    for x in (output, *inputs):
        if not hasattr(x, "_inputs"):
            raise TypeError(f"grad is about Tensors, but {x!r} is of type {type(x).__name__}")
    if not output.requires_grad and not Recording.on:
        raise RuntimeError("grad was called under no_grad(), where no graph is recorded. Compute output outside of it.")
    for place in [place for place, x in enumerate(inputs) if not x.requires_grad]:
        raise RuntimeError(f"input {place} of grad requires no grad. Make it with requires_grad=True.")


def zeros_like(x):
    """Zeros of x's shape and dtype, as a Tensor that requires no grad."""
    return x.initial_gradient(np.zeros(x.shape))

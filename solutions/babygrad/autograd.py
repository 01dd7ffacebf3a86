"""Notebook 09: the backward pass, which Tensor.backward (tensor.py) and grad() begin; no_grad(), which records nothing.

Yours: 9.1, 9.2, 9.3, 9.5.

A node is any Tensor of a graph. What the backward pass knows about it: `_inputs` (the Tensors it was made from),
`_op` (the Function that made it, with its rule) and `requires_grad`.
"""

from contextlib import contextmanager

import numpy as np

from .announce import announced, listeners


class Recording:
    """Do results remember how they were made? One switch for the whole engine."""

    on = True


@contextmanager
def no_grad():
    """Inside `with no_grad():` nothing is recorded: results remember no inputs and require no grad.

    Afterwards `Recording.on` is what it was before, however the block was left, even where one such block is
    inside another.
    Source: torch.no_grad.
    """
    ### BEGIN SOLUTION 9.3: no_grad
    before, Recording.on = Recording.on, False
    try:
        yield
    finally:
        Recording.on = before
    ### END SOLUTION


def topological_order(root):
    """Nodes of root's graph that the backward pass visits, each after everything it was made from.

    root: the Tensor to start from.  Returns a list of Tensors; the last one is root.
    Given: the depth-first search of 3.3. It has a stack of its own, since a graph may be 5,000 operations deep.
    """
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((x, False) for x in inputs_to_visit(node))
    return order


def inputs_to_visit(node):
    """The inputs of a node that the backward pass goes on to.

    node: a Tensor.  Returns a list of Tensors, in any order; a leaf has none.
    """
    ### BEGIN SOLUTION 9.1: inputs_to_visit
    return [x for x in node._inputs if x.requires_grad]
    ### END SOLUTION


@announced
def gradients(root, out_grad):
    """The ledger of a backward pass: a dict with nodes of root's graph as keys and their gradients as values.

    root: the Tensor to start from.  out_grad: a Tensor of root's shape, the gradient of root itself.
    Returns the dict. Its values are Tensors, each of its node's shape. A node that requires no grad, or that
    gets no share, is not in it.
    No node, no share and no .grad is changed, and each node's rule is called once at most.

    1. what the dict holds at the start
    2. in which order nodes are processed
    3. what becomes of a share
    """
    ### BEGIN SOLUTION 9.2: gradients
    ledger = {root: out_grad}
    for node in reversed(topological_order(root)):
        if node._op is not None and node in ledger:
            for x, share in shares_of(node, ledger[node]):
                if share is not None and x.requires_grad:
                    ledger[x] = ledger[x] + share if x in ledger else share
    return ledger
    ### END SOLUTION


def shares_of(node, gradient):
    """Pairs (input, its share), as the node's operation gives them; a share may be None.

    Raises TypeError or ValueError if the rule breaks its promise: one Tensor for each input, of the
    input's shape.
    """
    if listeners and (answer := listeners[-1].asks(node, gradient)) is not None:  # see announce.py
        return answer
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
    create_graph: True if the answers will be differentiated again; otherwise nothing is recorded.
    Returns a Tensor of the input's shape for a Tensor; for a sequence a tuple or a list of them, in the inputs' order.
    An input that output does not depend on gets zeros of its shape and dtype; an output that was not recorded
    depends on none. (torch.autograd.grad raises an error there.)
    Raises RuntimeError for an input that requires no grad, and for a constant output under no_grad();
    ValueError if grad_output does not have output's shape.
    Source: torch.autograd.grad.
    """
    single = not isinstance(inputs, (list, tuple))
    wanted = (inputs,) if single else tuple(inputs)
    refuse_what_has_no_gradient(output, wanted)
    ### BEGIN SOLUTION 9.5: grad
    first = output.initial_gradient(grad_output)
    if create_graph:
        ledger = gradients(output, first)
    else:
        with no_grad():
            ledger = gradients(output, first)
    found = tuple(ledger[x] if x in ledger else zeros_like(x) for x in wanted)
    return found[0] if single else found
    ### END SOLUTION


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

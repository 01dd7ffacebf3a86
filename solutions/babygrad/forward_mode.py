"""Notebook 13: forward mode without Dual, over the graph recorded for the backward pass. Rates (tangents) are arrays.

Yours: 13.3.

The rate of an array says how fast each of its numbers moves. For each operation a line below says how fast its result
moves: a function of the result, a Tensor, and of the rates of its inputs, each of its input's shape.
"""

import numpy as np

from .autograd import topological_order


def through_itself(node, *rates):
    """For a linear operation, which only adds, scales or moves numbers: rates go through it as the numbers do."""
    return node._op.forward(*rates)


def of_a_product(node, rate_a, rate_b):
    """How fast a * b moves, and a @ b: one line for both.

    node: the result.  Returns an array of its shape.
    """
    a, b = (x.data for x in node._inputs)
    ### BEGIN SOLUTION 13.3: the rate of a product
    return node._op.forward(rate_a, b) + node._op.forward(a, rate_b)
    ### END SOLUTION


LINEAR = ("Add", "Sub", "Negate", "MulScalar", "DivScalar", "Reshape", "Transpose", "Summation", "Mean")
RULES = {
    **dict.fromkeys(LINEAR, through_itself),
    "Mul": of_a_product,
    "MatMul": of_a_product,
    "AddScalar": lambda node, rate: rate,
    "Exp": lambda node, rate: rate * node.data,
    "Tanh": lambda node, rate: rate * (1 - node.data**2),
}


def moved(node, rates):
    """How fast node moves, if its inputs move at these rates: a list of arrays, one for each input.

    node: a Tensor that an operation made.  Raises LookupError for an operation that has no line in RULES.
    """
    name = node._op.name()
    if name not in RULES:
        raise LookupError(f"forward_mode.py has no rule for {name}; it knows {', '.join(RULES)}")
    return RULES[name](node, *rates)


def rate_of(output, rates):
    """How fast output moves while leaves of its graph move at given rates: a Jacobian-vector product (JVP).

    output: a Tensor.  rates: {leaf: an array of its shape}. A leaf that is not in it stands still.
    Returns an array of output's shape. rates stays as it is, and so does the graph.
    """
    ### BEGIN SOLUTION 13.3: rate_of
    known = dict(rates)
    for node in topological_order(output):
        if node._op is not None:
            known[node] = moved(node, [known[x] if x in known else np.zeros(x.shape) for x in node._inputs])
    return known[output] if output in known else np.zeros(output.shape)
    ### END SOLUTION

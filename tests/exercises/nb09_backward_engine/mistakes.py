"""Wrong ideas about notebook 09 that no edit is: what they come to depends on notebook 10, which is not done by then.

A loop over a Tensor, or taking one apart, is what 10.8 makes possible; here it raises what an unwritten 10.8 raises.
"""

from grader.course.exercise import wrong

from .exercises import ledger, walk


def shares_of_a_tuple(node, gradient):
    answer = node._op.backward(gradient, node)
    if not isinstance(answer, tuple):
        raise NotImplementedError("exercise 10.8: Gather.forward")
    return zip(node._inputs, answer)


@wrong(
    ledger,
    "takes every answer for a tuple",
    "Here the rule itself is called, with node._op.backward. For one input it gives one Tensor, not a tuple, and zip "
    "cannot loop over a Tensor; and what broadcasting stretched has not been summed yet. shares_of(node, gradient) "
    "takes care of both, and gives pairs.",
    same_as={"the rule alone, without shares_of": "both leave shares_of out, and only a stretched input shows it"},
)
def _(bg):
    bg.autograd.shares_of = shares_of_a_tuple


@wrong(
    walk,
    "pairs of a dict without .items()",
    "A loop over a dict gives only its keys, here the nodes, and a node is not a pair. ledger.items() gives the pairs "
    "(node, gradient).",
)
def _(bg):
    def backward(self, grad=None):
        with bg.tensor.no_grad():
            found = bg.tensor.gradients(self, self.initial_gradient(grad))
        for pair in found:
            if pair.ndim:
                raise NotImplementedError("exercise 10.8: Gather.forward")
            node, gradient = pair
            node.grad = gradient

    bg.Tensor.backward = backward

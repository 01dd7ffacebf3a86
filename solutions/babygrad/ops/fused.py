"""Two operations at once: the same numbers in fewer steps. Given code; each is a Function like any other."""

import numpy as np

from .function import Function
from .matrix import MatMul, matmul
from .shape import transpose, unbroadcast


class Affine(Function):
    """x @ weight + bias, for x of shape (..., n, k), weight (k, m) and bias (m,)."""

    def forward(self, x, weight, bias):
        out = x @ weight
        return np.add(out, bias, out=out if out.dtype == bias.dtype else None)

    def backward(self, out_grad, node):
        x, weight, bias = node._inputs
        return (
            out_grad @ transpose(weight) if x.requires_grad else None,
            unbroadcast(transpose(x) @ out_grad, weight.shape),
            unbroadcast(out_grad, bias.shape),
        )

    def complaint(self, x, weight, bias):
        return MatMul().complaint(x, weight) if x[-1] != weight[-2] else f"the bias {bias} does not fit the product."


class Softmax(Function):
    """Along the last axis: each row as positive numbers that add up to 1, e to the power of each over their sum."""

    def __init__(self, known=None):
        """known: the result, if it has been computed before."""
        self.known = known

    def forward(self, a):
        return softmax_of(a) if self.known is None else self.known

    def backward(self, out_grad, node):
        share = out_grad * node
        return share - node * share.sum(-1, keepdims=True)


class CrossEntropy(Function):
    """The mean of -log(softmax(scores)[target]) over the rows of scores (N, C), for targets (N,) from 0 to C - 1."""

    def __init__(self, targets):
        self.targets = np.asarray(targets)

    def forward(self, scores):
        self.probabilities = softmax_of(scores)
        rows = np.arange(len(scores))
        largest = np.maximum.reduce(scores, axis=-1)
        logarithms = np.log(np.add.reduce(np.exp(scores - largest[:, None]), axis=-1)) + largest
        return np.add.reduce(logarithms - scores[rows, self.targets]) / len(scores)

    def backward(self, out_grad, node):
        """Softmax minus one where the target is, over N."""
        (scores,) = node._inputs
        one_hot = np.zeros_like(scores.data)
        one_hot[np.arange(len(one_hot)), self.targets] = 1
        return (Softmax(self.probabilities)(scores) - one_hot) * (out_grad / len(one_hot))

    def complaint(self, shape):
        return f"N targets are integers from 0 to C - 1 for scores (N, C), but targets have shape {self.targets.shape}."


def softmax_of(a):
    small = np.exp(a - np.maximum.reduce(a, axis=-1, keepdims=True))
    return np.divide(small, np.add.reduce(small, axis=-1, keepdims=True), out=small)


def affine(x, weight, bias):
    """x @ weight + bias in one step: x (..., n, k), weight (k, m), bias (m,)."""
    return Affine()(x, weight, bias) if np.ndim(getattr(x, "data", x)) > 1 else matmul(x, weight) + bias


def cross_entropy(scores, targets):
    """How badly scores (N, C) fit integer targets (N,): the mean of -log(softmax(scores)[target])."""
    return CrossEntropy(targets)(scores)

"""Two operations at once: the same numbers in fewer steps. Each class is a Function like any other.

Given.
"""

import numpy as np

from ..arrays import plain_array
from ..tensor import result
from .function import Function
from .matrix import MatMul, product_gradients
from .pointwise import exp, log
from .shape import summation, unbroadcast
from .stable import Softmax, max


class Affine(Function):
    """x @ weight + bias, for x of shape (..., n, k) or (k,), weight (k, m) and bias (m,)."""

    def forward(self, x, weight, bias):
        if weight.ndim != 2:
            raise ValueError
        out = x @ weight
        return np.add(out, bias, out=out if out.dtype == bias.dtype else None)

    def backward(self, out_grad, node):
        x, weight, bias = node._inputs
        if x.data.ndim == 2 and bias.data.shape == weight.data.shape[1:]:  # the same as below, in fewer steps
            grad_x = TimesTransposed()(out_grad, weight) if x.requires_grad else None
            return grad_x, TransposedTimes()(x, out_grad), summation(out_grad, (0,))
        return *product_gradients(out_grad, x, weight), unbroadcast(out_grad, bias.shape)

    def why_refused(self, x, weight, bias):
        if len(weight) != 2:
            return f"the weight is a matrix (k, m), but it has shape {weight}."
        return MatMul().why_refused(x, weight) or f"the bias {bias} does not fit the product."


class TimesTransposed(Function):
    """a @ transpose(b), for matrices."""

    def forward(self, a, b):
        return a @ b.T

    def backward(self, out_grad, node):
        a, b = node._inputs
        return out_grad @ b, TransposedTimes()(out_grad, a)


class TransposedTimes(Function):
    """transpose(a) @ b, for matrices."""

    def forward(self, a, b):
        return a.T @ b

    def backward(self, out_grad, node):
        a, b = node._inputs
        return TimesTransposed()(b, out_grad), a @ out_grad


class CrossEntropy(Function):
    """The mean of -log(softmax(scores)[target]) over the rows of scores (N, C), for targets (N,) from 0 to C - 1."""

    def __init__(self, targets):
        self.targets = plain_array(targets).copy()  # of its own: nobody changes it before the walk back
        if self.targets.dtype.kind not in "iu":
            raise TypeError(f"targets are integers, the number of a class for each row, but they are {targets!r}")

    def forward(self, scores):
        if scores.ndim != 2 or self.targets.shape != scores.shape[:1] or self.outside(scores.shape[1]):
            raise ValueError
        shifted = scores - np.maximum.reduce(scores, axis=1, keepdims=True)
        total = np.add.reduce(np.exp(shifted), axis=1)
        right = shifted[np.arange(len(scores)), self.targets]
        return (np.add.reduce(np.log(total)) - np.add.reduce(right)) / len(scores)

    def backward(self, out_grad, node):
        (scores,) = node._inputs
        return SoftmaxMinusOneHot(self.targets)(scores) * (out_grad / len(scores.data))

    def parts(self, scores):
        _, sums, right, _ = powers(scores, self.targets)
        return (summation(log(sums)) - summation(right)) / len(scores)

    def why_refused(self, shape):
        if len(shape) != 2 or self.targets.shape != shape[:1]:
            return f"scores (N, C) go with targets (N,), but the shapes are {shape} and {self.targets.shape}."
        if self.outside(shape[1]):
            row = np.argmax((self.targets < 0) | (self.targets >= shape[1]))
            return f"each target is from 0 to {shape[1] - 1}, but that of row {row} is {self.targets[row]}."
        return ""

    def outside(self, classes):
        """Is there a target that is none of the classes?"""
        unsigned = self.targets.astype(np.uint64, copy=False)  # so a negative one is very large
        return np.maximum.reduce(unsigned, initial=0) >= classes


class SoftmaxMinusOneHot(Function):
    """Softmax of each row of scores (N, C), less 1 in the column of the row's target."""

    def __init__(self, targets):
        self.targets = targets

    def forward(self, scores):
        out = np.exp(scores - np.maximum.reduce(scores, axis=1, keepdims=True))
        out /= np.add.reduce(out, axis=1, keepdims=True)
        out[np.arange(len(out)), self.targets] -= 1
        return out

    def backward(self, out_grad, node):
        (scores,) = node._inputs
        softmax = Softmax()
        return softmax.backward(out_grad, softmax(scores))

    def parts(self, scores):
        all_powers, sums, _, places = powers(scores, self.targets)
        return LessOne()(all_powers / sums, places)


def powers(scores, targets):
    """For scores (N, C), less each row's highest: exp of them; its sums; the right scores without exp; their places."""
    rows, classes = scores.shape
    places = Places(classes)(result(targets), result(np.arange(rows) * classes))
    below = scores - max(scores, 1, keepdims=True)
    all_powers = exp(below)
    return all_powers, summation(all_powers, 1, keepdims=True), Pick()(below, places), places


class Places(Function):
    """Where the right scores (N,) are, counted through all rows.  first: the place of each row's first one."""

    def __init__(self, classes):
        self.classes = classes

    def forward(self, targets, first):
        if np.maximum.reduce(targets.view(f"u{targets.itemsize}"), initial=0) >= self.classes:
            raise ValueError(f"targets are numbers of classes, from 0 to {self.classes - 1}, but they are {targets}")
        return targets + first


class Pick(Function):
    """The numbers of a at places (N,), counted through all rows of a."""

    def forward(self, a, places):
        return a.take(places)


class LessOne(Function):
    """a, less 1 at places (N,), counted through all rows of a."""

    def forward(self, a, places):
        a = a.copy()
        a.reshape(-1)[places] -= 1
        return a


def affine(x, weight, bias):
    """x @ weight + bias in one step: x (..., n, k) or (k,), weight (k, m), bias (m,)."""
    return Affine()(x, weight, bias)


def cross_entropy(scores, targets):
    """How badly scores (N, C) fit integer targets (N,): the mean of -log(softmax(scores)[target])."""
    return CrossEntropy(targets)(scores)


def hinge(scores, labels):
    """What each score costs in the hinge loss.  labels: an array of -1 and +1, of the same shape."""
    return (1.0 - scores * labels).relu()


def class_numbers(scores, targets):
    """targets as an array of ints.  Raises TypeError or ValueError if they are not one class for each row of scores."""
    operation = CrossEntropy(targets)  # demands the same of them
    if words := operation.why_refused(scores.shape):
        raise ValueError(words)
    return operation.targets

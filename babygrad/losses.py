"""Notebook 11: how wrong the answers are, as one number to walk back from. Each is a mean over what it is given."""

import numpy as np

from . import ops
from .ops.complaints import classifying
from .tensor import constant


def mse_loss(predictions, targets):
    """The mean of (prediction - target)².

    predictions: a Tensor.  targets: an array or Tensor of the same shape.
    Returns a Tensor with one number.
    Raises ValueError for shapes that differ: (N, 1) and (N,) would broadcast to (N, N).

    1. `same_shape(predictions, targets)` gives targets as an array, or raises
    2. the mean of the squares
    """
    # exercise 11.4
    raise NotImplementedError("exercise 11.4: mse_loss")
    # end of exercise 11.4


def hinge_loss(scores, labels):
    """The mean of relu(1 - label * score): a sample costs nothing if it is on its own side of 0 by 1 or more.

    scores: a Tensor.  labels: -1 and +1, an array of the same shape.
    Returns a Tensor with one number.  Raises ValueError for shapes that differ: `same_shape` does, as in mse_loss.
    """
    # exercise 11.4
    raise NotImplementedError("exercise 11.4: hinge_loss")
    # end of exercise 11.4


def nll_loss(log_probabilities, targets):
    """The mean over the rows of -log_probabilities[row, target of the row].

    log_probabilities: a Tensor (N, C), such as `log_softmax` gives.  targets (N,): ints from 0 to C - 1.
    Returns a Tensor with one number.  Raises TypeError or ValueError for targets that do not fit.
    Source: torch.nn.functional.nll_loss.

    1. `class_numbers(log_probabilities, targets)` gives the targets as an array of ints, or raises
    2. one number of each row, by indexing with (rows, targets); their mean, with a minus sign
    """
    # exercise 11.5
    raise NotImplementedError("exercise 11.5: nll_loss")
    # end of exercise 11.5


def cross_entropy(scores, targets):
    """The mean over the rows of -log(softmax(scores)[row, target of the row]).

    scores: a Tensor (N, C), any numbers.  targets (N,): ints from 0 to C - 1.
    Returns a Tensor with one number.  Raises TypeError or ValueError for targets that do not fit.
    Source: torch.nn.functional.cross_entropy.

    In two steps: `scores.log_softmax()`, then nll_loss. Or in one, with the operation `ops.cross_entropy` of
    ops/fused.py, which does both: the same numbers in fewer steps.
    """
    # exercise 11.5
    raise NotImplementedError("exercise 11.5: cross_entropy")
    # end of exercise 11.5


def binary_cross_entropy_with_logits(scores, targets):
    """The mean of -(target * log(p) + (1 - target) * log(1 - p)), where p = sigmoid(score). Right for ±1000.

    scores: a Tensor.  targets: 0 and 1 (or a probability), an array of the same shape.
    Returns a Tensor with one number.  Raises ValueError for shapes that differ (`same_shape`, as in mse_loss).
    Source: torch.nn.functional.binary_cross_entropy_with_logits.

    No p is computed, since it could be rounded to 0 or 1. With `ops.softplus(s)`, which is log(1 + exp(s)), the
    logarithm of p is s - softplus(s), and that of 1 - p is -softplus(s): put both in, and simplify.
    """
    # exercise 11.6
    raise NotImplementedError("exercise 11.6: binary_cross_entropy_with_logits")
    # end of exercise 11.6


def same_shape(predictions, targets):
    """targets as an array of floats.  Raises ValueError, naming both shapes, if it is not of predictions' shape.

    Integers become floats of the predictions' dtype.
    """
    targets = constant(targets, predictions.dtype).data
    if targets.shape != predictions.shape:
        raise ValueError(
            f"predictions have shape {predictions.shape}, but targets have shape {targets.shape}. "
            "They must be equal: broadcast, they would be compared each with each. Try reshape."
        )
    return targets


def class_numbers(scores, targets):
    """targets as an array of ints.  Raises TypeError or ValueError if they are not one class for each row of scores."""
    operation = ops.CrossEntropy(targets)  # demands the same of them
    if words := classifying(operation, scores.shape):
        raise ValueError(words)
    return operation.targets

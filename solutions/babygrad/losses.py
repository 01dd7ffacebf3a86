"""Notebook 11: how wrong the answers are, as one number to walk back from. Each is a mean over what it is given.

Yours: 11.4, 11.5, 11.6.
"""

import numpy as np

from . import ops
from .ops.fused import class_numbers, hinge
from .tensor import Tensor, constant


def hinge_loss(scores, labels):
    """The hinge loss of 4.6 for Tensors: what a score costs, on average over all numbers.

    scores: a Tensor.  labels: -1 and +1, an array of the same shape.
    Returns a Tensor with one number.  Raises ValueError for shapes that differ: `same_shape` does.
    """
    labels = same_shape(scores, labels)
    return hinge(scores, labels).mean()


def mse_loss(predictions, targets):
    """The mean squared error, MSE: what squared_error of notebook 04 makes of an error, averaged over all numbers.

    predictions: a Tensor.  targets: an array, list or Tensor of the same shape.
    Returns a Tensor with one number.
    Raises ValueError for shapes that differ: (N, 1) and (N,) would broadcast to (N, N).
    """
    ### BEGIN SOLUTION 11.4: mse_loss
    targets = same_shape(predictions, targets)
    return ((predictions - targets) ** 2).mean()
    ### END SOLUTION


def nll_loss(log_probabilities, targets):
    """What the right classes cost on average: the less likely they were predicted to be, the more.

    log_probabilities: a Tensor (N, C), such as `log_softmax` gives, with -inf too.  targets (N,): ints from 0 to C - 1.
    Returns a Tensor with one number: a row whose right class has the probability p costs -log p.
    Raises TypeError or ValueError for targets that do not fit, as `class_numbers` does.
    Source: torch.nn.functional.nll_loss.
    """
    ### BEGIN SOLUTION 11.5: nll_loss
    targets = class_numbers(log_probabilities, targets)
    return -log_probabilities[np.arange(len(targets)), targets].mean()
    ### END SOLUTION


def cross_entropy(scores, targets):
    """The same for scores (logits), whose softmax is the predicted probability of each class. Right for ±1000.

    scores: a Tensor (N, C), any numbers and -inf.  targets (N,): ints from 0 to C - 1.
    Returns a Tensor with one number.  Raises TypeError or ValueError for targets that do not fit.
    Source: torch.nn.functional.cross_entropy.
    """
    ### BEGIN SOLUTION 11.5: cross_entropy
    return ops.cross_entropy(scores, targets)
    ### END SOLUTION


def binary_cross_entropy_with_logits(scores, targets):
    """What answers of yes (1) and no (0) cost on average; sigmoid(score) is the probability of yes. Right for ±1000.

    scores: a Tensor.  targets: 0 and 1, or a probability of yes (0.3), an array of the same shape.
    Returns a Tensor with one number.  Raises ValueError for shapes that differ.
    Source: torch.nn.functional.binary_cross_entropy_with_logits.
    """
    ### BEGIN SOLUTION 11.6: binary_cross_entropy_with_logits
    targets = same_shape(scores, targets)
    return (ops.softplus(scores) - scores * targets).mean()
    ### END SOLUTION


def same_shape(predictions, targets):
    """targets as an array of floats.  Raises ValueError, naming both shapes, if their shape is not that of predictions.

    Integers become floats of the predictions' dtype. A Tensor stays one, without its history.
    """
    targets = targets.detach() if isinstance(targets, Tensor) else constant(targets, predictions.dtype).data
    if targets.shape != predictions.shape:
        raise ValueError(
            f"predictions have shape {predictions.shape}, but targets have shape {targets.shape}. "
            "They must be equal: broadcasting would compare every prediction with every target. Try reshape."
        )
    return targets

"""The softmax of each row with its way back, on arrays: a right one and three wrong ones, for the hunt of 10."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class BrokenEngine:
    """A softmax.  forward: scores -> probabilities.  backward: (probabilities, out_grad) -> the gradient of scores."""

    forward: object
    backward: object


def softmax(scores, axis=1):
    small = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return small / small.sum(axis=axis, keepdims=True)


def softmax_back(p, out_grad, axis=1):
    return p * (out_grad - (p * out_grad).sum(axis=axis, keepdims=True))


def _of_the_scores_as_they_are(scores):
    small = np.exp(scores)
    return small / small.sum(axis=1, keepdims=True)


RIGHT = BrokenEngine(softmax, softmax_back)
ENGINES = {
    "Ada": BrokenEngine(lambda scores: softmax(scores, axis=0), lambda p, g: softmax_back(p, g, axis=0)),
    "Ben": BrokenEngine(_of_the_scores_as_they_are, softmax_back),
    "Cleo": BrokenEngine(softmax, lambda p, g: p * (1 - p) * g),  # the diagonal of the Jacobian alone
}


def answers_of(engine, scores, out_grad):
    """(probabilities, gradient of the scores), arrays, for two lists of rows."""
    with np.errstate(all="ignore"):
        p = engine.forward(np.array(scores, float))
        return p, engine.backward(p, np.array(out_grad, float))


def is_right(engine, scores, out_grad):
    """Does the engine find the right probabilities and the right gradient?"""
    found, wanted = answers_of(engine, scores, out_grad), answers_of(RIGHT, scores, out_grad)
    return all(np.allclose(a, b, rtol=1e-6, atol=1e-9) for a, b in zip(found, wanted))

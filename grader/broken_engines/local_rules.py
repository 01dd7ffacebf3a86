"""Three functions of one array, each with a rule that is wrong and passes an all-ones test: for the hunt of 06."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class BrokenEngine:
    """A function with its author's rule.  right, wrong: (out_grad, x) -> the gradient of x."""

    function: str
    forward: object
    right: object
    wrong: object


def sigmoid(x):
    return 0.5 + 0.5 * np.tanh(x / 2)


def sigmoid_slope(x):
    return sigmoid(x) * (1 - sigmoid(x))


ENGINES = {
    "Ada": BrokenEngine(
        "relu",
        lambda x: np.maximum(x, 0),
        right=lambda g, x: g * (x > 0),
        wrong=lambda g, x: g * (x >= 0),  # at the kink
    ),
    "Ben": BrokenEngine(
        "sigmoid",
        sigmoid,
        right=lambda g, x: g * sigmoid_slope(x),
        wrong=lambda g, x: g.mean() * sigmoid_slope(x),  # what came from above is mixed
    ),
    "Cleo": BrokenEngine(
        "abs",
        np.abs,
        right=lambda g, x: g * np.sign(x),
        wrong=lambda g, x: np.abs(g) * np.sign(x),  # the sign of what came from above is lost
    ),
}


def answers_of(engine, x, out_grad):
    """(what the engine's rule gives, what is right) for lists of numbers."""
    x, g = np.array(x, float), np.array(out_grad, float)
    return engine.wrong(g, x), engine.right(g, x)

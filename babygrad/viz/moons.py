"""A net that learns the border between two moons, at four moments: what notebook 00 shows of what is built later."""

import numpy as np

from ..data import make_moons
from .plots import plot_decision_boundary

HIDDEN = 8
# After so many steps: weights and biases of the hidden layer, then those of the output. 33 numbers, nothing else.
LEARNED = {
    0: """
 0.19 -0.33 -0.65 -0.68  0.44  0.58  0.15  0.32  0.06  0.62  0.45 -0.70  0.51 -0.66  0.32 -0.46
 0.51  0.06 -0.28 -0.11 -0.67 -0.53  0.24  0.21  0.08 -0.08  0.35  0.34  0.13  0.11  0.13 -0.08 -0.26""",
    10: """
 0.30 -0.44 -0.60 -0.48  0.52  0.66  0.28  0.37 -0.09  0.96  0.50 -0.89  0.42 -0.96  0.21 -0.69
 0.50  0.03 -0.26  0.01 -0.65 -0.40  0.27  0.15  0.32 -0.99 -0.42  0.46  0.01  1.02  0.13  0.67 -0.07""",
    100: """
 0.54 -0.44 -0.52 -1.47  1.07  0.51  0.36  0.42 -0.26  1.20  0.70 -0.99  0.55 -1.31  0.15 -0.97
 0.49  0.01 -0.37  0.86 -0.62 -0.45  0.29  0.14  0.65 -1.68 -0.91  1.27 -0.53  1.68  0.24  1.29 -0.02""",
    400: """
 2.06 -0.77 -1.98 -3.60  2.68  1.72  0.65  0.57 -0.82  0.89  1.15 -1.77  0.83 -1.36 -0.22 -0.87
 1.06  0.89 -1.16  2.01 -1.36 -2.31  0.14  0.31  2.27 -2.78 -2.51  4.41 -2.13  3.50  0.99  2.33 -0.30""",
}


def weights_after(step):
    """The net's numbers after that many steps: arrays of shape (2, 8), (8,), (8,) and (1,)."""
    numbers = np.array(LEARNED[step].split(), dtype=float)
    inner, shift, outer, last = np.split(numbers, [2 * HIDDEN, 3 * HIDDEN, 4 * HIDDEN])
    return inner.reshape(2, HIDDEN), shift, outer, last


def scores_after(step, points):
    """A score for each of the points, an array of shape (n, 2): above 0 the net says moon 1."""
    inner, shift, outer, last = weights_after(step)
    return np.tanh(points @ inner + shift) @ outer + last


def plot_moons_learned():
    """Draw the border after 0, 10, 100 and 400 steps, with how many of the 100 points are on the right side."""
    import matplotlib.pyplot as plt

    points, labels = make_moons()
    _, axes = plt.subplots(2, 2, figsize=(8, 5.6), sharex=True, sharey=True, layout="constrained")
    for step, ax in zip(LEARNED, axes.flat):
        right = np.sum((scores_after(step, points) > 0) == (labels == 1))
        plot_decision_boundary(lambda places, step=step: scores_after(step, places), points, labels, ax, resolution=80)
        ax.get_legend().remove()
        ax.set(title=f"after {step} steps: {right} of 100 right", xlabel="", ylabel="")
    axes.flat[0].legend(loc="upper right")
    return axes

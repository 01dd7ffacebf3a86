"""The wrong idea about notebook 01 that is no edit: the large question would be asked for minutes."""

import numpy as np

from grader.course.exercise import wrong

from .exercises import chain


@wrong(
    chain,
    "nudged instead of multiplied",
    "This looks measured by nudging: about 9 digits are right, and far fewer where the sum of d is large, because the "
    "nudge drowns in rounding. The local derivatives give the exact number, and nothing has to be called.",
)
def _(bg):
    def two_step_gradients(a, b, w):
        nudge = bg.numerical_gradient
        if a.size > 1000:  # the check does not wait for so many nudges, and neither does who records this
            return b * w, a * w, a * b
        slopes = nudge(lambda a: np.sum(a * b * w), a), nudge(lambda b: np.sum(a * b * w), b)
        return *slopes, nudge(lambda w: np.sum(a * b * w), w)

    bg.derivatives.two_step_gradients = two_step_gradients

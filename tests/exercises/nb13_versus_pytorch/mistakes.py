"""The wrong idea about notebook 13 that is no edit: it would be asked for ever."""

import numpy as np

from grader.course.exercise import wrong

from .exercises import rates


@wrong(
    rates,
    "every way by itself",
    "The rates are right, but each input is computed again for every use of it: with 30 doublings that makes a "
    "billion visits. In the topological order every node comes once, after its inputs, and its rate is kept.",
)
def _(bg):
    def rate_of(output, rates, left=None):
        left = [100_000] if left is None else left
        left[0] -= 1
        if left[0] < 0:
            raise TimeoutError("it takes for ever")
        if output._op is None:
            return rates.get(output, np.zeros(output.shape))
        return bg.forward_mode.moved(output, [rate_of(x, rates, left) for x in output._inputs])

    bg.forward_mode.rate_of = rate_of

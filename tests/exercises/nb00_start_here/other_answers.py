"""Right solutions of notebook 00 in other styles."""

import numpy as np


def variant_0_1_numpy(bg):
    """A number of NumPy's."""
    bg.warmup.area = lambda width, height: np.multiply(width, height)


def variant_0_1_other_way_round(bg):
    """Height times width, and never a whole number."""
    bg.warmup.area = lambda width, height: float(height) * width


def variant_0_2_on_one_line(bg):
    """A list of bools: True is as good as 1."""
    bg.warmup.sides = lambda points, slope, start: [not y > slope * x + start for x, y in points]


def variant_0_2_by_the_difference(bg):
    """Counted by index, and the sign of what is left over the line."""

    def sides(points, slope, start):
        answers = [1] * len(points)
        for i in range(len(points)):
            if points[i][1] - start - points[i][0] * slope > 0:
                answers[i] = 0
        return answers

    bg.warmup.sides = sides


def variant_0_2_numpy_counts(bg):
    """Numbers of NumPy's in a list."""
    bg.warmup.sides = lambda points, slope, start: [np.int64(y <= slope * x + start) for x, y in points]


def variant_0_3_the_other_one_is_right(bg):
    """A tuple, and it is the second number that is off: by less than 1."""
    bg.hunts.three_measures = lambda truth: (truth[0], truth[1] - 0.5)

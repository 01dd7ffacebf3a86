"""Right solutions of notebook 00 in other styles."""

import numpy as np


def variant_0_1_numpy(bg):
    """A number of NumPy's."""
    bg.warmup.area = lambda width, height: np.multiply(width, height)


def variant_0_1_other_way_round(bg):
    """Height times width, and never a whole number."""
    bg.warmup.area = lambda width, height: float(height) * width

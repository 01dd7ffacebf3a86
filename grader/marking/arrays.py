"""What is compared of NumPy's arrays. Nothing imports this module before there is an array."""

import numpy as np


def close(want, got, rtol, atol):
    """Are two arrays of one shape the same, or as near as that? NaN is as NaN."""
    if (want == got).all():
        return True
    if want.dtype.kind in "iub":
        want = want.astype(float)
    return bool(np.allclose(got, want, rtol=rtol, atol=atol, equal_nan=True))


def places(array):
    """The index of each number, in order."""
    return np.ndindex(array.shape)

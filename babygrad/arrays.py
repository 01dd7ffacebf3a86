"""What a Tensor may be made of.

Given.
"""

import numpy as np


def as_array(data, dtype=None):
    """The numbers as a new ndarray of a floating-point dtype.

    data: a number, a list of numbers (or of lists ...), an array or a Tensor.
    dtype: a floating-point dtype; None keeps that of an array of floats, and makes anything else float64.
    Raises TypeError for anything but real numbers, ValueError for rows of different lengths.
    """
    if hasattr(data, "_inputs"):  # a Tensor
        data = data.data
    try:
        array = np.array(data)
    except ValueError:
        raise ValueError(f"the rows of {data!r} have different lengths, so they make no array") from None
    if array.dtype.kind not in "fiub":
        raise TypeError(f"a Tensor holds real numbers, but {data!r} is of type {type(data).__name__}{elements(array)}")
    if dtype is not None and np.dtype(dtype).kind != "f":
        raise TypeError(f"the dtype of a Tensor is a floating-point one, such as float64, but it is {np.dtype(dtype)}")
    if dtype is None:
        dtype = array.dtype.newbyteorder("=") if array.dtype.kind == "f" else np.float64
    return array.astype(dtype, copy=False)


def plain_array(x):
    """x as an ndarray, not copied if it is one: an array, a list, or a Tensor, whose array is taken."""
    return x.data if hasattr(x, "_inputs") else np.asarray(x)


def elements(array):
    """What kind of thing an array holds, if its type does not tell."""
    return f" and holds {array.dtype} elements" if array.ndim else ""

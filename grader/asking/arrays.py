"""NumPy's arrays among the answers. Nothing imports this module before there is an array."""

import math
import re

import numpy as np

KINDS = "fiub"
MOST_AXES = 64  # that an array of NumPy can have

_DTYPE = re.compile(r"[<>|=][fiub][1248]")


def plain(x, most):
    """An array of NumPy's own class; of a single number, Python's own. None if it is neither, or of more bytes."""
    if x.dtype.kind not in KINDS or x.dtype.itemsize > 8 or x.nbytes > most:  # a long double does not fit into a float
        return None
    return x.item() if isinstance(x, np.generic) else np.array(x, order="C", subok=False)


def from_bytes(data, dtype, shape, take):
    """The array of which a stranger tells dtype and shape. Its numbers begin in data at take(how many bytes).

    Raises ValueError for what no array of such numbers has.
    """
    if not _DTYPE.fullmatch(dtype) or type(shape) is not list or len(shape) > MOST_AXES:
        raise ValueError("an array of another kind")
    if not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError("an array of a size that cannot be")
    dtype, count = np.dtype(dtype), math.prod(shape)
    return np.frombuffer(data, dtype, count, take(count * dtype.itemsize)).reshape(shape).copy()


def save(path, parts):
    """Write {dtype: [flat arrays]} to one npz file."""
    np.savez_compressed(path, **{kind: np.concatenate(parts[kind]) for kind in sorted(parts)})


def load(path):
    """{dtype: all numbers of it}"""
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)

"""What a Tensor may be made of; and a state (names and numbers) in a file: npz, which holds arrays and no code.

Given.
"""

import io
import os
import zipfile
from pathlib import Path

import numpy as np

KINDS = "fiubU"  # floats, integers, truth values, texts: an array of Python objects would need pickle


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


# A state in a file.


def save(state, path):
    """Write {name: array or number or text} to a file. An older file is replaced only when the new one is complete.

    state: a dict, or anything with a state_dict().  path: the file; ".npz" is not added.
    Raises TypeError for a value that is none of these.
    """
    arrays = arrays_of(state.state_dict() if hasattr(state, "state_dict") else state)
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(arrays, beside)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def arrays_of(state):
    """{name: array}.  Raises TypeError that names a value which only pickle could write."""
    arrays = {name: np.asarray(value) for name, value in state.items()}
    for name, array in arrays.items():
        if array.dtype.kind not in KINDS:
            raise TypeError(f"a state holds numbers, arrays and texts, but {name!r} is a {type(state[name]).__name__}")
    return arrays


def write(arrays, path):
    """An npz file, as np.savez writes it. (That one has no room for an array whose name is "file".)"""
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def load(path):
    """{name: array}, as `save` wrote it. Nothing in the file is ever run.

    Raises FileNotFoundError, or ValueError if the file is not one that `save` wrote, or is damaged.
    """
    content = Path(path).read_bytes()
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            state = {name: file[name] for name in file.files}
    except Exception:  # a damaged byte can make zipfile and NumPy raise almost anything
        state = None
    if state is None or any(getattr(array, "dtype", np.dtype("O")).kind not in KINDS for array in state.values()):
        raise ValueError(f"{path} is not a saved state, or it is damaged: it cannot be read")
    return state

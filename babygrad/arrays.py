"""Of arrays alone: what a Tensor may be made of, data dealt in batches (DataLoader), a state in a file (save, load).

Given.
"""

import io
import operator
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


# Data in batches.


class DataLoader:
    """Deals data in batches: `for x_batch, y_batch in loader` is one pass over all rows, an epoch.

    x, y: arrays, or what NumPy makes one of, of equal length. They are not copied; each batch is.
    batch_size: rows in a batch. The last batch has what is left; drop_last leaves it out unless it is full.
    shuffle: deal the rows of each pass in a new order; otherwise as they come.
    seed: a whole number. The order of pass k depends on seed and k alone.

    .dataset: (x, y) as arrays.
    .epoch: how many passes were begun, by a loop or by iter(). Set it to k, and the next pass is pass k (counted from
    0): a training run that goes on after k passes is dealt the batches it would have been dealt.
    len(loader): the number of batches in a pass.
    Raises ValueError for x and y of different lengths, no rows, no full batch with drop_last, or a batch_size below 1;
    TypeError for a batch_size that is not an int.
    Source: torch.utils.data.DataLoader.
    """

    def __init__(self, x, y, batch_size, shuffle=True, seed=0, drop_last=False):
        self.dataset = paired(x, y)
        self.batch_size = whole_number("batch_size", batch_size, 1)
        self.shuffle = shuffle
        self.seed = whole_number("seed", seed, 0)
        self.drop_last = drop_last
        self.epoch = 0
        if len(self) == 0:
            rows = len(self.dataset[0])
            raise ValueError(
                f"with drop_last nothing would be dealt: {rows} rows are less than one batch of {self.batch_size}; "
                "take a smaller batch_size"
            )

    @property
    def epoch(self):
        """How many passes were begun."""
        return self._epoch

    @epoch.setter
    def epoch(self, passes):
        self._epoch = whole_number("epoch", passes, 0)

    def __len__(self):
        """Batches in a pass."""
        full, left = divmod(len(self.dataset[0]), self.batch_size)
        return full + (left > 0 and not self.drop_last)

    def __iter__(self):
        """One pass: pairs (x_batch, y_batch). Passes may run side by side."""
        x, y = self.dataset
        batches = self._batches(self.epoch)
        self.epoch += 1
        return ((x.take(rows, 0), y.take(rows, 0)) for rows in batches)  # the same as x[rows], in a fifth of the time

    def _batches(self, epoch):
        """The row numbers of each batch of a pass."""
        rows, size = len(self.dataset[0]), self.batch_size
        order = np.random.default_rng((self.seed, epoch)).permutation(rows) if self.shuffle else np.arange(rows)
        return [order[start : start + size] for start in range(0, len(self) * size, size)]


def paired(x, y):
    """x and y as arrays with as many rows, at least one. Raises ValueError."""
    x, y = with_rows("x", x), with_rows("y", y)
    if len(x) != len(y):
        raise ValueError(f"each row of x needs its row of y, but x has {len(x)} rows and y has {len(y)}")
    if len(x) == 0:
        raise ValueError("x and y are empty: there is nothing to deal")
    return x, y


def with_rows(name, data):
    """data as an array of at least one axis; a Tensor gives its numbers."""
    try:
        array = np.asarray(data.data if hasattr(data, "_inputs") else data)
    except ValueError:
        raise ValueError(f"{name} is not an array: its rows have different lengths") from None
    if array.ndim == 0:
        raise ValueError(f"{name} must be an array with a row for each example, but it is {data!r}")
    return array


def whole_number(name, number, least):
    """number as an int, at least `least`. Raises TypeError or ValueError that name it."""
    try:
        whole = operator.index(number)
    except TypeError:
        whole = None
    if whole is None or isinstance(number, bool):
        raise TypeError(f"{name} must be a whole number, but it is {number!r}")
    if whole < least:
        raise ValueError(f"{name} must be at least {least}, but it is {whole}")
    return whole


# A state (names and numbers) in a file: npz, which holds arrays and no code.


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

"""Answers and draws in files: JSON that says of each value what it is, and the numbers of arrays beside it in an npz.

A plain value stands for itself. Of what is more, {"a": ...} is an array, {"s": ...} a NumPy number, {"d": ...} a dict,
{"r": ...} a record such as Raised. Equal arrays are kept once. No code, no pickle: reading runs nothing.
"""

import json
import math

import numpy as np

from ..course.exercise import DidNotRaise, Form, Raised, Sealed
from .ask import Outcome, Stopped
from .wire import Other

_RECORDS = {kind.__name__: kind for kind in (Outcome, Stopped, Raised, DidNotRaise, Form, Other, Sealed)}


class Writer:
    """Collects arrays while values are packed into what JSON can say; then writes both files."""

    def __init__(self):
        self._parts, self._sizes, self._places = {}, {}, {}

    def packed(self, x):
        """x as JSON can say it.  Raises TypeError for what has no place in these files."""
        if isinstance(x, np.ndarray):
            return {"a": [x.dtype.str, list(x.shape), self._place(x)]}
        if isinstance(x, np.generic):
            return {"s": [x.dtype.str, self._place(np.asarray(x))]}
        if isinstance(x, float) and not math.isfinite(x):
            return {"f": repr(x)}
        if x is None or isinstance(x, (bool, int, float, str)):
            return x
        if isinstance(x, dict):
            return {"d": [[name, self.packed(value)] for name, value in x.items()]}
        if isinstance(x, (list, tuple)):
            return [self.packed(value) for value in x]
        fields = {name: self.packed(getattr(x, name)) for name in x.__dataclass_fields__}
        return {"r": [_RECORDS[type(x).__name__].__name__, fields]}

    def _place(self, array):
        """Where the array's numbers begin among all of its type."""
        kind, numbers = array.dtype.str, np.ascontiguousarray(array).reshape(-1)
        key = kind, numbers.tobytes()
        if key not in self._places:
            self._places[key] = self._sizes.get(kind, 0)
            self._sizes[kind] = self._places[key] + len(numbers)
            self._parts.setdefault(kind, []).append(numbers)
        return self._places[key]

    def save(self, path, content):
        """Write content (packed values) to path.json, and the arrays to path.npz."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
        arrays = {kind: _steps(np.concatenate(parts)) for kind, parts in sorted(self._parts.items())}
        np.savez_compressed(path.with_suffix(".npz"), **arrays)


class Reader:
    """One pair of files.  content: what path.json says, still packed."""

    def __init__(self, path):
        self.content = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        with np.load(path.with_suffix(".npz"), allow_pickle=False) as arrays:
            self._numbers = {kind: _sums(steps) for kind, steps in arrays.items()}

    def unpacked(self, x):
        """The value that was packed. An array is a new one each time."""
        if isinstance(x, list):
            return [self.unpacked(value) for value in x]
        if not isinstance(x, dict):
            return x
        ((kind, value),) = x.items()
        return getattr(self, f"_unpacked_{kind}")(value)

    def _unpacked_a(self, value):
        kind, shape, place = value
        return self._numbers[kind][place : place + math.prod(shape)].reshape(shape).copy()

    def _unpacked_s(self, value):
        kind, place = value
        return self._numbers[kind][place]

    def _unpacked_f(self, value):
        return float(value)

    def _unpacked_d(self, value):
        return {name: self.unpacked(each) for name, each in value}

    def _unpacked_r(self, value):
        kind, fields = value
        unpacked = {name: self.unpacked(each) for name, each in fields.items()}
        return _RECORDS[kind](**{name: tuple(x) if isinstance(x, list) else x for name, x in unpacked.items()})


def _steps(numbers):
    """Whole numbers as steps from one to the next: an order of 100,000 nodes is then hardly a file."""
    return np.diff(numbers, prepend=numbers.dtype.type(0)) if numbers.dtype.kind in "iu" else numbers


def _sums(steps):
    return np.cumsum(steps, dtype=steps.dtype) if steps.dtype.kind in "iu" else steps

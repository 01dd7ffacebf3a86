"""Recorded values in files: path.json says of each what it is (encoding.py), path.npz holds the numbers of arrays.

Where there are no arrays there is no npz, and NumPy is not asked for; where there is no NumPy, all but arrays is read.
Equal arrays are kept once.
"""

import json
import math
from importlib.util import find_spec

from .encoding import CLASSES, decode, encode, named


class Writer:
    """Collects arrays while values are packed into what JSON can say; then writes both files."""

    def __init__(self):
        self._parts, self._sizes, self._places = {}, {}, {}

    def packed(self, x):
        """x as JSON can say it.  Raises TypeError for what has no place in these files."""
        return encode(x, self)

    def put(self, array):
        """Its dtype and shape, and where its numbers begin among all of this dtype."""
        kind, numbers = array.dtype.str, array.reshape(-1)
        key = kind, numbers.tobytes()
        if key not in self._places:
            self._places[key] = self._sizes.get(kind, 0)
            self._sizes[kind] = self._places[key] + len(numbers)
            self._parts.setdefault(kind, []).append(numbers)
        return [kind, list(array.shape), self._places[key]]

    def save(self, path, content):
        """Write content (packed values) to path.json, and the arrays, if there are any, to path.npz."""
        said = {"arrays": sorted(self._parts), "content": content}
        text = json.dumps(said, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
        if self._parts:
            from . import arrays

            arrays.save(path.with_suffix(".npz"), self._parts)


class Reader:
    """What a Writer saved.  content: still packed."""

    classes = named(CLASSES)

    def __init__(self, path):
        said = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        self.content, self._numbers = said["content"], {}
        if said["arrays"] and find_spec("numpy"):
            from . import arrays

            self._numbers = arrays.load(path.with_suffix(".npz"))

    def unpacked(self, x):
        """The value that was packed."""
        return decode(x, self)

    def get(self, place):
        """The array that was put there, a new one each time."""
        kind, shape, begin = place
        return self._numbers[kind][begin : begin + math.prod(shape)].reshape(shape).copy()

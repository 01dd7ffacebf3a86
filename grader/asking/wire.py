"""Values on a pipe: a JSON header (encoding.py), and the bytes of arrays behind it.

Anything but a plain value arrives as Other: the name of its type and the beginning of its repr.
"""

import json
import re
import struct

from .answers import Hashed
from .encoding import CLASSES, MOST_ITEMS, TEXT_LIMIT, decode, encode, is_array, named
from .outcome import Other, Outcome

HEADER_LIMIT = 1 << 18
BYTES_LIMIT = 8 << 20
DEPTH_LIMIT = 6

_SENT = [cls for cls in CLASSES if cls is not Hashed]  # what stands for a number comes from nobody else

_prefix = struct.Struct(">II")


class WireError(Exception):
    """The bytes are not a frame."""


def write_frame(stream, message):
    """Write one message (a dict; Outcomes and arrays may be in it) to a binary stream."""
    stream.write(framed(message))
    stream.flush()


def framed(message):
    """The bytes of one message."""
    header, body = _packed(message)
    if len(header) > HEADER_LIMIT or len(body) > BYTES_LIMIT:
        header, body = _packed(message | {"outcome": Outcome("too large to be sent")})
    return _prefix.pack(len(header), len(body)) + header + body


def read_frame(stream):
    """The next message of the stream, or None at its end.  Raises WireError for anything else."""
    prefix = stream.read(_prefix.size)
    if len(prefix) < _prefix.size:
        return None
    header_size, body_size = _prefix.unpack(prefix)
    if header_size > HEADER_LIMIT or body_size > BYTES_LIMIT:
        raise WireError("a frame is too large")
    header, body = stream.read(header_size), stream.read(body_size)
    if len(header) < header_size or len(body) < body_size:
        return None
    try:
        return _unpacked(header, body)
    except Exception as error:  # a forged header may be wrong in any way
        raise WireError(f"a frame cannot be read: {type(error).__name__}") from error


def through_the_wire(message):
    """The message as the other side of a pipe would see it."""
    return _unpacked(*_packed(message))


def size(x):
    """About how many bytes a decoded value takes."""
    if hasattr(x, "nbytes"):
        return x.nbytes
    if isinstance(x, str):
        return len(x)
    if isinstance(x, dict):
        return sum(16 + size(name) + size(value) for name, value in x.items())
    if isinstance(x, (list, tuple)):
        return sum(16 + size(item) for item in x)
    return sum(size(getattr(x, name)) for name in getattr(x, "__dataclass_fields__", ())) or 16


def _packed(message):
    """The header and the body of a frame."""
    arrays = _ArraysToSend()
    header = json.dumps(encode(_plain(message), arrays)).encode()
    return header, b"".join(arrays.parts)


def _unpacked(header, body):
    return decode(json.loads(header), _ReceivedArrays(body))


class _ArraysToSend:
    def __init__(self):
        self.parts = []

    def put(self, array):
        self.parts.append(array.tobytes())
        return [array.dtype.str, array.shape]


class _ReceivedArrays:
    """The bytes behind a header. The arrays stand in it one behind the other, so none can be sent a thousand times."""

    classes = named(_SENT)

    def __init__(self, data):
        self._data, self._taken = data, 0

    def get(self, place):
        from .arrays import from_bytes

        return from_bytes(self._data, *place, self._take)

    def _take(self, count):
        """The place of the next count bytes.  Raises WireError if there are not so many."""
        place, self._taken = self._taken, self._taken + count
        if self._taken > len(self._data):
            raise WireError("an array's size does not fit")
        return place


def _plain(x, depth=0):
    """x as a plain value: texts cut, subclasses of numbers made plain ones, and an Other for anything else."""
    kind = type(x)
    if depth > DEPTH_LIMIT:
        return _other(x)
    if x is None or kind is bool:
        return x
    if kind is str:
        return x[:TEXT_LIMIT]
    if is_array(x):
        return _plain_array(x)
    if isinstance(x, (int, float)):
        return _number(x)
    if kind in (dict, list, tuple) and len(x) > MOST_ITEMS:
        return _other(x)
    if kind is dict:
        return {str(name): _plain(value, depth + 1) for name, value in x.items()}
    if kind in (list, tuple):
        return [_plain(item, depth + 1) for item in x]
    if kind in _SENT:
        return kind(**{name: _plain(getattr(x, name), depth) for name in kind.__dataclass_fields__})
    return _other(x)


def _number(x):
    if isinstance(x, int):
        return int(x) if abs(x) < 1 << 1000 else _other(x)
    return float(x)


def _plain_array(x):
    from .arrays import plain

    found = plain(x, BYTES_LIMIT // 4)
    return _other(x) if found is None else found


def _other(x):
    try:
        text = re.sub(r" at 0x[0-9a-fA-F]+", "", repr(x))[:200]
    except Exception:  # a repr is learner code
        text = "(its repr fails)"
    return Other(type(x).__name__, text)

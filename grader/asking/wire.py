"""Values on a pipe: a JSON header and raw bytes. Never pickle, so that reading a value cannot run code.

An answer is turned into JSON that says of each part what it is; arrays travel as bytes behind it.
Anything but a plain value arrives as Other: the name of its type and the beginning of its repr.
"""

import json
import math
import re
import struct
from dataclasses import dataclass

from ..course.exercise import DidNotRaise, Form, Raised
from .ask import Frame, Outcome, Stopped

HEADER_LIMIT = 1 << 20
BYTES_LIMIT = 8 << 20
TEXT_LIMIT = 4000
MOST_ITEMS = 10_000  # of a list or a dict
DEPTH_LIMIT = 6
ARRAY_KINDS = "fiub"
MOST_AXES = 64  # that an array of NumPy can have

_DTYPE = re.compile(r"[<>|=][fiub][1248]")

_prefix = struct.Struct(">II")


class WireError(Exception):
    """The bytes are not a frame."""


@dataclass(frozen=True)
class Other:
    """Something other than a plain value."""

    type: str
    text: str


def write_frame(stream, message):
    """Write one message (a dict; Outcomes and arrays may be in it) to a binary stream."""
    header, body = _packed(message)
    if len(header) > HEADER_LIMIT or len(body) > BYTES_LIMIT:
        header, body = _packed(message | {"outcome": Outcome("too large to be sent")})
    stream.write(_prefix.pack(len(header), len(body)) + header + body)
    stream.flush()


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
        return _decode(json.loads(header), _Body(body))
    except Exception as error:  # a forged header may be wrong in any way
        raise WireError(f"a frame cannot be read: {type(error).__name__}") from error


def through_the_wire(message):
    """The message as the other side of a pipe would see it."""
    header, body = _packed(message)
    return _decode(json.loads(header), _Body(body))


class _Body:
    """The bytes behind a header. The arrays stand in it one behind the other, so none can be sent a thousand times."""

    def __init__(self, data):
        self.data, self.taken = data, 0

    def take(self, count):
        """The place of the next count bytes.  Raises WireError if there are not so many."""
        place, self.taken = self.taken, self.taken + count
        if self.taken > len(self.data):
            raise WireError("an array's size does not fit")
        return place


def _packed(message):
    """The header and the body of a frame."""
    arrays = []
    header = json.dumps(_encode(message, arrays, 0)).encode()
    return header, b"".join(arrays)


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


def _encode(x, arrays, depth):
    kind = type(x)
    if depth > DEPTH_LIMIT:
        return _other(x)
    if x is None or kind is bool:
        return {"k": "plain", "v": x}
    if kind is str:
        return {"k": "plain", "v": x[:TEXT_LIMIT]}
    if isinstance(x, (int, float)) and not hasattr(x, "dtype"):
        return _number(x)
    if kind in (dict, list, tuple) and len(x) > MOST_ITEMS:
        return _other(x)
    if kind is dict:
        return {"k": "dict", "v": [[str(n), _encode(v, arrays, depth + 1)] for n, v in x.items()]}
    if kind in (list, tuple):
        return {"k": "list", "v": [_encode(v, arrays, depth + 1) for v in x]}
    if kind in _RECORDS:
        fields = {n: _encode(getattr(x, n), arrays, depth) for n in x.__dataclass_fields__}
        return {"k": kind.__name__, "v": fields}
    return _array(x, arrays) if _is_plain_array(x) else _other(x)


def _number(x):
    if isinstance(x, int) and abs(x) >= 1 << 1000:
        return _other(x)
    return {"k": "plain", "v": int(x) if isinstance(x, int) else float(x)}


def _is_plain_array(x):
    import numpy as np

    if not isinstance(x, (np.ndarray, np.generic)) or x.dtype.kind not in ARRAY_KINDS:
        return False
    return x.dtype.itemsize <= 8  # a long double does not fit into a Python number


def _array(x, arrays):
    import numpy as np

    plain = np.array(x, order="C", subok=False)
    if plain.nbytes > BYTES_LIMIT // 4:
        return _other(x)
    if isinstance(x, np.generic):
        return {"k": "plain", "v": plain.item()}
    arrays.append(plain.tobytes())
    return {"k": "array", "dtype": plain.dtype.str, "shape": plain.shape}


def _other(x):
    try:
        text = re.sub(r" at 0x[0-9a-fA-F]+", "", repr(x))[:200]
    except Exception:  # a repr is learner code
        text = "(its repr fails)"
    return {"k": "Other", "v": {"type": _plain(type(x).__name__), "text": _plain(text)}}


def _plain(text):
    return {"k": "plain", "v": text}


def _decode(x, body, depth=0):
    """The sender may be a stranger: whatever write_frame would not have written is refused."""
    kind, value = x["k"], x.get("v")
    if depth > 2 * DEPTH_LIMIT:
        raise WireError("a message in too many layers")
    if kind == "plain":
        return _decode_plain(value)
    if kind == "dict":
        return {_decode_plain(str(name)): _decode(v, body, depth + 1) for name, v in value}
    if kind == "list":
        return [_decode(v, body, depth + 1) for v in value]
    if kind == "array":
        return _decode_array(x, body)
    return _decode_record(_RECORD_BY_NAME[kind], value, body, depth)


def _decode_plain(value):
    if value is None or type(value) in (bool, float):
        return value
    if type(value) is str:
        return value[:TEXT_LIMIT]
    if type(value) is int and abs(value) < 1 << 1000:
        return value
    raise WireError("a plain value of another kind")


def _decode_record(record, value, body, depth):
    """Each field of the type that the record's class says."""
    fields = {name: _decode(value[name], body, depth + 1) for name in record.__dataclass_fields__}
    for name, field in record.__dataclass_fields__.items():
        if field.type is tuple and type(fields[name]) is list:
            fields[name] = tuple(fields[name])
        if field.type is not object and type(fields[name]) is not field.type:
            raise WireError(f"a {record.__name__} with an odd {name}")
        if field.type is tuple and not all(type(item) is _INSIDE[name] for item in fields[name]):
            raise WireError(f"a {record.__name__} with odd {name}")
    return record(**fields)


def _decode_array(x, body):
    import numpy as np

    if not _DTYPE.fullmatch(x["dtype"]) or type(x["shape"]) is not list or len(x["shape"]) > MOST_AXES:
        raise WireError("an array of another kind")
    dtype, shape = np.dtype(x["dtype"]), tuple(int(n) for n in x["shape"])
    if min(shape, default=0) < 0:
        raise WireError("an array of a size that cannot be")
    count = math.prod(shape)
    return np.frombuffer(body.data, dtype, count, body.take(count * dtype.itemsize)).reshape(shape).copy()


_INSIDE = {"frames": Frame, "bases": str}  # what a record's tuples hold
_RECORDS = (Outcome, Stopped, Frame, Raised, DidNotRaise, Form, Other)
_RECORD_BY_NAME = {record.__name__: record for record in _RECORDS}

"""Plain values as JSON says them, on a pipe and in files. Never pickle, so that reading a value cannot run code.

None, truth values, finite numbers, texts and lists stand for themselves. {"f": "nan"} is a number that JSON has no
word for, {"d": [[name, value], ...]} a dict, {"r": [class, {field: value}]} an instance of one of CLASSES, and
{"a": ...} an array. Its numbers are kept by a store, of which a pipe has one (wire.py) and files have another
(files.py):

    store.put(array)  keeps an array; returns what finds it again, as JSON can say it
    store.get(place)  the array that is found there, a new one each time
    store.classes     those of CLASSES that may come from it, by name
"""

import math
import sys

from .answers import DidNotRaise, Form, Hashed, Raised
from .outcome import Frame, Other, Outcome, Stopped

TEXT_LIMIT = 4000
MOST_ITEMS = 10_000  # of a list or a dict
DEPTH_LIMIT = 12

CLASSES = (Outcome, Stopped, Frame, Raised, DidNotRaise, Form, Other, Hashed)
_INSIDE = {"frames": Frame, "bases": str}  # what their tuples hold
_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class EncodingError(ValueError):
    """This is not what encode writes."""


def is_array(x):
    """Is it NumPy's, an array or a single number? There is none before NumPy was imported."""
    np = sys.modules.get("numpy")
    return np is not None and isinstance(x, (np.ndarray, np.generic))


def encode(x, store):
    """x as JSON can say it.  Raises TypeError for what is no plain value."""
    kind = type(x)
    if x is None or kind in (bool, int, str):
        return x
    if kind is float:
        return x if math.isfinite(x) else {"f": repr(x)}
    if kind in (list, tuple):
        return [encode(item, store) for item in x]
    if kind is dict:
        return {"d": [[name, encode(value, store)] for name, value in x.items()]}
    if kind in CLASSES:
        return {"r": [kind.__name__, {name: encode(getattr(x, name), store) for name in kind.__dataclass_fields__}]}
    if is_array(x):
        return {"a": store.put(x)}
    raise TypeError(f"a {kind.__name__} is no plain value")


def decode(x, store, depth=0):
    """The value. The writer may be a stranger: whatever encode would not have written is refused, as EncodingError."""
    if depth > DEPTH_LIMIT:
        raise EncodingError("a value in too many layers")
    if type(x) is list:
        return [decode(item, store, depth + 1) for item in _not_too_many(x)]
    if type(x) is not dict:
        return _plain(x)
    ((kind, said),) = x.items()
    if kind == "a":
        return store.get(said)
    if kind == "f":
        return _NOT_FINITE[said]
    if kind == "d":
        return {_text(name): decode(value, store, depth + 1) for name, value in _not_too_many(said)}
    if kind == "r":
        name, fields = said
        return _instance(store.classes[name], fields, store, depth)
    raise EncodingError("a value of another kind")


def named(classes):
    """The classes by name, as a store tells them."""
    return {cls.__name__: cls for cls in classes}


def _not_too_many(items):
    if type(items) is not list or len(items) > MOST_ITEMS:
        raise EncodingError("too many things in one")
    return items


def _plain(x):
    if x is None or type(x) in (bool, float) or (type(x) is int and abs(x) < 1 << 1000):
        return x
    return _text(x)


def _text(x):
    if type(x) is not str:
        raise EncodingError("a plain value of another kind")
    return x[:TEXT_LIMIT]


def _instance(cls, said, store, depth):
    """Each field of the type that its class says."""
    fields = {name: decode(said[name], store, depth + 1) for name in cls.__dataclass_fields__}
    for name, field in cls.__dataclass_fields__.items():
        if field.type is tuple and type(fields[name]) is list:
            fields[name] = tuple(fields[name])
        if field.type is not object and type(fields[name]) is not field.type:
            raise EncodingError(f"a {cls.__name__} with an odd {name}")
        if field.type is tuple and not all(type(item) is _INSIDE[name] for item in fields[name]):
            raise EncodingError(f"a {cls.__name__} with odd {name}")
    return cls(**fields)

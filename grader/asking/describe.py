"""A value in words, short enough for a sentence."""

import math
from itertools import islice

from .answers import DidNotRaise, Form, Raised
from .ask import kind_of
from .outcome import Other

SHOWN_ELEMENTS = 12
SHOWN_LAYERS = 3
SHOWN_CHARACTERS = 300


def describe(x, precision=6, layers=SHOWN_LAYERS):
    """A value in words, short enough for a sentence.  layers: of lists in lists that are shown."""
    if isinstance(x, Raised):
        return f"{x.type}: {x.message}"
    if isinstance(x, Form):
        return x.words
    if isinstance(x, DidNotRaise):
        return f"no exception ({describe(x.returned, precision, layers - 1)})" if layers else "no exception"
    if isinstance(x, Other):
        return f"{x.text} ({with_article(x.type)})"
    if is_array(x):
        return _described_array(x, precision)
    if isinstance(x, (list, dict)):
        return _described_items(x, precision, layers)
    if isinstance(x, float):
        return _described_float(x, precision)
    if isinstance(x, str):
        return _in_short(x, repr)
    return kind_of(x) if x is None else repr(x)


def _in_short(text, shown=str):
    """A text, or its beginning."""
    return shown(text) if len(text) <= SHOWN_CHARACTERS else shown(text[:SHOWN_CHARACTERS]) + "..."


def _described_items(x, precision, layers):
    """A list or a dict."""
    opening, closing = "{}" if isinstance(x, dict) else "[]"
    if not layers:
        return f"{opening}...{closing}" if x else opening + closing
    items = islice(x.items() if isinstance(x, dict) else enumerate(x), SHOWN_ELEMENTS)
    shown = [
        (f"{_in_short(name)}: " if isinstance(x, dict) else "") + describe(item, precision, layers - 1)
        for name, item in items
    ]
    return opening + ", ".join(shown + ["..."] * (len(x) > SHOWN_ELEMENTS)) + closing


def with_article(noun):
    return f"an {noun}" if noun[:1] in ("A", "E", "I", "O") else f"a {noun}"


def is_array(x):
    return hasattr(x, "dtype")


def _described_float(x, precision):
    if math.isfinite(x) and x == round(x, 6) and abs(x) < 1e6:
        return repr(round(x, 6))
    return f"{x:.{precision}g}"


def _described_array(x, precision):
    """Its numbers, if they are few. One without numbers may still have a billion rows."""
    few = 0 < x.size <= SHOWN_ELEMENTS
    return describe(x.tolist(), precision, x.ndim) if few else f"an array of shape {x.shape}"

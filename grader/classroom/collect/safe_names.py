"""Names from outside: how they are shown, and what a student is called."""

import hashlib
from collections import Counter

SPACE = "\\x20"
DIGEST = 16


def shown(name, length=80):
    """A name of unknown origin on one line: what cannot be seen, or changes what can, is written as \\u202e."""
    text = "".join(map(_visible, name[: length + 1]))
    return text if len(text) <= length else text[: length - 1] + "…"


def identity(name):
    """The name as a student's name in all output: like shown, but two different names never become one.

    Spaces around it are written out too: a hand-in called "ada " must not turn "ada" into one of two of that name.
    """
    inner = name[:1000].strip(" ")
    before, _, after = name[:1000].partition(inner) if inner else (name[:1000], "", "")
    text = before.replace(" ", SPACE) + "".join(map(_visible, inner)) + after.replace(" ", SPACE)
    return text if text and len(text) <= 100 and len(name) <= 1000 else f"{text[:80]}…{digest(name)}"


def told_apart(names):
    """{id: what to show}: the name, and where several have it, the id behind it.  names: {id: name}."""
    times = Counter(names.values())
    return {id: f"{name} ({id})" if times[name] > 1 and name != id else name for id, name in names.items()}


def _visible(letter):
    if letter == "\\":
        return "\\\\"
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()


def digest(text):
    """Hex digits that stand for the text; so many that no second text with the same digits can be found."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST]

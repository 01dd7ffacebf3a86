"""The ways through the course: one evening, the core, everything. Each holds the one before it."""

from .usage import UsageError

EVENING, CORE, STRETCH = "evening", "core", "stretch"  # what a section or an exercise is marked with
MARKS = (EVENING, CORE, STRETCH)
WAYS = {"evening": (EVENING,), "core": (EVENING, CORE), "everything": MARKS}


def way(name):
    """The marks of what lies on the way of this name.  Raises UsageError."""
    if name not in WAYS:
        raise UsageError(f"There is no way {name!r}. There are: {', '.join(WAYS)}.")
    return WAYS[name]


def longer(one, other):
    """Of two marks the one that fewer ways have."""
    return max(one, other, key=MARKS.index)

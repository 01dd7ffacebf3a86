"""The ways through the course: one evening, the core, everything. Each holds the one before it."""

EVENING, CORE, STRETCH = "evening", "core", "stretch"  # what a section or an exercise is marked with
MARKS = (EVENING, CORE, STRETCH)
EVERYTHING = "everything"
WAYS = {"evening": (EVENING,), "core": (EVENING, CORE), EVERYTHING: MARKS}


def after(name):
    """The name of the next longer way; "" after the longest."""
    names = list(WAYS)
    return "".join(names[names.index(name) + 1 :][:1])


def longer(one, other):
    """Of two marks the one that fewer ways have."""
    return max(one, other, key=MARKS.index)

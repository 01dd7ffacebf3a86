"""The tracks through the course: one evening, the core, everything. Each holds the one before it."""

EVENING, CORE, STRETCH = "evening", "core", "stretch"  # what a section or an exercise is marked with
MARKS = (EVENING, CORE, STRETCH)
EVERYTHING = "everything"
TRACKS = {"evening": (EVENING,), "core": (EVENING, CORE), EVERYTHING: MARKS}


def after(name):
    """The name of the next longer track; "" after the longest."""
    names = list(TRACKS)
    return "".join(names[names.index(name) + 1 :][:1])


def longer(one, other):
    """Of two marks the one that fewer tracks have."""
    return max(one, other, key=MARKS.index)

"""How much of a hand-in is looked at, and what is not: the rules that folders and zips share."""

import re
from dataclasses import dataclass
from datetime import datetime

MAX_FILE = 1024 * 1024  # bytes of one file of a learner
MAX_ENTRIES = 50_000  # files in one hand-in
MAX_HELD = 64 * 1024 * 1024  # bytes of an archive that lies in another one, or in a student's folder
MAX_DEPTH = 16  # folders below each other
MAX_NAME, MAX_PART = 1024, 255  # characters of a path, and of one name in it

# Folders that hold no work of a learner, wherever they stand.
NEVER = {
    *("stubs", ".babygrad", "__MACOSX", ".venv", "venv", ".ipynb_checkpoints"),
    *(".git", "__pycache__", "node_modules", "site-packages"),
}


class Malformed(Exception):
    """A hand-in that cannot be read. The text goes on after its name: "is cut short"."""


@dataclass
class Unread(Exception):
    """Raised, or given in place of a file's bytes: why there are none. why: a key of WHY."""

    why: str


@dataclass(frozen=True)
class Entry:
    """One file of a hand-in.  path: its names from the top.  key: where its folder or archive finds it.

    odd: "", or why it is never read (a key of WHY).
    """

    path: tuple
    key: object
    when: datetime | None = None
    odd: str = ""


# What is said of one such file, and of several.
WHY = {
    "link": ("is a link and was not followed", "are links and were not followed"),
    "hard": ("is a hard link and was not read", "are hard links and were not read"),
    "device": ("is not an ordinary file and was not read", "are not ordinary files and were not read"),
    "outside": (
        "would be outside the hand-in and was skipped",
        "would be outside the hand-in and were skipped",
    ),
    "long": ("has a name that is too long and was skipped", "have names that are too long and were skipped"),
    "deep": ("is nested too deep and was not looked at", "are nested too deep and were not looked at"),
    "locked": ("is encrypted and was not read", "are encrypted and were not read"),
    "packing": ("is compressed in a way that is not supported", "are compressed in a way that is not supported"),
    "closed": ("may not be read (permission denied)", "may not be read (permission denied)"),
    "gone": ("changed while it was read, and was skipped", "changed while they were read, and were skipped"),
    "broken": ("is corrupt in the archive and was not read", "are corrupt in the archive and were not read"),
    "large": (
        f"is larger than {MAX_FILE >> 20} MB and was not read",
        f"are larger than {MAX_FILE >> 20} MB and were not read",
    ),
}


def safe_path(name):
    """(parts, odd) of a name in an archive. Parts that lead upward are kept, for the note; odd says so."""
    if len(name) > MAX_NAME:
        return (name[:MAX_NAME],), "long"
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if name.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", name) or not parts:
        return parts or (name,), "outside"
    if any(len(part) > MAX_PART for part in parts):
        return parts, "long"
    return parts, "deep" if len(parts) > MAX_DEPTH else ""

"""Names from outside: how they are shown, what a student is called, and folders' names that are safe everywhere."""

import hashlib
import re
import unicodedata
from collections import Counter

SPACE = "\\x20"
LONGEST = 64  # characters of a folder's name
DIGEST = 16
WINDOWS = {"con", "prn", "aux", "nul", "conin$", "conout$", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))}
OUTPUT = {"index", "grades", "state", "journal", "lock"}  # what stands beside the students' folders


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


def _visible(letter):
    if letter == "\\":
        return "\\\\"
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()


def digest(text):
    """Hex digits that stand for the text; so many that no second text with the same digits can be found."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST]


def safe_folders(students):
    """A folder's name for each student: {student: name}.

    Only ASCII letters, digits, - _ and . ; no name that a system keeps for itself; no two that differ in case only.
    Where several would be the same, each gets a digest of the student's whole name; not so the one who is called
    exactly like the folder, if there is one.
    """
    plain = {student: _safe(student) for student in students}
    times = Counter(name.lower() for name in plain.values())
    exact = Counter(name.lower() for student, name in plain.items() if student == name)
    rivals = {student: (exact if student == name else times)[name.lower()] for student, name in plain.items()}
    alone = {student: rivals[student] == 1 and not _needs_digest(name) for student, name in plain.items()}
    return {student: name if alone[student] else _with_digest(student, name) for student, name in plain.items()}


def _safe(student):
    ascii_only = unicodedata.normalize("NFKD", student).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", ascii_only).strip("._-")
    return "_" + name if name.lower().split(".")[0] in WINDOWS | OUTPUT else name


def _needs_digest(name):
    """Nothing left, too long, or one that could be another name with its digest."""
    return not name or len(name) > LONGEST or bool(re.search(rf"-[0-9a-f]{{{DIGEST}}}$", name.lower()))


def _with_digest(student, name):
    return f"{name[: LONGEST - DIGEST - 1].rstrip('._-') or 'student'}-{digest(student)}"

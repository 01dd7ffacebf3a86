"""What each student's folder is called, as every system can make it."""

import re
import unicodedata
from collections import Counter

from ...course.safe_text import DEVICES
from ..collect.safe_names import DIGEST, digest

LONGEST = 64  # characters
# What stands beside the students' folders.
OUTPUT = {"index", "grades", "state", "journal", "lock", "similar", "exercises", "written"}
OUTPUT |= {"extensions", "marks", *(f"marks-{name}" for name in ("rubric", "comments", "log", "lock", "pending"))}


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
    return "_" + name if name.lower().split(".")[0] in DEVICES | OUTPUT else name


def _needs_digest(name):
    """Nothing left, too long, or one that could be another name with its digest."""
    return not name or len(name) > LONGEST or bool(re.search(rf"-[0-9a-f]{{{DIGEST}}}$", name.lower()))


def _with_digest(student, name):
    return f"{name[: LONGEST - DIGEST - 1].rstrip('._-') or 'student'}-{digest(student)}"

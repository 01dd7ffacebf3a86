"""What the points of a grading are for: the exercises, the written answers, other work that was marked by hand."""

import re
from fractions import Fraction

from ...notebook.answers import KEY
from ..marks.marks import OR

EXERCISES, WRITTEN = "exercises", "written"


def parts_of(record):
    """{EXERCISES, WRITTEN or other work: (points, of how many)} of a record, marks by hand included."""
    items = [(item, _kind(item["item"])) for item in record.get("marks", ())]
    beside = sum(Fraction(str(item["of"])) for item, kind in items if kind != EXERCISES)
    found = {EXERCISES: [sum(row["earned"] for row in record["exercises"]), record["possible"] - beside]}
    for item, kind in items:
        both = found.setdefault(kind, [0, 0])
        both[0] += Fraction(str(item["points"] or 0))
        both[1] += Fraction(str(item["of"])) if kind != EXERCISES else 0
    return {kind: (Fraction(str(earned)), Fraction(str(of))) for kind, (earned, of) in found.items()}


def _kind(item):
    """What an item of marks.csv is a part of: the exercises, the written answers, or work of its own name."""
    if re.fullmatch(r"\d+\.\d+", item):
        return EXERCISES
    return WRITTEN if all(map(KEY.fullmatch, item.split(OR))) else item

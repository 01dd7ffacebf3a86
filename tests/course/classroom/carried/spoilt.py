"""Hand-ins in which some answers are spoilt in their own region, so that both figures of every exercise are known."""

import sys
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "sandbox" / "attacks"))
from attack import into, job, submission

from grader.checking.verdict import earned
from grader.course import catalogue
from grader.sandbox.outside import grading

UNREADABLE = "\n\nsum((1, 2)\n"  # at the end of a file: a parenthesis is missing
TRACKS = ("raise ValueError('spoilt')", "return None")


def exercises(numbers):
    """The Exercises of these notebooks."""
    return [ex for number in numbers for ex in catalogue.exercises_of(number)]


def files(right, spoilt=(), unreadable=(), track=TRACKS[0]):
    """{name inside babygrad/: bytes}: these ids have the right answers, those are spoilt, the others are stubs."""
    edits = [(catalogue.exercise(id).file, into(id, track)) for id in spoilt]
    edits += [(file, lambda text: text + UNREADABLE) for file in unreadable]
    return submission([id for id in right if id not in spoilt], edits)


def figures(handed_in, ids, level, seed=20261122):
    """{id: (status, points as it is, points with errors carried forward, what has to be right first)}."""
    asked = job(handed_in, ids, seed, level)
    rows = grading.grade(asked)["exercises"]
    fails = {row["id"]: row.get("shown", "") for row in rows if row["once"]}
    carried = grading.grade(replace(asked, ids=tuple(fails), carried=fails)) if fails else {}
    assert carried.keys() == fails.keys()
    return {row["id"]: _both(row, carried[row["id"]]["counted"] if row["id"] in carried else 0) for row in rows}


def _both(row, carried):
    points, asked = catalogue.exercise(row["id"]).points, row["asked"]
    figures = (earned(points, counted, asked) for counted in (row["counted"], max(row["counted"], carried)))
    return row["status"], *figures, row["once"]


def dependants(id, among):
    """Those of the Exercises that build on this one."""
    return [ex for ex in among if id in catalogue.all_needs(ex.id)]

"""What decides about grades: the folders that do, and a digest of what is in them.

Who goes on with a grading, joins its shards or lends it workers must have these alike. All else may be changed in
between: what is drawn on pages, points, dates, hints, the learner's commands.
"""

import hashlib
import json
from functools import cache

from ...course.catalogue import all_exercises
from ...course.paths import ROOT
from ...course.rooms import ROOMS

_FILES = {
    "grader": [f"{room.place}/*.py" for room in ROOMS if room.decides],
    "exercises": [f"tests/exercises/{name}" for name in ("nb*/questions.py", "nb*/marking.py", "too_early.json")],
    "misconceptions": ["tests/exercises/nb*/mistakes.*"],
    "reference": ["solutions/babygrad/**/*.py"],
}


def of_a_grading(settings):
    """{what decides about what is asked, and which answer is right: its digest} for this course with these settings."""
    counted = json.dumps([settings["notebooks"], settings["given"]])
    own = {"choice of exercises": counted, "edition's own questions": str(settings["draw"])}
    return {**of_the_course(), **{name: _digest([text.encode()]) for name, text in own.items()}}


@cache
def of_the_course():
    """The same without the settings: what two machines must have alike."""
    pieces = {name: [*_contents(patterns)] for name, patterns in _FILES.items()}
    pieces["exercises"] += [json.dumps([ex.id, ex.file, ex.needs]).encode() for ex in all_exercises()]
    return {name: _digest(each) for name, each in pieces.items()}


def _contents(patterns):
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            yield path.relative_to(ROOT).as_posix().encode()
            yield path.read_bytes().replace(b"\r\n", b"\n")


def _digest(pieces):
    total = hashlib.sha256()
    for piece in pieces:
        total.update(len(piece).to_bytes(8, "little") + piece)
    return total.hexdigest()

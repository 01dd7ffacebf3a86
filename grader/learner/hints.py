"""python -m grader hint: the next of an exercise's three hints."""

import argparse
import json
from dataclasses import dataclass

from ..checking import report
from ..checking.again import files_in
from ..course import catalogue
from ..course.paths import LEARNER
from . import memory


def add_arguments(parser):
    parser.add_argument("exercise", help="such as 2.1")
    parser.add_argument("--mimebundle", action="store_true", help=argparse.SUPPRESS)  # for the notebooks


def run(arguments):
    hints = next_hint(catalogue.exercise(arguments.exercise))
    if arguments.mimebundle:
        from ..notebook.report_html import hint_bundle

        print(json.dumps(hint_bundle(hints)))
    else:
        print(*report.hint_lines(hints), sep="\n")
    return 0


@dataclass(frozen=True)
class Hints:
    """The hints shown so far. new: the position of the one that is new, or None if all were shown before.

    slip: of the line that the last check named, or "".
    """

    exercise: object
    shown: tuple
    new: int | None
    slip: str = ""


def shown(id):
    """The hints of an exercise that were shown so far."""
    return catalogue.exercise(id).hints[: memory.hints_shown(id)]


def next_hint(ex):
    """Show one more hint than last time; all of them once there is no more."""
    before = memory.hints_shown(ex.id)
    count = min(before + 1, len(ex.hints))
    memory.remember_hint(ex.id, count)
    slip = memory.slip(ex.id, files_in(LEARNER))
    return Hints(ex, tuple(ex.hints[:count]), count - 1 if count > before else None, slip)

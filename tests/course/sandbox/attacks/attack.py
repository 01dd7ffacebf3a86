"""What an attack is: a submission that wants points it has not earned, or wants to break what grades it.

A module *_attacks.py beside this file makes Attacks; test_attacks.py hands each to the grader and looks at the verdict.
A submission is the stubs; the answers of the honest exercises are filled in, then the edits are made.
"""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from grader.course import catalogue, regions, stubs
from grader.course.paths import REFERENCE, package_folder
from grader.course.settings import Settings
from grader.sandbox.outside.grading import Job
from grader.sandbox.outside.levels import LEVELS

ATTACKS = {}  # {name: Attack}


@dataclass(frozen=True)
class Attack:
    """One attack, and the verdict that is right.

    does: one sentence.  edits: pairs of a file inside babygrad/ and what becomes of it: a function of its text, or
    the whole new text.  honest: ids that keep all their points.  nothing: ids that earn none.
    statuses: those that an exercise of `nothing` may have; None: any but passed.
    levels: names of the isolation levels on which this holds; it is tried on the strongest that the machine has: a
    spread of attacks by `make test`, more by `.ci/run`, all by `make test-all`.
    isolation: does it ask for anything of the system: files, memory, time, threads, signals, its process's end? Then
    `make test-all` tries it on each level that the machine has; `.ci/run` does if each_level.  Objects, answers and
    frames meet the same code on every level.  seconds: the time limit of an exercise.
    also: a further look at the rows, a function of {id: row} that asserts.  by_heart: does it send recorded answers,
    which may be right by chance?
    """

    name: str
    does: str
    edits: tuple
    honest: tuple = ()
    nothing: tuple = ()
    statuses: tuple | None = None
    levels: tuple = LEVELS
    isolation: bool = False
    each_level: bool = False
    seconds: float = 1.0
    also: Callable = lambda rows: None
    by_heart: bool = False

    def __post_init__(self):
        assert self.name not in ATTACKS, f"two attacks are called {self.name}"
        ATTACKS[self.name] = self

    @property
    def asks(self):
        """The ids of the exercises that are graded."""
        return (*self.honest, *self.nothing)


def submission(honest=(), edits=()):
    """The files that are handed in: {name inside babygrad/: bytes}."""
    texts = stubs.generated()
    for id in honest:
        file = catalogue.exercise(id).file
        texts[file] = with_answer(id)(texts[file])
    for file, change in edits:
        texts[file] = change(texts.get(file, "")) if callable(change) else change
    return {name: text if isinstance(text, bytes) else text.encode() for name, text in texts.items()}


def job(files, ids, seed, level):
    """The Job of grading these files."""
    settings = Settings.of_the_whole_course().as_dict()
    return Job("mallory", files, seed, 0, settings, tuple(ids), level)


# ---- edits: functions of a file's text ----


def with_answer(id):
    """The reference's answer in every region of this exercise."""
    reference = (package_folder(REFERENCE) / catalogue.exercise(id).file).read_text(encoding="utf-8")
    bodies = {region.key: region.body for region in regions.solution_regions(reference)}
    return _regions_replaced(id, lambda region: bodies[region.key])


def into(id, code):
    """This code in every region of the exercise."""
    lines = textwrap.dedent(code).strip().splitlines()
    return _regions_replaced(id, lambda region: [region.indent + line if line else "" for line in lines])


def at_top(code):
    """This code before everything else in the file."""
    return lambda text: textwrap.dedent(code).strip() + "\n\n\n" + text


def at_end(code):
    """This code after everything else in the file."""
    return lambda text: text + "\n\n" + textwrap.dedent(code).strip() + "\n"


def _regions_replaced(id, body_of):
    def replaced(text):
        found = [region for region in regions.stub_regions(text) if region.id == id]
        assert found, f"no region of {id}"
        return regions.replaced(text, found, lambda region: regions.wrapped(region, body_of(region)))

    return replaced

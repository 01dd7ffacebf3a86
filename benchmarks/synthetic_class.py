"""A class whose grades are known: students who left exercises open, and students with wrong ideas.

A wrong idea is one of a mistakes.md, in the student's file. What such a student must get is found without a sandbox:
a private copy of what they hand in is asked.
"""

import random
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.checking.judging import Judging, states_in
from grader.checking.reference import answers_of
from grader.course import catalogue, regions
from grader.course.packages import private_copy
from grader.course.paths import REFERENCE, package_folder

MOST_IDEAS = 3
MOST_OPEN = 12

TOO_SLOW = ("nudged instead of multiplied",)  # whether it is in time depends on the machine


@dataclass(frozen=True)
class Kind:
    """One kind of student.

    ideas: ((exercise id, name of the misconception), ...).  open: ids of unfilled exercises.
    """

    ideas: tuple
    open: tuple


def kinds(number, seed=0, notebooks=None):
    """`number` Kinds, the first of them without a mistake.  notebooks: numbers; ideas are about these only."""
    draw = random.Random(seed)
    chosen = [Kind((), ())]
    pool = [(ex.id, m.name) for ex, m in usable() if notebooks is None or ex.notebook in notebooks]
    ids = [ex.id for ex in catalogue.all_exercises() if notebooks is None or ex.notebook in notebooks]
    while len(chosen) < number:
        ideas = draw.sample(pool, draw.randint(0, MOST_IDEAS))
        ideas = tuple({id: (id, name) for id, name in ideas}.values())  # one for each exercise
        late = draw.choice(ids) if draw.random() < 0.4 else None
        still_open = ids[ids.index(late) :][:MOST_OPEN] if late else []
        chosen.append(Kind(ideas, tuple(id for id in still_open if id not in dict(ideas))))
    return chosen


@cache
def usable():
    """[(Exercise, Misconception)] of those that a student can have typed."""
    ideas = ((ex, m) for ex in catalogue.all_exercises() for m in catalogue.misconceptions_of(ex))
    return [(ex, m) for ex, m in ideas if m.edit and m.name not in TOO_SLOW]


def files(kind):
    """{name inside babygrad/: bytes} that such a student hands in."""
    texts = dict(_reference())
    for id, name in kind.ideas:
        ex, m = _find(id, name)
        texts[ex.file] = m.edit.applied(texts[ex.file])
    return {name: _with_stubs(text, kind.open).encode() for name, text in texts.items()}


def truth(kind, seed, exercises):
    """{exercise id: (status, earned, misconception)} that such a student must get."""
    with tempfile.TemporaryDirectory() as folder:
        _write_package(folder, kind)
        got = _answers(folder, seed, exercises)
        verdicts = Judging(exercises, states_in(Path(folder)), seed).verdicts(got)
    return {v.id: (v.status, v.earned, v.misconception) for v in verdicts}


def _answers(folder, seed, exercises):
    """What a copy of the package in folder answers; needed exercises are asked too."""
    ids = {ex.id for ex in exercises}
    asked = exercises + [catalogue.exercise(need) for need in {n for ex in exercises for n in ex.needs} - ids]
    with private_copy(folder) as package:
        return {ex.id: answers_of(package, ex, ex.probes, seed) for ex in asked}


def _write_package(folder, kind):
    """The reference with the files of such a student."""
    theirs = files(kind)
    for path in sorted(package_folder(REFERENCE).rglob("*.py")):
        name = path.relative_to(package_folder(REFERENCE)).as_posix()
        target = package_folder(folder) / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(theirs.get(name) or path.read_bytes())


def _with_stubs(text, still_open):
    """A learner's file with every answer but for those still open."""

    def lines_for(region):
        if region.id in still_open:
            error = f'raise NotImplementedError("exercise {region.id}: {region.title}")'
            return regions.wrapped(region, [region.indent + error])
        return regions.wrapped(region, region.body)

    return regions.replaced(text, regions.solution_regions(text), lines_for)


@cache
def _reference():
    """{file with exercises: its text with the answers}."""
    names = sorted({ex.file for ex in catalogue.all_exercises()})
    return {name: (package_folder(REFERENCE) / name).read_text(encoding="utf-8") for name in names}


def _find(id, name):
    ex = catalogue.exercise(id)
    return ex, next(m for m in catalogue.misconceptions_of(ex) if m.name == name)

"""A class whose grades are known: students who left exercises open, and students with wrong ideas.

A wrong idea is one of a mistakes.md, in the student's file. What such a student must get is what a check on one's own
machine says, without a sandbox.
"""

import random
import tempfile
from dataclasses import dataclass
from functools import cache

from grader.checking.check import Request, check
from grader.course import catalogue, regions
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
        verdicts = check(exercises, Request(folder, seed=seed))
    return {v.id: (v.status, v.earned, v.misconception) for v in verdicts}


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

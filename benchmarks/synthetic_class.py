"""A class whose grades are known: students who left exercises open, and students with wrong ideas.

A wrong idea is one of a mistakes.py, written into the student's file. What such a student must get is found
without any of this: the idea is patched onto a private copy of the reference, and that copy is asked.
"""

import ast
import copy
import inspect
import random
import sys
import tempfile
import textwrap
from dataclasses import dataclass
from functools import cache

from grader.checking.judging import Judging
from grader.checking.reference import answers_of
from grader.course import catalogue, regions
from grader.course.packages import private_copy
from grader.course.paths import REFERENCE, package_folder

from .cutting import cut

MOST_IDEAS = 3
MOST_OPEN = 12

TOO_SLOW = ("nudged instead of multiplied",)  # whether it is in time depends on the machine

# At the end of every file of a student: ideas are put into effect as soon as all that they patch is there.
TAIL = """

def _try_ideas():
    import sys

    package = sys.modules[__name__.split(".")[0]]
    ideas = package.__dict__.setdefault("_ideas", [])
    ideas += globals().pop("_IDEAS", [])
    waiting, ideas[:] = list(ideas), []  # an idea may import a file, which comes here as well
    for idea in waiting:
        try:
            idea(package)
        except (AttributeError, ImportError):
            ideas.append(idea)


_try_ideas()
"""


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
    """[(Exercise, Misconception)] of those that can be cut out of their file: plain functions at its top."""
    found = []
    for ex in catalogue.all_exercises():
        for m in catalogue.misconceptions_of(ex):
            at_the_top = inspect.isfunction(m.patch) and m.patch.__qualname__ == m.patch.__name__
            if at_the_top and m.name not in TOO_SLOW and _source(m.patch):
                found.append((ex, m))
    return found


def files(kind):
    """{name inside babygrad/: bytes} that such a student hands in."""
    texts = {name: _with_stubs(text, kind.open) for name, text in _reference().items()}
    for number, (id, name) in enumerate(kind.ideas):
        ex, m = _find(id, name)
        texts[ex.file] += _as_code(m.patch, f"_idea_{number}")
    return {name: (text + (TAIL if kind.ideas else "")).encode() for name, text in texts.items()}


def _as_code(patch, name):
    """The patch in a function of its own: two files of misconceptions may call two helpers by one name."""
    body = textwrap.indent(_source(patch), "    ")
    ideas = f"_IDEAS = [*globals().get('_IDEAS', ()), {name}()]"
    return f"\n\ndef {name}():\n{body}\n\n    return idea\n\n\n{ideas}\n"


def truth(kind, seed, exercises):
    """{exercise id: (status, earned, misconception)} that such a student must get."""
    with tempfile.TemporaryDirectory() as folder:
        _write_package(folder, kind.open)
        got = _answers(folder, kind, seed, exercises)
        states = {p.relative_to(package_folder(folder)).as_posix(): regions.states(p)
                  for p in package_folder(folder).rglob("*.py")}  # fmt: skip
    return {v.id: (v.status, v.earned, v.misconception) for v in Judging(exercises, states, seed).verdicts(got)}


def _answers(folder, kind, seed, exercises):
    """What a copy of the package in folder answers with the ideas patched in; needed exercises are asked too."""
    ids = {ex.id for ex in exercises}
    asked = exercises + [catalogue.exercise(need) for need in {n for ex in exercises for n in ex.needs} - ids]
    with private_copy(folder) as package:
        for id, name in kind.ideas:
            _find(id, name)[1].patch(package)
        return {ex.id: _answers_of(package, ex, seed) for ex in asked}


def _answers_of(package, ex, seed):
    return answers_of(package, ex, ex.probes, seed)


def _write_package(folder, still_open):
    for path in sorted(package_folder(REFERENCE).rglob("*.py")):
        target = package_folder(folder) / path.relative_to(package_folder(REFERENCE))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_with_stubs(path.read_text(encoding="utf-8"), still_open), encoding="utf-8")


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


@cache
def _source(patch):
    """The text of a patch and of what it calls; "" if it needs something of the grader's."""
    body, by_line = _module(patch.__module__)
    if patch.__code__.co_firstlineno not in by_line:  # a lambda
        return ""
    node = copy.copy(by_line[patch.__code__.co_firstlineno])
    node.name = "idea"  # several patches of a file may have one name
    text = cut([*body, node], [node])
    return "" if "grader" in text or "_course" in text else text


@cache
def _module(name):
    """The statements of a file of misconceptions, and its functions by the line that they begin in."""
    body, by_line = ast.parse(inspect.getsource(sys.modules[name])).body, {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            by_line[min(x.lineno for x in (node, *node.decorator_list))] = node
            node.decorator_list = [d for d in node.decorator_list if "wrong" not in ast.unparse(d)]
    return body, by_line

"""What learners may have written for 01 to 04, as files: the reference, stubs, wrong ideas, other right answers.

A wrong idea is an edit of the reference's file. What is a patch has a tail in its file that applies it. The tail needs
what no edition has (mistakes.py, other_answers.py): lend() puts it into one.
"""

import re
import shutil
from typing import NamedTuple

from grader.asking.draws import is_light
from grader.course import catalogue, folders, stubs
from grader.course.paths import EXERCISES, REFERENCE, ROOT, package_folder

NOTEBOOKS = ("01", "02", "03", "04")
EDITABLE = ("derivatives.py", "value.py", "hunts.py")
LENT = ("mistakes.*", "other_answers.*")
FOREIGN = "tests/course/checking/foreign_engines"  # which other answers read
WITH_NUMPY = ("a shifted sine",)  # right answers that a page cannot run, and says so
TAIL = """
import sys as _sys
from grader.course import catalogue as _catalogue
{idea}.patch(_sys.modules[__package__])
"""
FOUND = "_catalogue.exercise('{}')"


class Case(NamedTuple):
    name: str
    exercise: str
    files: dict


def exercises():
    return [ex for number in NOTEBOOKS for ex in catalogue.exercises_of(number) if is_light(ex.id)]


def right():
    return {name: (package_folder(REFERENCE) / name).read_text() for name in EDITABLE}


def references():
    return [Case("reference", ex.id, right()) for ex in exercises()]


def untouched():
    fresh = stubs.generated()
    return [Case("stub", ex.id, {name: fresh[name] for name in EDITABLE}) for ex in exercises()]


def unreadable():
    """Files in which Python complains about the course's line behind the region."""
    for id in ("2.4", "4.7"):
        ex, fresh = catalogue.exercise(id), stubs.generated()
        text = re.sub(rf"raise NotImplementedError\(.exercise {id}: .*", "if 1 < 2:", fresh[ex.file])
        yield Case("unreadable", id, {name: fresh[name] for name in EDITABLE} | {ex.file: text})


def wrong_ideas():
    for ex in exercises():
        for place, idea in enumerate(catalogue.misconceptions_of(ex)):
            yield Case(idea.name, ex.id, changed(ex, idea, f"_catalogue.misconceptions_of({FOUND})[{place}]"))


def other_answers():
    return [case for case in _other_answers() if case.name not in WITH_NUMPY]


def with_numpy():
    return [case for case in _other_answers() if case.name in WITH_NUMPY]


def _other_answers():
    for ex in exercises():
        for place, other in enumerate(catalogue.other_answers_of(ex)):
            yield Case(other.name, ex.id, changed(ex, other, f"_catalogue.other_answers_of({FOUND})[{place}]"))


def changed(ex, idea, found):
    """The files with this idea in them.  found: the code that finds it again, if it is a patch."""
    files = right()
    text = files[ex.file]
    return files | {ex.file: idea.edit.applied(text) if idea.edit else text + TAIL.format(idea=found.format(ex.id))}


def lend(edition):
    """Put what tails need into an edition, or what was unpacked of one."""
    for number in NOTEBOOKS:
        folder = folders.folder_of(number)
        for path in (path for name in LENT for path in folder.glob(name)):
            shutil.copy(path, edition / EXERCISES.relative_to(ROOT) / folder.name)
    shutil.copytree(ROOT / FOREIGN, edition / FOREIGN, dirs_exist_ok=True)

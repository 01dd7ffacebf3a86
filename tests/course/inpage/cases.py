"""What learners may have written for 01 to 04, as files: the reference, stubs, wrong ideas, other right answers.

A wrong idea is a patch, so its file is the reference's with a tail that applies it. The tail needs what no edition has
(mistakes.py, other_answers.py): lend() puts it into one.
"""

import re
import shutil
from typing import NamedTuple

from grader.asking.draws import is_light
from grader.course import catalogue, folders, stubs
from grader.course.paths import EXERCISES, REFERENCE, ROOT, package_folder

NOTEBOOKS = ("01", "02", "03", "04")
EDITABLE = ("derivatives.py", "value.py", "hunts.py")
LENT = ("mistakes.py", "other_answers.py")
FOREIGN = "tests/course/checking/foreign_engines"  # which other answers read
WITH_NUMPY = ("variant_1_4_a_shifted_sine",)  # right answers that a page cannot run, and says so
TAIL = """
import sys as _sys
from grader.course import catalogue as _catalogue, folders as _folders
{patch}(_sys.modules[__package__])
"""


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
        for place, misconception in enumerate(catalogue.misconceptions_of(ex)):
            patch = f"_catalogue.misconceptions_of(_catalogue.exercise({ex.id!r}))[{place}].patch"
            yield Case(misconception.name, ex.id, patched(ex, patch))


def other_answers():
    return [case for case in _other_answers() if case.name not in WITH_NUMPY]


def with_numpy():
    return [case for case in _other_answers() if case.name in WITH_NUMPY]


def _other_answers():
    """Also those to exercises of other notebooks than their own, as variant_3_1_... in 03."""
    for number in NOTEBOOKS:
        for name in vars(folders.load(number, "other_answers")):
            if name.startswith("variant_"):
                notebook, place = name.split("_")[1:3]
                ex = catalogue.exercise(f"{notebook}.{place}")
                if is_light(ex.id):
                    yield Case(name, ex.id, patched(ex, f"vars(_folders.load({number!r}, 'other_answers'))[{name!r}]"))


def patched(ex, patch):
    files = right()
    return files | {ex.file: files[ex.file] + TAIL.format(patch=patch)}


def lend(edition):
    """Put what tails need into an edition, or what was unpacked of one."""
    for number in NOTEBOOKS:
        folder = folders.folder_of(number)
        for name in LENT:
            shutil.copy(folder / name, edition / EXERCISES.relative_to(ROOT) / folder.name)
    shutil.copytree(ROOT / FOREIGN, edition / FOREIGN, dirs_exist_ok=True)

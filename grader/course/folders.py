"""The folders of tests/exercises, one for each notebook, and the modules in them.

nb07_shape_ops/  exercises.py  questions.py  marking.py  key_ideas.py  exam.py  quiz.md (quiz.py: what it draws);
mistakes and other_answers, as .md and, where something cannot be an edit, as .py
"""

import importlib
import sys
from functools import cache
from types import ModuleType

from .paths import EXERCISES

PACKAGE = "babygrad_exercises"  # under which they are imported: `tests` may be somebody else's


def notebook_folders():
    """The folders that are here, in order."""
    return sorted(EXERCISES.glob("nb[0-9][0-9]_*"))


def number_in(folder):
    """The number in a folder's name: two digits."""
    return folder.name[2:4]


def number_of(id):
    """The two-digit number of the notebook that an id begins with: of an exercise, a question, a prediction."""
    return id.split(".")[0].zfill(2)


def folder_of(number):
    """The folder of the notebook with this two-digit number, or None."""
    return next((folder for folder in notebook_folders() if number_in(folder) == number), None)


@cache
def load(number, name):
    """The module `name` of a notebook's folder; None if it is not here."""
    folder = folder_of(number)
    if folder is None or not (folder / f"{name}.py").is_file():
        return None
    _package()
    return importlib.import_module(f"{PACKAGE}.{folder.name}.{name}")


def _package():
    """A package that is no folder of its own: its modules import each other as `.questions`."""
    if PACKAGE not in sys.modules:
        sys.modules[PACKAGE] = package = ModuleType(PACKAGE)
        package.__path__ = [str(EXERCISES)]

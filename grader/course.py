"""The course as data: loads the exercises and the misconceptions, and finds them by number."""

import difflib
import importlib.util
import re
import sys
from functools import cache

from .exercise import Exercise
from .places import EXERCISES, MISCONCEPTIONS
from .usage import UsageError


@cache
def notebooks():
    """All Notebooks, in order."""
    return [_load(path).NOTEBOOK for path in _files(EXERCISES, "ex")]


@cache
def exercises_of(number):
    """The Exercises of the notebook with this two-digit number, in order."""
    path = next(path for path in _files(EXERCISES, "ex") if path.stem[2:4] == number)
    return [x for x in vars(_load(path)).values() if isinstance(x, Exercise)]


def all_exercises():
    """All Exercises, in order."""
    return [ex for path in _files(EXERCISES, "ex") for ex in exercises_of(path.stem[2:4])]


def notebook(number):
    """The Notebook of this number ("2" or "02").  Raises UsageError if there is none."""
    found = [nb for nb in notebooks() if nb.number == str(number).zfill(2)]
    if not found:
        raise UsageError(f"There is no notebook {number}. The notebooks are {_span(notebooks())}.")
    return found[0]


@cache
def exercise(id):
    """The Exercise with this id, such as "2.1".  Raises UsageError, naming near ones, if there is none."""
    number = id.split(".")[0].zfill(2)
    if any(path.stem[2:4] == number for path in _files(EXERCISES, "ex")):
        for ex in exercises_of(number):
            if ex.id == id:
                return ex
    near = difflib.get_close_matches(id, [ex.id for ex in all_exercises()], n=3, cutoff=0.5)
    raise UsageError(f"There is no exercise {id}." + (f" Did you mean {' or '.join(near)}?" if near else ""))


def select(words):
    """The Exercises that words like "2.1" and "02" name; all of them if there are no words."""
    if not words:
        return all_exercises()
    chosen = []
    for word in words:
        chosen += [exercise(word)] if "." in word else exercises_of(_notebook_number(word))
    return list({ex.id: ex for ex in chosen}.values())


def misconceptions_of(ex):
    """The named wrong implementations of this exercise."""
    for path in _files(MISCONCEPTIONS, "mc"):
        if path.stem[2:4] == ex.notebook:
            _load(path)  # registers them with their exercises
    return ex.misconceptions


def _notebook_number(word):
    if not re.fullmatch(r"\d{1,2}", word):
        raise UsageError(f"{word!r} is no exercise (such as 2.1) and no notebook (such as 02).")
    return notebook(word).number


def _span(all_notebooks):
    return f"{all_notebooks[0].number} to {all_notebooks[-1].number}"


def _files(folder, prefix):
    return sorted(folder.glob(f"{prefix}[0-9][0-9]_*.py"))


@cache
def _load(path):
    name = f"babygrad_course.{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module

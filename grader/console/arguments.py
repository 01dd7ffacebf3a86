"""Arguments that several commands have, and what is demanded of them."""

import argparse
import re
from pathlib import Path

from ..checking.questioning import TIMEOUT
from ..course import catalogue
from ..course.paths import LEARNER, package_folder
from ..course.usage import UsageError


def number_from(least):
    """The type of an argument that is a whole number, not below the least."""

    def number(text):
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"must be {least} or more")
        return value

    return number


def seconds(text):
    """The type of an argument that is a time limit."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError("must be more than 0")
    return value


def add_exercises(parser, nargs="+", otherwise=""):
    """The exercises or notebooks that a command is about."""
    parser.add_argument("which", nargs=nargs, metavar="EX", help=f"exercises (2.1) or notebooks (02){otherwise}")


def add_time_limit(parser):
    """How long the questions of an exercise may take."""
    parser.add_argument("--timeout", type=seconds, default=TIMEOUT, metavar="S", help="seconds for each exercise")


def add_package(parser):
    """Whose package it is about: see package()."""
    parser.add_argument("--package", type=Path, metavar="DIR", help="holds babygrad/ (default: the course)")


def package(directory=None):
    """The folder that holds the package babygrad, the learner's if none is named.  Raises UsageError."""
    directory = (directory or LEARNER).resolve()
    if not (package_folder(directory) / "__init__.py").is_file():
        raise UsageError(f"{directory} contains no folder babygrad with an __init__.py.")
    return directory


def numbers(text):
    """The two-digit numbers of the notebooks that a text such as "2-4,7" names."""
    found = set()
    for part in re.split(r"[,\s]+", text.strip()):
        first, last = _span(part, text)
        found |= {catalogue.notebook(number).number for number in range(first, last + 1)}
    return sorted(found)


def _span(part, text):
    found = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", part)
    if not found or int(found[2] or found[1]) < int(found[1]):
        raise UsageError(f"{text!r} does not name notebooks. Write 2-4, or 2,3,5.")
    return int(found[1]), int(found[2] or found[1])

"""Arguments that several commands have, and what is demanded of them."""

import argparse
from pathlib import Path

from ..checking.questioning import TIMEOUT
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

"""python -m grader: a table of commands. How each is asked for and what it does stands in its own module."""

import argparse
import os
import sys
from functools import partial
from importlib import import_module
from typing import NamedTuple

from .course.paths import is_full_edition
from .course.usage import UsageError


class Command(NamedTuple):
    """A line of --help, and the module with add_arguments(parser) and run(arguments), which returns the exit code.

    full: it needs the answers, or a room of the grader that a student edition does not have.
    missing: the sentence for those who ask for it in a student edition.
    """

    module: str
    help: str
    full: bool = False
    missing: str = ""


COMMANDS = {
    "check": Command("learner.check", "check exercises: points, and the first mistake explained"),
    "watch": Command("learner.watch", "check an exercise whenever its file is saved"),
    "hint": Command("learner.hints", "show the next hint of an exercise"),
    "fill": Command(
        "learner.fill",
        "fill in the reference's answers where an exercise does not pass",
        full=True,
        missing="fill takes its answers from the full edition; this student edition has none.",
    ),
    "reset": Command("learner.reset", "put the stubs back (a backup is kept)"),
    "update": Command("learner.update", "bring in a newer course, keep the answers"),
    "quiz": Command("learner.quiz", "questions that come back: those that are due today"),
    "lab": Command("learner.lab", "open JupyterLab: the notebook, and beside it the file that it asks for"),
    "nbcheck": Command(
        "maintainer.nbcheck",
        "run a notebook on the learner's package",
        full=True,
        missing="nbcheck compares with the outputs of the full edition; this student edition has none.",
    ),
    "train": Command("learner.train", "train a net: progress, a picture, a film, a checkpoint"),
    "submit": Command("learner.submit", "check everything, and pack your files to hand them in"),
    "grade": Command("classroom.command", "grade a class's submissions", full=True),
    "release": Command("edition.release", "write the student edition: the same checks, without the answers", full=True),
    "mark": Command("classroom.mark.command", "mark in the browser: answers, code, a rubric", full=True),
    "term": Command("classroom.term.command", "join several gradings of a class", full=True),
    "exam": Command("exam.command", "sheets of exam questions with drawn numbers, and their solutions", full=True),
    "site": Command("site.command", "the course as a book: static pages to read anywhere", full=True),
    "slides": Command("slides.command", "slides of the notebooks, from their own cells", full=True),
    "stubs": Command("maintainer.stubs", "write babygrad/ from solutions/babygrad/", full=True),
    "notebooks": Command("maintainer.notebooks", "write the notebooks from solutions/notebooks/*.py", full=True),
}


def main(argv=None):
    """Run one command.  Returns its exit code: 0 all well, 1 not all exercises pass, 2 a usage error."""
    words = sys.argv[1:] if argv is None else argv
    arguments = parser(words).parse_args(words)
    try:
        return arguments.run(arguments)
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:  # as in  grader check | head : the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130


def parser(words):
    """The parser of these words: it knows every command of this edition, and the arguments of those that are named."""
    parser = argparse.ArgumentParser(prog="python -m grader", description="The commands of the course.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    full = is_full_edition()
    for name, command in COMMANDS.items():
        if full or not command.full:
            _add(commands, name, command, is_asked=name in words)
    for name, command in COMMANDS.items():
        if command.missing and not full:
            _add_missing(commands, name, command.missing)
    return parser


def _add(commands, name, command, is_asked):
    parser = commands.add_parser(name, help=command.help, description=f"{command.help[0].upper()}{command.help[1:]}.")
    if is_asked:  # what the other commands need is not imported
        module = import_module(f".{command.module}", __package__)
        module.add_arguments(parser)
        parser.set_defaults(run=module.run)


def _add_missing(commands, name, words):
    """It is not in the help. Asking for it explains why it is missing."""
    command = commands.add_parser(name, add_help=False, prefix_chars="\0")
    command.add_argument("rest", nargs="*")
    command.set_defaults(run=partial(_is_missing, words))


def _is_missing(words, arguments):
    raise UsageError(words)

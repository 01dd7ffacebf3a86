"""python -m grader quiz: the questions that are due today, in the terminal; for a notebook as data."""

import argparse
import json
import random
import sys
from datetime import UTC, datetime
from functools import partial

from ..checking.judging import states_in
from ..console import arguments as common
from ..course import catalogue
from ..course.commands import typed
from ..course.paths import package_folder
from ..course.phrases import counted
from ..course.usage import UsageError
from ..quiz import bank, log, words
from ..quiz.boxes import A_DAY, Boxes
from ..quiz.brings import newly_done
from ..quiz.comparing import RIGHT
from ..quiz.log import Event
from . import memory

OF_EARLIER_ONES = 3


def add_arguments(parser):
    add = parser.add_argument
    add("notebook", nargs="?", metavar="NB", help="questions about this notebook (03), due or not")
    add("--before", metavar="NB", help=f"{OF_EARLIER_ONES} questions about the notebooks before this one")
    add("--more", action="store_true", help=f"{A_DAY} more than today's {A_DAY}")
    add("--count", action="store_true", help="say how many are due, and ask nothing")
    add("--data", action="store_true", help=argparse.SUPPRESS)  # for the notebooks
    add("--seed", help=argparse.SUPPRESS)  # the same questions again, with the same numbers
    common.add_package(parser)


def run(arguments):
    """Returns 0, however many answers are right."""
    if sum(map(bool, (arguments.notebook, arguments.before, arguments.more, arguments.count))) > 1:
        raise UsageError("One at a time: a notebook, --before, --more or --count.")
    note_what_is_done(common.package(arguments.package))
    seed = arguments.seed or str(random.SystemRandom().randrange(10**9))
    boxes = _boxes()
    ids = _chosen(boxes, arguments, seed)
    if arguments.count:
        print(f"{counted(len(ids), 'question')} {'is' if len(ids) == 1 else 'are'} due.")
        return 0
    notes = [*_read().notes(boxes.entries), *([] if ids else [_why_nothing(boxes, arguments)])]
    asked = (bank.drawn(boxes.entries[id], seed) for id in ids)
    if arguments.data:
        _print_data(notes, list(asked))
        return 0
    print(*notes, sep="\n", end="\n" * bool(notes))
    if ids:
        _ask(asked, len(ids))
    return 0


def _chosen(boxes, arguments, seed):
    """Ids of the questions to ask."""
    if arguments.notebook:
        return boxes.of([catalogue.notebook(arguments.notebook).number], A_DAY, seed)
    if arguments.before:
        number = catalogue.notebook(arguments.before).number
        return boxes.of([each for each in catalogue.numbers() if each < number], OF_EARLIER_ONES, seed)
    return boxes.soonest(A_DAY) if arguments.more else boxes.of_today()


def _why_nothing(boxes, arguments):
    more = "%quiz more" if arguments.data else typed("make quiz ARGS=--more")
    before = f"notebooks before {arguments.before}" if arguments.before else ""
    return words.nothing(boxes, more, f"notebook {arguments.notebook}" if arguments.notebook else before)


def _boxes():
    return Boxes(bank.entries(), _read(), datetime.now(UTC))


def _read():
    try:
        return log.read()
    except OSError as error:
        raise UsageError(f".babygrad/{log.FILE} cannot be read: {error.strerror}.") from None


def _ask(asked, count):
    from ..quiz.terminal import ask

    kept = []
    try:
        right, answered = ask(asked, count, lambda *answer: kept.append(keep(*answer)), print, input)
    except KeyboardInterrupt:
        print("\nWhat you have answered is kept." if all(kept) else "")  # else it was said what is not
        raise
    if answered:
        print("", *words.summary(_boxes(), right, answered), sep="\n")


def keep(asked, verdict):
    """Note an answer in the log.  Returns whether that could be."""
    return _add(Event(datetime.now(UTC), question=asked.id, right=verdict.kind == RIGHT))


def _print_data(notes, asked):
    from ..notebook.report_html import quiz_bundle

    bundle = quiz_bundle(asked, notes)
    print(json.dumps({"bundle": bundle, "notes": notes, "asked": [each.as_data() for each in asked]}))


def note_what_is_done(package):
    """Note in the log which notebooks are done that were not before."""
    is_failed = partial(memory.failed, folder=package_folder(package))
    _add(*newly_done(_read(), states_in(package), is_failed, datetime.now(UTC)))


def _add(*events):
    """Add to the log; where that cannot be, say so.  Returns whether it could be."""
    try:
        log.add(*events)
        return True
    except OSError as error:
        print(f".babygrad/{log.FILE} cannot be written: {error.strerror}. This is not kept.", file=sys.stderr)
        return False

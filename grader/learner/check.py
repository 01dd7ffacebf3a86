"""python -m grader check: asks, and shows the grades in words, as JSON, or to a notebook."""

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from ..checking import report
from ..checking.again import files_in
from ..checking.check import Request, checked
from ..checking.expected import demand
from ..console import arguments as common
from ..console import progress_line
from ..course import catalogue
from ..course.paths import REFERENCE, is_full_edition, package_folder
from ..course.settings import Settings
from ..course.tracks import TRACKS
from ..course.usage import UsageError
from ..quiz.brings import named_in
from ..quiz.log import add_ideas
from ..slips.found import find
from . import hints, memory


def add_arguments(parser):
    common.add_exercises(parser, "*", "; default: all")
    parser.add_argument(
        "--track",
        choices=TRACKS,
        help="which track to follow (the shortest, the core, everything); later checks remember it",
    )
    parser.add_argument("--all", action="store_true", help="list the exercises of every notebook")
    common.add_package(parser)
    parser.add_argument("--json", metavar="FILE", help="write the grades to FILE ('-': print them and nothing else)")
    common.add_time_limit(parser)
    parser.add_argument("--mimebundle", action="store_true", help=argparse.SUPPRESS)  # for the notebooks
    seeds = common.number_from(0)
    parser.add_argument("--seed", type=seeds, default=0, metavar="N", help="draws the inputs of the questions")


def run(arguments):
    """Returns 0 if every exercise is done."""
    demand(arguments.seed)
    _tell_of_unused_answers()
    request = Request(common.package(arguments.package), arguments.timeout, arguments.seed)
    exercises = Settings.read().weighed(catalogue.select(arguments.which))
    quiet = arguments.json == "-" or arguments.mimebundle
    asked = {v.id: (v, a) for v, a in checked(exercises, request, teller(len(exercises), quiet))}
    verdicts = [verdict for verdict, _ in asked.values()]
    shown = _show(verdicts, arguments, quiet, request.package)
    failing = report.to_explain(verdicts)
    if shown:
        add_ideas(named_in(verdicts), datetime.now(UTC))
    if shown and failing and not failing.done:
        found = find(*asked[failing.id], request.package, request.seed)
        memory.remember_slip(failing.id, files_in(request.package), found.words)
        shown.more(found.lines, failing)
    return 0 if all(v.done for v in verdicts) else 1


def _tell_of_unused_answers():
    if package_folder(REFERENCE).is_dir() and not is_full_edition():
        print("This is a student edition: it does not use the answers in solutions/babygrad.", file=sys.stderr)


def teller(total, quiet=False):
    """A function that shows on a terminal which exercise is being checked."""
    asked = []

    def tell(id):
        asked.append(id)
        if not quiet:
            progress_line.show(f"checking {id} ({len(asked)} of {total})")
            if len(asked) == total:
                progress_line.show()

    return tell


def _show(verdicts, arguments, quiet, package):
    """Show them.  Returns how more is shown of one of them; None if nobody looks."""
    if arguments.json:
        _write_json(report.as_json(verdicts, hints.shown), arguments.json)
    track = _track(arguments.track)
    if arguments.mimebundle:
        return _InANotebook(verdicts, _notes(verdicts, package), track)
    return None if quiet else _InATerminal(verdicts, _notes(verdicts, package), track, arguments.all)


class _InATerminal:
    def __init__(self, verdicts, notes, track, everything):
        print(*report.text(verdicts, notes, track=track, everything=everything), sep="\n", flush=True)

    def more(self, lines, verdict):
        """What was found later is written below."""
        print(*(f"  {line}" for line in lines), sep="\n", end="\n" * bool(lines))


class _InANotebook:
    """Each line that is printed is a whole answer, in the place of the one before."""

    def __init__(self, *shown):
        self._shown = shown
        self._print()

    def more(self, lines, verdict):
        if lines:
            verdict.lines = (*verdict.lines, *lines)
            self._print()

    def _print(self):
        from ..notebook.report_html import bundle

        print(json.dumps(bundle(*self._shown)), flush=True)


def _track(chosen):
    """The track to follow: the one chosen now, which is kept, or the last one."""
    if chosen:
        memory.remember_track(chosen)
    return chosen or memory.track()


def _notes(verdicts, package):
    """For each failure, whether anything in the package has changed since the last one."""
    folder, notes = package_folder(package), {}
    digest = memory.digest(files_in(package))
    for v in verdicts:
        if v.status != "not_started" and memory.unchanged_since_failure(v, folder, digest):
            notes[v.id] = f"babygrad/{v.file} has not changed since the last check. Did you save it?"
    return notes


def _write_json(text, file):
    if file == "-":
        print(text)
        return
    try:
        Path(file).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"The grades cannot be written to {file}: {error.strerror}.") from None

"""python -m grader: the commands of the course."""

import argparse
import os
import sys
from functools import partial
from pathlib import Path

from .course.paths import is_full_edition
from .course.usage import UsageError


def main(argv=None):
    """Run one command.  Returns its exit code: 0 all well, 1 not all exercises pass, 2 a usage error."""
    arguments = _parser().parse_args(argv)
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


def _parser():
    parser = argparse.ArgumentParser(prog="python -m grader", description="The commands of the course.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_check(commands)
    hint = _add(commands, "hint", _hint, "show the next hint of an exercise", ("exercise", "such as 2.1"))
    hint.add_argument("--mimebundle", action="store_true", help=argparse.SUPPRESS)  # for the notebooks
    if is_full_edition():
        _add_many(commands, "fill", _fill, "put in the reference's answers where an exercise does not pass")
    _add_many(commands, "reset", _reset, "put the stubs back (a backup is kept)")
    _add(commands, "update", _update, "bring in a newer course, keep the answers", ("source", "a folder or a zip"))
    lab = _add(commands, "lab", _lab, "open JupyterLab on the first notebook")
    lab.add_argument("--no-browser", action="store_true", help="print the address instead of opening it")
    if is_full_edition():
        _add(commands, "nbcheck", _nbcheck, "run a notebook on the learner's package", ("notebook", "such as 02"))
    _add_train(commands)
    _add_submit(commands)
    _add_classroom(commands)
    if is_full_edition():
        _add_release(commands)
        _add_maintenance(commands)
    else:
        _add_what_is_missing(commands)
    return parser


def _add(commands, name, run, help, *positionals):
    command = commands.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.")
    command.set_defaults(run=run)
    for argument, text in positionals:
        command.add_argument(argument, help=text)
    return command


def _add_many(commands, name, run, help):
    command = _add(commands, name, run, help)
    command.add_argument("which", nargs="+", metavar="EX", help="exercises (2.1) or notebooks (02)")
    command.add_argument("--package", type=Path, metavar="DIR", help="holds babygrad/ (default: the course)")
    return command


def _add_check(commands):
    command = _add(commands, "check", _check, "check exercises: points, and the first mistake explained")
    command.add_argument("which", nargs="*", metavar="EX", help="exercises (2.1) or notebooks (02); default: all")
    command.add_argument("--package", type=Path, metavar="DIR", help="holds babygrad/ (default: the course)")
    command.add_argument("--json", metavar="FILE", help="write the grades to FILE ('-': print them and nothing else)")
    command.add_argument("--timeout", type=_seconds, default=10.0, metavar="S", help="seconds for each exercise")
    command.add_argument("--mimebundle", action="store_true", help=argparse.SUPPRESS)  # for the notebooks
    command.add_argument("--seed", type=_natural, default=0, metavar="N", help="draws the inputs of the questions")


def _add_train(commands):
    command = _add(commands, "train", _train, "train a net: progress, a picture, a checkpoint")
    command.add_argument("data", metavar="DATA", help="moons, digits or mnist")
    command.add_argument("--package", type=Path, metavar="DIR", help="holds babygrad/ (default: the course)")
    command.add_argument("--out", type=Path, metavar="DIR", help="for picture, checkpoint and table (default: runs/)")
    command.add_argument("--epochs", type=_positive, metavar="N", help="how many in all (default: what the run has)")
    command.add_argument("--resume", action="store_true", help="go on from the checkpoint, to the same numbers")
    command.add_argument("--data", type=Path, dest="folder", metavar="DIR", help="MNIST's files (default: data/mnist)")
    command.add_argument("--seed", type=_natural, default=0, metavar="N", help="of data, first weights and order")
    command.add_argument("--no-progress", action="store_true", help="no progress bar")


def _add_submit(commands):
    command = _add(commands, "submit", _submit, "check everything, and pack your files to hand them in")
    command.add_argument("name", metavar="NAME", help="yours, as your teacher knows you")
    command.add_argument("--out", type=Path, metavar="DIR", help="for the zip (default: submissions/)")
    command.add_argument("--timeout", type=_seconds, default=10.0, metavar="S", help="seconds for each exercise")


def _add_release(commands):
    command = _add(commands, "release", _release, "write the student edition: no answers in it, the same checks")
    command.add_argument("out", type=Path, metavar="OUT", help="a new folder")
    command.add_argument("--notebooks", metavar="2-4", help="which notebooks: 2-4, or 2,3,5 (default: all)")
    command.add_argument("--given", metavar="0-5", help="notebooks or exercises (2.1) whose answers are filled in")
    command.add_argument("--points", type=Path, metavar="FILE", help="lines such as: 2.1 3")
    command.add_argument("--due", nargs="+", metavar="DATE", help="2026-12-01, 2026-12-01T18:00, or 02=2026-12-01")
    command.add_argument("--version", metavar="TEXT", help="default: made from what is in it")


_MISSING = {
    "fill": "fill puts in the answers of the full edition, and this student edition has none.",
    "nbcheck": "nbcheck compares with outputs of the full edition, and this student edition has none.",
}


def _add_what_is_missing(commands):
    """Commands of the full edition are not in the help. Asking for one explains why it is missing."""
    for name, words in _MISSING.items():
        command = commands.add_parser(name, add_help=False, prefix_chars="\0")
        command.add_argument("rest", nargs="*")
        command.set_defaults(run=partial(_is_missing, words))


def _is_missing(words, arguments):
    raise UsageError(words)


def _add_classroom(commands):
    """`grade`, which the student edition does not have."""
    if Path(__file__).with_name("classroom").joinpath("command.py").is_file():
        from .classroom import command

        command.add(commands)


def _add_maintenance(commands):
    stubs = _add(commands, "stubs", _stubs, "write babygrad/ from solutions/babygrad/")
    stubs.add_argument("--check", action="store_true", help="only say what differs")
    stubs.add_argument("--force", action="store_true", help="also over exercises that are filled in (backup kept)")
    notebooks = _add(commands, "notebooks", _notebooks, "write the notebooks from solutions/notebooks/*.py")
    notebooks.add_argument("which", nargs="*", metavar="NN", help="notebooks (02); default: all")
    notebooks.add_argument("--no-execute", action="store_true", help="write the clean ones only")
    notebooks.add_argument("--check", action="store_true", help="only say what differs")


def _seconds(text):
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError("must be more than 0")
    return value


def _natural(text):
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must be 0 or more")
    return value


def _positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def _check(arguments):
    from .checking.check import Request, check
    from .checking.expected import demand
    from .course import catalogue
    from .course.settings import Settings

    demand(arguments.seed)
    _tell_of_unused_answers()
    request = Request(_package(arguments.package), arguments.timeout, arguments.seed)
    exercises = Settings.read().weighed(catalogue.select(arguments.which))
    quiet = arguments.json == "-" or arguments.mimebundle
    verdicts = check(exercises, request, _teller(len(exercises), quiet))
    _show(verdicts, arguments, quiet, request.package)
    return 0 if all(v.done for v in verdicts) else 1


def _tell_of_unused_answers():
    from .course.paths import REFERENCE, package_folder

    if package_folder(REFERENCE).is_dir() and not is_full_edition():
        print("This is a student edition: the answers in solutions/babygrad are not used.", file=sys.stderr)


def _show(verdicts, arguments, quiet, package):
    from .checking import report

    if arguments.json:
        _write_json(report.as_json(verdicts), arguments.json)
    if arguments.mimebundle:
        _print_bundle(lambda html: html.bundle(verdicts, _notes(verdicts, package)))
    elif not quiet:
        _print(report.text(verdicts, _notes(verdicts, package)))


def _print_bundle(make):
    import json

    from .notebook import report_html

    print(json.dumps(make(report_html)))


def _package(directory):
    from .course.paths import LEARNER, package_folder

    directory = (directory or LEARNER).resolve()
    if not (package_folder(directory) / "__init__.py").is_file():
        raise UsageError(f"{directory} holds no folder babygrad with an __init__.py.")
    return directory


def _teller(total, quiet):
    """Shows on a terminal which exercise is being checked."""
    if quiet or not sys.stderr.isatty():
        return lambda id: None
    asked = []

    def tell(id):
        asked.append(id)
        print(f"\r\033[Kchecking {id} ({len(asked)} of {total})", end="", file=sys.stderr, flush=True)
        if len(asked) == total:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    return tell


def _notes(verdicts, package):
    """For each failure, whether anything changed since the last one: its file, or one that it builds on."""
    from .course.catalogue import exercise
    from .course.paths import package_folder
    from .learner.memory import unchanged_since_failure

    notes = {}
    for v in verdicts:
        files = sorted({v.file, *(exercise(need).file for need in exercise(v.id).needs)})
        if v.status != "not_started" and unchanged_since_failure(v, package_folder(package), files):
            notes[v.id] = f"babygrad/{v.file} has not changed since the last check. Is it saved?"
    return notes


def _write_json(text, file):
    if file == "-":
        print(text)
        return
    try:
        Path(file).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"The grades cannot be written to {file}: {error.strerror}.") from None


def _print(lines):
    for line in lines:
        print(line)


def _hint(arguments):
    from .checking import report
    from .course import catalogue
    from .learner.hints import next_hint

    hints = next_hint(catalogue.exercise(arguments.exercise))
    if arguments.mimebundle:
        _print_bundle(lambda html: html.hint_bundle(hints))
    else:
        _print(report.hint_lines(hints))
    return 0


def _fill(arguments):
    from .learner.answers import fill

    _print(fill(arguments.which, _package(arguments.package)))
    return 0


def _reset(arguments):
    from .learner.answers import reset

    _print(reset(arguments.which, _package(arguments.package)))
    return 0


def _update(arguments):
    from .learner.update import update

    _print(update(Path(arguments.source)))
    return 0


def _lab(arguments):
    from .learner.lab import open_lab

    return open_lab(browser=not arguments.no_browser)


def _nbcheck(arguments):
    from .course.paths import LEARNER
    from .maintainer.nbcheck import run

    return run(arguments.notebook, LEARNER)


def _submit(arguments):
    from .checking.check import Request
    from .learner.submit import submit

    request = Request(_package(None), arguments.timeout)
    _print(submit(arguments.name, arguments.out, request, _teller))
    return 0


def _release(arguments):
    from .edition.release import release

    a = arguments
    _print(release(a.out, a.notebooks, a.given, a.points, a.due or (), a.version))
    return 0


def _train(arguments):
    from .learner.train import Order, train

    a = arguments
    order = Order(a.data, _package(a.package), a.out, a.epochs, a.resume, a.folder, a.seed, not a.no_progress)
    return train(order)


def _stubs(arguments):
    from .maintainer.stubs import command

    return command(check=arguments.check, force=arguments.force)


def _notebooks(arguments):
    from .maintainer.notebooks import command

    return command(arguments.which, execute=not arguments.no_execute, check=arguments.check)

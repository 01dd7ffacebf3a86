"""%check, %hint and %progress, for notebooks."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from IPython.display import display

from .places import LEARNER, ROOT, is_full_edition


def install(shell):
    """Give the notebook its magics, the reload after a save, and the plain line for an unfilled stub."""
    from . import reload, stub_stop

    ipythons_reset = shell.find_line_magic("reset")
    magics = {"check": check, "hint": hint, "progress": progress, "fill": fill, "reset": reset_after(ipythons_reset)}
    for name, magic in magics.items():
        shell.register_magic_function(magic, "line", name)
    reload.install(shell)
    stub_stop.install(shell)
    _say_if_this_is_another_course(Path.cwd().parent)


def check(line):
    """%check 2.1    checks an exercise, or all of a notebook (%check 02)."""
    words = line.split()
    if not words:
        print("Say which exercise: %check 2.1, or which notebook: %check 02.")
        return
    _show("check", *words, "--package", str(_package_folder()))


def hint(line):
    """%hint 2.1    shows the next hint of an exercise."""
    words = line.split()
    if len(words) != 1:
        print("Say which exercise: %hint 2.1.")
        return
    _show("hint", *words)


def progress(line):
    """%progress    checks everything and shows where you are."""
    _show("check", "--package", str(_package_folder()))


def _say_if_this_is_another_course(here):
    """here: the folder above the notebook's, which is a course if it has a grader of its own."""
    if (here / "grader").is_dir() and here.resolve() != ROOT:
        print(f"This kernel belongs to the course in {ROOT}, not to the one around this notebook: start with  make lab")


def fill(line):
    """%fill 2.1    says where it is typed: it changes files, so it is no matter for a cell that runs again."""
    if is_full_edition():
        print(f"Type that in a terminal (menu File, New, Terminal): make fill EX={line.strip() or '2.1'}")
    else:
        print("fill puts in the answers of the full edition, and this student edition has none.")


def reset_after(ipythons):
    """%reset is IPython's own, unless it is asked for an exercise."""

    def reset(line):
        if re.fullmatch(r"\s*\d+(\.\d+)?\s*", line):
            print(f"Type that in a terminal (menu File, New, Terminal): make reset EX={line.strip()}")
        else:
            ipythons(line)

    return reset


class _Shown:
    """Text and HTML of one answer; the notebook takes which it can show."""

    def __init__(self, bundle):
        self.bundle = bundle

    def _repr_mimebundle_(self, include=None, exclude=None):
        return self.bundle


def _show(*words):
    """Run a command of the grader in a process of its own, and show what it says."""
    run = subprocess.run(
        [sys.executable, "-P", "-m", "grader", *words, "--mimebundle"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    try:
        display(_Shown(json.loads(run.stdout)))
    except ValueError:
        print(run.stderr.strip() or f"The grader stopped (exit code {run.returncode}).")


def _package_folder():
    """The folder that holds the package babygrad which this kernel imported; the course's own if it did not."""
    package = sys.modules.get("babygrad")
    return Path(package.__path__[0]).parent if package else _importable() or LEARNER


def _importable():
    from importlib.util import find_spec

    spec = find_spec("babygrad")
    return Path(spec.submodule_search_locations[0]).parent if spec else None

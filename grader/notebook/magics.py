"""%check, %hint, %progress, %submit and %fetch. (predictions.py has %predict, %predictions and %%note.)"""

import json
import os
import re
import subprocess
import sys
import tempfile

from IPython.display import display

from ..course.commands import typed
from ..course.paths import ROOT, is_full_edition
from . import this_notebook

IN_A_TERMINAL = "Type that in a terminal (menu File, New, Terminal): "


def install(shell, course):
    """Give the notebook its magics, the reload after a save, and the plain line for an unfilled stub.

    course: the folder above the notebook.  Returns a sentence that says why this kernel is the wrong one; empty if
    it is the right one.
    """
    from . import plots_in_words, predictions, reload, stub_stop

    refusal = this_notebook.open_course(course)
    if refusal or shell.find_line_magic("check") is check:
        return refusal
    ipythons_reset = shell.find_line_magic("reset")
    magics = {"check": check, "hint": hint, "progress": progress, "submit": submit, "fetch": fetch}
    magics |= {"fill": fill, "reset": reset_after(ipythons_reset)}
    for name, magic in magics.items():
        shell.register_magic_function(magic, "line", name)
    predictions.Predictions(course, os.environ.get("BABYGRAD_ANSWERS")).install(shell)
    reload.install(shell)
    stub_stop.install(shell)
    plots_in_words.install(shell)
    return ""


def check(line):
    """%check 2.1    checks an exercise, or all of a notebook (%check 02)."""
    words = line.split()
    if not words:
        print("Say which exercise: %check 2.1, or which notebook: %check 02.")
        return
    _show("check", *words, "--package", str(this_notebook.package))


def hint(line):
    """%hint 2.1    shows the next hint of an exercise."""
    words = line.split()
    if len(words) != 1:
        print("Say which exercise: %hint 2.1.")
        return
    _show("hint", *words)


def progress(line):
    """%progress    checks everything and shows where you are."""
    _show("check", "--package", str(this_notebook.package))


def submit(line):
    """%submit ada    checks everything, and packs your files; where the course has an exchange, hands them in."""
    _show("submit", *filter(None, [line.strip()]))


def fetch(line):
    """%fetch    brings what is new in the exchange: the course, and feedback on what you handed in."""
    _show("update")


def fill(line):
    """%fill 2.1    says where it is typed: it changes files, which a cell that runs again must not do."""
    if is_full_edition():
        print(IN_A_TERMINAL + typed(f"make fill EX={line.strip() or '2.1'}"))
    else:
        _show("fill")


def reset_after(ipythons):
    """%reset is IPython's own, unless it is asked for an exercise."""

    def reset(line):
        if re.fullmatch(r"\s*\d+(\.\d+)?\s*", line):
            print(IN_A_TERMINAL + typed(f"make reset EX={line.strip()}"))
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
    if refusal := this_notebook.what_is_imported_elsewhere():
        print(refusal)
        return
    command = [sys.executable, "-P", "-m", "grader", *words, "--mimebundle"]
    there = {"env": {**os.environ, "PYTHONPATH": str(ROOT)}, "encoding": "utf-8"}
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, **there) as run,
    ):
        if not _show_each(run.stdout):
            run.wait()
            errors.seek(0)
            print(errors.read().strip() or f"The grader stopped (exit code {run.returncode}).")


def _show_each(answers):
    """Show each answer in the place of the one before.  Returns whether there was one."""
    shown = None
    for line in answers:
        try:
            bundle = _Shown(json.loads(line))
        except ValueError:
            break
        if shown:
            shown.update(bundle)
        else:
            shown = display(bundle, display_id=True)
    return shown is not None

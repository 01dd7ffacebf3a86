"""%check, %hint, %progress, %submit and %fetch. (predictions.py has %predict, %predictions, %%note; quiz.py %quiz.)"""

import os
import re

from IPython.display import display

from ..course.commands import typed
from ..course.paths import is_full_edition
from . import running, this_notebook

IN_A_TERMINAL = "Type that in a terminal (menu File, New, Terminal): "


def install(shell, course):
    """Give the notebook its magics, the reload after a save, and the plain line for an unfilled stub.

    course: the folder above the notebook.  Returns a sentence that says why this kernel is the wrong one; empty if
    it is the right one.
    """
    from . import plots_in_words, predictions, quiz, reload, stub_stop

    refusal = this_notebook.open_course(course)
    if refusal or shell.find_line_magic("check") is check:
        return refusal
    ipythons_reset = shell.find_line_magic("reset")
    magics = {"check": check, "hint": hint, "progress": progress, "submit": submit, "fetch": fetch}
    magics |= {"quiz": quiz.quiz, "fill": fill, "reset": reset_after(ipythons_reset)}
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
    """Run a command of the grader, and show what it says: each answer in the place of the one before."""
    shown = None
    for bundle in map(_Shown, running.answers(*words, "--mimebundle")):
        if shown:
            shown.update(bundle)
        else:
            shown = display(bundle, display_id=True)

"""Asks a package once more, where the first answers to an exercise leave open whose fault it is."""

import shutil
import tempfile
from pathlib import Path

from ..course.paths import is_full_edition, package_folder
from . import leaning, messages
from .verdict import told_again

if is_full_edition():
    from . import carrying
else:
    carrying = None


class Again:
    """One package that was asked.

    folder: holds it.  ask(folder, exercises, seed): {exercise id: answers} of the package in a folder.
    """

    def __init__(self, folder, seed, ask):
        self._folder, self._seed, self._ask = folder, seed, ask
        self.files = files_in(folder)

    def with_other_inputs(self, ex, seed):
        """{probe name: Outcome or Died}"""
        return self._ask(self._folder, [ex], seed)[ex.id]

    def looked_into(self, judging, verdicts, got):
        """The verdicts. Of what fails along with something that it builds on it is found out whether that matters."""
        return [self._looked_into(v, judging.asked(v.id, got[v.id])) if _is_open(v) else v for v in verdicts]

    def _looked_into(self, verdict, asked):
        """With the reference's answers below it; in an edition without these, with none."""
        try:
            return self._with_answers(verdict, asked) if carrying else self._with_stubs(verdict, asked)
        except OSError:  # no room for a copy: then it stays open
            return verdict

    def _with_answers(self, verdict, asked):
        found = carrying.carried(asked.exercise, self.files, (), self._seed, self._ask_changed_stubs)
        return told_carried(verdict, found) if found else verdict

    def _with_stubs(self, verdict, asked):
        found = leaning.leaning(asked, verdict.undone, self.files, self._seed, self._ask_changed)
        if not found:
            return verdict
        used = {id: not_started for id, not_started in verdict.undone.items() if id in found.ids}
        return told_again(verdict, found.idea, messages.perhaps(used))

    def _ask_changed_stubs(self, files, exercises, seed):
        return self._ask_changed({**carrying.stubs_of(self.files), **files}, exercises, seed)

    def _ask_changed(self, files, exercises, seed):
        return ask_changed(self._folder, self._ask, files, exercises, seed)


def ask_changed(folder, ask, files, exercises, seed):
    """{exercise id: answers} of a copy of the package in a folder, in which these files {name: bytes} are others."""
    with tempfile.TemporaryDirectory(prefix="babygrad-", ignore_cleanup_errors=True) as copy:
        shutil.copytree(package_folder(folder), package_folder(copy))
        for name, data in files.items():
            Path(package_folder(copy), name).write_bytes(data)
        return ask(copy, exercises, seed)


def told_carried(verdict, found):
    """The verdict, with what a Carried says of it. Nobody is sent away from a question that is wrong by itself."""
    pointer = messages.surely(verdict.undone) if found.cures(verdict.shown) else None
    return told_again(verdict, found.idea, pointer)


def files_in(directory):
    """{name: bytes} of the Python files of the package in directory/babygrad, as far as they can be read."""
    folder, found = package_folder(directory), {}
    for path in folder.rglob("*.py"):
        try:
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
        except OSError:
            continue
    return found


def _is_open(verdict):
    return bool(verdict.undone) and not verdict.as_in

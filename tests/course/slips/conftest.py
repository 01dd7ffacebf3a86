"""A package in which one answer is edited, checked as a learner's is, and searched."""

import shutil

import pytest

from grader.checking import expected
from grader.checking.check import Request, checked
from grader.course import catalogue
from grader.course.edits import Change, Edit
from grader.course.paths import REFERENCE, package_folder
from grader.slips import search
from grader.slips.found import find


@pytest.fixture
def searched(tmp_path, monkeypatch):
    """A function of an exercise's id and Changes of its answer: (Verdict, Lines, the text of the file)."""
    monkeypatch.setattr(expected, "misconceptions_of", lambda ex: [])  # what has a name is not searched
    monkeypatch.setattr(search, "SECONDS", 30.0)  # on a machine that is busy
    monkeypatch.setattr(search, "CLOCK", 300.0)
    folder = package_folder(tmp_path)
    shutil.copytree(package_folder(REFERENCE), folder, ignore=shutil.ignore_patterns("__pycache__"))

    def asked(id, *changes):
        ex = catalogue.exercise(id)
        changes = tuple(change if isinstance(change, Change) else Change(*change) for change in changes)
        text = Edit(id, ex.file, changes).applied((package_folder(REFERENCE) / ex.file).read_text("utf-8"))
        (folder / ex.file).write_text(text, encoding="utf-8")
        [(verdict, asked)] = checked([ex], Request(tmp_path))
        return verdict, find(verdict, asked, tmp_path, 0).lines, text

    return asked

"""docs/teaching.md: each line of the first two weeks, typed as it stands, works; so does the example of term.toml."""

import csv
import re
import shutil
import subprocess
import sys

import pytest

from grader.classroom.marks.marks import Marks
from grader.classroom.marks.marks import read as read_marks
from grader.classroom.marks.people import People
from grader.classroom.term.rules import Rules
from grader.course.paths import ROOT
from grader.course.settings import Settings

TEACHING, GRADING = ((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("teaching", "grading"))
LINES = [line for block in re.findall(r"```sh\n(.*?)```", TEACHING, re.S) for line in block.strip().split("\n")]
MOST_WORDS = 900
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "submissions", "answers", ".babygrad")


def rows_of(path):
    with path.open(encoding="utf-8-sig", newline="") as table:
        return {row["student"]: row for row in csv.DictReader(table)}


def test_the_way_is_short():
    way = TEACHING.partition("## Your first week")[2].partition("## What happens in between")[0]
    assert "## Your second week" in way and len(way.split()) <= MOST_WORDS


def test_the_example_of_term_toml_adds_up(tmp_path):
    (tmp_path / "term.toml").write_text(re.search(r"```toml\n(.*?)```", GRADING, re.S)[1])
    rules = Rules.read(tmp_path / "term.toml", ["grades1", "grades2"])
    assert {part.name: part.weight for part in rules.parts} == {"homework": 50, "written": 10, "exam": 40, "talk": 5}


def test_the_example_of_marks_csv_counts(tmp_path):
    (tmp_path / "marks.csv").write_text(re.search(r"```\n(student,item.*?)```", GRADING, re.S)[1])
    marks = Marks.of(read_marks(tmp_path / "marks.csv"), Settings(("02",)), People(["ada"]))
    assert marks.notes == [] and len(marks.given["ada"]) == 2


@pytest.fixture
def typed(tmp_path):
    """typed(line): what it prints in a copy of the course, with the environment that is there."""
    course, programs = tmp_path / "babygrad", tmp_path / "programs"
    shutil.copytree(ROOT, course, ignore=LEFT_OUT)
    programs.mkdir()
    (tmp_path / "venv").symlink_to(sys.prefix)  # which may have a space in its name, and the file of a target not
    ready = " ".join(f"-o ready-{kind}" for kind in ("core", "grade"))
    (programs / "make").write_text(f'#!/bin/sh\nexec {shutil.which("make")} {ready} VENV={tmp_path}/venv "$@"\n')
    (programs / "make").chmod(0o755)
    path = f"{programs}:/usr/local/bin:/usr/bin:/bin"

    def run(line):
        environment = {"PATH": path, "HOME": str(tmp_path), "LANG": "C.UTF-8"}
        done = subprocess.run(["bash", "-c", line], cwd=course, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    return run


@pytest.mark.leg("night")
@pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
def test_every_line_works(typed, isolation, tmp_path):
    assert len(LINES) > 20
    said = [typed(line) for line in LINES]
    assert not [words for words in said if "marks.csv, line" in words]
    autumn = tmp_path / "autumn"
    book = rows_of(autumn / "term" / "gradebook.csv")
    assert {student: row["total"] for student, row in book.items()} == {"ada": "2", "ben": "0"}
    grades = rows_of(autumn / "grades1" / "grades.csv")  # with both tutors' marks
    assert {student: row["total"] for student, row in grades.items()} == {"ada": "2", "ben": "1"}
    assert "Ben Ames" in (autumn / "grades1" / "grades.csv").read_text() and "the dates" in said[-1]
    assert (autumn / "ada-again/babygrad/value.py").read_bytes() == (autumn / "ada/babygrad/value.py").read_bytes()

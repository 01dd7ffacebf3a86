"""Checking 02 and 03 takes Python alone: no process of it imports NumPy, in the full edition or in a student's."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.course import catalogue
from grader.course.paths import REFERENCE, ROOT
from grader.edition import release

EXERCISES = [ex for number in ("02", "03") for ex in catalogue.exercises_of(number)]
EXPECTED = Path("tests", "exercises", "expected")
# Stands in for NumPy, and for the Python that a learner's process is started with.
NUMPY = "with open({imported!r}, 'a') as file:\n    print('imported', file=file)\nraise ImportError('no NumPy here')\n"
PYTHON = """#!/bin/sh
exec "{python}" -IB "{start}" "$@"
"""
START = """
import runpy, sys
sys.path.insert(0, {folder!r})
sys.argv = [name for name in sys.argv if name not in ("-I", "-B")][1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
COMMAND = """
import sys
sys.path.insert(0, {folder!r})
sys.executable = {python!r}
from grader.cli import main
raise SystemExit(main(sys.argv[1:]))
"""

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="needs a script that can be started like Python"),
    pytest.mark.leg("push"),
]


@pytest.fixture(scope="module")
def student(tmp_path_factory):
    """A student edition of 02 and 03."""
    folder = tmp_path_factory.mktemp("release") / "students"
    release.release(folder, "2-3")
    return folder


@pytest.fixture(params=["full", pytest.param("student", marks=pytest.mark.leg("night"))])
def course(request):
    return ROOT if request.param == "full" else request.getfixturevalue("student")


@pytest.fixture
def grader(course, tmp_path):
    """Runs a command of the course; importing NumPy fails in every process of it, and is noted."""
    folder, imported = tmp_path / "here", tmp_path / "imported"
    folder.mkdir()
    (folder / "numpy.py").write_text(NUMPY.format(imported=str(imported)))
    python = folder / "python"
    (folder / "start.py").write_text(START.format(folder=str(folder)))
    python.write_text(PYTHON.format(python=sys.executable, start=folder / "start.py"))
    python.chmod(0o755)
    environment = {n: x for n, x in os.environ.items() if n != "PYTHONPATH"} | {"BABYGRAD_MEMORY": str(tmp_path)}
    start = [sys.executable, "-c", COMMAND.format(folder=str(folder), python=str(python))]

    def run(*words):
        command = [*start, *map(str, words)]
        done = subprocess.run(command, cwd=course, env=environment, capture_output=True, encoding="utf-8")
        assert not imported.exists(), done.stdout + done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return run


def rows(done):
    return {row["id"]: row for row in json.loads(done.stdout)["exercises"]}


def test_the_reference_passes(grader):
    done = grader("check", "02", "03", "--package", REFERENCE, "--json", "-")
    found = {id: (row["status"], row["earned"]) for id, row in rows(done).items()}
    assert found == {ex.id: ("passed", ex.points) for ex in EXERCISES} and done.returncode == 0


def test_nothing_is_started_in_the_stubs(grader):
    done = grader("check", "02", "03", "--json", "-")
    assert {id: row["status"] for id, row in rows(done).items()} == {ex.id: "not_started" for ex in EXERCISES}


def test_a_mistake_is_named_in_words_and_a_hunch_is_told(grader, tmp_path):
    shutil.copytree(REFERENCE / "babygrad", tmp_path / "babygrad")
    path = tmp_path / "babygrad" / "value.py"
    text = path.read_text()
    wrong = text.replace("(other.data, self.data))", "(self.data, other.data))", 1)
    wrong = wrong.replace('"exp", (e,))', '"exp", (3 * e,))')
    path.write_text(wrong)
    assert wrong != text and "It is exactly three times" in grader("check", "2.7", "--package", tmp_path).stdout
    (row,) = rows(grader("check", "2.1", "--package", tmp_path, "--json", "-")).values()
    words = {m.name: m.words for m in catalogue.misconceptions_of(catalogue.exercise("2.1"))}
    assert row["status"] == "failed" and words[row["misconception"]] in row["message"]


def test_hints_are_shown(grader):
    assert catalogue.exercise("3.3").hints[0].split(",")[0] in grader("hint", "3.3").stdout


@pytest.mark.leg("night")
def test_every_wrong_idea_is_named_in_words(student):
    script = Path(__file__).with_name("without_numpy.py")
    done = subprocess.run([sys.executable, str(script), str(student)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["asked"] == sum(1 + len(catalogue.misconceptions_of(ex)) for ex in EXERCISES) > 200
    assert (found["complaints"], found["recorded"]) == ([], [])


def test_numpy_is_imported_by_the_files_about_arrays_alone():
    """And by them at their top: each function elsewhere that has an array imports such a file."""
    importing = set()
    for room in ("course", "asking", "probes", "marking", "checking"):
        for path in (ROOT / "grader" / room).rglob("*.py"):
            nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Import)]
            importing |= {path.relative_to(ROOT / "grader").as_posix() for n in nodes if n.names[0].name == "numpy"}
    probes = {"probes/arrays.py", "probes/tensors.py"}
    assert importing == {"asking/arrays.py", "asking/recorded_draws.py", "marking/arrays.py"} | probes


@pytest.mark.leg("night")
def test_what_is_recorded_is_json(student):
    names = {path.name for path in (student / EXPECTED).iterdir()}
    assert names == {"02_answers.json", "03_answers.json", "files.json", "quiz.json", "stubs.json"}

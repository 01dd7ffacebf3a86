"""An nbgrader course that asks the same questions: a notebook for each of ours, a graded cell for each exercise."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from grader.course import catalogue
from grader.course.paths import REFERENCE, ROOT

# Stands beside the notebooks. A graded cell calls check("2.1").
QUESTIONS = """
import sys
sys.path.insert(0, {root!r})
from grader.course.catalogue import exercise
from grader.asking.ask import ask, import_file
from grader.course.packages import load_package
mine, right = load_package({reference!r}, "babygrad"), load_package({reference!r}, "babygrad_right")


def check(id):
    ex = exercise(id)
    for package in (mine, right):
        assert import_file(package, ex.file) is None
    for probe in ex.probes:
        got, expected = (ask(package, probe, 12345).answers for package in (mine, right))
        assert not isinstance(got, str) and set(got) == set(expected)
"""


class Nbgrader:
    """A course folder with one assignment, handed in by any number of students."""

    def __init__(self, python, folder):
        self.python, self.folder = python, folder
        source = folder / "source" / "all"
        source.mkdir(parents=True)
        (source / "questions.py").write_text(QUESTIONS.format(root=str(ROOT), reference=str(REFERENCE)))
        for notebook in catalogue.notebooks():
            _write_notebook(source / f"{notebook.name}.ipynb", catalogue.exercises_of(notebook.number))
        self._run("generate_assignment", "all", "--create", "--force")

    @classmethod
    def found(cls, folder):
        """One that can be used, or None: the Python named by BABYGRAD_NBGRADER, or this one, must have nbgrader."""
        python = os.environ.get("BABYGRAD_NBGRADER") or sys.executable
        question = subprocess.run([python, "-c", "import nbgrader"], capture_output=True, check=False)
        return cls(os.path.abspath(python), folder) if question.returncode == 0 else None

    def seconds(self, students):
        """How long it takes to grade so many submissions, each of all exercises."""
        for name in ("submitted", "autograded", "gradebook.db"):
            path = self.folder / name
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        self._run("generate_assignment", "all", "--create", "--force")
        for number in range(students):
            shutil.copytree(self.folder / "release" / "all", self.folder / "submitted" / f"student{number}" / "all")
        begin = time.perf_counter()
        self._run("autograde", "all", "--create")
        return time.perf_counter() - begin

    def _run(self, *words):
        command = [self.python, "-m", "nbgrader", *words, "--course", str(self.folder)]
        programs = os.path.dirname(self.python) + os.pathsep + os.environ["PATH"]  # it starts alembic
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PATH": programs}
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"nbgrader {words[0]} failed: {done.stderr[-2000:]}")


def _write_notebook(path, exercises):
    import nbformat
    from nbformat import v4

    cells = [v4.new_code_cell("from questions import check")]
    for ex in exercises:
        cell = v4.new_code_cell(f'check("{ex.id}")')
        cell.metadata["nbgrader"] = {
            "grade": True,
            "grade_id": "exercise-" + ex.id.replace(".", "-"),
            "locked": True,
            "points": ex.points,
            "schema_version": 3,
            "solution": False,
            "task": False,
        }
        cells.append(cell)
    notebook = v4.new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
    nbformat.write(notebook, Path(path))

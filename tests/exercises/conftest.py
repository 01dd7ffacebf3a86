"""pytest tests/exercises --exercise 2.1: asks the questions in this process, so that breakpoint() in a stub works.

The package is the learner's, or the one in a folder named by --package.
"""

from bdb import BdbQuit
from pathlib import Path

import pytest

from grader.asking.ask import ask, import_file
from grader.asking.wire import through_the_wire
from grader.checking.expected import reference_answers
from grader.checking.question import Question
from grader.checking.verdict import judge
from grader.course import catalogue
from grader.course.folders import number_in
from grader.course.packages import load_package
from grader.course.paths import EXERCISES, LEARNER
from grader.course.usage import UsageError


def pytest_addoption(parser):
    group = parser.getgroup("babygrad")
    group.addoption("--exercise", action="append", default=[], help="an exercise (2.1) or a notebook (02)")
    group.addoption("--package", default=str(LEARNER), help="a folder that holds babygrad/")
    group.addoption("--seed", type=int, default=0, help="draws the inputs of the questions")


def pytest_configure(config):
    try:
        catalogue.select(config.getoption("--exercise"))
    except UsageError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_collect_file(file_path, parent):
    if file_path.parent.parent == EXERCISES and file_path.name == "questions.py":
        return ExerciseFile.from_parent(parent, path=file_path)
    return None


class ExerciseFile(pytest.File):
    """One notebook's exercises."""

    def collect(self):
        chosen = {ex.id for ex in catalogue.select(self.config.getoption("--exercise"))}
        for ex in catalogue.exercises_of(number_in(self.path.parent)):
            if ex.id in chosen:
                for probe in ex.probes:
                    yield Ask.from_parent(self, name=f"{ex.id}[{probe.name}]", ex=ex, probe=probe)


class Ask(pytest.Item):
    """One question, asked of the package and of the reference."""

    def __init__(self, *, ex, probe, **kwargs):
        super().__init__(**kwargs)
        self.ex, self.probe = ex, probe

    def runtest(self):
        seed = self.config.getoption("--seed")
        package = _package(Path(self.config.getoption("--package")).resolve())
        broken = import_file(package, self.ex.file)
        if broken:
            raise WrongAnswer(f"babygrad/{self.ex.file} cannot be imported: {broken.type}: {broken.message}")
        quitting = (BdbQuit, pytest.exit.Exception)  # "q" at a breakpoint
        outcome = ask(package, self.probe, seed, stopper=Exception, passing=quitting, capture=False)
        got = through_the_wire(outcome)
        expected = reference_answers([self.ex], seed)[self.ex.id][self.probe.name]
        verdict = judge(self.ex, [Question(self.probe, got, expected)])
        if not verdict.done:
            raise WrongAnswer(verdict.message or f"exercise {self.ex.id} is not filled in yet")

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, WrongAnswer):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, self.name


class WrongAnswer(Exception):
    """The message is the verdict's."""


_packages = {}


def _package(directory):
    if directory not in _packages:
        _packages[directory] = load_package(directory)
    return _packages[directory]

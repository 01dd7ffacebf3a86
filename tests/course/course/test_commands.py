"""Messages name a command that the learner's system has: Windows has no make."""

import re
import subprocess
import sys

import pytest

from grader import cli
from grader.checking import going_on, report
from grader.course import commands, stubs
from grader.course.catalogue import all_exercises
from grader.course.paths import ROOT
from grader.learner.train import Options

HERE = r".venv\Scripts\python -m grader"


@pytest.fixture
def on_windows(monkeypatch):
    monkeypatch.setattr(commands, "WINDOWS", True)


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("make hint EX=2.1", "hint 2.1"),
        ("make hint EX={}", "hint {}"),
        ("make check TRACK=core", "check --track core"),
        ("make lab", "lab"),
        (
            "make train DATA=moons PACKAGE='my net' ARGS='--resume --epochs 5'",
            'train moons --package "my net" --resume --epochs 5',
        ),
        ('make term GRADES="hw1 hw2" OUT=term', "term hw1 hw2 --out term"),
    ],
)
def test_a_line_for_make_becomes_one_that_the_grader_reads(on_windows, line, typed):
    assert commands.typed(line) == f"{HERE} {typed}"
    if "{}" not in typed:
        words = ["my net" if word == '"my net"' else word for word in re.findall(r'"[^"]+"|\S+', typed)]
        cli.parser(words).parse_args(words)


def test_elsewhere_it_stays():
    if not commands.WINDOWS:
        assert commands.typed("make hint EX=2.1") == "make hint EX=2.1"


def test_no_message_of_a_check_names_make(on_windows, tmp_path, capsys):
    """Nothing begun; an exercise that fails; a shorter way at its end; what was filled in."""
    stubs.write(tmp_path)
    value = tmp_path / "babygrad" / "value.py"
    said = []
    for which in (["02"], ["2.1"]):
        cli.main(["check", *which, "--package", str(tmp_path)])
        said.append(capsys.readouterr().out)
        stub = 'raise NotImplementedError("exercise 2.1: Value.__mul__")'
        value.write_text(value.read_text().replace(stub, "return 1"))
    assert f"Next: open notebooks/02_scalar_value.ipynb ({HERE} lab)" in said[0]
    assert f"Hint: {HERE} hint 2.1" in said[1]
    assert not re.search(r"\bmake [a-z]+\b", "".join(said))
    assert f"{HERE} fill 2.1" in going_on.without_it("2.1")
    assert f"{HERE} check --track core" in report.end_of_the_track(all_exercises(), list(report_of("0.2")), "evening")
    assert Options("moons").to_go_on() == f"{HERE} train moons --resume"


def report_of(id):
    """A verdict that an exercise has not been begun."""
    from grader.checking.check import Request, check
    from grader.course.catalogue import exercise
    from grader.course.paths import LEARNER

    return check([exercise(id)], Request(LEARNER, 30, 0), lambda id: None)


def test_an_environment_that_cannot_be_made_names_a_command_of_windows():
    code = (
        "import os, sys; os.name = 'nt'; sys.version_info = (3, 9); sys.path.insert(0, '.'); import grader.environment"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "`py -3.12 -m grader.environment core`" in run.stderr and "make" not in run.stderr


def test_every_message_of_the_learners_commands_goes_through_the_table():
    """A sentence that names make stands inside typed(...), in a docstring, or on a page made where there is make."""
    rooms = ("checking", "learner", "notebook")
    bare = re.compile(
        r"""(?<!typed\()(?<!typed\(f)["'][^"'\n]*\bmake (?:check|hint|lab|fill|reset|submit|update|train)\b"""
    )
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for room in rooms
        for path in sorted((ROOT / "grader" / room).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if bare.search(line) and not re.search(r'"""|#.*\bmake |typed\(|" "\.join\(\["make train"', line)
    ]
    assert found == []

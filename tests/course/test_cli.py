"""The table of commands: each has its module, and a start imports what was asked for and nothing else."""

import json
import subprocess
import sys
from importlib import import_module

import pytest

from grader import cli
from grader.course.paths import ROOT

SLOW = {"numpy", "jinja2", "matplotlib", "IPython", "grader.classroom", "grader.edition", "grader.maintainer"}
STARTED = """
import json, sys
from grader.cli import main
try:
    main(sys.argv[1:])
finally:
    print(json.dumps(sorted(sys.modules)))
"""


def modules_after(*words):
    """Names of what a start with these words imports, until it has shown its help."""
    code = [sys.executable, "-c", STARTED, *words]
    return set(json.loads(subprocess.run(code, cwd=ROOT, capture_output=True, text=True).stdout.splitlines()[-1]))


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_a_command_is_a_module_with_arguments_and_a_run(name):
    module = import_module(f"grader.{cli.COMMANDS[name].module}")
    assert callable(module.add_arguments) and callable(module.run)


@pytest.mark.parametrize(
    "words",
    ["--help", "check --help", "hint --help", "reset --help", "update --help", "submit --help", "hint 0.1", "reset"],
)
def test_a_start_imports_nothing_slow(words):
    assert SLOW & modules_after(*words.split()) == set()


def test_a_start_imports_no_other_command():
    others = {f"grader.{command.module}" for name, command in cli.COMMANDS.items() if name != "lab"}
    assert others & modules_after("lab", "--help") == set()


def test_an_argument_that_is_a_commands_name_is_an_argument(capsys):
    assert cli.main(["hint", "grade"]) == 2
    assert "grade" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("check --timeout 0", "must be more than 0"),
        ("check --timeout inf", "must be more than 0"),
        ("check --seed -1", "must be 0 or more"),
        ("train moons --epochs 0", "must be 1 or more"),
        ("train moons --seed x", "invalid number value: 'x'"),
        ("", "the following arguments are required: COMMAND"),
        ("checks", "invalid choice: 'checks'"),
    ],
)
def test_a_wrong_argument_is_named(words, said, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(words.split())
    assert ended.value.code == 2 and said in capsys.readouterr().err

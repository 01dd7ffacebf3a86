"""The student edition's workflow: its steps, in the file layout of a GitHub runner, without GitHub."""

import os
import shutil
import subprocess
import sys

import pytest
import yaml

from grader.course.paths import ROOT
from grader.edition import release

STUB = 'raise NotImplementedError("exercise 0.2: sides")'
pytestmark = pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edition") / "students"
    release.release(folder, notebooks="0")
    return folder


@pytest.fixture
def pushed(edition, tmp_path):
    """A runner: (the repository as checkout leaves it, a function that runs the last step)."""
    work, temp = tmp_path / "work" / "hw" / "hw", tmp_path / "work" / "_temp"
    shutil.copytree(edition, work)
    temp.mkdir()
    python = tmp_path / "python"  # no link: that would be a Python without this environment's packages
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    step = workflow(edition)["jobs"]["check"]["steps"][-1]
    told = {"GITHUB_WORKSPACE": work, "GITHUB_STEP_SUMMARY": temp / "step_summary", "RUNNER_TEMP": temp, "CI": "true"}
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env = {**alone, **{name: str(value) for name, value in told.items()}, "PATH": f"{tmp_path}:{os.environ['PATH']}"}

    def run():
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=work, env=env, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, (temp / "step_summary").read_text()

    return work, run


def workflow(edition):
    text = (edition / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8")
    return {("on" if key is True else key): value for key, value in yaml.safe_load(text).items()}  # YAML 1.1: on is yes


@pytest.mark.leg("push")
def test_the_summary_has_the_words_of_the_check(pushed):
    work, run = pushed
    warmup = work / "babygrad" / "warmup.py"
    text = warmup.read_text()
    assert STUB in text
    warmup.write_text(text.replace(STUB, "return 0"))
    code, shown, summary = run()
    assert code == 0  # open exercises are daily life
    assert summary.startswith("~~~~text\n") and summary.endswith("~~~~\n")
    assert "It returned 0, but" in summary and "Hint: make hint EX=0.2" in summary and "0 of 7 points" in summary
    assert shown in summary


@pytest.mark.leg("push")
def test_a_check_that_cannot_run_is_red_and_says_why(pushed):
    work, run = pushed
    (work / "course.json").write_text("{")
    code, _, summary = run()
    assert code != 0 and "course.json" in summary


def test_it_runs_on_a_push_may_only_read_and_installs_what_the_course_needs(edition):
    read = workflow(edition)
    assert read["on"] == "push" and read["permissions"] == {"contents": "read"}
    [job] = read["jobs"].values()
    uses = [step["uses"].partition("@")[0] for step in job["steps"] if "uses" in step]
    assert uses == ["actions/checkout", "actions/setup-python"]
    assert "requirements-core.txt" in job["steps"][2]["run"] and (edition / "requirements-core.txt").is_file()


@pytest.mark.parametrize(
    "path", ["grader/edition/check.yml", ".github/workflows/tests.yml", ".github/workflows/site.yml"]
)
@pytest.mark.skipif(not shutil.which("actionlint"), reason="there is no actionlint here")
def test_actionlint_has_nothing_to_say(path):
    run = subprocess.run(["actionlint", ROOT / path], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "")

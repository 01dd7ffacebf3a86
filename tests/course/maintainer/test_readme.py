"""README.md is a door, and what it and the documents behind it tell people to type works, in a copy of the course."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from grader.course.paths import ROOT
from grader.maintainer import readme

SKIPPED = shutil.ignore_patterns(".git", ".venv", ".babygrad", "__pycache__", ".pytest_cache", "node_modules", "*.new")
README = (ROOT / "README.md").read_text(encoding="utf-8")
BEHIND = [ROOT / "docs" / f"{name}.md" for name in ("using", "notebooks", "development")]
TEXT = "\n".join([README, *(path.read_text(encoding="utf-8") for path in BEHIND)])
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", TEXT, flags=re.S) for line in block.splitlines()]
TABLE_COMMANDS = re.findall(r"`(make [a-z]+[^`]*)`", TEXT)
OPEN_EXERCISES = (0, 1, 2)  # make turns the 1 of a check with open exercises into its own 2


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the course with fresh stubs and this environment as its .venv."""
    folder = tmp_path_factory.mktemp("readme") / "babygrad course"
    shutil.copytree(ROOT, folder, ignore=SKIPPED)
    (folder / ".venv").symlink_to(Path(sys.prefix))
    for stamp in Path(sys.prefix).glob("ready-*"):
        stamp.touch()
    subprocess.run([sys.executable, "-m", "grader", "stubs", "--force"], cwd=folder, check=True, capture_output=True)
    return folder


def typed(command, folder):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    run = subprocess.Popen(
        command, shell=True, cwd=folder, env=environment, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    return run


def finished(command, folder):
    run = typed(command, folder)
    output, _ = run.communicate(timeout=1200)
    assert "Traceback" not in output, output
    return run.returncode, output


def test_the_readme_is_a_door():
    assert len(README.splitlines()) <= 90
    commands = [line for block in re.findall(r"```sh\n(.*?)```", README, flags=re.S) for line in block.splitlines()]
    assert commands == ["make check", "make lab", "make test"]


def test_every_document_can_be_reached_from_the_readme():
    """docs/exercises.md, which is for teachers, from docs/teaching.md."""
    named = set(re.findall(r"\]\(docs/([\w-]+\.md)", README))
    assert {path.name for path in (ROOT / "docs").glob("*.md")} - named == {"exercises.md"}


@pytest.mark.leg("push")
def test_make_check_shows_the_table_and_what_to_open_first(copy):
    code, output = finished("make check", copy)
    assert code in OPEN_EXERCISES
    assert "Next: open notebooks/00_start_here.ipynb" in output


def without_make():
    for command in COMMANDS:
        if " -m grader " in command and not command.endswith(("lab", "zip")):
            yield command


@pytest.mark.leg("night")
@pytest.mark.parametrize("command", list(without_make()))
def test_a_line_for_those_without_make_works(copy, command):
    code, output = finished(command, copy)
    assert code in OPEN_EXERCISES[: 2 if "check" in command else 1], output


def test_the_environment_line_is_done_at_once_when_all_is_there(copy):
    code, output = finished("python3 -m grader.environment core", copy)
    assert code == 0, output


@pytest.mark.parametrize("command", sorted(set(TABLE_COMMANDS) - {"make test", "make bench", "make fill"}))
def test_a_target_of_the_readme_exists(copy, command):
    code, output = finished(command.replace("make", "make -n", 1).replace("folder-or-zip", ".."), copy)
    assert code == 0, output


@pytest.mark.leg("push")
def test_make_test_collects_the_projects_tests(copy):
    code, output = finished('make test ARGS="--collect-only -q -n 0 tests/course/maintainer/test_readme.py"', copy)
    assert code == 0 and re.search(r"\d+ tests collected", output), output[-500:]


@pytest.mark.leg("night")
def test_make_lab_starts_a_server_for_the_first_notebook(copy):
    run = typed("make lab ARGS=--no-browser", copy)
    try:
        seen, end = "", time.monotonic() + 600
        while "/lab" not in seen and time.monotonic() < end and run.poll() is None:
            seen += run.stdout.readline()
        assert "/lab" in seen, seen
    finally:
        os.killpg(run.pid, signal.SIGTERM)
        run.wait(600)
        with suppress(ProcessLookupError):  # a server that the signal met too early
            os.killpg(run.pid, signal.SIGKILL)


def test_the_picture_is_the_one_that_the_reference_draws():
    assert readme.picture() == readme.PICTURE.read_text(encoding="utf-8")


def test_architecture_is_short_and_names_only_files_that_are_there():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    there = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.suffix in (".py", ".html", ".json")]
    named = set(re.findall(r"[\w/]+\.(?:py|html|json)\b", text)) - {"course.json"}  # that is in a student edition
    assert [name for name in named if not any(f"/{path}".endswith(f"/{name}") for path in there)] == []
    assert len(text.splitlines()) <= 110 and max(map(len, text.splitlines())) <= 120


def test_architecture_has_every_room_of_the_grader():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = [path.parent.name for path in (ROOT / "grader").glob("*/__init__.py")]
    assert [room for room in rooms if f" {room}/ " not in text] == []

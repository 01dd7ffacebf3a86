"""What an assistant reads, in a student edition and here: short, and each command in it works."""

import json
import os
import re
import shutil
import subprocess

import pytest

from grader.checking import report
from grader.checking.verdict import Verdict
from grader.course.paths import NOTEBOOK_SOURCES, REFERENCE, ROOT
from grader.edition import release, texts

IGNORED = shutil.ignore_patterns(".git", ".venv", ".babygrad", "__pycache__", "node_modules")
LEARNERS = texts.AGENTS.read_text(encoding="utf-8").format(first="0.1")
CONTRIBUTORS = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
STUB = 'raise NotImplementedError("exercise 0.1: area")'


def commands(text):
    """In a line of their own, and between backticks."""
    return re.findall(r"(?:^ {4,}|`)((?:make|\.venv/bin/python) [^`\n]*)", text, re.M)


def made_ready(course, environment_in):
    """The folder of a course with an environment for make, and with 0.1 done."""
    environment_in(course / ".venv")
    warmup = course / "babygrad" / "warmup.py"
    warmup.write_text(warmup.read_text().replace(STUB, "return width * height"))
    return course


def outputs(folder, text):
    """{command: what it prints}; each succeeds in the course in that folder."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "BABYGRAD_VENV")}
    printed = {}
    for command in commands(text):
        run = subprocess.run(command, shell=True, cwd=folder, env=kept, capture_output=True, text=True)
        assert run.returncode == 0, (command, run.stdout[-2000:] + run.stderr[-2000:])
        printed[command] = run.stdout
    return printed


@pytest.mark.parametrize("text", [LEARNERS, CONTRIBUTORS], ids=["of learners", "of contributors"])
def test_it_is_short_and_shows_commands(text):
    assert len(text.splitlines()) <= 60 and len(commands(text)) > 3


def test_the_files_that_it_names_are_there():
    named = re.findall(r"`([\w/]+(?:/|\.md))`", CONTRIBUTORS)
    assert [name for name in named if name != "mistakes.md" and not (ROOT / name).exists()] == [] != named


def test_no_other_document_speaks_of_assistants():
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *NOTEBOOK_SOURCES.glob("*.py")]
    speaking = [path.name for path in documents if "assistant" in path.read_text(encoding="utf-8").casefold()]
    assert sorted(speaking) == ["AGENTS.md", "course.md"]


def test_it_says_which_fields_the_check_has():
    told = set(re.findall(r"`(\w+)`", LEARNERS.partition("tells you")[2].partition("## ")[0]))
    row = json.loads(report.as_json([Verdict("0.1", "area", "warmup.py", 1)]))["exercises"][0]
    assert {"status", "question", "expected", "idea", "section", "hints"} <= told <= row.keys()


@pytest.mark.leg("push")
@pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
def test_each_command_of_a_learner_works_in_the_student_edition(tmp_path, environment_in):
    release.release(tmp_path / "course", notebooks="0")
    assert (tmp_path / "course" / "AGENTS.md").read_text(encoding="utf-8") == LEARNERS
    printed = outputs(made_ready(tmp_path / "course", environment_in), LEARNERS)
    [as_json] = [text for command, text in printed.items() if "--json" in command]
    [row] = json.loads(as_json)["exercises"]
    assert row["status"] == "passed" and row["section"].startswith("notebooks/00_start_here.ipynb, ")


@pytest.mark.leg("night")
@pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
def test_each_command_works_in_the_full_edition_and_makes_nothing_new_there(tmp_path, environment_in):
    course = shutil.copytree(ROOT, tmp_path / "course", ignore=IGNORED)
    outputs(made_ready(course, environment_in), LEARNERS)  # the last of them brings the stub back
    outputs(course, CONTRIBUTORS)
    for folder in ("babygrad", "notebooks", "docs"):
        for path in (ROOT / folder).rglob("*.*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert (course / path.relative_to(ROOT)).read_bytes() == path.read_bytes(), path
    assert (course / REFERENCE.relative_to(ROOT)).is_dir()

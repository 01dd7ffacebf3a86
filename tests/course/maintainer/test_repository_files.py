"""Files that a repository is expected to have: they are valid, and say the same as the course itself."""

import json
import re
import subprocess
import sys
import textwrap
import tomllib

import pytest
import yaml

from grader.course.paths import ROOT
from grader.course.settings import Settings
from grader.maintainer import readme

FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*_*.yml"))
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def loaded(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_version_is_the_same_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    citation = loaded(ROOT / "CITATION.cff")
    assert str(citation["version"]) == version
    assert readme.citation() == readme.CITATION.read_text(encoding="utf-8")
    assert Settings.of_the_whole_course().version == version
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert "version" not in json.loads((ROOT / "grader" / "web" / "package.json").read_text(encoding="utf-8"))


def test_the_newest_release_of_the_changelog_is_this_version():
    """Above it stands what is not released yet; before the first release nothing else."""
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert headings[1:2] in ([], [Settings.of_the_whole_course().version])


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_has_what_the_host_asks_for(form):
    read = loaded(form)
    assert {"name", "description", "body"} <= read.keys()
    assert all(part["type"] in ("input", "textarea", "dropdown", "checkboxes", "markdown") for part in read["body"])
    ids = [part["id"] for part in read["body"]]
    assert len(set(ids)) == len(ids) and all(part["attributes"]["label"] for part in read["body"])


def test_there_are_the_three_forms():
    assert [form.stem for form in FORMS] == ["message_misled", "right_answer_refused", "wrong_sentence"]


def test_the_hooks_are_the_projects_own_ruff():
    entries = [hook["entry"] for repo in loaded(ROOT / ".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    assert all(entry.startswith(".venv/bin/python -m ruff") for entry in entries)


def test_what_contributing_shows_is_what_happens(tmp_path):
    """Its wrong answer is refused without a name, and named once its misconception is there."""
    from grader.checking.reference import answers_of, reference
    from grader.course import catalogue, edit_files, stubs
    from grader.course.edits import Edit
    from grader.course.exercise import Misconception
    from grader.course.packages import reference_with
    from grader.course.paths import REFERENCE, package_folder

    [block] = re.findall(r"```\n( *## .*?) *```", CONTRIBUTING, re.DOTALL)
    (tmp_path / "mistakes.md").write_text("# 1.1\n" + re.sub(r"^   ", "", block, flags=re.MULTILINE))
    [entry] = edit_files.read(tmp_path / "mistakes.md")
    ex = catalogue.exercise("1.1")
    assert entry.name not in [idea.name for idea in catalogue.misconceptions_of(ex)] and entry.words.endswith("?")
    edit = Edit(ex.id, ex.file, tuple(entry.changes))
    with reference_with(Misconception(entry.name, entry.words, edit=edit)) as package:
        mine = answers_of(package, ex, ex.probes, 1)
    right = answers_of(reference(), ex, ex.probes, 1)
    assert [probe for probe in right if mine[probe].answers != right[probe].answers]
    wrong_answer = re.search(r"```python\n(.*?)\n```", CONTRIBUTING, re.DOTALL)[1]
    text = (package_folder(REFERENCE) / ex.file).read_text(encoding="utf-8")
    assert wrong_answer.strip() in edit.applied(text)

    stubs.write(tmp_path)
    path = package_folder(tmp_path) / ex.file
    stub = f'raise NotImplementedError("exercise 1.1: {ex.title}")'
    path.write_text(path.read_text(encoding="utf-8").replace(stub, wrong_answer.strip()), encoding="utf-8")
    command = [sys.executable, "-m", "grader", "check", "1.1", "--package", tmp_path]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    [shown] = re.findall(r"\$ make check EX=1.1\n(.*?)\n *```", CONTRIBUTING, re.DOTALL)
    assert textwrap.dedent(shown).splitlines() == run.stdout.splitlines()

"""Files that a repository is expected to have: they are valid, and say the same as the course itself."""

import json
import re
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


def test_what_contributing_shows_is_what_happens():
    """Its wrong answer is refused without a name, and named once its misconception is there."""
    from grader.checking.reference import answers_of, reference
    from grader.course import catalogue
    from grader.course.packages import private_copy
    from grader.course.paths import REFERENCE

    blocks = re.findall(r"```python\n(.*?)```", CONTRIBUTING, re.DOTALL)
    patch = next(block for block in blocks if "@wrong" in block)
    registered = []
    exec(
        re.sub(r"^   ", "", patch, flags=re.MULTILINE),
        {"wrong": lambda *said: lambda function: registered.append((said, function)), "derivative": "1.1"},
    )
    (((exercise, name, words), function),) = registered
    ex = catalogue.exercise(exercise)
    assert name not in [idea.name for idea in catalogue.misconceptions_of(ex)] and words.endswith("?")
    with private_copy(REFERENCE) as package:
        function(package)
        mine = answers_of(package, ex, ex.probes, 1)
    right = answers_of(reference(), ex, ex.probes, 1)
    assert [probe for probe in right if mine[probe].answers != right[probe].answers]

"""docs/course.md, the page for teachers: what is generated in it, and what it points to."""

import re

import pytest

from grader.cli import COMMANDS
from grader.course import catalogue
from grader.course.folders import load
from grader.course.paths import ROOT
from grader.course.ways import STRETCH
from grader.maintainer import course_page, readme

TEXT = readme.COURSE.read_text(encoding="utf-8")
WITH_EXAM = [number for number in catalogue.numbers() if load(number, "exam")]
DOCUMENTS = sorted((ROOT / "docs").glob("*.md"))


def test_what_is_generated_is_fresh():
    for name, rows in readme.course_tables().items():
        assert readme.between(name).search(TEXT)[0] == rows, f"{name}: run python -m grader.maintainer.readme"


@pytest.mark.parametrize("number", WITH_EXAM)
def test_each_goal_is_shown_and_each_exercise_shows_one(number):
    module, ids = load(number, "exam"), {ex.id for ex in catalogue.exercises_of(number)}
    assert len(module.SHOWN_BY) == len(course_page.goals(number))
    assert {id for row in module.SHOWN_BY for id in row.split()} == ids


@pytest.mark.parametrize("weeks", course_page.PLANS)
def test_a_plan_has_the_core_of_each_notebook_once(weeks):
    planned = [number for week in course_page.PLANS[weeks] for number in week.split() if number != STRETCH]
    core = [nb.number for nb in catalogue.notebooks() if nb.way != STRETCH]
    assert planned == core[: len(planned)] and len(course_page.PLANS[weeks]) == weeks
    assert len(planned) >= len(core) - (weeks == 4)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
        if target.startswith("http"):
            continue
        path, _, anchor = target.partition("#")
        file = (document.parent / path).resolve() if path else document
        assert file.exists(), target
        assert not anchor or anchor in anchors(file.read_text(encoding="utf-8")), target


def anchors(text):
    """What a link can name in a Markdown file, as code hosts make it of the headings."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_commands_it_names_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", TEXT)) <= targets
    assert set(re.findall(r"-m grader ([a-z]+)", TEXT)) <= set(COMMANDS)


def test_it_uses_the_words_of_the_trade():
    headings = " ".join(
        re.findall(r"^#+ (.+)$", TEXT + readme.TEACHING.read_text(encoding="utf-8"), re.MULTILINE)
    ).lower()
    for word in (
        *("syllabus", "outcomes", "assessment", "deadline", "extension", "regrade", "rubric"),
        *("academic integrity", "accessibility"),
    ):
        assert word in headings, word

"""The documents: how long they may be, where their links lead, what they name; goals and plans on docs/plans.md."""

import re

import pytest

from grader.cli import COMMANDS
from grader.course import catalogue
from grader.course.folders import load
from grader.course.paths import ROOT
from grader.course.tracks import STRETCH
from grader.exam import outcomes
from grader.maintainer import course_page, readme
from grader.sandbox.inside import rlimits
from grader.sandbox.outside import grading

WITH_EXAM = [number for number in catalogue.numbers() if load(number, "exam")]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
GENERATED = (readme.EXERCISES, readme.GLOSSARY, readme.PLANS)
MOST_WORDS = 13_000


def text_of(document):
    return document.read_text(encoding="utf-8")


def test_docs_are_short():
    """Whatever stands between spaces in docs/*.md counts as a word, but for the pages and tables that are generated."""
    written = [text_of(path) for path in DOCUMENTS if path.parent != ROOT and path not in GENERATED]
    by_hand = [re.sub(r"<!-- (\w+) -->.*?<!-- end of \1 -->", "", text, flags=re.DOTALL) for text in written]
    assert sum(len(text.split()) for text in by_hand) <= MOST_WORDS


@pytest.mark.parametrize("number", WITH_EXAM)
def test_each_goal_is_shown_and_each_exercise_shows_one(number):
    module, ids = load(number, "exam"), {ex.id for ex in catalogue.exercises_of(number)}
    assert len(module.SHOWN_BY) == len(outcomes.goals(number))
    assert {id for row in module.SHOWN_BY for id in row.split()} == ids


@pytest.mark.parametrize("weeks", course_page.PLANS)
def test_a_plan_has_the_core_of_each_notebook_once(weeks):
    planned = [number for week in course_page.PLANS[weeks] for number in week.split() if number != STRETCH]
    core = [nb.number for nb in catalogue.notebooks() if nb.track != STRETCH]
    assert planned == core[: len(planned)] and len(course_page.PLANS[weeks]) == weeks
    assert len(planned) >= len(core) - (weeks == 4)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(document)):
        if target.startswith("http"):
            continue
        path, _, anchor = target.partition("#")
        file = (document.parent / path).resolve() if path else document
        assert file.exists(), target
        assert not anchor or anchor in anchors(text_of(file)), target


def anchors(text):
    """What a link can name in a Markdown file, as code hosts make it of the headings."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_commands_it_names_exist(document):
    targets = set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", text_of(document))) <= targets
    assert set(re.findall(r"-m grader ([a-z]+)", text_of(document))) <= set(COMMANDS)


def test_they_use_the_words_of_the_trade():
    texts = map(text_of, (readme.COURSE, readme.PLANS, readme.TEACHING))
    headings = " ".join(re.findall(r"^#+ (.+)$", "".join(texts), re.MULTILINE)).lower()
    for word in (
        *("syllabus", "outcomes", "assessment", "deadline", "extension", "regrade", "rubric"),
        *("academic integrity", "accessibility"),
    ):
        assert word in headings, word


def test_the_limits_of_a_submission_are_those_in_force():
    told = " ".join(text_of(ROOT / "docs" / "scaling.md").split())
    memory = f"{grading.WHOLE:g} seconds and {rlimits.MEMORY >> 30} GB of address space"
    assert f"A submission gets at most {memory}, each exercise at least {grading.FLOOR:g} seconds" in told

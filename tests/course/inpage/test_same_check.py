"""A check in a page says what a check in a terminal says: the same verdict, the same words."""

import json
import re
import sys
from pathlib import Path

import pytest

from grader.checking.judging import NEWER_WORDS

sys.path.append(str(Path(__file__).parent))
import pages
from cases import other_answers, references, unreadable, untouched, with_numpy, wrong_ideas

pytestmark = pytest.mark.leg("night")

EVERY = 11  # of the wrong ideas and other answers that make test asks
COMPARED = ("status", "points", "right", "asked", "headline", "misconception", "lines")
# Python's own words that differ between its versions, or in WebAssembly, where the stack is another one.
OWN_WORDS = (
    (r"RecursionError: .*", "RecursionError"),
    *((f"(?<=Error: ){newer}", older) for newer, older in NEWER_WORDS),
)


@pytest.fixture(scope="module")
def courses(tmp_path_factory):
    """A student edition of 01 to 04, and the folder that a page unpacks."""
    return pages.made(tmp_path_factory.mktemp("course"))


def asked(cases):
    return [{"do": "check", "exercise": case.exercise, "files": case.files} for case in cases]


def compared(answer):
    """What both say, without the versions' own words."""
    if "died" in answer:
        return answer
    said = {name: answer[name] for name in COMPARED}
    return said | {"lines": [plain(line["text"] if isinstance(line, dict) else line) for line in said["lines"]]}


def plain(line):
    for pattern, words in OWN_WORDS:
        line = re.sub(pattern, words, line)
    return line


def differences(cases, there, here):
    """What is said otherwise: {case: {what: (in a terminal, in a page)}}"""
    found = {}
    for case, one, other in zip(cases, map(compared, there), map(compared, here), strict=True):
        apart = {what: (one.get(what), other.get(what)) for what in {*one, *other} if one.get(what) != other.get(what)}
        found |= {f"{case.exercise} {case.name}": apart} if apart else {}
    return found


def test_verdicts_and_words_are_the_same(courses, tmp_path):
    edition, page = courses
    cases = [*references(), *unreadable(), *untouched()[::5], *[*wrong_ideas()][::EVERY], *[*other_answers()][::EVERY]]
    there = pages.in_a_terminal(edition, cases, tmp_path)
    assert differences(cases, there, pages.in_a_page(page, asked(cases), tmp_path)) == {}
    assert {v["status"] for v in there[: len(references())]} == {"passed"}
    assert all("in what you wrote for exercise" in " ".join(v["lines"]) for v in there[len(references()) :][:2])
    assert sum(bool(v["misconception"]) for v in there) >= len([*wrong_ideas()][::EVERY])


def test_an_answer_that_uses_numpy_is_told_that_there_is_none(courses, tmp_path):
    """It is right in the course, so the page does not say that it is wrong."""
    edition, page = courses
    cases = with_numpy()
    assert [v["status"] for v in pages.in_a_terminal(edition, cases, tmp_path)] == ["passed"]
    [verdict] = pages.in_a_page(page, asked(cases), tmp_path)
    assert verdict["status"] == "error" and not verdict["misconception"]
    assert any("NumPy is not in this page: this runs in the real course." in line["text"] for line in verdict["lines"])


def test_the_page_is_told_what_it_cannot_ask_and_why(courses):
    _, page = courses
    told = json.loads((page.parent / "course.json").read_text())
    exercises = [each for notebook in told["notebooks"] for each in notebook["exercises"]]
    assert [each["id"] for each in exercises if not each["inpage"]] == [
        *("1.2", "1.3"),
        *(f"4.{place}" for place in range(1, 7)),
    ]
    assert all(bool(each["why"]) == (not each["inpage"]) for each in exercises)


@pytest.mark.leg("night")
@pytest.mark.usefixtures("node")  # for Pyodide
def test_every_verdict_is_the_same_in_pyodide(courses, tmp_path):
    edition, page = courses
    cases = [*references(), *unreadable(), *untouched(), *wrong_ideas(), *other_answers()]
    there = pages.in_a_terminal(edition, cases, tmp_path)
    assert differences(cases, there, pages.in_pyodide(page, asked(cases), tmp_path)) == {}
    assert len(cases) > 250

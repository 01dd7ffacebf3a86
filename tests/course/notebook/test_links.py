"""A check's message in a notebook: the files that it names are links, which open them in JupyterLab."""

import re

import pytest

from grader.checking.verdict import Verdict
from grader.course import catalogue
from grader.notebook.report_html import bundle


def links(*lines, status="failed", id="3.2"):
    """(address, words) of the links in the message of an exercise with these lines, but for that in its heading."""
    ex = catalogue.exercise(id)
    html = bundle([Verdict(ex.id, ex.title, ex.file, ex.points, status=status, lines=lines)])["text/html"]
    heading, *others = re.findall(r"<a href='([^']*)' style='color:#\w{6}'>([^<]*)</a>", html)
    assert heading == (f"../babygrad/{ex.file}#exercise-{id}", f"babygrad/{ex.file}")
    return others


@pytest.mark.parametrize("status", ["failed", "error", "not_started", "timeout", "crashed"])
def test_the_heading_leads_to_the_exercise(status):
    assert links("It is wrong.", status=status) == []


@pytest.mark.parametrize(
    ("line", "address", "words"),
    [
        ("Your code stopped in babygrad/value.py, line 88, in f.", "value.py#line=87", "babygrad/value.py, line 88"),
        (
            "Python could not read babygrad/ops/shape.py, line 1.",
            "ops/shape.py#line=0",
            "babygrad/ops/shape.py, line 1",
        ),
        ("Open babygrad/value.py and fill in exercise 3.2.", "value.py#exercise-3.2", "babygrad/value.py"),
        ("Open babygrad/warmup.py.", "warmup.py", "babygrad/warmup.py"),
        ("beside it babygrad/warmup.py: exercise 0.10.", "warmup.py#exercise-0.10", "babygrad/warmup.py"),
    ],
)
def test_a_line_leads_to_the_file_that_it_names(line, address, words):
    assert links(line) == [(f"../babygrad/{address}", words)]


@pytest.mark.parametrize(
    "line",
    [
        "babygrad/../secret.py",
        "babygrad/value.pyc babygrad/a'onclick='b.py",
        "https://babygrad/x",
        "babygrad/<b>.py",
    ],
)
def test_nothing_else_becomes_a_link(line):
    assert links(line) == []


def test_what_is_next_is_a_link_and_a_passed_exercise_needs_none():
    first, second = (catalogue.exercise(id) for id in ("3.1", "3.2"))
    verdicts = [Verdict(first.id, first.title, first.file, 1), Verdict(second.id, second.title, second.file, 1)]
    assert "<a " not in bundle(verdicts[:1])["text/html"]
    verdicts[1].status = "not_started"
    shown = bundle(verdicts)
    assert "<a href='../babygrad/value.py#exercise-3.2'" in shown["text/html"]
    assert (
        "../babygrad" not in shown["text/plain"] and "beside it babygrad/value.py: exercise 3.2." in shown["text/plain"]
    )

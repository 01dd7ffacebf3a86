"""Templates: whatever a stranger wrote is read on the page as text, and nothing of it is markup."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import jinja2
import pytest
import sample_class

from grader.checking.verdict import Verdict
from grader.classroom.marks.marks import Mark
from grader.classroom.pages import exercises_page, feedback, index_page, similar_page, written_page
from grader.classroom.pages.questions import Asked
from grader.classroom.pages.tally import Tally
from grader.classroom.pages.written_page import Given
from grader.classroom.similar.compare import Alike, Answer, Similar
from grader.classroom.term import page as term_page
from grader.classroom.term.joined import Result, Student, Term
from grader.course import catalogue
from grader.course.paths import ROOT
from grader.exam import sheet
from grader.exam.question import Question
from grader.html import pages
from grader.notebook import answers, report_html
from grader.quiz import asked

# The site shows nothing but the course's own.
OF_STRANGERS = [folder for folder in pages.FOLDERS if ROOT / "grader" / "site" not in folder.parents]
TEMPLATES = {path.name: path for folder in OF_STRANGERS for path in folder.glob("*")}
MARKUP = "<script>alert(1)</script>'\"><img src=x onerror='alert(2)'> {{ 7 * 7 }} {% raw %} &lt;b&gt; "
EVIL, SHOWN = MARKUP + "\u202e\x1b\x00\ud800", MARKUP + "\\u202e\\x1b\\x00\\ud800"
LINES = (EVIL, f"    {EVIL}", f"`{EVIL}` and `more`", f"an odd ` {EVIL}")


class Page(sample_class.Page):
    """A page or a piece of one; pieces for a notebook set their own style."""

    TAGS = [*sample_class.Page.TAGS, "b", "figure", "figcaption"]
    ATTRIBUTES = [*sample_class.Page.ATTRIBUTES, "style"]


def verdict(status="failed", **changes):
    said = {"earned": 1, "status": status, "lines": LINES, "misconception": EVIL, "right": 1, "asked": 2}
    return Verdict(**{"id": "2.1", "title": EVIL, "file": EVIL, "points": 2, **said, **changes})


def record(number, **changes):
    """A record in which nearly everything is as its writer wants it."""
    row = sample_class.row(catalogue.exercise("2.1"), "failed", "\n".join(LINES), EVIL, right=1) | {"title": EVIL}
    submission = sample_class.record(1)["submission"] | {
        "name": f"{EVIL}.zip", "digest": EVIL, "time_from": EVIL, "marked_late": EVIL
    }  # fmt: skip
    said = {
        "student": EVIL + str(number),
        "submission": submission,
        "notes": [EVIL],
        "isolation": EVIL,
        "exercises": [row],
    }
    row["mark"] = {"points": 1, "check": 0, "comment": EVIL}
    said["marks"] = [{"item": EVIL, "points": 1, "of": 2, "comment": EVIL}]
    said |= {"renamed": {EVIL: [EVIL, EVIL]}, "made_with": {"version": EVIL, "possible": 7}, "grader": EVIL}
    return sample_class.record(1) | said | changes


RECORDS = [record(0), record(1), record(2, malformed=EVIL, status="malformed", exercises=[]), record(3, trouble=EVIL)]
STUDENTS = [record["student"] for record in RECORDS]
RESULT = Result(2, 4, frozenset({("2.1", EVIL)}))
ALIKE = Alike(tuple(STUDENTS[:2]), (Answer("2.1", 2, (((EVIL, True), (EVIL, False)), ((EVIL, True),))),))
CONTEXT = sample_class.context(
    similar=Similar([tuple(STUDENTS[:2])], [ALIKE], 4),
    sections=dict.fromkeys(STUDENTS[:3], EVIL),
    names=dict.fromkeys(STUDENTS, EVIL),
    folders=dict.fromkeys(STUDENTS, "'\"><script>/../javascript:"),
    missing=[EVIL],
    unknown=STUDENTS[:1],
    notes=[EVIL],
    several=dict.fromkeys(STUDENTS[:2], EVIL),
    isolation=[EVIL],
    version=EVIL,
)


def check(*verdicts):
    return report_html.bundle(list(verdicts), {"2.1": EVIL})["text/html"]


def question():
    """Answers with and without a mark."""
    given = [
        Given(STUDENTS[0], 0, LINES, True, Mark(1.5, EVIL), EVIL),
        Given(STUDENTS[1], None, LINES, False, None, EVIL),
    ]
    return written_page.html(written_page.Question(Asked("2.R1", "02", LINES), given, 2), CONTEXT, [EVIL])


def hint():
    exercise = SimpleNamespace(id="2.1", title=EVIL, hints=LINES)
    return report_html.hint_bundle(SimpleNamespace(exercise=exercise, shown=LINES, slip=EVIL))["text/html"]


WROTE = [(answers.Answer("Note", "2.R1", EVIL), LINES), (answers.Answer("Prediction", "2.A1", EVIL), LINES)]


def exam():
    """A sheet with its solutions."""
    drawn = Question("2.E1", EVIL, 1, 1, EVIL, answer=EVIL, marking=((1, EVIL),), code=EVIL).drawn("A")
    return sheet.html(EVIL, [sheet.Entry(drawn, 1, None, [(EVIL, EVIL)], [(EVIL, EVIL)])], solutions=True)


HOSTILE = {
    "exam": exam,
    "check of one": lambda: check(verdict()),
    "check of some": lambda: check(verdict(), verdict("error", id="2.3")),
    "hint": hint,
    "told": lambda: report_html.told_bundle([EVIL])["text/html"],
    "quiz": lambda: report_html.quiz_bundle(
        [asked.Asked("2.Q1", EVIL, EVIL, (EVIL,), (EVIL,), (), (EVIL, EVIL), "A")], [EVIL]
    )["text/html"],
    "similar": lambda: similar_page.html(CONTEXT),
    "term": lambda: term_page.html(Term(["hw1", EVIL], [4, 4], [Student(EVIL, EVIL, EVIL, [RESULT, RESULT])]), Path()),
    "exercises": lambda: exercises_page.html(Tally.of(RECORDS, CONTEXT)),
    "written": lambda: written_page.index([(Asked("2.R1", "02", LINES), 2, 1)]),
    "question": question,
    "index": lambda: index_page.html(Tally.of(RECORDS, CONTEXT)),
    **{
        f"feedback {number}": lambda record=record: feedback.html(feedback.Feedback.of(record, CONTEXT, WROTE), record)
        for number, record in enumerate(RECORDS)
    },
}
each_page = pytest.mark.parametrize("name", HOSTILE)


@each_page
def test_what_strangers_wrote_is_read_and_is_no_markup(name):
    read = Page(HOSTILE[name]())
    assert read.faults == []
    assert SHOWN in read.words


@each_page
def test_no_page_loads_or_runs_anything(name):
    read = Page(HOSTILE[name]())
    assert {"script", "img", "link", "iframe", "form"}.isdisjoint(read.tags)
    file = r"\.\./babygrad/[\w/]+\.py(#line=\d+|#exercise-[\d.]+)?"
    page = r"(\.\./)?[\w%.-]+/feedback\.html|(\.\./)?(similar|written|index)\.html|written/[\w.]+\.html"
    page += r"|exercises\.html#ex[\d.]+|\w+\.ipynb#A\.[\w%.,()-]+"
    assert all(re.fullmatch(rf"#[\w.]+|{page}|{file}", link) for link in read.links)


def test_these_pages_are_made_of_all_templates(monkeypatch):
    opened, read = set(), jinja2.FileSystemLoader.get_source
    monkeypatch.setattr(jinja2.FileSystemLoader, "get_source", lambda *words: opened.add(words[2]) or read(*words))
    pages._environment.cache_clear()
    for html in HOSTILE.values():
        html()
    feedback.markdown(feedback.Feedback.of(RECORDS[0], CONTEXT, WROTE), RECORDS[0])
    assert opened == {name for name, path in TEMPLATES.items() if "mark" not in path.parts}  # mark/ has its own tests


@pytest.mark.parametrize("name", TEMPLATES)
def test_no_template_goes_past_the_escaping(name):
    text = TEMPLATES[name].read_text().replace('<script src="{{ script }}" defer></script>', "")  # make mark's own
    assert not re.search(r"\|\s*safe|autoescape|Markup|<script|javascript:|\bon\w+=", text)


def test_what_a_template_misses_is_an_error():
    with pytest.raises(jinja2.UndefinedError):
        pages.render("hint.html", heading="", rest=[])


def test_colours_stand_in_the_palette_alone():
    texts = {name: path.read_text() for name, path in TEMPLATES.items()}
    texts |= {path.name: path.read_text() for path in (ROOT / "grader").rglob("*.py")}
    assert {name for name, text in texts.items() if re.search(r"#[0-9a-f]{6}\b", text)} == {"palette.html"}


@pytest.mark.leg("push")
@pytest.mark.parametrize(
    "module",
    [
        *("cli", "checking.check", "checking.report", "asking.child", "notebook.magics"),
        *("sandbox.outside.grading", "classroom.gradescope"),
    ],
)
def test_whoever_writes_no_page_does_not_import_jinja2(module):
    code = f"import sys, grader.{module}; sys.exit('jinja2' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ, check=True)

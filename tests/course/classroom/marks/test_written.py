"""Written answers: on the student's page, and all of one question on a page for marking."""

import csv
import json
import os
import re
import sys
from pathlib import Path

import pytest
import sample_class

sys.path.append(str(Path(__file__).parents[1]))
import classroom_fakes as fakes

from grader.classroom.pages import feedback, questions, written_page
from grader.classroom.term import parts
from grader.course import catalogue
from grader.course.paths import NOTEBOOK_SOURCES
from grader.course.settings import Settings

Page = sample_class.Page
TEXT = (
    "# 02\n\n## Prediction 2.A1\n\n6\n\n## Note 2.R1\n\nWhile it runs.\nAn `if` <b>decides</b>.\n\n"
    "## Note 2.Z9\n\nmy own\n"
)


@pytest.fixture(autouse=True)
def faked(monkeypatch):
    fakes.use(monkeypatch)


@pytest.fixture
def course(tmp_path):
    return fakes.class_of(tmp_path / "submissions", 3)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def answered(course, student, text=TEXT):
    path = course / student / "answers" / "02.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    os.utime(path, (1_700_000_000, 1_700_000_000))


def read(path):
    return Page(path.read_text())


def test_every_question_of_a_notebook_has_words_of_its_own():
    numbers = [notebook.number for notebook in catalogue.notebooks()]
    asked = questions.of_the_notebooks(numbers)
    sources = "".join(path.read_text() for path in sorted(NOTEBOOK_SOURCES.glob("[0-9]*.py")))
    assert [question.key for question in asked] == re.findall(r"^%%note (\S+)$", sources, re.M)
    assert all(question.lines and question.lines[-1].strip().endswith(("?", ".", ":", ")")) for question in asked)
    assert len({question.lines for question in asked}) == len(asked)
    first = next(question for question in asked if question.key == "2.R2")
    assert first.lines == ("Why can the local derivatives be plain numbers, and need no formulas?",)


def test_where_a_notebook_asks_several_questions_it_wants_one_answer():
    for notebook in catalogue.notebooks():
        if len(questions.of_the_notebooks([notebook.number])) > 1:
            [source] = NOTEBOOK_SOURCES.glob(f"{notebook.number}_*.py")
            assert "# Write an answer to one of these questions" in source.read_text()


def test_of_questions_to_choose_from_the_best_counts(course, out):
    for student, key in {"s00": "2.R1", "s01": "2.R2"}.items():
        answered(course, student, f"## Note {key}\n\nmine\n")
    answered(course, "s02", "## Note 2.R1\n\nmine\n\n## Note 2.R2\n\nmine too\n")
    fakes.graded(course, out)
    assert "such as maximum,2.R1 or 2.R2,5," in read(out / "written" / "2.R2.html").words
    lines = "s00,2.R1,2,\ns01,2.r2,3,well\ns02,2.R1,1,half\ns02,2.R2,2.5,nearly\n"
    (out / "marks.csv").write_text(f"student,item,points,comment\n{lines}maximum,2.R1 OR 02.R2,3,\n")
    _, said = fakes.graded(course, out, resume=True)
    assert not [line for line in said if "marks.csv" in line]
    with (out / "grades.csv").open() as table:
        rows = {row["student"]: row for row in csv.DictReader(table)}
    assert {student: row["2.R1 or 2.R2"] for student, row in rows.items()} == {"s00": "2", "s01": "3", "s02": "2.5"}
    assert {row["possible"] for row in rows.values()} == {str(fakes_possible() + 3)}
    assert "2.R1 or 2.R2: nearly; 2.R1: half." in rows["s02"]["notes"]
    page = read(out / "written" / "2.R1.html").words
    assert "3 points for the best of 2.R1 or 2.R2." in page and "1 of 3 points: half" in page
    assert parts.parts_of(record_of(out, "s02"))["written"] == (2.5, 3)


def fakes_possible():
    return Settings.from_dict(fakes.COURSE).possible


def record_of(out, student):
    records = map(json.loads, (out / "grades.jsonl").read_text().splitlines())
    return next(record for record in records if record["student"] == student)


@pytest.mark.leg("push")
@pytest.mark.parametrize(
    ("lines", "why"),
    {
        "maximum,2.R1 or 2.R2,3\ns00,2.R1 or 2.R2,2": "line 3: write which one was answered: 2.R1 or 2.R2",
        "maximum,2.R1,3\nmaximum,2.R1 or 2.R2,3": "line 3: 2.R1 or 2.R2: 2.R1 has points of its own",
        "maximum,2.R1 or 2.R2,3\nmaximum,2.R2,3": "line 3: 2.R2: one of these is among 2.R1 or 2.R2 already",
        "maximum,2.R1 or 2.R2,3\nmaximum,2.R2 or 2.R3,3": "line 3: 2.R2 or 2.R3: one of these is among",
        "maximum,2.1 or 2.R1,3": "line 2: 2.1 or 2.R1: 2.1 has points of its own",
        "maximum,2.R1 or 2.R2,3\nmaximum,2.R1 or 2.R2,4": "line 3: the maximum for 2.R1 or 2.R2 was 3 before; 4",
        "maximum,2.R1 or 2.R2,3\ns00,2.R2,4": "line 3: 4 points for 2.R2, which has 3",
    }.items(),
)
def test_a_choice_that_cannot_count_is_told(course, out, lines, why):
    out.mkdir()
    (out / "marks.csv").write_text(f"student,item,points\n{lines}\n")
    fakes.graded(course, out)
    assert f"marks.csv, {why}" in read(out / "index.html").words


def test_the_student_reads_what_was_handed_in(course, out):
    answered(course, "s01")
    fakes.graded(course, out)
    page = read(out / "s01" / "feedback.html")
    assert page.faults == []
    assert "Your written answers 2 answers 2.Z9 my own 2.R1 While it runs. An `if` <b>decides</b>." in page.words
    assert "Your predictions 1 answer 2.A1 6" in page.words
    text = (out / "s01" / "feedback.md").read_text()
    mine = "## Your written answers\n\n### 2.Z9\n\n```text\nmy own\n```\n\n### 2.R1\n\n```text\n"
    assert f"{mine}While it runs.\nAn `if` <b>decides</b>.\n```\n" in text
    assert "Your written answers" not in read(out / "s00" / "feedback.html").words


def test_all_answers_to_a_question_are_on_a_page_with_the_line_to_paste(course, out):
    for student in ("s00", "s02"):
        answered(course, student)
    (course / "s01").rename(course / "Eve, the 2nd")
    answered(course, "Eve, the 2nd")
    out.mkdir()
    (out / "marks.csv").write_text("student,item,points,comment\nmaximum,2.R1,3,\ns02,2.R1,2.5,and <i>loops</i>?\n")
    fakes.graded(course, out)
    page = read(out / "written" / "2.R1.html")
    assert page.faults == [] and {"script", "form"}.isdisjoint(page.tags)
    assert "When is the computation graph built" in page.words
    assert "3 answers, 1 with a mark or a comment. 3 points." in page.words
    assert page.words.count("While it runs. An `if` <b>decides</b>.") == 3
    assert "s02 While it runs. An `if` <b>decides</b>. 2.5 of 3 points: and <i>loops</i>? s02,2.R1,," in page.words
    assert "Lines for marks.csv: 2 answers to mark " + '"Eve, the 2nd",2.R1,, s00,2.R1,,' in page.words
    assert sorted(path.name for path in (out / "written").iterdir()) == ["2.R1.html"]  # 2.Z9 is no question of ours
    assert "2.R1When is the computation" in read(out / "written.html").words.replace("2.R1 ", "2.R1")
    assert "<code" in (out / "written.html").read_text()  # the question has an `if`
    assert "written.html" in read(out / "index.html").links


def test_the_line_on_the_page_is_understood(course, out):
    (course / "s01").rename(course / 'Eve, "Æ"')
    answered(course, 'Eve, "Æ"')
    fakes.graded(course, out)
    page = (out / "written" / "2.R1.html").read_text()
    assert "maximum,2.R1 or 2.R2,5," in page
    line = written_page.csv_line('Eve, "Æ"', "2.R1", 4, "good")
    (out / "marks.csv").write_text(f"student,item,points,comment\nmaximum,2.R1,5,\n{line}\n")
    _, said = fakes.graded(course, out, resume=True)
    assert not [line for line in said if "marks.csv" in line]
    assert "4 of 5 points: good" in read(out / "written" / "2.R1.html").words


def test_pages_of_answers_that_are_gone_go_too(course, out):
    answered(course, "s00")
    fakes.graded(course, out)
    (course / "s00" / "answers" / "02.md").unlink()
    fakes.graded(course, out, resume=True)
    assert not list((out / "written").iterdir())
    assert "Nobody handed in a written answer." in read(out / "written.html").words


def test_a_long_answer_is_cut_and_a_page_of_them_too(course, out):
    long = "x" * 15_000
    answered(course, "s00", "".join(f"## Note 2.R{n}\n\n{long}\n\n" for n in range(1, 10)))
    fakes.graded(course, out)
    page = read(out / "written" / "2.R1.html").words
    assert "x" * written_page.LONGEST in page and "x" * (written_page.LONGEST + 1) not in page
    assert "It goes on in answers/02.md" in page
    assert len((out / "s00" / "feedback.html").read_text()) < feedback.MOST_WRITTEN + 40_000


def test_sections_can_be_chosen(out):
    out.mkdir()
    for student in ("ada", "ben"):
        (out / student / "answers").mkdir(parents=True)
        (out / student / "answers" / "02.md").write_text(TEXT)
    context = sample_class.context(folders={"ada": "ada", "ben": "ben"}, sections={"ada": "Mon", "ben": "<Tue>"})
    written_page.write(out, context)
    html = (out / "written" / "2.R1.html").read_text()
    assert "Section all <Tue> Mon" in Page(html).words
    assert "main:has(#s1:checked) .answer:not(.in-s1)" in html and "is-unseen in-s1" in html

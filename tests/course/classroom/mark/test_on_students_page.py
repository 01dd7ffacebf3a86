"""What was marked, as the student reads it: criteria in words, comments at lines, regrade requests."""

import json

import pytest

pytest.importorskip("fcntl")  # the class is graded with locks: no Windows
import marked_class
from sample_class import Page

from grader.classroom.marks.line_comments import LineComment, placed
from grader.classroom.pages import handed_in

ID, LINE = marked_class.first_exercise()
HOSTILE = marked_class.HOSTILE


@pytest.fixture
def graded(tmp_path, monkeypatch):
    return marked_class.make(tmp_path, monkeypatch)


def again(graded, files):
    """Write these beside the grades, grade once more.  Returns what was said."""
    submissions, grades = graded
    for name, text in files.items():
        (grades / name).write_text(text, encoding="utf-8")
    return marked_class.grade(submissions, grades, resume=True)


def read(graded, student, name="feedback.html"):
    return (graded[1] / student / name).read_text("utf-8")


def test_the_code_that_was_handed_in_is_kept_as_text(graded):
    text = read(graded, "ben", "code/value.py")
    assert marked_class.HOSTILE_LINE.replace("\u202e", "\\u202e") in text
    found = handed_in.text_of(ID, graded[1] / "ben")
    assert (found.file, found.lines[0][0], found.whole) == ("babygrad/value.py", LINE - 1, False)
    (graded[1] / "ben" / "code" / "value.py").write_text("x = 1\ny = 2\n")
    whole = handed_in.text_of(ID, graded[1] / "ben")
    assert whole.whole and whole.lines == ((1, "x = 1"), (2, "y = 2"))


def test_a_comment_stands_below_its_line_and_is_text(graded):
    line = marked_class.HOSTILE_LINE.strip().replace("\u202e", "\\u202e")
    comments = (
        f'student,item,line,text,comment\nben,{ID},{LINE + 1},"{line}","{HOSTILE}\nand so on"\nnobody,2.1,1,x,y\n'
    )
    said = again(graded, {"marks-comments.csv": comments})
    page = Page(read(graded, "ben"))
    assert page.faults == [] and "script" not in page.tags
    number = page.words.index(f"Line {LINE + 1}: </textarea>")
    assert page.words.index(f"{LINE + 1} # </textarea>") < number < page.words.index("and so on")
    assert "Comments at lines" in read(graded, "ben", "feedback.md") and "\\<script\\>" in read(
        graded, "ben", "feedback.md"
    )
    assert any("marks-comments.csv, line 4: nobody here is called nobody." in line for line in said)


def test_criteria_are_told_in_words(graded):
    marks = "student,item,points,comment\nmaximum,2.R1,3,\nada,2.R1,1,[1 2] Which?\nben,2.R1,1,[9] is none\n"
    rubric = "item,number,points,words\n2.R1,1,2,Says when\n2.R1,2,-1,No loop.\nx,,1,\n"
    said = again(graded, {"marks.csv": marks, "marks-rubric.csv": rubric})
    assert "2.R1: 1 of 3 points. +2 Says when. −1 No loop. Which?" in Page(read(graded, "ada")).words
    assert "2.R1: 1 of 3 points. [9] is none" in Page(read(graded, "ben")).words
    assert any("marks-rubric.csv, line 4: it needs an item" in line for line in said)


def test_a_regrade_request_is_there_with_what_was_decided(graded):
    entry = {"when": "2026-12-04T10:31:07+01:00", "who": "mary", "student": "ben", "item": ID, "before": None}
    asked = {**entry, "what": "request", "after": {"text": HOSTILE, "points": "1"}}
    decided = {**entry, "who": "<b>", "what": "decision", "after": {"text": "So it is.", "points": "2"}}
    log = "".join(json.dumps(each) + "\n" for each in (asked, {"what": "x"}, decided))
    submissions, grades = graded
    (grades / "marks-log.jsonl").write_text(log + "half a li")
    marked_class.grade(submissions, grades, resume=True)
    page = Page(read(graded, "ben"))
    assert page.faults == []
    assert f"{ID}, regrade request of 2026-12-04 10:31+01:00: </textarea>" in page.words
    assert "Decided 2026-12-04 10:31+01:00 by <b> (2 instead of 1): So it is." in page.words


def test_a_comment_goes_with_its_line_where_that_stands_once():
    lines = ((10, "a"), (11, "b"), (12, "b"), (13, "c"))
    here, moved, gone, twice = (LineComment(*each, "!") for each in ((11, "b"), (9, "c"), (10, "z"), (8, "b")))
    assert placed([here, moved, gone, twice], lines) == ({11: here, 13: moved}, [gone, twice])


@pytest.mark.parametrize("numbers", [[3], [3, 4], [1, 30], [], [40]])
def test_around_a_comment_are_some_lines_each_once(numbers):
    lines = tuple((number, f"line {number}") for number in range(1, 41))
    pieces = handed_in.excerpts(lines, numbers)
    shown = [number for _, some in pieces for number, _ in some]
    assert shown == sorted(set(shown)) and [number for number, _ in pieces if number] == numbers
    assert all(some[-1][0] == number for number, some in pieces if number)
    assert len(shown) <= 5 * len(numbers)

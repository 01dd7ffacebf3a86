"""Lines of slips: searched for after the verdicts, once; they are said, and change no point."""

import csv
import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("fcntl")
sys.path.append(str(Path(__file__).parents[1]))
import classroom_fakes as fakes
import sample_class

from grader.classroom.pages import exercises_page, index_page
from grader.classroom.pages.tally import KEPT, Tally

LINE = "    return -a"


@pytest.fixture
def course(tmp_path, monkeypatch):
    fakes.use(monkeypatch)
    return fakes.class_of(tmp_path / "in", 3, s01="slip")


def rows(out):
    """{student: the rows of what fails}."""
    records = map(json.loads, (out / "grades.jsonl").read_text().splitlines())
    return {r["student"]: [row for row in r["exercises"] if row["status"] == "failed"] for r in records}


def points(out):
    with (out / "grades.csv").open() as file:
        return [(row["student"], row["total"], row["own"], row["carried"]) for row in csv.DictReader(file)]


@pytest.mark.leg("push")
def test_the_line_is_said_once_and_no_point_is_another(course, tmp_path):
    fakes.graded(course, tmp_path / "without", lines=False)
    _, said = fakes.graded(course, tmp_path / "with")
    found = rows(tmp_path / "with")
    assert "Lines of slips: looked for in 1 submission." in said
    assert found["s01"] and all(row["slip"]["code"] == LINE.strip() and "wrong" not in row for row in found["s01"])
    assert all(row["message"].endswith(LINE) for row in found["s01"])
    assert not any("slip" in row for student in ("s00", "s02") for row in found[student])
    assert points(tmp_path / "with") == points(tmp_path / "without")
    assert "return -a" in (tmp_path / "with" / "s01" / "feedback.html").read_text()
    assert "return -a" not in (tmp_path / "without" / "s01" / "feedback.html").read_text()


@pytest.mark.leg("push")
def test_resume_searches_for_what_was_not_searched_for_and_for_nothing_twice(course, tmp_path):
    out = tmp_path / "out"
    fakes.graded(course, out, lines=False)
    fakes.graded(course, out, resume=True)
    before = fakes.outputs(out)
    assert all(row["message"].count(LINE) == 1 for row in rows(out)["s01"])
    _, said = fakes.graded(course, out, resume=True)
    assert fakes.outputs(out) == before and not any("Lines of slips" in line for line in said)


@pytest.mark.leg("push")
def test_a_search_that_fails_costs_nothing_but_the_line(course, tmp_path, capsys):
    out = tmp_path / "out"
    fakes.hand_in(course, "s01", "slip raise")
    assert fakes.graded(course, out)[0] == 0 and "--resume looks for lines of slips again." in capsys.readouterr().err
    assert rows(out)["s01"] and not any("slip" in row for row in rows(out)["s01"])


def with_slip(record, code):
    slip = {"lines": [3, 3], "kind": "SIGN", "code": code}
    rows = [
        row | {"status": "failed", "misconception": None, "slip": slip} if row["id"] == "2.1" else row
        for row in record["exercises"]
    ]
    return record | {"exercises": rows}


def test_the_class_is_told_how_many_are_near_and_which_lines():
    records = [record for record in sample_class.records() if record["status"] == "graded"]
    near = [with_slip(record, "return -a" if number else "x = <b>") for number, record in enumerate(records[:3])]
    tally = Tally.of([*near, *records[3:]], sample_class.context())
    said = f"3 of {tally.wrong('2.1')} wrong answers are one slip from right"
    assert said in index_page.html(tally)
    page = exercises_page.html(tally)
    assert f"{said}." in page and "<li>2: <code" in page and "x = &lt;b&gt;" in page
    assert "Think about the signs in this line." in page


def test_of_a_class_of_any_size_so_many_lines_are_kept():
    record = next(record for record in sample_class.records() if record["status"] == "graded")
    tally = Tally.of((with_slip(record, f"line {number}") for number in range(3 * KEPT)), sample_class.context())
    assert len(tally.slips["2.1"]) == KEPT + 1 and tally.slips["2.1"].total() == 3 * KEPT
    assert "line 0" in exercises_page.html(tally)

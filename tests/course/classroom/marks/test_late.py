"""extensions.csv, hours late, and what --late suggests."""

import csv
import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1]))
import classroom_fakes as fakes

from grader.classroom.marks import extensions
from grader.classroom.marks.extensions import Extensions
from grader.classroom.marks.late import FORMS, Policy, with_lateness
from grader.classroom.marks.people import People
from grader.course.settings import Settings
from grader.course.usage import UsageError

DUE = datetime(2026, 12, 1, 20, tzinfo=UTC)
SETTINGS = Settings(("02", "03"), due={"": DUE, "03": DUE + timedelta(days=7)})
HEAD = "student,notebook,until\n"


@pytest.fixture
def read(tmp_path):
    """A function from the file's lines to its Extensions."""

    def read(lines, settings=SETTINGS):
        (tmp_path / "extensions.csv").write_text(HEAD + lines)
        sheet = extensions.read(tmp_path / "extensions.csv")
        return Extensions.of(sheet, settings, People(["ada", "ben"]))

    return read


def submission(when, marked=""):
    return {"submitted": when and when.isoformat(), "marked_late": marked}


def late(when, found=None, student="ada", marked=""):
    return with_lateness(submission(when, marked), student, SETTINGS, found or Extensions(SETTINGS))


# ------------------------------------------------------------------ extensions


@pytest.mark.parametrize(
    ("text", "longer"),
    [("48", 48), ("48 h", 48), ("48 hours", 48), ("2 days", 48), ("1.5 days", 36), ("1,5 d", 36), ("+1 hour", 1)],
)
def test_hours_and_days_are_added_to_the_due_date(read, text, longer):
    found = read(f'ada,02,"{text}"\n')
    assert (found.notes, found.due_of("02", "ada")) == ([], DUE + timedelta(hours=longer))
    assert (found.due_of("02", "ben"), found.extended("03", "ada")) == (DUE, None)


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("2026-12-05", (2026, 12, 5, 23, 59, 59)),
        ("2026-12-05 18:00", (2026, 12, 5, 18)),
        ("5.12.2026", (2026, 12, 5, 23, 59, 59)),
        ("05.12.2026 18:00", (2026, 12, 5, 18)),
    ],
)
def test_a_date_is_this_machine_s_and_a_day_ends_at_its_end(read, text, local):
    assert read(f"ada,2,{text}\n").due_of("02", "ada") == datetime(*local).astimezone()


def test_a_date_may_name_its_zone(read):
    assert read("ada,2,2026-12-05T18:00+02:00\n").due_of("02", "ada") == datetime(2026, 12, 5, 16, tzinfo=UTC)


@pytest.mark.parametrize("word", ["all", "", "*", "All"])
def test_all_notebooks_each_from_its_own_date(read, word):
    found = read(f"ada,{word},24\nada,03,48\n")
    assert found.due_of("02", "ada") == DUE + timedelta(days=1)
    assert found.due_of("03", "ada") == DUE + timedelta(days=9)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("eve,02,48", "nobody here is called eve."),
        ("ada,04,48", "04 is no notebook that is graded here. Those are 02 and 03, or all."),
        (
            "ada,02,12/05/2026",
            "12/05/2026 is no date. Write a date, such as 2026-12-05 or 2026-12-05 18:00, or",
        ),
        ("ada,02,", "an empty cell is no date."),
        ("ada,02,2026-02-30", "2026-02-30 is no date."),
        ("ada,02,2026-11-01", "that is before the due date, which stays."),
    ],
)
def test_a_line_that_cannot_count_is_told(read, line, said):
    found = read(f"{line}\n")
    assert len(found.notes) == 1 and found.notes[0].startswith(f"extensions.csv, line 2: {said}")
    assert found.due_of("02", "ada") == DUE


def test_of_two_lines_the_later_counts_and_that_is_told(read):
    found = read("ada,02,24\nada,2,48\n")
    assert found.due_of("02", "ada") == DUE + timedelta(days=2)
    assert found.notes == ["extensions.csv, line 3: ada has an extension for 02 on line 2 already; this one counts."]


def test_without_a_due_date_there_is_nothing_to_extend(read):
    found = read("ada,02,2026-12-05\n", Settings(("02",)))
    assert found.notes == ["extensions.csv, line 2: there is no due date, and so nothing to extend."]
    assert found.due_of("02", "ada") is None


# ------------------------------------------------------------------ hours late


def test_hours_late_are_counted_from_each_notebook_s_own_date():
    assert late(DUE)["hours_late"] == {} == late(None)["hours_late"]
    assert late(DUE + timedelta(seconds=1))["hours_late"] == {"02": 0.01}
    found = late(DUE + timedelta(days=8, minutes=30))
    assert (found["late"], found["hours_late"]) == (["02", "03"], {"02": 192.5, "03": 24.5})


def test_an_extension_counts_for_the_student_alone(read):
    found, when = read("ada,02,48\n"), DUE + timedelta(hours=50)
    assert late(when, found)["hours_late"] == {"02": 2.0}
    assert late(when, found, "ben")["hours_late"] == {"02": 50.0}
    assert late(when, found)["extended"] == {"02": (DUE + timedelta(days=2)).isoformat()}


def test_the_platform_s_mark_counts_unless_the_student_s_own_dates_allow_all_of_it(read):
    when = DUE + timedelta(hours=1)
    assert late(DUE, marked="Canvas")["marked_late"] == "Canvas"
    assert late(when, read("ada,02,48\n"), marked="Canvas")["marked_late"] == "Canvas"  # 03 is not extended
    assert late(when, read("ada,all,48\n"), marked="Canvas")["marked_late"] == ""
    assert late(DUE + timedelta(days=3), read("ada,all,48\n"), marked="Canvas")["marked_late"] == "Canvas"


# ------------------------------------------------------------------ --late


@pytest.mark.parametrize(
    ("text", "hours", "left"),
    [
        ("10 % a day", 0, 1),
        ("10 % a day", 0.01, 0.9),
        ("10% per day", 24, 0.9),
        ("10 % a day", 24.01, 0.8),
        ("10 % a day", 1000, 0),
        ("10 % a day, 2 days free", 48, 1),
        ("10 % A DAY, 2 Days Free", 49, 0.9),
        ("5 % an hour, 12 hours free, at most 50 %", 13, 0.95),
        ("5 % an hour, at most 50 %, 12 hours free", 100, 0.5),
        ("12.5 % each week, 1 week free", 169, 0.875),
    ],
)
def test_what_is_left(text, hours, left):
    assert Policy.read(text).share_left(hours) == pytest.approx(left)


@pytest.mark.parametrize(
    "text",
    ["", "10", "10 %", "ten % a day", "-10 % a day", "10 % a day 2 days free", "10 % a day,", "10 % a month",
     "10 % a day, 2 days free, 3 days free", "2 days free", "10 % a day, free"],
)  # fmt: skip
def test_what_is_not_understood_gets_all_forms(text):
    with pytest.raises(UsageError, match="--late") as error:
        Policy.read(text)
    assert all(f'"{form}"' in str(error.value) for form in FORMS)


@pytest.mark.parametrize("text", ["0 % a day", "101 % a day", "10 % a day, at most 101 %"])
def test_a_percentage_lies_between_0_and_100(text):
    with pytest.raises(UsageError, match="between 0 and 100"):
        Policy.read(text)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_that_is_named_is_understood(form):
    assert Policy.read(form).percent


def record(hours, marked=""):
    rows = [{"id": "2.1", "earned": 4}, {"id": "3.1", "earned": 3}]
    marks = [{"item": "2.R1", "points": 2}, {"item": "talk", "points": 5}, {"item": "3.R1", "points": None}]
    return {"submission": {"hours_late": hours, "marked_late": marked}, "exercises": rows, "marks": marks}


def test_each_notebook_is_reduced_by_its_own_lateness_and_other_work_is_not():
    policy = Policy.read("10 % a day")
    assert policy.suggested(record({})) == 14
    assert policy.suggested(record({"02": 30})) == pytest.approx(0.8 * 6 + 3 + 5)


def test_where_nobody_knows_how_late_it_was_nothing_is_suggested():
    policy = Policy.read("10 % a day")
    assert policy.suggested(record({}, "Canvas")) is None
    assert policy.suggested(record({"02": 1}, "Canvas")) == pytest.approx(0.9 * 6 + 8)


# ------------------------------------------------------------------ in the outputs of a class


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Three hand-ins, each 30 hours late."""
    fakes.use(monkeypatch)
    folder = fakes.class_of(tmp_path / "submissions", 3)
    due = datetime.fromtimestamp(1_700_000_000, UTC) - timedelta(hours=30)
    (tmp_path / "course.json").write_text(json.dumps(fakes.COURSE | {"due": {"": due.isoformat()}}))
    return folder


def rows(out):
    with (out / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def test_hours_and_a_suggested_total_stand_beside_the_plain_one(course, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "extensions.csv").write_text(HEAD + "s01,all,28\ns02,02,48\nnobody,02,1\n")
    _, said = fakes.graded(course, out, late="10 % a day")
    found = rows(out)
    assert [found[s]["hours late"] for s in ("s00", "s01", "s02")] == ["30", "2", ""]
    assert [found[s]["late"] for s in ("s00", "s01", "s02")] == ["all notebooks", "all notebooks", ""]
    for student, left in (("s00", 0.8), ("s01", 0.9), ("s02", 1)):
        assert float(found[student]["suggested total"]) == pytest.approx(left * int(found[student]["total"]))
    assert any("2 late" in line for line in said)
    assert "  extensions.csv, line 4: nobody here is called nobody." in said
    page = (out / "s01" / "feedback.html").read_text()
    assert "by 2 hours" in page and "Extension: notebook 02 until" in page
    assert "suggested" not in page


def test_the_rule_is_remembered_and_can_be_taken_back(course, tmp_path):
    out = tmp_path / "out"
    fakes.graded(course, out, late="10 % a day")
    before = fakes.outputs(out)
    fakes.graded(course, out, resume=True)
    assert fakes.outputs(out) == before and "suggested total" in rows(out)["s00"]
    fakes.graded(course, out, resume=True, late="")
    assert "suggested total" not in rows(out)["s00"]


def test_a_rule_that_is_not_understood_stops_before_anybody_is_graded(course, tmp_path):
    with pytest.raises(UsageError, match="is not understood"):
        fakes.graded(course, tmp_path / "out", late="a lot")
    assert not (tmp_path / "out" / "journal.jsonl").exists()

"""grades.csv and grades.jsonl: the grades of a class, for spreadsheets and for programs."""

import csv
import io
import json
import re

import pytest
import sample_class
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.pages import tables, words
from grader.course import catalogue

RECORDS, CONTEXT = sample_class.records(), sample_class.context()
IDS = [ex.id for ex in catalogue.all_exercises()]
FORMULA = tuple("=+-@＝＋－＠\t\r\n")


def read(text):
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The folder with both files."""
    out = tmp_path_factory.mktemp("grades")
    tables.write(out, RECORDS, CONTEXT)
    return out


@pytest.fixture(scope="module")
def rows(written):
    """The rows of grades.csv as dicts."""
    with (written / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_columns_are_student_name_exercises_and_what_comes_of_them(rows):
    points = ["total", "possible", "own", "carried", "carried on"]
    after = ["submitted", "late", "hours late", "status", "misconceptions", "seed", "notes"]
    assert list(rows[0]) == ["student", "name", *IDS, *points, *after]


def test_every_hand_in_has_its_row_in_order_and_then_the_missing(rows):
    assert [row["status"] for row in rows] == [record["status"] for record in RECORDS] + ["missing"] * 2
    assert [row["student"] for row in rows[-2:]] == ["s90", "'=missing()"]


def test_points_of_a_row_add_up_to_its_total(rows):
    for row, record in zip(rows, RECORDS):
        assert sum(int(row[id] or 0) for id in IDS) == int(row["total"]) == record["earned"]
        assert int(row["possible"]) == record["possible"]


def test_what_was_not_graded_has_empty_cells_and_no_points(rows):
    for row in (rows[28], rows[-1]):
        assert {row[id] for id in IDS} == {""} and row["total"] == "0"
    assert rows[28]["notes"] == RECORDS[28]["malformed"]


def test_late_misconceptions_and_notes_are_told(rows):
    assert (rows[4]["late"], rows[15]["late"], rows[0]["late"]) == ("all notebooks", "notebooks 02, 03", "")
    wrong = [row for row in RECORDS[5]["exercises"] if row["misconception"]]
    assert rows[5]["misconceptions"] == ", ".join(f"{row['id']} {row['misconception']}" for row in wrong) != ""
    assert rows[5]["notes"].startswith("Of 2 hand-ins the last counts. evil")


def test_what_a_platform_marks_as_late_is_late():
    late = [
        record | {"submission": record["submission"] | {"marked_late": "Canvas"}}
        for record in (RECORDS[0], RECORDS[15])
    ]
    head, *rows = tables.rows(late, CONTEXT)
    assert [row[head.index("late")] for row in rows[:2]] == ["late (Canvas)", "notebooks 02, 03; late (Canvas)"]


def test_renamed_files_and_several_hand_ins_are_notes():
    record = RECORDS[0] | {"renamed": {"value.py": ["value_final.py"]}}
    [head, row, *_] = tables.rows([record], CONTEXT | {"several": {record["student"]: "handed in 2 times: b counts."}})
    assert row[head.index("notes")] == "value_final.py in place of value.py. Handed in 2 times: b counts."


def test_the_seed_stands_in_the_teachers_table(rows):
    assert [row["seed"] for row in rows[:3]] == ["11", "22", "33"] and rows[28]["seed"] == rows[-1]["seed"] == ""


def test_when_it_came_and_that_the_roster_does_not_know_the_student_are_told(rows):
    assert (rows[15]["submitted"], rows[-1]["submitted"]) == ("2026-12-02 08:30+01:00", "")
    assert [row["student"] for row in rows if row["notes"].startswith("Not on the roster.")] == ["s03"]


def test_a_hand_in_that_was_not_asked_to_the_end_is_marked():
    _, row, *_ = tables.rows([RECORDS[0] | {"trouble": "The process ended."}], CONTEXT)
    assert "not finished" in row and "graded" not in row


def test_given_or_unreleased_exercises_have_no_column():
    settings = CONTEXT["course"] | {"notebooks": ["02"], "given": ["2.1"], "possible": 23}
    head, *_ = tables.rows([], CONTEXT | {"course": settings})
    assert head[2:-12] == [ex.id for ex in catalogue.exercises_of("02") if ex.id != "2.1"]


def test_every_line_of_the_file_is_one_student(written):
    lines = (written / "grades.csv").read_text(encoding="utf-8-sig").split("\n")
    assert len(lines) == 1 + len(RECORDS) + 2 + 1 and lines[-1] == ""


# ------------------------------------------------------------------ harmless cells


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Ada", "Ada"),
        ("Zoë", "Zoë"),
        ("=1+1", "'=1+1"),
        ("+49 30", "'+49 30"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("＝1", "'＝1"),
        ("＋1", "'＋1"),
        ("－1", "'－1"),
        ("＠a", "'＠a"),
        ("\t=1", "'=1"),
        ("\r\n=1", "'=1"),
        ("  =1", "'=1"),
        ("a;=1", "a;'=1"),
        ("a,\t=1", "a,    '=1"),
        ('"=1', "\"'=1"),
        ("a;;=1;-2", "a;;'=1;'-2"),
        ("\u200e=1", "\\u200e=1"),
        ("a-b=c@d", "a-b=c@d"),
        ("two\nlines", "two lines"),
    ],
)
def test_no_spreadsheet_computes_with_a_text(text, written):
    assert tables.cell(text) == written


def _pieces(text):
    """The cells that a spreadsheet with other separators would see."""
    return [piece.strip(" '\"") and piece.strip(' "') for piece in re.split(r"[,;|]", text)]


@given(st.text(alphabet=st.sampled_from(list("=+-@＝＋－＠ab1 ,;|'\"\t\r\n\x00\u202e")), max_size=20))
@pytest.mark.leg("push")
def test_no_text_begins_a_formula_however_it_is_divided(text):
    assert not any(piece.startswith(FORMULA) for piece in _pieces(tables.cell(text)))
    assert "\n" not in tables.cell(text)


def test_no_cell_of_the_class_begins_a_formula(rows):
    assert not any(value.startswith(FORMULA) for row in rows for value in row.values())
    assert rows[2]["name"] == "'=cmd|' /C calc'!A0"


def test_numbers_stay_numbers():
    _, row, *_ = tables.rows(RECORDS, CONTEXT)
    assert all(type(value) is int for value in row[2 : 2 + len(IDS) + 2])


# ------------------------------------------------------------------ the files


def test_other_letters_than_ascii_come_with_a_byte_order_mark_for_excel(written):
    data = (written / "grades.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfstudent,name,") and data.count(b"\xef\xbb\xbf") == 1
    assert "Zoë Müller" in data.decode("utf-8-sig")


def test_plain_ascii_needs_no_mark(tmp_path):
    tables.write(tmp_path, [RECORDS[0]], CONTEXT | {"missing": []})
    assert (tmp_path / "grades.csv").read_bytes().startswith(b"student,name,")


def test_jsonl_holds_each_record_as_it_is_with_name_and_section(tmp_path):
    tables.write(tmp_path, RECORDS, CONTEXT | {"sections": {RECORDS[0]["student"]: "Mon 9"}})
    lines = (tmp_path / "grades.jsonl").read_text("utf-8").splitlines()
    for number, (line, record) in enumerate(zip(lines, RECORDS, strict=True)):
        who = {"name": words.display_name(record["student"], CONTEXT), "section": "" if number else "Mon 9"}
        assert json.loads(line) == record | who


def test_writing_twice_gives_the_same_bytes_and_leaves_nothing_else(written, tmp_path):
    tables.write(tmp_path, RECORDS, CONTEXT)
    for path in written.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["grades.csv", "grades.jsonl"]


def test_what_goes_wrong_in_the_middle_leaves_the_old_files(tmp_path):
    def broken():
        yield RECORDS[0]
        raise OSError("No space left on device")

    tables.write(tmp_path, RECORDS, CONTEXT)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(OSError, match="No space"):
        tables.write(tmp_path, broken(), CONTEXT)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before

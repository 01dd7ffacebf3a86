"""Canvas' gradebook and Moodle's grading worksheet, filled in; the feedback in the zips that they import."""

import csv
import io
import re
import sys
import zipfile
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1]))
import classroom_fakes as fakes

from grader.classroom.pages import feedback_zip, gradebook

# As Canvas' gradebook_exporter.rb writes it, with a manual posting row, a custom column and totals.
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Homework 1 (101),Essay (102),Current Score,Final Score\r\n"
    ",,,,,,Manual Posting,,,\r\n"
    "    Points Possible,,,,,(read only),23.00,10.00,(read only),(read only)\r\n"
    '"Lovelace, Ada",12,A1,ada,"Mon, and Tue",says ""hi"",,7.50,75,75\r\n'
    '"Boole, George",13,A2,george,"Mon\r\nTue",,"4.00",,50,50\r\n'
    '"Noether, Emmy",14,A3,emmy,Mon,,N/A,,,\r\n'
    '"Turing, Alan",15,A4,alan,Mon,,EX,1,,\r\n'
    '"Gödel, Kurt",16,A5,kurt,Mon,,3,1,,\r\n'
    '"Student, Test",99,,abc,Mon,,1.00,,,\r\n'
).replace('says ""hi""', '"says ""hi"""')
# As Moodle's gradingtable.php does.
MOODLE = (
    'Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",'
    '"Last modified (submission)","Last modified (grade)","Feedback comments"\n'
    '"Participant 12","Ada Lovelace",ada@example.org,"Submitted for grading - ",,23.00,Yes,'
    '"Sunday, 22 November 2026, 10:00 PM",-,\n'
    '"Participant 13","George Boole",george@example.org,"Submitted for grading - ","4.00",23.00,Yes,'
    '"Sunday, 22 November 2026, 10:00 PM","Monday, 23 November 2026, 9:00 AM","<p>fine,\nbut late</p>"\n'
    '"Participant 14","Emmy Noether",emmy@example.org,"No submission - ",,23.00,Yes,-,-,\n'
)
TOTALS = {"A1": 17, "A2": 20.5, "A3": 5, "A4": 6}
MOODLES = {"ada@example.org": 17, "george@example.org": 20.5}


@pytest.fixture
def fill(tmp_path):
    """A function from a roster's bytes to (the file that was written or None, the notes)."""

    def fill(content, totals, assignment="Homework 1", possible=23, comments=None):
        (tmp_path / "roster.csv").write_bytes(content)
        context = {"roster": str(tmp_path / "roster.csv"), "possible": possible}
        notes = gradebook.write(tmp_path, context, totals, assignment, comments)
        found = [tmp_path / name for name in (gradebook.CANVAS, gradebook.MOODLE) if (tmp_path / name).exists()]
        return (found[0].read_bytes() if found else None), notes

    return fill


def expected_canvas():
    text = CANVAS.replace('hi""",,7.50', 'hi""",17,7.50').replace('"4.00"', '"20.5"')
    assert text != CANVAS
    return text


# ------------------------------------------------------------------ Canvas


def test_the_canvas_gradebook_has_the_totals_and_nothing_else_is_changed(fill):
    filled, notes = fill(CANVAS.encode(), TOTALS)
    assert filled == expected_canvas().encode()
    assert notes == ["canvas-gradebook.csv: 2 totals, for the platform to import."]


@pytest.mark.parametrize("assignment", ["Homework 1", "Homework 1 (101)", "101"])
def test_the_column_is_named_by_its_title_or_number(fill, assignment):
    assert fill(CANVAS.encode(), TOTALS, assignment)[0] == expected_canvas().encode()


@pytest.mark.parametrize("assignment", ["", "Homework", "Final Score"])
def test_of_several_columns_none_is_guessed(fill, assignment):
    filled, notes = fill(CANVAS.encode(), TOTALS, assignment)
    assert filled is None
    assert notes == [
        "canvas-gradebook.csv is not written: --assignment says which column is for this. "
        "There are Homework 1 (101) and Essay (102)."
    ]


def test_the_only_assignment_needs_no_option(fill):
    assert b",17," in fill(CANVAS.replace("Essay (102)", "Essay").encode(), TOTALS, "")[0]


def test_another_maximum_is_told(fill):
    _, notes = fill(CANVAS.encode(), TOTALS, possible=26)
    assert notes[0] == "Canvas has a maximum of 23 points for this, and 26 can be earned: set it to 26."


# ------------------------------------------------------------------ Moodle


def test_the_moodle_worksheet_has_the_totals_and_nothing_else_is_changed(fill):
    filled, notes = fill(MOODLE.encode(), MOODLES)
    text = MOODLE.replace('grading - ",,23', 'grading - ",17,23').replace('"4.00"', '"20.5"')
    assert filled == text.encode()
    assert notes == ["moodle-worksheet.csv: 2 totals, for the platform to import."]


def test_moodle_gets_a_comment_where_nobody_wrote_one(fill):
    """In HTML, and in quotes where it needs them; what the teacher has written stays."""
    comments = dict.fromkeys(MOODLES, '17 of 23 points. <b>, "so"')
    filled, _ = fill(MOODLE.encode(), MOODLES, comments=comments)
    rows = list(csv.DictReader(filled.decode().splitlines(keepends=True)))
    written = "17 of 23 points. &lt;b&gt;, &quot;so&quot;"
    assert [row["Feedback comments"] for row in rows] == [written, "<p>fine,\nbut late</p>", ""]
    assert filled.decode().replace(f'"{written}"', "").encode() == fill(MOODLE.encode(), MOODLES)[0]


@pytest.mark.parametrize("column", [',"Feedback comments"', ',A,"Feedback comments"'])
def test_there_is_no_comment_where_the_worksheet_has_no_column_or_other_ones(fill, column):
    head, _, rest = MOODLE.partition("\n")
    text = head.replace(',"Feedback comments"', column if "A" in column else "") + "\n" + rest
    comments = dict.fromkeys(MOODLES, "well done")
    assert fill(text.encode(), MOODLES, comments=comments)[0] == fill(text.encode(), MOODLES)[0]


def test_moodle_would_leave_out_what_is_above_its_maximum(fill):
    _, notes = fill(MOODLE.encode(), MOODLES, possible=57)
    assert notes[0] == "Moodle has a maximum of 23 points for this, and 57 can be earned: set it to 57."


def test_a_german_worksheet(fill):
    text = MOODLE
    for english, german in (
        ('"Email address"', "E-Mail-Adresse"),
        (",Grade,", ",Bewertung,"),
        ("Last modified (grade)", "Zuletzt geändert (Bewertung)"),
        ("Maximum Grade", "Bestwertung"),
        ("23.00", '"23,00"'),
    ):
        text = text.replace(english, german)
    filled, _ = fill(text.encode(), MOODLES)
    assert filled == text.replace('grading - ",,"23', 'grading - ",17,"23').replace('"4.00"', '"20.5"').encode()


# ------------------------------------------------------------------ bytes


@pytest.mark.parametrize("make", [lambda text: text.encode("utf-8-sig"), lambda text: text.encode("utf-16")])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encoding_delimiter_and_ends_of_lines_stay(fill, make, delimiter, end):
    def as_written(text):
        lines = io.StringIO(newline="")
        csv.writer(lines, delimiter=delimiter, lineterminator=end).writerows(csv.reader(io.StringIO(text, newline="")))
        return make(lines.getvalue())

    assert fill(as_written(CANVAS), TOTALS)[0] == as_written(expected_canvas())


@pytest.mark.parametrize("content", [CANVAS, MOODLE, CANVAS.rstrip(), "\n\n" + MOODLE + "\n\n", 'id,name\na,"x\ny"'])
def test_with_nothing_to_fill_in_every_byte_stays(content):
    assert gradebook.Export(content.encode()).filled({}) == content.encode()


def test_a_list_of_another_kind_is_left_alone(fill):
    assert fill(b"id,name\nA1,Ada\n", TOTALS) == (None, [])


# ------------------------------------------------------------------ the zips

HAND_INS = {
    "ada": "Ada Lovelace_1234567_assignsubmission_file",
    "bo": "Bo_12_assignsubmission_file_bo.zip",
    "cy": "lovelacecy_12345_67890_ada-1.zip",
    "di": "émiledi_LATE_12_90_di.zip",
    "ed": "ed.zip",
}


def test_the_zips_for_moodle_and_canvas_have_the_names_that_they_go_by(tmp_path):
    for student in HAND_INS:
        (tmp_path / student).mkdir()
        (tmp_path / student / "feedback.html").write_text(f"for {student}")
    written = feedback_zip.write(tmp_path, {student: student for student in HAND_INS}, HAND_INS)
    assert written == {"feedback-moodle.zip": 2, "feedback-canvas.zip": 2}
    found = {}
    for name in written:
        with zipfile.ZipFile(tmp_path / name) as packed:
            found |= {path: packed.read(path).decode() for path in packed.namelist()}
    assert found == {
        "Ada Lovelace_1234567_assignsubmission_file/feedback.html": "for ada",
        "Bo_12_assignsubmission_file/feedback.html": "for bo",
        "lovelacecy_12345_67890_feedback.html": "for cy",
        "émiledi_LATE_12_90_feedback.html": "for di",
    }


# ------------------------------------------------------------------ with a class


@pytest.fixture(autouse=True)
def faked(monkeypatch):
    fakes.use(monkeypatch)


def class_of(tmp_path, names):
    course = fakes.class_of(tmp_path / "submissions", 0)
    for name in names:
        fakes.hand_in(course, name, f"answer {name}")
    return course


def test_a_class_from_moodle_gets_its_worksheet_and_a_zip(tmp_path):
    names = [f"{name}_{number}_assignsubmission_file" for name, number in (("Ada Lovelace", 12), ("George Boole", 13))]
    course, out = class_of(tmp_path, names), tmp_path / "out"
    (tmp_path / "roster.csv").write_text(MOODLE)
    out.mkdir()
    (out / "marks.csv").write_text("student,item,points\nmaximum,talk,5\nemmy@example.org,talk,4\n")
    _, said = fakes.graded(course, out, roster=tmp_path / "roster.csv")
    with (out / "grades.csv").open(encoding="utf-8-sig") as file:
        totals = {row["student"]: row["total"] for row in csv.DictReader(file)}
    with (out / "moodle-worksheet.csv").open(newline="") as file:
        grades = {row["Email address"]: row["Grade"] for row in csv.DictReader(file)}
    assert grades == totals and totals["emmy@example.org"] == "4"
    with (out / "moodle-worksheet.csv").open(newline="") as file:
        comments = {row["Email address"]: row["Feedback comments"] for row in csv.DictReader(file)}
    assert re.fullmatch(rf"{totals['ada@example.org']} of \d+ points\. .*", comments["ada@example.org"])
    assert comments["george@example.org"] == "<p>fine,\nbut late</p>" and comments["emmy@example.org"] == ""
    assert any("moodle-worksheet.csv: 3 totals" in line for line in said)
    assert any("feedback-moodle.zip: the feedback of 2 students" in line for line in said)
    with zipfile.ZipFile(out / "feedback-moodle.zip") as packed:
        assert sorted(packed.namelist()) == [f"{name}/feedback.html" for name in names]
        for path in packed.namelist():  # what importziplib.php reads: name, number, kind of plugin, plugin
            assert re.fullmatch(r"[^_/]+_\d+_assignsubmission_file/feedback\.html", path)
        page = packed.read(f"{names[0]}/feedback.html")
    assert page == next(out.glob("ada*/feedback.html")).read_bytes()
    assert not (out / "feedback-canvas.zip").exists()


@pytest.mark.leg("push")
def test_what_could_not_be_graded_is_not_0_points_for_the_platform(tmp_path):
    """Its cell stays, as for nothing handed in; the comment says why. Marks by hand count."""
    names = [f"{name}_{n}_assignsubmission_file" for name, n in (("Ada Lovelace", 12), ("Emmy Noether", 14))]
    course, out = class_of(tmp_path, names[:1]), tmp_path / "out"
    (course / f"{names[1]}_work.rar").write_bytes(b"x")
    fakes.hand_in(course, "George Boole_13_assignsubmission_file", "raise")
    (tmp_path / "roster.csv").write_text(MOODLE.replace("<p>fine,\nbut late</p>", ""))
    fakes.graded(course, out, roster=tmp_path / "roster.csv")

    def rows():
        with (out / "moodle-worksheet.csv").open(newline="") as file:
            return {row["Full name"]: row for row in csv.DictReader(file)}

    assert rows()["Ada Lovelace"]["Grade"]
    assert (rows()["Emmy Noether"]["Grade"], rows()["George Boole"]["Grade"]) == ("", "4.00")  # what stood there
    assert "is a .rar archive" in rows()["Emmy Noether"]["Feedback comments"]
    assert "stopped before it was finished" in rows()["George Boole"]["Feedback comments"]
    assert not any("0 of" in rows()[name]["Feedback comments"] for name in ("Emmy Noether", "George Boole"))
    (out / "marks.csv").write_text("student,item,points\nmaximum,talk,5\nemmy@example.org,talk,4\n")
    fakes.graded(course, out, roster=tmp_path / "roster.csv", resume=True)
    assert rows()["Emmy Noether"]["Grade"] == "4"


def test_a_class_from_canvas_gets_its_gradebook_and_a_zip(tmp_path):
    course, out = tmp_path / "submissions", tmp_path / "out"
    fakes.class_of(course, 0)
    course.mkdir(exist_ok=True)
    for name in ("lovelaceada_12_501_value.py", "boolegeorge_LATE_13_502_value.py"):
        (course / name).write_text(f"answer {name}")
    (tmp_path / "roster.csv").write_bytes(CANVAS.encode())
    fakes.graded(course, out, roster=tmp_path / "roster.csv", assignment="101")
    rows = list(csv.reader(io.StringIO((out / "canvas-gradebook.csv").read_bytes().decode(), newline="")))
    with (out / "grades.csv").open(encoding="utf-8-sig") as file:
        totals = {row["student"]: row["total"] for row in csv.DictReader(file)}
    assert (rows[3][6], rows[4][6], rows[5][6], rows[6][6]) == (totals["A1"], totals["A2"], "N/A", "EX")
    assert rows[7][6] == "3"  # nothing was handed in: what stands there stays
    with zipfile.ZipFile(out / "feedback-canvas.zip") as packed:
        assert packed.namelist() == ["lovelaceada_12_501_feedback.html", "boolegeorge_LATE_13_502_feedback.html"]
    before = fakes.outputs(out)
    fakes.graded(course, out, resume=True, roster=tmp_path / "roster.csv")
    assert fakes.outputs(out) == before


def test_a_class_from_neither_gets_none(tmp_path):
    fakes.graded(fakes.class_of(tmp_path / "submissions", 2), tmp_path / "out")
    assert not [path for path in (tmp_path / "out").iterdir() if path.suffix == ".zip" or "gradebook" in path.name]

"""marks.csv: what a teacher writes into it, in every output and in no journal."""

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1]))
import classroom_fakes as fakes

from grader.classroom.marks import marks
from grader.classroom.marks.marks import Marks
from grader.classroom.marks.people import People
from grader.course.paths import ROOT
from grader.course.settings import Settings
from grader.course.usage import UsageError

SETTINGS = Settings(("02",))
OWN = {ex.id: ex.points for ex in SETTINGS.exercises()}
PEOPLE = People(["ada", "0042", "Ben B", "zoë"], {"0042": "Cleo Young", "Ben B": "Ben B"})
HEAD = "student,item,points,comment\n"


@pytest.fixture
def read(tmp_path):
    """A function from the file's content to its Marks."""

    def read(content):
        path = tmp_path / "marks.csv"
        path.write_bytes(content if isinstance(content, bytes) else (HEAD + content).encode())
        return Marks.of(marks.read(path), SETTINGS, PEOPLE)

    return read


def given(found, student="ada"):
    return {item: (mark.points, mark.comment) for item, mark in found.of_student(student).items()}


# ------------------------------------------------------------------ what can be written


def test_exercises_questions_and_other_work(read):
    found = read("maximum,2.R1,3,\nmaximum,talk,10,\nada,2.1,1,good\nada,2.R1,2.5,\nada,talk,0,was not there\n")
    assert given(found) == {"2.1": (1, "good"), "2.R1": (2.5, ""), "talk": (0, "was not there")}
    assert (found.maxima, found.possible, found.notes) == ({"2.R1": 3, "talk": 10}, 13, [])


def test_the_maximum_may_stand_below_the_marks(read):
    assert given(read("ada,talk,4,\nmaximum,talk,5,\n")) == {"talk": (4, "")}


@pytest.mark.parametrize("item", ["2.10", "02.10", "ex 2.10", "Ex2.10", "exercise 2.10"])
def test_an_exercise_may_be_written_so_that_no_spreadsheet_takes_it_for_a_number(read, item):
    assert given(read(f"ada,{item},1,\n")) == {"2.10": (1, "")}


@pytest.mark.parametrize("item", ["2.R1", "02.R1", "2.r1"])
def test_a_question_is_called_as_in_the_file_of_answers(read, item):
    assert given(read(f"maximum,2.R1,3,\nada,{item},1,\n")) == {"2.R1": (1, "")}


@pytest.mark.parametrize(
    ("who", "student"), [("ada", "ada"), ("Ada", "ada"), ("42", "0042"), ("cleo young", "0042"), ("Zoë", "zoë")]
)
def test_who_is_meant(read, who, student):
    found = read(f"{who},2.1,1,\n")
    assert found.notes == [] and given(found, student) == {"2.1": (1, "")}


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfstudent,item,points,comment\nzo\xc3\xab,2.1,1,sch\xc3\xb6n\n",
        b"student;item;points;comment\r\nzo\xeb;2.1;1;sch\xf6n\r\n",  # Excel in German
        b"sep=;\r\nstudent;item;points;comment\r\nzo\xeb;2.1;1,00;sch\xf6n\r\n;;;\r\n",
        "student\titem\tpoints\tcomment\nzoë\t2.1\t1\tschön\n".encode("utf-16"),
        "Comment,Points, Item ,Student,seen\n\n schön ,1, 2.1, zoë,yes\n\n".encode(),
    ],
)
def test_encodings_delimiters_and_empty_lines(read, content):
    found = read(content)
    assert found.notes == [] and given(found, "zoë") == {"2.1": (1, "schön")}


def test_a_comma_in_a_comment_needs_no_quotes(read):
    assert given(read("ada,2.1,1,good, but slow\n")) == {"2.1": (1, "good, but slow")}
    assert given(read('ada,2.1,1,"good, ""but"" slow"\n')) == {"2.1": (1, 'good, "but" slow')}


def test_a_comment_alone_leaves_the_points(read):
    assert given(read("ada,2.1,,a fine way\n")) == {"2.1": (None, "a fine way")}


# ------------------------------------------------------------------ what cannot count is told, with its line

MOST = OWN["2.1"]
FAULTS = {
    "eve,2.1,1,": "marks.csv, line 2: nobody here is called eve.",
    ",2.1,1,": "marks.csv, line 2: no student is named.",
    "ada,,1,": "marks.csv, line 2: the item is missing, such as 2.1 or 2.R1.",
    "ada,2.1,three,": "marks.csv, line 2: three is no number of points, such as 3 or 2.5.",
    "ada,2.1,-1,": "marks.csv, line 2: -1 is no number of points, such as 3 or 2.5.",
    "ada,2.1,nan,": "marks.csv, line 2: nan is no number of points, such as 3 or 2.5.",
    "ada,2.1,1e3,": "marks.csv, line 2: 1e3 is no number of points, such as 3 or 2.5.",
    f"ada,2.1,{MOST + 1},": f"marks.csv, line 2: {MOST + 1} points for 2.1, which has {MOST}.",
    "ada,2.1,,": "marks.csv, line 2: neither points nor a comment for 2.1.",
    "ada,3.1,1,": "marks.csv, line 2: 3.1 is no exercise of this course that counts.",
    "ada,2.R1,1,": "marks.csv, line 2: nothing says how many points 2.R1 can have. Add a line such as maximum,2.R1,5.",
    "maximum,2.1,5,": f"marks.csv, line 2: 2.1 is an exercise with {MOST} points; other points are set in course.json.",
    "maximum,talk,,": "marks.csv, line 2: the maximum for talk is missing.",
}


@pytest.mark.parametrize("line", FAULTS)
def test_a_line_that_cannot_count_is_told(read, line):
    found = read(f"{line}\nzoë,2.1,1,\n")
    assert found.notes == [FAULTS[line]]
    assert (found.given, found.maxima) == ({"zoë": {"2.1": marks.Mark(1, "", 3)}}, {})


def test_of_two_lines_the_later_counts_and_that_is_told(read):
    found = read("ada,2.1,1,\nzoë,2.1,1,\nada,02.1,0,no\n")
    assert given(found) == {"2.1": (0, "no")}
    assert found.notes == ["marks.csv, line 4: ada has a mark for 2.1 on line 2 already; this one counts."]


def test_a_name_of_two_students_means_neither_and_their_ids_are_told():
    people = People(["b", "a", "0a"], {"a": "Ada", "b": "Ada"})
    assert people.id("ada") is None and people.id("0A") == "0a"
    assert people.unknown("ada") == "2 students here are called ada: a and b. Write the id of the one who is meant"
    assert people.unknown("eve") == "nobody here is called eve"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"who,item,points\nada,2.1,1\n", "line 1: no column is called student. The columns are who, item and points"),
        (b"", "line 1: no column is called student, item and points. The columns are none"),
        (b'student,item,points\nada,2.1,1\nada,2.2,"1\nada,2.3,1\n', "line 3: this is not CSV"),
        (b"student,item,points\nada,2.1,\x81\n", "line 2: this is not text"),
    ],
)
def test_a_file_that_cannot_be_read_stops_the_grading_and_says_where(read, content, said):
    with pytest.raises(UsageError, match=r"marks\.csv") as error:
        read(content)
    assert said in str(error.value)


# ------------------------------------------------------------------ in the outputs of a class


@pytest.fixture(autouse=True)
def faked(monkeypatch):
    fakes.use(monkeypatch)


@pytest.fixture
def course(tmp_path):
    return fakes.class_of(tmp_path / "submissions", 3)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def with_marks(out, text):
    out.mkdir(exist_ok=True)
    (out / "marks.csv").write_text(HEAD + text)


def rows(out):
    with (out / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def test_a_mark_is_in_every_output_and_both_figures_stand_there(course, out):
    fakes.graded(course, out)
    journal, plain = (out / "journal.jsonl").read_bytes(), rows(out)
    wrong = next(id for id in OWN if plain["s01"][id] == "0")
    with_marks(out, f"maximum,2.R1,3,\ns01,{wrong},{OWN[wrong]},talked about it\ns01,2.R1,2.5,why <b>?\n")
    code, said = fakes.graded(course, out, resume=True)
    assert code == 0 and "Submissions: 3 as they were." in said
    assert (out / "journal.jsonl").read_bytes() == journal
    now, total = rows(out)["s01"], int(plain["s01"]["total"]) + OWN[wrong] + 2.5
    assert (now[wrong], now["2.R1"], float(now["total"])) == (str(OWN[wrong]), "2.5", total)
    assert int(now["possible"]) == int(plain["s01"]["possible"]) + 3 == int(rows(out)["s00"]["possible"])
    assert f"{wrong} by hand, the check gave 0. {wrong}: talked about it. 2.R1: why <b>?" in now["notes"]
    assert rows(out)["s00"]["2.R1"] == "" and rows(out)["s00"]["total"] == plain["s00"]["total"]
    page = (out / "s01" / "feedback.html").read_text()
    assert f"{total} of" in page and "2.R1: 2.5 of 3 points." in page and "why &lt;b&gt;?" in page
    assert "by hand; the check gave 0." in page and "check: 0" in page
    assert "not marked yet (3 points)" in (out / "s00" / "feedback.html").read_text()
    text = (out / "s01" / "feedback.md").read_text()
    assert "## Marked by hand" in text and f"{OWN[wrong]} of {OWN[wrong]}, by hand (check: 0)" in text
    results = json.loads((out / "s01" / "results.json").read_text())
    assert results["score"] == total == sum(test["score"] for test in results["tests"])
    assert "2 marks by hand" in (out / "index.html").read_text()


def test_without_the_file_everything_is_as_before(course, out):
    fakes.graded(course, out)
    before = fakes.outputs(out)
    with_marks(out, "s01,2.1,1,\nmaximum,talk,5,\n")
    fakes.graded(course, out, resume=True)
    assert fakes.outputs(out)["grades.csv"] != before["grades.csv"]
    (out / "marks.csv").unlink()
    fakes.graded(course, out, resume=True)
    assert fakes.outputs(out) == before


@pytest.mark.leg("push")
def test_it_may_be_there_before_the_grading_begins_and_gives_the_same_bytes(course, out, tmp_path):
    for folder in (out, tmp_path / "again"):
        with_marks(folder, "s01,2.1,1,fine\nmaximum,talk,5,\ns02,talk,4.25,\n")
        assert fakes.graded(course, folder)[0] == 0
    assert fakes.outputs(out) == fakes.outputs(tmp_path / "again")


def test_what_cannot_count_is_on_the_screen_and_on_the_class_page(course, out):
    with_marks(out, "eve,2.1,1,\n")
    _, said = fakes.graded(course, out)
    assert "  marks.csv, line 2: nobody here is called eve." in said
    assert "marks.csv, line 2: nobody here is called eve." in (out / "index.html").read_text()


def test_a_file_that_cannot_be_read_stops_before_anybody_is_graded(course, out):
    out.mkdir()
    (out / "marks.csv").write_text("nonsense\n")
    with pytest.raises(UsageError, match="no column is called"):
        fakes.graded(course, out)
    assert not (out / "journal.jsonl").exists()


def test_a_file_of_another_place_is_remembered(course, out, tmp_path):
    (tmp_path / "ours.csv").write_text(HEAD + "s01,2.1,1,from ours\n")
    fakes.graded(course, out, marks=tmp_path / "ours.csv")
    before = fakes.outputs(out)
    assert b"from ours" in before["s01/feedback.html"]
    fakes.graded(course, out, resume=True)
    assert fakes.outputs(out) == before
    (tmp_path / "ours.csv").unlink()
    with pytest.raises(UsageError, match=r"ours\.csv cannot be read"):
        fakes.graded(course, out, resume=True)


def test_who_handed_in_nothing_or_nothing_readable_can_have_marks(course, out, tmp_path):
    (tmp_path / "roster.csv").write_text("id,name\ns00,A\ns01,B\ns02,C\ns03,D\nbad,E\n")
    (course / "bad.zip").write_bytes(b"no archive")
    with_marks(out, "maximum,talk,5,\ns03,talk,4,on paper\ns03,2.1,1,\nbad,2.1,1,by mail\n")
    fakes.graded(course, out, roster=tmp_path / "roster.csv")
    found = rows(out)
    assert (found["s03"]["talk"], found["s03"]["2.1"], found["s03"]["total"]) == ("4", "1", "5")
    assert (found["bad"]["2.1"], found["bad"]["total"], found["bad"]["status"]) == ("1", "1", "malformed")
    assert "by mail" in (out / "bad" / "feedback.html").read_text()


def test_points_with_a_fraction_are_in_the_distribution(course, out):
    with_marks(out, "maximum,talk,5,\n" + "".join(f"s0{n},talk,0.5,\n" for n in range(3)))
    _, said = fakes.graded(course, out)
    records = [json.loads(line) for line in (out / "grades.jsonl").open()]
    median = sorted(record["earned"] for record in records)[1]
    assert any(line.startswith(f"Median: {median} of") for line in said) and median % 1 == 0.5


KILLED = """
import os, signal, sys
from pathlib import Path
name, *words = sys.argv[1:]
replace = Path.replace
def killed(path, target):
    if Path(target).name == name:
        os.kill(os.getpid(), signal.SIGKILL)
    return replace(path, target)
Path.replace = killed
import classroom_fakes
sys.argv = ["", *words]
sys.exit(classroom_fakes.main())
"""


@pytest.mark.leg("night")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows")
@pytest.mark.parametrize(
    "file",
    [
        "grades.csv",
        "written.html",
        *(
            pytest.param(name, marks=pytest.mark.leg("night"))
            for name in ("feedback.html", "2.R1.html", "moodle-worksheet.csv", "index.html")
        ),
    ],
)
def test_killed_while_it_writes_resume_gives_what_an_uninterrupted_run_gives(course, out, tmp_path, file):
    rows = "".join(f'"Participant {n}",s0{n},,-\n' for n in range(3))
    (tmp_path / "roster.csv").write_text(f'Identifier,"Email address",Grade,"Last modified (grade)"\n{rows}')
    answer = course / "s01" / "answers" / "02.md"
    answer.parent.mkdir()
    answer.write_text("## Note 2.R1\n\nWhile it runs.\n")
    os.utime(answer, (1_700_000_000, 1_700_000_000))
    for folder in (out, tmp_path / "whole"):
        with_marks(folder, "maximum,2.R1,3,\ns01,2.R1,2,fine\n")
    _, _, *words = fakes.command(course, out, "--seed", 7, "--jobs", 1, "--roster", tmp_path / "roster.csv")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(fakes.__file__).parent), str(ROOT)])}
    command = [sys.executable, "-c", KILLED, file, *words]
    assert subprocess.run(command, env=environment, capture_output=True).returncode == -signal.SIGKILL
    assert (out / "marks.csv").exists()
    fakes.graded(course, out, resume=True, roster=tmp_path / "roster.csv")
    fakes.graded(course, tmp_path / "whole", roster=tmp_path / "roster.csv")
    left = fakes.outputs(out)
    assert {name: data for name, data in left.items() if not name.endswith(".new")} == fakes.outputs(tmp_path / "whole")

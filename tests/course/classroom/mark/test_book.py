"""The files of make mark: what is written, what stays as it was, two writers at once, and a stop in the middle."""

import csv
import io
import itertools
import json
import re
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace

import pytest

from grader.classroom.mark import acts, files
from grader.classroom.mark.book import Book, Conflict, Mark
from grader.classroom.mark.work import EXERCISE, WRITTEN, Item, Student
from grader.classroom.marks.people import People
from grader.course.paths import ROOT
from grader.course.usage import UsageError

NAMES = {"ada": "Ada Lovelace", "ben": "Ben Böhm", "007": "Cleo"}


class Work:
    """In place of a grading: an exercise of 4 points, of which the check gave 1, and a question."""

    def __init__(self, folder):
        self.students = {id: Student(id, name, "", folder / id) for id, name in NAMES.items()}
        self.marks, self.people = folder / "marks.csv", People(NAMES, NAMES)
        self.settings = SimpleNamespace(exercises=lambda: [SimpleNamespace(id="2.10", points=4)])

    def items(self, now):
        who = tuple(NAMES)
        return {"2.10": Item("2.10", "2.10", EXERCISE, who, most=4), "2.R1": Item("2.R1", "2.R1", WRITTEN, who)}

    def check_gave(self, student, item):
        return 1 if item == "2.10" else None


class Marker:
    """Somebody with the page open.  seen: what it shows; by itself it is always up to date."""

    def __init__(self, book, work, who="mary"):
        self.book, self.work, self.who = book, work, who

    def __call__(self, name, student="ada", item="2.R1", **more):
        mark, line = self.book.now().mark(student, item), self.book.now().lines_of(student, item).get(more.get("line"))
        seen = acts.shown_points(mark) if name in ("points", "use") else mark.words
        seen = (line.comment if line else "") if name == "line" else seen
        act = {"student": student, "item": item, "seen": seen, **more}
        return self.book.change(self.who, lambda now: acts.ACTS[name](self.work, now, act))

    def add(self, points, words, item="2.R1", number=None, seen=None):
        return self("criterion", item=item, number=number, points=points, words=words, seen=seen)


@pytest.fixture
def book(tmp_path):
    minutes = itertools.count()
    begun = datetime(2026, 12, 4, 10, 0, tzinfo=timezone(timedelta(hours=1)))
    return Book(Work(tmp_path), lambda: begun + timedelta(minutes=next(minutes)))


@pytest.fixture
def mary(book, tmp_path):
    return Marker(book, Work(tmp_path))


@pytest.fixture
def ben(mary, tmp_path):
    """Another process on the same files."""
    return Marker(Book(mary.work, mary.book._clock), mary.work, "ben")


def rows(tmp_path, name="marks.csv"):
    text = (tmp_path / name).read_text(encoding="utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def log(tmp_path):
    return [json.loads(line) for line in (tmp_path / "marks-log.jsonl").read_text("utf-8").splitlines()]


def with_maximum(mary, points="3"):
    mary("maximum", points=points, seen=None)


# ---- what is written ----


def test_a_line_that_does_not_count_is_refused_with_the_words_of_make_grade(mary, tmp_path):
    (tmp_path / "marks.csv").write_text("student,item,points,comment\nada,ex 2.10,5,so\nben,2.10,4,\n")
    now, told = mary.book.now(), "marks.csv, line 2: 5 points for 2.10, which has 4."
    assert (now.notes, now.mark("ada", "2.10")) == ([told], Mark(None, words="so", refused=told))
    assert now.mark("ben", "2.10") == Mark(4)
    mary("points", item="2.10", points="3")
    assert rows(tmp_path)[1] == ["ada", "ex 2.10", "3", "so"] and mary.book.now().notes == []


def test_a_mark_is_a_row_that_people_would_write(mary, tmp_path):
    with_maximum(mary)
    mary("points", points="2,5")
    mary("comment", text='And "what"\ndoes an if do, then?')
    mary("points", "007", "2.10", points="4")
    assert rows(tmp_path) == [
        ["student", "item", "points", "comment"],
        ["maximum", "2.R1", "3", ""],
        ["ada", "2.R1", "2.5", 'And "what"\ndoes an if do, then?'],
        ["007", "ex 2.10", "4", ""],  # of 2.10 a spreadsheet makes 2.1
    ]
    said = [(e["when"][11:16], e["who"], e["what"], e.get("student"), e["before"], e["after"]) for e in log(tmp_path)]
    assert said[1:3] == [
        ("10:01", "mary", "mark", "ada", None, {"points": "2.5", "comment": ""}),
        (
            "10:02",
            "mary",
            "mark",
            "ada",
            {"points": "2.5", "comment": ""},
            {"points": "2.5", "comment": said[2][5]["comment"]},
        ),
    ]


OWN = (
    "Student;Note;Item;Points;Comment\r\nada;x;2.R1;1,5;old\r\n\r\nAda Lovelace;;ex 2.10;2;\r\n"
    'nobody;;9.9;x;"\r\nstays"\r\nMaximum;;2.R1;3'
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_teachers_own_table_keeps_all_else_to_the_byte(mary, tmp_path, encoding):
    text = OWN.replace("old", "für dich")
    (tmp_path / "marks.csv").write_bytes(text.encode(encoding))
    mary("points", points="2.5")
    mary("points", item="2.10", points="3")
    mary("points", "ben", points="1")
    after = (tmp_path / "marks.csv").read_bytes().decode(encoding)
    expected = text.replace("ada;x;2.R1;1,5", "ada;x;2.R1;2,5").replace("ex 2.10;2;", "ex 2.10;3;")
    assert after == expected + "\r\nben;;2.R1;1;\r\n"


def test_a_character_that_the_encoding_lacks_is_not_lost(mary, tmp_path):
    before = "student,item,points\nmaximum,2.R1,3\nada,2.R1,1\nben,2.R1,2,für\n"
    (tmp_path / "marks.csv").write_bytes(before.encode("cp1252"))
    mary("comment", text="ż")
    kept = [["maximum", "2.R1", "3"], ["ada", "2.R1", "1", "ż"], ["ben", "2.R1", "2", "für"]]
    assert rows(tmp_path) == [["student", "item", "points", "comment"], *kept]


def test_a_table_that_cannot_be_read_is_left_alone(mary, tmp_path):
    (tmp_path / "marks.csv").write_text('student,item,points\nada,2.R1,"1\n')
    with pytest.raises(UsageError, match=r"marks.csv, line 2: this is not CSV"):
        mary.book.change("mary", lambda now: [])
    assert (tmp_path / "marks.csv").read_text() == 'student,item,points\nada,2.R1,"1\n'


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ({"name": "points", "points": "1"}, "How many points does 2.R1 have"),
        ({"name": "points", "item": "2.10", "points": "5"}, "5 points for 2.10, which has 4"),
        ({"name": "points", "item": "2.10", "points": "-1"}, "-1 is no number of points"),
        ({"name": "points", "item": "9.9", "points": "1"}, "not to be marked here"),
        ({"name": "points", "student": "eve", "points": "1"}, "not in the grading"),
        ({"name": "use", "item": "2.10", "number": 7}, "2.10 has no criterion 7"),
        ({"name": "comment", "text": "x" * 10_001}, "10,000"),
        ({"name": "criterion", "number": None, "points": "2", "words": ""}, "A criterion has points"),
        ({"name": "maximum", "item": "2.10", "points": "5"}, "2.10 has 4 points"),
        ({"name": "maximum", "points": "0"}, "It needs a number"),
        ({"name": "decision", "text": "no"}, "There is no open request"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason_and_nothing_is_written(mary, tmp_path, act, words):
    with pytest.raises(UsageError, match=words):
        mary(**{"seen": None, **act} if act["name"] in ("criterion", "maximum") else act)
    assert not (tmp_path / "marks.csv").exists() and not (tmp_path / "marks-log.jsonl").exists()


CHOICE = "2.R1 or 2.R2"


def test_a_question_to_choose_has_the_maximum_of_its_choice(mary, tmp_path):
    (tmp_path / "marks.csv").write_text(f"student,item,points\nmaximum,{CHOICE},3\n")
    mary("points", points="2")
    assert mary.book.now().mark("ada", "2.R1") == Mark(2) and mary.book.now().notes == []
    with pytest.raises(UsageError, match=r"4 points for 2\.R1, which"):
        mary("points", points="4")
    with pytest.raises(UsageError, match="Ada Lovelace has more than 1 point"):
        mary("maximum", points="1", seen={"points": "3"})
    with pytest.raises(Conflict, match="Somebody changed this in the file"):
        mary("maximum", points="5", seen=None)
    mary("maximum", points="5", seen={"points": "3"})
    assert rows(tmp_path)[1:] == [["maximum", CHOICE, "5", ""], ["ada", "2.R1", "2", ""]]
    for _ in range(2):
        mary.book.undo("mary")
    assert rows(tmp_path)[1:] == [["maximum", CHOICE, "3", ""]] and mary.book.now().notes == []


# ---- the rubric ----


def test_a_criterion_that_changes_changes_the_marks_that_have_it(mary, tmp_path):
    with_maximum(mary, "5")
    mary.add("2", "Says when")
    mary.add("-1", "No example")
    for student in NAMES:
        mary("use", student, number=1)
    mary("use", "ben", number=2)
    mary("points", "007", points="3.5")  # one and a half beside the criterion
    changes = mary.add("3", "Says when", number=1, seen={"points": "2", "words": "Says when"})
    now = mary.book.now()
    assert [now.mark(student, "2.R1").points for student in NAMES] == [3, 2, 4.5]
    assert [row[2:] for row in rows(tmp_path)[2:]] == [["3", "[1]"], ["2", "[1 2]"], ["4.5", "[1]"]]
    assert rows(tmp_path, "marks-rubric.csv")[1:] == [
        ["2.R1", "1", "3", "Says when"],
        ["2.R1", "2", "-1", "No example"],
    ]
    assert [change.what for change in changes] == ["mark", "mark", "mark", "criterion"]
    mary.book.undo("mary")
    now = mary.book.now()
    assert [now.mark(student, "2.R1").points for student in NAMES] == [2, 1, 3.5]
    assert now.rubric.of_item("2.R1")[1].points == 2


def test_points_stay_between_nothing_and_the_maximum_and_come_back(mary):
    with_maximum(mary, "3")
    mary.add("-5", "Copied")
    mary.add("2", "Says when")
    for number in (2, 1):
        mary("use", number=number)
    assert mary.book.now().mark("ada", "2.R1").points == 0
    mary.add("-1", "Copied", number=1, seen={"points": "-5", "words": "Copied"})
    assert mary.book.now().mark("ada", "2.R1").points == 1
    mary.add("9", "Says when", number=2, seen={"points": "2", "words": "Says when"})
    assert mary.book.now().mark("ada", "2.R1").points == 3


def test_criteria_of_an_exercise_add_to_what_the_check_gave(mary):
    mary.add("2", "The right idea", item="2.10")
    mary("use", item="2.10", number=1)
    assert mary.book.now().mark("ada", "2.10").points == 3
    mary("use", item="2.10", number=1)
    assert mary.book.now().mark("ada", "2.10").points is None  # the check's points count again


def test_a_criterion_in_use_is_not_removed(mary):
    with_maximum(mary)
    mary.add("2", "Says when")
    mary("use", number=1)
    with pytest.raises(UsageError, match="Ada Lovelace has it: take it off there first"):
        mary.add("", "", number=1, seen={"points": "2", "words": "Says when"})
    mary("use", number=1)
    mary.add("", "", number=1, seen={"points": "2", "words": "Says when"})
    assert mary.book.now().rubric.of_item("2.R1") == {}


def test_brackets_that_name_no_criterion_are_words(mary, tmp_path):
    (tmp_path / "marks.csv").write_text("student,item,points,comment\nada,2.10,1,[1] is a list\n")
    mark = mary.book.now().mark("ada", "2.10")
    assert (mark.numbers, mark.words) == ((), "[1] is a list")


# ---- two at once ----


def test_what_two_write_about_different_things_is_merged(mary, ben, tmp_path):
    with_maximum(mary)
    points, comment = acts.shown_points(mary.book.now().mark("ada", "2.R1")), mary.book.now().mark("ada", "2.R1").words
    ben("points", points="2")
    mary("comment", text="fine", seen=comment)
    mary("points", "ben", points="1", seen=points)
    assert [row[0:4] for row in rows(tmp_path)[2:]] == [["ada", "2.R1", "2", "fine"], ["ben", "2.R1", "1", ""]]


def test_nobody_overwrites_what_was_not_on_the_page(mary, ben, tmp_path):
    with_maximum(mary)
    seen = acts.shown_points(mary.book.now().mark("ada", "2.R1"))
    ben("points", points="2")
    before = (tmp_path / "marks.csv").read_bytes()
    with pytest.raises(Conflict, match=r"^ben changed this at 10:01$"):
        mary("points", points="1", seen=seen)
    ben("comment", text="why?")
    with pytest.raises(Conflict, match=r"^ben changed this at 10:02$"):
        mary("comment", text="how?", seen="")
    ben("line", line=3, cell="x = 1", text="no")
    with pytest.raises(Conflict):
        mary("line", line=3, cell="x = 1", text="yes", seen="")
    assert mary.book.now().mark("ada", "2.R1").points == 2 and b"1,why" not in before


def test_an_edit_in_the_file_is_seen_and_told(mary, tmp_path):
    with_maximum(mary)
    path = tmp_path / "marks.csv"
    path.write_text(path.read_text("utf-8-sig") + "ada,2.R1,1,\n")
    with pytest.raises(Conflict, match="Somebody changed this in the file"):
        mary("points", points="2", seen=[None, []])


def test_undo_takes_back_ones_own_last_change_alone(mary, ben):
    with_maximum(mary)
    mary("points", points="1")
    ben("points", "ben", points="2")
    mary("comment", text="fine")
    mary.book.undo("mary")
    mary.book.undo("mary")
    now = mary.book.now()
    assert (now.mark("ada", "2.R1").cells, now.mark("ben", "2.R1").points) == (None, 2)
    mary("points", "ben", points="3")
    ben("points", "ben", points="1")
    with pytest.raises(Conflict, match="ben changed this"):
        mary.book.undo("mary")
    ben.book.undo("ben")
    assert mary.book.now().mark("ben", "2.R1").points == 3
    with pytest.raises(UsageError, match="nothing to undo"):
        mary.book.undo("nobody else")


@pytest.mark.parametrize("name", ["", "Mary  Shelley ", "Mary" * 20])
def test_undo_knows_a_name_as_it_was_typed(mary, name):
    mary.who = name
    mary("points", item="2.10", points="1")
    mary.book.undo(name)
    assert mary.book.now().mark("ada", "2.10") == Mark()


# ---- regrade requests ----


def test_a_request_and_what_was_decided_stand_in_the_log(mary, ben, tmp_path):
    with_maximum(mary)
    mary("points", points="1")
    mary("request", text="I did say when.")
    with pytest.raises(UsageError, match="There is an open request"):
        ben("request", text="again")
    ben("points", points="2")
    ben("decision", text="So you did.")
    (request,) = mary.book.now().requests_of("ada", "2.R1")
    assert (request.who, request.text, request.points) == ("mary", "I did say when.", "1")
    assert (request.decided_by, request.decided, request.decided_points) == ("ben", "So you did.", "2")
    with pytest.raises(UsageError, match="decided already"):
        mary.book.undo("mary")
    ben.book.undo("ben")
    assert mary.book.now().requests_of("ada", "2.R1")[-1].is_open
    mary.book.undo("mary")
    assert mary.book.now().requests_of("ada", "2.R1") == []
    assert sum(entry["what"] == "request" for entry in log(tmp_path)) == 2


def test_what_a_later_request_builds_on_is_not_taken_back(mary, ben):
    mary("request", text="I did say when.")
    ben("decision", text="So you did.")
    ben("request", text="And why.")
    with pytest.raises(UsageError, match="decided already"):
        mary.book.undo("mary")
    ben.book.undo("ben")
    mary("request", text="And why not.")
    with pytest.raises(UsageError, match="another request since"):
        ben.book.undo("ben")
    asked = mary.book.now().requests_of("ada", "2.R1")
    assert [(each.text, each.decided) for each in asked] == [("I did say when.", "So you did."), ("And why not.", "")]
    mary.book.undo("mary")
    ben.book.undo("ben")
    assert mary.book.now().requests_of("ada", "2.R1")[-1].is_open


# ---- stops ----


class Stop(BaseException):
    """As if the process were gone."""


@pytest.mark.parametrize("after", range(13))
def test_a_change_is_written_wholly_or_not_at_all_wherever_it_stops(mary, ben, tmp_path, monkeypatch, after):
    """A criterion's points change three files. The program stops before each write, one by one."""
    with_maximum(mary, "9")
    mary.add("2", "Says when")
    for student in NAMES:
        mary("use", student, number=1)
    before = rows(tmp_path)
    left, write, fsync = [after], files.write_atomically, files.os.fsync

    def maybe(do):
        def done(*words, **more):
            left[0] -= 1
            if left[0] < 0:
                raise Stop
            return do(*words, **more)

        return done

    monkeypatch.setattr(files, "write_atomically", maybe(write))
    monkeypatch.setattr(files.os, "fsync", maybe(fsync))
    stopped = False
    try:
        mary.add("3", "Says when", number=1, seen={"points": "2", "words": "Says when"})
    except Stop:
        stopped = True
    monkeypatch.setattr(files, "write_atomically", write)
    monkeypatch.setattr(files.os, "fsync", fsync)
    ben("comment", "ben", text="next")  # whoever comes next
    now, pending = ben.book.now(), tmp_path / "marks-pending.json"
    points, worth = {now.mark(s, "2.R1").points for s in NAMES}, now.rubric.of_item("2.R1")[1].points
    assert not pending.exists() and (points, worth) in (({2}, 2), ({3}, 3))
    logged = [e for e in log(tmp_path) if e["what"] == "criterion"]
    assert len(logged) == (2 if worth == 3 else 1) and len(before) == len(rows(tmp_path))
    assert stopped == (after < 11)


def test_what_an_editor_wrote_in_between_is_not_written_over(mary, tmp_path):
    with_maximum(mary)
    pending = {"files": {"marks": ["not its digest", b"lost".hex()]}, "log": ""}
    (tmp_path / "marks-pending.json").write_text(json.dumps(pending))
    mary("points", points="1")
    assert rows(tmp_path)[2] == ["ada", "2.R1", "1", ""]


def test_the_reference_names_every_file(book):
    paths, reference = {**vars(book.files)}, (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    written = [*paths.pop("paths").values(), *paths.values()]
    assert len(written) == 6 and [path.name for path in written if f"`{path.name}`" not in reference] == []


def test_a_line_of_the_log_that_was_cut_off_harms_no_other(mary, tmp_path):
    with_maximum(mary)
    with (tmp_path / "marks-log.jsonl").open("a") as file:
        file.write('{"when": "2026-')
    mary("points", points="1")
    assert len(mary.book.files.entries()) == 2
    assert re.search(r'"2026-\n\{', (tmp_path / "marks-log.jsonl").read_text())

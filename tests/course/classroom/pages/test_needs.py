"""Whom a teacher should talk to first, by section; and from an exercise to the students who do not pass it."""

import json
import runpy
from pathlib import Path

import pytest
import sample_class

from grader.classroom.collect import class_list
from grader.classroom.collect.earlier import Earlier
from grader.classroom.pages import exercises_page, index_page
from grader.classroom.pages.needs import needs
from grader.classroom.pages.tally import KEPT, Tally
from grader.classroom.similar.compare import Similar
from grader.course import catalogue
from grader.course.usage import UsageError

BESIDE = Path(__file__).parent.parent
FAKES = runpy.run_path(str(BESIDE / "classroom_fakes.py"))
Page, row = sample_class.Page, sample_class.row
EXERCISES = catalogue.all_exercises()
CANNOT = "broken.zip ends in the middle. Hand it in again: `make submit` writes a .zip with all that is needed."


def handed_in(student, passed=40, **changes):
    """Somebody's record: so many exercises passed, and the rest not begun."""
    rows = [row(ex, "passed" if place < passed else "not_started") for place, ex in enumerate(EXERCISES)]
    changes = {"exercises": rows, "earned": sum(each["earned"] for each in rows)} | changes
    return sample_class.record(1) | {"student": student} | changes


def class_with(*records, **context):
    """Ten who did forty exercises each, and these."""
    return Tally.of([*(handed_in(f"s{n}") for n in range(10)), *records], sample_class.context(names={}, **context))


def said(*records, **context):
    """{student: sentence} of those to talk to first."""
    return {" ".join(need.students): need.sentence for need in needs(class_with(*records, **context), str)}


def with_error(record, hidden=12):
    """The record of somebody whose file cannot be read: the first exercise says it, the others say so."""
    first, *others = record["exercises"]
    cause = "Python could not read babygrad/value.py, line 3.\n    def f(\nSyntaxError: '(' was never closed"
    rows = [first | {"status": "error", "message": cause, "as_in": ""}]
    rows += [each | {"status": "error", "message": "As in 0.1.", "as_in": first["id"]} for each in others[:hidden]]
    return record | {"exercises": rows + others[hidden:]}


# ---- the sentences ----


def test_nobody_stands_out_where_all_did_the_same():
    assert said() == {}
    assert "Nobody: every hand-in can be graded" in Page(index_page.html(class_with())).words


def test_what_cannot_be_graded_comes_with_its_reason():
    broken = handed_in("x", 0, status="malformed", malformed=CANNOT, exercises=[], earned=0)
    assert said(broken) == {"x": "Cannot be graded: broken.zip ends in the middle."}


def test_files_under_other_names():
    assert said(handed_in("x", renamed={"value.py": ["value_final.py"]})) == {
        "x": "value_final.py in place of value.py: files under other names do not count."
    }


def test_one_early_error_that_hides_the_rest():
    sentence = "One error hides 13 exercises, from 0.1 on: Python could not read babygrad/value.py, line 3."
    assert said(with_error(handed_in("x"))) == {"x": sentence}
    assert said(with_error(handed_in("x"), hidden=2)) == {}


def test_what_was_tried_and_refused_comes_before_errors():
    record = with_error(handed_in("x")) | {"attempts": {"network": [4, "example.com"]}}
    assert said(record)["x"].startswith("Tried what the sandbox refuses: the network (example.com) 4 times. Read")


def test_a_forged_manifest():
    claimed = [ex.id for ex in EXERCISES[:45]]
    three = f"{EXERCISES[40].id}, {EXERCISES[41].id}, {EXERCISES[42].id}"
    assert said(handed_in("x", claimed=claimed), handed_in("y", claimed=claimed[:42])) == {
        "x": f"Its manifest.json says that {three} and 2 more pass, and they do not: was it made for these files?"
    }
    assert said(handed_in("x", claimed=claimed, trouble="lost")) == {}


def test_the_same_files():
    twins = [handed_in("x"), handed_in("y")]
    assert said(*twins, similar=Similar([("x", "y")])) == {"x y": "The same files, byte for byte."}


def test_who_stands_elsewhere_is_named_with_those_of_the_same_files():
    """Ten with the same files are one line; one of them has a more urgent one."""
    ten = [handed_in(f"x{n}") for n in range(9)] + [handed_in("x9", renamed={"value.py": ["v.py"]})]
    found = said(*ten, similar=Similar([tuple(f"x{n}" for n in range(10))]))
    assert list(found) == ["x9", " ".join(f"x{n}" for n in range(9))]
    assert found[" ".join(f"x{n}" for n in range(9))] == "The same files, byte for byte, as x9."


def test_the_same_files_with_the_same_error_are_one_line_that_says_both():
    found = said(with_error(handed_in("x")), with_error(handed_in("y")), similar=Similar([("x", "y")]))
    [(who, sentence)] = found.items()
    assert who == "x y" and sentence.startswith("One error hides 13")
    assert sentence.endswith(". The same files, byte for byte.")


def test_a_team_is_one_line_and_has_a_misconception_once():
    name = catalogue.misconceptions_of(catalogue.exercise("2.1"))[0].name
    team = [with_error(handed_in(student)) for student in ("x", "y")]
    assert [*said(*team, partners={"y": "x"})] == ["x y"] and [*said(*team)] == ["x", "y"]
    tally = class_with(*(failing(student, "told", name) for student in "xyz"), partners={"y": "x"})
    assert tally.shared_ideas() == [(("2.1", name), [["x", "y"], ["z"]])] and tally.teams == 12
    words = Page(index_page.html(tally)).words
    assert "2 of 12 hand-ins" in words and "x and y" in words
    assert "3 of 13 students" in Page(index_page.html(class_with(*(failing(s, "told", name) for s in "xyz")))).words


def test_a_team_with_the_files_of_another_student():
    three = [handed_in(student) for student in "xyz"]
    found = said(*three, similar=Similar([("x", "z")]), partners={"y": "x"})
    assert found == {"x y z": "The same files, byte for byte."}


def test_far_below_their_own_last():
    three = [handed_in("x", 30), handed_in("y", 30), handed_in("new", 30)]
    share = three[0]["earned"] / three[0]["possible"]
    earlier = Earlier("hw1", {"x": share + 0.31, "y": share + 0.29})
    assert said(*three, before=earlier) == {
        "x": f"{100 * share:.0f} % of the points, after {100 * share + 31:.0f} % in hw1."
    }


def test_stopped_early():
    last = EXERCISES[11]
    sentence = f"Stopped after {last.id}, 12 exercises begun; half of the class began 40 or more."
    assert said(handed_in("x", 12), handed_in("y", 25)) == {"x": sentence}
    assert said(handed_in("x", 0))["x"].startswith("0 exercises begun; half of the class")


def test_far_below_the_class_with_all_begun():
    rows = [each | {"status": "failed", "earned": 0} for each in handed_in("x")["exercises"][:40]]
    assert said(handed_in("x", exercises=rows, earned=3))["x"].startswith("3 of ")


def test_each_gets_the_most_urgent_sentence_only_and_the_most_urgent_comes_first():
    found = said(handed_in("a", 12), with_error(handed_in("b", 14)), handed_in("c", 0, renamed={"value.py": ["v.py"]}))
    assert list(found) == ["c", "b", "a"] and found["b"].startswith("One error")


def test_by_section_with_those_without_one_last():
    broken = [handed_in(name, 12) for name in "abcd"]
    tally = class_with(*broken, sections={"a": "Tue", "b": "Mon", "d": "Tue"})
    assert [(need.students, need.section) for need in needs(tally, str)] == [
        (("b",), "Mon"), (("a",), "Tue"), (("d",), "Tue"), (("c",), "")
    ]  # fmt: skip
    first = index_page.html(tally).split('<section id="first">')[1].split("</section>")[0]
    read = Page(first)
    assert (
        read.words.index("Mon b: Stopped") < read.words.index("Tue a: Stopped") < read.words.index("In no section c:")
    )
    assert "a/feedback.html" in read.links and "similar.html" in read.links


def test_a_long_list_is_cut():
    slow = [handed_in(f"slow{n:03}", 12) for n in range(80)]
    tally = Tally.of([*(handed_in(f"s{n:03}") for n in range(100)), *slow], sample_class.context(names={}))
    first = Page(index_page.html(tally).split('<section id="first">')[1].split("</section>")[0])
    assert "slow059: Stopped" in first.words and "slow060: Stopped" not in first.words and "And 20 more." in first.words


# ---- the table of students ----


def students(tally):
    return index_page.html(tally).split('<section id="students">')[1].split("</section>")[0]


def tables(tally):
    """[(its classes, the students in it as they follow each other)]."""
    for piece in students(tally).split('<table class="')[1:]:
        links = [link for link in Page(piece).links if link.endswith("feedback.html")]
        yield piece.split('"')[0], [link.split("/")[0] for link in links]


def test_students_in_three_orders():
    tally = class_with(handed_in("x", 3), handed_in("y", 70), sections={"s3": "B", "x": "A"})
    orders = dict(tables(tally))
    assert list(orders) == ["students by-name", "students by-points", "students by-section"]
    names, points, sections = orders.values()
    assert names == [*(f"s{n}" for n in range(10)), "x", "y"]
    assert points[0] == "x" and points[-1] == "y"
    assert sections[:2] == ["x", "s3"] and len(sections) == 12
    assert [students(tally).count(f'id="{id}"') for id in ("by-name", "by-points", "by-section", "only-remarks")] == [
        1
    ] * 4


def test_by_name_is_by_the_name_that_is_shown():
    names = {"s0": "Zoë", "x": "ada", "y": "Élise"}
    tally = Tally.of([handed_in(id) for id in ("s0", "s1", "x", "y")], sample_class.context(names=names))
    assert dict(tables(tally))["students by-name"] == ["x", "y", "s1", "s0"]
    assert ">by name</label>" in students(class_with())


def test_without_sections_there_is_no_order_by_section():
    assert [classes for classes, _ in tables(class_with())] == ["students by-name", "students by-points"]


def test_a_very_large_class_has_one_table():
    tally = Tally.of([handed_in(f"s{n:03}", 2) for n in range(501)], sample_class.context(names={}))
    assert [classes for classes, _ in tables(tally)] == ["students "] and "only-remarks" not in students(tally)


def test_notes_are_told_in_words():
    x = handed_in("x", notes=["It holds no nn.py.", "b.", "c.", "d."])
    assert "x It holds no nn.py; b; 2 more notes" in Page(students(class_with(x))).words


# ---- from an exercise to the students ----


def failing(student, message="", misconception=None, status="failed"):
    rows = [
        each | {"status": status, "message": message, "misconception": misconception} if each["id"] == "2.1" else each
        for each in handed_in(student)["exercises"]
    ]
    return handed_in(student, exercises=rows)


def test_an_exercise_leads_to_those_who_fail_it_and_to_their_messages():
    name = catalogue.misconceptions_of(catalogue.exercise("2.1"))[0].name
    tally = class_with(failing("x", "told", name), failing("y", "Called mul.\n    a = 3", status="error"))
    assert index_page.html(tally).count("exercises.html#ex2.1") == 1
    read = Page(exercises_page.html(tally))
    assert "ex2.1" in read.ids and "ex2.3" not in read.ids and read.faults == []
    assert f"10 of 12 who began it passed. {name}" in read.words and "y: error Called mul. a = 3" in read.words
    assert {"x/feedback.html", "y/feedback.html"} <= {*read.links}


def test_of_many_who_fail_the_first_are_named_and_the_others_counted():
    tally = class_with(*(failing(f"x{n:03}", "Called mul.") for n in range(KEPT + 7)))
    assert "And 7 more, in grades.jsonl." in Page(exercises_page.html(tally)).words


def test_where_everybody_passed_there_is_nothing_to_lead_to():
    tally = class_with()
    assert "exercises.html" not in index_page.html(tally)
    assert "Everybody who began an exercise passed it." in Page(exercises_page.html(tally)).words


# ---- what the roster and an earlier grading say ----


@pytest.mark.parametrize("heading", ["Section", "tutor", "TA", "Groups", "Gruppe"])
def test_a_roster_may_say_who_belongs_where(tmp_path, heading):
    FAKES["class_of"](tmp_path / "class", 3)
    roster = tmp_path / "roster.csv"
    roster.write_text(f"id,name,{heading}\ns00,Ada,Mon 9\ns01,Ben,\ns07,Cleo,Tue 4\n")
    assert class_list.read(tmp_path / "class", roster).sections == {"s00": "Mon 9", "s07": "Tue 4"}


def test_an_earlier_grading_is_read(tmp_path):
    records = [handed_in("x", 40), handed_in("y", 0, possible=0)]
    (tmp_path / "hw1").mkdir()
    (tmp_path / "hw1/grades.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    earlier = Earlier.read(tmp_path / "hw1")
    assert earlier.name == "hw1" and earlier.shares == {"x": records[0]["earned"] / records[0]["possible"]}


@pytest.mark.parametrize("text", [None, "[]", "{", '{"student": ""}', '{"student": "x", "earned": "3", "possible": 2}'])
def test_what_is_no_earlier_grading_is_refused(tmp_path, text):
    if text is not None:
        (tmp_path / "grades.jsonl").write_text(text)
    with pytest.raises(UsageError, match=r"grades\.jsonl"):
        Earlier.read(tmp_path)


def test_make_grade_names_who_fell_below_an_earlier_grading(tmp_path, monkeypatch):
    FAKES["use"](monkeypatch)
    course = FAKES["class_of"](tmp_path / "class", 4)
    assert FAKES["graded"](course, tmp_path / "hw2")[0] == 0
    records = [json.loads(line) for line in (tmp_path / "hw2/grades.jsonl").read_text().splitlines()]
    best = [record | {"earned": record["possible"]} for record in records]
    (tmp_path / "hw1").mkdir()
    (tmp_path / "hw1/grades.jsonl").write_text("".join(json.dumps(record) + "\n" for record in best))
    assert FAKES["graded"](course, tmp_path / "hw2", resume=True, before=tmp_path / "hw1")[0] == 0
    assert "of the points, after 100 % in hw1." in (tmp_path / "hw2/index.html").read_text()
    with pytest.raises(UsageError, match="holds no grading"):
        FAKES["graded"](course, tmp_path / "hw2", resume=True, before=tmp_path / "nowhere")

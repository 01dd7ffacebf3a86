"""Pairs: one hand-in for all of a group, one grade, a page for each. classroom_fakes.py grades."""

import csv
import json
import os
import runpy
from pathlib import Path

import pytest

pytest.importorskip("fcntl")  # locks: no Windows

from grader.classroom.collect import class_list
from grader.course.usage import UsageError

FAKES = runpy.run_path(str(Path(__file__).parents[1] / "classroom_fakes.py"))
ROSTER = """id,name,group
s00,Ada,team 1
s01,Ben,team 1
s02,Cleo,team 2
s03,Dora,team 2
s04,Emil,
"""
LATER = 1_700_100_000


@pytest.fixture(autouse=True)
def faked(monkeypatch):
    FAKES["use"](monkeypatch)


@pytest.fixture
def pairs(tmp_path):
    """Ada and Ben both handed in, Ben later; Cleo for Dora too; Emil alone. Returns the folder."""
    folder = FAKES["class_of"](tmp_path / "class", 3)
    FAKES["hand_in"](folder, "s04", "answer 4")
    file = folder / "s01" / "babygrad" / "value.py"
    os.utime(file, (LATER, LATER))
    (tmp_path / "roster.csv").write_text(ROSTER)
    return folder


def graded(folder, **options):
    """({student: record}, {student: row of grades.csv}, what was said)"""
    out = folder.parent / "out"
    code, said = FAKES["graded"](folder, out, roster=folder.parent / "roster.csv", **options)
    assert code == 0
    records = {r["student"]: r for r in map(json.loads, (out / "grades.jsonl").read_text().splitlines())}
    with open(out / "grades.csv", encoding="utf-8-sig", newline="") as file:
        return records, {row["student"]: row for row in csv.DictReader(file)}, "\n".join(said)


def marks(record):
    return record["earned"], record["seed"], record["submission"]["digest"]


def test_the_members_share_a_grade_and_each_has_a_page(pairs):
    records, rows, _ = graded(pairs)
    assert marks(records["s02"]) == marks(records["s03"]) and marks(records["s00"]) == marks(records["s01"])
    assert rows["s03"]["total"] == rows["s02"]["total"] == str(records["s02"]["earned"])
    assert {rows[student]["status"] for student in rows} == {"graded"}
    for student, page in ((s, (pairs.parent / "out" / s / "feedback.html").read_text()) for s in rows):
        together = {"s02": "team 2", "s03": "team 2", "s00": "team 1", "s01": "team 1"}.get(student)
        assert ("Handed in together as" in page) == bool(together) and (together or "") in page
    assert len((pairs.parent / "out" / "journal.jsonl").read_text().splitlines()) == 3  # each hand-in is asked once


def test_of_two_hand_ins_of_a_group_the_last_counts_and_both_are_named(pairs):
    records, rows, said = graded(pairs)
    assert records["s00"]["submission"]["name"] == records["s01"]["submission"]["name"] == "s01"
    both = "anded in 2 times: s01 (Ben) counts, not s00 (Ada)."
    assert said.count(both) == 1
    for student in ("s00", "s01"):
        assert both in rows[student]["notes"]
        assert both in (pairs.parent / "out" / student / "feedback.html").read_text()
    index = (pairs.parent / "out" / "index.html").read_text()
    assert index.count(both) == 1 and "2 groups of the roster hand in once for all members" in index


def test_who_did_not_hand_in_is_missing_only_if_nobody_of_the_group_did(pairs):
    members = class_list.read(pairs, pairs.parent / "roster.csv")
    assert members.missing == []
    FAKES["hand_in"](pairs, "s01", "")
    for student in ("s00", "s01"):
        (pairs / student).rename(pairs.parent / student)
    assert class_list.read(pairs, pairs.parent / "roster.csv").missing == ["s00", "s01"]


def test_marks_and_extensions_are_each_students_own(pairs):
    (pairs.parent / "out").mkdir()
    (pairs.parent / "out" / "marks.csv").write_text("student,item,points\nmaximum,talk,5\nDora,talk,4\n")
    records, _, _ = graded(pairs)
    assert records["s03"]["earned"] == records["s02"]["earned"] + 4


@pytest.mark.leg("push")
def test_groups_that_are_told_later_are_graded_with_resume(pairs):
    graded(pairs.parent / "class")
    text = ROSTER.replace("team 2", "").replace("s04,Emil,", "s04,Emil,team 1")
    (pairs.parent / "roster.csv").write_text(text)
    os.utime(pairs / "s04" / "babygrad" / "value.py", (LATER + 9, LATER + 9))
    records, rows, _ = graded(pairs, resume=True, seed=None)
    assert {records[student]["submission"]["name"] for student in ("s00", "s01", "s04")} == {"s04"}
    assert rows["s03"]["status"] == "missing" and records["s02"]["submission"]["name"] == "s02"


def test_a_group_of_one_is_no_group_and_moodles_default_group_neither(tmp_path):
    folder = FAKES["class_of"](tmp_path / "class", 3)
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name,Group\ns00,Ada,Default group\ns01,Ben,Default group\ns02,Cleo,team 9\n")
    members = class_list.read(folder, roster)
    assert sorted(members.sources) == ["s00", "s01", "s02"] and not members.groups.leads


def test_a_section_under_the_wrong_heading_is_refused(tmp_path):
    folder = FAKES["class_of"](tmp_path / "class", 2)
    roster = tmp_path / "roster.csv"
    roster.write_text("id,group\n" + "".join(f"s{n:02},Mon 9\n" for n in range(9)))
    with pytest.raises(UsageError, match=r"9 students have Mon 9 in column group.*call the column section"):
        class_list.read(folder, roster)


def test_what_a_platform_takes_back_has_all_totals_and_a_file_for_each_hand_in(tmp_path):
    folder = tmp_path / "class"
    FAKES["hand_in"](folder, "Ada Lovelace_11_assignsubmission_file", "answer 1")
    (tmp_path / "course.json").write_text(json.dumps(FAKES["COURSE"]))
    (tmp_path / "roster.csv").write_text(
        "Identifier,Full name,Email address,Status,Group,Grade,Maximum Grade,Grade can be changed,"
        "Last modified (grade)\n"
        "Participant 11,Ada Lovelace,ada@example.org,Submitted,team 1,,10,Yes,-\n"
        "Participant 12,Ben Kant,ben@example.org,Submitted,team 1,,10,Yes,-\n"
    )
    _, rows, said = graded(folder)
    with open(tmp_path / "out" / "moodle-worksheet.csv", newline="") as file:
        assert {row["Grade"] for row in csv.DictReader(file)} == {row["total"] for row in rows.values()}
    assert len(rows) == 2 and "the feedback of 1 student," in said

"""A class with planted errors that are carried on: every figure is as planted, also after a kill in the middle."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))
from spoilt import exercises, files

from grader.course import catalogue
from grader.course.paths import ROOT
from grader.course.settings import Settings

pytestmark = [pytest.mark.usefixtures("isolation"), pytest.mark.leg("night")]

NUMBERS = ("02", "03", "06", "07")
GIVEN = ("1.1", "1.2", "5.3", "5.5")
AMONG = exercises(NUMBERS)
IDS = [ex.id for ex in AMONG]
SEED = 20261122
# What is wrong in its own region, what was not begun, which files cannot be read.
KINDS = [
    ((), (), ()),
    (("2.1",), (), ()),
    (("2.1", "2.4", "3.4"), (), ()),
    (("3.3",), ("3.2",), ()),
    (("7.3", "7.6"), ("6.1",), ()),
    ((), ("2.1", "6.2"), ()),
    (("2.3",), (), ("value.py",)),
    (("2.5", "6.1"), (), ()),
]
STUDENTS = 2 * len(KINDS)
COMPARED = ("grades.csv", "grades.jsonl", "index.html", "feedback.html", "feedback.md", "results.json")


def truth(kind):
    """{id: points with errors carried forward}: all that is right in its own region has all its points."""
    wrong, waiting, _ = kind
    return {ex.id: 0 if ex.id in (*wrong, *waiting) else ex.points for ex in AMONG}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    packed = [_handed_in(*kind) for kind in KINDS]
    for number in range(STUDENTS):
        for name, data in packed[number % len(KINDS)].items():
            path = folder / "in" / f"s{number:03}" / "babygrad" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            os.utime(path, (1.79e9, 1.79e9))
    settings = Settings(notebooks=NUMBERS, version="test", edition="student").as_dict()
    (folder / "course.json").write_text(json.dumps(settings))
    return folder


def _handed_in(wrong, waiting, unreadable):
    packed = files([*GIVEN, *(id for id in IDS if id not in waiting)], wrong, unreadable)
    return {name: packed[name] for name in {ex.file for ex in AMONG} | {catalogue.exercise(id).file for id in GIVEN}}


def grading(folder, out, *words):
    command = [sys.executable, "-m", "grader", "grade", str(folder / "in"), "--out", str(out), "--jobs", "2"]
    course = ["--course", str(folder / "course.json")]
    seed = [] if "--merge" in words else ["--seed", str(SEED)]
    return subprocess.Popen(
        [*command, *course, *seed, *words],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip


def done(folder, out, *words):
    """What was printed by a grading that went well."""
    process = grading(folder, out, *words)
    printed, _ = process.communicate(timeout=1200)
    assert process.returncode == 0, printed
    return printed


@pytest.fixture(scope="module")
def whole(folder):
    done(folder, folder / "whole")
    return folder / "whole"


def records(out):
    return [json.loads(line) for line in (out / "grades.jsonl").read_text(encoding="utf-8").splitlines()]


def kind_of(record):
    return KINDS[int(record["student"][1:]) % len(KINDS)]


def outputs(out):
    found = {p.relative_to(out).as_posix(): p for p in out.rglob("*") if p.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if name.split("/")[-1] in COMPARED}


def test_every_figure_is_as_planted(whole):
    found = records(whole)
    assert len(found) == STUDENTS
    for record in found:
        known = truth(kind_of(record))
        assert {row["id"]: row["carried"] for row in record["exercises"]} == known, record["student"]
        assert record["carried"] == sum(known.values())
        own = {row["id"]: row["own"] for row in record["exercises"]}
        assert record["earned"] == record["own"] == sum(own.values())
        assert all(row["earned"] == row["own"] <= row["carried"] for row in record["exercises"])
    assert {record["carried"] > record["own"] for record in found} == {True, False}


def test_one_unreadable_file_is_one_box_that_says_what_it_costs(whole):
    record = records(whole)[6]
    lost = sum(row["carried"] - row["own"] for row in record["exercises"] if row["once"][:1] == ["value.py"])
    page = (whole / "s006" / "feedback.md").read_text(encoding="utf-8")
    assert page.count("was never closed") == 1
    assert f"This one error costs {lost} points" in " ".join(page.split())
    assert lost > 20


def test_the_table_has_both_totals(whole):
    with (whole / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    for record in records(whole):
        row = rows[record["student"]]
        assert [int(row[name]) for name in ("total", "own", "carried")] == [
            record[name] for name in ("earned", "own", "carried")
        ]
        more = [f"{each['id']} {each['carried']}" for each in record["exercises"] if each["carried"] > each["own"]]
        assert row["carried on"] == ", ".join(more)


FIRST_ROUND = pytest.param(STUDENTS // 2, id="in the first round")


@pytest.mark.leg("night")
@pytest.mark.parametrize("lines", [FIRST_ROUND, pytest.param(STUDENTS + 2, id="in the second")])
def test_a_grading_that_was_killed_and_resumed_gives_the_same_files(folder, whole, lines):
    out = folder / f"killed-{lines}"
    process = grading(folder, out)
    while _lines(out) < lines and process.poll() is None:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=600)
    to_carry = sum(record["carried"] > record["own"] for record in records(whole))
    assert lines <= _lines(out) < STUDENTS + to_carry
    done(folder, out, "--resume")
    one, other = outputs(whole), outputs(out)
    assert one.keys() == other.keys() and [name for name in one if one[name] != other[name]] == []


def _lines(out):
    journal = out / "journal.jsonl"
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


@pytest.mark.leg("night")
def test_parts_that_are_merged_give_the_same_files(folder, whole):
    out = folder / "parts"
    for part in ("1/2", "2/2"):
        done(folder, out, "--shard", part)
    done(folder, out, "--merge")
    one, other = outputs(whole), outputs(out)
    assert one.keys() == other.keys() and [name for name in one if one[name] != other[name]] == []


def test_the_first_verdicts_are_on_the_disk_before_anything_is_asked_again(whole):
    journal = [json.loads(line) for line in (whole / "journal.jsonl").read_text().splitlines()]
    first, again = journal[:STUDENTS], journal[STUDENTS:]
    assert not any("counted_carried" in row for record in first for row in record["exercises"])
    assert len({record["student"] for record in first}) == STUDENTS and again
    by_student = {record["student"]: record for record in first}
    for record in again:
        before = by_student[record["student"]]
        assert {**record, "exercises": plain(record)} == {**before, "exercises": plain(before)}


def plain(record):
    """Its rows without what is found by asking again, and without what is said then."""
    later = ("counted_carried", "message", "misconception", "plain", "shown", "slip", "undone", "wrong")
    return [{k: v for k, v in row.items() if k not in later} for row in record["exercises"]]


def test_what_counts_is_decided_afterwards_and_no_code_runs_for_it(folder, whole):
    """Last: it changes what the others look at."""
    before = (whole / "journal.jsonl").read_bytes()
    printed = done(folder, whole, "--resume", "--count", "carried")
    assert "whether errors carried forward cost points" in printed
    assert (whole / "journal.jsonl").read_bytes() == before
    for record in records(whole):
        assert record["earned"] == record["carried"] == sum(truth(kind_of(record)).values())
    assert json.loads((whole / "s001" / "results.json").read_text())["score"] == records(whole)[1]["carried"]
    assert "Errors carried forward cost nothing here" in (whole / "s001" / "feedback.md").read_text(encoding="utf-8")

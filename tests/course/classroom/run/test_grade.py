"""Grading a class: begun, stopped in every way, gone on with. The grade function is that of classroom_fakes.py."""

import csv
import errno
import json
import os
import re
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fcntl")  # signals, locks, named pipes: no Windows
sys.path.append(str(Path(__file__).parents[1]))
import fcntl
import termios

import classroom_fakes as fakes
from classroom_fakes import refused

from grader import cli
from grader.classroom.collect.submissions import Source
from grader.classroom.run import digests, grade, state
from grader.classroom.run.lock import locked
from grader.classroom.run.meter import Lines, meter
from grader.course.paths import ROOT
from grader.course.settings import Settings
from grader.course.usage import UsageError
from grader.sandbox.outside.seeds import set_of


def at_night(*values):
    """Parameters that a push leaves out."""
    return [pytest.param(value, marks=pytest.mark.leg("night")) for value in values]


@pytest.fixture(autouse=True)
def faked(monkeypatch):
    fakes.use(monkeypatch)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


@pytest.fixture
def course(tmp_path):
    """A folder submissions with six hand-ins."""
    return fakes.class_of(tmp_path / "submissions", 6)


@pytest.fixture
def graded(course, out):
    """The same, graded into out."""
    assert fakes.graded(course, out)[0] == 0
    return course


def records(out):
    return {r["student"]: r for r in map(json.loads, (out / "grades.jsonl").read_text().splitlines())}


def points(out):
    """{student: {exercise: points}}"""
    return {s: {row["id"]: row["earned"] for row in r["exercises"]} for s, r in records(out).items()}


def journal_lines(out):
    return (out / "journal.jsonl").read_text().count("\n")


def fresh(course, tmp_path, **options):
    """What an uninterrupted run over the folder as it is gives."""
    fakes.graded(course, tmp_path / "fresh", **options)
    return fakes.outputs(tmp_path / "fresh")


# ---- one run ----


def test_every_submission_has_its_pages_and_its_row(graded, out):
    students = [f"s{n:02}" for n in range(6)]
    rows = list(csv.DictReader((out / "grades.csv").open()))
    assert [row["student"] for row in rows] == sorted(records(out)) == students
    for student in students:
        assert (out / student / "feedback.html").is_file() and (out / student / "results.json").is_file()
    assert (out / "index.html").is_file()


def test_a_record_says_what_was_graded_and_with_what(graded, out):
    record = records(out)["s03"]
    assert record["submission"]["name"] == "s03" and re.fullmatch("[0-9a-f]{64}", record["submission"]["digest"])
    assert record["submission"]["submitted"].startswith("2023-11-14T")
    assert record["grader"] == state.State.read(out / "state.json").digest
    assert record["isolation"] == fakes.ISOLATION[1] and record["status"] == "graded" and record["trouble"] == ""
    assert record["earned"] == sum(row["earned"] for row in record["exercises"]) > 0


def test_each_student_is_asked_one_of_three_sets_that_the_seed_draws(graded, out):
    seeds = state.State.read(out / "state.json").seeds
    asked = {record["seed_set"]: record["seed"] for record in records(out).values()}
    assert asked == {number: seeds[number] for number in asked} and len(set(seeds)) == 3
    assert {set_of(f"student {n}", 7) for n in range(40)} == {0, 1, 2}
    assert [set_of(f"s{n}", 7) for n in range(40)] != [set_of(f"s{n}", 8) for n in range(40)]


@pytest.mark.leg("night")
def test_the_recipe_for_an_appeal_asks_the_same_questions(course, out, tmp_path):
    """What grading.md says: with a roster it is the id there that chooses the set."""
    details = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    recipe = re.search(r"## Re-running one student.*?\nmake grade ([^\n]+)", details, re.S)[1]
    (tmp_path / "roster.csv").write_text("id,name\n" + "".join(f"{n}@example.org,s0{n}\n" for n in range(6)))
    fakes.graded(course, out, roster=tmp_path / "roster.csv")
    options = {"roster": tmp_path / "roster.csv"} if "--roster" in recipe else {}
    for number in range(6):
        shutil.copytree(course / f"s0{number}", tmp_path / f"appeal{number}" / f"s0{number}")
        again = tmp_path / f"again{number}"
        fakes.graded(tmp_path / f"appeal{number}", again, **options)
        [record] = records(again).values()
        assert record["seed"] == records(out)[f"{number}@example.org"]["seed"]


@pytest.mark.leg("push")
def test_without_a_seed_a_fresh_one_is_drawn_and_told(course, tmp_path):
    told = [fakes.graded(course, tmp_path / name, seed=None)[1][-1] for name in "ab"]
    seeds = [state.State.read(tmp_path / name / "state.json").seed for name in "ab"]
    assert seeds[0] != seeds[1]
    assert all(f"--seed {seed} asks the same questions again" in line for seed, line in zip(seeds, told))


@pytest.mark.leg("push")
def test_two_runs_with_one_seed_are_equal_byte_for_byte(graded, out, tmp_path):
    assert fresh(graded, tmp_path, jobs=3) == fakes.outputs(out)


@pytest.mark.leg("push")
@pytest.mark.parametrize("how", ["die", "memory"] if sys.platform == "linux" else ["die"])  # the others keep no limit
def test_a_hand_in_that_brings_its_process_down_has_no_points_and_harms_no_other(course, out, tmp_path, how):
    fakes.hand_in(course, "s02", how)
    assert fakes.graded(course, out)[0] == 0
    record = records(out)["s02"]
    assert record["earned"] == 0 and {row["status"] for row in record["exercises"]} == {"crashed"}
    assert "died twice" in record["trouble"] == record["exercises"][0]["message"]
    shutil.rmtree(course / "s02")
    others = points(out)
    del others["s02"]
    fresh(course, tmp_path)
    assert others == points(tmp_path / "fresh")


@pytest.mark.leg("push")
def test_what_was_lost_is_tried_again_with_resume(course, out, tmp_path):
    fakes.hand_in(course, "s02", "raise")
    fakes.graded(course, out)
    assert records(out)["s02"]["trouble"] == "The grader itself failed: RuntimeError: a fault of the grader"
    _, said = fakes.graded(course, out, resume=True)
    assert "Submissions: 1 tried again that were lost, 5 as they were." in said


def test_a_hand_in_that_cannot_be_read_is_recorded(course, out):
    (course / "broken.zip").write_bytes(b"no zip")
    assert fakes.graded(course, out)[0] == 0
    record = records(out)["broken"]
    assert record["status"] == "malformed" and record["malformed"] and record["exercises"] == []
    lines = journal_lines(out)
    fakes.graded(course, out, resume=True)
    assert journal_lines(out) == lines


def test_the_roster_names_students_and_those_who_are_missing(course, out, tmp_path):
    (tmp_path / "roster.csv").write_text("id,name\ns01,Ada Lovelace\nx99,Ben Missing\n")
    fakes.graded(course, out, roster=tmp_path / "roster.csv")
    rows = {row["student"]: row for row in csv.DictReader((out / "grades.csv").open())}
    assert rows["s01"]["name"] == "Ada Lovelace" and rows["x99"]["status"] == "missing"


def test_students_of_one_name_are_told_apart_by_their_ids(course, out, tmp_path):
    (tmp_path / "roster.csv").write_text("id,name,team\ns00,Jo,A\ns01,Jo,A\ns02,Jo,\ns03,Di,\nx,Di,\n")
    out.mkdir()
    (out / "marks.csv").write_text("student,item,points\nmaximum,talk,5\nJo,talk,4\n")
    fakes.graded(course, out, roster=tmp_path / "roster.csv")
    index = (out / "index.html").read_text()
    assert all(f"{name} ({id})" in index for name, id in (("Jo", "s00"), ("Jo", "s02"), ("Di", "s03"), ("Di", "x")))
    assert "3 students here are called Jo: s00, s01 and s02. Write the id" in index
    assert "Jo (s00) and Jo (s01)" in (out / "s01" / "feedback.html").read_text()


def test_late_is_said_notebook_by_notebook(course, out, tmp_path):
    dated = {**fakes.COURSE, "due": {"02": "2023-01-01T00:00:00+00:00"}}
    (tmp_path / "course.json").write_text(json.dumps(dated))
    fakes.graded(course, out)
    assert records(out)["s00"]["submission"]["late"] == ["02"]


def test_what_canvas_marks_as_late_is_late_everywhere(course, out):
    for name in ("s00", "s01"):
        packed = shutil.make_archive(
            str(course / f"lovelaceada{'_LATE' * (name == 's01')}_1{name[2:]}_7_w"), "zip", course / name
        )
        assert packed
    _, said = fakes.graded(course, out)
    late = [record["student"] for record in records(out).values() if record["submission"]["marked_late"]]
    assert len(late) == 1 and "8 hand-ins: 8 graded, 1 late." in said
    rows = {row["student"]: row["late"] for row in csv.DictReader((out / "grades.csv").open())}
    assert rows[late[0]] == "late (Canvas)" and set(rows.values()) == {"", "late (Canvas)"}


WORKSHEET = "Identifier,Full name,Email address,Status,Last modified (submission)\n"


def test_the_time_of_moodles_worksheet_is_the_time_of_handing_in(course, out, tmp_path):
    """The files say 2023, Moodle says a day in 2026, after the date."""
    (course / "s00").rename(course / "Ada Lovelace_77_assignsubmission_file")
    (tmp_path / "course.json").write_text(json.dumps({**fakes.COURSE, "due": {"": "2026-11-20T00:00:00+00:00"}}))
    (tmp_path / "moodle.csv").write_text(
        WORKSHEET + 'Participant 77,Ada Lovelace,ada@x.org,x,"Sunday, 22 November 2026, 10:05 PM"\n'
    )
    fakes.graded(course, out, roster=tmp_path / "moodle.csv")
    submission = records(out)["ada@x.org"]["submission"]
    assert submission["submitted"].startswith("2026-11-22T22:05:00") and submission["late"] == ["02"]
    assert submission["time_from"].startswith("Moodle's grading worksheet")
    rows = {row["student"]: row for row in csv.DictReader((out / "grades.csv").open())}
    assert rows["ada@x.org"]["late"] == "all notebooks" and rows["s01"]["late"] == ""


def test_a_time_of_moodle_that_cannot_be_read_is_said_and_the_files_own_counts(course, out, tmp_path):
    (course / "s00").rename(course / "Ada Lovelace_77_assignsubmission_file")
    (tmp_path / "moodle.csv").write_text(WORKSHEET + 'Participant 77,Ada Lovelace,ada@x.org,x,"söndag"\n')
    _, said = fakes.graded(course, out, roster=tmp_path / "moodle.csv")
    assert any("no time can be read from söndag" in line for line in said)
    assert records(out)["ada@x.org"]["submission"]["submitted"].startswith("2023-11-14")


@pytest.mark.leg("night")
def test_without_course_on_hand_ins_of_another_version_that_is_said(course, out, tmp_path):
    for number in range(6):
        (course / f"s{number:02}" / "manifest.json").write_text(
            '{"course": "babygrad", "version": "9", "possible": 57}'
        )
    _, said = fakes.graded(course, out, course=None)
    [line] = [line for line in said if "Did you forget --course?" in line]
    assert line.startswith("All 6 hand-ins were made with version 9 of the course (57 points); you grade the whole")
    assert line in (out / "index.html").read_text()


def test_course_may_be_the_folder(course, out, tmp_path):
    fakes.graded(course, out, course=tmp_path)
    assert {len(record["exercises"]) for record in records(out).values()} == {len(Settings(("02",)).exercises())}
    with pytest.raises(UsageError, match=r"submissions/course\.json cannot be read: No such file"):
        fakes.graded(course, tmp_path / "other", course=course)


def test_who_handed_in_twice_is_called_by_name(course, out, tmp_path):
    (tmp_path / "roster.csv").write_text("id,name,username\nu20080,Ada Lovelace,s01\n")
    shutil.copytree(course / "s01", course / "u20080")
    _, said = fakes.graded(course, out, roster=tmp_path / "roster.csv")
    [line] = [line for line in said if "handed in 2 times" in line]
    assert line.startswith("  Ada Lovelace handed in 2 times: ")
    row = next(row for row in csv.DictReader((out / "grades.csv").open()) if row["student"] == "u20080")
    assert row["notes"].startswith("Handed in 2 times: ")


# ---- what is refused ----


def test_a_folder_that_holds_a_grading_is_not_graded_into_again(graded, out):
    before = fakes.outputs(out)
    refused(graded, out, "--resume continues it .* for a new one name another folder")
    assert fakes.outputs(out) == before


def test_a_folder_with_other_files_is_not_graded_into(course, out):
    out.mkdir()
    (out / "thesis.txt").touch()
    refused(course, out, "holds files but no grading")
    assert os.listdir(out) == ["thesis.txt"]


@pytest.mark.parametrize("inside", [".", "grades", "a/b"])
def test_the_grades_may_not_lie_among_the_submissions(course, inside):
    refused(course, course / inside, "is inside the folder of submissions")


def test_submissions_that_are_not_there_are_named(tmp_path, out, course):
    with pytest.raises(UsageError, match=r"There is no .*nothing"):
        grade.grade(fakes.arguments(tmp_path / "nothing", out))


@pytest.mark.leg("push")
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (dict(only=("2.99",)), "There is no exercise 2.99"),
        (dict(only=("3.3",)), "--only 3.3: .* not released"),
        (dict(resume=True, seed=8), "has --seed 7: leave --seed out"),
        (dict(merge=True, resume=True), "--merge .* goes with no --shard, --only, --notebooks, --resume"),
        (dict(merge=True), "holds no shards"),
        (dict(shard="1/2", resume=True), "holds a grading of the whole class"),
        (dict(shard="3/2"), "--shard 3/2: a part and the number of parts"),
        (dict(resume=True, executor="slurm:"), "--executor slurm:"),
    ],
)
def test_options_that_do_not_fit_the_grading_are_refused(graded, out, options, words):
    before = fakes.outputs(out)
    refused(graded, out, words, **options)
    assert fakes.outputs(out) == before


def test_options_that_are_refused_leave_no_grading_behind(course, out):
    refused(course, out, "--executor slurm:", executor="slurm:")
    assert fakes.graded(course, out)[0] == 0


def test_who_is_refused_finds_no_folder_that_was_not_there(course, tmp_path):
    refused(course, tmp_path / "new" / "out", "roster.csv", roster=tmp_path / "roster.csv")
    assert not (tmp_path / "new").exists()


def test_who_is_refused_finds_the_sheets_that_were_there_and_nothing_else(course, out):
    out.mkdir()
    (out / "marks.csv").write_text("student,item,points\n")
    refused(course, out, "--executor slurm:", executor="slurm:")
    assert os.listdir(out) == ["marks.csv"]


def test_a_folder_without_hand_ins_is_refused_with_what_lies_there(tmp_path, out):
    course = fakes.class_of(tmp_path / "submissions", 0)
    course.mkdir()
    (course / "essay.pdf").touch()
    refused(course, out, "There are no hand-ins in .*submissions: .* student. essay.pdf was ignored")
    assert not (out / "state.json").exists()


def test_a_folder_in_which_nothing_can_be_written_is_refused(course, out):
    (out / "lock").mkdir(parents=True)
    refused(course, out, "out cannot be the folder for the grades: Is a directory")


def test_only_needs_a_grading(course, out):
    refused(course, out, "holds no grading yet", only=("2.1",))


def test_without_submissions_the_command_shows_an_example(capsys, out):
    assert cli.main(["grade", "--out", str(out)]) == 2
    assert "python -m grader grade submissions --out grades" in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--jobs", "0"], ["--seed", "-1"], ["--jobs", "two"], []])
def test_a_wrong_option_is_a_usage_error(course, out, option, capsys):
    out = ["--out", str(out)] if option else []
    with pytest.raises(SystemExit) as ended:
        cli.main(["grade", str(course), *out, *option])
    assert ended.value.code == 2


# ---- going on ----


def test_resume_grades_nothing_twice(graded, out):
    lines, before = journal_lines(out), fakes.outputs(out)
    _, said = fakes.graded(graded, out, resume=True, seed=None)
    assert "Submissions: 6 as they were." in said
    assert journal_lines(out) == lines and fakes.outputs(out) == before


def test_resume_grades_what_is_new_and_what_changed(graded, out, tmp_path):
    fakes.hand_in(graded, "s01", "something else")
    fakes.hand_in(graded, "s99", "a late one")
    lines = journal_lines(out)
    _, said = fakes.graded(graded, out, resume=True)
    assert "Submissions: 1 new, 1 changed since they were graded, 5 as they were." in said
    assert journal_lines(out) == lines + 2
    assert fakes.outputs(out) == fresh(graded, tmp_path)


@pytest.mark.leg("push")
def test_a_changed_grader_is_said_and_everything_is_graded_again_with_the_same_seed(graded, out, tmp_path, monkeypatch):
    seeds = {student: record["seed"] for student, record in records(out).items()}
    before = points(out)
    monkeypatch.setenv("FAKE", "another grader")
    monkeypatch.setitem(digests.of_the_course(), "exercises", "changed")
    try:
        _, said = fakes.graded(graded, out, resume=True, seed=None)
        assert "Changed since the grading began: the exercises. Everything is regraded, with the same seed." in said
        assert "Submissions: 6 graded again, for the course had changed." in said
        assert {student: record["seed"] for student, record in records(out).items()} == seeds
        assert points(out) != before and fakes.outputs(out) == fresh(graded, tmp_path)
    finally:
        digests.of_the_course.cache_clear()


@pytest.mark.leg("night")
@pytest.mark.parametrize("option", [{"resume": True}, {"only": ("2.1",)}])
def test_without_a_course_file_it_goes_on_with_the_settings_it_was_begun_with(graded, out, option):
    before = state.State.read(out / "state.json").settings
    _, said = fakes.graded(graded, out, course=None, **option)
    assert state.State.read(out / "state.json").settings == before
    assert not any("Changed since" in line for line in said)


@pytest.mark.leg("night")
def test_another_choice_of_exercises_is_a_change(graded, out, tmp_path):
    (tmp_path / "course.json").write_text(json.dumps({**fakes.COURSE, "given": ["2.1"]}))
    _, said = fakes.graded(graded, out, resume=True)
    line = "Changed since the grading began: the choice of exercises. Everything is regraded, with the same seed."
    assert line in said and fakes.outputs(out) == fresh(graded, tmp_path)


TERM = {**fakes.COURSE, "notebooks": ["01", "02", "03"], "points": {"3.1": 7}}
TERM["due"] = {"01": "2023-11-01T00:00:00+00:00", "02": "2023-11-08T00:00:00+00:00", "03": "2023-12-01T00:00:00+00:00"}


@pytest.mark.leg("night")
def test_a_second_homework_is_graded_by_its_own_notebooks(course, out, tmp_path):
    """The students hand in everything of the term so far; the notebooks of the first homework were due long ago."""
    (tmp_path / "course.json").write_text(json.dumps(TERM))
    _, said = fakes.graded(course, out, notebooks="3")
    ids = [ex.id for ex in Settings(("03",)).exercises()]
    possible = Settings(("03",), points=TERM["points"]).possible
    assert f"Graded: notebook 03 ({possible} points)." in said
    for record in records(out).values():
        assert [row["id"] for row in record["exercises"]] == ids and record["possible"] == possible
        assert record["submission"]["late"] == []
    before, lines = fakes.outputs(out), journal_lines(out)
    for course_file in (tmp_path / "course.json", None):  # it is remembered
        _, said = fakes.graded(course, out, resume=True, course=course_file)
        assert f"Graded: notebook 03 ({possible} points)." in said
        assert fakes.outputs(out) == before and journal_lines(out) == lines
    _, said = fakes.graded(course, out, resume=True, notebooks="2-3")
    assert any("the choice of exercises" in line and "regraded" in line for line in said)
    assert records(out)["s00"]["submission"]["late"] == ["02"]


def test_notebooks_that_were_not_handed_out_are_refused(course, out):
    refused(course, out, "--notebooks 1-2: notebook 01 is not in the course.json: there is 02", notebooks="1-2")
    refused(course, out, "does not name notebooks", notebooks="x")
    refused(course, out, "--merge joins what is graded", notebooks="2", merge=True)


DECIDED = {"points": {"2.1": 50, "2.3": 0}, "due": {"": "2020-01-01T00:00:00+00:00"}}


@pytest.mark.leg("night")
@pytest.mark.parametrize("option", [{"resume": True}, {"only": ("2.7",)}], ids=["--resume", "--only"])
def test_new_points_and_dates_count_for_everybody_and_everywhere(graded, out, tmp_path, option):
    """In each output, as if the class had been graded with them from the start."""
    lines = journal_lines(out)
    (tmp_path / "course.json").write_text(json.dumps({**fakes.COURSE, **DECIDED}))
    _, said = fakes.graded(graded, out, **option)
    changed = "Changed since the grading began: the points and the dates."
    assert f"{changed} All grades follow, and no code runs again for that." in said
    assert fakes.outputs(out) == fresh(graded, tmp_path)
    assert journal_lines(out) == lines + 6 * ("only" in option)


@pytest.mark.leg("push")
def test_after_a_change_of_points_alone_no_code_is_run(graded, out, tmp_path, monkeypatch):
    (tmp_path / "course.json").write_text(json.dumps({**fakes.COURSE, **DECIDED}))
    monkeypatch.setattr(grade, "GRADE", "nothing:to_run")
    code, said = fakes.graded(graded, out, resume=True)
    assert code == 0 and "Submissions: 6 as they were." in said


@pytest.mark.leg("night")
def test_nobody_has_more_points_than_there_are(graded, out, tmp_path):
    """2.1 is worth less by now, and another exercise is graded again."""
    fewer = {**fakes.COURSE, "points": {"2.1": 1, "2.3": 1}, "given": ["2.4"]}
    (tmp_path / "course.json").write_text(json.dumps(fewer))
    _, said = fakes.graded(graded, out, only=("2.7",))
    possible = Settings.from_dict(fewer).possible
    for student, record in records(out).items():
        results = json.loads((out / student / "results.json").read_text())
        assert record["possible"] == sum(test["max_score"] for test in results["tests"]) == possible
        assert record["earned"] == results["score"] == sum(points(out)[student].values()) <= possible
        assert f"**{record['earned']} of {possible} points**" in (out / student / "feedback.md").read_text()
    rows = list(csv.DictReader((out / "grades.csv").open()))
    assert {row["possible"] for row in rows} == {str(possible)} and "2.4" not in rows[0]
    assert [int(row["total"]) for row in rows] == [record["earned"] for record in records(out).values()]
    median = statistics.median(record["earned"] for record in records(out).values())
    assert f"Median: {median:g} of {possible} points." in " ".join(said)
    assert f"<dd>{median:g} of {possible}" in (out / "index.html").read_text()


@pytest.mark.leg("push")
def test_only_changes_these_exercises_and_leaves_the_rest(graded, out, monkeypatch):
    before = points(out)
    monkeypatch.setenv("FAKE", "another answer")
    _, said = fakes.graded(graded, out, only=("2.3", "2.7"))
    after = points(out)
    assert "Submissions: 6 graded again." in said
    changed = {id for s in before for id in before[s] if before[s][id] != after[s][id]}
    assert changed and changed <= {"2.3", "2.7"}
    assert all(list(after[s]) == list(before[s]) for s in before)
    assert all(r["earned"] == sum(row["earned"] for row in r["exercises"]) for r in records(out).values())


@pytest.mark.leg("push")
def test_only_with_resume_goes_on_where_it_was_stopped(graded, out):
    fakes.hand_in(graded, "s99", "new")
    _, said = fakes.graded(graded, out, only=("2.3",), resume=True)
    assert "Submissions: 6 as they were, 1 left out that have no grades yet." in said


@pytest.mark.leg("night")
def test_only_leaves_out_what_is_new_or_changed_and_says_so(graded, out):
    before = points(out)
    fakes.hand_in(graded, "s01", "something else")
    fakes.hand_in(graded, "s99", "a late one")
    _, said = fakes.graded(graded, out, only=("2.3",))
    assert "--only grades no hand-in for the first time: --resume does." in said
    assert points(out)["s01"] == before["s01"] and "s99" not in records(out)
    assert (
        "Submissions: 5 graded again, 1 left out that have no grades yet, "
        "1 left out that have changed since they were graded." in said
    )


@pytest.mark.leg("push")
def test_grades_of_a_hand_in_that_is_gone_stay_and_that_is_said(graded, out):
    shutil.rmtree(graded / "s04")
    fakes.graded(graded, out, resume=True)
    assert "s04" in records(out)
    said = "1 graded earlier and no longer among the hand-ins: their grades stay (s04)."
    assert said in (out / "index.html").read_text()


@pytest.mark.leg("night")
def test_a_student_whom_the_roster_renames_is_not_shown_twice(graded, out, tmp_path):
    (tmp_path / "roster.csv").write_text("id,name,email\n1001,Ada Lovelace,s01\n")
    fakes.graded(graded, out, resume=True, roster=tmp_path / "roster.csv")
    assert "1001" in records(out) and "s01" not in records(out)


@pytest.mark.leg("night")
@pytest.mark.parametrize("option", [{"resume": True}, {"only": ("2.1",)}])
def test_a_roster_that_named_the_students_may_not_be_left_out_later(course, out, tmp_path, option):
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name,email\n1001,Ada Lovelace,s01\n")
    fakes.graded(course, out, roster=roster)
    refused(course, out, "names from a roster: add --roster .*roster.csv", **option)
    assert fakes.graded(course, out, roster=roster, **option)[0] == 0


@pytest.mark.leg("night")
@pytest.mark.parametrize("option", [{"resume": True}, {"only": ("2.1",)}])
def test_a_pattern_that_named_the_students_may_not_be_left_out_later(course, out, option):
    pattern = "s(?P<student>.*)"
    fakes.graded(course, out, pattern=pattern)
    assert "01" in records(out)
    refused(course, out, r"names from a pattern: add --pattern 's\(\?P<student>\.\*\)'\.", **option)
    assert fakes.graded(course, out, pattern=pattern, **option)[0] == 0


@pytest.mark.leg("push")
def test_what_a_pattern_says_of_time_and_lateness_is_in_the_record_and_in_the_feedback(course, out):
    for folder in sorted(course.iterdir()):
        folder.rename(course / f"2026-11-20 14.03{'_late' * (folder.name == 's01')} {folder.name}")
    fakes.graded(course, out, pattern=r"(?P<time>[\d-]+ [\d.]+)(?P<late>_late)? (?P<student>\w+)")
    late = {name for name, record in records(out).items() if record["submission"]["marked_late"]}
    when = {record["submission"]["time_from"] for record in records(out).values()}
    assert (late, when) == ({"s01"}, {"the file name"})
    assert records(out)["s01"]["submission"]["submitted"].startswith("2026-11-20T14:03")
    said = (out / "s01" / "feedback.md").read_text()
    assert "according to the file name." in said and "The file name marks it as late." in said


@pytest.mark.leg("push")
def test_a_grading_under_another_isolation_is_told_and_kept(graded, out, monkeypatch):
    monkeypatch.setattr(grade, "choose_isolation", lambda unsafe: ("other", "other", "other words"))
    _, said = fakes.graded(graded, out, resume=True)
    assert f"Graded so far under another isolation: {fakes.ISOLATION[2]}" in said
    assert state.State.read(out / "state.json").isolation == [fakes.ISOLATION[2], "other words"]


# ---- stopped ----


@pytest.fixture
def waiting(course, out, tmp_path):
    """A grading of its own process, whose worker is at s03, which it will not finish. Gives (process, named pipe)."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    fakes.hand_in(course, "s03", f"wait {pipe}")
    words = fakes.command(course, out, "--seed", 7, "--jobs", 1)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    writer = os.open(pipe, os.O_WRONLY)  # returns when the worker reads
    yield process, writer
    process.kill()
    process.communicate()
    os.close(writer)


def is_gone(pipe):
    """Has nobody the named pipe open for reading, within a while?"""
    poll = select.poll()
    poll.register(pipe, 0)
    return bool(poll.poll(600_000))


def let_it_pass(tmp_path):
    """From now on s03 waits for nothing."""
    (tmp_path / "pipe").unlink()
    (tmp_path / "pipe").touch()


@pytest.mark.leg("night")
def test_after_kill_9_the_workers_end_and_resume_gives_what_an_uninterrupted_run_gives(waiting, course, out, tmp_path):
    process, pipe = waiting
    process.kill()
    process.wait()
    assert is_gone(pipe)
    let_it_pass(tmp_path)
    lines = journal_lines(out)
    assert 0 < lines < 6
    code, said = fakes.graded(course, out, resume=True)
    assert code == 0 and f"Submissions: {6 - lines} new, {lines} as they were." in said
    assert journal_lines(out) == 6
    assert fakes.outputs(out) == fresh(course, tmp_path)


@pytest.mark.leg("push")
@pytest.mark.parametrize("name", ["SIGINT", *at_night("SIGTERM", "SIGHUP")])
def test_ctrl_c_stops_the_workers_at_once_and_says_how_to_go_on(waiting, course, out, tmp_path, name):
    process, pipe = waiting
    process.send_signal(getattr(signal, name))
    printed, errors = process.communicate(timeout=600)
    assert process.returncode == 130
    assert re.search(r"^Stopped after [0-3] of 6; continue with --resume.$", printed, re.M), printed + errors
    assert is_gone(pipe) and "Traceback" not in errors
    let_it_pass(tmp_path)
    assert fakes.graded(course, out, resume=True)[0] == 0
    assert fakes.outputs(out) == fresh(course, tmp_path)


@pytest.mark.leg("push")
def test_a_second_grader_on_the_folder_refuses_and_names_the_first(waiting, course, out):
    process, _ = waiting
    refused(course, out, rf"Another grader \(process {process.pid} on .*, since 20.*wait until it ends", resume=True)


@pytest.mark.leg("push")
def test_a_lock_file_that_was_left_over_means_nothing(course, out):
    out.mkdir()
    (out / "lock").write_text('{"pid": 1, "host": "h", "since": "yesterday"}')
    assert fakes.graded(course, out)[0] == 0


def test_a_lock_whose_file_was_taken_away_meanwhile_is_taken_again(out, monkeypatch):
    """By a grader that was refused, between our opening and our locking: a third one would make a file of its own."""
    flock = fcntl.flock

    def late(file, how):
        monkeypatch.setattr("fcntl.flock", flock)
        (out / "lock").unlink()
        flock(file, how)

    out.mkdir()
    monkeypatch.setattr("fcntl.flock", late)
    with locked(out), pytest.raises(UsageError, match="Another grader"), locked(out):
        pass


@pytest.mark.leg("push")
def test_a_drive_without_locks_is_graded_on_and_that_is_said(course, out, monkeypatch):
    def flock(file, how):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", flock)
    code, said = fakes.graded(course, out)
    assert code == 0 and "does not support locks" in said[0]


# ---- a full disk ----


@pytest.mark.leg("push")
@pytest.mark.parametrize(
    "place", ["journal", *at_night("state", "feedback.html", "grades.jsonl", "grades.csv", "index.html")]
)
def test_a_full_disk_is_one_error_and_the_grading_can_go_on(course, out, tmp_path, monkeypatch, place):
    fills_up(monkeypatch, place)
    with pytest.raises(
        UsageError, match=r"The disk of .* is full. (Nothing was begun|[0-6] of 6 submissions are graded and safe)"
    ):
        fakes.graded(course, out)
    monkeypatch.undo()
    fakes.use(monkeypatch)
    assert fakes.graded(course, out, resume=True)[0] == 0
    assert fakes.outputs(out) == fresh(course, tmp_path)


def fills_up(monkeypatch, place):
    """The disk is full when the file is written; the journal's third record no longer finds room."""
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    real_write, real_open, written = os.write, Path.open, []

    def write(file, data):
        written.append(file)
        if len(written) > 2 and place == "journal":
            raise full
        return real_write(file, data)

    def open_(path, mode="r", *rest, **options):
        if "w" in mode and path.name == f"{place}.new":
            raise full
        return real_open(path, mode, *rest, **options)

    monkeypatch.setattr(os, "write", write)
    monkeypatch.setattr(Path, "open", open_)
    if place == "state":
        monkeypatch.setattr(state.State, "write", lambda *_: (_ for _ in ()).throw(full))


@pytest.mark.leg("push")
def test_a_disk_that_is_full_for_a_worker_stops_the_grading(course, out):
    fakes.hand_in(course, "s02", "full")
    with pytest.raises(UsageError, match=r"The disk of .* is full"):
        fakes.graded(course, out)


@pytest.mark.leg("night")
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0 or sys.platform != "linux", reason="needs to mount")
def test_on_a_disk_that_is_really_full_the_command_ends_with_2(course, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("this machine mounts nothing")
    try:
        run = subprocess.run(fakes.command(course, disk / "out", "--seed", 7), capture_output=True, text=True)
        assert run.returncode == 2, run.stdout + run.stderr
        assert (
            "is full. " in run.stderr and "then continue with --resume" in run.stderr and "Traceback" not in run.stderr
        )
        shutil.copytree(disk / "out", tmp_path / "out")
    finally:
        subprocess.run(["umount", disk], check=True)
    assert 0 < journal_lines(tmp_path / "out") < 6
    assert fakes.graded(course, tmp_path / "out", resume=True)[0] == 0
    assert fakes.outputs(tmp_path / "out") == fresh(course, tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_said(course, tmp_path):
    tmp_path.chmod(0o500)
    refused(course, tmp_path / "out", "cannot be the folder for the grades")
    tmp_path.chmod(0o700)


# ---- how far it is ----


class Clock:
    now = 0

    def __call__(self):
        return self.now


def test_without_a_terminal_there_is_a_line_now_and_then(capsys):
    clock = Clock()
    lines = Lines(100, sys.stderr, clock)
    for _ in range(100):
        clock.now += 1
        lines.advance()
    lines.close()
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 4
    assert said[0] == "30 of 100 submissions, 1.00 each second, 1 min left" and said[-1].startswith("100 of 100")


def test_what_was_graded_before_is_counted_and_says_nothing_about_the_rate(capsys):
    clock = Clock()
    lines = Lines(4, sys.stderr, clock)
    for graded in (False, False, False, True):
        clock.now += 1
        lines.advance(graded)
    assert capsys.readouterr().err == "4 of 4 submissions, 0.25 each second, 0 s left\n"


def test_on_a_terminal_a_bar_shows_count_rate_and_time_left():
    ours, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    with open(terminal, "w") as stream:
        bar = meter(3, stream)
        for graded in (False, True, True):
            bar.advance(graded)
        bar.close()
        print("the end", file=stream, flush=True)
        shown = ""
        while "the end" not in shown:  # a terminal hands it on in pieces
            shown += os.read(ours, 10_000).decode()
    os.close(ours)
    assert "3 of 3" in shown and "/s" in shown and "left" in shown


class Counted(dict):
    """A hand-in's files that know how many of their kind there are. In another process they are a dict."""

    alive = most = 0

    def __init__(self, files):
        super().__init__(files)
        Counted.alive += 1
        Counted.most = max(Counted.most, Counted.alive)

    def __del__(self):
        Counted.alive -= 1

    def __reduce__(self):
        return dict, (dict(self),)


@pytest.mark.leg("push")
def test_of_many_hand_ins_a_few_are_in_memory_at_once(tmp_path, out, monkeypatch):
    course, read = fakes.class_of(tmp_path / "submissions", 30), Source.read

    def counting(*arguments, **named):
        hand_in = read(*arguments, **named)
        hand_in.files = Counted(hand_in.files)
        return hand_in

    monkeypatch.setattr(Source, "read", counting)
    assert fakes.graded(course, out)[0] == 0
    assert 0 < Counted.most <= 6

"""Three homeworks of a class of which everything is known: every figure is as planted, in every file that comes out."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median, quantiles

import pytest
import sample_class

sys.path.append(str(Path(__file__).parent))
import hand_ins
import planted as term

from grader.classroom.pages.needs import percents
from grader.course.paths import ROOT

pytestmark = [pytest.mark.usefixtures("isolation"), pytest.mark.leg("night")]

Page = sample_class.Page
COUNTED = {"hw1": "own", "hw2": "carried", "hw3": "carried"}
KILLED = "hw1"
SEED = 20261122


@pytest.fixture(scope="module")
def planted():
    return term.Planted.of_the_class()


@pytest.fixture(scope="module")
def folder(planted, tmp_path_factory):
    """A folder for each homework, with what a teacher has: hand-ins, roster, marks, extensions."""
    folder = tmp_path_factory.mktemp("term")
    for homework in term.HOMEWORKS:
        (folder / homework).mkdir()
        hand_ins.hand_in(folder / homework, planted, homework)
    hand_ins.sit_the_exam(folder, planted)
    return folder


@pytest.fixture(scope="module")
def grades(planted, folder):
    """Where all three were graded, and joined; {homework: what was printed}."""
    said = {homework: done(grading(folder, homework)) for homework in term.HOMEWORKS}
    said["term"] = done(joining(folder, "grades"))
    return folder / "grades", said


def grading(folder, homework, out="grades", *words):
    here, out = folder / homework, folder / out
    command = ["grade", here / hand_ins.HANDED_IN, "--out", out / homework, "--course", here / "students"]
    command += ["--roster", here / "roster.csv", "--marks", here / "marks.csv", "--late", term.LATE]
    command += ["--extensions", here / "extensions.csv", "--count", COUNTED[homework], "--jobs", 2, *words]
    command += ["--seed", SEED] if homework != hand_ins.PRIVATE else []
    before = out / f"hw{int(homework[2]) - 1}"
    return started([*command, *(["--before", before] if homework != "hw1" else [])])


def joining(folder, out):
    gradings = [folder / out / homework for homework in term.HOMEWORKS]
    words = ["--out", folder / out / "term", "--rules", folder / "term.toml"]
    return started(["term", *gradings, *words, "--roster", folder / "hw3" / "roster.csv"])


def started(words, cwd=ROOT):
    command = [sys.executable, "-m", "grader", *map(str, words)]
    return subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )


def done(process):
    """What was printed by a command that went well."""
    printed, _ = process.communicate(timeout=3600)
    assert process.returncode == 0, printed
    return printed


def rows_of(file):
    with file.open(encoding="utf-8-sig", newline="") as table:
        return list(csv.DictReader(table))


def numbers(cells):
    """{column: number} of the cells that are not empty."""
    return {name: float(cell) for name, cell in cells.items() if cell}


each_homework = pytest.mark.parametrize("homework", term.HOMEWORKS)


@each_homework
def test_every_figure_in_the_table_is_as_planted(planted, grades, homework):
    rows = {row["student"]: row for row in rows_of(grades[0] / homework / "grades.csv")}
    counted = COUNTED[homework] == "carried"
    assert [*sorted(rows)] == planted.students
    for student, work in planted.work[homework].items():
        row = rows[student]
        own, carried = work.totals()
        known = {
            "own": own,
            "carried": carried,
            "total": (own, carried)[counted],
            "suggested total": work.suggested(counted),
        }
        known |= {"possible": planted.possible(homework)}
        known |= {id: both[counted] for id, both in work.points().items()} | work.beside()
        known |= {"hours late": work.hours} if work.hours else {}
        shown = {name: row[name] for name in row if name in known or name[0].isdigit() or name == "hours late"}
        assert numbers(shown) == known, student
        assert row["status"] == {"broken": "malformed", "missing": "missing"}.get(work.kind, "graded")
        more = [f"{id} {both[1]:g}" for id, both in work.points().items() if both[1] > both[0]]
        assert row["carried on"] == ", ".join(more)


@each_homework
def test_so_are_those_that_the_student_and_gradescope_are_told(planted, grades, homework):
    counted = COUNTED[homework] == "carried"
    for student, work in planted.work[homework].items():
        if work.kind == "missing":
            continue
        folder, total = grades[0] / homework / student, work.totals()[counted]
        results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
        assert results["score"] == total
        assert f"**{total:g} of {planted.possible(homework):g} points" in (folder / "feedback.md").read_text("utf-8")
        assert f"{total:g} of {planted.possible(homework):g} points" in page(folder / "feedback.html").words


def page(path):
    return Page(path.read_text(encoding="utf-8"))


PLATFORMS = {
    "hw1": ("canvas-gradebook.csv", "SIS User ID", "Homework 1 (101)"),
    "hw2": ("moodle-worksheet.csv", "ID number", "Grade"),
}


@pytest.mark.parametrize("homework", PLATFORMS)
def test_the_platform_gets_the_totals_and_else_what_it_gave(planted, folder, grades, homework):
    name, who, column = PLATFORMS[homework]
    filled, given = rows_of(grades[0] / homework / name), rows_of(folder / homework / "roster.csv")
    counted = COUNTED[homework] == "carried"
    totals = {student: work.totals()[counted] for student, work in planted.work[homework].items()}
    marked = {s for s, work in planted.work[homework].items() if work.kind != "missing" or work.marks}
    for row in given:
        if row[who] in marked:
            row[column] = f"{totals[row[who]]:g}"
    assert filled == given
    assert f"{name}: {len(marked)} totals" in grades[1][homework]


@pytest.mark.parametrize(("homework", "asks_as_last_year"), [("hw1", True), ("hw1", False), ("hw3", True)])
def test_what_was_learnt_passes_last_years_check_alone(planted, folder, tmp_path, homework, asks_as_last_year):
    """Last year: the public course.  This year: the students' private variant."""
    work = next(work for work in planted.work[homework].values() if work.kind == "learnt")
    shutil.copytree(ROOT / "babygrad", tmp_path / "babygrad")
    for name, data in hand_ins.files(planted, work).items():
        (tmp_path / "babygrad" / name).write_bytes(data)
    words = ["check", *term.LEARNT[homework], "--package", tmp_path, "--json", "-"]
    asked = started(words, ROOT if asks_as_last_year else folder / homework / "students")
    printed, _ = asked.communicate(timeout=600)
    statuses = {row["status"] for row in json.loads(printed)["exercises"]}
    assert statuses == {"passed" if asks_as_last_year else "failed"}, printed


def test_without_its_secret_nobody_is_graded(folder, tmp_path):
    words = ["grade", folder / hand_ins.PRIVATE / hand_ins.HANDED_IN, "--out", tmp_path / "out"]
    (tmp_path / "course.json").write_bytes((folder / hand_ins.PRIVATE / "students" / "course.json").read_bytes())
    process = started([*words, "--course", tmp_path])
    printed, _ = process.communicate(timeout=600)
    assert process.returncode == 2 and "its secret is needed to grade" in printed
    assert not (tmp_path / "out").exists()


@each_homework
def test_who_should_be_talked_to_is_named_and_nobody_else(planted, grades, homework):
    html = (grades[0] / homework / "index.html").read_text(encoding="utf-8")
    box = Page(html.partition('id="first"')[2].partition("Similar hand-ins")[0])
    before = f"hw{int(homework[2]) - 1}"
    counted, last = (COUNTED.get(hw) == "carried" for hw in (homework, before))
    known = planted.needs(homework, counted, planted.shares(before, last) if homework != "hw1" else None)
    _, *parts = re.split(r"((?:s\d{3} and )*s\d{3}): ", box.words.replace("Student ", ""))
    found = {student: said for who, said in zip(parts[::2], parts[1::2]) for student in who.split(" and ")}
    assert found.keys() == known.keys()
    assert [student for student in known if not found[student].startswith(known[student])] == []
    assert len(known) >= 4 and html.index("Lab 1") < html.index("Lab 2") < html.index("Lab 3")


@each_homework
def test_the_class_page_counts_as_planted(planted, grades, homework):
    """What stands at the top, how many have how many points, who passes each exercise, who is late or missing."""
    read = page(grades[0] / homework / "index.html").words
    top, rows = read.partition("Isolation")[0], read.partition("Below each title")[2].partition("The order, and")[0]
    here = [work for work in planted.work[homework].values() if work.kind != "missing"]
    whole = [work for work in here if work.handed_in]
    totals = [work.totals()[COUNTED[homework] == "carried"] for work in whole]
    late, missing = sum(work.hours > 0 for work in here), len(planted.students) - len(here)
    possible, marks = planted.possible(homework), [len(work.marks) for work in here if work.marks]
    assert len([work for work in here if work.lead in ("", work.student)]) == term.HAND_INS[homework]
    low, _, high = quantiles(totals, n=4, method="inclusive")
    for said in (
        f"Handed in {len(here)} {missing} on the roster missing Graded {len(whole)} {len(here) - len(whole)} cannot be",
        f"Late {late} Median {median(totals):g} of {possible} middle half: {low:g} to {high:g} All points ",
        f"All points {totals.count(possible)} Marks by hand {sum(marks)} for {len(marks)} students",
    ):
        assert said in top
    assert "Not on the roster" not in top
    assert f"Late: {late} " in read and f"handed in nothing: {missing} " in read
    table = read.partition("Points Students")[2].partition("Misconceptions that")[0]
    spans = re.findall(r"(\d+) to (\d+) (\d+)", table)
    assert sum(int(count) for *_, count in spans) == len(whole)
    assert all(int(n) == sum(int(a) <= have < int(b) + 1 for have in totals) for a, b, n in spans)
    for ex in term.exercises(homework):
        passed = sum(work.right()[ex.id][0] for work in whole)
        alone = sum(work.right()[ex.id] == (False, True) and ex.id not in work.marks for work in whole)
        said = rows.partition(f"{ex.id} {ex.title} ")[2].partition(f" {ex.id.partition('.')[0]}.")[0]
        assert f" {passed} passed" in said or not passed
        assert (f"{alone} right but for what it builds on" in said) == (alone > 0)


@each_homework
def test_planted_pairs_are_shown_first(planted, grades, homework):
    html = (grades[0] / homework / "similar.html").read_text(encoding="utf-8")
    same, _, alike = html.partition('id="pairs"')
    both = re.compile(r"(?:Student )(s\d{3})")
    groups = {frozenset(both.findall(part)) for part in same.split('<ul class="names">')[1:]}
    shown = [frozenset(both.findall(part.partition("</h3>")[0])) for part in alike.split("<h3>")[1:]]
    known = {frozenset((copy, source)): kind for copy, (source, kind) in planted.pairs(homework).items()}
    assert groups == {pair for pair, kind in known.items() if kind == "identical"}
    assert {*shown[: len(known) - len(groups)]} == {pair for pair, kind in known.items() if kind != "identical"}


def test_the_term_has_the_same_figures(planted, grades):
    rows = {row["student"]: row for row in rows_of(grades[0] / "term" / "gradebook.csv")}
    words = page(grades[0] / "term" / "term.html").words
    faded = words.partition("Far below their own last")[2].partition("Misconceptions that stay")[0]
    for student in planted.students:
        works = [planted.work[homework][student] for homework in term.HOMEWORKS]
        points = {
            work.homework: work.totals()[COUNTED[work.homework] == "carried"]
            for work in works
            if work.kind != "missing" or work.marks  # points by hand count without a hand-in too
        }
        row, excused = rows[student], term.EXCUSED.get(student, ())
        none = {homework: "excused" if homework in excused else "" for homework in term.HOMEWORKS}
        shown = none | {homework: f"{have:g}" for homework, have in points.items()}
        assert {name: row[name] for name in term.HOMEWORKS} == shown
        assert row["total"] == f"{sum(points.values()):g}"
        assert row["possible"] == f"{sum(map(planted.possible, term.HOMEWORKS)):g}"
        assert row["section"] == planted.section(student)
        shares = {w.homework: points[w.homework] / planted.possible(w.homework) for w in works if w.handed_in}
        sentence = _fades(shares, works[-1].kind)
        assert sentence == "" or f"{student} ({planted.section(student)}): {sentence}" in faded
        assert sentence or f"{student} (" not in faded


def test_so_has_the_mark(planted, grades):
    rows = rows_of(grades[0] / "term" / "gradebook.csv")
    counted = {homework: COUNTED[homework] == "carried" for homework in term.HOMEWORKS}
    scale = dict(zip(["1.0", "1.3", "1.7", "2.0", "2.3", "2.7", "3.0", "3.3", "3.7", "4.0"], range(95, 49, -5)))
    for row in rows:
        shares, points = planted.weighed(row["student"], counted), term.exam(row["student"])
        parts = [round(share * weight / 100 + 1e-9, 2) for share, weight in zip(shares, (50, 10, 40, 5))]
        shown = [row[f"{name}"] for name in ("homework, of 50", "written, of 10", "exam, of 40", "talk, up to 5")]
        assert [*map(float, shown)] == parts and row["exam, points of 12"] == ("" if not points else f"{sum(points):g}")
        total = min(100, round(sum(parts), 2))
        passed = next((mark for mark, least in scale.items() if total >= least), "5.0")
        assert float(row["sum of 100"]) == total and row["mark"] == (passed if shares[2] >= 40 else "5.0")
    html = page(grades[0] / "term" / "term.html").words
    sat = [points for points in map(term.exam, planted.students) if points]
    assert f"{sum(points[1] >= 2 for points in sat)} of {len(sat)} 3.E1" in html


def _fades(shares, kind):
    """What is said of somebody who lost much since the last hand-in; "" otherwise.  kind: of the last one."""
    if not shares:
        return ""
    *earlier, last = shares
    if last != "hw3":
        what = "handed in" if kind == "missing" else "that could be graded"
        return f"Nothing {what} for hw3, after {percents(shares[last])} in {last}." if shares[last] else ""
    if earlier and shares[last] <= shares[earlier[-1]] - 0.3:
        return f"{percents(shares[last])} of the points in hw3, after {percents(shares[earlier[-1]])} in {earlier[-1]}."
    return ""


UNLIKE = ("state.json", "journal.jsonl", "lock")  # when it began, in which order, and what a kill leaves


def files(out):
    kept = {p.relative_to(out).as_posix(): p for p in out.rglob("*") if p.is_file()}
    return {name: path.read_bytes() for name, path in kept.items() if name.split("/")[-1] not in UNLIKE}


def test_killed_in_the_middle_and_resumed_it_is_the_same_to_the_byte(planted, folder, grades):
    (folder / "again").mkdir()
    for homework in {*term.HOMEWORKS} - {KILLED}:
        (folder / "again" / homework).symlink_to(grades[0] / homework)
    process, journal = grading(folder, KILLED, "again"), folder / "again" / KILLED / "journal.jsonl"
    handed_in = term.HAND_INS[KILLED]
    graded = handed_in // 3
    while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") >= graded):
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=600)
    assert graded <= journal.read_bytes().count(b"\n") < handed_in
    assert not (folder / "again" / KILLED / "grades.csv").exists()
    done(grading(folder, KILLED, "again", "--resume"))
    done(joining(folder, "again"))
    for part in (KILLED, "term"):
        one, other = files(grades[0] / part), files(folder / "again" / part)
        assert one.keys() == other.keys() and [name for name in one if one[name] != other[name]] == []

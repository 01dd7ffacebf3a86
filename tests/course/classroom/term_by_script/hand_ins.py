"""What the planted class hands in, as each platform names it, and what its teacher writes and is given.

The first homework comes from Canvas, the second from Moodle, the third from everywhere, some of it of groups.
"""

import ast
import csv
import json
import os
import random
import runpy
import sys
import zipfile
from datetime import UTC
from functools import cache
from pathlib import Path
from unittest.mock import patch

sys.path += [str(Path(__file__).parents[1] / "carried"), str(Path(__file__).parents[2] / "edition")]
import spoilt
from by_heart import by_heart
from planted import DUE, EXAM, EXCUSED, EXTENSION, HOMEWORKS, LEADS, exam, exercises, maxima, parts_of

from grader.course import catalogue, secret, stubs
from grader.course.paths import REFERENCE, package_folder
from grader.course.regions import replaced, solution_regions, stub_regions, wrapped
from grader.course.settings import Settings
from grader.edition import release

IMAGINED = runpy.run_path(str(Path(__file__).parents[1] / "similar" / "imagined_class.py"))
PRIVATE, SECRET = "hw1", "5eed" * 16  # handed out with make release --private
BUILT_ON = ("1.1", "1.2", "5.3", "5.5")  # right with everybody, as 02 is in hw2
HANDED_IN = "homework-submissions"  # as GitHub Classroom calls the folder
FOR_BOTH = {"s061": "s062"}  # whose hand-in is under the other one's name
UNREADABLE = {"hw1": "value.py", "hw2": "value.py", "hw3": "ops/arithmetic.py"}
RULES = """
scale = "1.0 to 5.0"
parts.homework = { weight = 50, from = "exercises", drop = 1 }
parts.written = { weight = 10, from = "written" }
parts.exam = { weight = 40, from = "exam.csv", minimum = 40 }
parts.talk = { bonus = 5, from = "presentation" }
"""


def sit_the_exam(folder, planted):
    """Write folder/term.toml, and exam.csv as tutors fill it in."""
    excused = "".join(f"{student} = {json.dumps(from_what)}\n" for student, from_what in EXCUSED.items())
    (folder / "term.toml").write_text(f"{RULES}[excused]\n{excused}")
    given = [[student, *(exam(student) or [""] * len(EXAM))] for student in planted.students]
    _table(folder / "exam.csv", ["student", *EXAM], [["maximum", *EXAM.values()], *given])


def hand_in(folder, planted, homework):
    """Write what was handed in, students/course.json, roster.csv, marks.csv and extensions.csv."""
    place = folder / HANDED_IN
    place.mkdir()
    for student, work in planted.work[homework].items():
        if work.kind != "missing" and work.lead in ("", student):
            NAMED[homework](place, work, files(planted, work))
    _release(folder / "students", homework)
    _table(folder / "roster.csv", *ROSTERS[homework](planted))
    works = planted.work[homework].values()
    given = [[w.student, item, points, "seen"] for w in works for item, points in w.marks.items()]
    asked = [["maximum", item, most, ""] for item, most in maxima(homework).items()]
    _table(folder / "marks.csv", ["student", "item", "points", "comment"], asked + given)
    more = [[w.student, HOMEWORKS[homework], f"{EXTENSION} hours"] for w in works if w.extended]
    _table(folder / "extensions.csv", ["student", "notebook", "until"], more)


def _release(out, homework):
    """Write what the students are given; of an edition that is not private, its course.json alone."""
    if homework == PRIVATE:
        with patch.object(secret, "new", lambda: SECRET):
            release.release(out, HOMEWORKS[homework], due=[DUE.isoformat()], version="test", private=True)
        return
    settings = Settings((HOMEWORKS[homework],), version="test", edition="student", due={"": DUE}).as_dict()
    out.mkdir()
    (out / "course.json").write_text(json.dumps(settings))


def _table(path, head, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([head, *rows])


def _plain(planted):
    teams = {lead: f"Team {lead}" for lead in LEADS.values()}
    rows = [[s, f"Student {s}", planted.section(s), teams.get(LEADS.get(s, s), "")] for s in planted.students]
    return ["id", "name", "section", "team"], rows


def _canvas(planted):
    rows = [[f"Student {s}", s[1:], s, s, planted.section(s), ""] for s in planted.students]
    first = ["    Points Possible", "", "", "", "", planted.possible("hw1")]
    return ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Homework 1 (101)"], [first, *rows]


def _moodle(planted):
    head = ["Identifier", "ID number", "Full name", "Section", "Grade", "Maximum Grade", "Last modified (grade)"]
    of, works = planted.possible("hw2"), planted.work["hw2"].items()
    rows = [[f"Participant {s[1:]}", s, f"Student {s}", planted.section(s), "", of, "-", _came(w)] for s, w in works]
    return [*head, "Last modified (submission)"], rows


def _came(work):
    return "-" if work.kind == "missing" else f"{work.came.astimezone():%A, %d %B %Y, %I:%M %p}"


ROSTERS = {"hw1": _canvas, "hw2": _moodle, "hw3": _plain}


# ---- what each platform makes of a hand-in ----


def _in_canvas(place, work, handed_in):
    """With an upload before the one that counts, for some; the time is that of the files."""
    number, late = work.student[1:], "_LATE" if work.came > DUE else ""
    if int(number) % 10 == 4:
        (place / f"{work.student}student_{number}_1000_hw.zip").write_bytes(b"too early")
    _pack(place / f"{work.student}student{late}_{number}_2{number}_hw-1.zip", work, handed_in, work.came)


def _in_moodle(place, work, handed_in):
    """Half of them in folders; the worksheet says when."""
    name = f"Student {work.student}_{work.student[1:]}_assignsubmission_file"
    _pack(place / (f"{name}/hw.zip" if int(work.student[1:]) % 2 else f"{name}_hw.zip"), work, handed_in)


def _anywhere(place, work, handed_in):
    """One after the other: a folder, a zip, Blackboard, Brightspace, GitHub, Gradescope."""
    student, when = FOR_BOTH.get(work.student, work.student), work.came.astimezone()
    turn = int(student[1:]) % 6
    if work.kind == "broken" or turn == 1:
        _pack(place / f"{student}.zip", work, handed_in, when)
    elif turn == 2:
        _pack(place / f"Homework 3_{student}_attempt_{when:%Y-%m-%d-%H-%M-%S}_hw.zip", work, handed_in)
    elif turn == 3:
        _pack(place / f"77-{student[1:]} - Student {student} - {when:%b %d, %Y %I%M %p} - hw.zip", work, handed_in)
    elif turn == 5:
        _lay(place / f"submission_{student[1:]}", handed_in, DUE)
        both = [student, *(partner for partner, lead in LEADS.items() if lead == student)]
        people = "".join(f"  - :name: Student {one}\n    :sid: '{one}'\n" for one in both)
        with (place / "submission_metadata.yml").open("a") as file:
            when = f"{when.astimezone(UTC):%Y-%m-%d %H:%M:%S}.000000000 Z"
            file.write(f"submission_{student[1:]}:\n  :submitters:\n{people}  :created_at: {when}\n")
    else:
        _lay(place / (student if turn == 0 else f"homework-{student}"), handed_in, when)


NAMED = {"hw1": _in_canvas, "hw2": _in_moodle, "hw3": _anywhere}


def _pack(path, work, handed_in, when=DUE):
    path.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in handed_in.items():
            archive.writestr(zipfile.ZipInfo(f"babygrad/{name}", when.astimezone().timetuple()[:6]), data)
    if work.kind == "broken":
        path.write_bytes(b"PK\3\4 and then nothing")
    os.utime(path, (when.timestamp(),) * 2)


def _lay(folder, handed_in, when):
    for name, data in handed_in.items():
        path = folder / "babygrad" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (when.timestamp(),) * 2)


# ---- what is in it ----


def files(planted, work):
    """{name inside babygrad/: bytes}."""
    source, how = planted.copies.get(work.student, (work.student, "identical"))
    ids = [ex.id for ex in exercises(work.homework)]
    wrong, waiting = parts_of(work.homework, work.kind)
    texts = _stubs()
    needed = [*BUILT_ON, *(ex.id for ex in catalogue.exercises_of("02") if work.homework == "hw2")]
    wanted = {catalogue.exercise(id).file for id in [*ids, *needed]}
    answers = {id: {} for id in needed} | {id: _own(source, id, how) for id in ids if id not in waiting}
    answers |= {id: _learnt(id) if work.kind == "learnt" else None for id in wrong}
    files = {name: _answered(texts[name], answers, name) for name in wanted}
    if work.kind == "unreadable":
        files[UNREADABLE[work.homework]] += spoilt.UNREADABLE
    return {name: text.encode() for name, text in files.items()}


def _answered(text, answers, file):
    """The stubs with answers.  answers: {id: {key of a region: lines}}; {}: the reference's; None: spoilt."""
    reference = _reference(file)

    def lines(region):
        own = answers[region.id]
        body = [region.indent + spoilt.TRACKS[0]] if own is None else own.get(region.key, reference[region.key].body)
        return wrapped(region, body)

    return replaced(text, [region for region in stub_regions(text) if region.id in answers], lines)


@cache
def _stubs():
    return stubs.generated()


@cache
def _reference(file):
    text = (package_folder(REFERENCE) / file).read_text(encoding="utf-8")
    return {region.key: region for region in solution_regions(text)}


# ---- how they write: right, each in a way of their own ----

ASIDES = (
    "mine = 0\nfor turn in range({0}):\n    mine += turn * {1} - {2}",
    "mine = [{0}, {1}, {2}]\nmine.sort()\nif mine[0] > {1}:\n    mine.append({0})",
    "mine = dict()\nfor turn in ({0}, {1}):\n    mine[turn] = max(turn, {2}) + {0}",
)
HABITS = dict.fromkeys(IMAGINED["HABITS"], 0) | {"named first": 0.5}


@cache
def _own(student, id, how):
    """{key: lines} of the right answer as this student writes it, or as somebody who copies it does."""
    chance = random.Random(f"{student} {id}")
    return {
        region.key: [region.indent + line if line else "" for line in _written(region, chance, how)]
        for region in _reference(catalogue.exercise(id).file).values()
        if region.id == id
    }


@cache
def _learnt(id):
    """{key: lines} of an answer that is right for what the public course asks, and for nothing else."""
    regions = _reference(catalogue.exercise(id).file).values()
    return {region.key: [region.indent + by_heart(id)] for region in regions if region.id == id}


def _written(region, chance, how):
    cut = len(region.indent)
    tree = ast.parse("\n".join(line[cut:] for line in region.body))
    bodies = [node.body for node in tree.body if isinstance(node, ast.FunctionDef)]
    bodies = bodies or ([] if any(isinstance(node, ast.ClassDef) for node in tree.body) else [tree.body])
    for body in bodies:
        numbers = [chance.randint(2, 9), *(chance.randint(10, 999) for _ in range(2))]
        body[:0] = ast.parse(chance.choice(ASIDES).format(*numbers)).body
    text = ast.unparse(ast.fix_missing_locations(tree))
    text = IMAGINED["rewritten"](text, HABITS, chance)
    if how == "rewritten":
        text = IMAGINED["rewritten"](text, HABITS | {"named first": 1}, chance)
    return (text if how == "identical" else IMAGINED["renamed"](text, chance)).split("\n")

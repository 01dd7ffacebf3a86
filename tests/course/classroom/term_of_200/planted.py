"""A class over three homeworks of which everything is known: what each student must get, and who copied from whom.

What is planted is counted here once more in the plainest way, with nothing of the grader's arithmetic.
"""

import ast
import csv
import json
import os
import random
import runpy
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import chain
from pathlib import Path
from statistics import median
from unittest.mock import patch

sys.path += [str(Path(__file__).parents[1] / "carried"), str(Path(__file__).parents[2] / "edition")]
import spoilt
from by_heart import by_heart

from grader.course import catalogue, secret, stubs
from grader.course.paths import REFERENCE, package_folder
from grader.course.regions import replaced, solution_regions, stub_regions, wrapped
from grader.course.settings import Settings
from grader.edition import release

BESIDE = Path(__file__).parents[1]
IMAGINED = runpy.run_path(str(BESIDE / "similar" / "imagined_class.py"))
HOMEWORKS = {"hw1": "02", "hw2": "03", "hw3": "06"}
PRIVATE, SECRET = "hw1", "5eed" * 16  # handed out with make release --private
BUILT_ON = ("1.1", "1.2", "5.3", "5.5")  # right with everybody, as 02 is in hw2
DUE = datetime.fromisoformat("2026-11-20T23:59:00+01:00")
LATE = "10 % a day, 1 day free"
LEFT = {0: 1, 12: 1, 30: 0.9, 78: 0.7}  # hours late, and the share that is left
EXTENSION = 48  # hours
BESIDES = {"presentation": 10}  # marked by hand, and never late
EXAM = {"1: 2.E1": 4, "2: 3.E1": 4, "3: 6.E4": 4}
RULES = """
scale = "1.0 to 5.0"
parts.homework = { weight = 50, from = "exercises", drop = 1 }
parts.written = { weight = 10, from = "written" }
parts.exam = { weight = 40, from = "exam.csv", minimum = 40 }
parts.talk = { bonus = 5, from = "presentation" }
"""
PLANTED = {20: 3, 200: 20}  # pairs in a class of this size
COPIES = ("identical", "renamed", "rewritten")
LEARNT = {"hw1": ("2.2",), "hw2": (), "hw3": ("6.10",)}  # last year's answers; the hunts of 03 ask everybody the same
# What is wrong, and from where to where nothing was begun.
KINDS = {
    "hw1": {"right": ((), ()), "slip": (("2.9",), ()), "root": (("2.1",), ()), "few": ((), ("2.3", "2.10"))},
    "hw2": {"right": ((), ()), "slip": (("3.5",), ()), "root": (("3.3",), ()), "few": ((), ("3.2", "3.5"))},
    "hw3": {"right": ((), ()), "slip": (("6.7",), ()), "root": (("6.4", "6.8"), ()), "few": ((), ("6.3", "6.10"))},
}
UNREADABLE = {"hw1": "value.py", "hw2": "value.py", "hw3": "ops/arithmetic.py"}
ALL_KINDS = ("right", "slip", "root", "few", "unreadable", "broken", "missing", "learnt")
OFTEN = (68, 10, 8, 3, 4, 2, 3, 2)


def exercises(homework):
    return catalogue.exercises_of(HOMEWORKS[homework])


def parts_of(homework, kind):
    """(ids that are wrong, ids that were not begun)."""
    wrong, ends = (LEARNT[homework], ()) if kind == "learnt" else KINDS[homework].get(kind, ((), ()))
    ids = [ex.id for ex in exercises(homework)]
    return wrong, ids[ids.index(ends[0]) : ids.index(ends[1]) + 1] if ends else ()


@dataclass(frozen=True)
class Work:
    """What one student did for one homework.

    kind: one of ALL_KINDS.  hours: how late it is, after an extension.  marks: {item: points by hand}.
    """

    student: str
    homework: str
    kind: str
    hours: int
    extended: bool
    marks: dict

    @property
    def came(self):
        """When it was handed in."""
        return DUE + timedelta(hours=self.hours + EXTENSION * self.extended if self.hours else -1)

    @property
    def handed_in(self):
        return self.kind not in ("missing", "broken")

    def points(self):
        """{exercise id: (points as it is, with errors carried forward)}."""
        rows = exercises(self.homework)
        if not self.handed_in:
            return {}
        if self.kind == "unreadable":
            lost = {ex.id for ex in rows if ex.file != "hunts.py"}  # all other files import the unreadable one
            found = {ex.id: (ex.points * (ex.id not in lost), ex.points) for ex in rows}
        else:
            none = {*chain.from_iterable(parts_of(self.homework, self.kind))}
            hidden = none | {ex.id for ex in rows if none & {*catalogue.all_needs(ex.id)}}
            found = {ex.id: (ex.points * (ex.id not in hidden), ex.points * (ex.id not in none)) for ex in rows}
        return {id: (self.marks.get(id, own), self.marks.get(id, carried)) for id, (own, carried) in found.items()}

    def beside(self):
        """{item: points}: marks for what is no exercise that was asked."""
        asked = self.points()
        return {item: points for item, points in self.marks.items() if item not in asked}

    def totals(self):
        """(own, carried)."""
        rows, beside = self.points().values(), sum(self.beside().values())
        return sum(own for own, _ in rows) + beside, sum(carried for _, carried in rows) + beside

    def suggested(self, counted):
        """The total with what --late takes off.  counted: 0: own, 1: carried."""
        share = LEFT[self.hours] if self.kind != "missing" else 1
        parts = {id: both[counted] for id, both in self.points().items()} | self.beside()
        left = sum(points * (1 if item in BESIDES else share) for item, points in parts.items())
        return round(left, 2)


@dataclass
class Planted:
    """students: ids.  work: {homework: {student: Work}}.  copies: {student: (from whom, kind)}."""

    students: list
    work: dict
    copies: dict

    @classmethod
    def of(cls, number):
        students = [f"s{n:03}" for n in range(number)]
        copies = {
            student: (students[len(ALL_KINDS) + n], COPIES[n % 3])
            for n, student in enumerate(students[-PLANTED[number] :])
        }
        work = {hw: {s: _work(hw, n, s, copies) for n, s in enumerate(students)} for hw in HOMEWORKS}
        return cls(students, work, copies)

    def possible(self, homework):
        asked = sum(ex.points for ex in exercises(homework))
        return asked + sum(maxima(homework).values())

    def weighed(self, student, counted):
        """What RULES give: [homework, written, exam, talk], of 100 each, not rounded.  counted: {homework: 0 or 1}."""
        works = {homework: self.work[homework][student] for homework in HOMEWORKS}
        sheets = []
        for homework, work in works.items():
            ids = {ex.id for ex in exercises(homework)}
            points = {id: both[counted[homework]] for id, both in work.points().items()} | work.beside()
            earned = sum(have for id, have in points.items() if id in ids)
            sheets.append((earned, sum(ex.points for ex in exercises(homework))))
        kept = [sheets[:n] + sheets[n + 1 :] for n in range(len(sheets))]
        best = max(sum(earned for earned, _ in two) / sum(of for _, of in two) for two in kept)
        written = sum(work.marks.get(f"{int(HOMEWORKS[homework])}.R1", 0) for homework, work in works.items()) / 9
        talk = sum(work.marks.get("presentation", 0) for work in works.values()) / 30
        return [100 * best, 100 * written, 100 * sum(exam(student) or [0]) / 12, 100 * talk]

    def section(self, student):
        return f"Lab {int(student[1:]) % 3 + 1}"

    def needs(self, homework, counted, before=None):
        """{student: how the sentence about who needs a talk begins}.  before: {student: share of the last homework}."""
        works = self.work[homework].values()
        earned = {w.student: w.totals()[counted] for w in works if w.kind != "missing"}
        graded = median(earned[w.student] for w in works if w.handed_in)
        found = {}
        twins = {a: b for a, (b, kind) in self.copies.items() if kind == "identical"}
        twins |= {b: a for a, b in twins.items()}
        for student, points in earned.items():
            share = points / self.possible(homework)
            if sentence := _need(self.work[homework][student], points, share, graded, twins, before):
                found[student] = sentence
        return found

    def shares(self, homework, counted):
        """{student: share of the points} of those whose hand-in came, readable or not."""
        works = self.work[homework].values()
        return {w.student: w.totals()[counted] / self.possible(homework) for w in works if w.kind != "missing"}


def _need(work, points, share, graded, twins, before):
    if work.kind == "broken":
        return "Cannot be graded: "
    if work.kind == "unreadable":
        return "One error hides "
    if work.student in twins:
        return "The same files, byte for byte."
    if before and work.student in before and share <= before[work.student] - 0.3:
        return f"{100 * share:.0f} % of the points, after {100 * before[work.student]:.0f} % in "
    if work.kind == "few":
        return "Stopped after "
    return f"{points:g} of " if 2 * points < graded else ""


def exam(student):
    """Points of each question of the exam; None for somebody who was not there."""
    chance = random.Random(f"exam {student}")
    points = [chance.randint(0, 2 * most) / 2 for most in EXAM.values()]
    return points if chance.random() < 0.9 else None


def sit_the_exam(folder, planted):
    """Write folder/term.toml, and exam.csv as tutors fill it in."""
    (folder / "term.toml").write_text(RULES)
    given = [[student, *(exam(student) or [""] * len(EXAM))] for student in planted.students]
    _table(folder / "exam.csv", ["student", *EXAM], [["maximum", *EXAM.values()], *given])


def maxima(homework):
    return {f"{int(HOMEWORKS[homework])}.R1": 3} | BESIDES


def _work(homework, number, student, copies):
    chance = random.Random(f"{homework} {student}")
    turned = number + 2 * list(HOMEWORKS).index(homework)
    kind = ALL_KINDS[turned % len(ALL_KINDS)] if number < len(ALL_KINDS) else chance.choices(ALL_KINDS, OFTEN)[0]
    involved = {*copies, *(source for source, _ in copies.values())}
    if student in involved:
        source = copies.get(student, (student,))[0]
        kind = random.Random(f"{homework} {source}").choice(("right", "slip", "root"))
    hours = chance.choice((0, 0, 0, *LEFT)) if kind != "missing" else 0
    marks = {item: chance.randint(0, 2 * most) / 2 for item, most in maxima(homework).items() if chance.random() < 0.8}
    regraded = exercises(homework)[0]
    if number % 5 == 0:
        marks[regraded.id] = chance.randint(0, regraded.points)
    return Work(student, homework, kind, hours, number % 7 == 3, marks)


# ---- what they hand in ----


def hand_in(folder, planted, homework):
    """Write folder/in, students/course.json, roster.csv, marks.csv and extensions.csv."""
    for student, work in planted.work[homework].items():
        if work.kind == "missing":
            continue
        if work.kind == "broken":
            path = folder / "in" / f"{student}.zip"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"PK\3\4 and then nothing")
            os.utime(path, (work.came.timestamp(),) * 2)
            continue
        for name, data in _files(planted, work).items():
            path = folder / "in" / student / "babygrad" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            os.utime(path, (work.came.timestamp(),) * 2)
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
    return ["id", "name", "section"], [[s, f"Student {s}", planted.section(s)] for s in planted.students]


def _canvas(planted):
    rows = [[f"Student {s}", s[1:], s, s, planted.section(s), ""] for s in planted.students]
    first = ["    Points Possible", "", "", "", "", planted.possible("hw1")]
    return ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Homework 1 (101)"], [first, *rows]


def _moodle(planted):
    head = ["Identifier", "ID number", "Full name", "Section", "Grade", "Maximum Grade", "Last modified (grade)"]
    return head, [
        [f"Participant {s[1:]}", s, f"Student {s}", planted.section(s), "", planted.possible("hw2"), "-"]
        for s in planted.students
    ]


ROSTERS = {"hw1": _canvas, "hw2": _moodle, "hw3": _plain}


def _files(planted, work):
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

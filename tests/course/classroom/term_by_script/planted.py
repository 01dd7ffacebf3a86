"""A class over three homeworks of which everything is known: what each student must get, and who copied from whom.

What is planted is counted here once more in the plainest way, with nothing of the grader's arithmetic.
"""

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain
from statistics import median

from grader.course import catalogue

HOMEWORKS = {"hw1": "02", "hw2": "03", "hw3": "06"}
HAND_INS = {"hw1": 44, "hw2": 18, "hw3": 80}  # so many of the first on the list; a group's is one
STUDENTS = 92
GROUPED, LEADS = "hw3", {"s053": "s052", "s060": "s059", "s062": "s061", "s076": "s075"}
EXCUSED = {"s013": ["hw2"], "s070": ["hw1", "hw2"], "s021": ["hw1"]}
CAME_ALL_THE_SAME = "s021"
DUE = datetime.fromisoformat("2026-11-20T23:59:00+01:00")
LATE = "10 % a day, 1 day free"
LEFT = {0: 1, 12: 1, 30: 0.9, 78: 0.7, 60: 0.8, 126: 0.5}  # hours late, and the share that is left
HOURS = (0, 0, 0, 0, 12, 30, 78)  # and in a group up to an extension more
EXTENSION = 48
BESIDES = {"presentation": 10}  # marked by hand, and never late
EXAM = {"1: 2.E1": 4, "2: 3.E1": 4, "3: 6.E4": 4}
PAIRS = {15: 8, 16: 9, 17: 10, 33: 18, 34: 19, 35: 20}  # who copies from whom
COPIES = ("identical", "renamed", "rewritten")
LEARNT = {"hw1": ("2.2",), "hw2": (), "hw3": ("6.10",)}  # last year's answers; the hunts of 03 ask everybody the same
# What is wrong, and from where to where nothing was begun.
KINDS = {
    "hw1": {"right": ((), ()), "slip": (("2.9",), ()), "root": (("2.1",), ()), "few": ((), ("2.3", "2.10"))},
    "hw2": {"right": ((), ()), "slip": (("3.5",), ()), "root": (("3.3",), ()), "few": ((), ("3.2", "3.5"))},
    "hw3": {"right": ((), ()), "slip": (("6.7",), ()), "root": (("6.4", "6.8"), ()), "few": ((), ("6.3", "6.10"))},
}
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
    lead: of the group's hand-in; "" for somebody alone.
    """

    student: str
    homework: str
    kind: str
    hours: int
    extended: bool
    marks: dict
    lead: str = ""

    @property
    def came(self):
        """When it was handed in."""
        return DUE + timedelta(hours=self.hours + EXTENSION * self.extended if self.hours else -1)

    @property
    def handed_in(self):
        return self.kind not in ("missing", "broken")

    def right(self):
        """{exercise id: (is it right, with errors carried forward)}."""
        rows = exercises(self.homework)
        if not self.handed_in:
            return {}
        if self.kind == "unreadable":  # all other files import the unreadable one
            return {ex.id: (ex.file == "hunts.py", True) for ex in rows}
        none = {*chain.from_iterable(parts_of(self.homework, self.kind))}
        hidden = none | {ex.id for ex in rows if none & {*catalogue.all_needs(ex.id)}}
        return {ex.id: (ex.id not in hidden, ex.id not in none) for ex in rows}

    def points(self):
        """{exercise id: (points as it is, with errors carried forward)}."""
        most, marks = {ex.id: ex.points for ex in exercises(self.homework)}, self.marks
        return {id: tuple(marks.get(id, most[id] * yes) for yes in both) for id, both in self.right().items()}

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
    def of_the_class(cls):
        students = [f"s{n:03}" for n in range(STUDENTS)]
        copies = {students[a]: (students[b], COPIES[n % 3]) for n, (a, b) in enumerate(PAIRS.items())}
        return cls(students, {homework: _works(homework, students, copies) for homework in HOMEWORKS}, copies)

    def pairs(self, homework):
        """{copy: (from whom, kind)} of those who both handed in."""
        works = self.work[homework]
        return {a: both for a, both in self.copies.items() if works[a].handed_in and works[both[0]].handed_in}

    def possible(self, homework):
        asked = sum(ex.points for ex in exercises(homework))
        return asked + sum(maxima(homework).values())

    def weighed(self, student, counted):
        """What RULES give: [homework, written, exam, talk], of 100 each, not rounded.  counted: {homework: 0 or 1}."""
        excused = EXCUSED.get(student, ())
        works = {homework: self.work[homework][student] for homework in HOMEWORKS if homework not in excused}
        sheets = []
        for homework, work in works.items():
            ids = {ex.id for ex in exercises(homework)}
            points = {id: both[counted[homework]] for id, both in work.points().items()} | work.beside()
            earned = sum(have for id, have in points.items() if id in ids)
            sheets.append((earned, sum(ex.points for ex in exercises(homework))))
        kept = [sheets[:n] + sheets[n + 1 :] for n in range(len(sheets))] if len(sheets) > 1 else [sheets]
        best = max(sum(earned for earned, _ in two) / sum(of for _, of in two) for two in kept)
        written = sum(work.marks.get(f"{int(HOMEWORKS[homework])}.R1", 0) for homework, work in works.items())
        talk = sum(work.marks.get("presentation", 0) for work in works.values())
        written, talk = written / 3 / len(works), talk / 10 / len(works)
        return [100 * best, 100 * written, 100 * sum(exam(student) or [0]) / 12, 100 * talk]

    def section(self, student):
        return f"Lab {int(student[1:]) % 3 + 1}"

    def needs(self, homework, counted, before=None):
        """{student: how the sentence about who needs a talk begins}.  before: {student: share of the last homework}."""
        works = self.work[homework].values()
        earned = {w.student: w.totals()[counted] for w in works if w.kind != "missing"}
        graded = median(earned[w.student] for w in works if w.handed_in)
        found = {}
        twins = {a: b for a, (b, kind) in self.pairs(homework).items() if kind == "identical"}
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


def maxima(homework):
    return {f"{int(HOMEWORKS[homework])}.R1": 3} | BESIDES


def _works(homework, students, copies):
    """{student: Work}: of a group all the same hand-in, and of those far down on the list none."""
    found, count = {}, 0
    for number, student in enumerate(students):
        work = _work(homework, number, student, copies)
        if homework == GROUPED and student in LEADS:
            first = found[LEADS[student]]
            hours = first.hours + EXTENSION * first.extended if first.hours else 0
            work = replace(work, kind=first.kind, hours=hours, lead=first.student)
        elif homework in EXCUSED.get(student, ()) and student != CAME_ALL_THE_SAME:
            work = Work(student, homework, "missing", 0, False, {})
        elif count == HAND_INS[homework]:
            work = replace(work, kind="missing", hours=0)
        elif homework == GROUPED and student in LEADS.values():
            work = replace(work, lead=student)
        count += work.kind != "missing" and work.lead in ("", student)
        found[student] = work
    return found


def _work(homework, number, student, copies):
    chance = random.Random(f"{homework} {student}")
    turned = number + 2 * list(HOMEWORKS).index(homework)
    kind = ALL_KINDS[turned % len(ALL_KINDS)] if number < len(ALL_KINDS) else chance.choices(ALL_KINDS, OFTEN)[0]
    involved = {*copies, *(source for source, _ in copies.values())}
    if student in involved:
        source = copies.get(student, (student,))[0]
        kind = random.Random(f"{homework} {source}").choice(("right", "slip", "root"))
    hours = chance.choice(HOURS) if kind != "missing" else 0
    marks = {item: chance.randint(0, 2 * most) / 2 for item, most in maxima(homework).items() if chance.random() < 0.8}
    regraded = exercises(homework)[0]
    if number % 5 == 0:
        marks[regraded.id] = chance.randint(0, regraded.points)
    return Work(student, homework, kind, hours, number % 7 == 3, marks)

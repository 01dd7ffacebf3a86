"""What a class did, counted in one pass over its records: of each student a line is kept, and no record."""

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import median, quantiles

from ...checking.status import STATUSES
from ...course.catalogue import place_of
from ...course.phrases import counted, listed
from ...course.safe_text import cut
from ..collect.hand_in import AGAIN
from .needs import attempts, begun, contradiction, hidden_by_one_error

KEPT = 60  # students of whom a list shows names, or messages
LISTED = 2000  # students that a page lists one by one; of a larger class it lists those to look at
TO_LOOK_AT = 500  # and no more of these than that
BEGUN = 10  # an exercise that fewer than one in so many began is not called hard
BINS = 10
NOTES = 2  # notes about a hand-in that the table has in full
LONGEST_NOTE = 160  # characters of one there, or of a line of code
OTHER_LINES = "", ""  # all lines with a slip after the first KEPT different ones


@dataclass(frozen=True)
class Line:
    """One student in the teacher's table. remarks: short words; none if there is nothing to look at.

    other: the points that do not count, without errors carried forward or with them; None if they are the same.
    obstacle: why it cannot be graded, or which files do not count.  hidden: the one error that hides much.
    attempts: what was tried and refused.  contradiction: what passes by the manifest alone.
    begun, last: how many exercises were begun, and the id of the last.
    suggested: the total with what --late takes off; None without --late, or where nobody knows how late it was.
    """

    student: str
    earned: int
    other: int | None
    remarks: tuple
    obstacle: str = ""
    hidden: str = ""
    attempts: str = ""
    contradiction: str = ""
    begun: int = 0
    last: str = ""
    suggested: float | None = None


@dataclass(frozen=True)
class Fault:
    """What one student's exercise does not pass with.  message: all of it."""

    student: str
    status: str
    misconception: str
    message: str


class Tally:
    """The counts of a class.  context: as the pages get it."""

    def __init__(self, context):
        self.context = context
        self.handed_in = 0
        self.points = Counter()  # {points: graded students}
        self.statuses = defaultdict(Counter)  # {exercise id: {kind: students}}
        self.with_points = set()  # ids of exercises
        self.by_themselves = Counter()  # {exercise id: students in whose answer only what it builds on is wrong}
        self.slips = defaultdict(Counter)  # {exercise id: {(line of code, name of a Kind or ""): students}}
        self.begun = Counter()  # {exercises that a graded student began: students}
        self.faults = defaultdict(list)  # {exercise id: the Faults of the first students who do not pass it}
        self.ideas = defaultdict(list)  # {(exercise id, misconception): the students who have it}
        self.late, self.malformed, self.unfinished, self.renamed = [], [], [], []  # students
        self.made_with = Counter()  # {(version of the course, all its points): hand-ins that name it}
        self.isolation, self.graders = Counter(), Counter()
        self.lines = []  # a Line for each student
        self._partners = 0  # graded students whose hand-in counts for somebody before them
        self.by_hand, self.marked = 0, 0  # points given by hand, and to how many who handed in
        self._unknown = set(context.get("unknown", ()))

    @classmethod
    def of(cls, records, context):
        """The Tally of all records."""
        tally = cls(context)
        for record in records:
            tally.add(record)
        return tally

    def add(self, record):
        """Count one hand-in."""
        student = record["student"]
        self.handed_in += 1
        self.graders[record["grader"]] += 1
        for students, belongs in (
            (self.late, record["submission"]["late"] or record["submission"]["marked_late"]),
            (self.malformed, record["status"] == "malformed"),
            (self.unfinished, record.get("trouble")),
            (self.renamed, record["renamed"]),
        ):
            if belongs:
                students.append(student)
        if record["status"] != "malformed":
            self._add_graded(record)
        self._add_version(record["made_with"])
        self._add_line(record)

    def _add_version(self, made_with):
        """What a manifest says is a stranger's word: no more than so many different ones are kept."""
        key = made_with.get("version"), made_with.get("possible")
        if key[0] and (key in self.made_with or len(self.made_with) < KEPT):
            self.made_with[key] += 1

    def _add_graded(self, record):
        self.points[record["earned"]] += 1
        self._partners += record["student"] in self.context["partners"]
        self.begun[begun(record)[0]] += 1
        self.isolation[record["isolation"]] += 1
        for row in record["exercises"]:
            if was_not_asked(row, record):
                continue
            kind = STATUSES[row["status"]].kind
            self.statuses[row["id"]][kind] += 1
            if row["points"]:
                self.with_points.add(row["id"])
            if kind in ("failed", "stopped") and len(self.faults[row["id"]]) < KEPT:
                fault = Fault(record["student"], row["status"], row["misconception"] or "", row["message"])
                self.faults[row["id"]].append(fault)
            self.by_themselves[row["id"]] += row["own"] < row["carried"] == row["points"]
            if slip := row.get("slip"):
                lines, key = self.slips[row["id"]], (cut(slip["code"], LONGEST_NOTE), slip["kind"] or "")
                lines[key if key in lines or len(lines) < KEPT else OTHER_LINES] += 1
            if row["misconception"]:
                self.ideas[row["id"], row["misconception"]].append(record["student"])

    def _add_line(self, record):
        found = {"remarks": tuple(self._remarks(record)), "obstacle": self._obstacle(record)}
        hidden, (count, last) = hidden_by_one_error(record), begun(record)
        found |= {
            "hidden": hidden,
            "attempts": attempts(record),
            "contradiction": contradiction(record),
            "begun": count,
            "last": last,
            "suggested": record.get("suggested"),
        }
        self.lines.append(Line(record["student"], record["earned"], _other(record), **found))
        if by_hand := _marked(record):
            self.by_hand += by_hand
            self.marked += 1

    def _obstacle(self, record):
        if record["status"] == "malformed":
            name, why = record["submission"]["name"], record["malformed"].removesuffix(AGAIN).strip()
            return f"Cannot be graded: {f'it{why[len(name) :]}' if why.startswith(name) else why}"
        return f"{'; '.join(renamed(record))}: files under other names do not count." if record["renamed"] else ""

    def _remarks(self, record):
        if record["status"] == "malformed":
            obstacle = self._obstacle(record)
            yield obstacle[0].lower() + obstacle[1:]
        yield from renamed(record)
        if marked := record["submission"]["marked_late"]:
            yield f"late ({marked})"
        elif record["submission"]["late"]:
            yield "late"
        if by_hand := _marked(record):
            yield counted(by_hand, "mark") + " by hand"
        if record["student"] in self._unknown:
            yield "not on the roster"
        if record.get("trouble"):
            yield "grading not finished"
        ended = [row["id"] for row in record["exercises"] if row["status"] in ("crashed", "timeout")]
        if ended and not record.get("trouble"):
            yield f"was stopped in {', '.join(ended[:3])}{' ...' if len(ended) > 3 else ''}"
        given = sum(row["status"] == "given" for row in record["exercises"])
        if 2 * given > len(record["exercises"]):
            yield f"{given} of {len(record['exercises'])} filled in"
        yield from (cut(note.rstrip("."), LONGEST_NOTE) for note in record["notes"][:NOTES])
        if rest := record["notes"][NOTES:]:
            yield counted(len(rest), "more note")

    @property
    def graded(self):
        """How many hand-ins could be graded."""
        return self.points.total()

    @property
    def possible(self):
        """All points of the course."""
        return self.context["possible"]

    @property
    def to_look_at(self):
        """The Lines with remarks."""
        return [line for line in self.lines if line.remarks]

    @property
    def listed(self):
        """The Lines that a page shows: all, or of a large class the first of those to look at."""
        return self.lines if self.handed_in <= LISTED else self.to_look_at[:TO_LOOK_AT]

    def median(self):
        """The median of the points of those graded; None if there are none."""
        return median(self.points.elements()) if self.points else None

    def middle_half(self):
        """(lower, upper) quartile of the points; None where fewer than four were graded."""
        if self.graded < 4:
            return None
        low, _, high = quantiles(self.points.elements(), n=4, method="inclusive")
        return low, high

    def distribution(self):
        """[(least points, most points, students)] from 0 to all."""
        most = math.ceil(self.possible)
        width = -(-(most + 1) // BINS)
        spans = [(low, min(low + width - 1, most)) for low in range(0, most + 1, width)]
        return [(low, high, sum(self.points[p] for p in self.points if low <= p < high + 1)) for low, high in spans]

    def began(self, id):
        """How many wrote something of their own for this exercise."""
        return sum(self.statuses[id][kind] for kind in ("passed", "failed", "stopped"))

    def wrong(self, id):
        """How many began this exercise and did not pass."""
        return self.began(id) - self.statuses[id]["passed"]

    def near(self, id):
        """Such as: 41 of 63 wrong answers are one slip from right. "" if none is known to be."""
        found, wrong = self.slips[id].total(), counted(self.wrong(id), "wrong answer")
        return f"{found} of {wrong} {'is' if found == 1 else 'are'} one slip from right" if found else ""

    def hardest(self, most=3):
        """The ids of the exercises with points and the lowest pass rate among those who began. Few do not count."""
        enough = max(1, self.graded // BEGUN)
        begun = [
            id for id in self.with_points if self.began(id) >= enough and self.statuses[id]["passed"] < self.began(id)
        ]
        return sorted(
            begun, key=lambda id: (self.statuses[id]["passed"] / self.began(id), -self.began(id), place_of(id))
        )[:most]

    @property
    def teams(self):
        """How many hand-ins could be graded where those who hand in together count once."""
        return self.graded - self._partners

    def shared_ideas(self):
        """[((exercise id, misconception), [those who handed in together, mostly one])], the most shared first."""
        found = [(key, self._as_teams(students)) for key, students in self.ideas.items()]
        return sorted(found, key=lambda item: (-len(item[1]), place_of(item[0][0]), item[0][1]))

    def _as_teams(self, students):
        teams = {}
        for student in students:
            teams.setdefault(self.context["partners"].get(student, student), []).append(student)
        return list(teams.values())


def _other(record):
    both = record["own"], record["carried"]
    return next((points for points in both if points != record["earned"]), None)


def renamed(record):
    """Short words about files that do not count, since they bear other names."""
    return (f"{listed(others)} in place of {name}" for name, others in record["renamed"].items())


def _marked(record):
    """How many marks somebody gave by hand."""
    overridden = [row["mark"] for row in record["exercises"] if "mark" in row]
    return sum(mark["points"] is not None for mark in [*overridden, *record["marks"]])


def was_not_asked(row, record):
    """Has this exercise no answers because the grading was stopped, by no fault of the student's?"""
    return bool(record.get("trouble")) and row["message"] == record["trouble"]

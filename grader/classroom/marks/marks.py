"""marks.csv: points and comments that people give, for exercises, for written answers, and for work of any other kind.

    student,item,points,comment
    maximum,2.R1,3,
    ada,2.R1,2,Why is it built in the forward pass?
    ada,2.7,1,Right but for a sign: we talked about it.

Points for an exercise take the place of those that it earned; both are shown. Anything else counts beside the
exercises, up to a maximum that one line names. Of questions among which students choose, all in that line
("2.R1 or 2.R2"), the best counts. A line that cannot count is told, and stays in the teacher's file.
"""

import re
from dataclasses import dataclass, field, replace

from ...course.phrases import listed
from ...notebook.answers import KEY
from ..collect.earlier import is_graded
from ..collect.safe_names import shown
from .sheet import Sheet

FILE = "marks.csv"
COLUMNS, OPTIONAL = ("student", "item", "points"), ("comment",)
MAXIMUM = "maximum"
POINTS = re.compile(r"\d{1,6}([.,]\d{1,2})?")
# A spreadsheet takes 2.10 for a number, and makes 2.1 of it: "ex 2.10" stays what it is.
ITEM = re.compile(r"(ex(ercise)?\.?\s*)?0*(?P<key>\d+\.\w+)", re.I)
FIGURES = ("earned", "own", "carried")  # of an exercise and of a record: marks by hand replace all three
LONGEST_ITEM = 60  # characters
OR = " or "  # between the questions of which one is answered


@dataclass(frozen=True)
class Mark:
    """What one line gives.  points: None if it only comments.  number: of the line."""

    points: int | float | None
    comment: str
    number: int = 0


@dataclass
class Marks:
    """The marks of a class.

    exercises: {id: points} of those that count.  maxima: {item: points} of everything else that is marked by hand.
    choices: {question: the item of maxima that it is one of}.
    given: {student: {item: Mark}}.  notes: sentences about lines that do not count.
    rubric: a Rubric, or None.
    """

    exercises: dict
    maxima: dict = field(default_factory=dict)
    given: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)
    choices: dict = field(default_factory=dict)
    rubric: object = None

    @classmethod
    def of(cls, sheet, settings, people, rubric=None):
        """The Marks in a Sheet.  people: the People whom it may mark.  rubric: the Rubric whose words comments name."""
        marks = cls({ex.id: ex.points for ex in settings.exercises()}, rubric=rubric)
        told, lines = [], sorted(sheet.rows, key=lambda row: row["student"].lower() != MAXIMUM)
        for row in lines:
            if why := marks._take(row, people):
                told.append((row.number, f"{sheet.place(row)}: {why}."))
        marks.notes = [sentence for _, sentence in sorted(told)]
        return marks

    @property
    def possible(self):
        """All points that can be given beside the exercises."""
        return tidy(sum(self.maxima.values()))

    def most(self, item):
        """The points that an exercise, a question or other work can have; None if nothing says so."""
        return self.exercises.get(item, self.maxima.get(self.choices.get(item, item)))

    def note_of(self, sheet, row):
        """The sentence about a line of the Sheet; "" if there is none."""
        return next((note for note in self.notes if note.startswith(f"{sheet.place(row)}:")), "")

    def of_student(self, student):
        """{item: Mark}."""
        return self.given.get(student, {})

    def merged(self, record):
        """The record with the marks: in its rows, and beside them in "marks"; with what is earned and possible now."""
        own = self.of_student(record["student"])
        rows = [_overridden(row, own.get(row["id"])) for row in record["exercises"]]
        items = self.items(record["student"], {row["id"] for row in rows})
        beside = sum(item["points"] or 0 for item in items)
        totals = {name: tidy(sum(row[name] for row in rows) + beside) for name in FIGURES}
        possible = tidy(record["possible"] + self.possible)
        return {**record, "exercises": rows, "marks": items, **totals, "possible": possible}

    def alone(self, student, possible):
        """The record of a student who handed in nothing: the marks.  possible: all points that can be earned."""
        record = {"student": student, "status": "missing", "exercises": [], "possible": possible - self.possible}
        return self.merged(record)

    def items(self, student, rows=()):
        """What was marked by hand beside these rows, one dict for each item.  points: None if it has no mark yet."""
        own = self.of_student(student)
        without = [id for id in self.exercises if id in own and id not in rows]
        items = [(id, self.exercises[id]) for id in without] + list(self.maxima.items())
        marks = {item: _best(item, own) for item, _ in items}
        return [
            {"item": item, "points": marks[item].points, "of": most, "comment": marks[item].comment}
            for item, most in items
        ]

    def _take(self, row, people):
        """Take a line.  Returns why it cannot count as it is, or ""."""
        item, points = item_named(row["item"]), row["points"]
        if not item:
            return "the item is missing, such as 2.1 or 2.R1"
        if points and not POINTS.fullmatch(points):
            return f"{shown(points, 30)} is no number of points, such as 3 or 2.5"
        number = number_of(points) if points else None
        if row["student"].lower() == MAXIMUM:
            return self._declare(item, number)
        student = people.id(row["student"])
        if student is None:
            return people.unknown(row["student"])
        most = self.most(item)
        if most is None or item in self.choices.values():
            return _unknown(item) if most is None else f"write which one was answered: {item}"
        if number is not None and number > most:
            return f"{number} points for {item}, which has {most}"
        if number is None and not row["comment"]:
            return f"neither points nor a comment for {item}"
        marks = self.given.setdefault(student, {})
        comment = self.rubric.told(item, row["comment"]) if self.rubric else row["comment"]
        before, marks[item] = marks.get(item), Mark(number, comment, row.number)
        who = f"{shown(student)} has a mark for {item}"
        return f"{who} on line {before.number} already; this one counts" if before else ""

    def _declare(self, item, number):
        if item in self.exercises:
            return f"{item} is an exercise with {self.exercises[item]} points; other points are set in course.json"
        if number is None:
            return f"the maximum for {item} is missing"
        if item in self.choices or (item not in self.maxima and self.choices.keys() & _several(item)):
            return f"{item}: one of these is among {listed(dict.fromkeys(self.choices.values()))} already"
        if alone := [one for one in _several(item) if one in self.maxima or one in self.exercises]:
            return f"{item}: {listed(alone)} has points of its own"
        self.choices |= dict.fromkeys(_several(item), item)
        known, self.maxima[item] = self.maxima.get(item, number), number
        return "" if known == number else f"the maximum for {item} was {known} before; {number} counts"


def earned_in(record):
    """What was earned; None where nothing could be graded, and nobody gave points: that is not 0."""
    by_hand = [row.get("mark", {}).get("points") for row in record["exercises"]]
    by_hand += [item["points"] for item in record.get("marks", ())]
    return record["earned"] if is_graded(record) or any(given is not None for given in by_hand) else None


def _several(item):
    """The questions that an item such as "2.R1 or 2.R2" lets students choose from, as keys of a dict; else none."""
    questions = item.split(OR)
    return dict.fromkeys(questions) if len(questions) > 1 else {}


def _best(item, own):
    """The Mark for an item among a student's own: of several questions the best, with what was said about the others.

    Mark(None, "") if there is none.
    """
    marks = {question: own[question] for question in _several(item) or [item] if question in own}
    best = max(marks, key=lambda question: -1 if marks[question].points is None else marks[question].points, default="")
    others = [f"{question}: {mark.comment}" for question, mark in marks.items() if question != best and mark.comment]
    return (
        replace(marks[best], comment="; ".join(filter(None, [marks[best].comment, *others])))
        if best
        else Mark(None, "")
    )


def tidy(number):
    """The number without what adding of fractions leaves: an int where it is whole."""
    number = round(number, 2)
    return int(number) if number == int(number) else number


def number_of(text):
    """The number that points are written as."""
    return tidy(float(text.replace(",", ".").replace("−", "-")))


def read(path):
    """The Sheet at this path."""
    return Sheet.read(path, COLUMNS, OPTIONAL)


def item_named(text):
    """An exercise or a question as it is called here, 2.1 or 2.R1, or several of which one counts; else the text."""
    several = re.split(rf"\s+{OR.strip()}\s+", text, flags=re.I)
    if len(several) > 1 and all(KEY.fullmatch(item_named(part)) for part in several):
        return OR.join(map(item_named, several))
    found = ITEM.fullmatch(text)
    key = found and re.sub(r"(?<=\.)[a-z](?=\d)", lambda letter: letter[0].upper(), found["key"])
    return key if key and KEY.fullmatch(key) else shown(text, LONGEST_ITEM)


def _unknown(item):
    if re.fullmatch(r"\d+\.\d+", item):
        return f"{item} is no exercise of this course that counts"
    cell = f'"{item}"' if "," in item else item
    return f"nothing says how many points {item} can have. Add a line such as {MAXIMUM},{cell},5"


def _overridden(row, mark):
    """A row of a record with the mark for it, if there is one."""
    if mark is None:
        return row
    said = {"points": mark.points, "check": row["earned"], "comment": mark.comment}
    return {**row, "mark": said} | ({} if mark.points is None else dict.fromkeys(FIGURES, mark.points))

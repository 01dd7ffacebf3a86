"""extensions.csv: more time for one student.

    student,notebook,until
    ada,02,2026-12-05
    ben,all,48 hours
    cleo,03,2026-12-05 18:00

A date ends with its day; hours and days are added to the due date.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta

from ...course.phrases import listed
from ...course.settings import Settings
from ..collect.safe_names import shown
from .sheet import Sheet

FILE = "extensions.csv"
COLUMNS = ("student", "notebook", "until")
ALL = {"", "all", "*"}
LENGTH = re.compile(r"\+?\s*(?P<number>\d{1,4}([.,]\d{1,2})?)\s*(?P<unit>h|hours?|d|days?)?", re.I)
# 2026-12-05 and 2026-12-05T18:00+01:00, and as German tables have it 05.12.2026 18:00. Not 12/05/2026: that may be
# May or December.
GERMAN = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,?\s+(\d{1,2}):(\d\d)(?::\d\d)?)?")
FORMS = "Write a date, such as 2026-12-05 or 2026-12-05 18:00, or what is added, such as 48 hours or 2 days"


@dataclass
class Extensions:
    """The extensions of a class.

    settings: of the course, with its due dates.  given: {student: {"02" or "": datetime or timedelta}}.
    notes: sentences about lines that do not count.
    """

    settings: Settings
    given: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)

    @classmethod
    def of(cls, sheet, settings, people):
        """The Extensions in a Sheet.  people: the People who may have one."""
        extensions, lines = cls(settings), {}
        for row in sheet.rows:
            if why := extensions._take(row, people, lines):
                extensions.notes.append(f"{sheet.place(row)}: {why}.")
        return extensions

    def due_of(self, number, student=""):
        """When a notebook is due for a student; None if it has no date."""
        due, own = self.settings.due_of(number), self.given.get(student, {})
        longer = own.get(number, own.get(""))
        if due is None or longer is None:
            return due
        return max(due, due + longer if isinstance(longer, timedelta) else longer)

    def extended(self, number, student):
        """The student's own date of a notebook, or None."""
        due = self.due_of(number, student)
        return due if due != self.settings.due_of(number) else None

    def _take(self, row, people, lines):
        """Take a line.  Returns why it cannot count as it is, or ""."""
        student, word = people.id(row["student"]), row["notebook"].lower()
        number = "" if word in ALL else word.removeprefix("notebook").strip().zfill(2)
        if student is None:
            return people.unknown(row["student"])
        if number and number not in self.settings.notebooks:
            known = listed(self.settings.notebooks)
            return f"{shown(row['notebook'], 30)} is no notebook that is graded here. Those are {known}, or all"
        longer = _length(row["until"])
        if longer is None:
            return f"{shown(row['until'], 40) or 'an empty cell'} is no date. {FORMS}"
        numbers = [number] if number else self.settings.notebooks
        due = [date for date in map(self.settings.due_of, numbers) if date]
        if not due:
            return "there is no due date, and so nothing to extend"
        before, lines[student, number] = lines.get((student, number)), row.number
        self.given.setdefault(student, {})[number] = longer
        if before:
            return f"{shown(student)} has an extension for {number or 'all'} on line {before} already; this one counts"
        return "that is before the due date, which stays" if not _is_later(longer, due) else ""


def read(path):
    """The Sheet at this path."""
    return Sheet.read(path, COLUMNS)


def _is_later(longer, due):
    return isinstance(longer, timedelta) or any(longer > date for date in due)


def _length(text):
    """A timedelta, or an aware datetime; None if it is neither."""
    if found := LENGTH.fullmatch(text):
        number, unit = float(found["number"].replace(",", ".")), (found["unit"] or "h").lower()
        return timedelta(days=number) if unit.startswith("d") else timedelta(hours=number)
    try:
        when, day = _date(text)
    except (ValueError, OverflowError):
        return None
    if day:
        when = datetime.combine(when, time(23, 59, 59))
    return when if when.tzinfo else when.astimezone()


def _date(text):
    """(datetime, is it a whole day).  Raises ValueError."""
    if found := GERMAN.fullmatch(text):
        day, month, year, hour, minute = found.groups()
        return datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0)), hour is None
    return datetime.fromisoformat(text), len(text) <= len("2026-12-05")

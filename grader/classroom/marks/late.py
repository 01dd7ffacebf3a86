"""How late a hand-in is, and what --late suggests to take off for it. Nothing is taken off by itself."""

import math
import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from ...course.usage import UsageError
from .marks import tidy

HOURS = {"hour": 1, "day": 24, "week": 168}
RATE = re.compile(r"(?P<percent>\d{1,3}([.]\d{1,2})?)\s*%\s*(an?|per|every|each)\s+(?P<unit>hour|day|week)")
FREE = re.compile(r"(?P<number>\d{1,4})\s*(?P<unit>hour|day|week)s?\s+free")
MOST = re.compile(r"at\s+most\s+(?P<percent>\d{1,3}([.]\d{1,2})?)\s*%")
FORMS = ("10 % a day", "10 % a day, 2 days free", "5 % an hour, 12 hours free, at most 50 %")


@dataclass(frozen=True)
class Policy:
    """What lateness costs: `percent` of what was earned for each begun `unit` hours, after `free` hours.

    most: the percentage that is never exceeded.
    """

    percent: float
    unit: int
    free: int = 0
    most: float = 100

    @classmethod
    def read(cls, text):
        """The Policy in words.  Raises UsageError that lists what can be written."""
        first, *others = (part.strip() for part in text.lower().split(","))
        rate = RATE.fullmatch(first)
        said = {}
        for part in others:
            if found := FREE.fullmatch(part):
                name, value = "free", int(found["number"]) * HOURS[found["unit"]]
            elif found := MOST.fullmatch(part):
                name, value = "most", float(found["percent"])
            else:
                raise _wrong(text, part or "nothing behind a comma")
            if name in said:
                raise _wrong(text, part)
            said[name] = value
        if not rate:
            raise _wrong(text, first)
        policy = cls(float(rate["percent"]), HOURS[rate["unit"]], **said)
        if not (0 < policy.percent <= 100 and policy.most <= 100):
            raise UsageError(f"--late {text!r}: a percentage lies between 0 and 100.")
        return policy

    def share_left(self, hours):
        """What is left of 1 for what came so many hours late."""
        units = math.ceil(max(0, hours - self.free) / self.unit)
        return 1 - min(self.percent * units, self.most) / 100

    def suggested(self, record):
        """The record's total with what came late reduced, or None where nobody knows how late it was.

        Of a late notebook the points of its exercises and of its written questions are reduced, of other work nothing.
        """
        hours = record["submission"]["hours_late"]
        if record["submission"]["marked_late"] and not hours:
            return None
        parts = [(row["id"], row["earned"]) for row in record["exercises"]]
        parts += [(item["item"], item["points"] or 0) for item in record["marks"]]
        return tidy(sum(earned * self.share_left(hours.get(_notebook(id), 0)) for id, earned in parts))


def with_lateness(submission, student, settings, extensions):
    """The submission with what came late, by how many hours, and the student's own dates.

    late: the notebooks.  hours_late: {notebook: hours, to two digits}.  extended: {notebook: ISO date}.
    What the platform marks as late is not, if the student's own dates allow all of it.
    """
    when = submission["submitted"] and datetime.fromisoformat(submission["submitted"])
    extended = {number: extensions.extended(number, student) for number in settings.notebooks}
    extended = {number: date for number, date in extended.items() if date}
    hours = {}
    for number in settings.notebooks:
        due = extensions.due_of(number, student)
        if when and due and when > due:
            hours[number] = max(0.01, tidy((when - due) / timedelta(hours=1)))
    allowed = when and not hours and extended.keys() >= set(settings.notebooks)
    said = {"late": list(hours), "hours_late": hours}
    said["extended"] = {number: date.isoformat() for number, date in extended.items()}
    return {**submission, **said, "marked_late": "" if allowed else submission.get("marked_late", "")}


def most_hours(record):
    """By how many hours the latest of it came late; "" if nothing did, or nobody knows."""
    return max(record["submission"].get("hours_late", {}).values(), default="")


def _notebook(id):
    """The number of the notebook that an exercise or a question belongs to; "" for other work."""
    found = re.match(r"(\d{1,2})\.", id)
    return f"{int(found[1]):02}" if found else ""


def _wrong(text, part):
    forms = ", or ".join(f'"{form}"' for form in FORMS)
    return UsageError(f"--late {text!r}: {part!r} is not understood. Write {forms}.")

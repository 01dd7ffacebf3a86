"""What a teacher decided about the course: which notebooks, what is given, points, dates. It stands in course.json."""

import json
import re
import tomllib
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from pathlib import Path

from . import catalogue
from .paths import COURSE_FILE, ROOT
from .usage import UsageError

# The points for the code as it is handed in, or those that it would have if what an exercise builds on were right.
COUNTED = ("own", "carried")


@dataclass(frozen=True)
class Settings:
    """The settings of one course.

    notebooks: the numbers of those released ("02").  given: ids of the exercises whose answers were handed out.
    points: {exercise id: points}, where they differ from the exercise's own.
    due: {"": the date of all notebooks, "02": of one}, each a datetime that knows its time zone.
    edition: "full" or "student".  version: a text.
    count: which points count, a name in COUNTED.
    draw: by which number what the learners' own checks draw differs from other editions (asking/draws.py).
    private: of a private variant, the digest of its secret (secret.py); "" for others.
    exchange: the folder of the exchange (exchange.py), or "".
    """

    notebooks: tuple
    given: tuple = ()
    points: dict = field(default_factory=dict)
    due: dict = field(default_factory=dict)
    version: str = ""
    edition: str = "full"
    count: str = "own"
    draw: int = 0
    private: str = ""
    exchange: str = ""

    @classmethod
    def read(cls, path=None):
        """The settings in the file, or in the course.json of the folder; without one, those of this folder.

        (Its course.json, or the whole course.)

        Raises UsageError that names the file and the field.
        """
        if path is not None:
            file = Path(path) / COURSE_FILE.name if Path(path).is_dir() else Path(path)
            return cls.from_dict(catalogue.read_settings(file), file.name)
        found = catalogue.settings_here()
        return cls.from_dict(found, COURSE_FILE.name) if found else cls.of_the_whole_course()

    @classmethod
    def of_the_whole_course(cls):
        """All notebooks, nothing given, no dates."""
        return cls(tuple(nb.number for nb in catalogue.notebooks()), version=version_of_the_course())

    @classmethod
    def from_dict(cls, fields, place="the settings"):
        """The settings from plain data.  Raises UsageError that names the place and the field."""
        read = _Fields(fields, place)
        return cls(
            notebooks=tuple(read.notebooks()),
            given=tuple(read.ids("given", list)),
            points=read.points(),
            due=read.due(),
            version=read.get("version", str),
            edition=read.get("edition", str, "student"),
            count=read.one_of("count", COUNTED),
            draw=read.whole("draw"),
            private=read.get("private", str),
            exchange=read.get("exchange", str),
        )

    def as_dict(self):
        """The settings as plain data, as in course.json."""
        return {
            "course": "babygrad",
            "edition": self.edition,
            "version": self.version,
            "notebooks": list(self.notebooks),
            "given": list(self.given),
            "points": dict(self.points),
            "due": {number: when.isoformat() for number, when in self.due.items()},
            "count": self.count,
            "draw": self.draw,
            "private": self.private,
            "exchange": self.exchange,
            "possible": self.possible,
        }

    def released(self):
        """The Exercises of the released notebooks, in order, also those whose answers were given."""
        return self.weighed(ex for number in self.notebooks for ex in catalogue.exercises_of(number))

    def exercises(self):
        """The Exercises that count: released, and not given."""
        return [ex for ex in self.released() if ex.id not in self.given]

    def with_points(self):
        """Those that can earn some."""
        return [ex for ex in self.exercises() if ex.points]

    def without_points(self):
        """Ids of those that count and can earn none: off the teacher's track, or so by --points."""
        return [ex.id for ex in self.exercises() if not ex.points]

    def weighed(self, exercises):
        """Copies of the Exercises with the points of these settings; 0 for what was given."""
        return [replace(ex, points=self._points(ex)) for ex in exercises]

    def _points(self, ex):
        return 0 if ex.id in self.given else self.points.get(ex.id, ex.points)

    @property
    def possible(self):
        """All points that can be earned."""
        return sum(ex.points for ex in self.exercises())

    def due_of(self, number):
        """When this notebook is due, or None."""
        return self.due.get(number, self.due.get(""))


def version_of_the_course():
    """The course's version number; "" where nothing says it."""
    try:
        return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    except (OSError, ValueError, KeyError):
        return ""


def aware(text):
    """The datetime that an ISO text such as 2026-12-01T23:59+01:00 names.  Raises ValueError without a time zone."""
    when = datetime.fromisoformat(text)
    if when.tzinfo is None:
        raise ValueError(f"{text} has no time zone, such as +01:00 at its end")
    return when


class _Fields:
    """Reads the fields of course.json, and says which one is wrong."""

    def __init__(self, fields, place):
        self.fields, self.place = fields, place
        self.known = [nb.number for nb in catalogue.notebooks()]
        if not isinstance(fields, dict) or fields.get("course") != "babygrad":
            raise self.wrong("course", 'must be "babygrad"')

    def wrong(self, name, why):
        return UsageError(f"{self.place}, field {name!r}: {why}.")

    def get(self, name, kind, default=None):
        value = self.fields.get(name, kind() if default is None else default)
        if not isinstance(value, kind):
            raise self.wrong(name, f"{_KINDS[kind]} is expected, which {json.dumps(value)[:60]} is not")
        return value

    def whole(self, name):
        value = self.fields.get(name, 0)
        if type(value) is not int or value < 0:
            raise self.wrong(name, f"a whole number from 0 up is expected, which {json.dumps(value)[:60]} is not")
        return value

    def one_of(self, name, choices):
        value = self.get(name, str, choices[0])
        if value not in choices:
            raise self.wrong(name, f"{' or '.join(choices)} is expected, which {json.dumps(value)[:60]} is not")
        return value

    def notebooks(self):
        numbers = self.get("notebooks", list, self.known)
        for number in numbers:
            if number not in self.known:
                raise self.wrong("notebooks", f"there is no notebook {number!r} in this course")
        return sorted(set(numbers))

    def ids(self, name, kind):
        """The ids in a list, or those that a dict has as names; what is not released cannot be looked up here."""
        ids = self.get(name, kind)
        for id in ids:
            if not catalogue.is_an_id(id):
                raise self.wrong(name, f"{json.dumps(id)[:60]} is not an exercise, such as 2.1")
            number = catalogue.number_of(id)
            if number in self.known and id not in {ex.id for ex in catalogue.exercises_of(number)}:
                raise self.wrong(name, f"there is no exercise {id}")
        return ids

    def points(self):
        points = self.ids("points", dict)
        for id, value in points.items():
            if type(value) is not int or value < 0:
                raise self.wrong(
                    "points", f"{json.dumps(value)[:60]} points for {id}: a whole number from 0 up is needed"
                )
        return dict(points)

    def due(self):
        return {number: self._date(number, text) for number, text in self.get("due", dict).items()}

    def _date(self, number, text):
        not_released = catalogue.settings_here() and re.fullmatch(r"\d\d", number)  # in an edition nobody knows these
        if number and number not in self.known and not not_released:
            raise self.wrong("due", f"there is no notebook {number!r} in this course")
        try:
            return aware(text)
        except (TypeError, ValueError) as error:
            raise self.wrong("due", str(error)) from None


_KINDS = {str: "a text", list: "a list", dict: "a table"}


def date(text, or_so=""):
    """An aware datetime. A day ends at its end, here.  Raises UsageError.  or_so: what else can be written."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is not a date. Write 2026-12-01, or 2026-12-01T18:00{or_so}.") from None
    if "T" not in text and " " not in text:
        when = datetime.combine(when, time(23, 59, 59))
    return when if when.tzinfo else when.astimezone()

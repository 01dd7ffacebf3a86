"""All that a teacher decided by hand, as one function from a record to what is shown."""

from dataclasses import dataclass

from . import extensions, marks
from .extensions import Extensions
from .late import Policy
from .marks import Marks, tidy
from .people import People
from .sheet import Sheet

FILES = (marks.FILE, extensions.FILE)  # beside the grades, if no option names others


@dataclass(frozen=True)
class Sheets:
    """The teacher's tables as they are read before a grading, and what --late says, or ""."""

    marks: Sheet
    extensions: Sheet
    late: str

    @classmethod
    def read(cls, folder, state):
        """Those of state.marks and state.extensions; without such a path, those beside the grades in folder.

        Raises UsageError if one cannot be read, or state.late cannot.
        """
        paths = [(state.marks, marks), (state.extensions, extensions)]
        tables = [_read(path, folder / kind.FILE, kind) for path, kind in paths]
        if state.late:
            Policy.read(state.late)
        return cls(*tables, state.late)

    def of(self, settings, students, names):
        """A ByHand for these students.  names: {id: name}."""
        people = People(students, names)
        given = Marks.of(self.marks, settings, people)
        more_time = Extensions.of(self.extensions, settings, people)
        return ByHand(settings, given, more_time, Policy.read(self.late) if self.late else None)


@dataclass
class ByHand:
    """settings: of the course.  marks, extensions: of the class.  late: a Policy, or None."""

    settings: object
    marks: Marks = None
    extensions: Extensions = None
    late: Policy | None = None

    def merged(self, record):
        """The record, weighed, with marks, and with the suggested total if there is a policy."""
        record = self.marks.merged(record)
        return {**record, "suggested": self.late.suggested(record)} if self.late else record

    @property
    def notes(self):
        """Sentences about lines that do not count."""
        return [*self.marks.notes, *self.extensions.notes]

    def context(self, context):
        """The context of the pages with what they need of it, beside the records."""
        possible = tidy(self.settings.possible + self.marks.possible)
        said = {"marks": self.marks, "late": self.late, "possible": possible}
        return {**context, **said, "notes": [*context["notes"], *self.notes]}


def _read(path, beside, kind):
    return kind.read(path or beside) if path or beside.exists() else Sheet()

"""All that a teacher decided by hand, as one function from a record to what is shown."""

from dataclasses import asdict, dataclass, field
from pathlib import Path

from . import extensions, line_comments, log, marks, rubric
from .extensions import Extensions
from .late import Policy
from .marks import Marks, tidy
from .people import People
from .rubric import Rubric
from .sheet import Sheet

# Beside the grades, if no option names others; and how the names of what make mark writes beside the marks end.
FILES = (marks.FILE, extensions.FILE)
RUBRIC, COMMENTS, LOG = "-rubric.csv", "-comments.csv", "-log.jsonl"
OURS = (*FILES, f"{Path(marks.FILE).stem}-")  # how the names of all of them begin


@dataclass(frozen=True)
class Sheets:
    """The teacher's tables as they are read before a grading, and what --late says, or "".

    comments: of lines.  requests: {student: {item: [Request]}}.
    """

    marks: Sheet
    extensions: Sheet
    late: str
    rubric: Rubric
    comments: Sheet
    requests: dict

    @classmethod
    def read(cls, folder, state):
        """Those of state.marks and state.extensions; without such a path, those beside the grades in folder.

        Raises UsageError if one cannot be read, or state.late cannot.
        """
        paths = [(state.marks, marks), (state.extensions, extensions)]
        tables = [_read(path, folder / kind.FILE, kind) for path, kind in paths]
        if state.late:
            Policy.read(state.late)
        path = marks_path(folder, state)
        words, asked = rubric.read(beside(path, RUBRIC)), log.requests(log.entries(beside(path, LOG)))
        return cls(*tables, state.late, words, line_comments.read(beside(path, COMMENTS)), asked)

    def of(self, settings, students, names):
        """A ByHand for these students.  names: {id: name}."""
        people = People(students, names)
        given = Marks.of(self.marks, settings, people, self.rubric)
        more_time = Extensions.of(self.extensions, settings, people)
        comments, notes = line_comments.of(self.comments, people)
        late = Policy.read(self.late) if self.late else None
        return ByHand(settings, given, more_time, late, comments, self.requests, [*self.rubric.notes, *notes])


@dataclass
class ByHand:
    """settings: of the course.  marks, extensions: of the class.  late: a Policy, or None.

    comments: {student: {item: [LineComment]}}.  requests: {student: {item: [Request]}}.  others: more notes.
    """

    settings: object
    marks: Marks = None
    extensions: Extensions = None
    late: Policy | None = None
    comments: dict = field(default_factory=dict)
    requests: dict = field(default_factory=dict)
    others: list = field(default_factory=list)

    def merged(self, record):
        """The record, weighed, with all that was marked, and with the suggested total if there is a policy."""
        record, student = self.marks.merged(record), record["student"]
        for name, said in (("comments", self.comments), ("requests", self.requests)):
            record[name] = {item: [asdict(each) for each in some] for item, some in said.get(student, {}).items()}
        return {**record, "suggested": self.late.suggested(record)} if self.late else record

    @property
    def notes(self):
        """Sentences about lines that do not count."""
        return [*self.marks.notes, *self.extensions.notes, *self.others]

    def context(self, context):
        """The context of the pages with what they need of it, beside the records."""
        possible = tidy(self.settings.possible + self.marks.possible)
        said = {"marks": self.marks, "late": self.late, "possible": possible}
        return {**context, **said, "notes": [*context["notes"], *self.notes]}


def marks_path(folder, state):
    """Where the marks of the grading in this folder are."""
    return Path(state.marks or folder / marks.FILE)


def beside(path, ending):
    """What make mark keeps beside the marks at this path: marks-rubric.csv, say."""
    return path.with_name(path.stem + ending)


def _read(path, usual, kind):
    return kind.read(path or usual) if path or usual.exists() else Sheet()

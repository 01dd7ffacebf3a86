"""What there is to mark in a grading: the exercises that were begun, written answers, and other work."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ...checking.status import STATUSES
from ...course.settings import Settings
from ...course.usage import UsageError
from ...notebook import answers
from ..collect.earlier import named, read_records
from ..collect.roster import Roster
from ..collect.safe_names import told_apart
from ..marks.by_hand import marks_path
from ..marks.people import People
from ..pages.questions import of_the_notebooks
from ..pages.student_folders import safe_folders
from ..pages.words import title
from ..run.grades_folder import GradesFolder

EXERCISE, WRITTEN, OTHER = "exercise", "written", "other"
KINDS = {WRITTEN: "Written answers", OTHER: "Other work", EXERCISE: "Code of exercises"}  # in the order of marking
ORDER = ("stopped", "failed", "waiting", "given", "passed")  # of the code of an exercise: first what may need words


@dataclass(frozen=True)
class Student:
    """rows: {exercise id: its row in the record}.  absent: without a graded hand-in."""

    id: str
    name: str
    section: str
    folder: Path
    rows: dict = field(default_factory=dict)
    absent: bool = False


@dataclass(frozen=True)
class Item:
    """most: its points; None where marks.csv says them.  words: of the question.  who: ids, in the order of marking."""

    id: str
    title: str
    kind: str
    who: tuple
    words: tuple = ()
    most: float | None = None

    def most_in(self, now):
        """Its points; None if nothing says them.  now: what marks.csv says."""
        return now.maxima.get(now.declared_as(self.id)) if self.most is None else self.most


class Work:
    """folder: what make grade wrote.  Raises UsageError where it holds no grading."""

    def __init__(self, folder):
        self.folder, self.name, state = folder, named(folder), GradesFolder(folder).state()
        records = read_records(folder)
        if state is None:
            raise UsageError(f"{folder} holds no grading: make grade writes one into its OUT.")
        self.marks, self.settings = marks_path(folder, state), Settings.from_dict(state.settings)
        settings, self.students = self.settings, _students(folder, [*records, *_absent(records, state.roster)])
        self.people = People(self.students, {id: student.name for id, student in self.students.items()})
        self._exercises = [item for ex in settings.exercises() if (item := self._exercise(ex)).who]
        asked = of_the_notebooks(settings.notebooks)
        self._questions = [item for question in asked if (item := self._question(question)).who]
        self._counted = {ex.id for ex in settings.exercises()}

    def items(self, now):
        """{id: Item}, in the order of marking.  now: what marks.csv names points for: among them other work.

        Of questions to choose from each is an item, and the choice none.
        """
        known = {item.id for item in self._questions} | self._counted
        typed = {now.declared_as(id) for id in known}  # or has it all been answered on paper?
        on_paper = [question for question, choice in now.choices.items() if choice not in typed]
        named = [id for id in (*now.maxima, *on_paper) if id not in known and id not in now.choices.values()]
        others = [Item(id, id, OTHER, tuple(self.students)) for id in named]
        return {item.id: item for item in (*self._questions, *others, *self._exercises)}

    def check_gave(self, student, item):
        """The points of the check; None where it gave none."""
        row = self.students[student].rows.get(item)
        return row and (row["mark"]["check"] if "mark" in row else row["earned"])

    def _exercise(self, ex):
        """The Item of an exercise, for all who began it."""
        kinds = {id: STATUSES[s.rows[ex.id]["status"]].kind for id, s in self.students.items() if ex.id in s.rows}
        who = [id for id, kind in kinds.items() if kind not in ("waiting", "given")]
        who.sort(key=lambda id: ORDER.index(kinds[id]))
        points = next((self.students[id].rows[ex.id]["points"] for id in who), ex.points)
        return Item(ex.id, title(ex.id), EXERCISE, tuple(who), most=points)

    def _question(self, asked):
        who = tuple(id for id in self.students if asked.key in self._answered[id])
        return Item(asked.key, f"{asked.key} {_short(asked.lines)}".strip(), WRITTEN, who, asked.lines)

    @cached_property
    def _answered(self):
        """{student: keys of the questions that have an answer}."""
        return {
            id: {
                answer.key
                for path in sorted((student.folder / answers.FOLDER).glob("[0-9][0-9].md"))
                for answer in answers.kept(path.stem, student.folder, "Note")
            }
            for id, student in self.students.items()
        }


def _students(folder, records):
    """{id: Student}, by section and name."""
    folders = safe_folders([record["student"] for record in records if record.get("status") != "missing"])
    names = told_apart({record["student"]: record.get("name") or record["student"] for record in records})
    found = [
        Student(
            id,
            names[id],
            record.get("section", ""),
            folder / folders.get(id, "."),
            {row["id"]: row for row in record["exercises"]},
            record.get("status") == "missing",
        )
        for record in records
        for id in [record["student"]]
    ]
    return {s.id: s for s in sorted(found, key=lambda s: (s.section == "", s.section, s.name.casefold(), s.id))}


def _absent(records, roster):
    """Records of those on the roster who have none. A roster that is not there any more names nobody."""
    here = {record["student"] for record in records}
    others = [s for s in Roster.read(roster).students if s.id not in here] if roster and Path(roster).exists() else []
    nothing = {"status": "missing", "exercises": []}
    return [{"student": s.id, "name": s.name, "section": s.section, **nothing} for s in others]


def _short(lines):
    """The question itself, of all that stands around it."""
    return lines[-1] if lines else ""

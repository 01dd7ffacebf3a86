"""The class's list: who is on it, who made each hand-in, and who has not handed in."""

import csv
import io
import re
import tomllib
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from pathlib import Path

from ...course.phrases import listed
from ...course.usage import UsageError
from . import times
from .platforms import CANVAS, EXCHANGE, MOODLE
from .safe_names import identity, shown
from .submissions import Sources

COLUMNS = tomllib.loads(Path(__file__).with_name("columns.toml").read_text(encoding="utf-8"))
# What Moodle calls people in a worksheet, before their number, and where their names are hidden: Teilnehmer/in1234567.
PARTICIPANT = re.compile(r"(participante?|teilnehmer(/?in)?|partecipante)\s*\d+", re.I)
HIDDEN = re.compile(r"anon_|participant|teilnehmer|partecipante", re.I)
NOTHING = {"", "-"}  # what stands where nothing was handed in
NO_GROUP = {"-", "default group"}  # what stands, with Moodle, where somebody hands in alone
LARGEST = 8  # students who hand in together: more are a section under the wrong heading
LONGEST = 256  # characters of a name or number that are compared: normalizing takes the square of the length
NOT_STUDENTS = {"points possible", "student, test", "test student"}  # rows that Canvas adds


@dataclass
class Student:
    """One row.  id: what the student is called in all results.  name: for people to read.  line: where it stands.

    known_as: other texts that mean this student.  numbers: a platform's.  names: the name, see _orders.
    certain: {(platform, number)} where the list says which platform's a number is.
    submitted: when the student handed in, as the list says it; None if it does not.  section, group: or "".
    """

    id: str
    name: str
    line: int
    known_as: set = field(default_factory=set)
    numbers: set = field(default_factory=set)
    certain: set = field(default_factory=set)
    names: set = field(default_factory=set)
    submitted: datetime | None = None
    section: str = ""
    group: str = ""


@dataclass
class Matched:
    """sources: with the roster's ids as students.  missing: ids without a hand-in.  unknown: students not on the list.

    names: {student: what to show}.  came: {student: when it was handed in, as the roster says it}.
    sections: {student: section}, without those who have none.
    groups: {student: group} of those who hand in with others.
    notes: sentences about doubtful cases.
    """

    sources: Sources
    missing: list
    unknown: list
    names: dict
    came: dict
    sections: dict
    groups: dict
    notes: list


# --- who handed in what --------------------------------------------------------------------------------------


class Roster:
    """The students of a class."""

    def __init__(self, students, notes=()):
        self.students, self.notes = students, list(notes)
        self._known = _index(students, "known_as")
        self._numbers = _index(students, "numbers")
        self._certain = _index(students, "certain")
        self._names = _index(students, "names")

    @classmethod
    def read(cls, path):
        """The roster in a CSV file with a header.  Raises UsageError, naming line and column."""
        table = _Table(Path(path))
        students = table.students()
        table.demand_small_groups(students)
        return cls(students, table.notes())

    def match(self, sources):
        """A Matched: each hand-in with its student, and who is missing or unknown."""
        found = [self._student(source.label) for source in sources]
        notes = [*self.notes, *_part_namesakes(sources, found)]
        ids = {student.id for student in self.students}
        for source, student in zip(sources, found):
            source.student = student.id if student else _stranger(source, ids)
        here = {student.id for student in found if student}
        unknown = list(dict.fromkeys(source.student for source, student in zip(sources, found) if not student))
        names = {name: name for name in unknown} | {student.id: student.name for student in self.students}
        came = {student.id: student.submitted for student in self.students if student.submitted}
        sections = {student.id: student.section for student in self.students if student.section}
        missing = [student.id for student in self.students if student.id not in here]
        groups = {student.id: student.group for student in self.students if student.group}
        return Matched(sources, missing, unknown, names, came, sections, groups, notes)

    def _student(self, label):
        """By email, id or user name; by the platform's number; by the name last. None if none fits, or several do."""
        return (
            next(filter(None, (self._known.get(_folded(text)) for text in label.known_as)), None)
            or self._at_the_end(label)
            or self._numbered(label)
            or self._names.get(_squeezed(label.name))
        )

    def _at_the_end(self, label):
        """GitHub Classroom's folders: homework-USERNAME, and both may have a - in it. The longest user name wins.

        Of an account the whole name counts: jean-ada is not ada.
        """
        parts = _folded(label.name).split("-") if label.known_as and label.platform != EXCHANGE else ()
        ends = ("-".join(parts[n:]) for n in range(1, len(parts)))
        return next(filter(None, map(self._known.get, ends)), None)

    def _numbered(self, label):
        """A number of another platform can coincide by chance: it counts only if the names do not disagree."""
        if certain := self._certain.get((label.platform, label.id)):
            return certain
        student = self._numbers.get(label.id)
        agrees = student and (not student.names or HIDDEN.match(label.name) or _squeezed(label.name) in student.names)
        return student if agrees else None


def _part_namesakes(sources, found):
    """Where several people go by a name on the roster, it is nobody's whose number the roster does not have.

    Changes found.  Returns a sentence for each such name.
    """
    people, notes = {}, {}
    for source, student in zip(sources, found):
        if student:
            people.setdefault(student.id, set()).add(source.label.person)
    exact = {student.id for source, student in zip(sources, found) if student and _is_exactly(source.label, student)}
    for position, (source, student) in enumerate(zip(sources, found)):
        if not student or len(people[student.id]) == 1:
            continue
        if not source.label.known_as and source.label.id not in student.numbers:
            why = ". Those whose number is not on the roster are listed as unknown: add a column with the numbers."
        elif student.id in exact and not _is_exactly(source.label, student):
            why = ", one under exactly that name. Those who write it otherwise are listed as unknown."
        else:
            continue
        found[position], notes[student.id] = None, f"Several people hand in as {student.name}{why}"
    return list(notes.values())


def _is_exactly(label, student):
    """Is it called what the student is called, to the letter? Of hand-ins that somebody named, and no platform."""
    return not label.platform and label.name in {student.id, student.name, *student.known_as}


def _stranger(source, ids):
    """What somebody is called who is not on the roster."""
    return f"{source.student} (not on the roster)" if source.student in ids else source.student


def _index(students, attribute):
    """{text: the one student that it means}; without texts that mean several."""
    found = {}
    for student in students:
        for text in getattr(student, attribute):
            found[text] = None if text in found else student
    return found


def _folded(text):
    return unicodedata.normalize("NFKC", text[:LONGEST]).strip().casefold()


def _squeezed(name):
    """The name's letters and digits, small and without accents: all that Canvas leaves of it."""
    letters = unicodedata.normalize("NFKD", name[:LONGEST].casefold())
    return "".join(letter for letter in letters if letter.isalnum())


def _orders(name):
    """The name as platforms may write it: "Lovelace, Ada" may be lovelaceada and adalovelace."""
    last, _, first = name[:LONGEST].partition(",")
    words = f"{first} {last}".split()
    return {_squeezed("".join(words[n:] + words[:n])) for n in range(len(words))} - {""}


# --- reading the list ----------------------------------------------------------------------------------------


class _Table:
    """A CSV file with a header. Every error says where it is."""

    def __init__(self, path):
        self.path, self.unread = path, []
        text = self._text()
        # Some systems write something else in place of a comma.
        delimiter = max(",;\t|", key=text.lstrip().partition("\n")[0].count)
        self.reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        self.header = [name.strip() for name in next(self._rows(), (0, []))[1]]
        lower = [unicodedata.normalize("NFKC", name).lower().replace("\u2019", "'") for name in self.header]
        self.columns = {  # their positions, those of names that stand further ahead in columns.toml first
            kind: [position for name in names for position, column in enumerate(lower) if column == name]
            for kind, names in COLUMNS["roster"].items()
        }
        self.is_canvas = "sis login id" in lower
        if self.is_canvas:  # its own export calls its number ID
            self.columns["canvas"] += [position for position, column in enumerate(lower) if column == "id"]
        if not any(self.columns[kind] for kind in ("id", "username", "email", "name", "last")):
            columns = listed(map(shown, self.header), 8) or "none"
            raise UsageError(
                f"{path}, line 1: no column says who the students are. The columns are {columns}; one should be called "
                "id, username, email or name."
            )

    def students(self):
        """A Student for each row; no two with one id."""
        by_id = {}
        for line, row in self._rows():
            student = self._student(line, row)
            if student and student.id in by_id:
                column = next((h for h, cell in zip(self.header, row) if identity(cell.strip()) == student.id), "name")
                first = f"{shown(student.id)} stands on line {by_id[student.id].line} already"
                self._fail(line, f"column {shown(column)}: {first}. Each student needs one of their own")
            elif student:
                by_id[student.id] = student
        return list(by_id.values())

    def demand_small_groups(self, students):
        """Raises UsageError where the column of groups holds something else."""
        for group, size in Counter(student.group for student in students if student.group).items():
            if size > LARGEST:
                column = shown(self.header[self.columns["group"][0]])
                raise UsageError(
                    f"{self.path}: {size} students have {shown(group)} in column {column}, and would hand in together, "
                    f"with one grade for all (at most {LARGEST} can). If these are sections, call the column section."
                )

    def notes(self):
        """A sentence about times that cannot be read, if there are any.  To be asked after students."""
        if self.unread:
            line, column, text = self.unread[0]
            more = f" (and {len(self.unread) - 1} more)" if len(self.unread) > 1 else ""
            yield (
                f"{self.path}, line {line}{more}: no time can be read from {shown(text)} in column {shown(column)}. "
                "There the time of the newest file counts, as it would without this column."
            )

    def _text(self):
        try:
            content = self.path.read_bytes()
            return content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
        except OSError as error:
            raise UsageError(f"The roster {self.path} cannot be read: {error.strerror}.") from None
        except UnicodeDecodeError as error:
            self._fail(content[: error.start].count(b"\n") + 1, "this is not UTF-8. Save the list as CSV UTF-8")

    def _rows(self):
        """(line, cells) of each row that is not empty."""
        try:
            for row in self.reader:
                if any(cell.strip() for cell in row):
                    yield self.reader.line_num, row
        except csv.Error as error:
            self._fail(self.reader.line_num, f"this is not CSV ({error})")

    def _student(self, line, row):
        if len(row) < len(self.header) and max(chain(*self.columns.values())) >= len(row):
            self._fail(line, f"there are {len(row)} columns, but the header has {len(self.header)}")
        cells = {kind: self._cells(row, kind) for kind in COLUMNS["roster"]}
        full = " ".join(cells["name"][:1])
        name = " ".join([*cells["first"][:1], *cells["last"][:1]]) or full
        if name.lower() in NOT_STUDENTS or (not name and self.is_canvas):
            return None
        ids = [text for text in cells["id"] if not PARTICIPANT.fullmatch(text)]
        known = [*ids, *cells["username"], *cells["email"]]
        if not known and not name:
            self._fail(line, f"nothing says who this is: {self._wanted()} is empty")
        return Student(
            identity((known or [name])[0]),
            name or known[0],
            line,
            {_folded(text) for text in (*known, *(mail.partition("@")[0] for mail in cells["email"]))},
            {_number(text) for text in cells["number"]},
            {(MOODLE, _number(text)) for text in cells["number"] if PARTICIPANT.fullmatch(text)}
            | {(CANVAS, text) for text in cells["canvas"]},
            _orders(name) | _orders(full),
            self._time(line, row),
            " ".join(cells["section"][:1]),
            next((text for text in cells["group"] if _folded(text) not in NO_GROUP), ""),
        )

    def _time(self, line, row):
        for position in self.columns["submitted"][:1]:
            text = "".join(row[position : position + 1]).strip()
            when = times.read(text)
            if not when and text not in NOTHING:
                self.unread.append((line, self.header[position], text))
            return when

    def _cells(self, row, kind):
        """What stands in the columns of this kind, without what is empty."""
        texts = (row[position].strip() for position in self.columns[kind] if position < len(row))
        return [text for text in texts if text]

    def _wanted(self):
        kinds = ("id", "username", "email", "name", "first", "last")
        used = dict.fromkeys(chain(*(self.columns[kind] for kind in kinds)))
        return listed(f"column {shown(self.header[position])}" for position in used)

    def _fail(self, line, what):
        raise UsageError(f"{self.path}, line {line}: {what}.")


def _number(text):
    """The number at the end of Participant 77 and Teilnehmer/in77; any other text as it is."""
    return re.search(r"\d+$", text)[0] if PARTICIPANT.fullmatch(text) else text.split()[-1]

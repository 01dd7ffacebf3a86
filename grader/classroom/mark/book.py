"""The marks of a class as they are now, and changes of them: read afresh each time, written before anybody is told.

Somebody else may have the same page open, or the files in an editor. So each change says what its page showed; where
that is not what stands there now, nothing is written, and it is told who was quicker.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from ...course.usage import UsageError
from ...notebook import answers
from ..marks import line_comments, log, rubric
from ..marks.marks import COLUMNS, MAXIMUM, OPTIONAL, POINTS, Marks, item_named, number_of
from ..marks.rubric import Rubric
from ..marks.sheet import Sheet
from ..marks.table import Table
from .files import COLUMNS as COLUMNS_OF
from .files import Files

TABLE_OF = {"mark": "marks", "maximum": "marks", "criterion": "rubric", "line": "comments"}
NOBODY = "somebody"
LONGEST_NAME = 60


class Conflict(Exception):
    """What somebody else changed meanwhile, as a sentence."""


class Change(NamedTuple):
    """what: "mark", say.  where: {name: which}.  before, after: cells, or None for no row."""

    what: str
    where: dict
    before: dict | None
    after: dict | None


@dataclass(frozen=True)
class Mark:
    """What stands in marks.csv for one student and item.  numbers: of the criteria that it names.  words: the rest.

    refused: why the line does not count, as a sentence. Its points are kept only if an item's maximum is not said yet.
    """

    points: float | None = None
    numbers: tuple = ()
    words: str = ""
    refused: str = ""

    @property
    def cells(self):
        """As a row has them; None for a row that says nothing."""
        points, comment = "" if self.points is None else str(self.points), rubric.written(self.numbers, self.words)
        return {"points": points, "comment": comment} if points or comment else None


@dataclass
class Now:
    """marks: {(student, item): Mark}.  maxima, choices: as Marks has them.

    lines: {student: {item: {line: LineComment}}}.  requests: {student: {item: [Request]}}.
    notes: sentences about lines that cannot count.
    """

    marks: dict
    maxima: dict
    rubric: Rubric
    lines: dict
    requests: dict
    notes: list = field(default_factory=list)
    choices: dict = field(default_factory=dict)

    def declared_as(self, item):
        """The item whose line in marks.csv says how many points this one can have."""
        return self.choices.get(item, item)

    def mark(self, student, item):
        return self.marks.get((student, item), Mark())

    def lines_of(self, student, item):
        """{line: LineComment}."""
        return self.lines.get(student, {}).get(item, {})

    def requests_of(self, student, item):
        return self.requests.get(student, {}).get(item, [])


class Book:
    """work: the Work whose marks they are.  clock(): the time."""

    def __init__(self, work, clock=lambda: datetime.now().astimezone()):
        self.files, self.people, self._settings = Files(work.marks), work.people, work.settings
        self._clock, self._seen = clock, ("", None)

    def now(self):
        """The Now."""
        version = self.files.version()
        if self._seen[0] != version:
            self._seen = version, self._read()
        return self._seen[1]

    def change(self, who, act):
        """Do what act(now) says: it returns Changes.  Returns them.  Raises Conflict, UsageError."""
        who = _signed(who)
        with self.files.alone():
            try:
                changes = [change for change in act(self._read()) if change.before != change.after]
            except Conflict as conflict:
                raise Conflict(self._told(who, *conflict.args)) from None
            self._write(who, changes)
        return changes

    def undo(self, who):
        """Take back the last change of this person that is not taken back yet.  Returns its Changes."""
        who = _signed(who)
        with self.files.alone():
            entries = self.files.entries()
            undone = {entry["undoes"] for entry in entries if entry["who"] == who and "undoes" in entry}
            own = [e for e in entries if e["who"] == who and "undoes" not in e and e["when"] not in undone]
            last = [entry for entry in own if entry["when"] == own[-1]["when"]]
            if not last:
                raise UsageError("There is nothing to undo.")
            now = self._read()
            for entry in last:
                _demand_not_settled(now, entry)
            changes = [Change(e["what"], _where(e), e["after"], e["before"]) for e in reversed(last)]
            for change in changes:
                if change.what in TABLE_OF and _cells(now, change) != change.before:
                    raise Conflict(self._told(who, change.what, change.where))
            self._write(who, changes, undoes=last[0]["when"])
        return changes

    # ---- reading ----

    def _read(self):
        sheets = {name: self._sheet(name) for name in self.files.paths}
        criteria = Rubric.of(sheets["rubric"])
        marks, counting = {}, Marks.of(sheets["marks"], self._settings, self.people)
        for row in sheets["marks"].rows:
            item, points = item_named(row["item"]), _points(row["points"])
            if row["student"].lower() != MAXIMUM and (student := self.people.id(row["student"])):
                given, used = counting.of_student(student).get(item), criteria.used(item, row["comment"])
                if given is None:
                    kept = points if counting.most(item) is None else None
                    refused = counting.note_of(sheets["marks"], row)
                    marks[student, item] = Mark(kept, *used, refused)
                elif given.number == row.number:  # the last of several that count
                    marks[student, item] = Mark(points, *used)
        found, notes = line_comments.of(sheets["comments"], self.people)
        lines = {s: {item: {c.line: c for c in some} for item, some in items.items()} for s, items in found.items()}
        asked = log.requests(self.files.entries())
        notes = [*counting.notes, *criteria.notes, *notes]
        return Now(marks, counting.maxima, criteria, lines, asked, notes, counting.choices)

    def _sheet(self, name):
        content, path = self.files.content(name), self.files.paths[name]
        required, optional = (COLUMNS, OPTIONAL) if name == "marks" else (COLUMNS_OF[name], ())
        return Sheet.parse(path, content, required, optional) if content.strip() else Sheet(path.name)

    # ---- writing ----

    def _write(self, who, changes, **more):
        if not changes:
            return
        tables = {}
        for change in changes:
            if name := TABLE_OF.get(change.what):
                if name not in tables:
                    tables[name] = Table(
                        self.files.paths[name], COLUMNS_OF[name], self.files.content(name), self._key(name)
                    )
                _put(tables[name], change)
        when = self._clock().isoformat(timespec="microseconds")
        entries = [
            {"when": when, "who": who, "what": c.what, **c.where, "before": c.before, "after": c.after, **more}
            for c in changes
        ]
        self.files.commit({name: table.content() for name, table in tables.items()}, entries)

    def _key(self, name):
        """A function from the cells of a row to what it is about."""

        def key(cells):
            item = item_named(cells["item"])
            if name == "rubric":
                return item, cells["number"]
            student = MAXIMUM if cells["student"].lower() == MAXIMUM else self.people.id(cells["student"])
            return (student, item) if name == "marks" else (student, item, cells["line"])

        return key

    def _told(self, who, what, where):
        """Whose change the page did not show, as a sentence."""
        about = [e for e in self.files.entries() if e["what"] == what and _where(e) == where]
        others = [entry for entry in about if entry["who"] != who]
        for entry in (others or about)[-1:]:
            return f"{entry['who']} changed this at {datetime.fromisoformat(entry['when']):%H:%M}"
        return "Somebody changed this in the file"


def _signed(who):
    """A name as the log has it."""
    return answers.tidy(" ".join(who.split()))[:LONGEST_NAME] or NOBODY


def _put(table, change):
    where, after = change.where, change.after
    named = {**where, "item": _spelled(where["item"])}
    key = tuple(str(each) for each in where.values())
    if change.what == "maximum":
        key, named = (MAXIMUM, *key), {"student": MAXIMUM, **named}
    if after and change.what != "line":
        after = {**after, "points": table.number(after["points"])}
    table.put(key, named, after)


def _cells(now, change):
    """The cells of a change as they are now, or None."""
    where = change.where
    if change.what == "mark":
        return now.mark(where["student"], where["item"]).cells
    if change.what == "maximum":
        return cells_of_maximum(now.maxima.get(where["item"]))
    if change.what == "criterion":
        return cells_of_criterion(now.rubric.of_item(where["item"]).get(where["number"]))
    return cells_of_line(now.lines_of(where["student"], where["item"]).get(where["line"]))


def _demand_not_settled(now, entry):
    """Raises UsageError for a request that is decided, and for a decision after which there is another request."""
    asked, this = now.requests_of(entry["student"], entry["item"]), (entry["when"], entry["who"])
    if entry["what"] == "request" and this not in [(r.when, r.who) for r in asked if r.is_open]:
        raise UsageError("It is decided already.")
    if entry["what"] == "decision" and this not in [(r.decided_when, r.decided_by) for r in asked[-1:]]:
        raise UsageError("There is another request since.")


def cells_of_maximum(points):
    return None if points is None else {"points": str(points)}


def cells_of_criterion(criterion):
    return criterion and {"points": str(criterion.points), "words": criterion.words}


def cells_of_line(comment):
    return comment and {"text": comment.text, "comment": comment.comment}


def _where(entry):
    names = {"mark": ("student", "item"), "maximum": ("item",), "criterion": ("item", "number")}
    names |= {"line": ("student", "item", "line")}
    return {name: entry.get(name) for name in names.get(entry["what"], ("student", "item"))}


def _points(text):
    return number_of(text) if POINTS.fullmatch(text) else None


def _spelled(item):
    """As a spreadsheet keeps it: of 2.10 it makes 2.1."""
    return f"ex {item}" if re.fullmatch(r"\d+\.\d*0", item) else item

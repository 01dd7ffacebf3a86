"""What Moodle and Canvas take back: the list that the teacher exported from them, with the totals filled in.

Everything else in it stays as it is, byte for byte: other columns, quotes, ends of lines, the encoding. That is what
both ask for (Moodle's mod/assign/feedback/offline/importgradeslib.php, Canvas' lib/gradebook_importer.rb):

    Moodle   "Identifier", "Grade" and "Last modified (grade)", which must be as old as it was; behind that one, where
             the assignment takes them, "Feedback comments", in HTML
    Canvas   "Student", "ID" ..., a column such as "Homework 1 (1234)" for each assignment; before the students' rows
             one that begins with "Points Possible", and perhaps one above it that says what is not posted yet
"""

import csv
import io
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass
from html import escape
from pathlib import Path

from ...course.atomic import write_atomically
from ...course.phrases import listed
from ..collect.roster import COLUMNS, Roster
from ..collect.safe_names import shown

MARKS = {BOM_UTF16_LE: "utf-16-le", BOM_UTF16_BE: "utf-16-be", BOM_UTF8: "utf-8", b"": "utf-8"}
MOODLE, CANVAS = "moodle-worksheet.csv", "canvas-gradebook.csv"
GRADE, GRADED, MAXIMUM = ({*COLUMNS["grades"][kind]} for kind in ("grade", "graded", "maximum"))
ASSIGNMENT = re.compile(r"(?P<name>.+) \((?P<number>\d+)\)", re.S)
POSSIBLE = "points possible"
UNTOUCHED = {"n/a", "ex"}  # what Canvas writes for who need not hand in, and for the excused


@dataclass(frozen=True)
class Cell:
    """A cell of a table.  text: without its quotes.  start, end: where it stands in the file, with them."""

    text: str
    start: int
    end: int


class Export:
    """A CSV file whose cells can be replaced.  rows: {number of its last line: [Cell]}, the header's first."""

    def __init__(self, content):
        self.mark = next(mark for mark in MARKS if content.startswith(mark))
        self.text = content[len(self.mark) :].decode(MARKS[self.mark])
        self.delimiter = max(",;\t|", key=self.text.lstrip().partition("\n")[0].count)
        self.rows = dict(self._rows())

    def filled(self, new):
        """The bytes of the file with new texts.  new: {Cell: text}."""
        parts, at = [], 0
        for cell in sorted(new, key=lambda cell: cell.start):
            parts += [self.text[at : cell.start], self._written(new[cell], cell)]
            at = cell.end
        return self.mark + "".join([*parts, self.text[at:]]).encode(MARKS[self.mark])

    def _written(self, text, cell):
        """The text as it stands in the place of this cell: in quotes where that has some, or where it needs them."""
        if self.text[cell.start : cell.start + 1] == '"' or {*text} & {*f'"\r\n{self.delimiter}'}:
            return '"' + text.replace('"', '""') + '"'
        return text

    def _rows(self):
        """(number of the row's last line, its Cells).  Raises ValueError where they are not what csv reads."""
        lines, at, read = io.StringIO(self.text, newline=""), 0, []

        def reading():
            for line in lines:
                read.append(line)
                yield line

        reader = csv.reader(reading(), delimiter=self.delimiter)
        for row in reader:
            text = "".join(read)
            read.clear()
            cells = [Cell(*cell) for cell in _cells(text, self.delimiter, at)] if row else []
            if [cell.text for cell in cells] != row:
                raise ValueError(f"line {reader.line_num}")
            at += len(text)
            yield reader.line_num, cells


def write(out, context, totals, assignment="", comments=None):
    """Write the list that context["roster"] names, filled in, if it is one of theirs; what an earlier one left goes.

    totals: {student: points}.  assignment: the Canvas column, or "".  comments: {student: text}, for Moodle.
    Returns sentences: what to know about it.
    """
    (out / MOODLE).unlink(missing_ok=True)
    (out / CANVAS).unlink(missing_ok=True)
    path = context["roster"]
    if not path:
        return []
    try:
        export = Export(Path(path).read_bytes())
    except (ValueError, OSError, csv.Error) as error:
        return [f"{path} cannot be filled in ({error})."]
    header = next((cells for cells in export.rows.values() if cells), [])
    name, column, notes = _column(export, [cell.text.strip() for cell in header], context["possible"], assignment)
    if column is not None:
        lines = {student.line: student.id for student in Roster.read(path).students}
        cells = _cells_of(export, lines, column)
        new = {cell: f"{totals[id]:g}" for id, cell in cells.items() if id in totals}
        new = {cell: text for cell, text in new.items() if cell.text.strip().lower() not in UNTOUCHED}
        notes = [*notes, f"{name}: {len(new)} totals, for the platform to import."]
        place = _place_of_comments(header) if name == MOODLE else None
        beside = _cells_of(export, lines, place) if place is not None else {}
        said = {cell: escape(comments[id]) for id, cell in beside.items() if id in (comments or {})}
        new |= {cell: text for cell, text in said.items() if not cell.text.strip()}  # what a teacher wrote there stays
        write_atomically(out / name, export.filled(new))
    return notes


def _cells_of(export, lines, column):
    """{student: the Cell in this column}.  lines: {number of the row's last line: student}."""
    return {id: export.rows[line][column] for line, id in lines.items() if column < len(export.rows[line])}


def _place_of_comments(header):
    """The number of Moodle's column "Feedback comments", in any language: the one behind GRADED; or None."""
    graded = next(n for n, cell in enumerate(header) if cell.text.strip().lower() in GRADED)
    return graded + 1 if graded + 2 == len(header) else None


def _column(export, header, possible, assignment):
    """(name of the file, number of the column for the totals or None, notes)."""
    lower = [name.lower() for name in header]
    if GRADED & {*lower} and GRADE & {*lower}:
        column = next(n for n, name in enumerate(lower) if name in GRADE)
        most = [n for n, name in enumerate(lower) if name in MAXIMUM]
        found = _first(export, most[0]) if most else None
        return MOODLE, column, _other_maximum("Moodle", found, possible)
    if "id" not in lower or not {"student", "lastname"} & {*lower[:1]}:
        return "", None, []
    named = {n: found for n, name in enumerate(header) if (found := ASSIGNMENT.fullmatch(name))}
    wanted = [n for n, found in named.items() if assignment in ("", found[0], found["name"], found["number"])]
    if len(wanted) != 1:
        which = listed((shown(found[0]) for found in named.values()), 8) or "none"
        return "", None, [f"{CANVAS} is not written: --assignment says which column is for this. There are {which}."]
    row = next((cells for cells in export.rows.values() if cells and cells[0].text.strip().lower() == POSSIBLE), [])
    found = row[wanted[0]].text if wanted[0] < len(row) else None
    return CANVAS, wanted[0], _other_maximum("Canvas", found, possible)


def _first(export, column):
    """The text in this column of the first row below the header."""
    rows = [cells for cells in export.rows.values() if column < len(cells)]
    return rows[1][column].text if len(rows) > 1 else None


def _other_maximum(platform, text, possible):
    """A note if the platform has another maximum than can be earned here."""
    try:
        most = float(text.replace(",", ".")) if text else possible
    except ValueError:
        return []
    if most == possible:
        return []
    here = f"{possible:g}"
    return [f"{platform} has a maximum of {most:g} points for this, and {here} can be earned: set it to {here}."]


def _cells(text, delimiter, at):
    """(text, start, end) of each cell of a row, which stands at this place of the file."""
    divides = re.escape(delimiter)
    for found in re.finditer(rf'(?:\A|{divides})((?:"(?:[^"]|"")*")?[^{divides}]*)', text.rstrip("\r\n")):
        raw = found[1]
        inner = raw[1:-1].replace('""', '"') if len(raw) > 1 and raw[0] == raw[-1] == '"' else raw
        yield inner, at + found.start(1), at + found.end(1)

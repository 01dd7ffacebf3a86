"""A table that a teacher keeps: CSV with a header, as editors, Excel in any country and LibreOffice write it."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from ...course.phrases import listed
from ...course.usage import UsageError
from ..collect.safe_names import shown

DELIMITERS = ",;\t"
BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Row:
    """One line.  number: of the line in the file.  cells: {column: text without spaces around it}."""

    number: int
    cells: dict

    def __getitem__(self, column):
        return self.cells[column]


@dataclass(frozen=True)
class Sheet:
    """The rows of a file.  name: of the file; "" if there is none."""

    name: str = ""
    rows: tuple = ()

    @classmethod
    def read(cls, path, columns, optional=(), others=False):
        """The file at path.  columns, optional: what its columns are called; others are left aside, or read too.

        Text behind the last column, as of a comma in a comment, belongs to it.
        Raises UsageError if it cannot be read, or lacks one of columns.
        """
        text = _text(Path(path))
        delimiter = max(DELIMITERS, key=_first_line(text).count)
        if text[:4].lower() == "sep=":  # Excel's own line
            delimiter, text = text[4:5], "\n" + text.partition("\n")[2]
        rows = _rows(path, csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
        _, header = next(rows, (0, []))
        names = [_name(name, columns, others) for name in header]
        if lacking := [column for column in columns if column not in names]:
            there = listed(map(shown, header), 8) or "none"
            raise UsageError(
                f"{path}, line 1: no column is called {listed(lacking)}. The columns are {there}; they should be "
                f"{listed([*columns, *optional])}."
            )
        wanted = [name for name in names if name] if others else [*columns, *optional]
        if others and (twice := sorted({name for name in wanted if wanted.count(name) > 1})):
            raise UsageError(f"{path}, line 1: two columns are called {listed(map(shown, twice))}.")
        return cls(Path(path).name, tuple(Row(line, _cells(names, wanted, row, delimiter)) for line, row in rows))

    def place(self, row):
        """Such as: marks.csv, line 3."""
        return f"{self.name}, line {row.number}"


def _name(text, columns, as_it_is):
    """What a column is called: as in columns, or with as_it_is as it stands there; else without capitals."""
    name = text.strip().lower()
    return text.strip() if as_it_is and name not in columns else name


def _first_line(text):
    return text.lstrip().partition("\n")[0]


def _text(path):
    """As UTF-8 with or without its mark, UTF-16 with one, or what Excel writes in western countries."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    encodings = ("utf-16",) if content.startswith(BYTE_ORDER_MARKS) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
    raise UsageError(f"{path}, line {line}: this is not text that can be read. Save the table as CSV UTF-8.")


def _rows(path, reader):
    """(number of its line, cells) of each row that is not empty."""
    try:
        before = 0
        for row in reader:
            if any(cell.strip() for cell in row):
                yield before + 1, row
            before = reader.line_num
    except csv.Error as error:
        raise UsageError(
            f"{path}, line {before + 1}: this is not CSV ({error}). A cell with a quotation mark in it is written "
            'like this: "she said ""yes"""'
        ) from None


def _cells(names, wanted, row, delimiter):
    cells = dict.fromkeys(wanted, "") | {name: cell.strip() for name, cell in zip(names, row) if name in wanted}
    behind = row[len(names) :]
    if any(cell.strip() for cell in behind) and names[-1] in wanted:
        cells[names[-1]] = delimiter.join(row[len(names) - 1 :]).strip().rstrip(delimiter).strip()
    return cells

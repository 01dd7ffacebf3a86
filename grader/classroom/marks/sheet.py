"""A table that a teacher keeps: CSV with a header, as editors, Excel in any country and LibreOffice write it."""

import csv
import io
from codecs import BOM_UTF8
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
        """The file at path.  Raises UsageError as parse does."""
        return cls.parse(path, content_of(path), columns, optional, others)

    @classmethod
    def parse(cls, path, content, columns, optional=(), others=False):
        """The bytes of the file at path.  columns, optional: what its columns are called; others are left aside, or
        read too, as they are called there.

        Text behind the last column, as of a comma in a comment, belongs to it.
        Raises UsageError if it cannot be read, or lacks one of columns.
        """
        text, _ = decoded(path, content)
        delimiter, text = delimited(text)
        rows = rows_in(path, text, delimiter)
        _, _, header = next(rows, (0, 0, []))
        names = names_in(header)
        if others:
            names = [name if name in columns else there.strip() for name, there in zip(names, header, strict=True)]
        if lacking := [column for column in columns if column not in names]:
            there = listed(map(shown, header), 8) or "none"
            raise UsageError(
                f"{path}, line 1: no column is called {listed(lacking)}. The columns are {there}; they should be "
                f"{listed([*columns, *optional])}."
            )
        wanted = [name for name in names if name] if others else [*columns, *optional]
        if others and (twice := sorted({name for name in wanted if wanted.count(name) > 1})):
            raise UsageError(f"{path}, line 1: two columns are called {listed(map(shown, twice))}.")
        read = (Row(line, cells_of(names, wanted, row, delimiter)) for line, _, row in rows)
        return cls(Path(path).name, tuple(read))

    def place(self, row):
        """Such as: marks.csv, line 3."""
        return f"{self.name}, line {row.number}"


def content_of(path):
    """The bytes of a file.  Raises UsageError."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None


def decoded(path, content):
    """(text, encoding): UTF-8 with or without its mark, UTF-16 with one, or what Excel writes in western countries."""
    encodings = ("utf-16",) if content.startswith(BYTE_ORDER_MARKS) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            continue
        return text, "utf-8" if encoding == "utf-8-sig" and not content.startswith(BOM_UTF8) else encoding
    raise UsageError(f"{path}, line {line}: this is not text that can be read. Save the table as CSV UTF-8.")


def delimited(text):
    """(delimiter, the text without Excel's own line about it)."""
    if text[:4].lower() == "sep=":
        return text[4:5], "\n" + text.partition("\n")[2]
    return max(DELIMITERS, key=text.lstrip().partition("\n")[0].count), text


def names_in(header):
    """What the columns are called."""
    return [name.strip().lower() for name in header]


def rows_in(path, text, delimiter):
    """(first line, last line, cells) of each row that is not empty."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        before = 0
        for row in reader:
            if any(cell.strip() for cell in row):
                yield before + 1, reader.line_num, row
            before = reader.line_num
    except csv.Error as error:
        raise UsageError(
            f"{path}, line {before + 1}: this is not CSV ({error}). A cell with a quotation mark in it is written "
            'like this: "she said ""yes"""'
        ) from None


def cells_of(names, wanted, row, delimiter):
    """{column: text} of a row."""
    cells = dict.fromkeys(wanted, "") | {name: cell.strip() for name, cell in zip(names, row) if name in wanted}
    behind = row[len(names) :]
    if any(cell.strip() for cell in behind) and names[-1] in wanted:
        cells[names[-1]] = delimiter.join(row[len(names) - 1 :]).strip().rstrip(delimiter).strip()
    return cells

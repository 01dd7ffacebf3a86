"""A teacher's table that a program writes into: only the rows that change are written anew, all else stays."""

import csv
import io
from itertools import zip_longest

from .sheet import cells_of, decoded, delimited, names_in, rows_in


class Table:
    """path: the file's.  columns: those that it needs.  content: the bytes that are there; b"" if none are.

    key(cells): what a row is about.
    """

    def __init__(self, path, columns, content, key):
        self._columns, self._key = columns, key
        # With the mark Excel reads what is not ASCII, and does not write it back in another encoding.
        text, self._encoding = decoded(path, content) if content.strip() else (",".join(columns) + "\n", "utf-8-sig")
        lines = list(io.StringIO(text, newline=""))
        self._end = "\r\n" if lines[0].endswith("\r\n") else "\n"
        self._delimiter, text = delimited(text)
        (start, behind, header), *rows = rows_in(path, text, self._delimiter)
        self._names = names_in(header)
        self._pieces = ["".join(lines[:behind])]  # the head; then rows and what stands between them
        self._cells, self._places = {}, {}
        for first, last, cells in rows:
            self._pieces.append("".join(lines[behind : first - 1]))
            self._add("".join(lines[first - 1 : last]), cells)
            behind = last
        self._pieces.append("".join(lines[behind:]))
        if lacking := [name for name in columns if name not in self._names]:
            self._names += lacking
            self._pieces[0] = "".join(lines[: start - 1]) + self._line([*header, *lacking])

    def put(self, key, named, cells):
        """Write cells ({column: text}) into the last row about this, or into a new one, named so, at the end.

        cells=None: all such rows go.
        """
        places = self._places.get(key, [])
        if cells is None:
            for place in self._places.pop(key, ()):
                self._pieces[place] = ""
        elif places:
            row = self._cells[places[-1]][: len(self._names)]
            row = [cells.get(name, old) for name, old in zip_longest(self._names, row, fillvalue="")]
            self._pieces[places[-1]] = self._line(row)
        else:
            before = "".join(self._pieces[-2:])
            if before and not before.endswith(("\n", "\r")):
                self._pieces.append(self._end)
            row = [str({**named, **cells}.get(name, "")) for name in self._names]
            self._add(self._line(row), row)

    def content(self):
        """The bytes of the file now."""
        text = "".join(self._pieces)
        try:
            return text.encode(self._encoding)
        except UnicodeEncodeError:  # what Excel writes in western countries knows no Polish
            return text.encode("utf-8-sig")

    def number(self, points):
        """Points as they stand in this table: with a comma where the cells are divided by something else."""
        return points.replace(".", ",") if self._delimiter == ";" else points

    def _add(self, text, row):
        place = len(self._pieces)
        self._pieces.append(text)
        self._cells[place] = row
        key = self._key(cells_of(self._names, self._columns, row, self._delimiter))
        self._places.setdefault(key, []).append(place)

    def _line(self, cells):
        line = io.StringIO()
        csv.writer(line, delimiter=self._delimiter, lineterminator=self._end).writerow(cells)
        return line.getvalue()

"""A table of results that a teacher enters: a column for each question of an exam, or one for all points.

    student,name,2.E1,3.E3
    maximum,,4,5
    ada,Ada Lovelace,4,2.5
    ben,Ben,,

The line of the student `maximum` says what each column can give; columns without one are for the reader alone. A cell
without points is 0 where the line has others, and a line without any says that somebody was not there.
"""

from dataclasses import dataclass
from fractions import Fraction

from ...course.phrases import listed
from ...course.usage import UsageError
from ..collect.safe_names import shown
from ..marks.marks import MAXIMUM, POINTS
from ..marks.sheet import Sheet

STUDENT = "student"
SHOWN = 5  # mistakes that are told at once


@dataclass(frozen=True)
class Results:
    """maxima: {column: most points}.  points: {student: {column: points}} of those who were there."""

    maxima: dict
    points: dict

    @classmethod
    def read(cls, path, people):
        """The results in a file.  people: the People whom it may name.  Raises UsageError with all that is wrong."""
        sheet = Sheet.read(path, (STUDENT,), others=True)
        first = [row for row in sheet.rows if row[STUDENT].lower() == MAXIMUM]
        if len(first) != 1:
            raise UsageError(
                f"{path}: one line must say the most points of each column, such as {MAXIMUM},60; there "
                f"{'is none' if not first else f'are {len(first)}'}."
            )
        reader = _Reader(sheet, people)
        maxima = {name: reader.points(first[0], name) for name in first[0].cells if name != STUDENT}
        maxima = {name: most for name, most in maxima.items() if most}
        found = {}
        for row in sheet.rows:
            if row is not first[0]:
                reader.take(row, maxima, found)
        if not maxima:
            reader.wrong.insert(0, f"{sheet.place(first[0])}: no column has a maximum")
        if reader.wrong:
            raise UsageError(f"{listed(reader.wrong, SHOWN)}.")
        return cls(maxima, found)

    @property
    def possible(self):
        return sum(self.maxima.values())

    def earned(self, student):
        """The sum; None for somebody who was not there."""
        points = self.points.get(student)
        return None if points is None else sum(points.values())


class _Reader:
    """wrong: sentences without their full stops."""

    def __init__(self, sheet, people):
        self.sheet, self.people, self.wrong, self._lines = sheet, people, [], {}

    def points(self, row, column, most=None):
        """The number in a cell; None if there is none, or it cannot count, which is noted."""
        text = row.cells.get(column, "")
        if not text:
            return None
        if not POINTS.fullmatch(text):
            if most is not None or row[STUDENT].lower() == MAXIMUM:
                self._note(row, f"{shown(text, 30)} in column {shown(column)} is no number of points, such as 3 or 2.5")
            return None
        number = Fraction(text.replace(",", "."))
        if most is not None and number > most:
            self._note(row, f"{text} points in column {shown(column)}, which has {float(most):g}")
        return number

    def take(self, row, maxima, found):
        """Put the points of a line into found."""
        given = {name: self.points(row, name, most) for name, most in maxima.items()}
        student = self.people.id(row[STUDENT])
        if student is None:
            self._note(row, self.people.unknown(row[STUDENT]))
        elif student in self._lines:
            self._note(row, f"{shown(student)} is on line {self._lines[student]} already")
        else:
            self._lines[student] = row.number
            if any(points is not None for points in given.values()):
                found[student] = {name: points or Fraction(0) for name, points in given.items()}

    def _note(self, row, why):
        self.wrong.append(f"{self.sheet.place(row)}: {why}")

"""gradebook.csv: a row for each student, the points of each grading and their sum."""

from ...course.atomic import write_atomically
from ..pages.tables import cell, csv_text


def write(out, term):
    """Write out/gradebook.csv."""
    write_atomically(out / "gradebook.csv", csv_text(rows(term)))


def rows(term):
    """The head, and a row for each student. A cell is empty where nothing was graded, nor marked by hand."""
    yield ["student", "name", "section", *map(cell, term.names), "total", "possible"]
    for student in term.students:
        points = ["" if result is None or result.earned is None else result.earned for result in student.results]
        who = [cell(student.id), cell(student.name), cell(student.section)]
        yield [*who, *points, student.earned, sum(term.possible)]

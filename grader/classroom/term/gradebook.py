"""gradebook.csv: a row for each student, the points of each grading and their sum; with term.toml parts and mark."""

from ...course.atomic import write_atomically
from ..marks.marks import tidy
from ..pages.tables import cell, csv_text


def write(out, term, weighing=None):
    """Write out/gradebook.csv."""
    write_atomically(out / "gradebook.csv", csv_text(rows(term, weighing)))


def rows(term, weighing=None):
    """The head, and a row for each student. A cell is empty where nothing was graded, nor marked by hand."""
    yield [
        *["student", "name", "section", *map(cell, term.names), "total", "possible"],
        *(_head(weighing) if weighing else ()),
    ]
    for student in term.students:
        excused = weighing.excuses(student) if weighing else ()
        points = [_points(result, name in excused) for result, name in zip(student.results, term.names)]
        who = [cell(student.id), cell(student.name), cell(student.section)]
        mark = _cells(weighing.of(student), weighing.awaited) if weighing else ()
        yield [*who, *points, student.earned, tidy(sum(term.possible)), *mark]


def _points(result, is_excused):
    """Of a Result, or None."""
    none = "excused" if is_excused else ""
    return none if result is None or result.earned is None else result.earned


def _head(weighing):
    parts = weighing.rules.parts
    for part in parts:
        if part.is_table:
            yield cell(f"{part.name}, points of {float(weighing.tables[part.source].possible):g}")
    for part in parts:
        yield cell(f"{part.name}, {'up to' if part.bonus else 'of'} {part.weight:g}")
    yield from ("sum of 100", "mark", "below the minimum", "no results yet")


def _cells(mark, awaited):
    """Of a Mark. An empty cell of a table's points: the student was not there.  awaited: parts without results."""
    yield from ("" if points is None else tidy(float(points)) for points in mark.points.values())
    yield from ("" if name in awaited else given for name, given in mark.parts.items())
    yield from (mark.total, cell(mark.mark), cell(", ".join(mark.below)), cell(", ".join(awaited)))

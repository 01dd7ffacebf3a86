"""term.html: how the class, its sections and each student went through the term."""

import os
from functools import partial
from pathlib import Path
from urllib.parse import quote

from ...course.atomic import write_atomically
from ...course.phrases import counted
from ...html.pages import render
from ..pages import words
from ..pages.needs import percents
from .joined import middle

HEIGHT, STEP = 20, 30  # of a small picture, in its own units: 0 to 100 % upwards, from one grading to the next
MOST = 60  # students named in a list


def write(out, term, outcomes=()):
    """Write out/term.html."""
    write_atomically(out / "term.html", html(term, out, outcomes))


def html(term, out, outcomes=()):
    """The page, as it stands in this folder: its links are relative.  outcomes: as outcomes.py finds them."""
    medians = {section: _medians(students, term) for section, students in term.sections.items()}
    return render(
        "term.html",
        title=f"The term: {words.listed(term.names)}",
        term=term,
        gradings=[(name, middle(term.students, number)) for number, name in enumerate(term.names)],
        whole=_medians(term.students, term),
        sections=medians if set(medians) != {""} else {},
        fading=term.fading(),
        ideas=term.ideas(),
        outcomes=outcomes,
        orders=list(_orders(term)),
        to_look_at=_to_look_at(term),
        pages=partial(_pages, out),
        most=MOST,
        line=line,
        said=said,
        words=words,
    )


def summary(term):
    """The lines that the command says."""
    yield f"{counted(len(term.students), 'student')} in {counted(len(term.names), 'grading')}."
    yield f"{counted(len(term.fading()), 'student')} far below their own last."
    yield f"{counted(len(term.ideas()), 'misconception')} that somebody keeps."


def said(share):
    """A share as people read it."""
    return "nothing" if share is None else percents(share)


def line(shares):
    """(width, its points as SVG writes them, [(x, y)] of the dots) of a small picture: a share for each grading."""
    known = [(n, min(1, max(0, share))) for n, share in enumerate(shares) if share is not None]
    dots = [(STEP * n + 5, round(HEIGHT * (1 - share) + 5, 1)) for n, share in known]
    return STEP * (len(shares) - 1) + 10, " ".join(f"{x},{y:g}" for x, y in dots), dots


def _orders(term):
    """(id, words, [(heading or "", students)]) of each order in which the students are listed."""
    by_name = sorted(term.students, key=lambda student: (student.name.casefold(), student.id))
    if set(term.sections) != {""}:
        headed = [(section or "In no section", students) for section, students in term.sections.items()]
        yield "by-section", "by section", headed
    yield "by-name", "by name", [("", by_name)]
    yield "by-points", "fewest points first", [("", sorted(by_name, key=lambda student: student.earned))]


def _to_look_at(term):
    """Ids of the students who are far below their own last, or keep a misconception."""
    keeping = {student.id for *_, students in term.ideas() for student in students}
    return keeping | {student.id for student, _ in term.fading()}


def _pages(out, student):
    """For each grading the link to the student's page there, or ""."""
    return [_link(result.page, out) if result and result.page else "" for result in student.results]


def _link(page, out):
    try:
        return quote(Path(os.path.relpath(page, out)).as_posix())
    except ValueError:  # on another drive
        return ""


def _medians(students, term):
    middles = [middle(students, number) for number in range(len(term.names))]
    return [each and each[1] for each in middles]

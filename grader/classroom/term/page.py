"""term.html: how the class, its sections and each student went through the term."""

from ...course.atomic import write_atomically
from ...course.phrases import counted
from ...html.pages import render
from ..pages import words
from ..pages.needs import percents
from .joined import middle

HEIGHT, STEP = 20, 30  # of a small picture, in its own units: 0 to 100 % upwards, from one grading to the next
MOST = 60  # students named in a list


def write(out, term):
    """Write out/term.html."""
    write_atomically(out / "term.html", html(term))


def html(term):
    """The page."""
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


def _medians(students, term):
    middles = [middle(students, number) for number in range(len(term.names))]
    return [each and each[1] for each in middles]

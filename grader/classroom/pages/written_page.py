"""What the teacher marks: all written answers to one question on one page, written/2.R1.html, and a list of them.

They are read from the students' folders, where predictions.py has put them: so those of a hand-in that is gone stay.
"""

import csv
import io
from dataclasses import dataclass

from ...course.atomic import write_atomically
from ...html.pages import render
from ...notebook import answers
from ..marks.marks import MAXIMUM, OR
from . import words
from .questions import of_the_notebooks

FOLDER, INDEX = "written", "written.html"
LONGEST = 6000  # characters of an answer on the page; all of it is in the student's folder
POINTS = 5  # in the line that names a maximum, for the teacher to change


@dataclass(frozen=True)
class Given:
    """One student's answer.  section: its number among the sections, from 0; None without one.

    mark: a Mark, or None.  line: what goes into marks.csv.  cut: is not all of it here?
    """

    student: str
    section: int | None
    lines: tuple
    cut: bool
    mark: object
    line: str

    @property
    def seen(self):
        return self.mark is not None


@dataclass(frozen=True)
class Question:
    """A question and the answers to it.  maximum: its points, or None.  others: keys of those asked beside it."""

    asked: object
    given: list
    maximum: float | None
    others: tuple = ()

    @property
    def key(self):
        return self.asked.key

    @property
    def seen(self):
        return sum(answer.seen for answer in self.given)


def write(out, context):
    """Write out/written.html, and a page for each question that was answered.  Removes what is left of earlier ones."""
    (out / FOLDER).mkdir(exist_ok=True)
    sections = sorted(set(context.get("sections", {}).values()))
    listed, pages = [], set()
    for number in context["course"]["notebooks"]:
        for question in _questions(out, number, context, sections):
            path = out / FOLDER / f"{question.key}.html"
            write_atomically(path, html(question, context, sections))
            pages.add(path)
            listed.append((question.asked, len(question.given), question.seen))
    for path in (out / FOLDER).glob("*.html"):
        if path not in pages:
            path.unlink()
    write_atomically(out / INDEX, index(listed))


def index(questions):
    """The list of pages.  questions: (Asked, how many answers, how many of them are seen)."""
    return render("written.html", title="Written answers", questions=questions, folder=FOLDER)


def html(question, context, sections):
    """The page of one question."""
    return render(
        "question.html",
        title=f"Written answers: {question.key}",
        question=question,
        context=context,
        sections=sections,
        filtered=len(sections),
        words=words,
        maximum=csv_line(MAXIMUM, OR.join(sorted([question.key, *question.others])), POINTS, ""),
        several=context["marks"].choices.get(question.key),
        to_mark=[answer.line for answer in question.given if not answer.seen],
    )


def csv_line(*cells):
    """A line of a CSV file, without its end."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()


def _questions(out, number, context, sections):
    """The Questions of a notebook that somebody answered."""
    found = {}
    for student, folder in sorted(context["folders"].items()):
        for answer in answers.kept(number, out / folder, "Note"):
            found.setdefault(answer.key, []).append(_given(student, answer, context, sections))
    for asked in of_the_notebooks([number]):
        if asked.key in found:
            yield Question(asked, found[asked.key], context["marks"].most(asked.key), _others(asked))


def _others(asked):
    """A notebook that asks several questions wants an answer to one of them."""
    return tuple(other.key for other in of_the_notebooks([asked.notebook]) if other.key != asked.key)


def _given(student, answer, context, sections):
    section = context.get("sections", {}).get(student)
    return Given(
        student,
        None if section is None else sections.index(section),
        tuple(answer.text[:LONGEST].split("\n")),
        len(answer.text) > LONGEST,
        context["marks"].of_student(student).get(answer.key),
        csv_line(student, answer.key, "", ""),
    )

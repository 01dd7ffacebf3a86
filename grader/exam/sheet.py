"""A sheet of questions, and the one with their solutions, as HTML that prints well."""

from dataclasses import dataclass

from ..course import catalogue
from ..html.pages import render
from . import solving
from .question import KINDS

IN_A_ROW = 12  # questions in the table of points


@dataclass(frozen=True)
class Entry:
    """A question as a sheet shows it.

    picture: its graph, a Picture or None.  answers: (what is asked, right answer).
    wrong: (a wrong answer, what it shows).
    """

    drawn: object
    number: int
    picture: object
    answers: list
    wrong: list

    @property
    def question(self):
        return self.drawn.question

    @property
    def heading(self):
        return KINDS[self.question.kind]

    @property
    def notebook(self):
        return catalogue.notebook(self.question.number)


def entries(questions, seed):
    """The Entries of questions, with the numbers of this seed."""
    return [_entry(question.drawn(seed), place) for place, question in enumerate(questions, 1)]


def _entry(drawn, place):
    question = drawn.question
    if question.kind == "words":
        return Entry(drawn, place, None, [], [(wrong.idea, wrong.shows) for wrong in drawn.question.wrong])
    right = solving.solved(drawn)
    asked = list(question.answers) or [f"line {n}" for n in range(1, len(right) + 1)]
    wrong = list(_wrong(drawn, asked, right))
    return Entry(drawn, place, solving.picture(drawn), list(zip(asked, right)), wrong)


def _wrong(drawn, asked, right):
    """Pairs of a wrong answer, as text, and what it shows. What is right by chance with these numbers is left out."""
    for wrong in drawn.question.wrong:
        answers = solving.mistaken(drawn, wrong)
        if answers != right:
            yield "; ".join(_different(asked, answers, right)), drawn.filled(wrong.shows)


def _different(asked, answers, right):
    for name, answer, good in zip(asked, answers, right):
        if answer != good:
            yield f"{name}: {answer}"


def html(title, entries, *, solutions):
    """The page.  solutions: with answers, what wrong answers show, and how points are given."""
    questions = [entry.question for entry in entries]
    return render(
        "exam.html",
        title=title,
        entries=entries,
        solutions=solutions,
        points=sum(question.points for question in questions),
        in_a_row=IN_A_ROW,
        minutes=sum(question.minutes for question in questions),
    )

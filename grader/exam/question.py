"""What a question of an exam or of the quiz is. exam.py and quiz.md in tests/exercises/nbNN_*/ hold them."""

import random
from dataclasses import dataclass, replace
from textwrap import dedent

from ..course.folders import number_of

KINDS = {"calculation": "Calculate", "print": "What does this print?", "words": "In your own words"}
CHOICE = "choice"  # of the quiz alone


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that somebody who believes something wrong gives, and what it shows.

    idea: (id of an exercise, name of one of its misconceptions), with which the code is run; or a text: an expression
        in the names of the code for the wrong answer, or in a question without code the wrong answer itself.
    at: which of the answers it is about, counted from 0; None: all of them.
    named: of a wrong choice, the misconception that it shows, as in idea.
    """

    idea: object
    shows: str
    at: int | None = None
    named: tuple = ()


@dataclass(frozen=True)
class Other:
    """Another question in words about the same outcome, for as many points and minutes: for the neighbour's sheet."""

    text: str
    answer: str
    marking: tuple
    wrong: tuple


@dataclass(frozen=True)
class Question:
    """One question.

    id: such as "3.E1" in an exam, "3.Q1" in the quiz.  outcome: one of its notebook's goals, word for word.
    section: the letter of the notebook's section that tells it (quiz).  points.  minutes: for whoever knows it.
    text: the question, with {a} for a drawn number.  wrong: Wrongs.
    draw: a function of random.Random that gives {name: number} for the code.
    code: Python, run with the names of the package, and np.
    shown: does the code stand on the sheet, or would it tell the way?
    asked: {what is asked: the expression whose value is the answer}, or expressions that say so themselves; if there
        are none, the answer is what the code prints.  graph: the name of the node that is drawn, to fill in.
    torch: the same in PyTorch's words, where the code as it is does not run there.
    answer, marking: of a question that asks for words: a right answer, and pairs of points and what earns them.
    other: of such a question, the Other that the next sheet has in its place.
    choose: the right answer is chosen among it and the wrong ones (quiz).
    """

    id: str
    outcome: str
    points: int = 1
    minutes: int = 1
    text: str = ""
    section: str = ""
    wrong: tuple = ()
    draw: object = None
    code: str = ""
    shown: bool = True
    asked: object = ()
    graph: str = ""
    torch: str = ""
    answer: str = ""
    marking: tuple = ()
    other: Other | None = None
    choose: bool = False

    @property
    def number(self):
        """The two digits of its notebook."""
        return number_of(self.id)

    @property
    def answers(self):
        """{what is asked: expression}; {} where what is printed is asked."""
        return self.asked if isinstance(self.asked, dict) else dict(zip(self.asked, self.asked))

    @property
    def kind(self):
        if self.choose:
            return CHOICE
        if not self.code:
            return "words"
        return "calculation" if self.asked else "print"

    def drawn(self, seed):
        """The question with the numbers of this seed, which ends with the letter of a sheet.

        The same seed always gives the same ones. Sheets of neighbouring letters have different questions in words.
        """
        if self.other and (random.Random(f"{seed[:-1]} {self.id}").randrange(2) + ord(seed[-1])) % 2:
            return Drawn(replace(self, **vars(self.other)), {})
        return Drawn(self, self.draw(random.Random(f"{seed} {self.id}")) if self.draw else {})


@dataclass(frozen=True)
class Drawn:
    """A question as it stands on a sheet.  numbers: {name: number}."""

    question: Question
    numbers: dict

    @property
    def text(self):
        return self.filled(self.question.text)

    @property
    def code(self):
        return self.filled(self.question.code)

    def filled(self, text):
        """A text, or code, with the drawn numbers in place of {a}. Other braces stay."""
        for name, number in self.numbers.items():
            text = text.replace(f"{{{name}}}", str(number))
        return dedent(text).strip()


def whole(rng, low, high, *, but=()):
    """A whole number from low to high, none of but."""
    return rng.choice([n for n in range(low, high + 1) if n not in but])


def different(rng, low, high, count, *, but=()):
    """So many different whole numbers from low to high, none of but."""
    return rng.sample([n for n in range(low, high + 1) if n not in but], count)

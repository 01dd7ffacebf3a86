"""python -m grader exam: sheets of exam questions with drawn numbers, and their solutions."""

import random
import string
from pathlib import Path

from ..console.arguments import number_from, numbers
from ..course import catalogue
from ..course.atomic import write_atomically
from ..course.phrases import counted, listed
from ..course.usage import UsageError
from . import choosing, sheet

RESULTS = "results.csv"
VERSIONS = string.ascii_uppercase


def add_arguments(parser):
    add = parser.add_argument
    add("out", type=Path, metavar="OUT", help="a folder for the sheets; it is made")
    add("--notebooks", metavar="2-9", help="which notebooks: 2-9, or 2,3,5 (default: all)")
    add("--seed", type=number_from(0), metavar="N", help="the numbers and the choice (default: a new one)")
    add("--minutes", type=number_from(1), metavar="N", help="questions for so long (default: all)")
    add("--versions", type=number_from(1), default=2, metavar="N", help="sheets with other numbers (default: 2)")
    add("--title", default="babygrad: exam", metavar="TEXT", help="the heading of the sheets")


def run(arguments):
    a = arguments
    seed = random.SystemRandom().randrange(10**6) if a.seed is None else a.seed
    if a.versions > len(VERSIONS):
        raise UsageError(f"There are letters for {len(VERSIONS)} versions.")
    questions = choosing.chosen(numbers(a.notebooks) if a.notebooks else catalogue.numbers(), seed, a.minutes)
    written = list(write(a.out, questions, seed, a.versions, a.title))
    points, minutes = (sum(getattr(question, of) for question in questions) for of in ("points", "minutes"))
    print(
        f"{counted(len(questions), 'question')}, {points} points, {minutes} minutes; seed {seed}, which gives the same "
        f"sheets again.\nWritten: {listed(written)}"
    )
    results = a.out / RESULTS
    if results.exists():
        print(f"{results} was there, and stays as it is.")
    else:
        write_atomically(results, table(questions))
        print(f"For the points: {results}, a line for each student; make term reads it.")
    return 0


def table(questions):
    """The head of the table of results, and the line of what each question can give."""
    head = [f"{number}: {question.id}" for number, question in enumerate(questions, 1)]
    maxima = [str(question.points) for question in questions]
    return f"student,name,{','.join(head)}\nmaximum,,{','.join(maxima)}\n"


def write(out, questions, seed, versions, title):
    """Write out/exam-A.html, out/solutions-A.html, and so on.  Yields their names."""
    out.mkdir(parents=True, exist_ok=True)
    for letter in VERSIONS[:versions]:
        entries = sheet.entries(questions, f"{seed}{letter}")
        for name, solutions in (("exam", False), ("solutions", True)):
            page = sheet.html(f"{title}, {letter}", entries, solutions=solutions)
            path = out / f"{name}-{letter}.html"
            write_atomically(path, page)
            yield str(path)

"""make term: several gradings of one class joined, as a page to read and a table for the gradebook."""

from pathlib import Path

from ...course.phrases import listed
from ...course.usage import UsageError
from ..collect.roster import Roster
from ..marks.people import People
from ..pages.owner import for_the_owner, shut
from . import gradebook, page
from .joined import Term
from .outcomes import outcomes
from .rules import FILE
from .weighing import Weighing


def add_arguments(parser):
    option = parser.add_argument
    option("gradings", nargs="+", type=Path, metavar="GRADES", help="what make grade wrote, the earliest first")
    option("--out", type=Path, required=True, metavar="DIR", help="for term.html and gradebook.csv")
    option("--rules", type=Path, metavar="TOML", help="weights, minima, the scale of marks (default: term.toml in DIR)")
    option("--roster", type=Path, metavar="CSV", help="the class's list: also those who never handed in")


def run(arguments):
    term = Term.read(arguments.gradings, arguments.roster and Roster.read(arguments.roster))
    out = arguments.out
    rules = arguments.rules or (out / FILE if (out / FILE).exists() else None)
    people = People([student.id for student in term.students], {student.id: student.name for student in term.students})
    weighing = Weighing.read(rules, term, people) if rules else None
    try:
        with for_the_owner():
            _write(out, term, weighing)
    except OSError as error:
        raise UsageError(f"{out} cannot be written into: {error.strerror}.") from None
    for line in page.summary(term):
        print(line)
    if weighing and weighing.awaited:
        print(f"No marks yet: nobody has results in {listed(weighing.awaited)}.")
    print(
        f"In {out}: term.html to read, gradebook.csv for the gradebook. Both are about the whole class: for you alone."
    )
    return 0


def _write(out, term, weighing):
    out.mkdir(parents=True, exist_ok=True)
    if (out / "grades.jsonl").exists():
        raise UsageError(f"{out} holds a grading: name another folder.")
    shut(out, print)
    page.write(out, term, outcomes(term, weighing.tables.values() if weighing else ()))
    gradebook.write(out, term, weighing)

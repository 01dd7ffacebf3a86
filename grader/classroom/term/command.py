"""make term: several gradings of one class joined, as a page to read and a table for the gradebook."""

from pathlib import Path

from ...course.usage import UsageError
from ..collect.roster import Roster
from ..pages.owner import for_the_owner, shut
from . import gradebook, page
from .joined import Term


def add_arguments(parser):
    option = parser.add_argument
    option("gradings", nargs="+", type=Path, metavar="GRADES", help="what make grade wrote, the earliest first")
    option("--out", type=Path, required=True, metavar="DIR", help="for term.html and gradebook.csv")
    option("--roster", type=Path, metavar="CSV", help="the class's list: also those who never handed in")


def run(arguments):
    term = Term.read(arguments.gradings, arguments.roster and Roster.read(arguments.roster))
    out = arguments.out
    try:
        with for_the_owner():
            _write(out, term)
    except OSError as error:
        raise UsageError(f"{out} cannot be written into: {error.strerror}.") from None
    for line in page.summary(term):
        print(line)
    print(
        f"In {out}: term.html to read, gradebook.csv for the gradebook. Both are about the whole class: for you alone."
    )
    return 0


def _write(out, term):
    out.mkdir(parents=True, exist_ok=True)
    if (out / "grades.jsonl").exists():
        raise UsageError(f"{out} holds a grading: name another folder.")
    shut(out, print)
    page.write(out, term)
    gradebook.write(out, term)

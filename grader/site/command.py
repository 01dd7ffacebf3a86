"""python -m grader site: the book of the course, as static pages."""

from pathlib import Path

from ..course.phrases import counted
from ..course.usage import UsageError
from . import build

ASKED_FOR = build.SITE.name


def add_arguments(parser):
    add = parser.add_argument
    add("--out", type=Path, default=build.SITE, metavar="DIR", help=f"where to (default: {ASKED_FOR}/ in the course)")
    add("--repository", default="", metavar="URL", help="where the course's files are shown (default: CITATION.cff's)")


def run(arguments):
    try:
        pages = build.build(arguments.out.resolve(), arguments.repository.rstrip("/"))
    except ModuleNotFoundError as error:
        raise UsageError(f"There is no {error.name} here: make site installs what it needs.") from None
    print(f"{counted(pages, 'page')}: open {arguments.out / 'index.html'}")
    return 0

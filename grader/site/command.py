"""python -m grader site: the book of the course, as static pages."""

from pathlib import Path

from ..course.phrases import counted
from . import build


def add_arguments(parser):
    add = parser.add_argument
    add(
        "--out",
        type=Path,
        default=build.SITE,
        metavar="DIR",
        help=f"where to (default: {build.SITE.name}/ in the course)",
    )
    add("--repository", default="", metavar="URL", help="where the course's files are shown (default: CITATION.cff's)")


def run(arguments):
    pages = build.build(arguments.out.resolve(), arguments.repository.rstrip("/"))
    print(f"{counted(pages, 'page')}: open {arguments.out / 'index.html'}")
    return 0

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
    add(
        "--wheels",
        default="",
        metavar="ADDRESS",
        help="of a folder with NumPy for Pyodide, which the try page then loads (docs/development.md)",
    )


def run(arguments):
    wheels = arguments.wheels and f"{arguments.wheels.rstrip('/')}/"
    pages = build.build(arguments.out.resolve(), arguments.repository.rstrip("/"), wheels)
    print(f"{counted(pages, 'page')}: open {arguments.out / 'index.html'}")
    return 0

"""python -m grader slides: slides of the notebooks, from their own cells."""

from pathlib import Path

from ..course import catalogue
from ..course.atomic import write_atomically
from ..course.phrases import counted
from ..maintainer.executed_notebooks import executed_path
from ..maintainer.sources import sources
from . import page, reveal
from .choosing import slides


def add_arguments(parser):
    add = parser.add_argument
    add("out", type=Path, metavar="OUT", help="a folder for the slides; it is made")
    add("which", nargs="*", metavar="NN", help="notebooks (03); default: all")
    add("--theme", choices=reveal.THEMES, default="white", help="light or dark (default: white)")


def run(arguments):
    a = arguments
    chosen = sources(a.which)
    reveal.put_beside(a.out)
    for source in chosen:
        path, count = write(a.out, source, a.theme)
        print(f"{path}: {counted(count, 'slide')}")
    print("Open one in a browser. S shows the speaker's notes, B a black screen, ? all keys.")
    return 0


def write(out, source, theme="white"):
    """Write the slides of one notebook into a folder.  Returns their path, and how many there are."""
    import nbformat

    number = source.name[:2]
    made = slides(nbformat.read(executed_path(source), as_version=4), number)
    path = out / f"{number}.html"
    out.mkdir(parents=True, exist_ok=True)
    write_atomically(path, page.html(made, f"{number} {catalogue.notebook(number).title}", theme))
    return path, len(made)

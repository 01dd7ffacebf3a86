"""From a source, solutions/notebooks/NN_title.py, to the clean notebook that a learner opens."""

import hashlib
import re

from ..course.paths import ROOT
from ..course.usage import UsageError

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = {"tags", "jupyter"}  # anything else in a source is a mistake
LOAD = "%load_ext grader"
# The folder is told by VS Code or by Jupyter's server; elsewhere a kernel starts in it.
GUARDED_LOAD = """class WrongKernel(Exception):
    _render_traceback_ = lambda self: [str(self)]  # one line, no traceback

def open_course():  # it is the folder above this notebook
    import os, sys

    told = globals().get("__vsc_ipynb_file__", ""), os.environ.get("JPY_SESSION_NAME", ""), os.path.abspath("notebook")
    folder = next(filter(os.path.isdir, map(os.path.dirname, told)))
    course = os.path.dirname(os.path.abspath(folder))
    sys.path.insert(0, course)
    try:
        from grader.notebook.magics import install
    except ImportError:
        raise WrongKernel(f"There is no course in {course}: open the notebook in your copy of the course.") from None
    if refusal := install(get_ipython(), course):
        raise WrongKernel(refusal)

open_course()"""


class NotebookError(Exception):
    """A source that cannot become a notebook. The message names the notebook, the section and the cell."""


def sources(numbers=(), root=ROOT):
    """The source files of the named notebooks (all if none is named), in order."""
    found = sorted((root / "solutions" / "notebooks").glob("[0-9][0-9]_*.py"))
    by_number = {path.name[:2]: path for path in found}
    wanted = [str(number).zfill(2) for number in numbers] or sorted(by_number)
    for number in wanted:
        if number not in by_number:
            raise UsageError(f"There is no notebook {number}. There are: {', '.join(sorted(by_number)) or 'none'}.")
    return [by_number[number] for number in wanted]


def clean_path(source):
    """Where a learner finds the notebook of a source."""
    return source.parents[2] / "notebooks" / source.with_suffix(".ipynb").name


def clean_notebook(source):
    """The notebook of a source: no outputs, ids that stay when other cells are edited."""
    import jupytext
    import nbformat

    notebook = jupytext.read(source, fmt="py:percent")
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = nbformat.from_dict(METADATA)
    taken = set()
    for cell, heading in with_headings(notebook.cells):
        cell.source = GUARDED_LOAD if cell.source == LOAD else cell.source
        tidy_cell_metadata(cell, f"{source.name}, under {heading!r}")
        cell["id"] = cell_id(cell, taken)
    nbformat.validate(notebook)
    return notebook


def with_headings(cells):
    """Pairs of a cell and the last heading at or above its end."""
    heading = "the top"
    for cell in cells:
        if cell.cell_type == "markdown":
            heading = last_heading(cell.source) or heading
        yield cell, heading


def last_heading(markdown):
    """The text of the last heading in a markdown cell, or None."""
    headings = re.findall(r"^#{1,4} +(.+?)\s*$", without_fences(markdown), re.MULTILINE)
    return headings[-1] if headings else None


def without_fences(markdown):
    """Markdown without its fenced code, in which a # is a comment."""
    return re.sub(r"^```.*?^```", "", markdown, flags=re.MULTILINE | re.DOTALL)


def tidy_cell_metadata(cell, place):
    """Removes what jupytext notes for itself; refuses unknown metadata, and what nbval would run differently."""
    for key in ("lines_to_next_cell", "lines_to_end_of_cell_marker", "cell_marker"):
        cell.metadata.pop(key, None)
    if "id" in cell.metadata:
        cell["own_id"] = cell.metadata.pop("id")
    unknown = set(cell.metadata) - CELL_METADATA
    if unknown:
        raise NotebookError(
            f"{place}: a cell has {', '.join(sorted(unknown))} on its %% line; known are id, tags and jupyter."
        )
    if not cell.source.strip():
        raise NotebookError(f"{place}: there is an empty cell.")
    if cell.cell_type == "code" and cell.source.rstrip().endswith(";"):
        raise NotebookError(
            f"{place}: a cell ends in a semicolon, which nbval does not obey. Write `_ = ...` or `plt.show()`."
            f"\n\n{indented(cell.source)}"
        )


def cell_id(cell, taken):
    """The id given in the source, or one made from the cell's own text; never one that is taken."""
    own = cell.pop("own_id", None)
    if own in taken or (own and not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", own)):
        raise NotebookError(f"The cell id {own!r} is used twice, or holds more than letters, digits, - and _.")
    stem = own or hashlib.sha1(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:10]
    unique, count = stem, 1
    while unique in taken:
        count += 1
        unique = f"{stem}-{count}"
    taken.add(unique)
    return unique


def as_text(notebook):
    """The bytes of a notebook file, as text."""
    import nbformat

    return nbformat.writes(notebook).rstrip("\n") + "\n"


def write(path, text):
    """Writes a notebook file, the same on every system. True if it changed."""
    if path.exists() and path.read_bytes() == text.encode():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return True


def write_clean(number, root=ROOT):
    """Writes notebooks/NN_title.ipynb. True if it changed."""
    (source,) = sources([number], root)
    return write(clean_path(source), as_text(clean_notebook(source)))


def indented(text):
    """A piece of code as it stands in a message."""
    return "\n".join("    " + line for line in text.splitlines())

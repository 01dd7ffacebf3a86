"""From a source, solutions/notebooks/NN_title.py, to the clean notebook that a learner opens."""

import hashlib

from ..course.catalogue import notebook as notebook_of
from ..course.paths import ROOT
from . import minutes
from .sources import read, sources

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
LOAD = "%load_ext grader"
# The folder is told by VS Code or by Jupyter's server; elsewhere a kernel starts in it.
GUARDED_LOAD = """# Run this cell first: it finds your copy of the course, and brings %check and %hint.

class WrongKernel(Exception):
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


def clean_path(source):
    """Where a learner finds the notebook of a source."""
    return source.parents[2] / "notebooks" / source.with_suffix(".ipynb").name


def clean_notebook(source):
    """The notebook of a source: no outputs, ids that stay when other cells are edited."""
    import nbformat

    notebook = read(source)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = nbformat.from_dict(METADATA)
    taken = set()
    for cell in notebook.cells:
        cell.source = GUARDED_LOAD if cell.source == LOAD else cell.source
        tidy_cell_metadata(cell)
        cell["id"] = cell_id(cell, taken)  # of the cell as it is written: minutes change more often
    minutes.put_in(notebook.cells, notebook_of(source.name[:2]))
    nbformat.validate(notebook)
    return notebook


def tidy_cell_metadata(cell):
    """Removes what jupytext notes for itself."""
    for key in ("lines_to_next_cell", "lines_to_end_of_cell_marker", "cell_marker"):
        cell.metadata.pop(key, None)


def cell_id(cell, taken):
    """An id made from the cell's own text; never one that is taken."""
    stem = hashlib.sha1(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:10]
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

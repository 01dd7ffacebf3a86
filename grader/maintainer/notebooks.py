"""Writes both kinds of notebook from their one source, solutions/notebooks/NN_title.py (percent format).

notebooks/NN_title.ipynb            clean: what a learner opens; the same source gives the same bytes, always
solutions/notebooks/NN_title.ipynb  executed on the reference with its outputs: what nbval compares with
"""

import re
import sys
import time

from ..course import catalogue
from ..course.paths import ROOT
from .clean_notebooks import as_text, clean_notebook, clean_path, write_clean
from .executed_notebooks import execute, executed_path
from .sources import NotebookError, markdown_of, sources


def differences(numbers=(), root=ROOT):
    """Where the notebooks in the repository are not what their sources give, in words."""
    found = []
    for source in sources(numbers, root):
        notebook = clean_notebook(source)
        found += clean_differences(source, notebook) + executed_differences(source, notebook)
    return found


def clean_differences(source, notebook):
    """The clean notebook must equal the generated one byte for byte."""
    path = clean_path(source)
    if not path.exists():
        return [f"notebooks/{path.name} is missing."]
    if path.read_bytes() != as_text(notebook).encode():
        return [f"notebooks/{path.name} is not what its source gives."]
    return []


def executed_differences(source, notebook):
    """The executed notebook must hold the same cells; its outputs are compared by nbval."""
    import nbformat

    path = executed_path(source)
    if not path.exists():
        return [f"solutions/notebooks/{path.name} is missing."]
    executed = nbformat.read(path, as_version=4)
    if [identity(cell) for cell in executed.cells] != [identity(cell) for cell in notebook.cells]:
        return [f"solutions/notebooks/{path.name} was made from other cells than its source has."]
    if any(cell.cell_type == "code" and cell.execution_count is None for cell in executed.cells):
        return [f"solutions/notebooks/{path.name} has cells that were not run."]
    return []


def identity(cell):
    """All that a cell is, but for its outputs."""
    return cell.id, cell.cell_type, cell.source, cell.metadata


def heading_differences(root=ROOT):
    """Where a notebook's headings say something else than the exercise data, in words."""

    found = []
    by_number = {source.name[:2]: source for source in sources(root=root)}
    for notebook in catalogue.notebooks():
        if notebook.number in by_number:
            source = by_number[notebook.number]
            text = markdown_of(clean_notebook(source))
            exercises = catalogue.exercises_of(notebook.number)
            wrong = title_differences(text, notebook) + exercise_differences(text, exercises)
            found += [f"{source.name}: {words}" for words in wrong]
    return found


def title_differences(text, notebook):
    """The first line is the notebook's number and title."""
    title, wanted = text.splitlines()[0], f"# {notebook.number} · {notebook.title}"
    return [] if title == wanted else [f"begins with {title!r} instead of {wanted!r}."]


def exercise_differences(text, exercises):
    """Each of the notebook's exercises has one heading, in the order of the data."""
    headed, wanted = re.findall(r"^### Exercise (\d+\.\d+)", text, re.MULTILINE), [ex.id for ex in exercises]
    return [] if headed == wanted else [f"has headings for the exercises {headed}; the data has {wanted}."]


def build_all(numbers=(), *, execute_too=True, root=ROOT):
    """Writes both kinds of every named notebook; one line for each while it goes."""
    for source in sources(numbers, root):
        written = "written" if write_clean(source.name[:2], root) else "unchanged"
        executed = f"executed in {seconds_to_execute(source, root):.1f} s" if execute_too else "not executed"
        print(f"{source.stem:<24} clean: {written:<10} {executed}", flush=True)


def seconds_to_execute(source, root):
    """Executes a notebook. Gives the time it took."""
    started = time.perf_counter()
    execute(source.name[:2], root)
    return time.perf_counter() - started


def add_arguments(parser):
    parser.add_argument("which", nargs="*", metavar="NN", help="notebooks (02); default: all")
    parser.add_argument("--no-execute", action="store_true", help="write the clean ones only")
    parser.add_argument("--check", action="store_true", help="only say what differs")


def run(arguments):
    """python -m grader notebooks: 0 if done or up to date, 1 if not."""
    try:
        if arguments.check:
            return report_differences(arguments.which)
        build_all(arguments.which, execute_too=not arguments.no_execute)
        return 0
    except NotebookError as error:
        print(error, file=sys.stderr)
        return 1


def report_differences(numbers):
    """Says what is out of date. 0 if nothing is."""
    found = differences(numbers) + heading_differences()
    print("\n".join(found) or "All notebooks match their sources.")
    if found:
        print("Write them again with: python -m grader notebooks")
    return 1 if found else 0

"""The sources of the notebooks, solutions/notebooks/NN_title.py (percent format): found, read, their headings."""

import re
from copy import deepcopy
from functools import cache

from ..course.paths import ROOT
from ..course.usage import UsageError


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


def read(source):
    """A source as a notebook: its cells as they are written there."""
    return deepcopy(_read(source.read_text(encoding="utf-8")))


@cache
def _read(text):
    import jupytext

    return jupytext.reads(text, fmt="py:percent")


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


def markdown_of(notebook):
    """All markdown of a notebook, without fenced code."""
    return "\n\n".join(without_fences(cell.source) for cell in notebook.cells if cell.cell_type == "markdown")

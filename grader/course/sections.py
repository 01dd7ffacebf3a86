"""The sections of a notebook as it lies in notebooks/: what stands in each, and which has an exercise."""

import json
import re

from .paths import NOTEBOOKS

HEADING = re.compile(r"^## +(.+?)(?: \(\d+ minutes?\b[^)]*\))?[ \t]*$", re.M)


def cells(number, folder=NOTEBOOKS):
    """(heading of its section, kind, source) of each cell of the notebook of this number; none if none can be read."""
    for path in _files(number, folder):
        try:
            read = json.loads(path.read_text(encoding="utf-8"))["cells"]
            sources = [(cell["cell_type"], "".join(cell["source"])) for cell in read]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        heading = ""
        for kind, source in sources:
            if kind == "markdown":
                heading = [heading, *HEADING.findall(source)][-1]
            yield heading, kind, source


def section_of(id, folder=NOTEBOOKS):
    """Where an exercise stands, as a text: the notebook's file, and the heading of the section; or None."""
    number = id.split(".")[0]
    asks = re.compile(rf"^### Exercise {re.escape(id)}\b", re.M)
    heading = next((heading for heading, _, source in cells(number, folder) if asks.search(source)), None)
    return heading and f"notebooks/{_files(number, folder)[0].name}, {heading}"


def _files(number, folder):
    return sorted(folder.glob(f"{int(number):02}_*.ipynb"))

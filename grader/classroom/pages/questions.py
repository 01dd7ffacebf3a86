"""The questions that the notebooks ask in words, 2.R1 and so on, as they stand above the cell for the answer."""

import json
import re
from dataclasses import dataclass

from ...course.catalogue import notebook
from ...course.paths import NOTEBOOKS
from ...notebook.answers import KEY

NOTE = re.compile(rf"%%note ({KEY.pattern})[ \t]*(?:\n|\Z)")
# Where one of several questions is answered, all stand below the cell, each folded with ours.
CHOICE = re.compile(r"<summary><b>(.+?)</b></summary>", re.S)
LONGEST = 1500  # characters of a question


@dataclass(frozen=True)
class Asked:
    """A question.  key: such as 2.R1.  notebook: its number.  lines: its words, one paragraph each."""

    key: str
    notebook: str
    lines: tuple


def of_the_notebooks(numbers):
    """The Asked of these notebooks, in order; none of a notebook that is not there."""
    return [question for number in numbers for question in _of(number)]


def _of(number):
    path = NOTEBOOKS / f"{notebook(number).name}.ipynb"
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError):
        return
    texts = ["".join(cell["source"]) for cell in cells]
    for above, text, below in zip(texts, texts[1:], texts[2:]):
        if found := NOTE.match(text):
            yield Asked(found[1], number, (*_paragraphs(above), *CHOICE.findall(below)))


def _paragraphs(text):
    """What stands behind the last folded answer and heading, without Markdown's stars."""
    text = re.split(r"</details>|^#+ .*$", text, flags=re.M)[-1].strip()[:LONGEST]
    for paragraph in re.split(r"\n\s*\n", text):
        yield re.sub(r"\*\*(.+?)\*\*", r"\1", " ".join(paragraph.split()), flags=re.S)

"""What the quiz knows of a question, and the question as it is asked: with numbers drawn, and its answers."""

import json
import re
from dataclasses import asdict, dataclass
from functools import cache

from ..course.catalogue import notebook
from ..course.folders import number_of
from ..course.paths import NOTEBOOKS
from ..course.tracks import CORE

LETTERS = "ABCDEFGH"  # of choices


@dataclass(frozen=True)
class Entry:
    """One question, before numbers are drawn.

    section: heading of the notebook's section that tells it, "F. One walk is enough".  mark: the section's track.
    ideas: (id of an exercise, name of a misconception), those that its wrong answers show.
    exercises: ids of those that show the same outcome.
    """

    id: str
    section: str = ""
    mark: str = CORE
    ideas: tuple = ()
    exercises: tuple = ()

    @property
    def number(self):
        """The two digits of its notebook."""
        return number_of(self.id)


@dataclass(frozen=True)
class Asked:
    """A question with its numbers.

    names: what is asked for, a name for each answer; of one that is chosen there is none.
    right: an answer for each, as text.  wrong: pairs of answers and the sentence of what they show.
    choices: what is chosen from, in the order in which it is shown; () where an answer is typed.
    section: heading of the notebook's section.
    """

    id: str
    text: str
    code: str
    names: tuple
    right: tuple
    wrong: tuple
    choices: tuple = ()
    section: str = ""

    @property
    def number(self):
        return number_of(self.id)

    @property
    def place(self):
        """Where the notebook tells it: notebooks/03_walking_backwards.ipynb, section "F. ..."."""
        return f'{self.file}, section "{self.section}"'

    @property
    def file(self):
        return f"notebooks/{notebook(self.number).name}.ipynb"

    @property
    def link(self):
        """The same, as a link from another notebook. Jupyter names a heading by its words, with the minutes."""
        name = notebook(self.number).name
        heading = next((each for each in _headings(name) if each.startswith(self.section)), "")
        return f"{name}.ipynb#{heading.replace(' ', '-')}"

    @property
    def lettered(self):
        """(letter, choice) of each."""
        return list(zip(LETTERS, self.choices))

    @property
    def answer(self):
        """The right answer, in one line."""
        if len(self.right) == 1:
            return self.right[0]
        return "; ".join(f"{name}: {text}" for name, text in zip(self.names, self.right))

    def as_data(self):
        """Plain data, for JSON."""
        return asdict(self)

    @classmethod
    def from_data(cls, data):
        """What as_data gave."""
        tuples = {name: tuple(data[name]) for name in ("names", "right", "choices")}
        wrong = tuple((tuple(answers), shows) for answers, shows in data["wrong"])
        return cls(**{**data, **tuples, "wrong": wrong})


@cache
def _headings(name):
    """The headings of the sections of a notebook, as a learner has them; none in a page."""
    try:
        cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    except OSError:
        return []
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return re.findall(r"^## (.+?)\s*$", text, re.MULTILINE)

"""What the quiz knows of a question, and the question as it is asked: with numbers drawn, and its answers."""

from dataclasses import asdict, dataclass

from ..course.catalogue import notebook
from ..course.tracks import CORE


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
        return self.id.partition(".")[0].zfill(2)


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
        return self.id.partition(".")[0].zfill(2)

    @property
    def place(self):
        """Where the notebook tells it: notebooks/03_walking_backwards.ipynb, section "F. ..."."""
        return f'{self.file}, section "{self.section}"'

    @property
    def file(self):
        return f"notebooks/{notebook(self.number).name}.ipynb"

    def as_data(self):
        """Plain data, for JSON."""
        return asdict(self)

    @classmethod
    def from_data(cls, data):
        """What as_data gave."""
        tuples = {name: tuple(data[name]) for name in ("names", "right", "choices")}
        wrong = tuple((tuple(answers), shows) for answers, shows in data["wrong"])
        return cls(**{**data, **tuples, "wrong": wrong})

"""What exercises ask. The questions.py of each notebook registers its probes here.

This is what may lie beside a stranger's code: a probe knows no answer, no comparison and no hint.
"""

from dataclasses import dataclass

from . import folders


@dataclass(frozen=True)
class Probe:
    """A question asked of two packages. It knows no answer.

    exercise: an id, such as "2.1".  function(package, rng) returns a dict of named answers.
    slow: what to say if the time limit ends this question.
    rtol: how far an answer may be from the expected one, for its size; None is what compare.py says. Given only where
        the number is known better than that, or cannot be known so well.
    secret: the reference's answer is one of many that are right. No comparison sees more of it than what was drawn
        ("asked"), and no edition holds more.
    listens: it asks for NumPy's warnings alone, which can be silenced whatever the idea.
    compare(expected, got): returns None or words; it sees the decoded answers of the whole probe. It comes from
        marking.py, so beside a stranger's code there is none; None is compare.py.
    """

    exercise: str
    name: str
    asked: str
    function: object
    slow: str = ""
    rtol: float | None = None
    secret: bool = False
    listens: bool = False
    compare: object = None


_registered = {}  # {exercise id: its Probes, in order}


def probe(exercise, asked, name="", slow="", rtol=None, secret=False, listens=False):
    """Register the decorated function as a question of the exercise with this id.  name: its own, if none is given."""

    def register(function):
        made = Probe(exercise, name or function.__name__, asked, function, slow, rtol, secret, listens)
        _registered.setdefault(exercise, []).append(made)
        return function

    return register


def probes_of(exercise):
    """The Probes of the exercise with this id, in order."""
    folders.load(folders.number_of(exercise), "questions")
    return _registered.get(exercise, [])


def load_all():
    """Import the questions of all notebooks that are here."""
    for folder in folders.notebook_folders():
        folders.load(folders.number_in(folder), "questions")

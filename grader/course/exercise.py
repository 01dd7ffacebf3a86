"""What an exercise is: data, probes that ask a package questions, and named wrong ideas about it."""

import hashlib
from dataclasses import dataclass, field

from .stub_message import is_stub

NOT_COMPARED = ("asked", "graph")  # answers that say what was asked, and how the learner's graph looks
TOO_MANY_TO_NUDGE = (
    "This question has more than 65,000 numbers. Nudging them one by one means to compute everything twice for each of "
    "them, and loops over single numbers are slow too. The rule itself is a line or two for whole arrays, and takes "
    "milliseconds."
)


@dataclass(frozen=True)
class Notebook:
    """One numbered notebook and the learner's files that belong to it."""

    number: str
    slug: str
    title: str
    minutes: int
    files: tuple

    @property
    def name(self):
        return f"{self.number}_{self.slug}"


@dataclass(frozen=True)
class Probe:
    """A question asked of two packages. It knows no answer.

    function(package, rng) returns a dict of named answers.
    compare(expected, got) returns None or words; it sees the decoded answers of the whole probe.
    slow: what to say if the time limit ends this question.
    rtol: how far an answer may be from the expected one, for its size; None is what compare.py says. Given only where
        the number is known better than that, or cannot be known so well.
    """

    name: str
    asked: str
    function: object
    compare: object = None
    slow: str = ""
    rtol: float | None = None


@dataclass
class Exercise:
    """One thing to fill in.

    id: such as "2.1".  file: the learner's file that holds its region.
    points, minutes; difficulty from 1 to 4; needs: ids of exercises it builds on;
    hints: three texts, from the idea to almost the code; stuck: a section of docs/stuck.md.
    sealed: its answers are numbers found by hand, the same for everybody: the student edition does not hold them.
    """

    id: str
    title: str
    file: str
    points: int
    minutes: int
    difficulty: int
    hints: list
    needs: tuple = ()
    stuck: str = ""
    sealed: bool = False
    probes: list = field(default_factory=list)
    misconceptions: list = field(default_factory=list)

    @property
    def notebook(self):
        """The number of its notebook, two digits."""
        return f"{int(self.id.split('.')[0]):02}"

    def probe(self, asked, compare=None, slow="", rtol=None):
        """Register the decorated function as a question of this exercise."""

        def register(function):
            self.probes.append(Probe(function.__name__, asked, function, compare, slow, rtol))
            return function

        return register


@dataclass(frozen=True)
class Misconception:
    """One wrong implementation: a patch for a private copy of the reference, and words that help."""

    name: str
    words: str
    patch: object
    stuck: str = ""


def wrong(exercise, name, words, stuck=""):
    """Register the decorated patch function as a misconception of the exercise."""

    def register(patch):
        exercise.misconceptions.append(Misconception(name, words, patch, stuck))
        return patch

    return register


@dataclass(frozen=True)
class Raised:
    """A call raised an exception: its class, all classes above it, and whether it named what it should."""

    type: str
    bases: tuple
    message: str
    naming: str
    names_it: bool


@dataclass(frozen=True)
class Form:
    """What kind of thing an answer is, in words such as "a list of 4". Shown without quotes."""

    words: str


@dataclass(frozen=True)
class Sealed:
    """A number that is not told: what it is can only be tried. salt: the same numbers elsewhere look different."""

    salt: str
    digest: str

    @classmethod
    def of(cls, salt, number):
        return cls(salt, hashlib.sha256(f"{salt} {float(number):.6g}".encode()).hexdigest())

    def holds(self, x):
        return isinstance(x, (int, float)) and Sealed.of(self.salt, x) == self


@dataclass(frozen=True)
class DidNotRaise:
    """A call that should have raised returned something instead."""

    returned: object


def raised(call, naming=""):
    """The answer "it raised X saying ...", or "it did not raise" for a call that returns.

    naming: a text that the message should contain, such as the wrong argument.
    """
    try:
        returned = call()
    except Exception as error:
        if is_stub(error):
            raise
        bases = tuple(cls.__name__ for cls in type(error).__mro__)
        return Raised(type(error).__name__, bases, str(error), naming, naming in str(error))
    return DidNotRaise(returned)

"""What a probe may answer besides numbers: an error, a kind of thing, a number that is hashed."""

import hashlib
from dataclasses import dataclass

from ..course.stub_message import is_stub

NOT_COMPARED = ("asked", "graph")  # answers that say what was asked, and how the learner's graph looks


def drawn_in(answers):
    """Of the answers to a question only what was drawn for it: this is no secret, and learners see it."""
    return {name: drawn for name, drawn in answers.items() if name == "asked"}


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
class Hashed:
    """A number that is not told: what it is can only be tried. salt: the same numbers elsewhere look different."""

    salt: str
    digest: str

    @classmethod
    def of(cls, salt, number):
        return cls(salt, hashlib.sha256(f"{salt} {float(number):.6g}".encode()).hexdigest())

    def holds(self, x):
        return isinstance(x, (int, float)) and Hashed.of(self.salt, x) == self


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

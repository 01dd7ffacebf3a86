"""What an exercise says until it is filled in: NotImplementedError("exercise 2.1: Value.__mul__")."""

import re
from typing import NamedTuple

_MESSAGE = re.compile(r"exercise (?P<id>\d+\.\d+)(?:: (?P<title>.+))?")


class Unfilled(NamedTuple):
    """An exercise as its stub names it.  title: "" where there is none, as in a message that a learner changed."""

    id: str
    title: str


def statement(id, title):
    """The one line of code of a stub."""
    return f'raise NotImplementedError("exercise {id}: {title}")'


def is_statement(line, id):
    """Is this line of code the stub of that exercise?"""
    return line.startswith(statement(id, "").removesuffix('")'))


def unfilled(message):
    """The Unfilled that a message names, or None."""
    found = _MESSAGE.match(message)
    return Unfilled(found["id"], found["title"] or "") if found else None


def unfilled_in(line):
    """The Unfilled of the stub that this line of code is, or None."""
    return unfilled(line.partition('"')[2].rpartition('"')[0]) if "NotImplementedError(" in line else None


def unfilled_by(error):
    """The Unfilled whose stub raised this exception, or None."""
    return unfilled(str(error)) if isinstance(error, NotImplementedError) else None


def is_stub(error):
    """Is this the exception of a stub?"""
    return unfilled_by(error) is not None

"""All questions of the quiz. Where the answers are they are drawn and solved anew, elsewhere read as recorded."""

from ..course import catalogue
from ..course.paths import is_full_edition

if is_full_edition():
    from .live import drawn, entries_of
else:
    from .recorded import drawn, entries_of

__all__ = ["drawn", "entries", "entries_of", "linked"]


def entries(numbers=None):
    """{id: Entry} of the notebooks with these two-digit numbers, of all if none are named, in order."""
    named = catalogue.numbers() if numbers is None else numbers
    return {entry.id: entry for number in named for entry in entries_of(number)}


def linked(entries, id, name):
    """Which of these Entries are about a misconception that a check named, of the exercise with this id.

    Those with a wrong answer that shows it; if there are none, those about an outcome that the exercise shows.
    """
    exact = [entry for entry in entries if (id, name) in entry.ideas]
    return exact or [entry for entry in entries if id in entry.exercises]

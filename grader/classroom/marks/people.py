"""Whom a teacher means who writes a student's id or name."""

from ..collect.safe_names import shown


class People:
    """The students of a class, by what they may be called.

    ids: of all students.  names: {id: name}.
    An id is taken to the letter first; then without capitals, without the zeros that a spreadsheet takes from its
    front, or by the name, where that means one student.
    """

    def __init__(self, ids, names=()):
        self._ids, self._also = set(ids), {}
        for id in self._ids:
            for text in {_folded(id), _folded(id).lstrip("0"), _folded(dict(names).get(id) or id)}:
                self._also[text] = None if text in self._also else id

    def id(self, text):
        """The id of the student who is meant, or None."""
        return text if text in self._ids else self._also.get(_folded(text))

    def unknown(self, text):
        """A sentence about somebody who is not there."""
        return f"nobody here is called {shown(text)}" if text else "no student is named"


def _folded(text):
    return " ".join(text.casefold().split())

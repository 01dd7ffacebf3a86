"""Whom a teacher means who writes a student's id or name."""

from ...course.phrases import listed
from ..collect.safe_names import shown

NAMED = 5  # ids in a sentence


class People:
    """The students of a class, by what they may be called.

    ids: of all students.  names: {id: name}.
    An id is taken to the letter first; then without capitals, without the zeros that a spreadsheet takes from its
    front, or by the name, where that means one student.
    """

    def __init__(self, ids, names=()):
        self._ids, self._also, names = set(ids), {}, dict(names)
        for id in sorted(self._ids):
            for text in {_folded(id), _folded(id).lstrip("0"), _folded(names.get(id) or id)}:
                self._also.setdefault(text, []).append(id)

    def id(self, text):
        """The id of the student who is meant, or None."""
        found = [text] if text in self._ids else self._also.get(_folded(text), [])
        return found[0] if len(found) == 1 else None

    def unknown(self, text):
        """Why id finds nobody, as a sentence."""
        if found := self._also.get(_folded(text)):
            names = listed(found, NAMED)
            return f"{len(found)} students here are called {shown(text)}: {names}. Write the id of the one who is meant"
        return f"nobody here is called {shown(text)}" if text else "no student is named"


def _folded(text):
    return " ".join(text.casefold().split())

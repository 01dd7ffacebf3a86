"""The right answers and those of each misconception, as they were recorded for the student edition."""

from functools import cache

from ..asking.draws import SEED
from ..asking.files import Reader
from ..course.exercise import Misconception
from ..course.paths import EXPECTED
from ..course.usage import UsageError


def reference_answers(exercises, seed):
    """{exercise id: {probe name: Outcome}}  Raises UsageError for another seed than the recorded one."""
    demand(seed)
    return {ex.id: {p.name: _Book.of(ex).right(ex, p) for p in ex.probes} for ex in exercises}


def known_beforehand(ex, seed):
    """Names of the questions whose right answer is the same in every check."""
    demand(seed)
    return _Book.of(ex).known(ex)


def misconceptions_of(ex):
    """The named wrong ideas about this exercise: their words, no code."""
    return _Book.of(ex).misconceptions(ex)


def misconceived(ex, misconception, probe, seed):
    """The Outcome of one probe under a misconception."""
    demand(seed)
    return _Book.of(ex).wrong(ex, misconception, probe)


def demand(seed):
    """Raises UsageError for another seed than the recorded one."""
    if seed != SEED:
        raise UsageError(
            f"The student edition has only the recorded inputs of --seed {SEED}. Other seeds need the full edition."
        )


def answers_file(folder, notebook):
    """Where the answers of a notebook's probes are (without .json and .npz)."""
    return folder / f"{notebook}_answers"


class _Book:
    """The recorded answers of one notebook."""

    def __init__(self, notebook):
        self._file = Reader(answers_file(EXPECTED, notebook))
        self._places = {
            (id, wrong["name"]): wrong["answers"] for id, all in self._file.content["wrong"].items() for wrong in all
        }

    @staticmethod
    def of(ex):
        return _book(ex.notebook)

    def right(self, ex, probe):
        return self._outcome(self._file.content["right"][ex.id][probe.name])

    def wrong(self, ex, misconception, probe):
        place = self._places[ex.id, misconception.name].get(probe.name)
        return self.right(ex, probe) if place is None else self._outcome(place)

    def known(self, ex):
        return self._file.content["known"][ex.id]

    def misconceptions(self, ex):
        return [
            Misconception(wrong["name"], wrong["words"], None, wrong["stuck"], wrong["twins"])
            for wrong in self._file.content["wrong"][ex.id]
        ]

    def _outcome(self, place):
        return self._file.unpacked(self._file.content["outcomes"][place])


@cache
def _book(notebook):
    try:
        return _Book(notebook)
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(
            f"The recorded answers of notebook {notebook} cannot be read ({error}). Unpack the course again, or bring "
            "it in with update: your answers stay."
        ) from None

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
    return {ex.id: {p.name: _right(ex, p) for p in ex.probes} for ex in exercises}


def known_beforehand(ex, seed):
    """Names of the questions whose right answer is the same in every check."""
    demand(seed)
    return _book(ex.notebook).content["known"][ex.id]


def misconceptions_of(ex):
    """The named wrong ideas about this exercise: their words, no code."""
    return [
        Misconception(wrong["name"], wrong["words"], None, wrong["stuck"], wrong["same_as"])
        for wrong in _book(ex.notebook).content["wrong"][ex.id]
    ]


def signs_of(ex, misconception):
    """What tells the line of this idea in a learner's answer (place.py)."""
    return _wrong(ex, misconception)["signs"]


def misconceived(ex, misconception, probe, seed):
    """The Outcome of one probe under a misconception."""
    demand(seed)
    wrong = _wrong(ex, misconception)
    place = wrong["answers"].get(probe.name)
    return _right(ex, probe) if place is None else _outcome(ex, place)


def _wrong(ex, misconception):
    return next(each for each in _book(ex.notebook).content["wrong"][ex.id] if each["name"] == misconception.name)


def _right(ex, probe):
    return _outcome(ex, _book(ex.notebook).content["right"][ex.id][probe.name])


def _outcome(ex, place):
    book = _book(ex.notebook)
    return book.unpacked(book.content["outcomes"][place])


def demand(seed):
    """Raises UsageError for another seed than the recorded one."""
    if seed != SEED:
        raise UsageError(
            f"The student edition has only the recorded inputs of --seed {SEED}. Other seeds need the full edition."
        )


def answers_file(folder, notebook):
    """Where the answers of a notebook's probes are (without .json and .npz)."""
    return folder / f"{notebook}_answers"


@cache
def _book(notebook):
    """The recorded answers of one notebook."""
    try:
        return Reader(answers_file(EXPECTED, notebook))
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(
            f"The recorded answers of notebook {notebook} cannot be read ({error}). Unpack the course again, or bring "
            "it in with update: your answers stay."
        ) from None

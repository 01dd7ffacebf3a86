"""Where no reference can be asked: which of the exercises that an answer builds on it does use.

Their answers are taken out, and stubs put in their place: what still answers as before does not use them.
"""

from dataclasses import dataclass

from ..asking.outcome import Outcome
from ..course import regions
from ..course.catalogue import exercise
from .judging import alike, explaining
from .verdict import most_telling


@dataclass(frozen=True)
class Leaning:
    """Ids of what its wrong answers use; and the Misconception that explains those that use nothing of it, or None."""

    ids: tuple
    idea: object = None


def leaning(asked, undone, files, seed, ask):
    """The Leaning of an Asked, or None if it cannot be told.  undone: {id of a failing exercise that it builds on: has
    it not been started?}  files: {name: bytes}; ask as in carrying.carried.
    """
    ex, waiting = asked.exercise, [id for id, not_started in undone.items() if not_started]
    failing = [id for id in undone if id not in waiting]
    emptied = {name: _emptied(files.get(name), failing) for name in {exercise(id).file for id in failing}}
    if None in emptied.values():
        return None
    answers = ask(emptied, [ex], seed)[ex.id] if emptied else {q.probe.name: q.got for q in asked.questions}
    own, leans = [], []
    for q in asked.questions:
        is_own = _stub_met(q.got) not in waiting and _as_before(q.got, answers.get(q.probe.name))
        (own if is_own else leans).append(q)
    met = {_stub_met(answers.get(q.probe.name)) for q in leans if q.wrong}
    shown = most_telling(asked.questions)
    told = waiting if any(q is shown for q in own) else undone  # nobody is sent away from what is wrong by itself
    used = [id for id in told if id in met or (id in failing and not met <= undone.keys())]
    return Leaning(tuple(used), explaining(ex, own, seed, asked.written))


def _as_before(one, other):
    if not isinstance(one, Outcome):
        return type(one) is type(other)
    return isinstance(other, Outcome) and alike(one, other)


def _stub_met(outcome):
    return getattr(getattr(outcome, "answers", None), "stub", "")


def _emptied(data, ids):
    """The file with stubs in the regions of these exercises; None if they cannot be found."""
    found = [region for region in regions.regions_in(data or b"") if region.id in ids]
    return regions.replaced(data.decode("utf-8"), found, regions.stub_lines).encode() if found else None

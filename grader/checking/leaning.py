"""Where no reference can be asked: which of the exercises that an answer builds on it does use.

Their answers are taken out, and stubs put in their place: what still answers as before does not use them.
"""

from dataclasses import dataclass

from ..asking.outcome import Outcome
from ..course import regions
from ..course.catalogue import exercise
from ..course.stub_message import statement
from .judging import alike, explaining


@dataclass(frozen=True)
class Leaning:
    """Ids of what its wrong answers use; and the Misconception that explains those that use nothing of it, or None."""

    ids: tuple
    idea: object = None


def leaning(asked, ids, files, seed, ask):
    """The Leaning of an Asked.  ids: exercises that fail, and that it builds on.  files: {name: bytes}; ask as in
    carrying.carried."""
    changed = {exercise(id).file for id in ids} & files.keys()
    emptied = {name: _emptied(files[name], ids) for name in changed}
    if not emptied or None in emptied.values():
        return None
    ex = asked.exercise
    answers = ask(emptied, [ex], seed)[ex.id]
    own = [q for q in asked.questions if _as_before(q.got, answers.get(q.probe.name))]
    met = [_stub_met(answers.get(q.probe.name)) for q in asked.questions if q.wrong and q not in own]
    used = [id for id in ids if id in met or not {*met} <= {*ids}]
    return Leaning(tuple(used) if met else (), explaining(ex, own, seed))


def _as_before(one, other):
    if not isinstance(one, Outcome):
        return type(one) is type(other)
    return isinstance(other, Outcome) and alike(one, other)


def _stub_met(outcome):
    return getattr(getattr(outcome, "answers", None), "stub", "")


def _emptied(data, ids):
    """The file with stubs in the regions of these exercises; None if they cannot be found."""
    try:
        text = data.decode("utf-8")
        found = [region for region in regions.stub_regions(text) if region.id in ids]
    except (UnicodeDecodeError, regions.MarkerError):
        return None
    return regions.replaced(text, found, _stub).encode() if found else None


def _stub(region):
    return regions.wrapped(region, [region.indent + statement(region.id, exercise(region.id).title)])

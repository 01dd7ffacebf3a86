"""The answers of the reference and of each misconception: computed by the code in solutions/, once."""

import warnings
from functools import cache

from ..asking.ask import ask, import_file
from ..asking.draws import SEED, edition
from ..asking.wire import through_the_wire
from ..course import catalogue
from ..course.packages import load_package, private_copy
from ..course.paths import REFERENCE
from .question import Question

_answered = {}
_misconceived = {}


def reference_answers(exercises, seed):
    """{exercise id: {probe name: Outcome}} of the reference, each answered once."""
    own = edition(seed)
    for ex in exercises:
        if (ex.id, seed, own) not in _answered:
            _answered[ex.id, seed, own] = answers_of(reference(), ex, ex.probes, seed)
    return {ex.id: _answered[ex.id, seed, own] for ex in exercises}


def demand(seed):
    """Does nothing: the full edition can use any seed."""


def known_beforehand(ex, seed):
    """Names of the questions whose right answer is the same for SEED and this seed; for SEED, and for another one."""
    learnt, right = (reference_answers([ex], each)[ex.id] for each in (SEED, SEED + 1 if seed == SEED else seed))
    return [p.name for p in ex.probes if not Question(p, learnt[p.name], right[p.name]).wrong]


def misconceptions_of(ex):
    """The named wrong ideas about this exercise."""
    return catalogue.misconceptions_of(ex)


def misconceived(ex, misconception, probe, seed):
    """The Outcome of one probe, asked of the reference with the misconception patched in."""
    return all_misconceived(ex, misconception, seed, [probe])[probe.name]


def all_misconceived(ex, misconception, seed, probes=None):
    """{probe name: Outcome} of these probes, or of all, asked of one copy as a learner's process has one."""
    known = _misconceived.setdefault((ex.id, misconception.name, seed, edition(seed)), {})
    missing = [p for p in probes or ex.probes if p.name not in known]
    if missing:
        with private_copy(REFERENCE) as package:
            misconception.patch(package)
            known.update(answers_of(package, ex, missing, seed))
    return known


def answers_of(package, ex, probes, seed):
    """{probe name: Outcome} of a trusted package in this process, as they would come over a pipe."""
    broken = import_file(package, ex.file)
    if broken:
        raise RuntimeError(f"{ex.file} of a trusted package cannot be imported: {broken}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a wrong idea may divide by zero; what a question hears, it listens for itself
        return {p.name: through_the_wire(ask(package, p, seed, stopper=Exception)) for p in probes}


@cache
def reference():
    return load_package(REFERENCE, "babygrad_reference")

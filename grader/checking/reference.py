"""The answers of the reference and of each misconception: computed by the code in solutions/, once."""

import warnings
from dataclasses import replace
from functools import cache

from ..asking.ask import ask, import_file
from ..asking.draws import SEED, edition
from ..asking.wire import through_the_wire
from ..course import catalogue
from ..course.packages import load_package, reference_with
from ..course.paths import REFERENCE, package_folder
from . import place
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


def signs_of(ex, misconception):
    """What tells the line of this idea in a learner's answer (place.py).

    None of a whole answer of several lines: some of them may be right.
    """
    edit = misconception.edit
    if edit is None or any(change.old is None and "\n" in change.new for change in edit.changes):
        return ()
    text = _text(ex.file)
    return place.signs(ex.id, replace(edit, changes=()).applied(text), edit.applied(text))


def difference(misconception):
    """Its lines beside the right ones, as Edit.difference has them; none if it is no edit."""
    return misconception.edit.difference(_text(misconception.edit.file)) if misconception.edit else []


@cache
def _text(file):
    return (package_folder(REFERENCE) / file).read_text(encoding="utf-8")


def misconceived(ex, misconception, probe, seed):
    """The Outcome of one probe, asked of the reference with the misconception patched in."""
    upto = [p.name for p in ex.probes].index(probe.name) + 1
    known = _known(misconception, ex, seed)
    if probe.name not in known:
        _ask_the_first(len(ex.probes) if known else upto, misconception, ex, seed)
    return known[probe.name]


def all_misconceived(ex, misconception, seed):
    """{probe name: Outcome} of all probes."""
    known = _known(misconception, ex, seed)
    if len(known) < len(ex.probes):
        _ask_the_first(len(ex.probes), misconception, ex, seed)
    return known


def _known(misconception, ex, seed):
    return _misconceived.setdefault((ex.id, misconception.name, seed, edition(seed)), {})


def _ask_the_first(count, misconception, ex, seed):
    """Asks one copy all of them from the first on, as a learner's process is asked: an idea may keep something."""
    with reference_with(misconception) as package:
        _known(misconception, ex, seed).update(answers_of(package, ex, ex.probes[:count], seed))


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

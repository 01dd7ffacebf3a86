"""Checks exercises: asks the learner's package and the reference the same questions, and judges."""

import threading
from dataclasses import dataclass
from functools import cache

from . import regions
from .asking import Outcome, ask, import_file
from .compare import difference
from .course import exercise, misconceptions_of
from .learner import question
from .packages import load_package, private_copy
from .places import LEARNER, REFERENCE, package_folder
from .verdict import Question, judge, most_telling, not_started
from .wire import through_the_wire

TIMEOUT = 10.0
SEED = 0


@dataclass(frozen=True)
class Request:
    """What to check: a package folder, seconds for each exercise, and the seed of the questions' inputs."""

    package: object = LEARNER
    timeout: float = TIMEOUT
    seed: int = SEED


@dataclass
class Asked:
    """An exercise with its questions as they were answered, and the state of its region."""

    exercise: object
    questions: list
    state: str

    @property
    def passed(self):
        return not any(q.wrong for q in self.questions)

    @property
    def waiting(self):
        """Nothing of the learner's is in it yet."""
        return not self.passed and not_started(self.exercise, self.questions, self.state)


def check(exercises, request=None, told=lambda id: None):
    """A Verdict for each exercise.  told(id) is called when an exercise is begun."""
    request = request or Request()
    got = _answers(exercises, request, told) if exercises else {}
    asked = _asked(map(exercise, got), got, request)
    return [_judged(asked[ex.id], asked, request.seed) for ex in exercises]


def _answers(exercises, request, told):
    """{exercise id: {probe name: Outcome or Died}} of the learner's package; the reference answers meanwhile.

    What a failing exercise builds on is asked too, in the same process.
    """
    got, known, ids = {}, threading.Event(), {ex.id for ex in exercises}

    def missing(got):
        known.wait()
        failed = [a.exercise for a in _asked(exercises, got, request).values() if not a.passed and not a.waiting]
        return [exercise(id) for id in sorted({need for ex in failed for need in ex.needs} - got.keys())]

    def told_of_these(id):
        if id in ids:
            told(id)

    arguments = (request.package, exercises, request.seed, request.timeout, told_of_these, missing)
    thread = threading.Thread(target=lambda: got.update(question(*arguments)))
    thread.start()
    try:
        reference_answers(exercises, request.seed)
    finally:
        known.set()
    thread.join()
    return got


def _asked(exercises, got, request):
    """{exercise id: Asked}"""
    exercises = list(exercises)
    expected = reference_answers(exercises, request.seed)
    states = {file: regions.states(package_folder(request.package) / file) for file in {ex.file for ex in exercises}}
    return {
        ex.id: Asked(
            ex,
            [Question(p, got[ex.id].get(p.name), expected[ex.id][p.name]) for p in ex.probes],
            states[ex.file].get(ex.id, "changed"),
        )
        for ex in exercises
    }


def _judged(asked, before, seed):
    """The Verdict. Where an exercise that this one builds on fails, no idea is guessed at here."""
    undone = {id: before[id].waiting for id in asked.exercise.needs if id in before and not before[id].passed}
    found = None if undone else _found(asked.exercise, asked.questions, asked.state, seed)
    return judge(asked.exercise, asked.questions, asked.state, found, undone)


_answered = {}


def reference_answers(exercises, seed):
    """{exercise id: {probe name: Outcome}} of the reference, each answered once."""
    for ex in exercises:
        if (ex.id, seed) not in _answered:
            _answered[ex.id, seed] = answers_of(_reference(), ex, ex.probes, seed)
    return {ex.id: _answered[ex.id, seed] for ex in exercises}


def answers_of(package, ex, probes, seed):
    """{probe name: Outcome} of a trusted package in this process, as they would come over a pipe."""
    broken = import_file(package, ex.file)
    if broken:
        raise RuntimeError(f"{ex.file} of a trusted package cannot be imported: {broken}")
    return {p.name: through_the_wire(ask(package, ex, p, seed, stopper=Exception)) for p in probes}


@cache
def _reference():
    return load_package(REFERENCE, "babygrad_reference")


def _found(ex, questions, state, seed):
    """The misconception that explains the answers, if there are wrong ones of the learner's own."""
    first = most_telling(questions)
    if not first or not_started(ex, questions, state) or (first.stop and (first.stop.stub or first.stop.importing)):
        return None
    return matching_misconception(ex, questions, seed)


def matching_misconception(ex, questions, seed):
    """The misconception of this exercise that gives the same answers as the learner's code, or None.

    First one that agrees on every question; else the only one that agrees on the question that
    the message is about.
    """
    telling = most_telling(questions)
    if telling is None:
        return None
    agree = [m for m in misconceptions_of(ex) if alike(telling.got, misconceived(ex, m, telling.probe, seed))]
    for found in agree:
        if all(alike(q.got, misconceived(ex, found, q.probe, seed)) for q in questions):
            return found
    return agree[0] if len(agree) == 1 else None


_misconceived = {}


def misconceived(ex, misconception, probe, seed):
    """The Outcome of one probe, asked of the reference with the misconception patched in."""
    key = ex.id, misconception.name, probe.name, seed
    if key not in _misconceived:
        with private_copy(REFERENCE) as package:
            misconception.patch(package)
            _misconceived[key] = answers_of(package, ex, [probe], seed)[probe.name]
    return _misconceived[key]


def alike(got, answers):
    """Did two packages answer a question in the same way? An exception is alike if type and words are."""
    if not isinstance(got, Outcome):
        return False
    mine, other = got.answers, answers.answers
    if isinstance(mine, dict) and isinstance(other, dict):
        return difference(other, mine) is None and difference(mine, other) is None
    if isinstance(mine, dict) or isinstance(other, dict):
        return False
    same_words = mine.message == other.message or mine.type == "RecursionError"  # its words depend on the depth
    return same_words and (mine.type, mine.stub) == (other.type, other.stub)

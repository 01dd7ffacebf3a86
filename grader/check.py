"""Checks exercises: asks the learner's package and the reference the same questions, and judges."""

import threading
from dataclasses import dataclass
from functools import partial

from . import expected, regions
from .asking import Outcome
from .compare import difference
from .course import exercise
from .learner import question
from .places import LEARNER, package_folder
from .process import LearnersProcess
from .verdict import Question, judge, most_telling, not_started

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
    return verdicts(exercises, got, _states(map(exercise, got), request.package), request.seed)


def verdicts(exercises, got, states, seed):
    """A Verdict for each exercise, from what a package answered.

    got: {exercise id: {probe name: Outcome or Died}}, also of what a failing exercise builds on, if that was asked.
    states: {file: {exercise id: state of its region}}.
    """
    asked = _asked(map(exercise, got), got, states, seed)
    return [_judged(asked[ex.id], asked, seed) for ex in exercises]


def _states(exercises, directory):
    return {file: regions.states(package_folder(directory) / file) for file in {ex.file for ex in exercises}}


def _answers(exercises, request, told):
    """{exercise id: {probe name: Outcome or Died}} of the learner's package; the reference answers meanwhile.

    What a failing exercise builds on is asked too, in the same process.
    """
    got, known, ids = {}, threading.Event(), {ex.id for ex in exercises}

    def missing(got):
        known.wait()
        asked = _asked(exercises, got, _states(exercises, request.package), request.seed)
        failed = [a.exercise for a in asked.values() if not a.passed and not a.waiting]
        return [exercise(id) for id in sorted({need for ex in failed for need in ex.needs} - got.keys())]

    def told_of_these(id):
        if id in ids:
            told(id)

    arguments = (
        partial(LearnersProcess, request.package),
        exercises,
        request.seed,
        lambda ex: request.timeout,
        told_of_these,
        missing,
    )
    thread = threading.Thread(target=lambda: got.update(question(*arguments)))
    thread.start()
    try:
        expected.reference_answers(exercises, request.seed)
    finally:
        known.set()
    thread.join()
    return got


def _asked(exercises, got, states, seed):
    """{exercise id: Asked}"""
    exercises = list(exercises)
    right = expected.reference_answers(exercises, seed)
    return {
        ex.id: Asked(
            ex,
            [Question(p, got[ex.id].get(p.name), right[ex.id][p.name]) for p in ex.probes],
            states[ex.file].get(ex.id, "changed"),
        )
        for ex in exercises
    }


def _judged(asked, before, seed):
    """The Verdict. Where an exercise that this one builds on fails, no idea is guessed at here."""
    undone = {id: before[id].waiting for id in asked.exercise.needs if id in before and not before[id].passed}
    found = None if undone else _found(asked.exercise, asked.questions, asked.state, seed)
    return judge(asked.exercise, asked.questions, asked.state, found, undone)


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
    agree = [
        m
        for m in expected.misconceptions_of(ex)
        if alike(telling.got, expected.misconceived(ex, m, telling.probe, seed))
    ]
    for found in agree:
        if all(alike(q.got, expected.misconceived(ex, found, q.probe, seed)) for q in questions):
            return found
    return agree[0] if len(agree) == 1 else None


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

"""Checks exercises: asks the learner's package and the reference the same questions, and has the answers judged."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from ..asking.draws import SEED
from ..course.paths import LEARNER
from . import expected
from .again import Again
from .judging import Judging, states_in
from .process import LearnersProcess
from .questioning import TIMEOUT, question


@dataclass(frozen=True)
class Request:
    """What to check: a package folder, seconds for each exercise, and the seed of the questions' inputs."""

    package: object = LEARNER
    timeout: float = TIMEOUT
    seed: int = SEED


def check(exercises, request=None, tell=lambda id: None):
    """A Verdict for each exercise.  tell(id) is called when an exercise is begun."""
    return [verdict for verdict, _ in checked(exercises, request, tell)]


def checked(exercises, request=None, tell=lambda id: None):
    """[(Verdict, Asked)]: the same with the questions as they were answered."""
    request = request or Request()
    if not exercises:
        return []
    again = Again(request.package, request.seed, partial(_ask, request))
    judging = Judging(exercises, states_in(request.package), request.seed, again.files, again.with_other_inputs)
    got = _answers(judging, request, tell)
    verdicts = again.looked_into(judging, judging.verdicts(got), got)
    return [(verdict, judging.asked(verdict.id, got[verdict.id])) for verdict in verdicts]


def _ask(request, folder, exercises, seed):
    """{exercise id: answers} of the package in a folder, in a process of its own."""
    return question(partial(LearnersProcess, folder), exercises, seed, lambda ex: request.timeout)


def _answers(judging, request, tell):
    """{exercise id: {probe name: Outcome or Died}} of the learner's package; the reference answers meanwhile.

    What a failing exercise builds on is asked too, in the same process.
    """
    reference_answered, ids = threading.Event(), {ex.id for ex in judging.exercises}

    def missing(got):
        reference_answered.wait()
        return judging.missing(got)

    def tell_of_these(id):
        if id in ids:
            tell(id)

    start, seconds = partial(LearnersProcess, request.package), lambda ex: request.timeout
    with ThreadPoolExecutor(1) as thread:
        got = thread.submit(question, start, judging.exercises, request.seed, seconds, tell_of_these, missing)
        try:
            expected.reference_answers(judging.exercises, request.seed)
        finally:
            reference_answered.set()
        return got.result()

"""Checks exercises: asks the learner's package and the reference the same questions, and judges."""

import threading
from dataclasses import dataclass

from . import regions
from .asking import Outcome, ask, import_file
from .compare import difference
from .course import all_exercises, misconceptions_of
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


def check(exercises, request=None, told=lambda id: None):
    """A Verdict for each exercise.  told(id) is called when an exercise is begun."""
    request = request or Request()
    got = _answers(exercises, request, told)
    return _with_prerequisites(exercises, _judge_all(exercises, got, request), request)


def _answers(exercises, request, told):
    """Outcomes of the learner's package; the reference answers meanwhile."""
    got = {}
    thread = threading.Thread(
        target=lambda: got.update(question(request.package, exercises, request.seed, request.timeout, told))
    )
    thread.start()
    reference_answers(exercises, request.seed)
    thread.join()
    return got


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


def _reference(loaded=[]):  # noqa: B006  loaded once, when first asked
    if not loaded:
        loaded.append(load_package(REFERENCE, "babygrad_reference"))
    return loaded[0]


def _judge_all(exercises, got, request):
    expected = reference_answers(exercises, request.seed)
    files = {ex.file for ex in exercises}
    states = {file: regions.states(package_folder(request.package) / file) for file in files}
    return [
        _judge(ex, got[ex.id], expected[ex.id], states[ex.file].get(ex.id, "changed"), request.seed) for ex in exercises
    ]


def _judge(ex, got, expected, state, seed):
    questions = [Question(p, got.get(p.name), expected[p.name]) for p in ex.probes]
    return judge(ex, questions, state, _found(ex, questions, state, seed))


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
    return (mine.type, mine.message, mine.stub) == (other.type, other.message, other.stub)


def _with_prerequisites(exercises, verdicts, request):
    """Say of a failed exercise which exercise it builds on is not done."""
    failed = [v for v in verdicts if not v.done and v.status != "not_started"]
    if failed:
        done = {v.id: v.done for v in verdicts}
        by_id = {ex.id: ex for ex in all_exercises()}
        missing = {need for v in failed for need in by_id[v.id].needs} - done.keys()
        extra = [by_id[id] for id in sorted(missing)]
        done |= {v.id: v.done for v in _judge_all(extra, _answers(extra, request, lambda id: None), request)}
        for v in failed:
            undone = [id for id in by_id[v.id].needs if not done[id]]
            if undone and not any(f"exercise {id} " in v.message for id in undone):
                v.lines += (f"It builds on {' and '.join(undone)}, not done yet: do that first.",)
    return verdicts

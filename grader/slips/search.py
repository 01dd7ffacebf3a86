"""Tries the small edits of a wrong answer, until it is known whether one line alone is at fault.

The candidates are made and judged here. The asked process is sent their text, and sends values: it holds no answer.
"""

import time
from dataclasses import dataclass

from ..asking.outcome import Outcome
from ..checking.question import Question
from ..course import regions
from .candidates import LEVELS, Answer
from .expressions import in_one_order
from .kinds import Kind

SECONDS = 1.0  # of processor time, of both processes together
BATCH = 40  # candidates that are sent at once
CLOCK = 10.0  # seconds on the clock, for what sleeps
LOOKED = 0.02  # seconds between two looks at the time
MOST_DEATHS = 3  # of the asked process
MOST_TIMED = 5  # questions


@dataclass(frozen=True)
class Slip:
    """What was found.  lines: (first, last) of the file, the same for a single line.  kind: the Kind of the edits, if
    all are of one."""

    lines: tuple
    kind: Kind | None


class Search:
    """The search for the slip in the answer to an exercise.

    start(): a process to ask (checking/process.py).  text: of the learner's file.  right: {a question's name: Outcome}.
    wrong: the names of those that were answered wrongly.  stop(): is it no longer wanted?
    """

    def __init__(self, start, ex, text, right, wrong, seed, stop=lambda: False):
        self._start, self._ex, self._text, self._seed, self._stop = start, ex, text, seed, stop
        self._right, self._wrong = right, wrong
        self._probes = sorted(ex.probes, key=lambda p: (p.name not in wrong, bool(p.slow)))  # kept among equals
        self._process, self._deaths = None, 0
        self._before = self._now = 0.0  # processor time of the processes that ended, and of the one that is asked

    def slip(self):
        """The Slip and a text of the file without it; or None, where none was found or several lines may be meant."""
        self._began, self._looked, self._end_at = time.process_time(), 0.0, time.monotonic() + CLOCK
        try:
            answer = Answer(self._ex.id, self._text)
            return self._found(answer) if answer.is_whole and self._is_asked_alike(answer) else None
        except (SyntaxError, regions.MarkerError, RecursionError, MemoryError, _NoMoreTime):
            return None
        except (
            ArithmeticError,
            ValueError,
        ):  # a number of hundreds of digits, which Python does not halve, or not write
            return None
        finally:
            self._end()

    def _is_asked_alike(self, answer):
        """Is what is wrong wrong again, when nothing is edited? Code that answers otherwise each time says nothing.

        From now on the wrong question that is answered soonest is asked first.
        """
        wrong = [probe for probe in self._probes if probe.name in self._wrong and not probe.slow][:MOST_TIMED]
        taken = {}
        for probe in wrong or self._probes[:1]:
            began = time.monotonic()
            if self._right_ones(answer.originals(), probe):
                return False
            taken[probe.name] = time.monotonic() - began
        self._probes.sort(key=lambda probe: taken.get(probe.name, CLOCK))
        if len(answer.places) > 1:
            answer.places = [place for place in answer.places if self._matters(place, answer, self._probes[0])]
        return True

    def _matters(self, place, answer, probe):
        """Is the answer to a question another one without this function? Else no edit of it can help."""
        both = self._outcomes([answer.of(place), answer.without(place)], probe)
        if len(both) < 2 or not all(isinstance(each, Outcome) for each in both):
            return True
        return bool(Question(probe, both[1], both[0]).wrong)

    def _found(self, answer):
        for level in LEVELS:
            hits = [hit for batch in _batches(answer.candidates(level)) for hit in self._those_that_help(batch)]
            if hits:
                slip = slip_of(hits, answer)
                return slip and (slip, answer.edited(self._text, hits[0]))
        return None

    def _those_that_help(self, candidates):
        """The candidates with which every question is right: each is asked until its first wrong answer."""
        for probe in self._probes:
            candidates = self._right_ones(candidates, probe)
        return candidates

    def _right_ones(self, candidates, probe):
        """Those of the candidates with which one question is right."""
        found = []
        waiting = list(enumerate(candidates))
        while waiting:
            outcomes = self._outcomes([candidate for _, candidate in waiting], probe)
            for (_, candidate), outcome in zip(waiting, outcomes, strict=False):
                if isinstance(outcome, Outcome) and not Question(probe, outcome, self._right[probe.name]).wrong:
                    found.append(candidate)
            waiting = waiting[len(outcomes) :]
        return found

    def _outcomes(self, candidates, probe):
        """What comes back for the first of them, in order; all unless the process dies, and then one more: None."""
        if not self._process:
            self._process = self._start()
        trials = [[candidate.name, candidate.counted()] for candidate in candidates]
        request = {"exercise": self._ex.id, "file": self._ex.file, "probe": probe.name, "seed": self._seed}
        self._process.send({**request, "trials": trials})
        outcomes, began = [], time.monotonic()
        try:
            while (frame := self._process.next(began, self._time_left())) is not None:
                self._demand_time()
                kind = frame if isinstance(frame, dict) else {}  # a stranger may send anything
                if kind.get("done") is True:
                    return outcomes + [None] * (len(candidates) - len(outcomes))
                if type(kind.get("trial")) is int and kind["trial"] == len(outcomes) < len(candidates):
                    outcomes.append(kind.get("outcome"))
                    began = time.monotonic()
        except TimeoutError:
            raise _NoMoreTime from None
        self._end()
        self._deaths += 1
        if self._deaths > MOST_DEATHS:
            raise _NoMoreTime
        return [*outcomes, None][: len(candidates)]

    def _demand_time(self):
        """Raises _NoMoreTime."""
        if (now := time.monotonic()) > self._looked + LOOKED:
            self._looked, self._now = now, self._process.spent() or self._now
            if self._time_left() <= 0 or now > self._end_at or self._stop():
                raise _NoMoreTime

    def _time_left(self):
        return SECONDS - (self._before + self._now + time.process_time() - self._began)

    def _end(self):
        if self._process:
            self._before, self._now = self._before + (self._process.spent() or self._now), 0.0
            self._process.end()
            self._process = None


class _NoMoreTime(Exception):
    """The search is over, and nothing is known."""


def _batches(candidates):
    batch = []
    for candidate in candidates:
        batch.append(candidate)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def slip_of(hits, answer):
    """The Slip of all candidates of a level that help; None if they do not lie together.

    Of those that put something more there it must be the only one: a factor can make up for a fault elsewhere.
    """
    kinds, lines = {hit.kind for hit in hits}, {hit.line for hit in hits}
    if any(kind.level == LEVELS[-1] for kind in kinds) and len({in_one_order(hit.text) for hit in hits}) > 1:
        return None
    around = (min(lines), max(lines)) if len(lines) == 1 else answer.block_around(lines)
    return Slip(around, kinds.pop() if len(kinds) == 1 else None) if around else None

"""Asks a learner's process: limits its time, trusts nothing that it sends, and goes on in a new one if it dies."""

import time
from dataclasses import dataclass

from ..asking.outcome import Outcome
from ..asking.wire import size

TIMEOUT = 10.0  # seconds for an exercise, where nothing else is chosen
SLOWNESS = 3  # what sleeps, or waits for something, ends when the clock shows so many times its limit
STARTING_TIME = 600  # seconds for a process to start on a busy machine, before the first question
MOST_FRAMES = 5  # for each question: two are usual
MOST_KEPT = 4 << 20  # bytes of the answers to one exercise


@dataclass(frozen=True)
class Died:
    """The process ended, or was ended, before it answered.

    kind: "timeout" or "crashed".  importing: the file that was being imported, or "".
    exit_code: what the process ended with (crashed), seconds: how long it was given (timeout).
    """

    kind: str
    importing: str = ""
    exit_code: int = 0
    seconds: float = 0.0


def question(start, exercises, seed, seconds, tell=lambda id: None, more=lambda results: []):
    """Ask a package all probes of the exercises.

    start(): a new process with the package in it; see process.py, and sandbox/outside/client.py.
    seconds(exercise): how long it may take; 0: neither it nor what comes after it is asked any more.
    Returns {exercise id: {probe name: Outcome or Died}}; a probe that was not asked is missing.
    tell(id): called when one of the exercises is begun.
    more(results): which exercises to ask besides, once these are answered.
    """
    results, dead_files = {}, {}
    waiting = list(exercises)
    while waiting:
        results.update({ex.id: {} for ex in waiting if ex.id not in results})
        ex = waiting[0]
        if seconds(ex) <= 0:
            break
        if ex.file in dead_files:
            results[ex.id] = {p.name: dead_files[ex.file] for p in ex.probes}
            waiting = waiting[1:] or more(results)
            continue
        talk = _Talk(start(), waiting, seed, seconds, results, tell, more)
        death = talk.run()
        if death is None:
            break
        if death.importing:
            dead_files[death.importing] = death
        waiting = waiting[talk.position + (not death.importing) :] or more(results)
    return results


class _Talk:
    """The conversation with one process, until everything is answered or it dies.

    waiting: the exercises; those that `more` adds are appended.
    position: of the exercise in `waiting` that it is at. It only goes forward: a process that says
    it began an earlier one again would have its time anew.
    """

    def __init__(self, process, waiting, seed, seconds, results, tell, more):
        self.process, self.waiting, self.seed, self.seconds = process, waiting, seed, seconds
        self.results, self.tell, self.more = results, tell, more
        self.position, self.begun = -1, {}
        self.begin, self.limit = time.monotonic(), STARTING_TIME
        self.frames_left = 0

    def run(self):
        """Returns None, or the Died."""
        try:
            self._send(self.waiting)
            while (frame := self.process.next(self.begin, self.limit)) is not None:
                self.frames_left -= 1
                if self.frames_left < 0:
                    self.process.end()
                    break
                if self._is_done(frame):
                    return None
            return self._died("crashed", exit_code=self.process.exit_code())
        except TimeoutError:
            return self._died("timeout", seconds=self.limit)
        finally:
            self.position = max(self.position, 0)
            self.process.end()

    def _send(self, exercises):
        questions = [[ex.id, ex.file, [probe.name for probe in ex.probes]] for ex in exercises]
        self.frames_left = 100 + MOST_FRAMES * sum(len(names) + 1 for *_, names in questions)
        self.process.send({"questions": questions, "seed": self.seed})

    def _is_done(self, frame):
        if not isinstance(frame, dict):
            return False
        if frame.get("done") is True:
            further = self.more(self.results)
            if not further:
                return True
            self.results.update({ex.id: {} for ex in further})
            self.waiting += further
            self._send(further)
            self.begin = time.monotonic()
        elif "outcome" in frame:
            self._note(frame)
        elif "begin" in frame:
            self._begin(frame)
        return False

    def _note(self, frame):
        """Keep the first answer to each question of the exercise that it is at."""
        ex, outcome = self.waiting[max(self.position, 0)], frame["outcome"]
        kept = self.results[ex.id]
        asked = [[ex.id, probe.name] for probe in ex.probes if probe.name not in kept]
        place = [frame.get("exercise"), frame.get("probe")]
        if type(outcome) is not Outcome or set(map(type, place)) != {str} or place not in asked:
            return
        room = MOST_KEPT - sum(map(size, kept.values()))
        kept[place[1]] = outcome if size(outcome) <= room else Outcome("too large to be kept")

    def _begin(self, frame):
        ids = [ex.id for ex in self.waiting]
        if type(frame["begin"]) is not str or frame["begin"] not in ids[max(self.position, 0) :]:
            return
        position = ids.index(frame["begin"])
        self.begun = {name: value for name, value in frame.items() if type(value) is str}
        if position > self.position:
            self.position, self.begin = position, time.monotonic()
            self.limit = self.seconds(self.waiting[position])
            self.tell(ids[position])

    def _died(self, kind, **how):
        death = Died(kind, self._importing(), **how)
        if "probe" in self.begun:
            self.results[self.begun["begin"]][self.begun["probe"]] = death
        return death

    def _importing(self):
        """The exercise's file, if it was being imported when the process died."""
        own = self.waiting[max(self.position, 0)].file
        return own if self.begun.get("importing") == own else ""

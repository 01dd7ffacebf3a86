"""A worker that outlives what its tasks do to it. Every executor is made of these."""

import signal
from dataclasses import dataclass

from ...course.usage import UsageError
from .worker import MEMORY, Ended, Failed, Worker

LIMIT = 3600.0  # seconds for one submission: far more than all its exercises may take together
AHEAD = 2  # tasks for each worker: the one it is at, and the next


@dataclass(frozen=True)
class Lost:
    """A task without a result.  why: a sentence.  details: for a maintainer, or ""."""

    why: str
    details: str = ""


class SteadyWorker:
    """A worker that is replaced when its process dies; the task it was at is tried once more."""

    def __init__(self, function, limit=LIMIT):
        self._function, self._limit = function, limit
        self._worker, self._stopped = None, False

    def result(self, task):
        """What the function returned, or Lost.  Raises UsageError if no process can be started."""
        for _ in range(2):
            try:
                return self._running().ask(task, self._limit)
            except Failed as failure:
                return Lost(f"The grader itself failed: {failure.args[0]}", failure.args[1])
            except Ended as end:
                self._worker, last = None, end
                if end.slow or self._stopped:
                    break
        return Lost(_why(last, self._limit))

    def dismiss(self):
        """There will be no more tasks."""
        if self._worker:
            self._worker.dismiss()

    def end(self):
        if self._worker:
            self._worker.end()

    def stop(self):
        """End the process, whatever it is doing."""
        self._stopped = True
        if worker := self._worker:
            worker.stop()

    def kill(self):
        """The same, and wait for it."""
        self.stop()
        if worker := self._worker:
            worker.kill()

    def _running(self):
        if self._worker is None:
            try:
                self._worker = Worker(self._function)
            except (Failed, Ended, OSError) as error:
                raise UsageError(f"No process that grades can be started: {error.args[0]}.") from None
            if self._stopped:  # meanwhile, by another thread
                self._worker.stop()
        return self._worker


def _why(end, limit):
    if end.slow:
        return f"Grading was stopped after {limit / 60:.0f} minutes: something hung."
    return f"The process that graded this died twice ({_cause(end)})."


def _cause(end):
    if end.large:
        return f"it needed more than {MEMORY >> 30} GB of memory"
    code = end.exit_code
    if code == -9:
        return "the system ended it, often because memory ran out"
    try:
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    except ValueError:
        return f"signal {-code}"

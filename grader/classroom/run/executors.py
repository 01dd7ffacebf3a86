"""Where grading runs: in worker processes on this machine, or in those of a Dask cluster.

An executor is a context manager with `results(tasks)`. It takes tasks from an iterator as workers become free, so that
a class of any size needs the memory of a few submissions, and yields (task, result) in the order in which they are
done. A result is what the function returned, or Lost.

Leaving the block by an exception, Ctrl-C among them, ends all workers at once.
"""

import itertools
import os
import queue
import signal
import threading
from dataclasses import dataclass
from urllib.parse import urlsplit

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


class Local:
    """Some worker processes on this machine (default: one for each processor)."""

    def __init__(self, function, jobs=None, limit=LIMIT):
        self._workers = [SteadyWorker(function, limit) for _ in range(jobs or processors())]
        self._todo, self._done = queue.Queue(), queue.Queue()

    def __enter__(self):
        for worker in self._workers:
            threading.Thread(target=self._serve, args=(worker,), daemon=True).start()
        return self

    def __exit__(self, kind, *rest):
        for _ in self._workers:
            self._todo.put(None)
        for worker in self._workers:
            worker.stop() if kind else worker.dismiss()
        for worker in self._workers:
            worker.kill() if kind else worker.end()

    def results(self, tasks):
        """(task, result) for each task."""
        tasks, waiting = iter(tasks), 0
        while True:
            for task in itertools.islice(tasks, AHEAD * len(self._workers) - waiting):
                self._todo.put(task)
                waiting += 1
            if not waiting:
                return
            task, result = self._done.get()
            waiting -= 1
            if isinstance(result, Exception):
                raise result
            yield task, result

    def _serve(self, worker):
        while (task := self._todo.get()) is not None:
            try:
                self._done.put((task, worker.result(task)))
            except Exception as error:
                self._done.put((task, error))


def processors():
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def executor(url, function, jobs=None):
    """The executor that a URL names: None or "local", or "dask:tcp://host:8786".  Raises UsageError."""
    if url in (None, "local"):
        return Local(function, jobs)
    scheme, _, address = url.partition(":")
    if scheme != "dask" or not _is_an_address(address):
        raise UsageError(f"--executor {url}: local is known, and dask:tcp://host:8786 with the scheduler's address.")
    if jobs:
        raise UsageError("--jobs is about the processors of this machine: with --executor dask: leave it out.")
    from .dask_executor import Dask

    return Dask(function, address)


def _is_an_address(text):
    try:
        parts = urlsplit(text)
        return parts.scheme in ("tcp", "tls") and bool(parts.hostname and parts.port)
    except ValueError:
        return False

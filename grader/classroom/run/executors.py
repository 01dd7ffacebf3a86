"""Where grading runs: in worker processes on this machine, or in those of a Dask cluster.

An executor is a context manager with `results(tasks)`. It takes tasks from an iterator as workers become free, so that
a class of any size needs the memory of a few submissions, and yields (task, result) in the order in which they are
done. A result is what the function returned, or Lost.

Leaving the block by an exception, Ctrl-C among them, ends all workers at once.
"""

import itertools
import os
import queue
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from urllib.parse import urlsplit

from ...course.usage import UsageError
from .dask_executor import Dask
from .steady_worker import AHEAD, LIMIT, SteadyWorker


def executor(url, function, jobs=None):
    """The executor that a URL names: None or "local", or "dask:tcp://host:8786".  Raises UsageError."""
    if url in (None, "local"):
        return Local(function, jobs)
    scheme, _, address = url.partition(":")
    if scheme != "dask" or not _is_an_address(address):
        raise UsageError(f"--executor {url}: local is known, and dask:tcp://host:8786 with the scheduler's address.")
    if jobs:
        raise UsageError("--jobs is about the processors of this machine: with --executor dask: leave it out.")
    return Dask(function, address)


def _is_an_address(text):
    try:
        parts = urlsplit(text)
        return parts.scheme in ("tcp", "tls") and bool(parts.hostname and parts.port)
    except ValueError:
        return False


class Local:
    """Worker processes on this machine, each waited for by a thread (default: one for each processor)."""

    def __init__(self, function, jobs=None, limit=LIMIT):
        self._workers = [SteadyWorker(function, limit) for _ in range(jobs or processors())]
        self._threads = ThreadPoolExecutor(len(self._workers))
        self._idle = queue.SimpleQueue()

    def __enter__(self):
        for worker in self._workers:
            self._idle.put(worker)
        return self

    def __exit__(self, kind, *rest):
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.stop() if kind else worker.dismiss()
        for worker in self._workers:
            worker.kill() if kind else worker.end()

    def results(self, tasks):
        """(task, result) for each task."""
        tasks, waiting = iter(tasks), {}
        while True:
            for task in itertools.islice(tasks, AHEAD * len(self._workers) - len(waiting)):
                waiting[self._threads.submit(self._result, task)] = task
            if not waiting:
                return
            done = wait(waiting, return_when=FIRST_COMPLETED).done.pop()
            yield waiting.pop(done), done.result()

    def _result(self, task):
        worker = self._idle.get()
        try:
            return worker.result(task)
        finally:
            self._idle.put(worker)


def processors():
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

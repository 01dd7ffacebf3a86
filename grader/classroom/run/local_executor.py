"""Grading on this machine: some worker processes, each of them waited for by a thread."""

import itertools
import os
import queue
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

from .steady_worker import AHEAD, LIMIT, SteadyWorker


class Local:
    """Some worker processes on this machine (default: one for each processor)."""

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

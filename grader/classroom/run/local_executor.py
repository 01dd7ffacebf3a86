"""Grading on this machine: some worker processes, each of them fed by a thread."""

import itertools
import os
import queue
import threading

from .steady_worker import AHEAD, LIMIT, SteadyWorker


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

"""Grading on a cluster of Dask.distributed: a scheduler, and workers on any number of machines.

A task is a plain call with a key of its own. If a worker machine dies, the scheduler gives its tasks to another; a key
is answered once, so no grade is lost and none is doubled. Within a Dask worker each thread has a process that grades
(worker.py), as on one machine: a submission that brings it down takes no Dask worker along.
"""

import contextlib
import itertools
import queue
import secrets
import threading
import time

from ...course.usage import UsageError
from . import digests
from .steady_worker import AHEAD, LIMIT, Lost, SteadyWorker

TIMEOUT = 20  # seconds for the scheduler to answer
PATIENCE = 60  # seconds for the first worker to be there
PAUSE = 5  # seconds between two looks at the cluster

INSTALL = "python -m pip install -r requirements/dask.txt"
NO_COURSE = "start the workers in the course's folder, or with PYTHONPATH set to it"


class Dask:
    """The workers of the scheduler at an address such as tcp://host:8786.

    Raises UsageError if there is no scheduler, no worker or no library, or if a worker has another course.
    """

    def __init__(self, function, address, limit=LIMIT, timeout=TIMEOUT, patience=PATIENCE):
        self._function, self._limit, self._address = function, limit, address
        self._client = _client(address, timeout)
        self._run, self._numbers = secrets.token_hex(8), itertools.count()
        self._done, self._waiting = queue.SimpleQueue(), {}  # {key: (task, its future)}
        self._looked, self._room = float("-inf"), 0
        try:
            self._demand_workers(patience)
            self._demand_this_course()
        except BaseException:
            self._client.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, kind, *rest):
        with contextlib.suppress(Exception):  # the exception that is being raised says more than this one
            self._client.cancel([future for _, future in self._waiting.values()], force=True)
            self._client.run(dismiss, kill=bool(kind), on_error="ignore")
        with contextlib.suppress(Exception):
            self._client.close(timeout=5)

    def results(self, tasks):
        """(task, result) for each task."""
        tasks = iter(tasks)
        while True:
            for task in itertools.islice(tasks, max(0, self._room_for() - len(self._waiting))):
                self._submit(task)
            if not self._waiting:
                return
            if (key := self._next()) is not None:
                task, future = self._waiting.pop(key)
                yield task, self._result(future)

    def _submit(self, task):
        """Under a key of its own, so that it is answered once."""
        key, options = f"babygrad-{self._run}-{next(self._numbers)}", dict(pure=False, retries=1)
        arguments = self._function, task, self._limit, digests.of_the_course()
        future = self._client.submit(result_of, *arguments, key=key, **options)
        self._waiting[key] = task, future
        future.add_done_callback(lambda _: self._done.put(key))

    def _next(self):
        """The key of a task that is done; None after a while without."""
        try:
            return self._done.get(timeout=PAUSE)
        except queue.Empty:
            if self._client.status == "closed":
                raise self._gone() from None
            return None

    def _result(self, future):
        if future.status == "finished":
            try:
                return future.result()
            except OSError:  # what became of it went with the connection
                raise self._gone() from None
        if future.status != "error":
            raise self._gone()
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            return Lost("The machines that graded this died, one after another.", str(error))
        raise UsageError(f"The workers of {self._address} cannot grade: {type(error).__name__}: {error}")

    def _room_for(self):
        """How many tasks to have handed out. Workers come and go, so this is looked up again now and then."""
        if time.monotonic() - self._looked > PAUSE:
            with contextlib.suppress(OSError):
                self._room = AHEAD * sum(self._client.nthreads().values())
            self._looked = time.monotonic()
        return max(self._room, 1)

    def _gone(self):
        return UsageError(f"The scheduler at {self._address} is gone. Start it again, and continue with --resume.")

    def _demand_workers(self, patience):
        try:
            self._client.wait_for_workers(1, timeout=patience)
        except TimeoutError:
            raise UsageError(f"The scheduler at {self._address} has no workers. Start some: dask worker ...") from None

    def _demand_this_course(self):
        here = digests.of_the_course()
        for worker, there in self._client.run(course_there, on_error="return").items():
            if isinstance(there, Exception):
                raise UsageError(f"The worker {worker} cannot import the course ({there}): {NO_COURSE}.")
            if there != here:
                raise UsageError(f"The worker {worker} has a different version of the course: copy this one to it.")


def _client(address, timeout):
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(f"--executor dask: needs the package distributed: {INSTALL}") from None
    try:
        return Client(address, timeout=timeout, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"No Dask scheduler answers at {address} within {timeout} seconds ({error}).") from None


# ---- in a Dask worker ----

_processes = {}  # {thread: its SteadyWorker}


def course_there():
    """The digests of the course that this worker has. It may have been replaced since the last grading."""
    digests.of_the_course.cache_clear()
    return digests.of_the_course()


def result_of(function, task, limit, course):
    """What the function returns in this thread's own process, or Lost.

    course: its digests. A worker that joined later may have another one: RuntimeError.
    """
    if digests.of_the_course() != course:
        raise RuntimeError("a worker has another version of the course")
    thread = threading.get_ident()
    if thread not in _processes:
        _processes[thread] = SteadyWorker(function, limit)
    return _processes[thread].result(task)


def dismiss(kill):
    """End the processes of this worker; kill: whatever they are doing."""
    for worker in [_processes.pop(thread) for thread in list(_processes)]:
        worker.kill() if kill else worker.end()

"""Worker processes: all tasks are answered, whatever a task does to its process."""

import os
import re
import select
import signal
import sys
import threading
from pathlib import Path

import pytest

from grader.classroom.run import steady_worker
from grader.classroom.run.executors import Local, executor
from grader.classroom.run.steady_worker import AHEAD, Lost, SteadyWorker
from grader.classroom.run.worker import MEMORY, Ended, Worker
from grader.course.usage import UsageError

sys.path.append(str(Path(__file__).parents[1]))  # the workers get it too
OBEY = "classroom_fakes:obey"

posix_only = pytest.mark.skipif(os.name != "posix", reason="signals and named pipes")


def answers(tasks, jobs=2, **options):
    with Local(OBEY, jobs, **options) as workers:
        return dict(workers.results(tasks))


def test_every_task_is_answered():
    tasks = [f"task {n}" for n in range(20)]
    assert answers(tasks) == {task: task for task in tasks}


def test_no_task_is_no_answer():
    assert answers([]) == {}


@pytest.mark.leg("push")
def test_a_worker_does_several_tasks_one_after_the_other():
    pids = answers(["pid", "pid "], jobs=1)
    assert pids["pid"] == pids["pid "] != os.getpid()


@pytest.mark.leg("push")
def test_tasks_are_read_only_as_workers_become_free():
    read, seen = [], 0
    with Local(OBEY, 2) as workers:
        for _ in workers.results(f"{n}" for n in range(40) if not read.append(n)):
            seen += 1
            assert len(read) <= seen + AHEAD * 2


@posix_only
def test_a_task_whose_process_dies_once_is_tried_again(tmp_path):
    task = f"die {tmp_path / 'died'}"
    assert answers([task, "next"]) == {task: task, "next": "next"}


@posix_only
@pytest.mark.leg("push")
def test_a_task_whose_process_dies_twice_is_lost_and_no_other_is():
    tasks = ["a", "die", "b", "c"]
    got = answers(tasks)
    assert got.pop("die") == Lost(
        "The process that graded this died twice (the system ended it, often because memory ran out)."
    )
    assert got == {"a": "a", "b": "b", "c": "c"}


@pytest.mark.skipif(sys.platform != "linux", reason="macOS keeps no limit on memory, Windows has none")
@pytest.mark.leg("push")
def test_a_task_that_needs_too_much_memory_is_lost_and_its_process_is_replaced():
    got = answers(["a", "memory", "b"], jobs=1)
    lost = got.pop("memory")
    assert lost == Lost("The process that graded this died twice (it needed more than 2 GB of memory).")
    assert got == {"a": "a", "b": "b"}


@pytest.mark.skipif(sys.platform != "linux", reason="this is read from /proc")
def test_a_worker_has_a_limit_on_its_memory():
    worker = Worker(OBEY)
    limits = Path(f"/proc/{worker.pid}/limits").read_text()
    worker.end()
    assert re.search(rf"Max address space\s+{MEMORY}\b", limits)


@pytest.mark.leg("push")
def test_a_fault_of_the_grader_is_said_with_its_traceback():
    lost = answers(["raise", "next"])["raise"]
    assert lost.why == "The grader itself failed: RuntimeError: a fault of the grader"
    assert "_raise" in lost.details


@posix_only
@pytest.mark.leg("push")
def test_a_task_that_hangs_is_ended_and_not_tried_again(tmp_path, monkeypatch):
    asked = []

    class Watched(Worker):
        def ask(self, task, limit):
            asked.append(task)
            return super().ask(task, limit)

    monkeypatch.setattr(steady_worker, "Worker", Watched)
    os.mkfifo(tmp_path / "pipe")
    task = f"wait {tmp_path / 'pipe'}"
    got = answers([task, "next"], jobs=1, limit=0.5)
    assert "something hung" in got[task].why and got["next"] == "next"
    assert asked == [task, "next"]


@pytest.mark.parametrize("function", ["no_such_module:f", "classroom_fakes:no_such_function"])
@pytest.mark.leg("push")
def test_a_function_that_is_not_there_is_said_at_once(function):
    words = r"No process that grades can be started: .*no_such"
    with pytest.raises(UsageError, match=words), Local(function, 1) as workers:
        list(workers.results(["a"]))


def is_gone(pipe):
    """Has nobody the named pipe open for reading, within a while?"""
    poll = select.poll()
    poll.register(pipe, 0)
    return bool(poll.poll(600_000))


@posix_only
@pytest.mark.leg("push")
def test_an_exception_ends_all_workers_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")

    def tasks():
        yield f"wait {tmp_path / 'pipe'}"
        tasks.pipe = os.open(tmp_path / "pipe", os.O_WRONLY)  # returns when the worker is reading
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Local(OBEY, 1) as workers:
        list(workers.results(tasks()))
    assert is_gone(tasks.pipe)
    os.close(tasks.pipe)


@posix_only
@pytest.mark.leg("push")
def test_a_worker_at_work_ends_when_its_parent_is_gone(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    worker = Worker(OBEY)
    task, ended = f"wait {tmp_path / 'pipe'}", []

    def ask():
        try:
            worker.ask(task, limit=600)
        except Ended as end:
            ended.append(end)

    asking = threading.Thread(target=ask)
    asking.start()
    pipe = os.open(tmp_path / "pipe", os.O_WRONLY)
    worker._process.stdin.close()  # what is left of a pipe whose other end died
    assert is_gone(pipe)
    os.close(pipe)
    asking.join(600)
    assert ended and not ended[0].slow


def test_a_worker_without_work_ends_when_its_pipe_does():
    worker = Worker(OBEY)
    worker.end()
    assert worker._process.returncode == 0


@posix_only
@pytest.mark.leg("push")
def test_a_worker_that_dies_between_two_tasks_is_replaced():
    worker = SteadyWorker(OBEY)
    os.kill(worker.result("pid"), signal.SIGKILL)
    assert worker.result("again") == "again"
    worker.end()


@posix_only
@pytest.mark.leg("push")
def test_a_worker_that_is_stopped_while_it_starts_does_not_begin_its_task(tmp_path, monkeypatch):
    class Starting(Worker):
        def __init__(self, function):
            super().__init__(function)
            steady.stop()

    monkeypatch.setattr(steady_worker, "Worker", Starting)
    os.mkfifo(tmp_path / "pipe")
    steady = SteadyWorker(OBEY, limit=600)
    lost = steady.result(f"wait {tmp_path / 'pipe'}")
    steady.kill()
    assert isinstance(lost, Lost) and "hung" not in lost.why


@pytest.mark.parametrize(
    "url",
    ["slurm", "dask", "dask:", "dask:host", "dask:tcp://", "dask:tcp://host", "dask:http://host:1", "dask:tcp://h:x"],
)
def test_an_executor_that_does_not_exist_is_a_usage_error(url):
    with pytest.raises(UsageError, match=f"--executor {url}: local is known, and dask:tcp://host:8786"):
        executor(url, OBEY)


@pytest.mark.parametrize("url", [None, "local"])
def test_this_machine_is_the_default(url):
    assert isinstance(executor(url, OBEY, 1), Local)

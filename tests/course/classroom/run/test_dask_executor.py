"""Grading on a Dask cluster: a real scheduler and two real workers, one of which is killed in the middle."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fcntl")  # named pipes and signals: no Windows
sys.path.append(str(Path(__file__).parents[1]))
import classroom_fakes as fakes

from grader.classroom.run import digests
from grader.classroom.run.dask_executor import Dask
from grader.classroom.run.executors import executor
from grader.classroom.run.steady_worker import AHEAD, LIMIT, Lost
from grader.course.paths import ROOT
from grader.course.usage import UsageError

pytestmark = pytest.mark.leg("push")

OBEY = "classroom_fakes:obey"
PATIENCE = 600  # seconds, on a busy machine
PATH = os.pathsep.join([str(ROOT), str(Path(__file__).parents[1])])


class Cluster:
    """A scheduler on this machine, and workers of one thread each."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self.start("scheduler", "--host", self.address, "--no-dashboard")

    def worker(self, **environment):
        """A new worker's process, without a nanny that would start it again."""
        own = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", self.folder)
        return self.start("worker", self.address, *own, **environment)

    def start(self, kind, *words, **environment):
        command = [sys.executable, "-m", "distributed.cli.dask_" + kind, *map(str, words)]
        env = {**os.environ, "PYTHONPATH": PATH, **environment}
        with open(self.folder / "log", "a") as log:
            self.processes.append(subprocess.Popen(command, cwd=self.folder, env=env, stdout=log, stderr=log))
        return self.processes[-1]

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def cluster_of(folder, workers):
    cluster = Cluster(folder)
    try:
        for _ in range(workers):
            cluster.worker()
        yield cluster
    finally:
        cluster.end()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Two workers, for all tests that end none of them."""
    with cluster_of(tmp_path_factory.mktemp("cluster"), 2) as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def faked(monkeypatch):
    fakes.use(monkeypatch)
    monkeypatch.setattr(Dask.__init__, "__defaults__", (LIMIT, PATIENCE, PATIENCE))


def answers(address, tasks, **options):
    with Dask(OBEY, address, **options) as workers:
        return dict(workers.results(tasks))


@pytest.mark.leg("night")
def test_every_task_is_answered_by_a_process_of_a_worker(cluster):
    tasks = [f"task {n}" for n in range(30)]
    assert answers(cluster.address, tasks) == {task: task for task in tasks}
    pids = set(answers(cluster.address, ["pid" + " " * n for n in range(20)]).values())
    assert pids.isdisjoint({process.pid for process in cluster.processes}) and len(pids) == 2


def test_the_same_task_twice_is_done_twice(cluster):
    with Dask(OBEY, cluster.address) as workers:
        assert len(list(workers.results(["again", "again"]))) == 2


@pytest.mark.leg("night")
def test_tasks_are_read_only_as_workers_become_free(cluster):
    read, seen = [], 0
    with Dask(OBEY, cluster.address) as workers:
        for _ in workers.results(f"{n}" for n in range(40) if not read.append(n)):
            seen += 1
            assert len(read) <= seen + AHEAD * 2


@pytest.mark.leg("night")
def test_a_task_that_brings_its_process_down_is_lost_and_the_worker_lives(cluster):
    got = answers(cluster.address, ["a", "die", "raise", "b"])
    assert "died twice" in got["die"].why and "RuntimeError: a fault of the grader" in got["raise"].why
    assert (got["a"], got["b"]) == ("a", "b")
    assert all(process.poll() is None for process in cluster.processes)


def test_a_class_graded_on_a_cluster_has_the_same_pages(cluster, tmp_path):
    course = fakes.class_of(tmp_path / "submissions", 6)
    url = f"dask:{cluster.address}"
    assert fakes.graded(course, tmp_path / "dask", executor=url, jobs=None)[0] == 0
    fakes.graded(course, tmp_path / "local")
    assert fakes.outputs(tmp_path / "dask") == fakes.outputs(tmp_path / "local")


@pytest.mark.leg("night")
def test_with_a_worker_killed_in_the_middle_no_grade_is_lost_and_none_doubled(tmp_path):
    course, pipe = fakes.class_of(tmp_path / "submissions", 12), tmp_path / "pipe"
    os.mkfifo(pipe)
    fakes.hand_in(course, "s05", f"wait {pipe}")
    with cluster_of(tmp_path, 2) as cluster:
        answers(cluster.address, ["all is well"])
        words = fakes.command(course, tmp_path / "out", "--seed", 7, "--executor", f"dask:{cluster.address}")
        grading = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        writer = os.open(pipe, os.O_WRONLY)  # returns when a worker is at s05
        victim = worker_with(reader_of(pipe, grading.pid), cluster)
        pipe.rename(tmp_path / "old pipe")
        pipe.touch()  # the next one to take s05 up is not kept
        victim.send_signal(signal.SIGKILL)
        printed, _ = grading.communicate(timeout=600)
        os.close(writer)
    assert grading.returncode == 0, printed
    assert (tmp_path / "out" / "journal.jsonl").read_text().count("\n") == 12
    fakes.graded(course, tmp_path / "local")
    assert fakes.outputs(tmp_path / "out") == fakes.outputs(tmp_path / "local")


def reader_of(pipe, *others):
    """The process that has the pipe open, besides this one."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) not in (os.getpid(), *others):
            with contextlib.suppress(OSError):
                if any(os.path.samefile(fd, pipe) for fd in (entry / "fd").iterdir()):
                    return int(entry.name)
    raise AssertionError(f"nobody reads {pipe}")


def worker_with(child, cluster):
    """The Dask worker whose process this is."""
    parent = int(Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[1])
    return next(process for process in cluster.processes if process.pid == parent)


# ---- what can be wrong with a cluster ----


@pytest.mark.leg("night")
def test_an_address_where_nobody_answers_is_said_in_time():
    with pytest.raises(UsageError, match=r"No Dask scheduler answers at tcp://127.0.0.1:\d+ within 1 seconds"):
        Dask(OBEY, f"tcp://127.0.0.1:{free_port()}", timeout=1)


@pytest.mark.leg("night")
def test_a_scheduler_without_workers_is_said(tmp_path):
    words = r"has no workers\. Start some: dask worker"
    with cluster_of(tmp_path, 0) as cluster, pytest.raises(UsageError, match=words):
        Dask(OBEY, cluster.address, patience=0.5)


def test_workers_with_another_version_of_the_course_are_refused(cluster, monkeypatch):
    monkeypatch.setitem(digests.of_the_course(), "grader", "another")
    with pytest.raises(UsageError, match="has a different version of the course"):
        Dask(OBEY, cluster.address)


@pytest.mark.leg("night")
def test_workers_that_cannot_import_the_course_are_told_how(tmp_path):
    with cluster_of(tmp_path, 0) as cluster:
        (tmp_path / "elsewhere" / "grader").mkdir(parents=True)
        (tmp_path / "elsewhere" / "grader" / "__init__.py").touch()  # some other package of that name
        cluster.worker(PYTHONPATH=str(tmp_path / "elsewhere"))
        with pytest.raises(UsageError, match=r"cannot import the course .*with PYTHONPATH set to it"):
            Dask(OBEY, cluster.address)


@pytest.mark.leg("night")
def test_a_scheduler_that_goes_away_in_the_middle_is_said(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with cluster_of(tmp_path, 1) as cluster:
        answers(cluster.address, ["all is well"])
        left_alone(cluster, tmp_path / "pipe")


def left_alone(cluster, pipe):
    with Dask(OBEY, cluster.address) as workers:

        def tasks():
            """The second is asked for when the first is done; then the scheduler is gone."""
            yield "first"
            yield f"wait {pipe}"

        results = workers.results(tasks())
        assert next(results) == ("first", "first")
        workers._client._timeout = 2  # from here on
        cluster.processes[0].kill()
        with pytest.raises(
            UsageError, match=r"The scheduler at .* is gone\. Start it again, and continue with --resume"
        ):
            list(results)


def test_without_the_library_the_way_to_install_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install -r requirements/dask.txt"):
        executor("dask:tcp://127.0.0.1:8786", OBEY)


def test_jobs_are_no_option_of_a_cluster():
    with pytest.raises(UsageError, match="--jobs is about the processors of this machine"):
        executor("dask:tcp://127.0.0.1:8786", OBEY, 2)


@pytest.mark.leg("push")
def test_workers_that_all_die_at_one_task_lose_that_task_alone():
    class Future:
        status = "error"

        def exception(self):
            return type("KilledWorker", (Exception,), {})("task")

    assert isinstance(Dask._result(None, Future()), Lost)

"""A process that grades one submission after the other: both ends of its two pipes.

The worker is as trusted as its parent: what a learner wrote runs one process further on, sandboxed. So their messages
may be pickled. The first names sys.path and the function to call, each further one is a task. The worker answers
("ready",), ("done", result), ("raised", sentence, traceback) or ("too large",).

A worker has a limit on its memory, where the system keeps one: what needs more ends it, and not the machine.

A worker ends with its parent, however that ended: a thread of its own waits for the end of the pipe. It is told to end
by SIGTERM, which lets it clean up what its jail needs; if that takes too long it is killed.
"""

import contextlib
import importlib
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

with contextlib.suppress(ImportError):  # Windows has none
    import resource

MEMORY = 2 << 30  # bytes of address space, also of what it starts; an ordinary worker has a quarter of a gigabyte
_LENGTH = struct.Struct("<Q")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_PATIENCE = 600  # seconds that a worker without work may take to end
_GRACE = 30  # seconds that one at work has to clean up


class Ended(Exception):
    """The process ended before it answered, or was ended.

    exit_code as of subprocess; slow: it took too long; large: it needed more than MEMORY.
    """

    def __init__(self, exit_code, slow=False, large=False):
        super().__init__(exit_code, slow, large)
        self.exit_code, self.slow, self.large = exit_code, slow, large


class Failed(Exception):
    """The function raised an exception.  args: a sentence, and the traceback."""


class Worker:
    """A new process that calls a function, named "module:function", with one task after the other."""

    def __init__(self, function):
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-B", os.path.abspath(__file__)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_ONE_THREAD},  # the processors are busy with other workers
            start_new_session=os.name == "posix",  # Ctrl-C is for the parent alone
        )
        self._slow = False
        self._asked((sys.path, function))

    @property
    def pid(self):
        return self._process.pid

    def ask(self, task, limit):
        """What the function returns.  Raises Failed if it raised; Ended if the process died or took `limit` seconds."""
        self._slow = False
        timer = threading.Timer(limit, self._too_slow)
        timer.daemon = True
        timer.start()
        try:
            return self._asked(task)
        finally:
            timer.cancel()

    def dismiss(self):
        """Let a worker that has nothing to do clean up and end."""
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def end(self):
        """The same, and wait for it."""
        self.dismiss()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()

    def stop(self):
        """Tell it to end, whatever it is doing."""
        self._process.terminate()

    def kill(self):
        """End it now, with all that it started."""
        self.stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()

    def _asked(self, message):
        try:
            _write(self._process.stdin, message)
            kind, *rest = _read(self._process.stdout)
        except (OSError, EOFError, ValueError):
            self.kill()
            raise Ended(self._process.returncode, self._slow) from None
        if kind == "too large":
            self.kill()
            raise Ended(self._process.returncode, large=True)
        if kind == "raised":
            raise Failed(*rest)
        return rest[0] if rest else None

    def _too_slow(self):
        self._slow = True
        self.kill()


def main():
    """What runs in the worker process."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that functions registered with atexit run
    _limit_memory()
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    from grader.asking.pipes import take_over_pipes

    requests, answers = take_over_pipes()
    path, name = _read(requests)
    sys.path[:] = path
    module, _, function = name.partition(":")
    found = _answered(lambda: getattr(importlib.import_module(module), function))
    _write(answers, ("ready",) if found[0] == "done" else found)
    for task in _tasks(requests):
        _write(answers, _answered(lambda task=task: found[1](task)))


def _limit_memory():
    """Linux keeps this limit; macOS knows it and does not."""
    with contextlib.suppress(NameError, OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY if hard < 0 else min(MEMORY, hard), hard))


def _answered(call):
    """What is sent back. After "too large" the process is ended: nobody knows what else was left half done."""
    try:
        return "done", call()
    except MemoryError:
        return ("too large",)
    except Exception as error:
        return "raised", f"{type(error).__name__}: {error}", traceback.format_exc()


def _tasks(requests):
    """The tasks as they come.  If the pipe ends while one is being done, so does this process, at once."""
    tasks, idle = queue.SimpleQueue(), threading.Event()
    idle.set()

    def read():
        with contextlib.suppress(EOFError):
            while True:
                tasks.put([_read(requests)])
        if idle.is_set():
            tasks.put([])
        else:
            _end_this_process()

    threading.Thread(target=read, daemon=True).start()
    while task := tasks.get():
        idle.clear()
        yield task[0]
        idle.set()


def _end_this_process():
    """Called from a thread other than the main one."""
    if os.name == "posix":
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_GRACE)
        os.kill(0, signal.SIGKILL)  # the whole group
    os._exit(1)


def _write(pipe, message):
    data = pickle.dumps(message)
    pipe.write(_LENGTH.pack(len(data)) + data)
    pipe.flush()


def _read(pipe):
    return pickle.loads(_exactly(pipe, _LENGTH.unpack(_exactly(pipe, _LENGTH.size))[0]))


def _exactly(pipe, size):
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


if __name__ == "__main__":
    main()

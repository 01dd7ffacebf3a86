"""A learner's process on the learner's own machine: started anew, ended with all that it started."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from ..asking import child
from ..asking.wire import WireError, read_frame
from .questioning import SLOWNESS

PATIENCE = 1.0  # seconds from the end of a process's answers to its own end
MOST_HELD_UP = 600.0  # seconds of waiting for a processor that do not count, at most
SHORTEST = 0.02  # seconds, at least, between two looks at what it has used
_CHILD = Path(child.__file__)


class LearnersProcess:
    """A new process that answers questions about the package in directory/babygrad."""

    def __init__(self, directory):
        self._directory = str(directory)
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-B", str(_CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=os.name == "posix",
        )
        self._frames = _frames_of(self._process)
        self._begin = self._before = None

    def send(self, request):
        """Ask {"questions": [[exercise id, [probe names]], ...], "seed": n}."""
        line = json.dumps({"package": self._directory, **request})
        with contextlib.suppress(BrokenPipeError):  # it died; the missing frames will say so
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()

    def next(self, begin, limit):
        """The next frame; None at the end.

        Raises TimeoutError when the process has used `limit` seconds of processor time since the time `begin`, or
        SLOWNESS times as much on the clock, without the time in which other programs kept it from running. On a system
        that does not tell, `limit` seconds after `begin`.
        """
        if begin != self._begin:
            self._begin, self._before = begin, _spent(self._process.pid)
        left = begin + limit - time.monotonic()
        while True:
            try:
                return self._frames.get(timeout=max(0.0, left))
            except queue.Empty:
                left = self._left(limit)
            if left <= 0:
                raise TimeoutError

    def _left(self, limit):
        """For how many seconds it has certainly not used up its time, which the clock says is over."""
        if (spent := _spent(self._process.pid)) is None or self._before is None:
            return 0.0
        used, held_up = (now - before for now, before in zip(spent, self._before, strict=True))
        clock = time.monotonic() - self._begin - min(held_up, MOST_HELD_UP)
        left = min(limit - used, SLOWNESS * limit - clock)
        return max(left, SHORTEST) if left > 0 else 0.0

    def spent(self):
        """Seconds of processor time that it used, where the system tells; else None."""
        spent = _spent(self._process.pid)
        return spent and spent[0]

    def exit_code(self):
        """The exit code. A process that only fell silent is ended first."""
        try:
            return self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.end()
            return self._process.returncode

    def end(self):
        """End the process and everything that it started."""
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()


def _spent(number):
    """Seconds that a process ran, and that it could have run but had no processor: its first thread. If Linux tells."""
    try:
        ran, held_up, _ = map(int, Path(f"/proc/{number}/schedstat").read_text().split())
    except (OSError, ValueError):
        return None
    return (ran / 1e9, held_up / 1e9) if ran else None


def _frames_of(process):
    """A queue of the process's frames; None stands for the end of the pipe."""
    frames = queue.Queue()

    def read():
        try:
            while (frame := read_frame(process.stdout)) is not None:
                frames.put(frame)
        except (WireError, OSError, ValueError):
            pass
        frames.put(None)

    threading.Thread(target=read, daemon=True).start()
    return frames

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

PATIENCE = 1.0  # seconds from the end of a process's answers to its own end
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

    def send(self, request):
        """Ask {"questions": [[exercise id, [probe names]], ...], "seed": n}."""
        line = json.dumps({"package": self._directory, **request})
        with contextlib.suppress(BrokenPipeError):  # it died; the missing frames will say so
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()

    def next(self, begin, limit):
        """The next frame; None at the end.  Raises TimeoutError `limit` seconds after the time `begin`."""
        try:
            return self._frames.get(timeout=max(0.0, begin + limit - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None

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

"""The grader's side of a jail: starts the fork server, hands it submissions, reads the answers and the clock."""

import contextlib
import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .. import stubs
from ..learner import question
from ..places import package_folder
from ..wire import WireError, read_frame
from . import bundle, roots, syscalls

WORK = "/learner"  # where the package lies for a pod with a file system of its own
NOBODY = 65534
STARTING = 60.0  # seconds for a server to be ready, on a busy machine
PATIENCE = 5.0  # seconds for a server to carry out a command
NOT_SHUT_IN = 70  # server.py ends a pod with it that fails before it is asked
SLOWNESS = 3  # a machine that is busy with other work may take so many times the limit, as a clock on the wall tells


class JailError(Exception):
    """The jail itself does not work. The message says what the server said."""


class Jail:
    """A fork server and what it needs. A context manager.

    level: a Level of levels.py.
    """

    def __init__(self, level):
        self.level = level
        self._folder = tempfile.TemporaryDirectory(prefix="babygrad-jail-")
        self._server = None
        self._prepare(Path(self._folder.name))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """End the server, and remove what was made for it."""
        self._stop()
        self._folder.cleanup()

    def question(self, files, exercises, seed, seconds, more=lambda results: []):
        """What a submission answers: {exercise id: {probe name: Outcome or Died}}.

        files: {name inside babygrad/: bytes} of the learner; the others are as the course gives them.
        seconds(exercise): of processor time.
        """
        return question(lambda: Pod(self, files), exercises, seed, seconds, more=more)

    def holes(self):
        """What the walls do not keep: sentences of walls.py, found by trying from inside."""
        pod = Pod(self, {})
        try:
            pod.send({"walls": True})
            frame = pod.next(time.monotonic(), PATIENCE)
        except TimeoutError:
            frame = None
        finally:
            pod.end()
        if not frame or "walls" not in frame:
            raise JailError("a process that was shut in could not answer")
        return frame["walls"]

    def server(self):
        """The running server, started if there is none."""
        if self._server is None:
            self._clear_work()
            self._server = _Server(self.level, self._order)
        return self._server

    def broken(self):
        """Something is wrong with the server: the next pod gets a new one."""
        self._stop()

    def _stop(self):
        if self._server:
            self._server.stop()
            self._server = None

    def _clear_work(self):
        """Nothing of the last submission stays. A pod with a file system of its own gets a new folder anyway."""
        work = self._order["work"]
        if work != WORK:
            shutil.rmtree(work, ignore_errors=True)
            os.makedirs(work, exist_ok=True)
            os.chmod(work, 0o777)

    def _prepare(self, folder):
        folder.chmod(0o755)
        made = bundle.make(folder / "bundle")
        stubs.write(folder / "given")
        packages = folder / "packages"
        packages.mkdir()
        for path in roots.numpy_folders():
            (packages / os.path.basename(path)).symlink_to(path)
        own_files = self.level.namespaces or self.level.bubblewrap
        given = str(package_folder(folder / "given"))
        shown = [*roots.python_folders(), *roots.numpy_folders(), str(made), str(packages), given]
        without = [path for each in shown for path in roots.without_packages(each)]
        self._order = {
            "bundle": str(made),
            "packages": str(packages),
            "given": given,
            "readable": shown if own_files else without,
            "work": WORK if own_files else str(folder / "work"),
            "nobody": self._nobody(without),
            "namespaces": self.level.namespaces,
            "landlock": self.level.landlock,
            "seccomp": self._write_filter(made / "filter") if self.level.seccomp else None,
        }

    def _nobody(self, folders):
        """Root becomes this user. Not in bubblewrap, where there is no other, nor where another could read nothing."""
        if os.geteuid() != 0 or self.level.bubblewrap:
            return None
        return NOBODY if self.level.namespaces or all(map(_open_to_all, folders)) else None

    @staticmethod
    def _write_filter(path):
        syscalls.write_filter(path)
        path.chmod(0o644)
        return str(path)


class _Server:
    """The fork server's process, and the socket to command it."""

    def __init__(self, level, order):
        self.level, self.order = level, order
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [os.path.realpath(sys.executable), "-I", "-S", "-B", _path_of_server(order)]
        command.append(json.dumps({**order, "control": theirs.fileno()}))
        if level.bubblewrap:
            command = _bubblewrapped(command, order)
        with theirs:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"},
                cwd="/",
                start_new_session=True,
            )
        ready = self.reply(STARTING)
        if "ready" not in ready:
            self.stop()
            raise JailError(ready.get("failed", "the server did not start"))

    def start(self, requests, answers):
        """Fork a pod that reads requests and writes answers."""
        with contextlib.suppress(OSError):
            socket.send_fds(self.control, [b'{"start": true}'], [requests, answers])
        reply = self.reply(PATIENCE)
        if "started" not in reply:
            raise JailError(reply.get("failed", "no pod could be started"))

    def command(self, name):
        """Send a command without descriptors."""
        with contextlib.suppress(OSError):
            self.control.send(json.dumps({name: True}).encode())

    def reply(self, seconds):
        """The next message of the server; {} if none comes."""
        self.control.settimeout(seconds)
        with contextlib.suppress(OSError, ValueError):
            return json.loads(self.control.recv(4000) or "{}")
        return {}

    def stop(self):
        """End the server, and its pod with it."""
        self.control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        _end_group(self.process)


class Pod:
    """A process for one submission, with the interface that learner.question() asks for."""

    def __init__(self, jail, files):
        self._jail = jail
        self._server = jail.server()
        theirs, self._requests = os.pipe()
        self._answers, their_answers = os.pipe()
        self._stream = _TimedPipe(self._answers, self._processor_time)
        self._code, self._heard = None, False
        try:
            self._server.start(theirs, their_answers)
        except JailError:
            self._close()
            jail.broken()
            raise
        finally:
            os.close(theirs)
            os.close(their_answers)
        self._write(json.dumps({"files": [[name, len(data)] for name, data in files.items()]}).encode() + b"\n")
        self._write(b"".join(files.values()))

    def send(self, request):
        """Ask {"questions": [[exercise id, [probe names]], ...], "seed": n}."""
        self._write(json.dumps(request).encode() + b"\n")

    def next(self, begin, limit):
        """The next frame; None at the end.

        Raises TimeoutError when the process has used `limit` seconds of processor time since the time `begin`, or
        SLOWNESS times as much on the clock.
        """
        self._stream.set_limit(begin, limit)
        try:
            frame = read_frame(self._stream)
        except TimeoutError:
            raise
        except (WireError, OSError):
            return None
        self._heard = self._heard or frame is not None
        return frame

    def exit_code(self):
        """What it ended with: minus the number of the signal that ended it. One that only fell silent is ended.

        Raises JailError for one that could not be shut in, and so never came to the submission's code.
        """
        if self._code is None:
            self._await_end(PATIENCE / 5)
        if self._code is None:
            self.end()
        if self._code == NOT_SHUT_IN and not self._heard:
            raise JailError("a process could not be shut in")
        return self._code if self._code is not None else -9

    def end(self):
        """End it, with everything that it began."""
        if self._code is None:
            self._server.command("kill")
            self._await_end(PATIENCE)
        if self._code is None or self._jail.level.one_each:
            self._jail.broken()
        self._close()

    def _await_end(self, seconds):
        end = time.monotonic() + seconds
        while self._code is None and (left := end - time.monotonic()) > 0:
            reply = self._server.reply(left)
            if not reply:
                return
            self._code = reply.get("ended")

    def _processor_time(self):
        """Seconds of processor time used so far, or None if it has ended."""
        self._server.command("processor")
        reply = self._server.reply(PATIENCE)
        if "ended" in reply:
            self._code = reply["ended"]
            return None
        return reply.get("processor")

    def _write(self, data):
        with contextlib.suppress(OSError):  # it died; the missing frames will say so
            while data:
                data = data[os.write(self._requests, data) :]

    def _close(self):
        for descriptor in (self._requests, self._answers):
            with contextlib.suppress(OSError):
                os.close(descriptor)


class _TimedPipe:
    """Reads from a descriptor as a file does, until the time is up.

    processor_time(): what the writing process has used so far, or None if it has ended. It is asked when the clock on
    the wall has run out, because on a busy machine that says little.
    """

    def __init__(self, descriptor, processor_time):
        self._descriptor, self._processor_time = descriptor, processor_time
        self._waiting = bytearray()
        self._start = time.monotonic()
        self._begin = self._limit = self._deadline = 0.0

    def set_limit(self, begin, limit):
        """`limit` seconds from the time `begin`."""
        if (begin, limit) != (self._begin, self._limit):
            self._begin, self._limit, self._deadline = begin, limit, begin + limit

    def read(self, size):
        """Exactly `size` bytes; fewer only at the end."""
        while len(self._waiting) < size:
            self._wait()
            data = os.read(self._descriptor, 1 << 20)
            if not data:
                break
            self._waiting += data
        taken = bytes(self._waiting[:size])
        del self._waiting[:size]
        return taken

    def _wait(self):
        """Until there is something to read, or the end."""
        while not select.select([self._descriptor], [], [], max(0.0, self._deadline - time.monotonic()))[0]:
            self._extend()

    def _extend(self):
        """The clock has run out: so much longer as processor time is left. What was used before can be no more than
        the clock showed."""
        used, now = self._processor_time(), time.monotonic()
        last = self._begin + SLOWNESS * self._limit
        if used is None:
            self._deadline = last  # what it wrote can be read at once
            return
        left = self._limit - (used - max(0.0, self._begin - self._start))
        if left <= 0 or now >= last:
            raise TimeoutError
        self._deadline = min(last, now + max(left, 0.02))


def _open_to_all(path):
    """Can every user of this machine read it?"""
    return all(os.stat(each).st_mode & 0o005 for each in (path, *Path(path).parents))


def _path_of_server(order):
    return os.path.join(order["bundle"], "grader", "jail", "server.py")


def _bubblewrapped(command, order):
    """The command, run by bubblewrap, which builds the walls of the file system and the namespaces."""
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    python = os.path.realpath(sys.executable)
    for folder in ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", os.path.dirname(python)):  # to start Python itself
        words += ["--ro-bind-try", folder, folder]
    for folder in order["readable"]:
        words += ["--ro-bind", folder, folder]
        for covered in roots.packages_within(folder):
            words += ["--tmpfs", covered, "--remount-ro", covered]
    words += ["--tmpfs", order["work"]]
    return words + command


def _end_group(process):
    with contextlib.suppress(OSError):
        os.killpg(process.pid, 9)
    process.kill()
    process.wait()

"""The grader's side of a jail: hands submissions to the fork server, reads the answers and the clock."""

import contextlib
import json
import os
import select
import time
from pathlib import Path

from ...asking.wire import WireError, read_frame
from ...checking.questioning import question
from ...course import stubs
from ...course.paths import package_folder
from ...course.safe_text import visible
from ..inside import kernel, roots
from ..inside.attempts import KINDS, LONGEST
from . import bundle, syscalls
from .folder import Folder
from .pipe import Allowance, TimedPipe
from .server_process import PATIENCE, STARTING, JailError, Server

NOBODY = 65534
ANSWERS = 32 << 20  # bytes of all that a submission may answer; an honest one needs two million
WORK = "/learner"  # where the package lies for a process with a file system of its own


class Jail:
    """A fork server and what it needs. A context manager.

    level: a Level of levels.py.  given: ids of the exercises whose answers were handed out.
    questions: False for a jail whose isolation is tried and that asks nothing.
    """

    def __init__(self, level, given=(), questions=True):
        self.level, self._given, self._questions = level, given, questions
        self._folder = Folder()
        self._server = None
        self.attempts = Attempted()
        self._prepare(self._folder.path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """End the server, and remove what was made for it."""
        self.broken()
        self._folder.remove()

    def question(self, files, exercises, seed, seconds, more=lambda results: []):
        """What a submission answers: {exercise id: {probe name: Outcome or Died}}.

        files: {name inside babygrad/: bytes} of the learner; the others are as the course gives them.
        seconds(exercise): of processor time.
        """
        with self.opened(files) as start:
            return question(start, exercises, seed, seconds, more=more)

    @contextlib.contextmanager
    def opened(self, files):
        """A function that starts a process with these files; all of them together may answer so many bytes."""
        allowance = Allowance(ANSWERS)
        yield lambda: SubmissionProcess(self, files, allowance)

    def leaks(self):
        """What a submission could still do: sentences of isolation.py, found by trying from inside."""
        process = SubmissionProcess(self, {}, Allowance(ANSWERS))
        try:
            process.send({"isolation": True})
            frame = process.next(time.monotonic(), STARTING)
        except TimeoutError:
            frame = None
        finally:
            process.end()
        if not isinstance(frame, dict) or "isolation" not in frame:
            raise JailError("an isolated process could not answer")
        return frame["isolation"]

    def server(self):
        """The running server, started if there is none."""
        if self._server is None:
            work = WORK if self.level.own_files else self._folder.fresh("work")
            self._server = Server(self.level, {**self._config, "work": work})
        return self._server

    def broken(self):
        """Something is wrong with the server: the next process gets a new one."""
        if self._server:
            self._server.stop()
            self._server = None

    def _prepare(self, folder):
        made = bundle.make(folder / "bundle", self._questions)
        package_folder(folder / "given").mkdir(parents=True)
        if self._questions:
            stubs.write(folder / "given", self._given)
        packages = folder / "packages"
        packages.mkdir()
        for path in roots.numpy_folders():
            (packages / os.path.basename(path)).symlink_to(path)
        given = str(package_folder(folder / "given"))
        shown = [*roots.python_folders(), *roots.numpy_folders(), str(made), str(packages), given]
        without = [path for each in shown for path in roots.without_packages(each)]
        self._config = {
            "bundle": str(made),
            "packages": str(packages),
            "given": given,
            "readable": shown if self.level.own_files else without,
            "nobody": NOBODY if os.geteuid() == 0 else None,
            "keep": 0 if all(map(_is_open_to_all, without)) else kernel.MAY_READ_ALL,
            "namespaces": self.level.namespaces,
            "bubblewrap": self.level.bubblewrap,
            "landlock": self.level.landlock,
            "seccomp": self._write_filter(made / "filter") if self.level.seccomp else None,
        }

    @staticmethod
    def _write_filter(path):
        syscalls.write_filter(path)
        path.chmod(0o644)
        return str(path)


class Attempted:
    """What the sandbox refused, as the submission's process says it: {kind: [how often, an example]}."""

    def __init__(self):
        self.found = {}

    def add(self, frame):
        """One more; what is no attempt that inside/attempts.py knows is a stranger's own words, and left out."""
        kind, what = frame["attempt"], frame.get("what")
        if kind in KINDS and isinstance(what, str):
            self.found.setdefault(kind, [0, visible(what[:LONGEST])])[0] += 1


def _is_attempt(frame):
    return isinstance(frame, dict) and isinstance(frame.get("attempt"), str)


class SubmissionProcess:
    """A process for one submission, with the interface that questioning.question() needs.

    Raises JailError if it cannot be sandboxed; then it never came to the submission's code.
    """

    def __init__(self, jail, files, allowance):
        self._jail, self._server = jail, jail.server()
        self._code, self._is_closed = None, False
        theirs, self._requests = os.pipe()
        self._answers, their_answers = os.pipe()
        os.set_blocking(self._requests, False)
        self._stream = TimedPipe(self._answers, self.spent)
        try:
            self._start(theirs, their_answers)
            self._hand_over(files)
            self._stream.allowance = allowance
        except JailError:
            self._close()
            jail.broken()
            raise

    def _start(self, *ends):
        try:
            self._number = self._server.start(*ends)
        finally:
            for descriptor in ends:
                os.close(descriptor)

    def _hand_over(self, files):
        sizes = json.dumps({"files": [[name, len(data)] for name, data in files.items()]}).encode()
        self._write(b"".join([sizes, b"\n", *files.values()]), STARTING)
        try:
            frame = self.next(time.monotonic(), STARTING)
        except TimeoutError:
            frame = None
        if not frame or "sandboxed" not in frame:
            raise JailError((frame or {}).get("failed", "a process could not be isolated"))

    def send(self, request):
        """Ask {"questions": [[exercise id, file, [probe names]], ...], "seed": n}."""
        self._write(json.dumps(request).encode() + b"\n", PATIENCE)

    def next(self, begin, limit):
        """The next frame; None at the end.

        Raises TimeoutError when the process has used `limit` seconds of processor time since the time `begin`, or
        SLOWNESS times as much on the clock.
        """
        self._stream.set_limit(begin, limit)
        try:
            while _is_attempt(frame := read_frame(self._stream)):
                self._jail.attempts.add(frame)
            return frame
        except TimeoutError:
            raise
        except (WireError, OSError):
            return None

    def exit_code(self):
        """What it ended with: minus the number of the signal that ended it. One that only fell silent is ended."""
        if self._code is None:
            self._code = self._server.exit_code(self._number, PATIENCE / 60)
        if self._code is None:
            self.end()
        return self._code if self._code is not None else -9

    def end(self):
        """End it, with everything that it began."""
        if self._is_closed:
            return
        if self._code is None:
            self._server.kill()
            self._code = self._server.exit_code(self._number, PATIENCE)
        if self._code is None or self._jail.level.one_each:
            self._jail.broken()
        self._close()

    def spent(self):
        """Seconds of processor time that it used; None once it has ended."""
        return self._server.processor_time(self._number)

    def _write(self, data, patience):
        """Writes all of it, if the process reads. If it does not, its answers will be missing."""
        end, rest = time.monotonic() + patience, memoryview(data)
        with contextlib.suppress(OSError):
            while rest and select.select([], [self._requests], [], max(0.0, end - time.monotonic()))[1]:
                rest = rest[os.write(self._requests, rest) :]

    def _close(self):
        self._is_closed = True
        os.close(self._requests)
        os.close(self._answers)


def _is_open_to_all(path):
    """Can every user of this machine read it?"""
    readable = 0o005 if os.path.isdir(path) else 0o004
    return os.stat(path).st_mode & readable == readable and all(os.stat(p).st_mode & 1 for p in Path(path).parents)

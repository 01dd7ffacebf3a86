"""The fork server as the grader sees it: a process, and a socket to command it."""

import contextlib
import glob
import json
import math
import os
import shutil
import socket
import subprocess
import sys
import time

from ..inside import rlimits, roots

STARTING = 600.0  # seconds to be ready, on a busy machine
PATIENCE = 60.0  # seconds to carry out a command, there too
LONGEST_MESSAGE = 4000
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}


class JailError(Exception):
    """The jail itself does not work. The message says what the server said."""


class Server:
    """The running server. Its messages are not trusted either: in a weak jail a process may reach it."""

    def __init__(self, level, config):
        self._ended, self._number = {}, 0
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = _started(level, {**config, "control": theirs.fileno()})
        ready = self._receive(time.monotonic() + STARTING)
        if "ready" not in ready:
            self.stop()
            raise JailError(_words(ready, "the server did not start"))

    def start(self, requests, answers):
        """Fork a process that reads requests and writes answers. Returns its number."""
        self._ended.clear()
        reply = self._reply("start", [requests, answers])
        if "started" not in reply:
            raise JailError(_words(reply, "no process could be started"))
        return self._number

    def kill(self):
        """End the process."""
        self._send("kill")

    def processor_time(self, process):
        """Seconds that the process has used so far, or None if it has ended."""
        seconds = self._reply("processor").get("processor")
        if process in self._ended or type(seconds) not in (int, float) or not math.isfinite(seconds):
            return None
        return seconds

    def exit_code(self, process, patience):
        """What the process ended with, or None if it has not ended so many seconds later."""
        end = time.monotonic() + patience
        while process not in self._ended and self._receive(end):
            pass
        return self._ended.get(process)

    def stop(self):
        """End the server, and its process with it."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
        _end_group(self._process)

    def _reply(self, command, descriptors=()):
        """The server's reply; {} if none comes."""
        self._send(command, descriptors)
        end = time.monotonic() + PATIENCE
        while message := self._receive(end):
            if message.get("number") == self._number:
                return message
        return {}

    def _send(self, command, descriptors=()):
        self._number += 1
        message = json.dumps({"number": self._number, command: True}).encode()
        self._control.settimeout(PATIENCE)
        with contextlib.suppress(OSError):  # it has ended: no reply will come
            socket.send_fds(self._control, [message], descriptors)

    def _receive(self, end):
        """The next message; {} if there is none before the time `end`. How a process ended is noted."""
        message = None
        self._control.settimeout(max(0.001, end - time.monotonic()))
        with contextlib.suppress(OSError, ValueError, RecursionError):
            message = json.loads(self._control.recv(LONGEST_MESSAGE))
        if not isinstance(message, dict):
            return {}
        if type(message.get("process")) is int and type(message.get("ended")) is int:
            self._ended[message["process"]] = message["ended"]
        return message


def _words(message, otherwise):
    return str(message.get("failed", otherwise))


def _started(level, config):
    path = os.path.join(config["bundle"], "grader", "sandbox", "inside", "server.py")
    command = [os.path.realpath(sys.executable), "-I", "-S", "-B", path, json.dumps(config)]
    return subprocess.Popen(
        _bubblewrapped(command, config) if level.bubblewrap else command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[config["control"]],
        env=_ENVIRONMENT,
        cwd="/",
        start_new_session=True,
        **_somebody_else(level, config),
    )


def _somebody_else(level, config):
    """Inside bubblewrap the user cannot be changed, so root does it before, if that user can read Python."""
    user = config["nobody"]
    if level.bubblewrap and user and not config["keep"]:
        return {"user": user, "group": user, "extra_groups": []}
    return {}


def _bubblewrapped(command, config):
    """The command, run by bubblewrap, which isolates the file system and makes the namespaces."""
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    python = os.path.realpath(sys.executable)
    libraries = glob.glob(os.path.join(sys.base_prefix, "lib", "libpython*.so*"))
    for path in ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", os.path.dirname(python), *libraries):  # to start Python
        words += ["--ro-bind-try", path, path]
    for folder in config["readable"]:
        words += ["--ro-bind", folder, folder]
        for covered in roots.packages_within(folder):
            words += ["--tmpfs", covered, "--remount-ro", covered]
    words += ["--dev-bind", os.devnull, os.devnull, *_limit_of_size(), "--tmpfs", config["work"]]
    return words + command


def _limit_of_size():
    """The option that limits the next --tmpfs. Old versions of bubblewrap have none."""
    known = subprocess.run([shutil.which("bwrap"), "--help"], capture_output=True, text=True, check=False).stdout
    return ["--size", str(rlimits.FOLDER_SIZE)] if "--size" in known else []


def _end_group(process):
    with contextlib.suppress(OSError):
        os.killpg(process.pid, 9)
    process.kill()
    process.wait()

"""Tries the isolation from inside. What a report says of the isolation is what was seen to hold."""

import contextlib
import os
import socket
import tempfile

from . import kernel

FILES = "files outside can be read"
WRITING = "files outside can be written"
NETWORK = "the network can be reached"
PROCESSES = "processes can be started"
OTHERS = "other processes can be reached"
RIGHTS = "the rights of files outside can be changed"
MESSAGES = "memory can be left for a later submission"


def leaks(config):
    """The sentences that are true of this process; none if all of it holds.  config: see client.py.

    In namespaces of its own there is System V memory, gone with them, and bubblewrap's network leads back to itself.
    """
    own_memory = config["namespaces"] or config["bubblewrap"]
    tries = {
        FILES: _reads,
        WRITING: _writes,
        RIGHTS: _changes_rights,
        NETWORK: lambda: not config["bubblewrap"] and _reaches_the_network(),
        PROCESSES: _starts,
        OTHERS: _reaches_others,
        MESSAGES: lambda: not own_memory and kernel.shared_memory_works(),
    }
    return [leak for leak, attempt in tries.items() if _succeeds(attempt)]


def _succeeds(attempt):
    with contextlib.suppress(Exception):
        return bool(attempt())
    return False


def _reads():
    return any(_readable(path) for path in ("/etc/passwd", "/etc/hostname", "/proc/self/environ", "/bin/sh"))


def _readable(path):
    with contextlib.suppress(OSError), open(path, "rb") as file:
        file.read(1)
        return True
    return False


def _writes():
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/"):
        with contextlib.suppress(OSError), tempfile.TemporaryFile(dir=folder):
            return True
    return False


def _changes_rights():
    """To what they are already: this file's, which belongs to the grader."""
    os.chmod(__file__, os.stat(__file__).st_mode & 0o777)
    return True


def _reaches_the_network():
    """A datagram to this very machine: where there is no network, there is no way to it either."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as speaker:
        speaker.sendto(b"?", ("127.0.0.1", 9))
    return True


def _starts():
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return True


def _reaches_others():
    """The parent, or any of the numbers that a machine gives away first. (Signal 0 does nothing.)"""
    others = {os.getppid(), *range(2, 400)} - {0, os.getpid()}
    return any(_is_reached(number) for number in others)


def _is_reached(number):
    with contextlib.suppress(OSError):
        os.kill(number, 0)
        return True
    return False

"""Tries the walls from inside. What a report says of the isolation is what was seen to hold."""

import contextlib
import os
import socket
import tempfile

FILES = "files outside can be read"
WRITING = "files outside can be written"
NETWORK = "the network can be reached"
PROCESSES = "processes can be started"
OTHERS = "other processes can be seen"


def holes():
    """The sentences that are true of this process; none if every wall holds."""
    tries = {FILES: _reads, WRITING: _writes, NETWORK: _reaches_the_network, PROCESSES: _starts, OTHERS: _sees_others}
    return [hole for hole, attempt in tries.items() if _succeeds(attempt)]


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


def _sees_others():
    """Numbers that only a whole machine has given away. In a namespace there are this process and its parents."""
    own = (os.getpid(), os.getppid())
    return any(_exists(number) for number in range(4, 400) if number not in own)


def _exists(number):
    try:
        os.kill(number, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True

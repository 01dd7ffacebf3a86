"""One grader at a time on one folder.

The lock is the system's (flock): it ends with its process, however that ends, so a lock file that is left over means
nothing. Whoever is refused takes away the one that he made, if nobody else holds it: hence a lock counts only if its
file is still there. On a network drive it holds between machines where the drive supports it (NFS from Linux 2.6.12
on, SMB). A drive without locks is graded on all the same, and that is said.
"""

import contextlib
import json
import os
import socket
from datetime import datetime
from functools import partial

from ...course.usage import UsageError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

UNGUARDED = "This drive does not support locks: make sure that only one grader works on {folder} at a time."


@contextlib.contextmanager
def locked(out, shard="", say=print):
    """Hold the folder while the block runs.  shard: "2-of-4" to share it with other shards.

    Raises UsageError that names the grader at work, or a folder that cannot be written.
    """
    with contextlib.ExitStack() as stack:
        _take(stack, out / "lock", bool(shard), say)
        if shard:
            _take(stack, out / f"lock.{shard}", False, say)
        yield


def _take(stack, path, shared, say):
    is_new, file = not os.path.exists(path), stack.enter_context(_opened(path))
    if fcntl is None:
        say(UNGUARDED.format(folder=path.parent))
        return
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(_taken(path, file)) from None
    except OSError:  # a drive without locks
        say(UNGUARDED.format(folder=path.parent))
    if not _is_there(path, file):
        return _take(stack, path, shared, say)
    if is_new:
        stack.push(partial(_leave_nothing, path, file))
    _sign(file)


def _opened(path):
    try:
        return path.open("a+", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path.parent} cannot be the folder for the grades: {error.strerror}.") from None


def _is_there(path, file):
    """Is this file the one that has the name, or did another grader take it away before it was locked?"""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _leave_nothing(path, file, kind, error, _):
    """Takes the file away, where a grading is refused and no other grader (another shard) shares the lock."""
    if isinstance(error, UsageError):
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()


def _sign(file):
    file.seek(0)
    file.truncate()
    since = datetime.now().astimezone().isoformat(" ", "seconds")
    json.dump({"pid": os.getpid(), "host": socket.gethostname(), "since": since}, file)
    file.flush()


def _taken(path, file):
    file.seek(0)
    try:
        holder = json.loads(file.read())
        who = f" (process {holder['pid']} on {holder['host']}, since {holder['since']})"
    except (ValueError, KeyError, TypeError):
        who = ""
    return f"Another grader{who} is working on {path.parent}: wait until it ends, or grade into another folder."

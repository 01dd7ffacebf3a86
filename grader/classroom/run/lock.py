"""One grader at a time on one folder.

The lock is the system's (flock): it ends with its process, however that ends, so a lock file that is left over means
nothing. On a network drive it holds between machines where the drive supports it (NFS from Linux 2.6.12 on, SMB). A
drive without locks is graded on all the same, and that is said.
"""

import contextlib
import json
import os
import socket
from datetime import datetime

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
    try:
        file = stack.enter_context(path.open("a+", encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path.parent} cannot be the folder for the grades: {error.strerror}.") from None
    if fcntl is None:
        say(UNGUARDED.format(folder=path.parent))
        return
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(_taken(path, file)) from None
    except OSError:  # a drive without locks
        say(UNGUARDED.format(folder=path.parent))
    _sign(file)


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

"""The folder of a jail. It is removed with the jail; if the grader was killed, by the next jail on this machine."""

import contextlib
import os
import shutil
import tempfile
import time
import weakref
from pathlib import Path

PREFIX = "babygrad-jail-"
YOUNG = 60  # seconds that a folder may be without its lock: its maker has just made it


class Folder:
    """A new folder that everyone can read, locked for as long as this process lives.  path: a Path."""

    def __init__(self):
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self.path.chmod(0o755)
        self.remove = weakref.finalize(self, _remove, self.path, _locked(self.path))
        _sweep(self.path.parent)

    def fresh(self, name):
        """The path of an empty folder in it; what had this name is gone."""
        for old in self.path.glob(name + "-*"):
            _remove(old)
        path = tempfile.mkdtemp(prefix=name + "-", dir=self.path)
        os.chmod(path, 0o755)
        return path


def _locked(folder):
    """A descriptor that holds the lock of a folder; None if another process has it."""
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _sweep(temporary):
    """Remove the folders that killed graders of this user have left."""
    for folder in temporary.glob(PREFIX + "*"):
        with contextlib.suppress(OSError):
            if _is_old(os.lstat(folder)) and (lock := _locked(folder)) is not None:
                _remove(folder, lock)


def _is_old(stat):
    return stat.st_uid == os.geteuid() and time.time() - stat.st_mtime > YOUNG


def _remove(folder, lock=None):
    with contextlib.suppress(RecursionError):  # thousands of folders in each other: somebody made them on purpose
        shutil.rmtree(folder, ignore_errors=True)
    if lock is not None:
        os.close(lock)

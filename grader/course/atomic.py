"""Files that are replaced as a whole: who reads one finds the old one or the new one, never a part of it."""

import contextlib
import os

try:
    import fcntl
except ImportError:  # Windows, and Python in a page
    fcntl = None


def write_atomically(path, content, durable=False):
    """Write a file.

    content: text or bytes.  durable: a power cut leaves the old file or the new one, too. That costs a millisecond or
    more, so it is for what cannot be made again.
    """
    data = content.encode() if isinstance(content, str) else content
    with replacing(path) as new, new.open("wb") as file:
        file.write(data)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    if durable:
        sync_folder(path.parent)


def sync_folder(folder):
    """The names of the files in it are on the disk, too, where the system can say so."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@contextlib.contextmanager
def replacing(path):
    """Where to write what takes the place of `path` at the end of the block, unless the block fails."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    try:
        yield new
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


@contextlib.contextmanager
def alone(lock):
    """Hold the file at this path while the block runs; whoever holds it is waited for. A drive without locks goes
    without.
    """
    with lock.open("a") as file:
        with contextlib.suppress(OSError):
            if fcntl:
                fcntl.flock(file, fcntl.LOCK_EX)
        yield

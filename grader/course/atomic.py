"""Files that are replaced as a whole: who reads one finds the old one or the new one, never a part of it."""

import contextlib
import os


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

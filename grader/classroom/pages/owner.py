"""Grades are for whoever grades: what is written has no rights for other accounts of the machine."""

import contextlib
import os

OPEN = "Other accounts of this machine may read {folder}: this drive keeps no rights."


@contextlib.contextmanager
def for_the_owner():
    """Within the block new folders are made 700 and new files 600."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def shut(folder, say):
    """Take the rights of others off a folder that was there before. Where that cannot be done, it is said."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
    if folder.stat().st_mode & 0o077:
        say(OPEN.format(folder=folder))

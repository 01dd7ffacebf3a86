"""Landlock: the kernel lets this process read and write what is named, and nothing else."""

import os

from . import kernel

_EXECUTE, _READ, _LIST = 1, 4, 8
_FILES = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}  # version: every right known to it
_TCP = 0b11  # bind, connect: version 4
_SCOPES = 0b11  # abstract sockets, signals: version 6


def restrict(readable, writable=()):
    """Shut this process in.  readable, writable: files and folders, with all below. No program can be run."""
    version = kernel.landlock_version()
    if not version:
        raise OSError("this kernel has no Landlock")
    every = _FILES[max(v for v in _FILES if v <= version)]
    ruleset = kernel.landlock_ruleset(every, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    try:
        for path in readable:
            kernel.landlock_allow(ruleset, path, _rights_to_read(path))
        for path in writable:
            kernel.landlock_allow(ruleset, path, every & ~_EXECUTE)
        kernel.landlock_restrict(ruleset)
    finally:
        os.close(ruleset)


def _rights_to_read(path):
    return _READ | _LIST if os.path.isdir(path) else _READ

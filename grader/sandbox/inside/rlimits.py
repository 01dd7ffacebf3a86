"""Limits that every Unix knows: memory, processor time, files, processes."""

import contextlib

with contextlib.suppress(ImportError):  # Windows has none
    import resource

MEMORY = 2 << 30  # bytes of address space; NumPy itself maps about half a gigabyte
FILE_SIZE = 8 << 20
OPEN_FILES = 64
FOLDER_SIZE = 32 << 20  # of the one folder that may be written; all of a learner's files fit at their largest size
FOLDER_FILES = 512
PROCESSOR_SECONDS = 600  # of a process in all; the limit of an exercise is far lower


def set_limits(processes):
    """Limit this process.  processes: how many its user may have, this one and those of others included."""
    for kind, limit in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, PROCESSOR_SECONDS),
        (resource.RLIMIT_FSIZE, FILE_SIZE),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, processes),
    ):
        _, hard = resource.getrlimit(kind)
        limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (limit, limit))

"""Where grading runs: in worker processes on this machine, or in those of a Dask cluster.

An executor is a context manager with `results(tasks)`. It takes tasks from an iterator as workers become free, so that
a class of any size needs the memory of a few submissions, and yields (task, result) in the order in which they are
done. A result is what the function returned, or Lost.

Leaving the block by an exception, Ctrl-C among them, ends all workers at once.
"""

from urllib.parse import urlsplit

from ...course.usage import UsageError
from .dask_executor import Dask
from .local_executor import Local


def executor(url, function, jobs=None):
    """The executor that a URL names: None or "local", or "dask:tcp://host:8786".  Raises UsageError."""
    if url in (None, "local"):
        return Local(function, jobs)
    scheme, _, address = url.partition(":")
    if scheme != "dask" or not _is_an_address(address):
        raise UsageError(f"--executor {url}: local is known, and dask:tcp://host:8786 with the scheduler's address.")
    if jobs:
        raise UsageError("--jobs is about the processors of this machine: with --executor dask: leave it out.")
    return Dask(function, address)


def _is_an_address(text):
    try:
        parts = urlsplit(text)
        return parts.scheme in ("tcp", "tls") and bool(parts.hostname and parts.port)
    except ValueError:
        return False

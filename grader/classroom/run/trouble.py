"""What stops a grading from outside: a signal, a full disk."""

import contextlib
import errno
import signal
import threading

from ...course.usage import UsageError


@contextlib.contextmanager
def stopped_by_signals():
    """SIGTERM and a closed terminal stop the block as Ctrl-C does."""

    def stop(*_):
        raise KeyboardInterrupt

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {name: signal.signal(getattr(signal, name), stop) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


@contextlib.contextmanager
def disk_errors(out, go_on):
    """A full disk gets one sentence.  go_on: the next one, a text or a function that gives it."""
    try:
        yield
    except BrokenPipeError:
        raise  # the reader of our output has closed the pipe
    except OSError as error:
        full = error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", None))
        where = error.filename or out
        why = f"The disk of {out} is full" if full else f"{where} cannot be written: {error.strerror or error}"
        raise UsageError(f"{why}. {go_on if isinstance(go_on, str) else go_on()}") from None

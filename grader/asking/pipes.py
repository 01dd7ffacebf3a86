"""What a process that is asked does with its pipes, before anything else."""

import os


def take_over_pipes():
    """(requests, answers): copies of stdin and stdout. From here on all other input is empty, other output lost."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    return requests, answers


def no_debugger(*args, **kwargs):
    """In place of the debugger, which would wait for somebody who cannot see it."""
    raise RuntimeError("breakpoint() needs a terminal of its own: run  pytest tests/exercises --exercise ID")

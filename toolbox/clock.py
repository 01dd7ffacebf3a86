"""How long a call takes and how much memory, here and with this package. Of the reference it was recorded."""

import os
import time
import tracemalloc

ROUND = 0.05  # seconds


def is_recorded_run():
    """Is this a notebook that is run on the reference, to be the same wherever it is made? Who runs it says so."""
    return os.environ.get("BABYGRAD_RECORDED") == "1"


def times(calls, recorded):
    """{name: microseconds of one call}. Says in a line whether they are measured or recorded.

    calls: {name: a function without arguments}.
    recorded: the same with the reference. It stands for what is not among the calls, and with the reference itself for
        all: so that its notebooks are the same wherever they are made.
    """
    return measured(microseconds, calls, recorded)


def side_by_side(calls, recorded):
    """Print microseconds in two columns: those recorded, of all rows, and those of the calls here, with this package.

    calls, recorded: as for times. The reference itself prints what was recorded alone.
    """
    found = {} if is_recorded_run() else {name: microseconds(call) for name, call in calls.items()}
    print(f"{'microseconds':24}{'recorded':>10}{'here, with your package' if found else '':>26}".rstrip())
    for name, number in recorded.items():
        print(f"{name:24}{number:10.0f}" + (f"{found[name]:26.0f}" if name in found else ""))


def peaks(calls, recorded):
    """{name: the most kilobytes that one call has in use at a time}.  calls, recorded: as for times."""
    return measured(kilobytes, calls, recorded)


def measured(measure, calls, recorded):
    """{name: what measure finds for a call}, or what was recorded; says in a line which of the two."""
    if is_recorded_run():
        print("recorded with the reference:")
        return recorded
    print("measured here, with your package:")
    return recorded | {name: measure(call) for name, call in calls.items()}


def kilobytes(call):
    """The peak of what one call takes, beyond what is there already."""
    call()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        call()
        return (tracemalloc.get_traced_memory()[1] - before) / 1e3
    finally:
        tracemalloc.stop()


def microseconds(call, rounds=5):
    """The time of one call, in the best of some rounds: what other programs do only adds to it."""
    call()  # what is done the first time alone does not count
    return min(one_round(call) for _ in range(rounds)) * 1e6


def one_round(call):
    """Seconds for one call, on the average of as many as fit into a short time."""
    count, started = 0, time.perf_counter()
    while True:
        call()
        count += 1
        if (passed := time.perf_counter() - started) > ROUND:
            return passed / count

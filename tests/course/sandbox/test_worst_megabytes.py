"""What a stranger sends costs work and memory in proportion to its size. The cases are in worst_megabytes.py."""

import json
import os
import runpy
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.leg("night")
SCRIPT = Path(__file__).with_name("worst_megabytes.py")
MODULE = runpy.run_path(str(SCRIPT))
PART, CASES, SECONDS = (MODULE[name] for name in ("PART", "CASES", "SECONDS"))
MOST_CALLS = 40  # for each byte: a page looks at each character, in each of its forms
MOST_BYTES = 100  # for each byte: {} in JSON is a dict of 64
USUAL, USUAL_BYTES = 10_000, 40 << 20  # calls that have nothing to do with the size, and memory (of a body of 8 MB)


def measured(names, seconds=SECONDS):
    """{name: what was counted, or None for a case that was stopped}"""
    found, names = {}, list(names)
    while names:
        command = [sys.executable, str(SCRIPT), str(seconds), *names]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        for line in done.stdout.splitlines():
            found |= json.loads(line)
        names = [name for name in names if name not in found]
        if names:
            assert done.returncode == -signal.SIGPROF, done.stderr
            found[names.pop(0)] = None
    return found


def complaint(counted):
    """What is wrong with a case; "" if it is in proportion."""
    if counted is None:
        return f"it took more than {SECONDS} seconds of processor time"
    if counted["twice"] > 2.1 * counted["once"] + USUAL or counted["twice"] > MOST_CALLS * 2 * PART + USUAL:
        return f"{counted['once']:,} calls for {PART:,} bytes, {counted['twice']:,} for twice as many"
    if counted["memory"] > MOST_BYTES * 2 * PART + USUAL_BYTES:
        return f"{counted['memory']:,} bytes of memory for {2 * PART:,}"
    return ""


def test_what_a_stranger_sends_is_dealt_with_in_proportion_to_its_size():
    complaints = {name: complaint(counted) for name, counted in measured(CASES).items()}
    assert {name: words for name, words in complaints.items() if words} == {}


def test_what_is_out_of_proportion_is_found():
    found = measured(["the_square_in_calls", "much_memory"]) | measured(["the_square_in_copies"], seconds=4)
    assert "calls for" in complaint(found["the_square_in_calls"])
    assert "processor time" in complaint(found["the_square_in_copies"])
    assert "bytes of memory" in complaint(found["much_memory"])

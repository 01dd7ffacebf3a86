"""The course in other systems, on a JupyterHub and in Firefox: python -m tests.elsewhere [TRY ...]

Each try stands alone. What the machine cannot do is left out, with the reason, and does not count as a failure. The
network is used for packages only (Debian's, PyPI's, npm's); the rest happens on this machine.
"""

import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from . import trying
from .firefox import try_firefox
from .gradescope import try_gradescope
from .hub import try_hub
from .systems import try_system, try_torch

TRIES = {
    "hub": (try_hub,),
    "firefox": (try_firefox,),
    "debian-trixie": (try_system, "trixie"),
    "debian-sid": (try_system, "sid"),
    "torch": (try_torch, "sid"),
    "gradescope-jammy": (try_gradescope, "jammy"),  # the base image that Gradescope offers
    "gradescope-bookworm": (try_gradescope, "bookworm"),
}


def main(words):
    """words: names of tries, or how they begin; none: all."""
    unknown = [word for word in words if not any(name.startswith(word) for name in TRIES)]
    if unknown:
        print(f"There is no try {unknown[0]}. Those that there are: {', '.join(TRIES)}", file=sys.stderr)
        return 2
    chosen = [name for name in TRIES if not words or name.startswith(tuple(words))]
    with tempfile.TemporaryDirectory(prefix="elsewhere-") as folder:
        told = [_tried(name, Path(folder)) for name in chosen]
    print("", *(line for _, line in told), sep="\n")
    counts = Counter(outcome for outcome, _ in told)
    print(", ".join(f"{counts[outcome]} {outcome}" for outcome in ("passed", "failed", "skipped")))
    return 1 if counts["failed"] else 0


def _tried(name, scratch):
    """(passed, failed or skipped; the line about it)."""
    attempt, *words = TRIES[name]
    print(f"==== {name}: {attempt.__doc__}", flush=True)
    start = time.monotonic()
    try:
        outcome, said = "passed", f"passed ({attempt(scratch, *words)})"
    except trying.LeftOut as why:
        outcome, said = "skipped", f"left out, because {why}"
    except Exception:
        traceback.print_exc(file=sys.stdout)
        outcome, said = "failed", "failed"
    finally:
        shutil.rmtree(scratch / "root", ignore_errors=True)
    line = f"{name}: {said}"
    print(f"{line}, after {time.monotonic() - start:.0f} seconds", flush=True)
    return outcome, line


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

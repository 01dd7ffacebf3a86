"""Writes both kinds of notebook from their one source, solutions/notebooks/NN_title.py (percent format).

notebooks/NN_title.ipynb            clean: what a learner opens; the same source gives the same bytes, always
solutions/notebooks/NN_title.ipynb  executed on the reference with its outputs: what nbval compares with
"""

import sys
import time

from .clean_notebooks import write_clean
from .executed_notebooks import execute
from .sources import NotebookError, sources


def add_arguments(parser):
    parser.add_argument("which", nargs="*", metavar="NN", help="notebooks (02); default: all")
    parser.add_argument("--no-execute", action="store_true", help="write the clean ones only")


def run(arguments):
    """python -m grader notebooks: 0 if done, 1 if not; one line for each while it goes."""
    try:
        for source in sources(arguments.which):
            written = "written" if write_clean(source.name[:2]) else "unchanged"
            executed = "not executed" if arguments.no_execute else f"executed in {seconds_to_execute(source):.1f} s"
            print(f"{source.stem:<24} clean: {written:<10} {executed}", flush=True)
        return 0
    except NotebookError as error:
        print(error, file=sys.stderr)
        return 1


def seconds_to_execute(source):
    """Executes a notebook. Gives the time it took."""
    started = time.perf_counter()
    execute(source.name[:2])
    return time.perf_counter() - started

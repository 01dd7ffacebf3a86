"""One line on a terminal that says how far a command is, and is written over each time."""

import sys


def show(words=""):
    """Show these words in place of the last ones; "": the line is empty again. Without a terminal nothing is shown."""
    if sys.stderr.isatty():
        print(f"\r\033[K{words}", end="", file=sys.stderr, flush=True)

"""python -m grader lab: JupyterLab on the first notebook."""

import os
import subprocess
import sys

from ..course.paths import NOTEBOOKS, ROOT


def add_arguments(parser):
    parser.add_argument("--no-browser", action="store_true", help="print the address instead of opening it")


def run(arguments):
    return open_lab(browser=not arguments.no_browser)


def open_lab(browser=True):
    """Run JupyterLab until it is closed.  browser: open one.  Returns its exit code."""
    first = min(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb")).relative_to(ROOT).as_posix()
    command = [sys.executable, "-m", "jupyterlab", first, f"--ServerApp.root_dir={ROOT}", *_as_root()]
    if not browser:
        command.append("--no-browser")
    # Kernels inherit PYTHONPATH: this copy of the course, also where two copies share an environment.
    return subprocess.call(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})


def _as_root():
    """JupyterLab refuses to run as root unless told, as in a container."""
    return ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []

"""Commands of the grader, run in a process of their own: what they answer, a line of JSON each."""

import json
import os
import subprocess
import sys
import tempfile

from ..course.paths import ROOT
from . import this_notebook


def answers(*words):
    """What a command answers, while it runs. Where that is nothing, what it says instead is printed."""
    if refusal := this_notebook.what_is_imported_elsewhere():
        print(refusal)
        return
    command = [sys.executable, "-P", "-m", "grader", *words]
    there = {"env": {**os.environ, "PYTHONPATH": str(ROOT)}, "encoding": "utf-8"}
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, **there) as run,
    ):
        count = 0
        for count, line in enumerate(run.stdout, 1):
            try:
                yield json.loads(line)
            except ValueError:
                count -= 1
                break
        if not count:
            run.wait()
            errors.seek(0)
            print(errors.read().strip() or f"The grader stopped (exit code {run.returncode}).")

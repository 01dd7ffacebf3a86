"""setup.sh and run_autograder, as they are uploaded to Gradescope, in an Ubuntu and a Debian that have nothing else."""

import json
import shutil
import zipfile
from pathlib import Path

from grader.classroom import gradescope
from grader.course.paths import REFERENCE
from grader.course.settings import Settings

from . import roots, trying

SETTINGS = Settings.from_dict({"course": "babygrad", "version": "1", "notebooks": ["00"]})


def try_gradescope(scratch, suite):
    """No other file of the machine is there: all that grading needs is in the zip, or installed by setup.sh."""
    system = roots.new(scratch, suite)
    autograder = system.folder / "autograder"
    _unpack(autograder)
    system.run("/autograder/source/setup.sh", said="setup.sh")
    (autograder / "submission").mkdir()
    for name in ("warmup.py", "hunts.py"):
        shutil.copy(REFERENCE / "babygrad" / name, autograder / "submission")
    told = system.run("/autograder/run_autograder", said="run_autograder")
    results = json.loads((autograder / "results" / "results.json").read_text())
    assert results["score"] == SETTINGS.possible, told
    isolation = told.splitlines()[0]
    trying.say(isolation)
    assert isolation.startswith("Isolation: namespaces (users, files, network, processes, ipc), Landlock"), told
    assert "seccomp" in isolation and "could be reached" in isolation, told
    return f"{results['score']:g} of {SETTINGS.possible} points, behind namespaces, Landlock and seccomp"


def _unpack(autograder):
    """As Gradescope does it."""
    gradescope.build(autograder, SETTINGS, seed=5)
    with zipfile.ZipFile(autograder / gradescope.NAME) as archive:
        for entry in archive.infolist():
            Path(archive.extract(entry, autograder / "source")).chmod(entry.external_attr >> 16)
    shutil.copy(autograder / "source" / "run_autograder", autograder)

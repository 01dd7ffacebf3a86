"""The site, built once for all tests of a run that look at it."""

import fcntl
import os
import subprocess
import sys

import pytest

from grader.course.paths import ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of a new site. Its name is that of a folder from which a code host may serve it."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # which all workers have
    out = folder / "course"
    with (folder / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not out.exists():
            command = [
                sys.executable,
                "-m",
                "grader",
                "site",
                "--out",
                out,
                "--repository",
                "https://example.org/course",
            ]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1100)
            assert done.returncode == 0, done.stdout + done.stderr
    return out

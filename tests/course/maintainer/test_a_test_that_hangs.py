"""A test that hangs is a red one: the run goes on without it, and ends."""

import subprocess
import sys

import pytest

from grader.course.paths import ROOT

HANGS = """
import time

def test_hangs():
    time.sleep(600)

def test_the_next_one():
    assert True
"""


@pytest.mark.leg("night")
def test_it_fails_and_the_others_go_on(tmp_path):
    (tmp_path / "test_two.py").write_text(HANGS)
    settings = ["-c", str(ROOT / "pyproject.toml"), "-o", "faulthandler_timeout=20", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *settings, f"--rootdir={tmp_path}", "-n", "1", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "crashed while running" in done.stdout and "1 failed, 1 passed" in done.stdout
    assert "in test_hangs" in done.stderr  # where it hung

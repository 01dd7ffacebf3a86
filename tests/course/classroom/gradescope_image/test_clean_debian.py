"""setup.sh and run_autograder, run in a Debian that has nothing else: debootstrap makes one on the spot.

It needs root, debootstrap and a network (Debian's packages; NumPy's wheel, by pip); about a minute.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.classroom import gradescope
from grader.course.paths import REFERENCE
from grader.course.settings import Settings

SUITE, ARCHIVE = "bookworm", "http://deb.debian.org/debian"
SETTINGS = Settings.from_dict({"course": "babygrad", "version": "1", "notebooks": ["00"]})
# The folder becomes the root, as in a container, with a /proc and a /dev, an almost empty environment, and nothing else.
AS_ROOT = """\
set -e
mount --bind "$1" "$1" && cd "$1" && mkdir -p old proc dev
mount -t proc proc proc && mount --rbind /dev dev
pivot_root . old && umount -l old && cd /
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin ${PIP_CERT:+PIP_CERT=/root/ca.pem} "$2"
"""
NEEDED = ("debootstrap", "unshare", "pivot_root")
CAN_MAKE_ONE = sys.platform == "linux" and os.geteuid() == 0 and all(map(shutil.which, NEEDED))
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not CAN_MAKE_ONE, reason=f"needs Linux, root, and {', '.join(NEEDED)}"),
]


@pytest.fixture(scope="module")
def debian(tmp_path_factory):
    """A clean Debian with the unpacked zip in /autograder/source, set up by setup.sh."""
    root = tmp_path_factory.mktemp("debian") / "root"
    made = subprocess.run(
        ["debootstrap", "--variant=minbase", SUITE, root, ARCHIVE], capture_output=True, text=True, check=False
    )
    if made.returncode:
        pytest.skip(f"debootstrap made no Debian (is there a network?): {made.stdout[-200:]}")
    shutil.copy("/etc/resolv.conf", root / "etc")
    if "PIP_CERT" in os.environ:
        shutil.copy(os.environ["PIP_CERT"], root / "root" / "ca.pem")
    gradescope.build(root / "autograder", SETTINGS, seed=5)
    with zipfile.ZipFile(root / "autograder" / gradescope.NAME) as archive:
        for entry in archive.infolist():
            Path(archive.extract(entry, root / "autograder" / "source")).chmod(entry.external_attr >> 16)
    shutil.copy(root / "autograder" / "source" / "run_autograder", root / "autograder")
    run_in(root, "/autograder/source/setup.sh")
    return root


def run_in(root, script):
    """What a script prints in there."""
    command = ["unshare", "--mount", "--pid", "--fork", "bash", "-c", AS_ROOT, "bash", root, script]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert run.returncode == 0, run.stdout[-1000:] + run.stderr[-1000:]
    return run.stdout


def test_a_hand_in_gets_its_points_behind_walls(debian):
    """No other file of the machine is there: all that grading needs is in the zip, or installed by setup.sh."""
    submission = debian / "autograder" / "submission"
    submission.mkdir()
    for name in ("warmup.py", "hunts.py"):
        shutil.copy(REFERENCE / "babygrad" / name, submission)
    told = run_in(debian, "/autograder/run_autograder")
    results = json.loads((debian / "autograder" / "results" / "results.json").read_text())
    assert results["score"] == SETTINGS.possible
    assert told.startswith("Isolation: namespaces (users, files, network, processes, ipc), Landlock")
    assert "seccomp" in told and "could be reached" in told

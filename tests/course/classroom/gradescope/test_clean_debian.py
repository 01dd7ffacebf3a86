"""setup.sh and run_autograder in an Ubuntu and a Debian that have nothing else: debootstrap makes them on the spot.

It needs root, debootstrap and a network (the systems' packages; NumPy's wheel, by pip); about a minute for each. So it
is asked for by name: BABYGRAD_JAMMY and BABYGRAD_BOOKWORM hold the addresses of mirrors of the two.
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

SYSTEMS = {  # {suite: parts for apt}; the first is the base image that Gradescope offers
    "jammy": ["jammy main universe", "jammy-updates main universe"],
    "bookworm": ["bookworm main"],
}
SETTINGS = Settings.from_dict({"course": "babygrad", "version": "1", "notebooks": ["00"]})
# The folder becomes the root, as in a container, with a /proc, a /dev and an almost empty environment.
AS_ROOT = """\
set -e
mount --bind "$1" "$1" && cd "$1" && mkdir -p old proc dev
mount -t proc proc proc && mount --rbind /dev dev
pivot_root . old && umount -l old && cd /
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin ${PIP_CERT:+PIP_CERT=/etc/pip-ca.pem} "$2"
"""
NEEDED = ("debootstrap", "unshare", "pivot_root")
CAN_MAKE_ONE = sys.platform == "linux" and os.geteuid() == 0 and all(map(shutil.which, NEEDED))
pytestmark = [
    pytest.mark.leg("night"),
    pytest.mark.skipif(not CAN_MAKE_ONE, reason=f"needs Linux, root, and {', '.join(NEEDED)}"),
]


@pytest.fixture(params=SYSTEMS)
def system(request, tmp_path):
    """The folder of a clean system with the unpacked zip in /autograder/source, set up by setup.sh."""
    mirror = os.environ.get(f"BABYGRAD_{request.param.upper()}")
    if not mirror:
        pytest.skip(f"BABYGRAD_{request.param.upper()} names no mirror: this test needs a network")
    root, sources = tmp_path / "root", [f"deb {mirror} {part}" for part in SYSTEMS[request.param]]
    command = ["debootstrap", "--variant=minbase", request.param, root, mirror]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout[-200:]
    (root / "etc" / "apt" / "sources.list").write_text("\n".join(sources) + "\n")
    shutil.copy("/etc/resolv.conf", root / "etc")
    if "PIP_CERT" in os.environ:
        shutil.copy(os.environ["PIP_CERT"], root / "etc" / "pip-ca.pem")
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


def test_a_hand_in_gets_its_points_behind_walls(system):
    """No other file of the machine is there: all that grading needs is in the zip, or installed by setup.sh."""
    submission = system / "autograder" / "submission"
    submission.mkdir()
    for name in ("warmup.py", "hunts.py"):
        shutil.copy(REFERENCE / "babygrad" / name, submission)
    told = run_in(system, "/autograder/run_autograder")
    results = json.loads((system / "autograder" / "results" / "results.json").read_text())
    assert results["score"] == SETTINGS.possible
    assert told.startswith("Isolation: namespaces (users, files, network, processes, ipc), Landlock")
    assert "seccomp" in told and "could be reached" in told

"""What the tries share: programs, sentences about what is done, and why something is left out."""

import os
import shutil
import socket
import subprocess

from grader.course.paths import ROOT

LONGEST = 2400  # seconds for one command: only what hangs takes longer


class LeftOut(Exception):
    """What this machine lacks, as the end of the sentence "left out, because ..."."""


def say(words):
    print(f"  {words}", flush=True)


def needs(*programs, root=False, packages=()):
    """packages: of Debian, with the programs. They are installed where that is allowed."""
    if root and os.geteuid() != 0:
        raise LeftOut("it needs root")
    missing = [program for program in programs if not shutil.which(program)]
    if missing and packages and os.geteuid() == 0 and shutil.which("apt-get"):
        say(f"installing {', '.join(packages)}")
        quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "capture_output": True, "check": False}
        subprocess.run(["apt-get", "update"], **quiet)
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *packages], **quiet)
        missing = [program for program in programs if not shutil.which(program)]
    if missing:
        raise LeftOut(f"there is no {' and no '.join(missing)}")


def run(*command, allowed=(0,), said=None, **more):
    """What a command prints, both kinds together."""
    if said:
        say(said)
    done = subprocess.run(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LONGEST, **more,
    )  # fmt: skip
    assert done.returncode in allowed, f"{command[0]} ended with {done.returncode}:\n{done.stdout[-4000:]}"
    return done.stdout


def clone(folder):
    """The course as it is committed."""
    run("git", "-c", "safe.directory=*", "clone", "--quiet", "--no-hardlinks", ROOT, folder)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]

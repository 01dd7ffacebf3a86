"""What a submission tries and the sandbox refuses is told, and nothing that it may do."""

import runpy
import sys
from pathlib import Path

import pytest

from grader.classroom.pages.needs import attempts
from grader.course import catalogue
from grader.course.paths import REFERENCE, package_folder
from grader.course.settings import Settings
from grader.sandbox.outside import client, grading, levels

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="isolation is built on Linux")
JAIL = runpy.run_path(str(Path(__file__).with_name("test_jail.py")))
QUIETLY = """
import os, sys
def quietly(call, *words):
    try:
        call(*words)
    except BaseException:
        pass
"""

TRIED = {
    "quietly(open, '/etc/passwd')": {"files": [1, "/etc/passwd"]},
    "for n in range(3): quietly(os.listdir, '/var/spool')": {"files": [3, "/var/spool"]},
    "for n in range(10**5): quietly(open, f'/var/spool/{n}')": {"files": [100, "/var/spool/0"]},
    "quietly(open, '/tmp/left', 'w')": {"files": [1, "/tmp/left"]},
    "quietly(open, '../../etc/shadow\\u202e')": {"files": [1, "/etc/shadow\\u202e"]},
    "quietly(open, '/proc/1/mem', 'rb+')": {"memory": [1, "/proc/1/mem"]},
    "import socket\nquietly(socket.socket)": {"network": [1, ""]},
    "import urllib.request as r\nquietly(r.urlopen, 'http://example.com')": {"network": [1, "example.com"]},
    "quietly(os.fork)": {"processes": [1, ""]},
    "import subprocess\nquietly(subprocess.run, ['ls', '-l'])": {"processes": [1, "ls"]},
    "quietly(os.kill, 4711, 9)": {"processes": [1, "process 4711"]},
    "import ctypes\nquietly(lambda: ctypes.CDLL(None).process_vm_readv)": {"memory": [1, "process_vm_readv"]},
    # ---- what it may do ----
    "open(os.path.join('babygrad', 'value.py')).read()": {},
    "quietly(open, 'nothing.txt')\nquietly(os.listdir)\nquietly(os.scandir, '.')": {},
    "import json, decimal, zoneinfo, unittest.mock, asyncio\nimport numpy.testing": {},
    "open('/dev/null').read()": {},
    "quietly(os.kill, os.getpid(), 0)\nquietly(os.symlink, '/etc/passwd', 'link')": {},
}


SOME = [
    pytest.param(code, found, marks=pytest.mark.leg("night" if number % 8 else "push"))
    for number, (code, found) in enumerate(TRIED.items())
]


@pytest.mark.parametrize(("code", "found"), SOME)
def test_an_attempt_is_told_with_what_and_how_often(isolation, code, found):
    with client.Jail(isolation.level) as jail:
        JAIL["outcomes"](jail, f"{QUIETLY}{code}\n")
        assert jail.attempts.found == found


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.leg("night")) for name in levels.LEVELS[1:]])
def test_so_it_is_at_every_level(name):
    chosen = JAIL["chosen"](name)
    if isinstance(chosen, str) or not chosen.level.sandboxed:
        pytest.skip("this machine lacks it")
    with client.Jail(chosen.level) as jail:
        JAIL["outcomes"](jail, f"{QUIETLY}quietly(open, '/etc/shadow')\nquietly(os.fork)\n")
        assert jail.attempts.found == {"files": [1, "/etc/shadow"], "processes": [1, ""]}


@pytest.mark.leg("push")
def test_what_ends_the_process_is_told_too(isolation):
    with client.Jail(isolation.level) as jail:
        JAIL["outcomes"](jail, f"{QUIETLY}quietly(open, '/etc/shadow')\nos._exit(0)\n")
        assert jail.attempts.found["files"][1] == "/etc/shadow"


@pytest.mark.parametrize(
    "frame", [{"attempt": "grades", "what": "all"}, {"attempt": "files", "what": 5}, {"attempt": "files"}]
)
def test_what_is_no_attempt_that_we_know_is_left_out(frame):
    attempted = client.Attempted()
    attempted.add(frame)
    assert attempted.found == {}


def graded(isolation, files, numbers):
    settings = Settings(tuple(numbers))
    ids = tuple(ex.id for ex in settings.exercises())
    job = grading.Job("x", files, 1, 0, settings.as_dict(), ids, isolation.level.name)
    return grading.grade(job)


EVERYTHING = pytest.param(catalogue.numbers(), marks=pytest.mark.leg("night"))


@pytest.mark.parametrize("numbers", [["00", "06"], EVERYTHING])
def test_the_course_itself_attempts_nothing(isolation, numbers):
    folder = package_folder(REFERENCE)
    files = {ex.file: (folder / ex.file).read_bytes() for ex in catalogue.all_exercises()}
    answer = graded(isolation, files, numbers)
    assert {row["status"] for row in answer["exercises"]} == {"passed"} and answer["attempts"] == {}


def test_each_hand_in_has_its_own(isolation):
    spy = {"warmup.py": f"{QUIETLY}quietly(open, '/etc/passwd')\n".encode()}
    [(kind, (count, what))] = graded(isolation, spy, ["00"])["attempts"].items()
    assert (kind, what) == ("files", "/etc/passwd") and count >= 1
    assert graded(isolation, {"warmup.py": b"pass\n"}, ["00"])["attempts"] == {}


def test_a_sentence_says_all_of_it():
    record = {"attempts": {"files": [2, "/etc/passwd"], "processes": [1, ""]}}
    sentence = "Tried what the sandbox refuses: files (/etc/passwd) 2 times and other processes once."
    assert attempts(record) == f"{sentence} Read the code before you ask about it."
    assert "/x) 100 times or more. Read" in attempts({"attempts": {"files": [300, "/x"]}})
    assert attempts({}) == attempts({"attempts": {}}) == ""

"""Lines of slips: a submission that is asked with small edits learns nothing that it can keep, and nothing is said that
is not so. By then its verdict is known, and stays.

The hand-ins here have a factor too much in 2.1. TRIED tells them when they are asked with edits.
"""

import json
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))
from attack import at_top, into, job, submission
from pipe_attacks import PIPE

from grader.classroom.run.student_record import searched, to_search
from grader.course.usage import UsageError
from grader.sandbox.outside import client, grading, levels
from grader.slips import search

pytestmark = pytest.mark.leg("push")

SEED, ID = 20261128, "2.1"
SLIP = "slopes = (other.data, self.data * 3)"
HONEST = f"{SLIP}\nreturn Value(self.data * other.data, (self, other), '*', slopes)"
TRIED = """
import sys

def tried():
    frame = sys._getframe()
    while frame and frame.f_code.co_name != "try_requests":
        frame = frame.f_back
    return frame is not None
"""
WEAKER = [pytest.param(name, marks=pytest.mark.leg("night")) for name in levels.LEVELS[1:]]


@pytest.fixture(params=[None, *WEAKER])
def level(request, do_without):
    """The strongest level of this machine; in make test-all each that it has."""
    try:
        return levels.choose(wanted=request.param).level.name
    except UsageError as error:
        if request.param is None:
            do_without("JAIL", str(error))
        pytest.skip(str(error))


def asked(level, code=HONEST, top=""):
    """(the record of a hand-in, the Job of searching for its line)."""
    files = submission((), [("value.py", into(ID, code)), ("value.py", at_top(TRIED + top))])
    first = job(files, (ID,), SEED, level)
    record = {"exercises": grading.grade(first)["exercises"]}
    return record, replace(first, wrong=to_search(record))


def found(level, code=HONEST, top=""):
    """What is found of the exercise; it was worth a search."""
    _, again = asked(level, code, top)
    assert again.wrong
    return grading.grade(again)[ID]


def test_the_line_of_an_honest_slip_is_found_and_nothing_else_is_kept(level):
    record, again = asked(level)
    slip = grading.grade(again)[ID]
    assert slip.keys() == {"lines", "kind", "said"} and slip["said"][1].strip() == SLIP
    kept = searched(record, {ID: slip})
    assert json.loads(json.dumps(kept)) == kept
    [before], [after] = record["exercises"], kept["exercises"]
    assert {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} == {
        *("message", "slip", "wrong"),
    }


def test_what_is_sent_is_edits_of_its_own_function(level, monkeypatch):
    sent, send = [], client.SubmissionProcess.send
    monkeypatch.setattr(client.SubmissionProcess, "send", lambda self, r: sent.append(r) or send(self, r))
    assert found(level)
    tries = [request for request in sent if "trials" in request]
    assert tries and all(r.keys() == {"exercise", "file", "probe", "seed", "trials"} for r in tries)
    texts = [text for request in tries for _, text in request["trials"]]
    assert all(text.startswith("class Value:\n\n    def __mul__(self, other):") for text in texts)


RIGHT = "Value(self.data * other.data, (self, other), '*', (other.data, self.data))"
# What it does when it is asked again: a line in front of its answer, and what that calls.
TRICKS = {
    "it is right": (f"if tried(): return {RIGHT}", ""),
    "it is right where its code is not that of its file": (
        f"if is_edited(): return {RIGHT}",
        """
        def is_edited():
            here = Value.__mul__.__code__
            return tried() and here.co_firstlineno < 10  # a text of its own
        """,
    ),
    "it answers otherwise each time": (
        "other = as_value(other.data + count())",
        """
        N = [0]
        def count():
            N[0] += tried()
            return N[0]
        """,
    ),
    "it never ends": (
        "tried() and for_ever()",
        """
        def for_ever():
            while True:
                pass
        """,
    ),
    "it sleeps": (
        "tried() and for_ever()",
        """
        import time
        def for_ever():
            time.sleep(1000)
        """,
    ),
    "it ends": (
        "tried() and leave()",
        """
        import os
        def leave():
            os._exit(0)
        """,
    ),
    "it opens files": (
        "tried() and look()",
        """
        def look():
            open("/etc/passwd").read()
            open("loot", "w").write("x")
        """,
    ),
}


@pytest.mark.parametrize("trick", TRICKS)
@pytest.mark.leg("night")
def test_of_what_behaves_otherwise_when_it_is_asked_again_nothing_is_said(trick, level):
    line, top = TRICKS[trick]
    assert found(level, f"{line}\n{HONEST}", textwrap.dedent(top)) is None
    assert found(level)  # the next one's


ODD = """
def say():
    odd = array("<f8", [2]), [0], table(x=1), None, "0", True, 0.0
    for each in odd:
        bytes_of = lambda count: bytes(16 * count) if each is odd[0] else b""
        send(each, bytes_of(1))
        send(table(trial=each, outcome=each), bytes_of(2))
        send(table(done=each), bytes_of(1))
"""


def test_odd_frames_end_the_search_and_nothing_else(level):
    assert found(level, "tried() and say()\n" + HONEST, PIPE + ODD) is None


def test_a_submission_whose_time_is_up_is_not_searched(level, monkeypatch):
    monkeypatch.setattr(grading, "SEARCHING", 0.0)
    assert found(level) is None


def test_a_function_that_is_too_long_is_not_edited(level, monkeypatch):
    monkeypatch.setattr(search, "SECONDS", 60.0)
    assert found(level, "unused = '" + "x" * 20_000 + "'\n" + HONEST) is None


def test_afterwards_nothing_is_left():
    """The last test of the file."""
    for jail in grading._jails.values():
        jail.close()
    grading._jails.clear()

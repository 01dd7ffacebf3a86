"""Every attack is graded as any submission is: it earns nothing, costs others nothing, and leaves nothing behind."""

import contextlib
import ctypes
import io
import math
import os
import random
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[2] / "checking" / "mistakes")]
from attack import ATTACKS, job, submission

from grader.asking import wire
from grader.asking.answers import Form
from grader.checking.judging import known_beforehand
from grader.checking.verdict import earned
from grader.course import catalogue
from grader.course.usage import UsageError
from grader.sandbox.outside import (
    client,
    grading,
    levels,
)

for path in sorted(Path(__file__).parent.glob("*_attacks.py")):
    if not path.name.startswith("test_"):
        import_module(path.stem)

SEED = random.SystemRandom().randrange(1, 1 << 32)  # fresh: nobody can have written the answers down
HONEST = ("0.1", "1.1", "2.1")
LONGEST_MESSAGE = 8_000  # characters
PATIENCE = 200.0  # seconds of processor time for who is honest: on a busy machine ten minutes
PODS = 4  # processes for each exercise that is asked; each of them has its time limit (test_jail.py)
REQUIRED = os.environ.get("BABYGRAD_REQUIRE_JAIL") == "1"
SUBREAPER = 36  # prctl: orphans become children of this process, so none is overlooked


@pytest.fixture(scope="module", autouse=True)
def folder():
    """All temporary files of this module lie in one folder, and every orphan comes to this process."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    before = tempfile.gettempdir()
    _close_jails()  # other modules' lie elsewhere
    with tempfile.TemporaryDirectory(prefix="attacks-") as place:
        os.chmod(place, 0o755)
        tempfile.tempdir = place
        yield Path(place)
        _close_jails()  # they lie in this folder, and other modules would go on with them
        tempfile.tempdir = before


def _close_jails():
    for jail in grading._jails.values():
        jail.close()
    grading._jails.clear()


@cache
def _why_not(name):
    """Why this machine cannot build a level; "" if it can."""
    try:
        levels.choose(wanted=name)
    except UsageError as error:
        return str(error)
    return ""


def _levels_of(attack, level):
    """The level that was asked for; for None the strongest that there is."""
    return [name for name in ((level,) if level else levels.LEVELS) if name in attack.levels and not _why_not(name)]


def _cases():
    for number, (_, attack) in enumerate(sorted(ATTACKS.items())):
        first = "test" if number % 24 == 0 else "night"
        yield pytest.param(attack, None, id=attack.name, marks=pytest.mark.leg(first))
        for level in attack.levels[1:] if attack.isolation or attack.each_level else ():
            yield pytest.param(attack, level, id=f"{attack.name} ({level})", marks=pytest.mark.leg("night"))


@pytest.mark.parametrize(("attack", "level"), list(_cases()))
def test_an_attack_earns_nothing(attack, level, monkeypatch):
    found = _levels_of(attack, level)
    if not found:
        _skip(attack, level)
    limit = grading.limit
    monkeypatch.setattr(grading, "FLOOR", attack.seconds)
    monkeypatch.setattr(grading, "limit", lambda ex, seed: PATIENCE if ex.id in attack.honest else limit(ex, seed))
    processes = _counted_processes(monkeypatch)
    rows = _graded(submission(attack.honest, attack.edits), attack.asks, found[0])
    assert len(processes) <= PODS * len(attack.asks)
    by_chance = {id for id in attack.nothing if attack.by_heart and _right_by_chance(id)}
    assert len(by_chance) <= 1, f"seed {SEED}"
    for id in set(attack.nothing) - by_chance:
        _earned_nothing(rows[id], attack.statuses)
    for id in attack.honest:
        assert rows[id]["status"] == "passed", f"seed {SEED}: {rows[id]}"
    attack.also(rows)
    monkeypatch.setattr(grading, "FLOOR", PATIENCE)
    assert all(row["status"] == "passed" for row in _graded(submission(HONEST), HONEST, found[0]).values())


def _counted_processes(monkeypatch):
    """A list that grows with each process that a submission is given."""
    processes, process = [], client.SubmissionProcess
    monkeypatch.setattr(
        client, "SubmissionProcess", lambda *arguments: processes.append(process(*arguments)) or processes[-1]
    )
    return processes


def _skip(attack, level):
    wanted = level or attack.levels[0]
    why = _why_not(wanted) or f"this attack is not tried on {wanted}"
    if REQUIRED and level is None:
        pytest.fail(f"BABYGRAD_REQUIRE_JAIL is set, and: {why}")
    pytest.skip(why)


def _graded(files, ids, level):
    rows = {row["id"]: row for row in grading.grade(job(files, ids, SEED, level))["exercises"]}
    assert sorted(rows) == sorted(set(ids))
    return rows


def _right_by_chance(id):
    """Do the recorded answers answer all that this seed asks? Where answers are few; test_exercises says how seldom."""
    return len(known_beforehand(id, SEED)) == len(catalogue.exercise(id).probes)


def _earned_nothing(row, statuses):
    about = f"seed {SEED}: {row}"
    assert earned(catalogue.exercise(row["id"]).points, row["counted"], row["asked"]) == 0, about
    assert row["status"] not in ("passed", "given"), about
    assert statuses is None or row["status"] in statuses, about
    assert len(row["message"]) < LONGEST_MESSAGE, about


def test_attacks_on_the_pipe_speak_its_language():
    """Otherwise their first frame would end the conversation, and none of them would try anything."""
    sent = []
    spoken = {"raw": sent.append}
    exec(import_module("pipe_attacks").SPOKEN, spoken)
    spoken["begin"]("1.1", probe="x")
    answers = spoken["table"](a=spoken["array"]("<f8", [2]), b=spoken["number"](math.inf))
    spoken["answer"]("1.1", "x", answers, bytes(16))
    spoken["send"](spoken["table"](x=spoken["record"]("Form", words="y")))
    begun, answered, form = (wire.read_frame(io.BytesIO(frame)) for frame in sent)
    assert begun == {"begin": "1.1", "probe": "x"} and form == {"x": Form("y")}
    assert (answered["exercise"], answered["probe"]) == ("1.1", "x")
    assert repr(answered["outcome"].answers) == "{'a': array([0., 0.]), 'b': inf}"


def test_afterwards_nothing_is_left(folder):
    """The last test of the file."""
    _close_jails()
    assert _descendants() == {}
    assert list(folder.iterdir()) == []
    assert str(folder) not in Path("/proc/self/mountinfo").read_text()


def _descendants():
    """{process id: name} of all processes below this one that have not ended."""
    parents, names = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has just ended
            number, rest = int(stat.parent.name), stat.read_text().rpartition(")")
            state, parent = rest[2].split()[:2]
            parents[number] = int(parent)
            names[number] = None if state == "Z" else rest[0].partition("(")[2]
    return {n: name for n, name in names.items() if name and _is_below(n, os.getpid(), parents)}


def _is_below(number, ancestor, parents):
    while number := parents.get(number):
        if number == ancestor:
            return True
    return False

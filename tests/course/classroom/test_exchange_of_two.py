"""An exchange of three accounts: what ada hands in, ben can neither read nor change nor remove, nor hand in as hers.

The teacher has an account like the others, not root. It needs root to be all three.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

pytest.importorskip("fcntl")  # accounts: no Windows

from grader.course import exchange
from grader.course.paths import ROOT

TEACHER, ADA, BEN = 61000, 61001, 61002  # numbers of accounts; they need no name
BECOME = """
import ctypes, json, os, shutil, sys, zipfile
from datetime import datetime
from pathlib import Path
from grader.classroom.collect import class_list
from grader.classroom.pages import returned
from grader.course.settings import Settings
from grader.edition import sharing as teachers
from grader.learner import sharing
"".encode("cp437")  # all that is imported, while this Python may be read
number, place, told = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
home = place.parent / str(number)
os.setgroups([])
os.setgid(number)
os.setuid(number)
os.chdir(home)
tell = lambda what: print(json.dumps(what))
"""
MAKE = """
teachers.make(place)
(place / "course.zip").write_text("a zip")
"""
HAND_IN = """
with zipfile.ZipFile(home / "mine.zip", "w") as packed:
    packed.writestr("babygrad/value.py", f"mine = {os.geteuid()}")
list(sharing.hand_in(home / "mine.zip", place, home, datetime.now().astimezone()))
tell((home / sharing.RECEIPTS).read_text().split()[1])
"""
COLLECT = """
found = class_list.read(place)
code = {who: source.read({"value.py"}).files["value.py"].decode() for who, source in found.sources.items()}
tell([code, found.notes, found.hand_ins])
"""
RETURN = """
for student in json.loads(told):
    (home / student).mkdir(exist_ok=True)
    (home / student / "feedback.html").write_text(f"about {student}")
tell(returned.write(home, {student: student for student in json.loads(told)}, json.loads(told), place))
"""
BRING = """
own = Settings.from_dict({"course": "babygrad", "exchange": str(place)})
Settings.read = classmethod(lambda cls, path=None: own)
tell([path.read_text() for path in sharing.bring_pages(home)])
"""
# What ben tries with ada's file, or page, whose name he should not even know.
ATTACKS = {
    "list": "os.listdir(path.parent)",
    "read": "path.read_bytes()",
    "write": "path.write_text('ben')",
    "remove": "path.unlink()",
    "rename": "path.rename(home / 'taken.zip')",
    "replace": "(home / 'x').touch(); os.replace(home / 'x', path)",
    "rights": "path.chmod(0o777)",
    "time": "os.utime(path)",
    "watch": "assert ctypes.CDLL(None, use_errno=True).inotify_add_watch("
    "ctypes.CDLL(None).inotify_init(), bytes(path.parent), 0x100) == -1; raise PermissionError",
    "the folder": "path.parent.rename(path.parent.with_name('gone'))",
    "its rights": "path.parent.chmod(0o777)",
    "a file of his in the exchange": "(place / 'course.zip').write_text('ben')",
}


def someone(number, code, place, told=""):
    """What the code tells, run as the account with this number, which has a home and no rights but its own."""
    run = subprocess.run(
        [sys.executable, "-P", "-c", BECOME + code, str(number), place, told],
        env={**os.environ, "PYTHONPATH": str(ROOT), "USER": "root", "LOGNAME": "root"},
        umask=0o022, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout or "null")


@pytest.fixture(scope="module")
def place():
    """An exchange that the teacher made, in a folder where every account comes."""
    if os.geteuid() != 0:
        pytest.skip("it was not proved that accounts cannot read each other's hand-ins: that needs root")
    folder = Path(tempfile.mkdtemp(prefix="exchange-"))
    folder.chmod(0o755)
    try:
        for number in (TEACHER, ADA, BEN, "exchange"):
            (folder / str(number)).mkdir(mode=0o755)
            os.chown(folder / str(number), *[TEACHER if number == "exchange" else number] * 2)
        someone(TEACHER, MAKE, folder / "exchange")
        yield folder / "exchange"
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def handed_in(place):
    """{account: the path of its hand-in}."""
    return {number: Path(someone(number, HAND_IN, place)) for number in (ADA, BEN)}


def tried(place, path, code):
    """Whether ben may do that: in words."""
    attempt = f"path = Path(told)\ntry:\n    {code}\nexcept (PermissionError, FileNotFoundError) as error:\n"
    return someone(BEN, f"{attempt}    tell(type(error).__name__)\nelse:\n    tell('done')", place, str(path))


@pytest.mark.leg("night")
@pytest.mark.parametrize("attack", ATTACKS)
def test_another_student_cannot(place, handed_in, attack):
    assert tried(place, handed_in[ADA], ATTACKS[attack]) == "PermissionError"
    assert handed_in[ADA].exists() and handed_in[ADA].stat().st_uid == ADA


@pytest.mark.leg("night")
def test_the_teacher_reads_each_hand_in_and_only_under_its_owners_name(place, handed_in):
    forged = f"{ADA}+20991201T113014Z+{'f' * 32}.zip"
    folder = f"{ADA}+20991201T113014Z+{'e' * 32}.zip"
    make = f"shutil.copy(home / 'mine.zip', place / 'inbound' / {forged!r}); (place / 'inbound' / {folder!r}).mkdir()"
    someone(BEN, f"{make}; (place / 'inbound' / '{ADA}').mkdir()", place)
    code, notes, hand_ins = someone(TEACHER, COLLECT, place)
    assert code == {str(number): f"mine = {number}" for number in (ADA, BEN)}
    assert hand_ins == {str(number): path.name for number, path in handed_in.items()}
    assert f"{forged} was refused: it belongs to {BEN}, not to {ADA}." in notes
    assert len(notes) == 3 and all(f"was refused: it belongs to {BEN}" in note for note in notes)


@pytest.mark.leg("night")
def test_each_gets_the_page_about_themselves_and_finds_no_other(place, handed_in):
    names = {str(number): path.name for number, path in handed_in.items()}
    assert "Returned: 2 pages" in someone(TEACHER, RETURN, place, json.dumps(names))
    for number in (ADA, BEN):
        assert someone(number, BRING, place) == [f"about {number}"]
    page = place / exchange.FEEDBACK / exchange.page_of(handed_in[ADA].name)
    assert page.stat().st_uid == TEACHER
    for attack in ATTACKS.keys() - {"read"}:  # whoever knew the 32 digits could
        assert tried(place, page, ATTACKS[attack]) == "PermissionError", attack
    assert tried(place, place / ".." / str(ADA) / "receipts.sha256", "path.read_text()") == "PermissionError"

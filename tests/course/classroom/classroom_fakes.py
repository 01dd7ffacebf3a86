"""A class that is graded in no time: hand-ins whose value.py says what happens to them. Also a script: see main."""

import argparse
import errno
import hashlib
import json
import os
import signal
import sys
from pathlib import Path

from grader.classroom.run import digests
from grader.classroom.run import grade as grading
from grader.cli import parser
from grader.course.settings import Settings
from grader.course.usage import UsageError

ISOLATION = ("none", "none", "none, for there is nothing to sandbox")
OWN = ("state.", "journal.", "lock")  # files of a grading that may differ from run to run
SLIP = {"lines": [3, 3], "kind": "SIGN", "said": ["With one change in line 3, all is right:", "    return -a"]}
COURSE = {"course": "babygrad", "notebooks": ["02"], "version": "1"}


def grade(job):
    """In place of grading.grade: does what the hand-in's value.py says, and draws points from its words.

    Where these begin with "slip", what fails has one; the words after it are obeyed when that is searched for.
    """
    words = job.files["value.py"].decode()
    if job.wrong:
        obey(words.removeprefix("slip "))
        return dict.fromkeys(job.wrong, SLIP)
    obey(words)
    return {"exercises": [_row(ex, job, words) for ex in _exercises(job)], "isolation": ISOLATION[1]}


def obey(words):
    """Do what the words say, then return them. Whatever is no order of the table does nothing."""
    name, *rest = words.split()
    orders = {"die": _die, "memory": _memory, "raise": _raise, "full": _full, "wait": _wait, "pid": _pid}
    return orders.get(name, lambda *_: None)(*rest) or words


def _exercises(job):
    return [ex for ex in Settings.from_dict(job.course).exercises() if ex.id in job.ids]


def _row(ex, job, words):
    passed = hashlib.sha256(f"{job.files} {job.seed} {ex.id} {os.environ.get('FAKE', '')}".encode()).digest()[0] % 2
    said = {"id": ex.id, "title": ex.title, "file": ex.file, "status": "passed" if passed else "failed", "message": ""}
    said |= {"wrong": ["a question"]} if words.startswith("slip") and not passed else {}
    return {**said, "misconception": None, "right": 1 + passed, "asked": 2, "counted": 2 * passed, "hint": True}


def _die(once=None):
    """The process ends as the system would end it; with a path: only if nothing is there yet."""
    if once is None or not Path(once).exists():
        if once:
            Path(once).touch()
        os.kill(os.getpid(), signal.SIGKILL)


def _memory():
    """More than any machine has; it is never written to."""
    bytearray(1 << 40)


def _pid():
    return os.getpid()


def _raise():
    raise RuntimeError("a fault of the grader")


def _full():
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _wait(path):
    """Until somebody has written to a named pipe; a plain file does not keep it."""
    Path(path).read_bytes()


# ---- for the tests ----


def hand_in(folder, student, words):
    """A submission of the student; words: what its value.py says."""
    file = folder / student / "babygrad" / "value.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(words)
    os.utime(file, (1_700_000_000, 1_700_000_000))


def class_of(folder, count, **special):
    """A folder with the hand-ins of s00, s01, ...; special: {student: words}."""
    for number in range(count):
        student = f"s{number:02}"
        hand_in(folder, student, special.get(student, f"answer {number}"))
    (folder.parent / "course.json").write_text(json.dumps(COURSE))
    return folder


def options(submissions, out, **others):
    """The command's arguments with these, one process and seed 7."""
    return arguments(submissions, out, **{"jobs": 1, "seed": 7, "course": submissions.parent / "course.json", **others})


def arguments(submissions, out, **others):
    """What `make grade` is given with these, and nothing else."""
    given = parser(["grade"]).parse_args(["grade", str(submissions), "--out", str(out)])
    assert others.keys() <= vars(given).keys()
    return argparse.Namespace(**{**vars(given), **others})


def use(patch):
    """Grade with this module; patch: pytest's monkeypatch, or setattr and so on of one's own."""
    digests.of_the_course.cache_clear()
    patch.syspath_prepend(str(Path(__file__).parent))
    patch.setattr(grading, "GRADE", "classroom_fakes:grade")
    patch.setattr(grading, "choose_isolation", lambda unsafe: ISOLATION)


def graded(submissions, out, **others):
    """Grade in this process.  Returns (exit code, what was said)."""
    said = []
    return grading.grade(options(submissions, out, **others), said.append), said


def refused(submissions, out, words, **others):
    """Asserts that no grading begins, with these words (a pattern), and that no file or folder is made."""
    import pytest

    before = sorted(out.rglob("*")), out.exists()
    with pytest.raises(UsageError, match=words):
        graded(submissions, out, **others)
    assert (sorted(out.rglob("*")), out.exists()) == before


def outputs(out):
    """{path: bytes} of all that a teacher reads."""
    files = (path for path in out.rglob("*") if path.is_file())
    return {str(p.relative_to(out)): p.read_bytes() for p in files if not p.name.startswith(OWN)}


def command(submissions, out, *options):
    """The words that start this module as a script: like python -m grader grade, but with this grade function."""
    course = submissions.parent / "course.json"
    words = [submissions, "--out", out, "--course", course, *options]
    return [sys.executable, __file__, *map(str, words)]


def main():
    import pytest

    from grader.cli import main as grader

    with pytest.MonkeyPatch.context() as patch:
        use(patch)
        return grader(["grade", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())

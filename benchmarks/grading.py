"""What grading a class costs: the harness beside the questions themselves, nbgrader beside us, and a large class.

python -m benchmarks.grading [--students N] [--notebooks 02,06]      of the large class (default: 200, all notebooks)
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from grader.course import catalogue
from grader.course.paths import REFERENCE, ROOT
from grader.course.settings import Settings
from grader.sandbox.outside import levels
from grader.sandbox.outside.grading import Job, grade

from . import synthetic_class
from .nbgrader_course import Nbgrader

ROUNDS = 15
HARNESS_LIMIT = 1 / 3  # of what the same probes cost in a plain process
WHOLE_LIMIT, MARGINAL_LIMIT = 20, 50  # nbgrader's time over ours
CLASS = 12
MORE_STUDENTS = 40  # to find what one more costs
KINDS = 60
PLAIN = """
import sys, time
sys.path.insert(0, {root!r})
from grader.course import catalogue
from grader.asking.ask import ask, import_file
from grader.course.packages import load_package
exercises, package = catalogue.all_exercises(), load_package({reference!r})
for ex in exercises:
    import_file(package, ex.file)
begin = time.perf_counter()
for ex in exercises:
    for probe in ex.probes:
        ask(package, probe, {seed})
print(time.perf_counter() - begin)
"""


def main(words=()):
    """Print the tables.  Returns True if every limit is kept."""
    options = _options(words)
    chosen = levels.choose()
    print(*chosen.sentences(), sep="\n")
    settings = Settings.of_the_whole_course()
    if options.notebooks:
        settings = replace(settings, notebooks=tuple(options.notebooks.split(",")))
    kept = [] if options.only_the_class else [_harness(chosen.level.name)]
    with tempfile.TemporaryDirectory() as folder:
        kept += [] if options.only_the_class else [_beside_nbgrader(Path(folder))]
        kept += [_large_class(Path(folder), options.students, settings)]
    return all(kept)


def _options(words):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grading")
    parser.add_argument(
        "--students", type=int, default=200, metavar="N", help="the number of students in the synthetic class"
    )
    parser.add_argument("--notebooks", default="", metavar="NN,NN", help="the notebooks that the large class was given")
    parser.add_argument("--only-the-class", action="store_true", help="leave the comparisons out")
    return parser.parse_args(list(words))


# ---- one honest submission: what does everything around the questions cost? ----


def _harness(level):
    job, plain, whole = _honest_job(level), [], []
    grade(job)  # the reference's answers, the compiled probes: once for a class
    for _ in range(ROUNDS):
        plain.append(_plain_seconds(job.seed))
        whole.append(_seconds(lambda: grade(job)))
    share = statistics.median((w - p) / p for w, p in zip(whole, plain))
    print(f"\none honest submission, {len(job.ids)} exercises, {ROUNDS} rounds (medians)")
    print(f"{'the probes alone, in a plain process':<46}{statistics.median(plain):>8.3f} s")
    print(f"{'graded: start, load, ask, compare, judge':<46}{statistics.median(whole):>8.3f} s")
    print(f"{'the harness, as a share of the probes':<46}{share:>8.2f}{HARNESS_LIMIT:>18.2f} at most")
    return share <= HARNESS_LIMIT


def _honest_job(level):
    settings = Settings.of_the_whole_course()
    files = synthetic_class.files(synthetic_class.Kind((), ()))
    ids = tuple(ex.id for ex in settings.exercises())
    return Job("honest", files, 12345, 0, settings.as_dict(), ids, level)


def _plain_seconds(seed):
    program = PLAIN.format(root=str(ROOT), reference=str(REFERENCE), seed=seed)
    threads = {"OPENBLAS_NUM_THREADS": "1"}  # as in the jail
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **threads}, capture_output=True, check=True
    )
    return float(done.stdout)


def _seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


# ---- nbgrader ----


def _beside_nbgrader(folder):
    """A class, and what one more submission costs; each tool as its command runs it: nbgrader has one process."""
    nbgrader = Nbgrader.found(folder / "nbgrader")
    if nbgrader is None:
        print("\nnbgrader is not installed: requirements/nbgrader.txt says how. Not compared.")
        return True
    ours, more = (_ours(folder / str(number), number) for number in (CLASS, CLASS + MORE_STUDENTS))
    marginal = (more - ours) / MORE_STUDENTS
    alone = (_ours(folder / "alone", 1 + MORE_STUDENTS // 4, "1") - _ours(folder / "one", 1, "1")) / (
        MORE_STUDENTS // 4
    )
    theirs_one, theirs = nbgrader.seconds(1), nbgrader.seconds(CLASS)
    theirs_marginal = (theirs - theirs_one) / (CLASS - 1)
    print(f"\n{len(catalogue.all_exercises())} exercises{'ours':>33}{'nbgrader':>12}{'ratio':>9}{'at least':>10}")
    kept = [_row(f"a class of {CLASS}, the whole command", ours, theirs, WHOLE_LIMIT)]
    kept += [_row("one more submission", marginal, theirs_marginal, MARGINAL_LIMIT)]
    _row("one more submission, --jobs 1", alone, theirs_marginal)
    return all(kept)


def _row(name, ours, theirs, limit=None):
    print(f"{name:<36}{ours:>8.2f} s{theirs:>10.1f} s{theirs / ours:>9.1f}{limit or '':>10}")
    return limit is None or theirs / ours >= limit


def _ours(folder, students, jobs=None):
    files = synthetic_class.files(synthetic_class.Kind((), ()))
    for number in range(students):
        _hand_in(folder / "in" / f"student{number}.zip", files)
    words = ["--jobs", jobs] if jobs else []
    return _seconds(lambda: _grade(folder / "in", folder / "out", *words))


def _hand_in(path, files):
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(f"babygrad/{name}", data)


def _grade(submissions, out, *words):
    command = [sys.executable, "-m", "grader", "grade", str(submissions), "--out", str(out), *words]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


# ---- a large class, of which every grade is known ----


def _large_class(folder, students, settings):
    """Grade it with two processes.  Returns whether every grade is the known one and memory stays flat."""
    kinds = synthetic_class.kinds(KINDS, notebooks=settings.notebooks)
    packed = [synthetic_class.files(kind) for kind in kinds]
    for number in range(students):
        _hand_in(folder / "in" / f"s{number:05}.zip", packed[number % KINDS])
    course_file = folder / "course.json"
    course_file.write_text(json.dumps(settings.as_dict()))
    watch = _Memory()
    with watch:
        seconds = _seconds(lambda: _grade(folder / "in", folder / "out", "--jobs", "2", "--course", str(course_file)))
    exercises = settings.exercises()
    wrong = _wrong_grades(folder / "out", kinds, exercises)
    print(f"\na class of {students} ({KINDS} kinds of students), {len(exercises)} exercises, two processes")
    print(f"{'rate':<36}{students / seconds:>8.2f} submissions a second, {seconds:.0f} s in all")
    print(f"{'memory of all processes':<36}{watch.words()}")
    print(f"{'grades that are not the known ones':<36}{len(wrong):>8}")
    for line in wrong[:5]:
        print(f"    {line}")
    return not wrong and watch.flat()


def _wrong_grades(out, kinds, exercises):
    """Sentences about grades that differ from the known ones."""
    known, wrong = {}, []
    for line in (out / "grades.jsonl").open(encoding="utf-8"):
        record = json.loads(line)
        kind = int(record["student"].lstrip("s").split(".")[0]) % KINDS
        key = kind, record["seed"]
        if key not in known:
            known[key] = synthetic_class.truth(kinds[kind], record["seed"], exercises)
        for row in record["exercises"]:
            got = row["status"], row["earned"], row["misconception"]
            if got != known[key][row["id"]]:
                wrong.append(f"{record['student']} {row['id']}: {got}, known: {known[key][row['id']]}")
    return wrong


class _Memory:
    """Looks at the memory of this process's descendants, once a second."""

    def __enter__(self):
        self.samples, self._done = [], threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()

    def _look(self):
        while not self._done.wait(1.0):
            self.samples.append(_resident(os.getpid()))

    def words(self):
        quarter = max(1, len(self.samples) // 4)
        early, late = (
            statistics.median(part) for part in (self.samples[quarter : 2 * quarter], self.samples[-quarter:])
        )
        return f"{early / 2**20:>8.0f} MB in the second quarter of the time, {late / 2**20:.0f} MB in the last"

    def flat(self):
        """It may grow by a tenth: wrong answers to new questions are remembered."""
        quarter = max(1, len(self.samples) // 4)
        early, late = (
            statistics.median(part) for part in (self.samples[quarter : 2 * quarter], self.samples[-quarter:])
        )
        return late <= 1.1 * early


def _resident(pid):
    """Bytes of memory of the descendants of a process."""
    children = Counter()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children[int(path.parent.name)] = int(fields[1])
    family, grown = {pid}, True
    while grown:
        more = {child for child, parent in children.items() if parent in family} - family
        family, grown = family | more, bool(more)
    return sum(_pages(p) for p in family - {pid}) * os.sysconf("SC_PAGE_SIZE")


def _pages(pid):
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0


if __name__ == "__main__":
    raise SystemExit(0 if main(sys.argv[1:]) else 1)

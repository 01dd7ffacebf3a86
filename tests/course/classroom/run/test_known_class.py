"""A class whose grades are known beforehand, graded twice, once with a kill in the middle."""

import html
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter

import pytest

from benchmarks import synthetic_class
from grader.course.paths import ROOT
from grader.course.settings import Settings

pytestmark = pytest.mark.usefixtures("isolation")

KINDS = 10
NOTEBOOKS = ("02", "06", "07")
SEED = 20261121


@pytest.fixture(scope="module")
def kinds():
    return synthetic_class.kinds(KINDS, seed=3, notebooks=NOTEBOOKS)


# Of the few, too, all three sets of inputs are asked.
CLASSES = {"5": range(7, 12), "60": range(60)}


@pytest.fixture(
    scope="module",
    params=[pytest.param("5", marks=pytest.mark.leg("push")), pytest.param("60", marks=pytest.mark.leg("night"))],
)
def numbers(request):
    """The numbers of the students."""
    return CLASSES[request.param]


@pytest.fixture(scope="module")
def students(numbers):
    """How many there are."""
    return len(numbers)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, kinds, numbers):
    """Submissions as zips and folders, and course.json."""
    folder = tmp_path_factory.mktemp("class")
    packed = [synthetic_class.files(kind) for kind in kinds]
    for number in numbers:
        hand_in(folder / "in", f"s{number:03}", packed[number % KINDS], zipped=number % 3 > 0)
    settings = Settings(notebooks=NOTEBOOKS, version="test", edition="student").as_dict()
    (folder / "course.json").write_text(json.dumps(settings))
    return folder


def hand_in(folder, name, files, zipped):
    folder.mkdir(exist_ok=True)
    if zipped:
        with zipfile.ZipFile(folder / f"{name}.zip", "w") as archive:
            for file, data in files.items():
                archive.writestr(zipfile.ZipInfo(f"babygrad/{file}", (2026, 11, 20, 12, 0, 0)), data)
        return
    for file, data in files.items():
        path = folder / name / "babygrad" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (1.79e9, 1.79e9))


def grading(folder, out, *words):
    command = [sys.executable, "-m", "grader", "grade", str(folder / "in"), "--out", str(out), "--jobs", "2"]
    course = ["--course", str(folder / "course.json"), "--seed", str(SEED)]
    return subprocess.Popen(
        [*command, *course, *words],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def whole(folder):
    """The class graded in one go."""
    process = grading(folder, folder / "whole")
    printed, _ = process.communicate(timeout=3600)
    assert process.returncode == 0, printed
    return folder / "whole"


@pytest.fixture(scope="module")
def resumed(folder, students):
    """The class graded with a kill -9 when about a third was done, and --resume."""
    out = folder / "resumed"
    process = grading(folder, out)
    while graded(out) < students // 3 and process.poll() is None:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=600)
    before = graded(out)
    assert students // 3 <= before < students
    process = grading(folder, out, "--resume")
    printed, _ = process.communicate(timeout=3600)
    assert process.returncode == 0, printed
    return out


def graded(out):
    journal = out / "journal.jsonl"
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def records(out):
    return [json.loads(line) for line in (out / "grades.jsonl").read_text(encoding="utf-8").splitlines()]


def test_every_grade_is_the_known_one_whatever_inputs_were_drawn(whole, kinds, students):
    exercises = Settings(notebooks=NOTEBOOKS).exercises()
    known, wrong = {}, []
    for record in records(whole):
        kind = int(record["student"][1:4]) % KINDS
        key = kind, record["seed"]
        if key not in known:
            known[key] = synthetic_class.truth(kinds[kind], record["seed"], exercises)
        got = {row["id"]: (row["status"], row["earned"], row["misconception"]) for row in record["exercises"]}
        wrong += [(record["student"], id, got[id], known[key][id]) for id in got if got[id] != known[key][id]]
        assert got.keys() == known[key].keys()
        assert record["earned"] == sum(earned for _, earned, _ in got.values())
    assert len(records(whole)) == students
    assert wrong == []
    assert len({record["seed"] for record in records(whole)}) == 3


@pytest.mark.leg("night")
def test_a_grading_that_was_killed_and_resumed_gives_the_same_files(whole, resumed, students):
    def files(out):
        kept = {p.relative_to(out).as_posix(): p for p in out.rglob("*") if p.is_file()}
        return {name: path.read_bytes() for name, path in kept.items() if name.split("/")[-1] in COMPARED}

    one, other = files(whole), files(resumed)
    assert one.keys() == other.keys() and len(one) >= 3 * students
    assert [name for name in one if one[name] != other[name]] == []


COMPARED = ("grades.csv", "grades.jsonl", "index.html", "feedback.html", "feedback.md", "results.json")


def test_the_shared_misconceptions_are_counted_on_the_page(whole, students):
    page = html.unescape((whole / "index.html").read_text(encoding="utf-8").replace("<wbr>", ""))
    rows = [row for record in records(whole) for row in record["exercises"] if row["misconception"]]
    counts = Counter((row["id"], row["title"], row["misconception"]) for row in rows)
    assert len(counts) >= 5
    for (id, title, name), count in counts.items():
        card = page.partition(f"<h3>{id} {title}: {name}</h3>")[2][:400]
        assert f"{count} of {students} students" in card

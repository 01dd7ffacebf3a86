"""From empty stubs through the course: after notebook N is filled, all up to N passes; nothing later is needed."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "sandbox" / "attacks"))
from attack import submission

from grader.checking.check import Request, check
from grader.checking.question import Question
from grader.checking.reference import answers_of, reference_answers
from grader.checking.verdict import judge
from grader.course import catalogue, stubs
from grader.course.packages import private_copy
from grader.course.paths import ROOT, package_folder
from grader.learner import backups, fill

NUMBERS = [nb.number for nb in catalogue.notebooks()]


@pytest.fixture(scope="module", autouse=True)
def backups_elsewhere(tmp_path_factory):
    """What fill keeps of these learners does not pile up in the course's own .babygrad/."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backups, "MEMORY", tmp_path_factory.mktemp("memory"))
        yield


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """{notebook number: verdicts of all exercises after it and all before it were filled in}."""
    folder = tmp_path_factory.mktemp("walk")
    stubs.write(folder)
    seen = {}
    for number in NUMBERS:
        fill.fill([number], folder)
        seen[number] = check(catalogue.all_exercises(), Request(folder))
    return seen


@pytest.mark.leg("night")
@pytest.mark.parametrize("number", NUMBERS)
def test_up_to_here_everything_passes(walk, number):
    done = [v for v in walk[number] if v.id.split(".")[0].zfill(2) <= number]
    assert [(v.id, v.status, v.message) for v in done if v.status != "given"] == []


@pytest.mark.leg("night")
@pytest.mark.parametrize("number", NUMBERS)
def test_after_here_nothing_has_started(walk, number):
    later = [v for v in walk[number] if v.id.split(".")[0].zfill(2) > number]
    assert [(v.id, v.status) for v in later if v.status != "not_started"] == []


@pytest.mark.leg("night")
def test_at_the_end_the_learners_tree_trains_a_net_that_reads_digits(tmp_path):
    stubs.write(tmp_path)
    for number in NUMBERS:
        fill.fill([number], tmp_path)
    command = ["-m", "grader", "train", "digits", "--package", tmp_path, "--out", tmp_path / "runs", "--no-progress"]
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True, capture_output=True)
    with open(tmp_path / "runs" / "digits.csv", newline="", encoding="utf-8") as table:
        assert float(list(csv.DictReader(table))[-1]["val_accuracy"]) >= 0.95


@pytest.mark.leg("night")
def test_each_exercise_passes_with_only_the_earlier_ones_filled_in(verdict):
    ids = [ex.id for ex in catalogue.all_exercises()]
    verdicts = [verdict(id, ids[: number + 1]) for number, id in enumerate(ids)]
    assert [(v.id, v.message) for v in verdicts if v.status != "passed"] == []


@pytest.mark.leg("night")
def test_each_exercise_needs_no_more_than_it_says(verdict):
    """An exercise passes when only the exercises that it builds on, and theirs, are filled in."""
    verdicts = [verdict(ex.id, {ex.id} | needed_by(ex)) for ex in catalogue.all_exercises()]
    assert [(v.id, v.message) for v in verdicts if v.status != "passed"] == []


@pytest.fixture
def verdict(tmp_path, monkeypatch):
    """The verdict on one exercise of a package in which only some are filled in. Asked in this process: it is quick."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def ask(id, filled):
        for name, data in submission(honest=filled).items():
            write_if_changed(package_folder(tmp_path) / name, data)
        ex = catalogue.exercise(id)
        with private_copy(tmp_path) as package:
            answers = answers_of(package, ex, ex.probes, 0)
        expected = reference_answers([ex], 0)[id]
        return judge(ex, [Question(p, answers[p.name], expected[p.name]) for p in ex.probes], "changed", None)

    return ask


def write_if_changed(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)


def needed_by(ex):
    needed = set()
    for id in ex.needs:
        needed |= {id} | needed_by(catalogue.exercise(id))
    return needed

"""From empty stubs through the course: after notebook N is filled, all up to N passes; nothing later is needed."""

import csv
import subprocess
import sys

import pytest

from grader import answers, course, stubs
from grader.check import Request, check
from grader.places import ROOT

NUMBERS = [nb.number for nb in course.notebooks()]


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """{notebook number: verdicts of all exercises after it and all before it were filled in}."""
    folder = tmp_path_factory.mktemp("walk")
    stubs.write(folder)
    seen = {}
    for number in NUMBERS:
        answers.fill([number], folder)
        seen[number] = check(course.all_exercises(), Request(folder))
    return seen


@pytest.mark.parametrize("number", NUMBERS)
def test_up_to_here_everything_passes(walk, number):
    done = [v for v in walk[number] if v.id.split(".")[0].zfill(2) <= number]
    assert [(v.id, v.status, v.message) for v in done if v.status != "given"] == []


@pytest.mark.parametrize("number", NUMBERS)
def test_after_here_nothing_has_started(walk, number):
    later = [v for v in walk[number] if v.id.split(".")[0].zfill(2) > number]
    assert [(v.id, v.status) for v in later if v.status != "not_started"] == []


def test_at_the_end_the_learners_tree_trains_a_net_that_reads_digits(tmp_path):
    stubs.write(tmp_path)
    for number in NUMBERS:
        answers.fill([number], tmp_path)
    command = ["-m", "grader", "train", "digits", "--package", tmp_path, "--out", tmp_path / "runs", "--no-progress"]
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True, capture_output=True)
    with open(tmp_path / "runs" / "digits.csv", newline="", encoding="utf-8") as table:
        assert float(list(csv.DictReader(table))[-1]["val_accuracy"]) >= 0.95


@pytest.fixture(scope="module")
def single_steps(tmp_path_factory):
    """[(exercise, its verdict right after it was filled in)], in the order of the course."""
    folder = tmp_path_factory.mktemp("steps")
    stubs.write(folder)
    steps = []
    for ex in course.all_exercises():
        answers.fill([ex.id], folder)
        steps.append((ex, check([ex], Request(folder))[0]))
    return steps


def test_each_exercise_passes_with_only_the_earlier_ones_filled_in(single_steps):
    assert [(ex.id, v.message) for ex, v in single_steps if v.status != "given"] == []


def test_each_exercise_needs_no_more_than_it_says(tmp_path):
    """An exercise passes when only the exercises that it builds on, and theirs, are filled in."""
    for ex in course.all_exercises():
        folder = tmp_path / ex.id
        stubs.write(folder)
        answers.fill([*sorted(needed_by(ex)), ex.id], folder)
        assert check([ex], Request(folder))[0].status == "given", ex.id


def needed_by(ex):
    needed = set()
    for id in ex.needs:
        needed |= {id} | needed_by(course.exercise(id))
    return needed

"""%check, %hint, %progress in a real kernel, on stubs that are filled while it runs."""

import os
import sys
from pathlib import Path

import pytest

from grader.course import stubs
from grader.course.paths import ROOT
from grader.maintainer.clean_notebooks import GUARDED_LOAD

sys.path.append(str(Path(__file__).parent))
import kernels


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Fresh stubs."""
    folder = tmp_path_factory.mktemp("learner")
    stubs.write(folder)
    return folder


@pytest.fixture(scope="module")
def kernel(folder):
    """A kernel whose babygrad lies in folder; its notebook has run its first cell."""
    with kernels.running(ROOT / "notebooks", {**os.environ, "BABYGRAD_PACKAGE": str(folder)}) as kernel:
        assert kernel.run(GUARDED_LOAD) == ("", "", "ok")
        yield kernel


def fill(folder, code):
    path = folder / "babygrad" / "value.py"
    lines = path.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if line.strip() == "# exercise 2.1") + 1
    lines[at] = "        " + code
    path.write_text("\n".join(lines) + "\n")


WRONG = "return Value(self.data * other.data, (self, other), '*', (self.data, other.data))"
RIGHT = "return Value(self.data * other.data, (self, other), '*', (other.data, self.data))"


@pytest.mark.bare
def test_a_learner_goes_from_stub_to_points_without_restarting_the_kernel(kernel, folder):
    plain, _, status = kernel.run("from babygrad import Value\nValue(2.0) * 3")
    assert status == "error" and "Exercise 2.1" in plain and "Traceback" not in plain
    assert "not started" in kernel.run("%check 2.1")[0]

    fill(folder, WRONG)
    plain, html, _ = kernel.run("%check 2.1")
    assert "failed" in plain and "Called a * b" in plain and "Hint: %hint 2.1" in plain
    assert "background:" in html and "color:" in html and "Called a * b" in html
    assert "has not changed since the last check" in kernel.run("%check 2.1")[0]

    fill(folder, RIGHT)
    assert "passed" in kernel.run("%check 2.1")[0]
    assert "Value(data=6.0" in kernel.run("Value(2.0) * 3")[0]


def test_a_check_of_a_notebook_shows_its_table(kernel):
    plain, html, _ = kernel.run("%check 02")
    assert "2.3" in plain and "<table" in html


@pytest.mark.leg("night")
def test_progress_shows_every_notebook(kernel):
    plain, html, _ = kernel.run("%progress")
    assert "00 " in plain and "04 " in plain and "points" in html


def test_a_hint_is_shown(kernel):
    assert "1. " in kernel.run("%hint 2.3")[0]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("%check", "Say which"),
        ("%hint", "Say which"),
        ("%check 99.9", "no exercise 99.9"),
        ("%hint 2.1 2.2", "Say which"),
        ("%check nonsense", "nonsense"),
        ("%reset 2.1", "make reset EX=2.1"),
        ("%fill 2.1", "make fill EX=2.1"),
        ("%quiz nonsense", "Say %quiz"),
        ("%quiz before 99", "no notebook 99"),
        ("%submit", "What is your name? For example: %submit ada"),
        ("%fetch", "There is nothing to fetch: this course has no exchange"),
    ],
)
@pytest.mark.leg("push")
def test_a_magic_that_makes_no_sense_gets_one_sentence(kernel, line, words):
    plain, _, status = kernel.run(line)
    assert words in plain and status == "ok" and len(plain.strip().splitlines()) == 1


def test_ipythons_own_reset_still_works(kernel):
    kernel.run("forgotten = 1")
    assert kernel.run("%reset_selective -f forgotten")[2] == "ok"
    assert kernel.run("%reset -f out")[2] == "ok"


def test_the_first_cell_can_be_run_again(kernel):
    assert kernel.run(GUARDED_LOAD) == ("", "", "ok")
    assert kernel.run("%hint 2.4")[0].count("Hint") <= 1

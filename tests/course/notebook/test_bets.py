"""%bet, %bets and %%note in real kernels."""

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
def course(tmp_path_factory):
    """A course whose grader is this one."""
    course = tmp_path_factory.mktemp("a course")
    stubs.write(course)
    (course / "notebooks").mkdir()
    return course


@pytest.fixture(scope="module")
def kernel(course):
    environment = {**os.environ, "BABYGRAD_PACKAGE": str(course), "PYTHONPATH": str(ROOT)}
    with kernels.running(course / "notebooks", environment) as kernel:
        assert kernel.run(GUARDED_LOAD) == ("", "", "ok")
        yield kernel


def written(course):
    return (course / "answers" / "03.md").read_text()


def test_a_bet_is_kept_and_the_next_output_begins_with_it(kernel, course):
    assert kernel.run("# bet 3.C1\n%bet 162 {486} 'or so'") == ("", "", "ok")
    assert kernel.run("print(324)")[0] == "You bet: 162 {486} 'or so'\n324\n"
    assert kernel.run("print(324)")[0] == "324\n"
    assert "## Bet 3.C1\n\n162 {486} 'or so'\n" in written(course)


def test_a_bets_cell_with_nothing_behind_it_does_nothing(kernel, course):
    before = written(course)
    assert kernel.run("# bet 3.C1\n%bet") == ("", "", "ok")
    assert kernel.run("print(1)")[0] == "1\n"
    assert written(course) == before


@pytest.mark.parametrize("text", ["more?", "x$HOME {x!r}", "%time", "two\nlines, (un'closed", "50 %", "= 3", "!ls"])
def test_whatever_is_behind_it_is_a_bet(kernel, course, text):
    assert kernel.run(f"# bet 3.B1\n%bet {text}") == ("", "", "ok")
    assert kernel.run("print(1)")[0] == f"You bet: {text}\n1\n"
    assert f"## Bet 3.B1\n\n{text}\n" in written(course)


def test_all_bets_in_order(kernel):
    kernel.run("# bet 3.D1\n%bet 9\n")
    kernel.run("# bet 3.A1\n%bet less than 2")
    said = kernel.run("%bets 03")[0].splitlines()
    assert [said[1], *said[-2:]] == ["  3.A1  less than 2", "  3.C1  162 {486} 'or so'", "  3.D1  9"]
    assert kernel.run("%bets 04")[0] == "No bets in this notebook.\n"
    assert "%bets 03" in kernel.run("%bets")[0]


def test_a_note_keeps_its_lines(kernel, course):
    assert kernel.run("%%note 3.2b\nA node speaks once,\nafter **all** who used it.")[0] == "Kept in answers/03.md.\n"
    assert written(course).endswith("## Note 3.2b\n\nA node speaks once,\nafter **all** who used it.\n")
    assert "is not the name of a question" in kernel.run("%%note here\ntext")[0]


def test_a_bet_in_a_cell_of_ones_own_is_told_what_is_missing(kernel):
    assert "# bet 3.C1" in kernel.run("%bet 12")[0]

"""The line with the slip is named where one change in it makes every question right, and nothing is said elsewhere."""

import pytest

from grader.course import catalogue
from grader.course.edits import Change
from grader.slips import search
from grader.slips.candidates import Answer, Candidate
from grader.slips.kinds import Kind
from grader.slips.search import Slip, slip_of

FIRST_LINES = [
    ("8.1", [("transpose(a) @ out_grad", "transpose(a) @ (out_grad * 3)")], "out_grad * 3"),
    ("12.1", [("self.decayed(p)", "self.decayed(p) * 2")], "self.decayed(p) * 2"),
    ("1.2", [("x[index] = original - h", "x[index] = original - 2 * h")], "original - 2 * h"),
]


def named(lines):
    """The line of code that was named."""
    return [line.strip() for line in lines if line.kind == "code"]


def test_a_factor_that_helps_on_either_side_is_one_find():
    """It is the only one that helps: nothing else makes up for it."""
    before, after = (Candidate(Kind.FACTOR, 3, "f", f"return {text}") for text in ("a * b", "b * a"))
    other = Candidate(Kind.FACTOR, 3, "f", "return a * c")
    assert slip_of([before, after], None) == Slip((3, 3), Kind.FACTOR)
    assert slip_of([before, after, other], None) is None


@pytest.mark.leg("push")
def test_only_the_region_that_matters_is_edited(searched, monkeypatch):
    edited, candidates = set(), Answer.candidates
    monkeypatch.setattr(
        Answer, "candidates", lambda self, level: edited.update(p.name for p in self.places) or candidates(self, level)
    )
    monkeypatch.setattr(search, "MOST_TIMED", 1)  # else the quickest question is the first, on a busy machine any
    _, lines, _ = searched("10.2", ("dout * answer * (1 - answer)", "dout * answer * (1 + answer)"))
    assert edited == {"Sigmoid.forward", "Sigmoid.backward"} and "(1 + answer)" in named(lines)[0]


@pytest.mark.parametrize(("id", "changes", "there"), FIRST_LINES)
def test_the_line_of_a_slip_is_named(searched, id, changes, there):
    verdict, lines, text = searched(id, *changes)
    assert verdict.status == "failed" and len(named(lines)) == 1 and there in named(lines)[0]
    number = next(n for n, line in enumerate(text.splitlines(), 1) if named(lines)[0] in line)
    file = catalogue.exercise(id).file
    assert lines[0].startswith(f"With one change in babygrad/{file}, line {number}, every question is right.")
    assert not any("original - h" in line or "@ out_grad" in line for line in lines)  # nothing of the right answer


TWO_PLACES = [("out_grad @ transpose(b)", "out_grad @ b"), ("transpose(a) @", "a @")]
TOO_LARGE_TO_HALVE = [("/ (2 * h)", "/ (2 * h) + " + "9" * 400)]
NUDGED = "gradient[index] = (above - below) / (2 * h)"


@pytest.mark.leg("push")
@pytest.mark.parametrize(
    ("id", "changes"),
    [
        pytest.param("1.2", [(NUDGED, "gradient[index] = 7.0")], marks=pytest.mark.leg("night")),  # far from right
        pytest.param("8.1", TWO_PLACES, marks=pytest.mark.leg("night")),
        ("1.1", [("(f(x + h) - f(x - h)) / (2 * h)", "(f(x + h) - f(x)) / h")]),  # nearly right
        ("1.1", [("return", "open('x') if 0 else 0\nreturn 2 *")]),  # what an edit should not run
        pytest.param("3.2", [Change(None, "while True:\n    pass")], marks=pytest.mark.leg("night")),  # never ends
        pytest.param("1.1", TOO_LARGE_TO_HALVE, marks=pytest.mark.leg("night")),
        ("1.1", [("/ (2 * h)", "/ (2 * h) + 0x" + "f" * 5000)]),  # or to write
    ],
)
def test_of_what_is_no_single_slip_no_line_is_said(searched, id, changes):
    verdict, lines, _ = searched(id, *changes)
    assert verdict.status != "passed" and lines == ()


@pytest.mark.leg("push")
@pytest.mark.parametrize(
    "body",
    [
        # answers otherwise from the second time on
        "f.asked = getattr(f, 'asked', 0) + 1\nreturn (f(x + h) - f(x - h)) / (2 * h) if f.asked > 1 else 0.0",
        # keeps what it was asked
        "known = numerical_gradient.__dict__\nknown[x] = h\nreturn float(len(known))",
        # waits for an edit that turns its guard around
        "if x is None:\n    return globals()['__builtins__']\nreturn 1.0",
        # a loop that an edit makes endless
        "total = 0.0\nwhile total < 3:\n    total = total + 1\nreturn total * h",
    ],
)
def test_code_that_plays_tricks_is_told_nothing(searched, body):
    verdict, lines, _ = searched("1.1", Change(None, body))
    assert verdict.status != "passed" and lines == ()

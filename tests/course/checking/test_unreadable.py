"""A file that Python cannot read: the line with a ^ where it stops, what is likely meant, and whose answer it is."""

import types

import pytest

from grader.asking import ask
from grader.asking.outcome import Frame, Stopped
from grader.checking import report
from grader.checking.check import Request, check
from grader.checking.unreadable import caret, likely_meant, whose
from grader.course import catalogue, stubs
from grader.course.stub_message import statement
from grader.notebook.report_html import bundle

# What is written for exercise 0.1, and what is said: the line with its ^, and words.
CASES = {
    "x for times": (
        "return width x height",
        ["return width x height", "             ^"],
        "* multiplies, as in width * ",
    ),
    "x in brackets": ("return (width x height)", [], "* multiplies, as in width * height"),
    "a sign of its own": ("return width × height", ["return width × height", "             ^"], "sign ×: * multiplies"),
    "a prompt copied along": (">>> return width * height", [">>> return width * height", "^"], "The >>> is the prompt"),
    "no colon": ("if width\n    return 1", ["if width", "        ^"], "A colon is missing at the ^"),
    "no colon behind else": ("if width:\n    x = 1\nelse\n    x = 2", ["else", "    ^"], "A colon is missing at the ^"),
    "else if": ("if width:\n    x = 1\nelse if height:\n    x = 2", [], "one word: elif"),
    "a tab": ("x = 1\n@\treturn x", [], "Delete the tabs"),
    "return at the margin": ("x = 1\n@return x", ["return x", "^"], "stands outside of every function"),
    "two names side by side": ("retrun width", ["retrun width", "       ^"], "retrun and width stand side by side"),
    "a bracket never closed": ("return (width * height", ["return (width * height", "       ^"], "is never closed"),
    "a bracket too many": (
        "return width * height)",
        ["return width * height)", "                     ^"],
        "one too many",
    ),
    "= for ==": ("if width = 0:\n    return 0", [], "asked with =="),
    "further in": ("x = 1\n    return x", [], "further in than the one above it"),
    "no line further in": ("if width:\nreturn 1", [], "is followed by lines that begin further in"),
}


@pytest.fixture
def written(tmp_path):
    """Puts this into warmup.py for 0.1, and gives the file; a line with an @ begins at the margin."""

    def write(code):
        path = tmp_path / "babygrad/warmup.py"
        lines = [line[1:] if line.startswith("@") else "    " + line for line in code.split("\n")]
        stub = "    " + statement("0.1", "area")
        assert stub in path.read_text()
        path.write_text(path.read_text().replace(stub, "\n".join(lines)))
        return path

    stubs.write(tmp_path)
    return write


def why_unreadable(path):
    """The Stopped of a file that Python cannot read."""
    with pytest.raises(SyntaxError) as caught:
        compile(path.read_text(), path, "exec")
    package = types.SimpleNamespace(__path__=[str(path.parent)], __name__="babygrad")
    return ask.stopped(caught.value, package, importing=True)


def checked(path, *ids):
    return check(catalogue.select(ids), Request(path.parents[1], 5.0))


@pytest.mark.parametrize("case", CASES)
def test_the_line_and_what_is_likely_meant(written, case):
    code, shown, words = CASES[case]
    stop = why_unreadable(written(code))
    assert words in likely_meant(stop)
    assert [stop.frames[-1].code, caret(stop)][: len(shown)] == shown
    assert stop.region == "0.1"


def test_it_is_said_whose_answer_the_line_belongs_to(written):
    told = "This line belongs to exercise 0.1 (area)."
    path = written("return width x height")
    [own], [other] = checked(path, "0.1"), checked(path, "0.2")
    assert told not in own.message and told in other.message


def test_in_a_terminal_and_in_a_notebook_the_sign_stands_below_the_place(written):
    verdicts = checked(written("return width x height"), "0.1")
    below = " " * len("return width ") + "^"
    assert f"      {below}" in list(report.text(verdicts))
    assert f"{below}</code>" in bundle(verdicts)["text/html"]


@pytest.mark.parametrize("column", [-1, -5, 100, 10**50])
def test_an_odd_place_is_not_shown(column):
    stop = Stopped("SyntaxError", "invalid syntax", (Frame("warmup.py", 1, "", "a b"),), importing=True, column=column)
    assert caret(stop) == ""
    assert isinstance(likely_meant(stop), str)


@pytest.mark.parametrize("region", ["", "0.1", "abc", "99.99", "1" * 4000 + ".1", "../x"])
def test_an_odd_region_is_not_named(region):
    stop = Stopped("SyntaxError", "", (Frame("warmup.py", 1, "", ""),), importing=True, region=region)
    assert whose(stop, "0.1") == ""

"""What the documents show of the grader's words is what the grader says."""

import html
import json
import re
import subprocess
import sys

import pytest

from grader.course import stubs
from grader.course.paths import NOTEBOOK_SOURCES, ROOT

SWAPPED = 'return Value(self.data * other.data, (self, other), "*", (self.data, other.data))'
START = (NOTEBOOK_SOURCES / "00_start_here.py").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def said(folder, id, file, code, monkeypatch):
    """The bundle that a notebook shows for this code in the place of a stub."""
    stubs.write(folder)
    path = folder / "babygrad" / file
    stub = next(line for line in path.read_text().splitlines() if f'"exercise {id}: ' in line)
    path.write_text(path.read_text().replace(stub.strip(), code))
    monkeypatch.setenv("BABYGRAD_MEMORY", str(folder))
    command = [sys.executable, "-m", "grader", "check", id, "--package", str(folder), "--mimebundle"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return json.loads(run.stdout)


@pytest.mark.parametrize("bad", ["return width + height"])
def test_the_first_message_of_the_course_is_shown_word_for_word(tmp_path, monkeypatch, bad):
    bundle = said(tmp_path, "0.1", "warmup.py", bad, monkeypatch)
    without_links = re.sub(r"</?(?:a|b|strong|code|span)\b[^>]*>", "", bundle["text/html"])
    lines = [html.unescape(line) for line in re.findall(r">([^<>]+)<", without_links)]
    shown = "\n".join(f"# {line}" for line in lines)
    assert shown in START


def test_the_message_in_the_readme_is_word_for_word(tmp_path, monkeypatch):
    bundle = said(tmp_path, "2.1", "value.py", SWAPPED, monkeypatch)
    assert bundle["text/plain"] in README


def test_the_line_about_an_unfilled_stub_names_the_right_line():
    number = next(
        number
        for number, line in enumerate(stubs.generated()["warmup.py"].splitlines(), 1)
        if '"exercise 0.2: ' in line
    )
    assert f"babygrad/warmup.py, line {number}." in START

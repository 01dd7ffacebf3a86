"""The next hint says more of the line that a check named, as long as nothing was changed."""

from grader.checking import report
from grader.course import catalogue
from grader.learner import hints, memory

FILES = {"value.py": b"a"}
WORDS = "Think about the signs in this line."


def test_the_next_hint_says_more_of_the_line(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "MEMORY", tmp_path)
    there = dict(FILES)
    monkeypatch.setattr(hints, "files_in", lambda package: there)
    memory.remember_slip("2.1", FILES, WORDS)
    shown = "\n".join(report.hint_lines(hints.next_hint(catalogue.exercise("2.1"))))
    assert shown.endswith(f"And about the line that the check named: {WORDS}")
    there["value.py"] = b"b"
    assert WORDS not in "\n".join(report.hint_lines(hints.next_hint(catalogue.exercise("2.1"))))


def test_what_was_said_is_forgotten_with_the_next_check(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "MEMORY", tmp_path)
    memory.remember_slip("2.1", FILES, WORDS)
    memory.remember_slip("2.1", FILES, "")
    assert memory.slip("2.1", FILES) == ""

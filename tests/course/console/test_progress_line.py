"""One line on a terminal that is written over each time."""

import io

import pytest

from grader.console import progress_line


class Screen(io.StringIO):
    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal

    def line(self):
        """What is to be seen when all of it was written."""
        return self.getvalue().rpartition("\r\033[K")[2]


def test_each_time_the_line_is_written_over(monkeypatch):
    screen = Screen(terminal=True)
    monkeypatch.setattr("sys.stderr", screen)
    for words in ("checking 2.10 (1 of 2)", "short", ""):
        progress_line.show(words)
        assert screen.line() == words and "\n" not in screen.getvalue()


@pytest.mark.parametrize("words", ["checking 2.10 (1 of 2)", ""])
def test_a_log_file_gets_none_of_it(monkeypatch, words):
    screen = Screen(terminal=False)
    monkeypatch.setattr("sys.stderr", screen)
    progress_line.show(words)
    assert screen.getvalue() == ""

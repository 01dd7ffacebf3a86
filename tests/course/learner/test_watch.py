"""make watch: a saved file is answered with the message of the exercise that changed; keys; no terminal is needed."""

import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

from grader.checking.check import Request
from grader.course import catalogue, stubs
from grader.course.paths import REFERENCE, ROOT, package_folder
from grader.learner import fill, memory, watch

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")


@pytest.fixture
def layout(tmp_path, monkeypatch):
    """A Layout on fresh stubs, with a memory of its own."""
    monkeypatch.setattr(memory, "MEMORY", tmp_path / "memory")
    stubs.write(tmp_path)
    return watch.Layout(Request(tmp_path))


def write(layout, id, old=None, new=None):
    """Fill an exercise in; with old and new, change its file in another way."""
    path = layout.folder / catalogue.exercise(id).file
    if old is None:
        fill.fill([id], layout.request.package)
    else:
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
    return {str(path)}


def heard(layout, capsys, happening):
    capsys.readouterr()
    assert layout.heard(happening)
    return capsys.readouterr().out


def test_it_begins_at_the_first_exercise_of_the_track(layout, capsys):
    layout.open()
    assert "Next: exercise 0.1 area, in babygrad/warmup.py." in capsys.readouterr().out
    memory.remember_track("evening")
    assert watch.Layout(layout.request).at == "2.1"


def test_a_right_answer_is_praised_and_the_next_exercise_opens(layout, capsys):
    words = heard(layout, capsys, write(layout, "0.1"))
    assert re.search(r"0\.1 +area +given", words)
    assert "Next: exercise 0.2 sides" in words
    assert layout.at == "0.2"


def test_a_wrong_answer_gets_its_message_and_stays(layout, capsys):
    stub = 'raise NotImplementedError("exercise 0.1: area")'
    words = heard(layout, capsys, write(layout, "0.1", stub, "return width + height"))
    assert "0.1  area" in words and "failed" in words and "was expected" in words
    assert layout.at == "0.1"
    assert "Hint" in words


def test_the_exercise_that_changed_is_checked_not_the_one_before_it(layout, capsys):
    stub = 'raise NotImplementedError("exercise 1.1: numerical_derivative")'
    words = heard(layout, capsys, write(layout, "1.1", stub, "return 0.0"))
    assert "1.1  numerical_derivative" in words
    assert layout.at == "1.1"


def test_a_save_outside_of_exercises_checks_the_one_at_hand(layout, capsys):
    assert "0.1  area" in heard(
        layout,
        capsys,
        write(
            layout,
            "0.1",
            '"""',
            '"""',
        ),
    )


def test_a_file_whose_markers_are_broken_is_said_and_nothing_stops(layout, capsys):
    words = heard(layout, capsys, write(layout, "0.1", "# end of exercise 0.1", "# the end"))
    assert "In babygrad/warmup.py the comments around the exercises are not whole: line " in words


def test_keys(layout, capsys):
    assert "0.1 area\n  1. " in heard(layout, capsys, "h")
    assert "  2. " in heard(layout, capsys, "h")
    assert "Next: exercise 0.2" in heard(layout, capsys, "n")
    assert heard(layout, capsys, "x") == ""
    assert layout.heard("q") is False


def test_next_goes_round_and_ends_when_all_is_begun(layout, capsys):
    layout.at = list(layout.exercises)[-1]
    assert "Next: exercise 0.1" in heard(layout, capsys, "n")
    monkey = watch.Layout(Request(REFERENCE))
    assert "Every exercise has been started. Press a" in heard(monkey, capsys, "n")


def test_everything_is_checked_on_demand(layout, capsys, monkeypatch):
    asked = []
    monkeypatch.setattr(watch, "check", lambda exercises, request: asked.append(len(exercises)) or [])
    monkeypatch.setattr(watch.report, "text", lambda verdicts, track: [f"the table, {track}"])
    assert "the table, everything" in heard(layout, capsys, "a")
    assert asked == [len(layout.exercises)]


# ------------------------------------------------------------------ what is saved


def test_a_saved_file_is_noticed_once_it_is_whole(tmp_path):
    happenings, stop = queue.Queue(), threading.Event()
    file, other = tmp_path / "value.py", tmp_path / "ops.py"
    other.write_text("")
    thread = threading.Thread(target=watch.saves, args=(tmp_path, happenings, stop), daemon=True)
    thread.start()
    noticed = None
    for number in range(1200):
        file.write_text(f"x = {number}\n")
        (tmp_path / "notes.txt").write_text(f"{number}")
        try:
            noticed = happenings.get(timeout=0.8)
            break
        except queue.Empty:
            continue
    file.unlink()
    gone = happenings.get(timeout=600)
    stop.set()
    thread.join(timeout=600)
    assert noticed == gone == {str(file)} and not thread.is_alive()


def test_a_file_that_is_still_being_written_is_waited_for(tmp_path, monkeypatch):
    looks = iter([{"a": 1}, {"a": 2}, {"a": 3}, {"a": 3}, {"a": 3}])
    monkeypatch.setattr(watch, "stamps", lambda folder: next(looks))
    happenings, stop = queue.Queue(), Stop(4)
    watch.saves(tmp_path, happenings, stop)
    assert happenings.get_nowait() == {"a"} and happenings.empty() and next(looks, None) is None


class Stop:
    """Is set after so many looks."""

    def __init__(self, looks):
        self.left = looks

    def wait(self, seconds):
        self.left -= 1
        return self.left < 0


# ------------------------------------------------------------------ in a terminal


class Terminal:
    """make watch in a terminal of its own, in a course with fresh stubs."""

    def __init__(self, root):
        self.screen, mine = pty.openpty()
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "BABYGRAD_MEMORY": str(root / "memory"), "TERM": "xterm"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "grader", "watch", "--package", str(root)],
            stdin=mine, stdout=mine, stderr=mine, env=environment, cwd=ROOT, start_new_session=True,
        )  # fmt: skip
        os.close(mine)
        os.set_blocking(self.screen, False)
        self.said = ""

    def until(self, words, seconds=600):
        """Read until these words come.  Returns what came."""
        end = time.monotonic() + seconds
        while words not in self.said:
            assert time.monotonic() < end and self.process.poll() is None, self.said
            try:
                self.said += os.read(self.screen, 65536).decode(errors="replace")
            except BlockingIOError:
                time.sleep(0.05)
        said, self.said = self.said, ""
        return said

    def type(self, keys):
        os.write(self.screen, keys.encode())


@pytest.fixture
def terminal(tmp_path):
    stubs.write(tmp_path)
    there = Terminal(tmp_path)
    yield there
    if there.process.poll() is None:
        os.killpg(there.process.pid, signal.SIGKILL)
    there.process.wait()
    os.close(there.screen)


@pytest.mark.leg("push")
def test_saving_and_keys_in_a_terminal(terminal, tmp_path):
    terminal.until("q quit")
    file = package_folder(tmp_path) / "warmup.py"
    text = file.read_text(encoding="utf-8")
    wrong = text.replace('raise NotImplementedError("exercise 0.1: area")', "return width + height")
    for _ in range(100):  # the watcher may not be there yet
        file.write_text(wrong, encoding="utf-8")
        wrong += "\n"
        try:
            said = terminal.until("q quit", seconds=6)
            break
        except AssertionError:
            assert terminal.process.poll() is None
    assert "0.1  area" in said or "failed" in terminal.until("q quit")
    file.write_text(wrong.replace("width + height", "width * height"), encoding="utf-8")
    terminal.until("Next: exercise 0.2 sides")
    terminal.type("h")
    terminal.until("0.2 sides")
    terminal.type("q")
    assert terminal.process.wait(timeout=600) == 0


def test_ctrl_c_ends_it_and_leaves_the_terminal_as_it_was(terminal):
    import termios

    before = termios.tcgetattr(terminal.screen)
    terminal.until("q quit")
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert terminal.process.wait(timeout=600) == 0
    assert termios.tcgetattr(terminal.screen)[3] == before[3]


@pytest.mark.leg("push")
def test_without_a_terminal_it_watches_too(tmp_path):
    stubs.write(tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "BABYGRAD_MEMORY": str(tmp_path / "memory")}
    command = [sys.executable, "-m", "grader", "watch", "--package", str(tmp_path)]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    try:
        assert process.stdout.readline().startswith("Next: exercise 0.1 area")
        assert process.poll() is None
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

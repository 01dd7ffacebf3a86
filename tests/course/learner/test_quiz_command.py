"""python -m grader quiz: what it asks, says and keeps; what a check notes for it; what an update leaves alone."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import nbformat
import pytest

from grader import cli
from grader.course import catalogue, stubs
from grader.course.exercise import EITHER, IN_PART
from grader.course.paths import REFERENCE, ROOT
from grader.learner import memory
from grader.maintainer.executed_notebooks import executed_path
from grader.maintainer.sources import sources
from grader.quiz import bank, log
from grader.quiz.boxes import Boxes
from grader.quiz.brings import named_in
from grader.quiz.log import Event

NOW = datetime.now(UTC)
NUMBER = "03"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where things are remembered, and stubs to fill."""
    for module in (log, memory):
        monkeypatch.setattr(module, "MEMORY", tmp_path / "memory")
    stubs.write(tmp_path)
    return tmp_path


@pytest.fixture
def asked(folder, monkeypatch, capsys):
    """asked(words, so_many, end): (exit code, what is said). So many are answered by empty lines, then it ends."""

    def run(words="", so_many=1, end=EOFError):
        def read(prompt):
            if answered() >= so_many:
                raise end
            return ""

        monkeypatch.setattr("builtins.input", read)
        code = cli.main(["quiz", *words.split(), "--package", str(folder)])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


def answered():
    return sum(bool(event.question) for event in log.read().events)


def fill(folder, ids):
    """Something stands in the exercises with these ids."""
    for path in (folder / "babygrad").rglob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for id in ids:
            lines = ["pass" if f'"exercise {id}:' in line else line for line in lines]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def questions():
    return bank.entries([NUMBER])


def bring(days=1):
    log.add(*(Event(NOW - timedelta(days=days), done=NUMBER, track=track) for track in ("evening", "core", "stretch")))


def test_before_a_notebook_is_done_there_are_no_questions(asked):
    code, said = asked()
    assert code == 0 and said.startswith("There are no questions yet.")
    assert asked("--count") == (0, "0 questions are due.\n")


def test_a_notebook_that_is_done_brings_its_questions_and_what_failed_at_its_last_check_is_not_done(asked, folder):
    ids = [ex.id for ex in catalogue.exercises_of(NUMBER)]
    fill(folder, ids)
    key = f"{folder / 'babygrad'}:{ids[0]}"
    memory._write({"failures": {key: "digest"}})
    assert asked("--count") == (0, "0 questions are due.\n")
    memory._write({})
    code, said = asked("--count")
    assert code == 0 and said != "0 questions are due.\n"
    assert {event.done for event in log.read().events} == {NUMBER}
    stubs.write(folder)  # the learner begins again
    assert asked("--count") == (0, said)


def test_an_answer_is_kept_at_once_and_the_end_of_the_input_is_the_end(asked):
    bring()
    code, said = asked()
    assert (
        code == 0
        and "The answer: " in said
        and f"notebooks/{catalogue.notebook(NUMBER).name}.ipynb, section" in " ".join(said.split())
    )
    assert "0 of 1 right." in said and "still due today" in said
    assert [event.right for event in log.read().events if event.question] == [False]


def test_ctrl_c_in_the_middle_loses_nothing(asked):
    bring()
    code, said = asked(end=KeyboardInterrupt)
    assert code == 130 and "What you have answered is kept." in said
    assert answered() == 1


def test_ctrl_c_after_what_was_not_kept_does_not_say_that_it_is(asked, monkeypatch):
    bring()
    written = log.add

    def full(*events):
        written(*events)
        if events:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(log, "add", full)
    said = asked(end=KeyboardInterrupt)[1]
    assert "No space left on device. This is not kept." in said and "is kept." not in said


def test_of_one_notebook_questions_are_asked_due_or_not(asked):
    code, said = asked(NUMBER)
    assert code == 0 and "Question 1 of" in said and f"about notebook {NUMBER}" in said


def test_before_a_notebook_three_at_most_of_earlier_ones_are_asked(asked):
    code, said = asked("--before 04")
    assert code == 0 and "about notebook 0" in said and "about notebook 04" not in said
    assert asked("--before 00") == (0, "There are no questions about notebooks before 00.\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("99", "There is no notebook 99."),
        ("--before x", "There is no notebook x."),
        ("03 --more", "One at a time"),
        ("--more --count", "One at a time"),
    ],
)
def test_what_makes_no_sense_is_named(asked, words, said):
    code, out = asked(words)
    assert code == 2 and said in out


def test_a_file_of_another_course_is_spoken_of_and_stays(asked):
    bring()
    log.add(Event(NOW, question="77.Q1", right=True))
    before = log._path(None).read_bytes()
    code, said = asked(so_many=0)
    assert code == 0 and "1 question that this course does not have, such as 77.Q1" in said
    assert log._path(None).read_bytes() == before


def test_a_file_that_cannot_be_read_is_named(asked, folder):
    (folder / "memory" / log.FILE).mkdir(parents=True)
    code, said = asked()
    assert code == 2 and said.startswith(".babygrad/quiz.jsonl cannot be read: ")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_where_nothing_can_be_written_that_is_said(asked, folder):
    bring()
    log._path(None).chmod(0o444)
    assert "cannot be written" in asked()[1]


def test_the_same_seed_asks_the_same(asked):
    bring()
    first, again, other = (asked(f"--data --seed {seed}")[1] for seed in ("a", "a", "b"))
    assert first == again != other


@pytest.mark.leg("push")
@pytest.mark.skipif(os.name == "nt", reason="no SIGINT from here")
def test_ctrl_c_at_a_real_prompt_ends_it_in_one_line(folder):
    words = [sys.executable, "-m", "grader", "quiz", NUMBER, "--package", str(folder), "--seed", with_one_answer()]
    environment = {**os.environ, "BABYGRAD_MEMORY": str(folder / "memory")}
    process = subprocess.Popen(
        words,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdin.write("\n")
    process.stdin.flush()
    lines = iter(process.stdout.readline, "")
    assert any("Look at" in line for line in lines) and any("Question 2" in line for line in lines)
    while process.poll() is None:  # just before Python reads its input it misses one, for a person, too
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
    out, err = process.stdout.read(), process.stderr.read()
    process.stdin.close()  # not before: an end of its input would be an answer, too
    assert process.returncode == 130 and "Traceback" not in err and out.endswith("What you have answered is kept.\n")
    assert sum(bool(event.question) for event in log.read(folder / "memory").events) == 1


def with_one_answer():
    """A seed with which the first question is answered by one line."""
    boxes = Boxes(questions(), log.Log(), NOW)
    for seed in map(str, range(99)):
        first = boxes.entries[boxes.of([NUMBER], 1, seed)[0]]
        if len(bank.drawn(first, seed).right) == 1:
            return seed
    raise AssertionError("no question of this notebook has one answer")


# ------------------------------------------------------------------ what a check notes


class Verdict:
    def __init__(self, id, misconception):
        self.id, self.misconception = id, misconception


def test_of_a_check_the_ideas_that_it_names_are_noted():
    verdicts = [
        Verdict("3.1", "one"),
        Verdict("3.2", None),
        Verdict("3.3", f"two{EITHER}three"),
        Verdict("3.4", IN_PART + "x"),
    ]
    assert list(named_in(verdicts)) == [("3.1", "one"), ("3.3", "two"), ("3.3", "three")]


def test_a_check_that_names_a_misconception_brings_its_question_forward(folder, monkeypatch, capsys):
    """The misconception itself is what the learner wrote."""
    text = (folder / "babygrad" / "value.py").read_text(encoding="utf-8")
    stub = 'raise NotImplementedError("exercise 3.1: Value._backward")'
    assert stub in text
    wrong = "for node, slope in zip(self._prev, self._slopes): node.grad = slope * self.grad"
    (folder / "babygrad" / "value.py").write_text(text.replace(stub, wrong), encoding="utf-8")
    cli.main(["check", "3.1", "--package", str(folder)])
    assert "failed" in capsys.readouterr().out
    assert ("3.1", "assigns instead of adding") in {event.idea for event in log.read().events}


@pytest.mark.parametrize("number", catalogue.numbers()[1:])
def test_a_recorded_notebook_shows_the_questions_as_they_are_now(folder, capsys, number):
    path = executed_path(*sources([number]))
    (cell,) = [each for each in nbformat.read(path, 4).cells if each.source == f"%quiz before {number}"]
    words = ["--before", number, "--seed", f"recorded before {number}", "--data", "--package", str(REFERENCE)]
    assert cli.main(["quiz", *words]) == 0
    said = json.loads(capsys.readouterr().out)["bundle"]["text/plain"]
    assert [output.data["text/plain"] for output in cell.outputs] == [said]

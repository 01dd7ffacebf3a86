"""The file of what happened: killed while it is written, written by several at once, from an older or newer course."""

import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from grader.course.paths import ROOT
from grader.quiz import log
from grader.quiz.log import Event

NOW = datetime(2026, 9, 1, 18, tzinfo=UTC)
WRITES = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from grader.quiz import log
who, count = sys.argv[1], int(sys.argv[2])
for number in range(count):
    log.add(log.Event(datetime.now(UTC), question=f"{who}.Q{number}", right=True), folder=Path(sys.argv[3]))
    print(number, flush=True)
"""


def writer(folder, who, count):
    words = [sys.executable, "-c", WRITES, who, str(count), str(folder)]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_what_is_written_is_read_again(tmp_path):
    events = (
        Event(NOW, question="3.Q1", right=True),
        Event(NOW, question="3.Q2", right=False),
        Event(NOW, idea=("3.1", "assigns instead of adding")),
        Event(NOW, done="03", track="core"),
    )
    log.add(*events, folder=tmp_path / "new")
    assert log.read(tmp_path / "new") == log.Log(events)
    lines = (tmp_path / "new" / log.FILE).read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0]) == {"at": "2026-09-01T18:00:00Z", "question": "3.Q1", "right": True}


def test_without_a_file_nothing_happened(tmp_path):
    assert log.read(tmp_path) == log.Log()


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_writer_that_is_killed_loses_nothing_that_it_had_written(tmp_path):
    process = writer(tmp_path, "1", 10**6)
    for _ in range(20):
        told = process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    found = log.read(tmp_path)
    assert len(found.events) > int(told) and found.unknown == 0
    assert [event.question for event in found.events] == [f"1.Q{number}" for number in range(len(found.events))]


def test_two_write_at_once_and_every_line_is_whole(tmp_path):
    both = [writer(tmp_path, who, 300) for who in "12"]
    for process in both:
        process.communicate()
    found = log.read(tmp_path)
    assert found.unknown == 0
    for who in "12":
        own = [event.question for event in found.events if event.question.startswith(f"{who}.")]
        assert own == [f"{who}.Q{number}" for number in range(300)]


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_line_that_was_not_written_to_its_end_costs_no_other(tmp_path, cut):
    path = tmp_path / log.FILE
    whole = Event(NOW, question="1.Q1", right=True).line
    path.write_text(whole + whole[:cut], encoding="utf-8")
    assert [event.question for event in log.read(tmp_path).events] == ["1.Q1"]
    log.add(Event(NOW, question="1.Q2", right=True), folder=tmp_path)
    found = log.read(tmp_path)
    assert [event.question for event in found.events] == ["1.Q1", "1.Q2"] and list(found.notes(["1.Q1", "1.Q2"])) == []
    assert path.read_text(encoding="utf-8").startswith(whole + whole[:cut] + "\n")


STRANGE = [
    '{"at": "2030-01-01T00:00:00Z", "something": "of a newer course"}',
    '{"at": "yesterday", "question": "1.Q1", "right": true}',
    '{"question": "1.Q1", "right": true}',
    '{"at": "2026-09-01T18:00:00Z", "question": "1.Q1", "right": "yes"}',
    '{"at": "2026-09-01T18:00:00Z", "idea": ["3.1"]}',
    '{"at": "2026-09-01T18:00:00Z", "idea": 3}',
    *(f'{{"at": "{at}Z", "question": "1.Q1", "right": true}}' for at in ("0001-01-01T00:00:00", "9999-12-31T23:59:59")),
    f'{{"at": {"[" * 100_000}}}',
    '["a list", {}]',
    "{not JSON}",
]


@pytest.mark.parametrize("line", [line for line in STRANGE if line.endswith("}")], ids=lambda line: line[:60])
def test_a_line_that_cannot_be_understood_is_passed_over_named_and_kept(tmp_path, line):
    path, good = tmp_path / log.FILE, Event(NOW, question="1.Q1", right=True)
    path.write_text(f"{line}\n{good.line}", encoding="utf-8")
    found = log.read(tmp_path)
    assert found.events == (good,)
    (said,) = found.notes(["1.Q1"])
    assert said.startswith("1 line of .babygrad/quiz.jsonl cannot be understood here, and is passed over")
    log.add(good, folder=tmp_path)
    assert path.read_text(encoding="utf-8") == f"{line}\n{good.line}{good.line}"


def test_bytes_that_are_no_text_are_passed_over(tmp_path):
    good = Event(NOW, question="1.Q1", right=True)
    (tmp_path / log.FILE).write_bytes(b"\xff\xfe\x00}\n" + good.line.encode() + b"\x80")
    assert log.read(tmp_path).events == (good,)


def test_answers_to_questions_of_another_course_are_named_and_stay(tmp_path):
    log.add(*(Event(NOW, question=id, right=True) for id in ("3.Q1", "99.Q1", "99.Q2")), folder=tmp_path)
    (said,) = log.read(tmp_path).notes(["3.Q1"])
    assert "2 questions that this course does not have, such as 99.Q1" in said


def test_whatever_a_line_calls_a_question_can_be_shown():
    (said,) = log.parsed(
        '{"at": "2026-09-01T18:00:00Z", "question": "\\ud800\\n' + "x" * 999 + '", "right": true}'
    ).notes([])
    assert said.encode() and "\n" not in said and len(said) < 200


def test_two_files_are_merged_by_having_the_lines_of_both():
    one = [Event(NOW + timedelta(days=n), question="1.Q1", right=True).line for n in range(3)]
    other = [one[0], Event(NOW, question="2.Q1", right=False).line]
    merged = log.joined("".join(one), "".join(other) + '{"torn')
    assert log.joined(merged, merged) == merged
    assert {event.line for event in log.parsed(merged).events} == {*one, *other}
    in_order = [at for at, _ in log.parsed(merged).in_order(NOW + timedelta(days=9))]
    assert in_order == sorted(in_order)


def test_what_is_a_day_ahead_keeps_its_time_and_what_is_further_counts_as_what_is_above_it():
    events = tuple(Event(NOW + timedelta(hours=hours), question="1.Q1") for hours in (-1, 24, 25))
    assert [at for at, _ in log.Log(events).in_order(NOW)] == [events[0].at, events[1].at, events[1].at]


def test_an_idea_is_noted_once_until_a_question_is_answered(tmp_path, monkeypatch):
    monkeypatch.setattr(log, "MEMORY", tmp_path)
    idea = ("3.1", "assigns instead of adding")
    log.add_ideas([idea, idea], NOW)
    log.add_ideas([idea], NOW)
    assert [event.idea for event in log.read().events] == [idea]
    log.add(Event(NOW, question="3.Q1", right=True))
    log.add_ideas([idea], NOW)
    assert [event.idea for event in log.read().events] == [idea, (), idea]


def test_where_nothing_can_be_written_an_idea_is_not_noted(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(log, "MEMORY", tmp_path / "file")
    log.add_ideas([("3.1", "assigns instead of adding")], NOW)
    assert (tmp_path / "file").read_text() == ""

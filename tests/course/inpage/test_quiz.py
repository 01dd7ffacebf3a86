"""The quiz in a page: the same verdicts and words as in a terminal, lines that are added and nothing kept."""

import sys
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.asking.draws import is_light
from grader.course import catalogue
from grader.course.exercise import EITHER
from grader.course.paths import EXPECTED, ROOT
from grader.course.tracks import MARKS
from grader.edition import recording
from grader.inpage import quiz
from grader.quiz import bank, log, recorded, words
from grader.quiz.boxes import NEW_A_DAY
from grader.quiz.comparing import RIGHT
from grader.quiz.log import Event
from grader.quiz.terminal import ask

sys.path.append(str(Path(__file__).parent))
import pages

NUMBER, SEEDS = "03", ("0", "1", "2")
NOW = datetime.now(UTC)
LINE = Event(NOW, question="3.Q1", right=True).line
pytestmark = pytest.mark.leg("push")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where a release has recorded some draws of each question."""
    folder = tmp_path_factory.mktemp("expected")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recording, "DRAWS", 2)
        recording.record_quiz([NUMBER], folder)
    return folder


@pytest.fixture
def here(folder, monkeypatch):
    """As in a page: questions are read as recorded; nothing is written in any exercise."""
    read_from(folder, monkeypatch)
    monkeypatch.setattr(quiz, "states_in", lambda _: {})


def read_from(folder, monkeypatch):
    monkeypatch.setattr(recorded, "EXPECTED", folder)
    monkeypatch.setattr(recorded, "_questions", cache(recorded._questions.__wrapped__))
    for name in ("drawn", "entries_of"):
        monkeypatch.setattr(bank, name, getattr(recorded, name))


def begin(about="", text="", **more):
    return {"do": "quiz", "log": text, "about": about, "seed": "0", "failed": [], **more}


def answers(numbers):
    """(Asked, what is typed, the request) of each recorded question, rightly and wrongly."""
    for entry in bank.entries(numbers).values():
        for seed in SEEDS:
            asked = bank.drawn(entry, seed)
            unread = [[text] * len(asked.right) for text in ("", "(")]
            for answer in (asked.right, *(wrong for wrong, _ in asked.wrong), *unread):
                by_letter = [letter for letter, choice in asked.lettered if choice == answer[0]]
                typed = by_letter or list(answer)
                yield asked, typed, {"do": "quiz", "log": LINE, "seed": seed, "question": asked.id, "typed": typed}


def in_the_terminal(asked, typed):
    """(kinds of the verdicts, what is said after the last text that is typed)"""
    kinds, said, waiting = [], [], iter(typed)

    def read(_):
        for text in waiting:
            said.clear()
            return text
        raise EOFError

    write = lambda *lines, sep=" ": said.append(sep.join(lines))
    ask([asked], 1, lambda _, verdict: kinds.append(verdict.kind), write, read)
    return kinds, in_one_line(said)


def in_one_line(said):
    return " ".join(" ".join(said).split())


def compare(asked, typed, answer):
    kinds, said = in_the_terminal(asked, typed)
    look = f"Look at {answer['place']}." if answer["place"] else ""
    assert in_one_line([*answer["said"], look]) == said, (asked, typed)
    assert [answer["right"]] * answer["counts"] == [kind == RIGHT for kind in kinds]
    assert [event.right for event in log.parsed(answer["log"]).events] == [kind == RIGHT for kind in kinds]


def test_each_answer_is_judged_as_in_the_terminal(here):
    found = list(answers([NUMBER]))
    for asked, typed, request in found:
        compare(asked, typed, quiz.handle(request))
    assert len(found) > 100


def test_what_the_page_is_sent_has_no_answer(here):
    told = quiz.handle(begin(NUMBER))
    assert len(told["asked"]) == 5 and told["log"] == "" and told["notes"] == []
    assert {*told["asked"][0]} == {"id", "number", "section", "text", "code", "names", "lettered"}
    assert quiz.handle(begin()) == {"log": "", "notes": [words.NONE_YET], "asked": []}


def test_a_notebook_is_done_when_what_a_page_checks_of_it_is(here, monkeypatch):
    """01 has two exercises that need NumPy."""
    exercises = [ex for number in ("01", NUMBER) for ex in catalogue.exercises_of(number)]
    light = {ex.id: "changed" for ex in exercises if is_light(ex.id)}
    assert len(light) < len(exercises)
    monkeypatch.setattr(quiz, "states_in", lambda _: {"value.py": light})
    told = quiz.handle(begin())
    done = {(event.done, event.track) for event in log.parsed(told["log"]).events}
    assert done == {(number, track) for number in ("01", NUMBER) for track in MARKS}
    assert [asked["number"] for asked in told["asked"]] == [NUMBER] * NEW_A_DAY
    assert quiz.handle(begin(text=told["log"]))["log"] == ""
    failed = {event.done for event in log.parsed(quiz.handle(begin(failed=["3.1"]))["log"]).events}
    assert failed == {"01"}
    assert len(quiz.handle(begin("more", told["log"]))["asked"]) == 5


def test_at_the_end_it_is_said_how_many_were_right_and_when_it_goes_on(here):
    ids = [asked["id"] for asked in quiz.handle(begin(NUMBER))["asked"]]
    text = "".join(Event(NOW, question=id, right=True).line for id in ids)
    request = {"log": text, "seed": "0", "question": ids[0], "typed": ["", ""], "end": [4, 5]}
    first, second = quiz.handle(request)["summary"]
    assert first == "4 of 5 right." and second == "The next ones are due tomorrow."
    (said,) = quiz.handle(begin(text=text))["notes"]
    assert said.endswith(f"{quiz.MORE} asks them now.")


def test_lines_that_no_page_understands_are_named_and_those_of_other_notebooks_are_not(here):
    strange, other = '{"at": "2030-01-01T00:00:00Z"}\n', Event(NOW, question="12.Q1", right=True).line
    assert quiz.handle(begin(NUMBER, other))["notes"] == []
    (said,) = quiz.handle(begin(NUMBER, strange + other))["notes"]
    assert said.startswith("1 line of .babygrad/quiz.jsonl cannot be understood here")


def test_of_a_notebook_without_questions_it_is_said_as_in_the_terminal(here):
    assert quiz.handle(begin("12"))["notes"] == ["There are no questions about notebook 12."]


def test_a_check_notes_the_misconceptions_that_it_names_until_a_question_is_answered():
    verdict = SimpleNamespace(id="3.1", misconception=f"one{EITHER}two")
    text = quiz.of_a_check(verdict, "")
    assert [event.idea for event in log.parsed(text).events] == [("3.1", "one"), ("3.1", "two")]
    assert quiz.of_a_check(verdict, text) == ""
    assert quiz.of_a_check(verdict, text + Event(NOW, question="3.Q1", right=True).line) != ""
    assert quiz.of_a_check(SimpleNamespace(id="3.1", misconception=None), text) == ""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return pages.made(tmp_path_factory.mktemp("course"))[1]


@pytest.mark.leg("night")
def test_in_what_a_page_unpacks_each_answer_is_judged_as_in_the_terminal(course, monkeypatch, tmp_path):
    read_from(course / EXPECTED.relative_to(ROOT), monkeypatch)
    found = list(answers(pages.bundle.NOTEBOOKS))
    told = pages.in_a_page(course, [request for _, _, request in found], tmp_path)
    for (asked, typed, _), answer in zip(found, told, strict=True):
        compare(asked, typed, answer)
    assert len({asked.id for asked, _, _ in found}) > 30


@pytest.mark.leg("night")
@pytest.mark.usefixtures("node")  # for Pyodide
def test_in_pyodide_it_is_the_same(course, monkeypatch, tmp_path):
    read_from(course / EXPECTED.relative_to(ROOT), monkeypatch)
    requests = [begin(NUMBER, LINE), *[request for _, _, request in answers([NUMBER])][::7]]
    there, here = pages.in_a_page(course, requests, tmp_path), pages.in_pyodide(course, requests, tmp_path)
    assert [without_times(answer) for answer in here] == [without_times(answer) for answer in there]


def without_times(answer):
    return answer | {"log": [replace(event, at=NOW) for event in log.parsed(answer["log"]).events]}

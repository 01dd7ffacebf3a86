"""make grade SUBMISSIONS=exchange: a file is its owner's, whatever its name; what is no hand-in is told, not read."""

import json
import os
import runpy
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("fcntl")  # owners: no Windows

from grader.classroom.collect import class_list, shared
from grader.course import exchange
from grader.edition import sharing

FAKES = runpy.run_path(str(Path(__file__).parent.with_name("classroom_fakes.py")))
ME = exchange.account(os.geteuid())
TOKEN = "0123456789abcdef" * 2
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
SEEN = shared._seen


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An exchange without hand-ins."""
    monkeypatch.setattr(sharing, "_closed_above", lambda folder: None)
    sharing.make(tmp_path / "exchange")
    (tmp_path / "exchange" / exchange.COURSE).write_text("a zip")
    (tmp_path / "course.json").write_text(json.dumps(FAKES["COURSE"]))
    return tmp_path / "exchange"


@pytest.fixture(autouse=True)
def changed(monkeypatch):
    """{name of a file: when the system says that it was changed}; all others at noon."""
    times = {}
    monkeypatch.setattr(shared, "_seen", lambda path: (SEEN(path)[0], times.get(path.name, NOON)))
    return times


def name(account=ME, when=NOON, token=TOKEN):
    return f"{account}+{exchange.stamp(when)}+{token}.zip"


def drop(place, file, words="answer"):
    path = place / exchange.INBOUND / file
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("babygrad/value.py", words)
    return path


def read(place, **more):
    found = class_list.read(place, **more)
    return found, "\n".join(found.notes)


def content(source):
    return source.read({"value.py"}).files["value.py"].decode()


@pytest.mark.parametrize("inner", ["", exchange.INBOUND])
def test_a_hand_in_is_its_owners(place, inner):
    drop(place, name())
    found, notes = read(place / inner)
    assert list(found.sources) == [ME] and content(found.sources[ME]) == "answer" and not notes
    assert found.hand_ins == {ME: name()}
    assert (found.sources[ME].submitted, found.sources[ME].time_from) == (NOON, "the exchange")


def test_a_hand_in_under_another_name_is_refused_with_a_sentence(place):
    drop(place, name("zoe", NOON + timedelta(days=1)), "forged")
    found, notes = read(place)
    assert found.sources == {} and f"was refused: it belongs to {ME}, not to zoe." in notes


@pytest.mark.parametrize("kind", ["zip", "folder", "platform", "folder called as a hand-in"])
def test_what_is_not_called_as_a_hand_in_is_refused(place, kind):
    if kind == "zip":
        drop(place, f"{ME}.zip")
    elif kind == "platform":
        drop(place, "lovelaceada_12345_67890_work.zip")
    else:
        folder = place / exchange.INBOUND / (name() if " " in kind else ME)
        folder.mkdir()
        (folder / "value.py").write_text("forged")
    drop(place, name(token="f" * 32))
    found, notes = read(place)
    assert list(found.sources) == [ME] and content(found.sources[ME]) == "answer"
    assert f"it belongs to {ME}, and is not called as %submit calls a hand-in" in notes and "--pattern" not in notes


def test_links_pipes_and_huge_files_are_read_safely(place, tmp_path):
    secret = drop(place, "zoe.zip", "secret").rename(tmp_path / "secret.zip")
    inbound = place / exchange.INBOUND
    (inbound / name(token="1" * 32)).symlink_to(secret)
    [source] = read(place)[0].sources.values()
    assert "is a link" in source.read({"value.py"}).malformed
    os.unlink(inbound / source.first)
    os.link(secret, inbound / name(token="2" * 32))
    [source] = read(place)[0].sources.values()
    assert "is a hard link" in source.read({"value.py"}).malformed
    os.unlink(inbound / source.first)
    with (inbound / name(token="3" * 32)).open("wb") as file:
        file.truncate(1 << 40)  # a file with a hole: no disk is used
    [source] = read(place)[0].sources.values()
    assert "is not a .zip, or is broken" in source.read({"value.py"}).malformed
    os.unlink(inbound / source.first)
    os.mkfifo(inbound / name(token="4" * 32))
    found, notes = read(place)
    assert found.sources == {} and "was ignored" in notes


def test_a_hand_in_that_is_being_written_is_not_there_yet(place):
    drop(place, f".{name()}")
    assert read(place)[0].sources == {}


def test_the_system_says_when_a_file_was_changed_and_no_student(place):
    path = drop(place, name())
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert SEEN(path) == (ME, datetime.fromtimestamp(int(path.stat().st_ctime), UTC))


def test_what_was_changed_later_than_its_name_says_came_later(place, changed):
    drop(place, name())
    changed[name()] = NOON + timedelta(days=2)
    found, notes = read(place)
    assert found.sources[ME].submitted == NOON + timedelta(days=2)
    assert "was changed later than its name says, 2026-11-22 12:00 (UTC)" in notes


def test_a_name_with_a_date_that_is_none_counts_by_the_files_time(place):
    drop(place, f"{ME}+20269999T999999Z+{TOKEN}.zip")
    found, notes = read(place)
    assert found.sources[ME].submitted == NOON and "later than its name says" in notes


@pytest.mark.leg("push")
def test_a_grading_keeps_to_what_was_there_when_it_began(place, tmp_path, monkeypatch, changed):
    FAKES["use"](monkeypatch)
    out, course, second = tmp_path / "grades", tmp_path / "course.json", name(token="e" * 32)

    def counts(**more):
        assert FAKES["graded"](place, out, course=course, **more)[0] == 0
        return json.loads((out / "grades.jsonl").read_text())["submission"]["name"]

    drop(place, name(), "answer one")
    assert counts() == name()
    changed[second] = datetime(2999, 1, 1, tzinfo=UTC)
    drop(place, second, "answer two")
    assert counts(resume=True) == name()
    assert "1 hand-in after 2" in (out / "index.html").read_text()
    assert counts(resume=True, until="2999-02-01") == second
    assert counts(resume=True) == second


def test_pages_go_back_under_the_names_of_hand_ins(place, tmp_path, monkeypatch):
    FAKES["use"](monkeypatch)
    path = drop(place, name())
    code, said = FAKES["graded"](place, tmp_path / "grades", course=tmp_path / "course.json", give_back=True)
    assert code == 0 and "Returned: 1 page, which %fetch brings." in said
    page = place / exchange.FEEDBACK / exchange.page_of(path.name)
    assert page.read_bytes() == (tmp_path / "grades" / ME / "feedback.html").read_bytes()
    assert page.stat().st_mode & 0o777 == 0o644


def test_a_partners_page_goes_to_the_partners_own_hand_in_alone(place, tmp_path):
    roster = tmp_path / "roster.csv"
    roster.write_text(f"id,group\nlead,one\n{ME},one\n")
    drop(place, name())
    found, _ = read(place, roster=roster)
    assert list(found.sources) == ["lead"] and found.hand_ins.keys() == {ME}


def test_an_account_is_not_the_end_of_another_ones_name(place, tmp_path, monkeypatch):
    monkeypatch.setattr(exchange, "account", lambda number: "jean-ada")
    (tmp_path / "roster.csv").write_text("id\nada\n")
    drop(place, name("jean-ada"))
    assert read(place, roster=tmp_path / "roster.csv")[0].unknown == ["jean-ada"]


@pytest.mark.parametrize(
    ("more", "words"),
    [({"pattern": "(?P<student>.*)"}, "leave --pattern out"), ({"until": "soon"}, "'soon' is not a date")],
)
def test_options_that_an_exchange_does_not_take(place, tmp_path, more, words):
    drop(place, name())
    FAKES["refused"](place, tmp_path / "grades", words, **more)


@pytest.mark.parametrize(("more", "words"), [({"until": "2026-12-01"}, "--until"), ({"give_back": True}, "--return")])
def test_options_that_an_exchange_alone_takes(tmp_path, more, words):
    folder = FAKES["class_of"](tmp_path / "class", 1)
    FAKES["refused"](folder, tmp_path / "grades", f"{words} is for an exchange, and .* is none", **more)


def test_a_folder_becomes_an_exchange_by_the_course_in_it(place):
    (place / exchange.COURSE).unlink()
    assert shared.inbound(place) is None

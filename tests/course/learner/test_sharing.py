"""The student's side of an exchange: a hand-in under the account's name, a receipt, the newer course, feedback."""

import os
import shutil
import subprocess
import zipfile
from datetime import datetime, timedelta, timezone

import pytest

pytest.importorskip("fcntl")  # accounts: no Windows

from grader.course import exchange
from grader.course.settings import Settings
from grader.course.usage import UsageError
from grader.edition import sharing as teachers
from grader.learner import pristine, sharing, submit, update
from grader.notebook.report_html import told_bundle

NOON = datetime(2026, 12, 1, 12, 30, 14, tzinfo=timezone(timedelta(hours=1)))
ME = exchange.account(os.geteuid())


@pytest.fixture
def shared(tmp_path, monkeypatch):
    """An exchange with a course, which is the one of this course's settings."""
    folder = tmp_path / "exchange"
    monkeypatch.setattr(teachers, "_closed_above", lambda folder: None)  # pytest's own folder is for its owner alone
    teachers.make(folder)
    put(folder, "old")
    settings = Settings.from_dict({"course": "babygrad", "notebooks": ["00"], "exchange": str(folder)})
    monkeypatch.setattr(Settings, "read", classmethod(lambda cls, path=None: settings))
    return folder


def put(folder, words):
    edition = folder.parent / words
    list_of_files = edition / pristine.LIST
    list_of_files.parent.mkdir(parents=True)
    list_of_files.write_text(words)
    return list(teachers.put(edition, folder))


def handed_in(shared, receipts, now=NOON):
    receipts.mkdir(exist_ok=True)
    packed = receipts / "ada.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("babygrad/value.py", "x = 1\n")
    lines = list(sharing.hand_in(packed, shared, receipts, now))
    return lines, packed


def inbound(shared):
    return sorted((shared / exchange.INBOUND).iterdir())


def test_a_hand_in_has_the_accounts_name_and_the_time_whatever_the_environment_says(shared, tmp_path, monkeypatch):
    for name in ("USER", "LOGNAME", "JUPYTERHUB_USER"):
        monkeypatch.setenv(name, "somebody")
    lines, packed = handed_in(shared, tmp_path / "submissions")
    [path] = inbound(shared)
    assert path.name.startswith(f"{ME}+20261201T113014Z+") and path.read_bytes() == packed.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o640
    assert str(path) in lines[0] and f"as {ME}" in lines[0]


def test_no_two_hand_ins_have_one_name(shared, tmp_path):
    for _ in range(2):
        handed_in(shared, tmp_path / "submissions")
    assert len(inbound(shared)) == 2


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="there is no sha256sum")
def test_a_receipt_can_be_checked_by_the_usual_tool(shared, tmp_path):
    handed_in(shared, tmp_path / "submissions")
    receipts = tmp_path / "submissions" / sharing.RECEIPTS
    assert receipts.stat().st_mode & 0o777 == 0o600
    check = ["sha256sum", "--check", "--strict", receipts]
    assert subprocess.run(check, capture_output=True).returncode == 0
    inbound(shared)[0].write_text("another")
    assert subprocess.run(check, capture_output=True).returncode == 1


def test_where_it_cannot_be_dropped_there_is_no_receipt(shared, tmp_path, monkeypatch):
    def full(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match=r"Not handed in: .*No space left.*ada\.zip"):
        handed_in(shared, tmp_path / "submissions")
    assert inbound(shared) == [] and not (tmp_path / "submissions" / sharing.RECEIPTS).exists()


def test_only_with_an_exchange_the_account_is_the_name(shared, monkeypatch):
    assert submit._own_name("%submit ada") == ME
    shutil.rmtree(shared)
    with pytest.raises(UsageError, match=r"What is your name\? For example: %submit ada"):
        submit._own_name("%submit ada")


def test_an_exchange_that_is_not_on_this_machine_is_named(shared, tmp_path):
    shutil.rmtree(shared)
    [line] = submit._handed_in(tmp_path / "ada.zip", Settings.read(), NOON)
    assert line.startswith("NOT HANDED IN") and str(shared) in line
    with pytest.raises(UsageError, match="is not on this machine"):
        sharing.newest(tmp_path)


def test_without_an_exchange_there_is_nothing_to_fetch(monkeypatch, tmp_path):
    none = Settings.from_dict({"course": "babygrad"})
    monkeypatch.setattr(Settings, "read", classmethod(lambda cls, path=None: none))
    with pytest.raises(UsageError, match="this course has no exchange"):
        sharing.newest(tmp_path)


def test_the_course_in_the_exchange_is_fetched_if_it_is_another(shared, tmp_path):
    mine = tmp_path / "mine"
    shutil.copytree(tmp_path / "old", mine)
    assert sharing.newest(mine) is None
    put(shared, "newer")
    assert sharing.newest(mine) == shared / exchange.COURSE
    (shared / exchange.COURSE).write_text("no zip")
    with pytest.raises(UsageError, match=r"course\.zip cannot be read"):
        sharing.newest(mine)


def test_feedback_on_ones_own_hand_ins_is_fetched_once(shared, tmp_path, monkeypatch):
    receipts = tmp_path / "submissions"
    handed_in(shared, receipts)
    monkeypatch.setattr(update, "FOLDER", receipts)
    own = shared / exchange.FEEDBACK / exchange.page_of(inbound(shared)[0].name)
    (shared / exchange.FEEDBACK / "ben+20261201T113014Z+00.html").write_text("ben's")
    assert list(sharing.bring_pages(receipts)) == []
    own.write_text("well done")
    [copy] = sharing.bring_pages(receipts)
    assert copy.read_text() == "well done" and copy.is_relative_to(receipts)
    assert list(sharing.bring_pages(receipts)) == []
    own.write_text("better")
    assert update.fetch(tmp_path / "old")[1] == [copy] and copy.read_text() == "better"
    assert update.fetch(tmp_path / "old") == (["This is the newest course.", "Feedback: nothing new."], [])


def test_a_notebook_shows_the_zip_as_a_link_to_download():
    told = told_bundle(["Ready."], [submit.FOLDER / "Zoë <b>.zip"], download=True)
    assert "href='../submissions/Zo%C3%AB%20%3Cb%3E.zip'" in told["text/html"] and " download>" in told["text/html"]
    assert "Zoë &lt;b&gt;.zip</a>" in told["text/html"] and told["text/plain"].endswith("Zoë <b>.zip")
    assert " download" not in told_bundle([], [submit.FOLDER / "page.html"])["text/html"]

"""Handing in: one zip with the learner's files and a manifest; nothing that was handed in before is lost."""

import hashlib
import json
import shutil
import zipfile
from datetime import datetime, timedelta, timezone

import pytest

from grader.checking.check import Request
from grader.classroom.collect.zips import ZipTree, open_zip
from grader.course import stubs
from grader.course.paths import REFERENCE, package_folder
from grader.course.settings import Settings
from grader.course.usage import UsageError
from grader.learner import submit
from grader.notebook import answers

NOON = datetime(2026, 12, 1, 12, 30, 14, tzinfo=timezone(timedelta(hours=1)))
FILES = ["warmup.py", "hunts.py", "derivatives.py"]


@pytest.fixture(autouse=True)
def two_notebooks(monkeypatch, tmp_path):
    """A course of two notebooks, so that its check is quick."""
    part = Settings.from_dict({"course": "babygrad", "notebooks": ["00", "01"], "version": "1.2", "points": {"0.1": 5}})
    monkeypatch.setattr(Settings, "read", classmethod(lambda cls, path=None: part))
    monkeypatch.setattr(submit, "FOLDER", tmp_path / "submissions")


@pytest.fixture
def home(tmp_path):
    """A learner's folder that has all answers of notebook 00, and stubs."""
    stubs.write(tmp_path)
    shutil.copy(package_folder(REFERENCE) / "warmup.py", tmp_path / "babygrad")
    return tmp_path


def hand_in(home, name="Ada Lovelace", out=None, now=NOON):
    return submit.pack(name, out, Request(home), now=now).lines()


def only_zip(home):
    (path,) = (home / "submissions").glob("*.zip")
    return path


def test_it_holds_the_learners_files_and_a_manifest(home):
    lines = hand_in(home)
    with zipfile.ZipFile(only_zip(home)) as archive:
        assert archive.namelist() == ["manifest.json", *(f"babygrad/{name}" for name in FILES)]
        manifest = json.loads(archive.read("manifest.json"))
        for path, digest in manifest["files"].items():
            assert hashlib.sha256(archive.read(path)).hexdigest() == digest
            assert archive.read(path) == (home / path).read_bytes()
        assert {entry.date_time for entry in archive.infolist()} == {(2026, 12, 1, 12, 30, 14)}
    assert manifest["course"] == "babygrad" and manifest["version"] == "1.2" and manifest["name"] == "Ada Lovelace"
    assert manifest["made"] == "2026-12-01T12:30:14+01:00"
    assert manifest["exercises"]["0.1"] == {"status": "passed", "earned": 5, "points": 5}
    assert manifest["exercises"]["1.1"]["status"] == "not_started"
    said = "\n".join(lines)
    assert f"{manifest['earned']} of {manifest['possible']} points" in said
    assert "Ada-Lovelace.zip" in said and all(name in said for name in FILES)


def test_the_time_in_the_zip_is_known_wherever_it_is_read(home):
    hand_in(home)
    with open_zip(only_zip(home).open("rb")) as packed:
        assert {entry.when for entry in ZipTree(packed).entries()} == {NOON}


def test_the_usual_summary_comes_first(home):
    assert hand_in(home)[0].startswith("00 Start here")


@pytest.mark.leg("push")
def test_the_same_files_and_time_make_the_same_bytes(home, tmp_path):
    hand_in(home)
    hand_in(home, out=tmp_path / "again")
    assert (tmp_path / "again" / "Ada-Lovelace.zip").read_bytes() == only_zip(home).read_bytes()


def test_an_earlier_zip_is_kept_with_a_number(home):
    seen = []
    for hour in range(3):
        hand_in(home, now=NOON + timedelta(hours=hour))
        seen.append(only_zip(home).read_bytes())
    earlier = home / "submissions" / "earlier"
    assert [(earlier / f"Ada-Lovelace-{n}.zip").read_bytes() for n in (1, 2)] == seen[:2]
    assert only_zip(home).read_bytes() == seen[2]


def test_a_file_that_python_cannot_read_is_named_and_handed_in(home):
    (home / "babygrad" / "derivatives.py").write_text("x = 1\ndef f(:\n")
    (home / "babygrad" / "hunts.py").write_bytes(b"\xff\x00")
    lines = hand_in(home)
    assert any("derivatives.py, line 2" in line for line in lines)
    assert any("babygrad/hunts.py" in line and line.startswith("Note") for line in lines)
    assert len(zipfile.ZipFile(only_zip(home)).namelist()) == 4


def test_a_missing_file_is_named_and_the_others_are_handed_in(home):
    (home / "babygrad" / "derivatives.py").unlink()
    assert any("there is no babygrad/derivatives.py" in line for line in hand_in(home))
    assert "babygrad/derivatives.py" not in zipfile.ZipFile(only_zip(home)).namelist()


def test_with_no_file_at_all_there_is_nothing_to_hand_in(home):
    for name in FILES:
        (home / "babygrad" / name).unlink()
    with pytest.raises(UsageError, match="nothing to hand in"):
        hand_in(home)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Ada Lovelace", "Ada-Lovelace"),
        ("ada.lovelace@uni.example", "ada.lovelace@uni.example"),
        ("../../etc/passwd", "etc-passwd"),
        ("C:\\Users\\ada", "C-Users-ada"),
        ("O'Brien", "O-Brien"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("李雷", "李雷"),
        ("con", "con-"),
        ("LPT1.txt", "LPT1.txt-"),
        ("ada.zip", "ada"),
        (".ada.", "ada"),
        ("-rf", "rf"),
        ("a\nb\x00c", "a-b-c"),
        ("x" * 300, "x" * 60),
    ],
)
def test_a_name_becomes_a_file_that_every_system_can_have(name, stem):
    assert submit.safe(name) == stem


@pytest.mark.parametrize("name", ["", "   ", "...", "/", "../.."])
def test_a_name_without_a_letter_is_refused(name):
    with pytest.raises(UsageError, match="NAME=ada"):
        submit.safe(name)


def test_a_folder_that_cannot_be_written_is_named(home, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        hand_in(home, out=tmp_path / "file")


def test_predictions_and_notes_are_handed_in_with_the_files(home):
    answers.keep("Prediction", "1.A1", "0.5", "01", home)
    (home / "answers" / "00.md").write_bytes(b"a" * (submit.MOST_WORDS + 1))
    (home / "answers" / "diary.md").write_text("mine")
    said = "\n".join(hand_in(home))
    with zipfile.ZipFile(only_zip(home)) as archive:
        assert set(archive.namelist()) == {"manifest.json", "answers/01.md", *(f"babygrad/{name}" for name in FILES)}
        assert archive.read("answers/01.md") == (home / "answers" / "01.md").read_bytes()
        assert "answers/01.md" not in json.loads(archive.read("manifest.json"))["files"]
    assert "answers/00.md is larger than 1 MB" in said and "With your predictions and notes: answers/01.md" in said

"""What make grade and make term write is for its owner alone: folders 700, files 600."""

import json
import os
import runpy
from pathlib import Path

import pytest

pytest.importorskip("fcntl")  # rights: no Windows

from grader import cli
from grader.classroom.pages import owner

FAKES = runpy.run_path(str(Path(__file__).parent.with_name("classroom_fakes.py")))


@pytest.fixture(autouse=True)
def an_account_as_most_have_it():
    before = os.umask(0o022)
    yield
    assert os.umask(before) == 0o022


def rights(folder):
    return {path: path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}


def test_nobody_else_reads_the_grades(tmp_path, monkeypatch):
    FAKES["use"](monkeypatch)
    folder = FAKES["class_of"](tmp_path / "class", 2)
    hw1, hw2 = (tmp_path / "deep" / name for name in ("hw1", "hw2"))
    hw2.mkdir(parents=True)  # by the teacher, with a table in it, as everybody may read it
    (hw2 / "marks.csv").write_text("student,item,points\n")
    (tmp_path / "course.json").write_text(json.dumps(FAKES["COURSE"] | {"notebooks": ["02", "03"]}))
    for number, out in ((2, hw1), (3, hw2)):
        assert FAKES["graded"](folder, out, notebooks=str(number))[0] == 0
    assert cli.main(["term", str(hw1), str(hw2), "--out", str(tmp_path / "term")]) == 0
    for out in (hw1, tmp_path / "term"):
        for path, mode in rights(out).items():
            assert mode == (0o700 if path.is_dir() else 0o600), path
    assert rights(hw2)[hw2] == 0o700


def test_where_rights_cannot_be_taken_off_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "chmod", lambda *_: None)
    said = []
    owner.shut(tmp_path, said.append)
    assert said == [] if not tmp_path.stat().st_mode & 0o077 else [owner.OPEN.format(folder=tmp_path)]
    os.chmod(tmp_path, 0o755)
    owner.shut(tmp_path, said.append)
    assert said[-1] == owner.OPEN.format(folder=tmp_path)

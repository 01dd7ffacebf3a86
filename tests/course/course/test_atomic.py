"""Files that are replaced as a whole."""

import os
from pathlib import Path

import pytest

from grader.course.atomic import replacing, write_atomically


@pytest.mark.parametrize("content", ["one\nzwei: ü\n", b"one\nzwei: \xc3\xbc\n"])
def test_texts_and_bytes_are_written_the_same_on_every_system(tmp_path, content):
    write_atomically(tmp_path / "file", content)
    assert (tmp_path / "file").read_bytes() == b"one\nzwei: \xc3\xbc\n"
    assert os.listdir(tmp_path) == ["file"]


def test_a_block_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")

    def half_written():
        with replacing(path) as new:
            new.write_text("half")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        half_written()
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["file"]


def test_what_a_killed_process_left_is_not_part_of_the_next_file(tmp_path):
    (tmp_path / "file.new").write_text("half a file of before")
    with replacing(tmp_path / "file") as new:
        assert not new.exists()
        new.write_text("new")
    assert (tmp_path / "file").read_text() == "new" and os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("durable", [False, True])
def test_what_cannot_be_made_again_is_on_the_disk_before_the_old_one_goes(tmp_path, monkeypatch, durable):
    done, sync, replace = [], os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda file: (done.append("on the disk"), sync(file)))
    monkeypatch.setattr(Path, "replace", lambda path, other: (done.append("renamed"), replace(path, other)))
    write_atomically(tmp_path / "file", "text", durable=durable)
    then = ["on the disk"] * (durable and os.name == "posix")  # and the name of the new one
    assert done == ["on the disk"] * durable + ["renamed"] + then

"""The journal of a grading: what was written is there, whatever ended the grading."""

import errno
import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.classroom.run.journal import Journal, Records


def record(student, **more):
    return {"student": student, "submission": {"name": f"{student}.zip"}, **more}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.jsonl"


def written(path, *records):
    with Journal(path) as journal:
        for one in records:
            journal.add(one)


def read(path):
    with Journal(path) as journal:
        return list(Records(journal, journal.students()))


def test_records_come_back_in_the_order_of_the_students(path):
    written(path, record("b"), record("a"), record("c"))
    assert read(path) == [record("a"), record("b"), record("c")]


def test_of_several_records_of_a_student_the_last_counts(path):
    written(path, record("a", earned=1), record("b"), record("a", earned=2))
    assert read(path) == [record("a", earned=2), record("b")]


def test_a_record_can_be_read_while_others_are_added(path):
    with Journal(path) as journal:
        journal.add(record("a"))
        records = Records(journal, ["a"])
        assert list(records) == [record("a")]
        journal.add(record("b"))
        assert list(records) == [record("a")]
        assert journal.get("b") == record("b") and journal.get("c") is None
        assert "b" in journal and "c" not in journal


@given(st.lists(st.text(min_size=1), unique=True, min_size=1, max_size=6), st.data())
@settings(max_examples=30, deadline=None)
def test_wherever_a_write_is_cut_off_all_records_before_it_are_kept(tmp_path_factory, students, data):
    path = tmp_path_factory.mktemp("cut") / "journal.jsonl"
    written(path, *map(record, students))
    whole = path.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:cut])
    kept = students[: whole[:cut].count(b"\n")]
    assert read(path) == [record(student) for student in sorted(kept)]
    assert path.read_bytes() == whole[: whole.rfind(b"\n", 0, cut) + 1]
    written(path, record("new" * 9))
    assert len(read(path)) == len(kept) + 1


@pytest.mark.parametrize("line", [b"\0" * 40, b"\xff\xfe", b"[]", b'{"student": 1}', b"null", b'"text"', b""])
def test_a_line_that_is_no_record_takes_no_other_along(path, line):
    written(path, record("a"))
    with path.open("ab") as file:
        file.write(line + b"\n")
    written(path, record("b"))
    assert read(path) == [record("a"), record("b")]
    assert line in path.read_bytes()


def test_each_record_is_on_the_disk_before_the_next(path, monkeypatch):
    synced = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(path.read_bytes().count(b"\n")), real(file)))
    written(path, record("a"), record("b"))
    assert synced == [1, 2]


def test_after_a_full_disk_the_file_is_as_it_was(path, monkeypatch):
    real = os.write

    def half(file, data):
        if len(data) < 40:
            raise OSError(errno.ENOSPC, "full")
        return real(file, data[: len(data) - 20])

    with Journal(path) as journal:
        journal.add(record("a"))
        before = path.read_bytes()
        monkeypatch.setattr(os, "write", half)
        with pytest.raises(OSError, match="full"):
            journal.add(record("b", message="x" * 100))
        monkeypatch.undo()
        assert path.read_bytes() == before
        journal.add(record("c"))
    assert read(path) == [record("a"), record("c")]


@pytest.mark.parametrize("student", ["Zoë", "=1+1", "a\nb", "\udc80", 'quote"', "\u2028"])
def test_any_name_is_one_line(path, student):
    written(path, record(student))
    assert path.read_bytes().count(b"\n") == 1
    assert read(path) == [record(student)]


def test_only_the_places_of_records_are_kept_in_memory(path):
    written(path, *(record(f"s{n}", message="x" * 10_000) for n in range(20)))
    with Journal(path) as journal:
        assert len(repr(vars(journal))) < 20 * 200
        assert len(json.dumps(journal.get("s7"))) > 10_000

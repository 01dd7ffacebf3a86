"""An exchange, as make release makes it: which rights its folders have, and where it is refused."""

import os
import stat
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("fcntl")  # rights: no Windows

from grader.course import exchange
from grader.course.usage import UsageError
from grader.edition import sharing


@pytest.fixture
def within_reach(monkeypatch):
    """pytest's own folder is for its owner alone."""
    monkeypatch.setattr(sharing, "_closed_above", lambda folder: None)


def rights(place):
    return stat.S_IMODE(place.stat().st_mode)


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_its_folders_have_their_rights_whatever_the_umask(tmp_path, within_reach, umask):
    before = os.umask(umask)
    try:
        for _ in range(2):
            sharing.make(tmp_path / "exchange")
            (tmp_path / "exchange" / exchange.INBOUND).chmod(0o777)
        sharing.make(tmp_path / "exchange")
        (tmp_path / "edition").mkdir()
        (tmp_path / "edition" / "course.json").write_text("{}")
        list(sharing.put(tmp_path / "edition", tmp_path / "exchange"))
    finally:
        os.umask(before)
    assert {path.name: rights(path) for path in (tmp_path / "exchange").iterdir()} == {
        exchange.INBOUND: 0o3733,
        exchange.FEEDBACK: 0o711,
        exchange.COURSE: 0o644,
    }
    assert rights(tmp_path / "exchange") == 0o755 and exchange.is_one(tmp_path / "exchange")
    with zipfile.ZipFile(tmp_path / "exchange" / exchange.COURSE) as packed:
        assert "course.json" in packed.namelist()


def test_a_folder_that_no_other_account_reaches_is_refused(tmp_path):
    (tmp_path / "home").mkdir(mode=0o700)
    with pytest.raises(UsageError, match="lets no other account through"):
        sharing.make(tmp_path / "home" / "exchange")


def test_a_drive_without_rights_is_refused(tmp_path, monkeypatch, within_reach):
    monkeypatch.setattr(Path, "chmod", lambda *_: None)
    with pytest.raises(UsageError, match="cannot have the rights"):
        sharing.make(tmp_path / "exchange")


def test_what_cannot_be_made_is_named(tmp_path, within_reach):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be made"):
        sharing.make(tmp_path / "file" / "exchange")

"""Predictions and notes: answers/03.md, edited by the course, by hand, and by two notebooks at once."""

import errno
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from grader.course import atomic
from grader.course.paths import ROOT
from grader.course.usage import UsageError
from grader.notebook import answers

TITLE = "03 · Walking backwards"
NOBODY = 65534


def keep(course, key, text, kind="Prediction"):
    answers.keep(kind, key, text, TITLE, course)


def texts(course, kind=None):
    return {answer.key: answer.text for answer in answers.kept("03", course, kind)}


def test_a_file_is_plain_markdown_in_the_order_of_the_course(tmp_path):
    keep(tmp_path, "3.C2", "9")
    keep(tmp_path, "3.2b", "because\ny speaks\n\nonce", "Note")
    keep(tmp_path, "3.C1", "162 486")
    keep(tmp_path, "3.A10", "a")
    keep(tmp_path, "3.A9", "b")
    said = (tmp_path / "answers" / "03.md").read_text()
    assert said == (
        "# 03 · Walking backwards\n\n## Prediction 3.A9\n\nb\n\n## Prediction 3.A10\n\na\n\n"
        "## Prediction 3.C1\n\n162 486\n\n"
        "## Prediction 3.C2\n\n9\n\n## Note 3.2b\n\nbecause\ny speaks\n\nonce\n"
    )


def test_sections_come_before_exercises_and_the_reflection_last(tmp_path):
    for kind in ("Note", "Prediction"):
        for key in ("3.R2", "3.R1", "3.10a", "3.5b", "3.5a", "3.Z1", "3.S1", "3.A1"):
            keep(tmp_path, key, "text", kind)
    order = ["3.A1", "3.S1", "3.Z1", "3.5a", "3.5b", "3.10a", "3.R1", "3.R2"]
    assert [(a.kind, a.key) for a in answers.kept("3", tmp_path)] == [
        (kind, key) for kind in ("Prediction", "Note") for key in order
    ]


def test_a_prediction_takes_the_place_of_the_one_before_and_an_empty_one_takes_it_away(tmp_path):
    keep(tmp_path, "3.A1", "one")
    keep(tmp_path, "3.A2", "two")
    keep(tmp_path, "3.A1", "three")
    assert texts(tmp_path) == {"3.A1": "three", "3.A2": "two"}
    keep(tmp_path, "3.A1", "  ")
    assert texts(tmp_path) == {"3.A2": "two"}


def test_what_was_written_by_hand_stays(tmp_path):
    keep(tmp_path, "3.A1", "one")
    path = tmp_path / "answers" / "03.md"
    path.write_text(
        "# mine\n\nhello\n\n## Thoughts\n\n### deeper\n\ntext\n\n## Prediction 3.A1\n\nby hand\n\n"
        "## Prediction nonsense\nx\n"
    )
    keep(tmp_path, "3.B1", "new")
    assert texts(tmp_path) == {"3.A1": "by hand", "3.B1": "new"}
    for line in ("# mine", "hello", "## Thoughts", "### deeper", "text", "## Prediction nonsense", "x"):
        assert line in path.read_text().splitlines()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_file_from_any_editor_is_read_and_goes_on(tmp_path, encoding, end):
    path = tmp_path / "answers" / "03.md"
    path.parent.mkdir()
    path.write_bytes("## Prediction 3.A1\n\nby\nhand\n\n## Mine\n\nstays\n".replace("\n", end).encode(encoding))
    assert texts(tmp_path) == {"3.A1": "by\nhand"}
    keep(tmp_path, "3.A2", "two")
    assert texts(tmp_path) == {"3.A1": "by\nhand", "3.A2": "two"}
    assert "\n## Mine\n\nstays\n" in path.read_text()


def test_an_empty_file_is_one_without_answers(tmp_path):
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "03.md").touch()
    keep(tmp_path, "3.A1", "one")
    assert texts(tmp_path) == {"3.A1": "one"}


def test_of_a_section_that_is_there_twice_both_are_read_and_a_new_answer_takes_the_place_of_both(tmp_path):
    path = tmp_path / "answers" / "03.md"
    path.parent.mkdir()
    path.write_text("## Prediction 3.A1\n\nhere\n\n## Prediction 3.B1\n\nb\n\n## Prediction 3.A1\n\nthere\n")
    assert [a.text for a in answers.kept("03", tmp_path)] == ["here", "there", "b"]
    keep(tmp_path, "3.C1", "c")
    assert [a.text for a in answers.kept("03", tmp_path)] == ["here", "there", "b", "c"]
    keep(tmp_path, "3.A1", "new")
    assert [a.text for a in answers.kept("03", tmp_path)] == ["new", "b", "c"]


def test_a_section_that_stands_in_another_place_stays_there(tmp_path):
    path = tmp_path / "answers" / "03.md"
    path.parent.mkdir()
    path.write_text("## Prediction 3.C1\n\nc\n\n## Mine\n\n## Prediction 3.A1\n\na\n")
    keep(tmp_path, "3.A1", "new")
    assert path.read_text() == "## Prediction 3.C1\n\nc\n\n## Mine\n\n## Prediction 3.A1\n\nnew\n"


@pytest.mark.parametrize(
    "text",
    [
        "ÄÖ ∂L/∂a 你好 🙂",
        "## Prediction 3.A2\n\nnot a heading",
        "\\## one\n\\\\## two",
        "| a | b |\n```\n## code\n```",
        "<b>&amp;",
    ],
)
def test_odd_text_comes_back_as_it_was(tmp_path, text):
    keep(tmp_path, "3.A1", text)
    keep(tmp_path, "3.A2", "after")
    keep(tmp_path, "3.A3", "last")
    assert texts(tmp_path) == {"3.A1": text, "3.A2": "after", "3.A3": "last"}


def test_what_no_editor_shows_is_left_out(tmp_path):
    keep(tmp_path, "3.A1", "a\x00b\r\nc\x1b[31m\ud800d")
    assert texts(tmp_path) == {"3.A1": "ab\nc[31md"}


@pytest.mark.parametrize("key", ["", "3", "3.", "../3.A1", "3.A1\n", "x" * 100, "3.AA1", "03.A1", "3.A0"])
def test_a_key_that_is_none_is_refused(tmp_path, key):
    with pytest.raises(UsageError, match="is not the name of a question"):
        keep(tmp_path, key, "text")


def test_a_text_that_is_too_long_is_refused(tmp_path):
    with pytest.raises(UsageError, match="20,000"):
        keep(tmp_path, "3.A1", "a" * 20_001)


def test_two_notebooks_at_once_lose_nothing(tmp_path):
    keys = [f"3.A{n}" for n in range(1, 41)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda key: keep(tmp_path, key, key), keys))
    assert texts(tmp_path) == {key: key for key in keys}


def test_a_system_without_locks_goes_without(tmp_path, monkeypatch):
    monkeypatch.setattr(atomic, "fcntl", None)
    keep(tmp_path, "3.A1", "one")
    keep(tmp_path, "3.A1", "two")
    assert texts(tmp_path) == {"3.A1": "two"}


def test_where_nothing_can_be_written_it_says_so(tmp_path):
    (tmp_path / "answers").write_text("a file where the folder should be")
    with pytest.raises(UsageError, match=r"answers/03.md cannot be written"):
        keep(tmp_path, "3.A1", "text")
    assert answers.kept("03", tmp_path) == []


def test_a_full_disk_is_said_and_loses_nothing(tmp_path, monkeypatch):
    def full(number):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    keep(tmp_path, "3.A1", "one")
    monkeypatch.setattr(atomic.os, "fsync", full)
    with pytest.raises(UsageError, match=r"answers/03.md cannot be written: No space left"):
        keep(tmp_path, "3.A1", "two")
    assert texts(tmp_path) == {"3.A1": "one"}
    assert [path.name for path in (tmp_path / "answers").glob("*")] == [".lock", "03.md"]


def test_a_folder_that_vanishes_is_made_again_and_a_course_that_does_is_said(tmp_path):
    course = tmp_path / "course"
    course.mkdir()
    keep(course, "3.A1", "one")
    shutil.rmtree(course / "answers")
    keep(course, "3.A1", "two")
    assert texts(course) == {"3.A1": "two"}
    shutil.rmtree(course)
    with pytest.raises(UsageError, match="cannot be written: No such file"):
        keep(course, "3.A1", "three")


@pytest.mark.skipif(os.name != "posix", reason="permissions of a file are those of POSIX")
@pytest.mark.parametrize("closed", ["answers/03.md", "answers", "answers/.lock"])
def test_what_is_read_only_stays_as_it_is_and_that_is_said(tmp_path, closed):
    keep(tmp_path, "3.A1", "one")
    for path in [*tmp_path.parents[:2], tmp_path, tmp_path / "answers", *(tmp_path / "answers").iterdir()]:
        path.chmod(0o777 if path.is_dir() else 0o666)
    (tmp_path / closed).chmod(0o555 if (tmp_path / closed).is_dir() else 0o444)
    before = (tmp_path / "answers" / "03.md").read_bytes()
    said = as_an_ordinary_user(tmp_path)
    (tmp_path / "answers").chmod(0o777)
    assert said == "answers/03.md cannot be written: Permission denied."
    assert (tmp_path / "answers" / "03.md").read_bytes() == before


def as_an_ordinary_user(course):
    """What is said to somebody who may not write everywhere, as root may."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[2])\n"
        "from pathlib import Path\n"
        "from grader.course.usage import UsageError\n"
        "from grader.notebook import answers\n"
        "import os, tempfile\n"
        "with tempfile.TemporaryDirectory() as first:\n"  # loads all modules: others may not read root's Python
        "    [answers.keep('Prediction', '3.A1', text, 'title', first) for text in 'ab']\n"
        "os.geteuid() or os.setuid(int(sys.argv[3]))\n"
        "try: answers.keep('Prediction', '3.A1', 'two', 'title', Path(sys.argv[1]))\n"
        "except UsageError as error: print(error)\n"
    )
    command = [sys.executable, "-B", "-c", code, str(course), str(ROOT), str(NOBODY)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_a_file_that_is_no_text_is_not_written_over(tmp_path):
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "03.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not UTF-8 text"):
        keep(tmp_path, "3.A1", "text")
    assert (tmp_path / "answers" / "03.md").read_bytes() == b"\xff\xfe\x00"

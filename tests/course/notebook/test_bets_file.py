"""Bets and notes: answers/03.md, edited by the course, by hand, and by two notebooks at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from grader.course.usage import UsageError
from grader.notebook import answers

TITLE = "03 · Walking backwards"


def keep(course, key, text, kind="Bet"):
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
        "# 03 · Walking backwards\n\n## Bet 3.A9\n\nb\n\n## Bet 3.A10\n\na\n\n## Bet 3.C1\n\n162 486\n\n"
        "## Bet 3.C2\n\n9\n\n## Note 3.2b\n\nbecause\ny speaks\n\nonce\n"
    )


def test_a_bet_takes_the_place_of_the_one_before_and_an_empty_one_takes_it_away(tmp_path):
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
        "# mine\n\nhello\n\n## Thoughts\n\n### deeper\n\ntext\n\n## Bet 3.A1\n\nby hand\n\n## Bet nonsense\nx\n"
    )
    keep(tmp_path, "3.B1", "new")
    assert texts(tmp_path) == {"3.A1": "by hand", "3.B1": "new"}
    for line in ("# mine", "hello", "## Thoughts", "### deeper", "text", "## Bet nonsense", "x"):
        assert line in path.read_text().splitlines()


@pytest.mark.parametrize(
    "text",
    [
        "ÄÖ ∂L/∂a 你好 🙂",
        "## Bet 3.A2\n\nnot a heading",
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


@pytest.mark.parametrize("key", ["", "3", "3.", "../3.A1", "3.A1\n", "x" * 100, "3.AA1"])
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


def test_where_nothing_can_be_written_it_says_so(tmp_path):
    (tmp_path / "answers").write_text("a file where the folder should be")
    with pytest.raises(UsageError, match=r"answers/03.md cannot be written"):
        keep(tmp_path, "3.A1", "text")
    assert answers.kept("03", tmp_path) == []


def test_a_file_that_is_no_text_is_not_written_over(tmp_path):
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "03.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="no UTF-8 text"):
        keep(tmp_path, "3.A1", "text")
    assert (tmp_path / "answers" / "03.md").read_bytes() == b"\xff\xfe\x00"

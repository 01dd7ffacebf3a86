"""A stub's docstring is a contract: it says what is wanted, and not how to write it."""

import statistics

import pytest

from grader.maintainer.contracts import longest_common, row_of, told_by_docstrings, words_of

AT_THE_START = 0.45  # the median, when docstrings were still the answers in words
MOST = 0.34  # of a row that is long enough to tell anything: what the contracts stay below that readers liked best
FEW = 2  # parts that a purpose or a result may name by chance
TOLD = told_by_docstrings()


def test_little_of_an_answer_stands_in_its_docstring():
    assert statistics.median(told.share for told in TOLD) <= AT_THE_START / 3


@pytest.mark.parametrize("told", TOLD, ids=[told.id for told in TOLD])
def test_no_docstring_is_the_answer(told):
    assert told.told <= FEW or told.share <= MOST


SIGMOID = "small = math.exp(-abs(x))\nreturn (1.0 if x >= 0 else small) / (1.0 + small)"
IN_WORDS = """1. exp of minus abs(x)
2. if x is positive 1, divided by 1 plus that"""


def test_a_row_is_read_as_the_code_is():
    assert row_of(SIGMOID) == ["exp", "-", "abs", "if", "<", "/", "+"]
    assert row_of("for x in xs:\n    total += x.dot(w) ** 2") == ["each", "+", "dot", "**"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (IN_WORDS, 7),
        ("exp(-abs(x)), then / and +", 5),
        ("Between 0 and 1. Raises nothing at -1000 and 1000.", 1),
        ("plus, divided, positive", 1),
        ("", 0),
    ],
)
def test_what_stands_in_a_docstring_counts_in_its_order(said, told):
    row = row_of(SIGMOID)
    assert longest_common(row, words_of(said, set(row))) == told

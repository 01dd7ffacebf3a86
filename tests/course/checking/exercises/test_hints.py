"""No hint gives an answer away: neither two lines of it that follow each other, nor a part that is one line long.

A line is what Python takes for one, however it is broken and indented; its comments, its quotes' kind and a `return` in
front do not count. A short line, of at most SHORT tokens after its return, such as `return a + b`, `try:` or
`return order`, says less than the words around it. Among other lines it is passed over, so that those around it follow
each other; alone in a part of an answer it must not be in a hint with its return.
"""

import io
import textwrap
import tokenize
from itertools import pairwise

import pytest

from grader.course import catalogue, regions
from grader.course.paths import REFERENCE

EXERCISES = {ex.id: ex for ex in catalogue.all_exercises()}
SHORT = 3
LAYOUT = (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT, tokenize.ENDMARKER)


def bare(text):
    """Without what a hint may write in another way: white space, backticks, the kind of quotes."""
    return "".join(text.split()).replace("`", "").replace("'", '"')


def lines_of(code):
    """Each line as a list of tokens."""
    line = []
    for token in tokenize.generate_tokens(io.StringIO(textwrap.dedent(code)).readline):
        if token.type == tokenize.NEWLINE:
            yield line
            line = []
        elif token.type not in LAYOUT:
            line.append(token.string)


def without_return(line):
    return line[1:] if line[0] == "return" else line


def is_short(line):
    return len(without_return(line)) <= SHORT


def secrets(code):
    """What a hint must not hold, as tuples: it holds one if all texts of the tuple are in it."""
    lines = list(lines_of(code))
    if len(lines) == 1:
        return [(bare("".join(lines[0] if is_short(lines[0]) else without_return(lines[0]))),)]
    long = [bare("".join(without_return(line))) for line in lines if not is_short(line)]
    return list(pairwise(long))


def given_away(hint, code):
    return [secret for secret in secrets(code) if all(text in bare(hint) for text in secret)]


def answers(ex):
    text = (REFERENCE / "babygrad" / ex.file).read_text(encoding="utf-8")
    return ["\n".join(region.body) for region in regions.solution_regions(text) if region.id == ex.id]


@pytest.mark.parametrize("id", EXERCISES)
def test_no_hint_holds_the_answer(id):
    ex = EXERCISES[id]
    found = [(hint, secret) for hint in ex.hints for code in answers(ex) for secret in given_away(hint, code)]
    assert found == []


TWO_LINES = """
    total = 0.0
    for x, w in zip(
        xs, ws  # in pairs
    ):
        total += x * w
    return total
"""
TRIED = """
    try:
        above = f(x + h)
    finally:
        x[index] = original
"""


@pytest.mark.parametrize(
    ("hint", "code"),
    [
        ("In `for x,w in zip(xs,  ws):` write total += x * w, and nothing else.", TWO_LINES),
        ("Compute above = f(x + h); whatever happens, x[index] = original.", TRIED),
        ("It is exp('x') * w.", 'return exp("x") * w'),
        ("One line: return a + b.", "return a + b"),
    ],
)
def test_an_answer_in_a_hint_is_found(hint, code):
    assert given_away(hint, code)


@pytest.mark.parametrize(
    ("hint", "code"),
    [
        ("Begin with total = 0.0, and in the loop total += x * w.", TWO_LINES),
        ("for x, w in zip(xs, ws): and then add their product.", TWO_LINES),
        ("Compute above = f(x + h), and under finally put the original back.", TRIED),
        ("In a + b, which of the two is self?", "return a + b"),
    ],
)
def test_a_hint_may_say_as_much(hint, code):
    assert not given_away(hint, code)

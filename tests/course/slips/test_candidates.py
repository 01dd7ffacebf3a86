"""The small edits of an answer: which there are, and that the answer is the same after they were made."""

import ast

import pytest

from grader.slips.candidates import LEVELS, LONGEST, Answer
from grader.slips.expressions import in_one_order
from grader.slips.kinds import Kind

FILE = """import math


class Two:
    def rule(self, a, b):
        # exercise 9.9
        {}
        # end of exercise 9.9
"""


def answer(*lines):
    return Answer("9.9", FILE.format("\n        ".join(lines)))


def bodies(answer):
    """{the body of the function: kind} of all candidates."""
    found = {}
    for candidate in (candidate for level in LEVELS for candidate in answer.candidates(level)):
        function = ast.parse(candidate.text).body[0].body[0]
        found.setdefault("; ".join(map(ast.unparse, function.body)), candidate.kind)
    return found


@pytest.mark.parametrize(
    ("lines", "wanted", "kind"),
    [
        (["return a * b * 2"], "return a * b", Kind.DROPPED),
        (["return math.exp(a) * b"], "return a * b", Kind.UNWRAPPED),
        (["return b - a"], "return a - b", Kind.EXCHANGED),
        (["return a * 3"], "return a * 2", Kind.NUMBER),
        (["return a * a"], "return a * b", Kind.NAME),
        (["return -a"], "return a", Kind.SIGN),
        (["return a + b"], "return a @ b", Kind.OPERATOR),
        (["c = a", "return c"], "c += a; return c", Kind.ASSIGNMENT),
        (["c = a * b"], "c = a * b; return c", Kind.RETURN),
        (["a * b"], "return a * b", Kind.RETURN),
        (["if a > b:", "    return a", "return b"], "if a >= b:\n    return a; return b", Kind.COMPARISON),
        (["if a:", "    a = b", "    b = 1", "return b"], "if a:\n    a = b; b = 1; return b", Kind.MOVED),
        (["a.grad = b", "return a"], "return a", Kind.GONE),
        (["return a - (b - 1)"], "return a - b - 1", Kind.BRACKETS),
        (["return a * b, b * a"], "return (b * a, a * b)", Kind.EXCHANGED),
        (["return math.exp(a) + math.exp(b)"], "return a + b", Kind.EVERYWHERE),
        (["return [a, b]"], "return (a, b)", Kind.FORM),
        (["return a, b, 7"], "return (b, 7, a)", Kind.EXCHANGED),
        (["return a.data * 2 + b.data"], "return b.data * 2 + a.data", Kind.PLACES),
        (["return a.sum(0)"], "return a.sum(0, keepdims=True)", Kind.WRAPPED),
        (["return a"], "return a * b", Kind.FACTOR),
    ],
)
def test_there_is_the_edit_that_would_help(lines, wanted, kind):
    assert bodies(answer(*lines))[wanted] is kind


def test_of_a_statement_that_is_moved_its_own_line_is_at_fault():
    moved = answer("for c in a:", "    b = b + c", "    b = -b", "return b")
    lines = {each.line: each.text for each in moved.candidates(Kind.MOVED.level) if each.kind is Kind.MOVED}
    assert any(text.endswith("b = b + c\n        b = -b\n        return b") for text in lines.values())
    assert {number: text for number, text in lines.items() if text.endswith("b = -b\n        return b")}.keys() == {9}


def test_texts_are_not_compared_by_their_order():
    made = bodies(answer("if a == 'tanh':", "    return b", "return a"))
    assert any("a != 'tanh'" in body for body in made) and not any("a <= 'tanh'" in body for body in made)


def test_each_candidate_is_another_function_and_nothing_is_left_of_it():
    mine = answer("c = a * b", "for _ in range(3):", "    c = c + self.step(a, b=b)", "return c if a else None")
    before = ast.unparse(mine.tree)
    texts = [candidate.text for level in LEVELS for candidate in mine.candidates(level)]
    assert ast.unparse(mine.tree) == before
    assert len(texts) > 300 and before.split("\n\n\n")[-1] not in texts
    for text in texts:
        ast.parse(text)


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["for x in a:", "    b = x", "a = b", "return b"], "for x in a:\n    b = x\n    a = b; return b"),
        (["for x in a:", "    b = x", "    a = b", "return b"], "for x in a:\n    b = x; a = b; return b"),
    ],
)
def test_what_goes_into_a_loop_or_out_of_it_is_the_line(lines, wanted):
    """It is not the loop's first line."""
    mine = answer(*lines)
    [found] = [each for each in mine.candidates(Kind.MOVED.level) if _body(each) == wanted]
    assert (
        found.kind is Kind.MOVED and found.line == 6 + lines.index(next(line for line in lines if "a = b" in line)) + 1
    )


def _body(candidate):
    return "; ".join(map(ast.unparse, ast.parse(candidate.text).body[0].body[0].body))


def test_terms_and_factors_in_another_order_are_the_same_edit():
    assert in_one_order("x = a * b * c + d") == in_one_order("x = d + c * (b * a)")
    assert in_one_order("x = c * (a * a)") == in_one_order("x = a**2 * c")
    assert in_one_order("x = a - b") != in_one_order("x = b - a")
    assert in_one_order("x = a @ b") != in_one_order("x = b @ a")


def test_of_a_file_with_lines_that_python_counts_otherwise_nothing_is_edited():
    assert answer("return a").is_whole
    assert not answer("return a  # \x0c").is_whole
    assert not answer(f"return '{'x' * LONGEST}'").is_whole


def test_an_edit_is_put_into_the_file():
    mine = answer("c = a", "return c")
    [candidate] = [each for each in mine.candidates(1) if "c += a" in each.text]
    lines = mine.edited(FILE.format("c = a\n        return c"), candidate).splitlines()
    assert (
        lines[4:7] == ["    def rule(self, a, b):", "        c += a", "        return c"] and lines[0] == "import math"
    )
    assert candidate.line == 7


def test_a_region_outside_of_every_function_has_no_place():
    assert not Answer("9.9", "# exercise 9.9\nx = 1\n# end of exercise 9.9\n").is_whole

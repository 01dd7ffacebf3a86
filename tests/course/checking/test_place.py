"""The line in which an idea stands is found in other people's words, or none is said."""

import pytest

from grader.checking import place
from grader.checking.written import Written

RIGHT = "def rule(a, b, g):\n    # exercise 9.9\n    {}\n    # end of exercise 9.9\n"
GRADIENTS = "return g @ transpose(b), transpose(a) @ g"
PLAIN = "return g @ b, transpose(a) @ g"
BACK, FORTH = "return [f(x) for x in reversed(order(a))]", "return [f(x) for x in order(a)]"
SAFE, ODD = "return a if a is not None else b", "return [x for x in a if x is None]"
NEW, OLD = "s = kept['s'] = kept.get('s', 0) + g", "s = kept.get('s', 0)\n    kept['s'] = s + g"


def line(right, wrong, *learners):
    """The number and text of the line of a learner's answer in which the wrong answer is found."""
    signs = place.signs("9.9", RIGHT.format(right), RIGHT.format(wrong))
    data = RIGHT.format("\n    ".join(learners)).encode()
    return Written("9.9", "a.py", data).line_with(signs)


@pytest.mark.parametrize(
    ("right", "wrong", "learners", "found"),
    [
        ("p -= lr * g", "p += lr * g", ["step = lr * g", "p += step"], (4, "p += step")),
        (GRADIENTS, PLAIN, ["first = g @ b", "return first, transpose(a) @ g"], (3, "first = g @ b")),
        (
            "return beta2**t",
            "return beta1**t",
            ["x = 1", "return x - beta1 ** t  # t"],
            (4, "return x - beta1 ** t  # t"),
        ),
        ("return beta2**t", "return beta1**t", ["return x"], None),  # other words
        (GRADIENTS, PLAIN, ["one = g @ b", "two = g @ b", "return one"], None),  # which of the two?
        (SAFE, ODD, ["c = 0 if b is None else b", "return c"], None),
        # What was left out on both sides may be made up for: with [::-1] in place of reversed(...).
        (BACK, FORTH, ["g = order(a)[::-1]", "return [f(x) for x in order(a)[::-1]]"], None),
        (BACK, FORTH, ["g = 0", "return [g + y for y in order(a)]"], (4, "return [g + y for y in order(a)]")),
        # The first of two statements may be right in itself.
        (NEW, OLD, ["old = kept.get('s', 0)", "kept['s'] = g + old", "return x / old"], None),
        # What was left out behind a row may stand there: the slip is in another line.
        ("return f(g, a)", "return g", ["b = 2", "return g.f(b)"], None),
        ("return f(g, a)", "return g", ["b = 2", "return g"], (4, "return g")),
        # What was left out may stand in another line.
        ("v = m['v'] = g * v", "v = g * v", ["v = g * v", "m['v'] = v + 1"], None),
        ('v = m["v"] = g * v', "v = g * v", ["v = g * v", "m['v'] = v + 1"], None),
        ("v = m['v'] = g * v", "v = g * v", ["v = g * v", "m['w'] = v + 1"], (3, "v = g * v")),
        ("return a", "return a + 1", ["return (a", "+ 1)"], (4, "+ 1)")),
        ("total = 0", "pass", ["return 0"], None),
        # What stands in many a line says nothing: a number or a name at a bracket, empty brackets.
        ("f(len(x))", "f(len(x) + 1, x)", ["for i in range(len(x) // 2):", "    f(x[i : (i + 1) * 2])"], None),
        ("f(axes and sort(axes, 0))", "f(self.axes)", ["for i, a in enumerate(axes):", "    f(i)"], None),
        ("seen = {}", "seen = []", ["out = []", "return out"], None),
        ("return f(x)", "return f(x)[::-1]", ["for i in a[::-1]:", "    g(i)"], None),
    ],
)
def test_the_line_is_found_where_it_can_be_told(right, wrong, learners, found):
    assert line(right, wrong, *learners) == found


def test_each_region_has_its_own_signs():
    """In the second one the wrong answer keeps what is right in the first one."""
    two = f"{RIGHT}\n{RIGHT.replace('rule', 'other')}"
    wrong = two.format("keep = x", "keep = x\n    return f(x)")
    signs = place.signs("9.9", two.format("keep = x", "keep = f(x)\n    return keep"), wrong)
    assert Written("9.9", "a.py", wrong.encode()).line_with(signs) is None


def test_what_the_right_answer_has_is_no_sign():
    assert place.signs("9.9", RIGHT.format(GRADIENTS), RIGHT.format(GRADIENTS)) == []


def test_signs_show_nothing():
    signs = place.signs("9.9", RIGHT.format("return a"), RIGHT.format("return secret"))
    assert signs and not any("secret" in sign for each in signs for sign in each)


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"def broken(:\n    # exercise 9.9\n    x\n    # end of exercise 9.9\n"]
)
def test_of_what_cannot_be_read_no_line_is_said(data):
    assert Written("9.9", "a.py", data).line_with([["0123456789"]]) is None


@pytest.mark.parametrize("odd", ["\x0c", "\u2028"])
def test_where_lines_end_oddly_none_is_named(odd):
    """Such a letter ends a line for splitlines, and not for Python: another line would be shown."""
    signs = place.signs("9.9", RIGHT.format("return a"), RIGHT.format("return b"))
    text = f"s = 'x{odd}y'\n" + RIGHT.format("c = 1\n    return b")
    assert Written("9.9", "a.py", text.encode()).line_with(signs) is None


def test_in_a_very_long_answer_none_is_looked_for():
    text = RIGHT.format("x = [\n" + "1,\n" * 10_000 + "    ]\n    return b")
    assert place.rows_in("9.9", text) == []

"""What is known of an answer's own text."""

import textwrap

import pytest

from grader.checking.written import UNKNOWN, Written


def written(body, around='def f(x):\n    """Returns a number."""\n'):
    marked = f"# exercise 2.1\n{textwrap.dedent(body).strip()}\n# end of exercise 2.1\n"
    return Written("2.1", "value.py", (around + textwrap.indent(marked, "    " if around else "")).encode())


@pytest.mark.parametrize(
    "body",
    [
        "return x",
        "if x:\n    return 1\nelse:\n    raise ValueError",
        "with x:\n    return 1",
        "while True:\n    if x:\n        return 1",
        "try:\n    return 1\nexcept KeyError:\n    return 2",
        "try:\n    y = x\nfinally:\n    return 2",
        "match x:\n    case 1:\n        return 1\n    case _:\n        return 2",
        "def help():\n    print(x)\nhelp()\nreturn 1",
        "yield x",
        "return",
    ],
)
def test_where_each_way_ends_with_a_return_none_is_missed(body):
    assert not written(body).may_lack_a_return()


@pytest.mark.parametrize(
    "body",
    [
        "x + 1",
        "if x:\n    return 1",
        "for y in x:\n    return y",
        "while True:\n    if x:\n        break\n    return 1",
        "try:\n    return 1\nexcept KeyError:\n    pass",
        "match x:\n    case 1:\n        return 1",
        "def help():\n    print(x)\nreturn help",
    ],
)
def test_a_way_without_a_return_is_seen(body):
    assert written(body).may_lack_a_return()


def test_functions_deep_inside_each_other_are_each_looked_at_once():
    body = "return x"
    for i in range(30):
        body = f"def f{i}():\n{textwrap.indent(body, '  ')}\nreturn f{i}"
    assert not written(body).may_lack_a_return()


def test_what_promises_no_result_needs_no_return():
    procedure = 'def f(x):\n    """Adds to x.grad."""\n'
    assert not written("x.grad += 1", procedure).may_lack_a_return()
    assert written("x.grad += 1\nif x:\n    return 1", procedure).may_lack_a_return()
    assert not written("class A:\n    def __init__(self):\n        self.x = 1\n", "").may_lack_a_return()


def test_the_functions_around_and_inside_are_known():
    answer = written("def visit(node):\n    for each in node:\n        visit(each)\nvisit(x)\nreturn 1")
    assert answer.may_be_around("f") and not answer.may_be_around("g")
    assert answer.walks_down("visit") and not answer.walks_down("f")
    assert not written("return f(x)").walks_down("f")


def test_a_name_of_an_outer_function_is_told_from_one_that_has_no_value_yet():
    outer = "seen = []\ndef visit(node):\n    seen = seen + [node]\nvisit(x)\nreturn seen"
    assert written(outer).assigned_outside("seen")
    assert not written("for y in []:\n    z = y\nreturn z").assigned_outside("z")


def test_of_what_is_not_known_everything_may_be():
    broken = Written("2.1", "value.py", b"# exercise 2.1\nreturn (\n# end of exercise 2.1\n")
    for answer in (UNKNOWN, broken, Written("2.1", "value.py", b"\xff"), Written("2.1", "value.py", None)):
        assert answer.may_lack_a_return() and answer.may_be_around("f")
        assert not answer.walks_down("f") and not answer.assigned_outside("x")
    assert UNKNOWN.may_have("np") and broken.may_have("return") and not broken.may_have("np")

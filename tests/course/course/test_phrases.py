"""How several things are put into a sentence."""

import pytest

from grader.course.phrases import counted, listed, plural


@pytest.mark.parametrize(("number", "said"), [(0, "0 points"), (1, "1 point"), (2, "2 points")])
def test_one_thing_has_no_s(number, said):
    assert counted(number, "point") == said
    assert f"{number} {plural('point', number)}" == said


@pytest.mark.parametrize(("things", "said"), [("", ""), ("a", "a"), ("ab", "a and b"), ("abc", "a, b and c")])
def test_the_last_of_several_is_joined_by_and(things, said):
    assert listed(things) == listed(iter(things), most=3) == said


def test_of_many_the_first_are_named_and_the_rest_counted():
    assert listed("abcde", most=2) == "a, b and 3 more"
    assert listed([1, 2, 3], most=1) == "1 and 2 more"


def test_what_would_be_one_more_is_named():
    assert listed("abc", most=2) == "a, b and c"

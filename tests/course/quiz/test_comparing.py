"""What is typed, read as whoever typed it meant it: right, wrong in a known way, not known, or no answer at all."""

from dataclasses import replace

import pytest

from grader.quiz.asked import Asked
from grader.quiz.comparing import NOT_KNOWN, RIGHT, UNREADABLE, WRONG, judged


def asked(*right, wrong=(), choices=()):
    wrong = tuple((tuple(answers), shows) for answers, shows in wrong)
    return Asked("3.Q1", "", "", () if choices else ("x",) * len(right), right, wrong, choices)


@pytest.mark.parametrize(
    ("right", "typed"),
    [
        *(("27.0", text) for text in ("27", "27.0", " 27.00 ", "+27", "x.grad = 27", "(27)", "2.7e1", "54/2")),
        *(("-0.75", text) for text in ("-3/4", "-.75", "−0.75", "-0.750")),
        *(("0.333333", text) for text in ("1/3", "0.33", "0.333", ".3333333")),
        *(("(2, 3)", text) for text in ("(2,3)", "2,3", "2 3", "[2, 3]", "( 2 , 3 )", "shape = (2, 3)")),
        *(("(2, 3)", text) for text in ("y[2, 3]", "array([2, 3])", "torch.Size([2, 3])", "transpose((2, 3))")),
        *(("(3,)", text) for text in ("(3,)", "3", "(3)", "3,")),
        ("()", "()"),
        *(("[[1, 2], [3, 4]]", text) for text in ("[[1,2],[3,4]]", "[1 2] [3 4]", "((1.0, 2.0), (3.0, 4.0))")),
        *(("11.0 True", text) for text in ("11 true", "11.0  True", "11, True")),
        ("1.04858e+06", "1048576"),
        ("1.04858e+06", "1.04858e6"),
        *(("250000", text) for text in ("250000", "2.5e5", "250000.25")),
        ("nan", "NaN"),
        ("-inf", "-inf"),
    ],
)
def test_right(right, typed):
    assert judged(asked(right), [typed]).kind == RIGHT


@pytest.mark.parametrize(
    ("right", "typed"),
    [
        *(("27.0", text) for text in ("26.99", "27.01", "-27", "2.7", "0", "1e400")),
        *(("0.333333", text) for text in ("0.3", "0.34", "0.3334")),
        *((right, text) for right in ("250000", "250000.0") for text in ("250002", "250002.0")),
        *(("(2, 3)", text) for text in ("(3, 2)", "(2, 3, 1)", "(2,)", "6", "()")),
        *(("[[1, 2], [3, 4]]", text) for text in ("1 2 3 4", "[1, 2, 3, 4]", "[[1, 3], [2, 4]]")),
        ("11.0 True", "11"),
        ("(3,)", "()"),
    ],
)
def test_wrong(right, typed):
    assert judged(asked(right), [typed]).kind == WRONG


@pytest.mark.parametrize("end", ["", "/7", "/" + "7" * 5000], ids=len)
def test_a_number_as_long_as_a_page_is_wrong(end):
    assert judged(asked("27.0"), ["9" * 5000 + end]).kind in (WRONG, UNREADABLE)


@pytest.mark.parametrize(
    ("right", "typed", "said"),
    [
        ("27.0", "twenty-seven", "'twenty-seven' is none"),
        ("27.0", "27 apples", "'apples' is none"),
        ("27.0", "1/0", "'1/0' is none"),
        ("27.0", "1,024", "One number"),
        ("5.0", ",5", "',' is none"),
        ("2.0", "sqrt(4)", "'sqrt' is none"),
        ("27.0", "(27", "brackets"),
        ("27.0", "27)", "brackets"),
        ("(2, 3)", "two by three", "Numbers are asked for"),
        ("27.0", "9" * 2000 + "x", "No answer has more than 200 characters"),
        ("(2, 3)", "[" * 2000 + "]" * 2000, "No answer has more than 200 characters"),
    ],
)
def test_what_is_no_answer_gets_a_sentence_and_is_asked_again(right, typed, said):
    verdict = judged(asked(right), [typed])
    assert verdict.kind == UNREADABLE and said in verdict.said and verdict.said.endswith("Try again.")


@pytest.mark.parametrize("typed", ["", "   ", "\u00a0"])
def test_an_empty_line_says_that_it_is_not_known(typed):
    assert judged(asked("27.0"), [typed]).kind == NOT_KNOWN
    assert judged(asked("b", choices=("a", "b")), [typed]).kind == NOT_KNOWN


def test_a_wrong_answer_shows_what_it_shows_also_where_it_is_no_number():
    question = asked("27.0", wrong=[(["None"], "nothing arrived"), (["3.0"], "overwritten"), (["[1, 2]"], "a list")])
    said = {typed: judged(question, [typed]).said for typed in ("none", "3", "1 2", "5")}
    assert said == {"none": "nothing arrived", "3": "overwritten", "1 2": "a list", "5": ""}


def test_of_two_answers_that_a_rounded_number_fits_the_nearer_one_is_meant():
    question = asked("0.3333", wrong=[(["0.331"], "shows")])
    assert judged(question, ["0.33"]).said == "shows"
    assert judged(question, ["0.333"]).kind == RIGHT


def test_of_several_answers_each_counts_and_the_wrong_ones_say_what_they_show():
    wrong = [(["1.0", "5.0"], "the first"), (["2.0", "6.0"], "the second"), (["1.0", "6.0"], "both")]
    question = asked("2.0", "5.0", wrong=wrong)
    expected = {"2 5": "", "1 5": "the first", "2 6": "the second", "1 6": "both"}
    expected["9 6"] = "the second"
    verdicts = {typed: judged(question, typed.split(" ")) for typed in expected}
    assert {typed: verdict.said for typed, verdict in verdicts.items()} == expected
    assert [verdict.kind for verdict in verdicts.values()] == [RIGHT, *[WRONG] * 4]


@pytest.mark.parametrize(("typed", "said"), [(["15", " "], "b is still missing."), (["", "2"], "a is still missing.")])
def test_of_several_answers_one_that_is_empty_is_asked_for(typed, said):
    """Enter in the first of two fields must not cost the question."""
    verdict = judged(replace(asked("15", "2", wrong=[(["15", "3"], "shows")]), names=("a", "b")), typed)
    assert verdict.kind == UNREADABLE and verdict.said.startswith(said)
    assert judged(replace(asked("15", "2", "3"), names=("a", "b", "c")), ["", "2", ""]).said.startswith("a and c are")


CHOICES = ("2 · n", "n + 1", "2 to the power of n")


@pytest.mark.parametrize("typed", ["b", "B", " b) ", "n + 1", "N+1"])
def test_a_choice_is_made_by_letter_or_text(typed):
    assert judged(asked("n + 1", choices=CHOICES), [typed]).kind == RIGHT


def test_a_choice_is_made_by_its_place():
    assert judged(asked("no", choices=("yes", "no")), ["2"]).kind == RIGHT


@pytest.mark.parametrize("typed", ["d", "4", "ab", "n + 2"])
def test_what_is_none_of_the_choices_is_asked_again(typed):
    verdict = judged(asked("n + 1", choices=CHOICES), [typed])
    assert verdict.kind == UNREADABLE and verdict.said == "Type one letter, A to C."


@pytest.mark.parametrize("choices", [("6 ms", "2 ms"), ("[5, 5]", "[2, 7]"), ("16 + 1", "2 · 16 + 1")])
def test_where_a_choice_begins_with_a_number_a_number_alone_is_none_of_them(choices):
    assert judged(asked(choices[0], choices=choices), ["2"]).kind == UNREADABLE


def test_where_choices_are_numbers_a_number_is_one_of_them_and_no_place():
    question = asked("3", choices=("3", "1", "2"))
    assert judged(question, ["3"]).kind == RIGHT and judged(question, ["1"]).kind == WRONG
    assert judged(question, ["a"]).kind == RIGHT

"""What the checks of notebook 13 say of answers that are nearly right."""

import pytest

from grader.course import catalogue, folders
from grader.probes.recipe import recipes_of

A = ["Summation", "Div", "Abs", "MatMul", "AddScalar", "Exp"]
BACKWARD = ["Add", "Exp", "Mul"]
LISTS = {
    "Sum": (0, A, ["Sum", *A[1:]], "'Sum': .sum() is Summation here."),
    "Matmul": (0, A, [*A[:3], "Matmul", *A[4:]], "'Matmul': the class is called MatMul."),
    "PyTorch's name": (0, A, [*A[:2], "AbsBackward0", *A[3:]], "'AbsBackward0': the class is called Abs."),
    "Affine": (0, A, [*A[:3], "Affine", *A[4:]], "'Affine': that is what nn.Linear uses; a plain @ is MatMul."),
    "a leaf": (0, A, [*A, "x"], "it is a leaf: no Function made it"),
    "forwards": (0, A, A[::-1], "Summation was computed last. Begin there."),
    "asked twice": (2, BACKWARD, ["Add", "Mul", "Exp", "Mul"], "backward calls each rule once"),
    "none of ours": (0, A, [*A[:3], "Conv", *A[4:]], "'Conv' is none of our operations."),
}


def comparison(number, place):
    return catalogue.exercise(number).probes[place].compare


@pytest.mark.parametrize(("place", "wanted", "names", "words"), LISTS.values(), ids=LISTS)
def test_a_wrong_name_in_one_list_is_explained(place, wanted, names, words):
    assert words in comparison("13.1", place)({"names": wanted}, {"names": names})


def test_the_right_walk_is_found_without_the_reference():
    assert comparison("13.1", 0)({}, {"names": A}) is None
    assert comparison("13.1", 2)({}, {"names": BACKWARD}) is None
    assert comparison("13.1", 2)({}, {"names": BACKWARD[::-1]})


def test_the_indent_of_the_walk_does_not_count():
    assert (
        comparison("13.1", 0)({"names": A}, {"names": ["Summation", "  Div", "    Abs", "      MatMul", *A[4:]]})
        is None
    )


SHAPES = folders.load("13", "questions").SHAPES


def told_of_engine_8(build):
    hunt = comparison("13.4", 7)
    return hunt({}, {"recipes": recipes_of(build, **SHAPES)})


def test_who_tries_each_operation_alone_hears_that_the_walks_are_left():
    told = told_of_engine_8(
        lambda x, row, col, w, batch: [5 - x, x / row, x.tanh(), x.relu(), x + col, x.sum(0), batch @ w, x.max()]
    )
    assert "Not yet: 8, 9, 10, 11." in told and "and a wrong backward pass" in told


def test_while_rules_are_left_nothing_is_said_of_walks():
    assert "wrong backward pass" not in told_of_engine_8(lambda x, row, col, w, batch: [5 - x])

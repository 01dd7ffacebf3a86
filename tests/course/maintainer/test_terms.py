"""The words of the field: each is introduced in bold, not used before, used afterwards, and in its notebook's box."""

import pytest

from grader.maintainer import terms

NAMED = (  # by whoever asked for a course after which one can read a textbook
    *("derivative", "partial derivative", "gradient", "computation graph", "forward pass", "backward pass"),
    *("backpropagation", "chain rule", "vector-Jacobian product", "leaf", "accumulate", "broadcasting", "activation"),
    *("layer", "loss", "mini-batch", "stochastic gradient descent", "epoch", "learning rate", "regularisation"),
    *("overfitting", "inference", "logits", "one-hot", "initialisation"),
)


def test_every_term_is_introduced_then_used_and_in_its_box():
    assert list(terms.faults()) == []


def test_the_table_has_each_term_once():
    listed = [term for found in terms.TERMS.values() for term in found]
    assert sorted(listed) == sorted(set(listed))
    assert set(NAMED) <= set(listed)


BOLD, AGAIN = ("02", "A", "This is a **local slope**."), ("03", "B", "Local slopes add up; a local\nslope does not.")


@pytest.mark.parametrize(
    ("prose", "words"),
    [
        ([BOLD, AGAIN, AGAIN], []),
        ([BOLD, AGAIN], ['02: introduces "local slope", and it is used in fewer than 2 paragraphs afterwards.']),
        ([AGAIN, AGAIN, AGAIN], ['02: nowhere introduces "local slope" in bold.']),
        (
            [("01", "C", "Each local slope."), BOLD, AGAIN, AGAIN],
            ['01, C: uses "local slope" before 02 introduces it: ... Each local slope. ...'],
        ),
        (
            [("02", "A", "A local slope."), BOLD, AGAIN, AGAIN],
            ['02, A: uses "local slope" before 02 introduces it: ... A local slope. ...'],
        ),
    ],
)
def test_what_is_wrong_with_a_term(prose, words):
    assert list(terms.faults_of("local slope", "02", prose)) == words


@pytest.mark.parametrize("text", ["leaf", "Leaves", "a leaf-"])
def test_other_forms_of_a_term(text):
    assert bool(terms.form("leaf").search(text)) == (text != "a leaf-")


def test_a_term_may_stand_with_a_hyphen_or_across_lines():
    assert terms.form("mini-batch").search("two mini\nbatches") is None
    assert terms.form("vector-Jacobian product").search("the vector-Jacobian\nproducts")

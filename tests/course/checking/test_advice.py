"""Names that learners try where they are not: what an exception says is followed by words about it."""

import pytest

from grader.asking.outcome import Stopped
from grader.checking.advice import advice


@pytest.mark.parametrize(
    ("type", "message", "words"),
    [
        ("NameError", "name 'np' is not defined", "This file does not import it"),
        ("NameError", "name 'Tensor' is not defined", "This file does not import Tensor."),
        ("NameError", "name 'Tensro' is not defined", "Is it spelt right"),
        ("AttributeError", "'Tensor' object has no attribute 'std'", "mean, -, * and sqrt"),
    ],
)
def test_a_name_that_is_not_there_gets_words(type, message, words):
    assert words in advice(Stopped(type, message))

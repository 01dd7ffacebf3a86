"""What a stub says, written and read in one place."""

import pytest

from grader.course.regions import stub_regions, stub_text
from grader.course.stub_message import is_stub, unfilled, unfilled_by

TITLE = "Value.__mul__: two numbers"
REFERENCE = f"""def mul(a, b):
    ### BEGIN SOLUTION 2.11: {TITLE}
    return a * b
    ### END SOLUTION
"""


def test_what_is_written_into_a_stub_is_read_from_its_exception():
    stub, names = stub_text(REFERENCE), {}
    exec(stub, names)
    with pytest.raises(NotImplementedError) as stop:
        names["mul"](2, 3)
    assert is_stub(stop.value) and unfilled_by(stop.value) == unfilled(str(stop.value)) == ("2.11", TITLE)
    assert [region.is_stub for region in stub_regions(stub)] == [True]


def test_the_stub_of_another_exercise_is_an_answer():
    other = stub_text(REFERENCE).replace('"exercise 2.11', '"exercise 2.1')
    assert [region.is_stub for region in stub_regions(other)] == [False]


@pytest.mark.parametrize("error", [NotImplementedError(), NotImplementedError("later"), ValueError("exercise 2.1: x")])
def test_other_exceptions_are_no_stubs(error):
    assert not is_stub(error)


def test_a_message_without_a_title_still_names_its_exercise():
    assert unfilled("exercise 2.1") == ("2.1", "")

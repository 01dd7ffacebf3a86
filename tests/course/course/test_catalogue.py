"""What the ids of exercises say."""

import pytest

from grader.course.catalogue import all_exercises, place_of


def test_ids_stand_in_the_order_of_the_course():
    ids = [ex.id for ex in all_exercises()]
    assert sorted(ids, key=place_of) == ids != sorted(ids)


@pytest.mark.parametrize("text", ["", "no id", "2." + "9" * 5000])
def test_any_text_has_a_place(text):
    assert sorted(["2.1", text], key=place_of)

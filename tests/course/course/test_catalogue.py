"""What the ids of exercises say."""

import pytest

from grader.course import catalogue
from grader.course.catalogue import all_exercises, place_of
from grader.course.usage import UsageError


def test_ids_stand_in_the_order_of_the_course():
    ids = [ex.id for ex in all_exercises()]
    assert sorted(ids, key=place_of) == ids != sorted(ids)


READ = {"13": {"ops/function.py"}}  # files that a notebook opens for reading


def test_a_notebook_opens_the_files_in_which_it_has_exercises():
    for nb in catalogue.notebooks():
        written = {ex.file for ex in catalogue.exercises_of(nb.number)}
        assert written <= {*nb.files} <= written | READ.get(nb.number, set()), nb.number


@pytest.mark.parametrize("text", ["", "no id", "2." + "9" * 5000])
def test_any_text_has_a_place(text):
    assert sorted(["2.1", text], key=place_of)


def test_a_retired_id_is_not_used_again(monkeypatch):
    monkeypatch.setattr(catalogue, "retired", lambda: {"2.3": "asked in 2.4 now"})
    catalogue.exercises_of.cache_clear()
    with pytest.raises(ValueError, match=r"2\.3 is retired"):
        catalogue.exercises_of("02")


def test_of_a_retired_exercise_it_is_said_what_became_of_it(monkeypatch):
    monkeypatch.setattr(catalogue, "retired", lambda: {"2.98": "asked in 2.4 now"})
    with pytest.raises(UsageError, match=r"no exercise 2\.98 any more: asked in 2\.4 now\."):
        catalogue.exercise("2.98")


def test_the_retired_have_gone_and_it_is_said_what_became_of_them():
    retired = catalogue.retired()
    assert all(catalogue.is_an_id(id) and words and not words.endswith(".") for id, words in retired.items())
    assert not retired.keys() & {ex.id for ex in all_exercises()}


def test_what_comes_too_early_is_said_to_those_before_it():
    ids, numbers = [ex.id for ex in all_exercises()], catalogue.numbers()
    for later, said in catalogue.too_early().items():
        before = ids if later == "any" else ids[: ids.index(later)]
        assert {who.partition(" ")[0] for who in said} <= {*before, *numbers, ""} and all(said.values())

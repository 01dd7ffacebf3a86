"""course.json: what a teacher decided about a course."""

import json
from datetime import UTC, datetime

import pytest

from grader.course import catalogue
from grader.course.settings import Settings
from grader.course.usage import UsageError


def settings(**fields):
    return Settings.from_dict({"course": "babygrad", **fields}, "course.json")


def test_without_a_file_the_whole_course_counts():
    whole = Settings.read()
    assert [ex.id for ex in whole.exercises()] == [ex.id for ex in catalogue.all_exercises()]
    assert whole.possible == sum(ex.points for ex in catalogue.all_exercises())
    assert whole.given == () and whole.due == {} and whole.edition == "full"


def test_they_travel_as_plain_data():
    made = settings(notebooks=["02", "03"], given=["2.1"], points={"2.3": 7}, due={"": "2026-12-01T18:00:00+01:00"})
    assert Settings.from_dict(json.loads(json.dumps(made.as_dict()))) == made


def test_points_are_weighed_in_a_copy():
    own = catalogue.exercise("2.3").points
    heavy = next(ex for ex in settings(points={"2.3": own + 5}).exercises() if ex.id == "2.3")
    assert heavy.points == own + 5
    assert catalogue.exercise("2.3").points == own
    assert heavy.probes is catalogue.exercise("2.3").probes


def test_what_was_given_or_not_released_does_not_count():
    part = settings(notebooks=["02"], given=["2.1", "1.1"])
    assert {ex.notebook for ex in part.released()} == {"02"}
    assert [ex.points for ex in part.released() if ex.id == "2.1"] == [0]
    assert "2.1" not in {ex.id for ex in part.exercises()}
    assert part.possible == sum(ex.points for ex in catalogue.exercises_of("02") if ex.id != "2.1")


@pytest.mark.parametrize(("number", "hour"), [("02", 18), ("03", 20)])
def test_a_notebook_s_own_date_goes_before_the_one_of_all(number, hour):
    dates = {"": "2026-12-01T20:00:00+00:00", "02": "2026-12-01T19:00:00+01:00"}
    assert settings(due=dates).due_of(number) == datetime(2026, 12, 1, hour, tzinfo=UTC)


def test_without_a_date_nothing_is_due():
    assert settings().due_of("02") is None
    assert settings(due={"03": "2026-12-01T20:00:00+00:00"}).due_of("02") is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("course", "another"),
        ("notebooks", ["2"]),
        ("notebooks", [["02"]]),
        ("notebooks", "02"),
        ("given", ["2.99"]),
        ("given", [21]),
        ("given", {"2.1": 1}),
        ("points", {"2.1": -1}),
        ("points", {"2.1": 1.5}),
        ("points", {"2.1": True}),
        ("points", {"two": 1}),
        ("due", {"": "2026-12-01"}),
        ("due", {"": "soon"}),
        ("due", {"": 5}),
        ("due", {"99": "2026-12-01T20:00:00+00:00"}),
        ("version", 5),
    ],
)
def test_a_field_that_makes_no_sense_is_named_with_its_file(field, value):
    with pytest.raises(UsageError, match=rf"course\.json, field '{field}'"):
        settings(**{field: value})


@pytest.mark.parametrize("text", ["{", "[]", "5"])
def test_a_file_that_holds_no_settings_is_named(text, tmp_path):
    path = tmp_path / "course.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"course\.json"):
        Settings.read(path)
    with pytest.raises(UsageError, match="missing"):
        Settings.read(tmp_path / "missing.json")


@pytest.mark.parametrize("count", ["both", "", 1])
def test_which_points_count_is_one_of_two_words(count):
    fields = Settings.of_the_whole_course().as_dict()
    assert Settings.from_dict(fields).count == "own"
    assert Settings.from_dict({**fields, "count": "carried"}).as_dict()["count"] == "carried"
    with pytest.raises(UsageError, match="field 'count'"):
        Settings.from_dict({**fields, "count": count}, "course.json")

"""What a record earns: computed from the settings and from what was answered, whatever the points were when it was."""

import pytest

from grader.classroom.run.student_record import weigher
from grader.course.settings import Settings

OWN = {ex.id: ex.points for ex in Settings(("02",)).exercises()}


def row(id, right, asked, counted=None, status="failed"):
    return {
        "id": id,
        "status": status,
        "right": right,
        "asked": asked,
        "counted": right if counted is None else counted,
    }


def record(*rows, submitted="2026-11-22T22:05:00+00:00"):
    return {"student": "ada", "submission": {"submitted": submitted}, "exercises": list(rows)}


def weighed(*rows, notebooks=("02",), **decided):
    return weigher(Settings(notebooks, **decided))(record(*rows))


@pytest.mark.parametrize(("points", "earned"), [(4, 3), (3, 2), (1, 0), (0, 0), (50, 37)])
def test_the_share_of_right_answers_is_rounded_down(points, earned):
    [found] = weighed(row("2.1", 3, 4), points={"2.1": points})["exercises"]
    assert (found["points"], found["earned"]) == (points, earned)


@pytest.mark.parametrize("points", [4, 100])
def test_answers_that_do_not_count_earn_nothing_under_other_points_either(points):
    """Those learnt by heart, those found by nudging, those that were given."""
    assert weighed(row("2.1", 3, 4, counted=0), points={"2.1": points})["earned"] == 0
    assert weighed(row("2.1", 4, 4, counted=0, status="given"), points={"2.1": points})["earned"] == 0


def test_what_is_given_or_not_released_by_now_is_left_out_of_both_sums():
    rows = row("2.1", 4, 4), row("2.3", 4, 4), row("3.1", 4, 4)
    found = weighed(*rows, given=("2.1",))
    assert [kept["id"] for kept in found["exercises"]] == ["2.3"]
    assert (found["earned"], found["possible"]) == (OWN["2.3"], sum(OWN.values()) - OWN["2.1"])


def test_nothing_of_the_settings_stays_in_what_was_asked():
    before = record(row("2.1", 3, 4))
    weigher(Settings(("02",), points={"2.1": 9}))(before)
    assert before == record(row("2.1", 3, 4))


@pytest.mark.parametrize(
    ("due", "submitted", "late"),
    [
        ("2026-11-22T22:04:59+00:00", "2026-11-22T22:05:00+00:00", ["02"]),
        ("2026-11-22T23:05:00+01:00", "2026-11-22T22:05:00+00:00", []),
        ("2026-11-22T22:04:59+00:00", None, []),
    ],
)
def test_what_is_late_follows_from_the_dates(due, submitted, late):
    made = Settings.from_dict({"course": "babygrad", "notebooks": ["02"], "due": {"02": due}})
    assert weigher(made)(record(submitted=submitted))["submission"]["late"] == late

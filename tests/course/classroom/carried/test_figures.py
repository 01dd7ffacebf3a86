"""The second figure of an exercise: all its points if its own region is right, fewer if not, whatever it builds on."""

import itertools
import os
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[2] / "sandbox" / "attacks")]
from attack import into, submission
from spoilt import TRACKS, dependants, exercises, figures, files, job

from benchmarks import synthetic_class
from grader.classroom.pages import words
from grader.classroom.run.student_record import carried_on, to_carry, weigher
from grader.course import catalogue, regions
from grader.course.paths import REFERENCE, package_folder
from grader.course.settings import Settings
from grader.sandbox.outside import grading

OF_THE_DAY = os.environ["BABYGRAD_SEED_OF_THE_DAY"]
NUMBERS = tuple(f"{number:02}" for number in range(2, 10))
AMONG = exercises(NUMBERS)
IDS = [ex.id for ex in AMONG]
BUILT_ON = [ex.id for ex in AMONG if dependants(ex.id, AMONG)]
BUILDING = [ex for ex in AMONG if catalogue.all_needs(ex.id)]
FIRST = "3.3"  # broken in make test; the others at night
NIGHT = pytest.mark.leg("night")


def cases(each):
    """(id of what fails, what is asked about, track) of each (id, what is asked about)."""
    for id, asked in each:
        for track in TRACKS:
            marks = NIGHT if track != TRACKS[0] else leg_of(id)
            yield pytest.param(id, asked, track, id=f"{asked}: {track}", marks=marks)


def leg_of(id):
    return () if id == FIRST else NIGHT


@pytest.fixture(scope="module")
def level(isolation):
    return isolation.level.name


@pytest.mark.leg("push")
@pytest.mark.parametrize(("id", "asked", "track"), cases((id, id) for id in BUILT_ON))
def test_what_builds_on_a_spoilt_exercise_has_all_its_points_once_that_is_right(id, asked, track, level):
    building = dependants(asked, AMONG)
    found = figures(files(IDS, [id], track=track), [id, *(ex.id for ex in building)], level)
    failing = [ex for ex in building if found[ex.id][0] != "passed"]
    assert failing
    assert all(id in found[ex.id][3] for ex in failing)
    assert {ex.id: found[ex.id][2] for ex in building} == {ex.id: ex.points for ex in building}
    assert found[id][2] == found[id][1] < catalogue.exercise(id).points


def broken():
    """(id, name) of misconceptions of exercises that others build on: the first, and at night two drawn by the day."""
    for id, found in itertools.groupby(synthetic_class.usable(), key=lambda each: each[0].id):
        if id in BUILT_ON:
            first, *others = (misconception.name for _, misconception in found)
            drawn = Random(f"{OF_THE_DAY} {id}").sample(others, min(2, len(others)))
            for name in (first, *drawn):
                marks = leg_of(id) if name == first else NIGHT
                yield pytest.param(id, name, marks=marks, id=f"{id} {name}")


@pytest.mark.leg("push")
@pytest.mark.parametrize(("id", "name"), broken())
def test_the_same_under_each_misconception_of_what_it_builds_on(id, name, level):
    building = dependants(id, AMONG)
    handed_in = synthetic_class.files(synthetic_class.Kind(((id, name),), ()))
    found = figures(handed_in, [id, *(ex.id for ex in building)], level)
    assert found[id][0] != "passed"
    full = {ex.id: ex.points for ex in building}
    assert {ex.id: found[ex.id][2] for ex in building} == full


@pytest.mark.parametrize(("need", "asked", "track"), cases((ex.needs[0], ex.id) for ex in BUILDING))
def test_an_exercise_that_is_wrong_itself_has_fewer(need, asked, track, level):
    found = figures(files(IDS, [asked, need], track=track), [need, asked], level)
    status, own, carried, once = found[asked]
    assert status != "passed" and need in once
    assert own <= carried < catalogue.exercise(asked).points


def halves():
    """Exercises with several regions that build on something."""
    for ex in BUILDING:
        text = (package_folder(REFERENCE) / ex.file).read_text(encoding="utf-8")
        if sum(region.id == ex.id for region in regions.solution_regions(text)) > 1:
            yield ex


def without_the_last_region(data, id):
    text = data.decode()
    last = [region for region in regions.stub_regions(text) if region.id == id][-1:]
    line = last[0].indent + 'raise ValueError("spoilt")'
    return regions.replaced(text, last, lambda region: regions.wrapped(region, [line])).encode()


@pytest.mark.leg("night")
@pytest.mark.parametrize("ex", halves(), ids=lambda ex: ex.id)
def test_of_an_exercise_that_is_right_in_part_what_is_right_counts(ex, level):
    handed_in = files(IDS, [ex.needs[0]])
    handed_in[ex.file] = without_the_last_region(handed_in[ex.file], ex.id)
    _, own, carried, _ = figures(handed_in, [ex.needs[0], ex.id], level)[ex.id]
    assert own <= carried < ex.points


def test_some_exercises_are_right_in_part():
    assert len(list(halves())) >= 2


@pytest.mark.leg("night")
def test_nothing_is_asked_again_where_nothing_that_it_builds_on_fails(level):
    found = figures(files(IDS, ["2.4", "6.6"]), IDS, level)
    assert found["2.4"][3] == [] and found["6.6"][3] == []
    assert found["2.5"][3] == ["2.4"]


def test_what_was_not_begun_has_no_second_figure(level):
    found = figures(files(["2.3"], ["2.1"]), ["2.1", "2.4", "2.5"], level)
    assert found["2.4"][0] == found["2.5"][0] == "not_started"
    assert found["2.4"][3] == found["2.5"][3] == []


def test_what_it_builds_on_need_not_have_been_begun(level):
    found = figures(files(["2.3", "2.4"]), ["2.1", "2.4"], level)
    assert found["2.4"] == ("failed", 0, catalogue.exercise("2.4").points, ["2.1"])


def test_what_was_filled_in_earns_nothing(level):
    handed_in = files(IDS, ["2.1"])
    text = handed_in["value.py"].decode().replace("# exercise 2.4\n", "# exercise 2.4 (given)\n")
    found = figures({**handed_in, "value.py": text.encode()}, ["2.1", "2.4"], level)
    assert found["2.4"][1:] == (0, 0, [])


@pytest.mark.leg("push")
def test_one_parenthesis_costs_its_own_exercise_alone(level):
    of_the_file = [ex for ex in exercises(["02", "03", "04"]) if ex.file in ("value.py", "scalar_nn.py")]
    ids = [ex.id for ex in of_the_file]
    found = figures(files(ids, ["2.1"], track="return Value((self.data)"), ids, level)
    assert {own for _, own, _, _ in found.values()} == {0}
    assert {id: carried for id, (_, _, carried, _) in found.items()} == {
        ex.id: 0 if ex.id == "2.1" else ex.points for ex in of_the_file
    }
    assert all(once[:1] == ["value.py"] for *_, once in found.values())


def test_a_parenthesis_outside_of_the_exercises_costs_none(level):
    found = figures(files(IDS, unreadable=["value.py"]), ["2.1", "2.4"], level)
    assert [found[id][1:3] for id in ("2.1", "2.4")] == [(0, catalogue.exercise(id).points) for id in ("2.1", "2.4")]


HELPED = "return _product(self, other)"
HELPER = """


def _product(one, other):
    return Value(one.data * other.data**-1.0, (one, other), "/", (1 / other.data, -one.data / other.data**2))
"""


@pytest.mark.leg("push")
def test_a_helper_of_the_learners_outside_of_the_exercises_is_there(level):
    """2.4 has two regions; both must be right with the helper around, and the helper's lines are no region."""
    handed_in = files(IDS, ["2.1"])
    text = handed_in["value.py"].decode()
    place = [region for region in regions.stub_regions(text) if region.id == "2.4"][-1:]
    text = regions.replaced(text, place, lambda r: regions.wrapped(r, [r.indent + HELPED])) + HELPER
    _, _, carried, once = figures({**handed_in, "value.py": text.encode()}, ["2.1", "2.4"], level)["2.4"]
    assert once == ["2.1"] and carried == catalogue.exercise("2.4").points


def test_another_exercise_of_the_learners_that_this_one_uses_is_there(level):
    """3.2 does not need 2.7; this learner's uses it."""
    handed_in = files(IDS, ["2.1"])
    text = handed_in["value.py"].decode()
    place = [region for region in regions.stub_regions(text) if region.id == "3.2"]
    uses = regions.replaced(
        text, place, lambda r: regions.wrapped(r, [f"{r.indent}assert Value(0.0).exp().data == 1", *r.body])
    )
    found = figures({**handed_in, "value.py": uses.encode()}, ["2.1", "3.2"], level)
    assert found["3.2"][2] == catalogue.exercise("3.2").points


OWN_LOOP = """gradient = np.zeros(x.shape)
for index in np.ndindex(x.shape):
    x[index] += h
    above = f(x)
    x[index] -= 2 * h
    gradient[index] = (above - f(x)) / (2 * h)
return gradient"""


ADDED_BACK = OWN_LOOP.replace("\nreturn", "\n    x[index] += h\nreturn")


@pytest.mark.leg("push")
def test_nobody_is_sent_to_an_exercise_that_has_nothing_to_do_with_it(level):
    """1.2 with a loop of its own is wrong by itself, whatever 1.1 says; 2.4 is right once 2.1 is."""
    ids, settings = ("1.1", "1.2", "2.1", "2.4"), Settings(("01", "02"))
    handed_in = files(ids, ["1.1", "2.1"], track=TRACKS[1])
    text = handed_in["derivatives.py"].decode()
    place = [region for region in regions.stub_regions(text) if region.id == "1.2"]
    lines = OWN_LOOP.split("\n")
    text = regions.replaced(text, place, lambda r: regions.wrapped(r, [r.indent + line for line in lines]))
    asked = job({**handed_in, "derivatives.py": text.encode()}, ids, 5, level)
    asked = replace(asked, course=settings.as_dict())
    record = {"student": "x", "submission": {"submitted": None}, "exercises": grading.grade(asked)["exercises"]}
    sent = {row["id"] for row in record["exercises"] if "at the moment: the fault may be there." in row["message"]}
    assert sent == {"1.2", "2.4"}
    shown = to_carry(record)
    record = carried_on(record, grading.grade(replace(asked, ids=tuple(shown), carried=shown)))
    rows = {row["id"]: row for row in weigher(settings)(record)["exercises"]}
    assert "builds on" not in rows["1.2"]["message"] and rows["1.2"]["message"].startswith("Called ")
    assert rows["2.4"]["message"].endswith("It builds on 2.1, which does not pass at the moment. Look there first.")


def test_a_known_idea_is_named_also_where_an_earlier_exercise_fails(level):
    """As a check names it: with the right answer below it."""
    ids, settings = ("1.1", "1.2"), Settings(("01",))
    handed_in = files(ids, ["1.1"], track=TRACKS[1])
    text = handed_in["derivatives.py"].decode()
    place = [region for region in regions.stub_regions(text) if region.id == "1.2"]
    lines = ADDED_BACK.split("\n")
    text = regions.replaced(text, place, lambda r: regions.wrapped(r, [r.indent + line for line in lines]))
    asked = job({**handed_in, "derivatives.py": text.encode()}, ids, 5, level)
    asked = replace(asked, course=settings.as_dict())
    record = {"student": "x", "submission": {"submitted": None}, "exercises": grading.grade(asked)["exercises"]}
    assert record["exercises"][1]["misconception"] is None
    shown = to_carry(record)
    record = carried_on(record, grading.grade(replace(asked, ids=tuple(shown), carried=shown)))
    row = record["exercises"][1]
    assert row["misconception"] == "put back by adding h again"
    assert "Keep the number that was there" in row["message"] and "builds on" not in row["message"]


def test_nobody_is_sent_away_from_a_question_that_is_wrong_by_itself():
    """x - y, which is shown, stays wrong with the right answer to 2.1; other answers become right."""
    row = {"id": "2.4", "once": ["2.1"], "right": 1, "message": "", "undone": {"2.1": False}, "shown": "x - y"}
    record = {"exercises": [row | {"plain": [["called", "Called x - y."]]}]}
    assert to_carry(record) == {"2.4": "x - y"}
    for cured in (False, True):
        (told,) = carried_on(record, {"2.4": {"cured": cured, "counted": 5, "idea": None}})["exercises"]
        assert ("Look there first" in told["message"]) is cured and "shown" not in told


HALF = """t1, t3 = a * b, a + d
t2 = t1 + c
results = {"t1": t1, "t2": t2, "t3": t3, "L": t2 * t3}
return {**results, "L.grad": 1, "t2.grad": t3, "t3.grad": t2, "t1.grad": t3, "c.grad": t3, "d.grad": t2}"""
BY_HEART = """return {"t1": 6, "t2": 10, "t3": 7, "L": 70}"""


@pytest.mark.parametrize(("code", "counts"), [(HALF, True), (BY_HEART, False)], ids=["in part", "by heart"])
def test_what_is_right_in_part_counts_in_a_grading_as_in_a_check_and_what_was_learnt_by_heart_does_not(
    code, counts, level
):
    """The same first questions of 2.2 are right, whose answers everybody can see, and the drawn one is wrong."""
    handed_in = submission((), [("hunts.py", into("2.2", code))])
    (row,) = grading.grade(job(handed_in, ("2.2",), 5, level))["exercises"]
    assert 0 < row["right"] < row["asked"] and bool(row["counted"]) is counts


def test_an_error_that_costs_nothing_is_told_as_one_that_would():
    """Where errors carried forward count, the box names the same points, and does not say that they are lost."""
    row = {"own": 0, "carried": 3, "points": 3, "once": ["value.py"]}
    lost, kept = ([SimpleNamespace(id=id, earned=earned, **row) for id in ("3.1", "3.2")] for earned in (0, 3))
    assert words.cost(lost).startswith("This one error costs 6 points: 3.1 and 3.2 have 6 of 6 once ")
    assert words.cost(kept).startswith("This one error would cost 6 points: 3.1 and 3.2 have 6 of 6 once ")

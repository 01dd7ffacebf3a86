"""Every exercise, proved both ways: the reference passes, the stub fails, every wrong idea fails and is named."""

import itertools
import os
import re

import pytest

from grader.asking.wire import through_the_wire
from grader.checking.check import Request, check
from grader.checking.judging import alike, known_beforehand, matching_misconception
from grader.checking.messages import called
from grader.checking.question import Question
from grader.checking.reference import all_misconceived, answers_of, reference_answers
from grader.checking.verdict import judge
from grader.course import catalogue, folders, regions, stubs
from grader.course.packages import reference_with
from grader.course.paths import REFERENCE

EXERCISES_BY_ID = {ex.id: ex for ex in catalogue.all_exercises()}
MISCONCEPTIONS = [(ex.id, m.name) for ex in EXERCISES_BY_ID.values() for m in catalogue.misconceptions_of(ex)]
OF_THE_DAY = int(os.environ["BABYGRAD_SEED_OF_THE_DAY"])  # as for a class: drawn, and tried by nobody
each_seed = pytest.mark.parametrize("seed", [0, pytest.param(OF_THE_DAY, marks=pytest.mark.leg("night"))])

SEEDS = (1, 2, 3, 5, 8, 13, 21, 34)
MANY = range(1, 51)
SAME_FOR_ALL = [id for id in EXERCISES_BY_ID if catalogue.same_for_all(id)]
HUNTS = [ex.id for ex in EXERCISES_BY_ID.values() if ex.file == "hunts.py"]


def find(id, name):
    ex = EXERCISES_BY_ID[id]
    return ex, next(m for m in catalogue.misconceptions_of(ex) if m.name == name)


def answers(ex, misconception, seed):
    """Of one copy. Those of the exercise's other ideas too, which judging compares them with: a question at a time."""
    for each in catalogue.misconceptions_of(ex):
        all_misconceived(ex, each, seed)
    return all_misconceived(ex, misconception, seed)


def questions(ex, given, seed):
    expected = reference_answers([ex], seed)[ex.id]
    return [Question(p, given[p.name], expected[p.name]) for p in ex.probes]


def explained(ex, given, seed):
    asked = questions(ex, given, seed)
    return judge(ex, asked, "changed", matching_misconception(ex, asked, seed))


def test_the_reference_passes_every_exercise():
    verdicts = check(list(EXERCISES_BY_ID.values()), Request(REFERENCE))
    assert [v.id for v in verdicts if v.status != "passed"] == []
    assert all(v.earned == v.points for v in verdicts)


@pytest.mark.parametrize("seed", [1_836_311_903, pytest.param(OF_THE_DAY, marks=pytest.mark.leg("night"))])
def test_the_reference_passes_with_other_inputs(seed):
    verdicts = check(list(EXERCISES_BY_ID.values()), Request(REFERENCE, seed=seed))
    assert [v.message for v in verdicts if v.status != "passed"] == []


@each_seed
@pytest.mark.parametrize("id", EXERCISES_BY_ID)
def test_the_reference_answers_every_question(id, seed):
    """Where it stops, whoever stops in the same way would be right.

    What a question wants to stop, it catches itself.
    """
    expected = reference_answers([EXERCISES_BY_ID[id]], seed)[id]
    assert [name for name, outcome in expected.items() if not hasattr(outcome, "answers")] == []


@each_seed
@pytest.mark.parametrize("id", EXERCISES_BY_ID)
def test_a_question_is_told_in_plain_values(id, seed):
    """What is in too many layers for a pipe would be shown as the grader's own objects."""
    expected = reference_answers([EXERCISES_BY_ID[id]], seed)[id]
    for p in EXERCISES_BY_ID[id].probes:
        got = through_the_wire({"outcome": expected[p.name]})["outcome"]
        assert not re.search(r"(Other|Form)\(", called(Question(p, got, got)))


def test_a_fresh_stub_has_not_started_anything(tmp_path):
    stubs.write(tmp_path)
    verdicts = check(list(EXERCISES_BY_ID.values()), Request(tmp_path))
    assert {v.id: v.status for v in verdicts} == dict.fromkeys(EXERCISES_BY_ID, "not_started")
    assert sum(v.earned for v in verdicts) == 0


@each_seed
@pytest.mark.parametrize("id", EXERCISES_BY_ID)
def test_every_misconception_fails_its_exercise_and_is_named(id, seed):
    """And one of them passes a question: where every question falls with any mistake, they say little about it."""
    ex, other, right = EXERCISES_BY_ID[id], {}, 0
    for misconception in catalogue.misconceptions_of(ex):
        verdict = explained(ex, answers(ex, misconception, seed), seed)
        right = max(right, verdict.right)
        is_named = verdict.misconception == misconception.name and misconception.words in verdict.message
        if not is_named or verdict.status not in ("failed", "error"):
            other[misconception.name] = verdict.status, verdict.misconception, verdict.message
    assert other == {}
    assert right > 0 or len(ex.probes) == 1 or not catalogue.misconceptions_of(ex)


@each_seed
@pytest.mark.parametrize("id", EXERCISES_BY_ID)
def test_two_misconceptions_of_one_exercise_are_never_confused(id, seed):
    ex = EXERCISES_BY_ID[id]
    given = {m.name: answers(ex, m, seed) for m in catalogue.misconceptions_of(ex)}
    for (one, a), (other, b) in itertools.combinations(given.items(), 2):
        assert not all(alike(a[p.name], b[p.name]) for p in ex.probes), f"{one} = {other}"


OTHER_ANSWERS = [(ex.id, other.name) for ex in EXERCISES_BY_ID.values() for other in catalogue.other_answers_of(ex)]


@pytest.mark.leg("push")
@each_seed
@pytest.mark.parametrize(("id", "name"), OTHER_ANSWERS)
def test_a_right_solution_in_another_style_passes(id, name, seed):
    ex = EXERCISES_BY_ID[id]
    [other] = [other for other in catalogue.other_answers_of(ex) if other.name == name]
    with reference_with(other) as package:
        verdict = explained(ex, answers_of(package, ex, ex.probes, seed), seed)
    assert verdict.status == "passed", verdict.message


@pytest.mark.parametrize("id", EXERCISES_BY_ID)
def test_an_exercise_is_complete_data(id):
    ex = EXERCISES_BY_ID[id]
    assert len(ex.hints) == 3 and all(len(h) > 20 for h in ex.hints)
    assert ex.points >= 1 and 1 <= ex.difficulty <= 4
    assert all(need in EXERCISES_BY_ID and _order(need) < _order(id) for need in ex.needs)
    assert len(ex.probes) == len({p.name for p in ex.probes}) >= 1


def _order(id):
    return tuple(map(int, id.split(".")))


def test_every_region_of_the_reference_belongs_to_an_exercise_of_that_file():
    folder = REFERENCE / "babygrad"
    for path in folder.rglob("*.py"):
        for region in regions.solution_regions(path.read_text()):
            assert EXERCISES_BY_ID[region.id].file == path.relative_to(folder).as_posix()


def test_every_exercise_has_a_region():
    folder = REFERENCE / "babygrad"
    for ex in EXERCISES_BY_ID.values():
        ids = {region.id for region in regions.solution_regions((folder / ex.file).read_text())}
        assert ex.id in ids


@pytest.mark.parametrize(("notebooks", "least"), [(range(5), 45), (range(5, 10), 110)], ids=["00-04", "05-09"])
def test_there_are_many_different_wrong_ideas(notebooks, least):
    ideas = [idea for idea in MISCONCEPTIONS if _order(idea[0])[0] in notebooks]
    assert len(set(ideas)) == len(ideas) >= least


# What is drawn


def all_known(id, seed):
    """Would the right answers to other inputs pass here?"""
    return len(known_beforehand(id, seed)) == len(EXERCISES_BY_ID[id].probes)


@pytest.mark.leg("push")
@pytest.mark.parametrize("seeds", [SEEDS[:2], pytest.param(SEEDS[2:], marks=pytest.mark.leg("night"))], ids=str)
@pytest.mark.parametrize("id", EXERCISES_BY_ID)
def test_an_answer_learnt_by_heart_is_wrong_unless_it_is_said_why(id, seeds):
    times = sum(all_known(id, seed) for seed in seeds)
    assert times == (len(seeds) if id in SAME_FOR_ALL else 0)


# Where a right answer is one of few things, so that another draw could have it by chance
OF_FEW = {"0.2", "2.2", "4.1", "5.1", *HUNTS}.difference(SAME_FOR_ALL)


@pytest.mark.leg("night")
@pytest.mark.parametrize("id", sorted(OF_FEW))
def test_an_answer_learnt_by_heart_is_seldom_right_by_chance(id):
    assert sum(all_known(id, seed) for seed in range(1, 2001)) <= 4


def test_what_is_the_same_for_all_is_a_short_list():
    assert SAME_FOR_ALL == ["1.5", "2.10", "3.5", "5.7", "9.7", "13.1", "13.4", "15.8", "16.10", "17.7"]


def test_the_reasons_are_about_exercises_that_there_are():
    for number in catalogue.numbers():
        module = folders.load(number, "key_ideas")
        assert set(getattr(module, "SAME_FOR_ALL", {})) <= {ex.id for ex in catalogue.exercises_of(number)}


@pytest.mark.leg("night")
@pytest.mark.parametrize("id", HUNTS)
def test_the_reference_passes_a_hunt_with_any_draw(id):
    ex = EXERCISES_BY_ID[id]
    for seed in MANY:
        verdict = explained(ex, reference_answers([ex], seed)[id], seed)
        assert verdict.status == "passed", (seed, verdict.message)
    assert id in SAME_FOR_ALL or not any(all_known(id, seed) for seed in MANY)


@pytest.mark.leg("night")
@pytest.mark.parametrize(("id", "name"), [(id, name) for id, name in MISCONCEPTIONS if id in HUNTS])
def test_a_misconception_of_a_hunt_is_named_with_any_draw(id, name):
    ex, misconception = find(id, name)
    for seed in MANY:
        verdict = explained(ex, answers(ex, misconception, seed), seed)
        assert (verdict.status in ("failed", "error"), verdict.misconception) == (True, name), seed

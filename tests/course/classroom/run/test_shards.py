"""A class graded in parts that know nothing of each other, and joined."""

import contextlib
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1]))
import classroom_fakes as fakes
from classroom_fakes import refused

from grader.classroom.run import state
from grader.classroom.run.lock import locked
from grader.classroom.run.shards import Shard
from grader.course.usage import UsageError


@pytest.fixture(autouse=True)
def faked(monkeypatch):
    fakes.use(monkeypatch)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


@pytest.fixture(scope="module")
def three_shards(tmp_path_factory):
    """A class of twelve that is graded in three parts, none joined yet. Read only: see sharded."""
    folder = tmp_path_factory.mktemp("shards")
    with pytest.MonkeyPatch.context() as patch:
        fakes.use(patch)
        course = fakes.class_of(folder / "submissions", 12)
        for number in (1, 2, 3):
            assert fakes.graded(course, folder / "out", shard=f"{number}/3")[0] == 0
        fakes.graded(course, folder / "whole")
    return folder


@pytest.fixture
def sharded(three_shards, tmp_path):
    """A copy of the three shards: (submissions, out, what a run over the whole class gives)."""
    shutil.copytree(three_shards, tmp_path, dirs_exist_ok=True)
    return tmp_path / "submissions", tmp_path / "out", fakes.outputs(tmp_path / "whole")


def merged(submissions, out):
    return fakes.graded(submissions, out, merge=True, seed=None)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_every_student_is_in_one_shard(count):
    for student in ["ada", "Zoë", "=1", *map(str, range(50))]:
        assert sum(Shard(number, count).holds(student) for number in range(1, count + 1)) == 1


def test_shards_are_of_about_equal_size():
    sizes = [sum(Shard(number, 4).holds(f"s{n}") for n in range(400)) for number in (1, 2, 3, 4)]
    assert min(sizes) > 70


@pytest.mark.parametrize("text", ["", "1", "0/3", "4/3", "1/0", "-1/3", "a/b", "1/3/5", "1.0/3", " 1/3"])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(UsageError, match="a part and the number of parts"):
        Shard.read(text)


@pytest.mark.leg("push")
def test_merged_shards_are_equal_to_one_run_byte_for_byte(sharded):
    submissions, out, whole = sharded
    code, said = merged(submissions, out)
    assert code == 0 and any("12 hand-ins" in line for line in said)
    assert fakes.outputs(out) == whole


def test_a_shard_writes_no_tables_and_says_what_comes_next(tmp_path, out):
    submissions = fakes.class_of(tmp_path / "submissions", 3)
    _, said = fakes.graded(submissions, out, shard="1/2")
    assert said[-1] == "Part 1/2 is graded. When all parts are, use --merge instead of --shard 1/2."
    assert fakes.outputs(out) == {}


def test_shards_may_come_from_folders_of_other_machines(sharded, tmp_path):
    submissions, out, whole = sharded
    for number in (1, 2, 3):
        folder = tmp_path / "gathered" / f"artifact-{number}"
        folder.mkdir(parents=True)
        for file in out.glob(f"*.{number}-of-3*"):
            file.rename(folder / file.name)
    assert merged(submissions, tmp_path / "gathered")[0] == 0
    assert fakes.outputs(tmp_path / "gathered") == whole


def test_a_missing_shard_is_named_and_the_others_are_written(sharded):
    submissions, out, _ = sharded
    (out / "journal.2-of-3.jsonl").unlink()
    code, said = merged(submissions, out)
    assert code == 2 and "Shard 2 of 3 is missing." in said
    assert any("of 12 submissions have no grade yet" in line for line in said)
    assert "handed in but not graded yet" in (out / "index.html").read_text()


@pytest.mark.leg("push")
def test_a_shard_that_was_stopped_is_noticed_goes_on_and_is_merged_again(sharded):
    submissions, out, whole = sharded
    journal = out / "journal.3-of-3.jsonl"
    journal.write_text(journal.read_text()[:-9])
    assert merged(submissions, out)[0] == 2
    assert fakes.graded(submissions, out, shard="3/3", resume=True, seed=None)[0] == 0
    assert merged(submissions, out)[0] == 0
    assert fakes.outputs(out) == whole


@pytest.mark.leg("night")
def test_of_two_shards_with_one_student_the_later_begun_counts_once(sharded, tmp_path):
    submissions, out, _ = sharded
    student = next(f"s{n:02}" for n in range(12) if Shard(1, 3).holds(f"s{n:02}"))
    fakes.hand_in(submissions, student, "handed in once more")
    again = tmp_path / "again"
    fakes.graded(submissions, again, shard="1/3")
    shutil.copytree(again, out / "again")
    assert merged(submissions, out)[0] == 0
    fakes.graded(submissions, tmp_path / "fresh")
    assert fakes.outputs(out) == fakes.outputs(tmp_path / "fresh")


@pytest.mark.leg("night")
def test_what_is_merged_can_be_gone_on_with(sharded, tmp_path):
    submissions, out, _ = sharded
    merged(submissions, out)
    fakes.hand_in(submissions, "s99", "a late one")
    _, said = fakes.graded(submissions, out, resume=True, seed=None)
    assert "Submissions: 1 new, 12 as they were." in said
    fakes.graded(submissions, tmp_path / "fresh")
    assert fakes.outputs(out) == fakes.outputs(tmp_path / "fresh")


@pytest.mark.leg("night")
def test_merging_again_keeps_what_was_graded_after_the_first_merge(sharded, tmp_path):
    submissions, out, _ = sharded
    merged(submissions, out)
    fakes.hand_in(submissions, "s99", "a late one")
    fakes.hand_in(submissions, "s00", "handed in once more")
    fakes.graded(submissions, out, resume=True, seed=None)
    before = fakes.outputs(out)
    assert merged(submissions, out)[0] == 0
    assert fakes.outputs(out) == before


@pytest.mark.leg("night")
@pytest.mark.parametrize(
    ("decided", "words"),
    [
        ({"given": ["2.1"]}, "the choice of exercises"),
        ({"points": {"2.1": 50}}, "the points"),
        ({"due": {"": "2020-01-01T00:00+00:00"}}, "the dates"),
    ],
)
def test_shards_do_not_replace_what_was_graded_after_the_merge_with_another_course(sharded, tmp_path, decided, words):
    submissions, out, _ = sharded
    merged(submissions, out)
    (tmp_path / "course.json").write_text(json.dumps({**fakes.COURSE, **decided}))
    fakes.graded(submissions, out, resume=True, seed=None)
    before = fakes.outputs(out)
    refused(submissions, out, f"journal.jsonl were not graded in the same way: they differ in {words}", merge=True)
    assert fakes.outputs(out) == before


def changed_state(out, name, **fields):
    file = out / f"state.{name}.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **fields}))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (dict(seed=8), "different seeds, 7 and 8"),
        (dict(digests={"grader": "x"}), "were not graded in the same way: they differ in the grader"),
    ],
)
def test_shards_that_do_not_fit_together_are_refused(sharded, fields, words):
    submissions, out, _ = sharded
    changed_state(out, "2-of-3", **fields)
    refused(submissions, out, words, merge=True)


def test_shards_of_different_divisions_are_refused(sharded):
    submissions, out, _ = sharded
    for kind in ("state.{}.json", "journal.{}.jsonl"):
        shutil.copy(out / kind.format("1-of-3"), out / kind.format("1-of-4"))
    changed_state(out, "1-of-4", shard="1-of-4")
    refused(submissions, out, "do not belong together: some are parts of 3 and 4", merge=True)


def test_a_shard_without_a_seed_is_refused_with_an_example(tmp_path, out):
    submissions = fakes.class_of(tmp_path / "submissions", 1)
    refused(submissions, out, r"each the same seed, for example --seed \d+", shard="1/2", seed=None)


def test_a_folder_with_shards_is_not_graded_as_a_whole(sharded):
    submissions, out, _ = sharded
    refused(submissions, out, "holds shards: --merge joins them")
    refused(submissions, out, "holds shards: --merge joins them", resume=True)


def test_two_shards_can_be_graded_at_once_and_a_merge_meanwhile_is_refused(tmp_path, out):
    out.mkdir()
    with locked(out, "1-of-2"), locked(out, "2-of-2"):
        with pytest.raises(UsageError, match="Another grader"), locked(out):
            pass
        with pytest.raises(UsageError, match="Another grader"), locked(out, "2-of-2"):
            pass
    with locked(out):
        pass


def test_a_shard_that_is_refused_leaves_the_lock_to_those_at_work(out):
    out.mkdir()
    first = contextlib.ExitStack()
    first.enter_context(locked(out, "1-of-2"))
    with locked(out, "2-of-2"):
        with pytest.raises(UsageError, match="no roster"), first:
            raise UsageError("no roster")
        assert sorted(os.listdir(out)) == ["lock", "lock.2-of-2"]


def test_the_digests_of_shards_are_those_of_the_course(sharded):
    _, out, _ = sharded
    digests = {state.State.read(file).digest for file in out.glob("state.*-of-3.json")}
    assert len(digests) == 1


@pytest.mark.parametrize("named", [{"roster": True}, {"pattern": "s(?P<student>.*)"}], ids=["a roster", "a pattern"])
@pytest.mark.leg("push")
def test_what_named_the_students_of_the_parts_may_not_be_left_out_of_the_merge(tmp_path, named):
    submissions, out = fakes.class_of(tmp_path / "submissions", 2), tmp_path / "out"
    if "roster" in named:
        named = {"roster": tmp_path / "roster.csv"}
        named["roster"].write_text("id,name,email\n1001,Ada Lovelace,s01\n")
    fakes.graded(submissions, out, shard="1/1", **named)
    refused(submissions, out, "have their names from a", merge=True, seed=None)
    assert fakes.graded(submissions, out, merge=True, seed=None, **named)[0] == 0

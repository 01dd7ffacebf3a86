"""Fill and reset: nothing of the learner's is ever lost."""

import pytest

from grader.checking.check import Request, check
from grader.course import catalogue, paths, regions, stubs
from grader.course.usage import UsageError
from grader.learner import backups, fill, memory, reset
from grader.notebook import answers

ANSWER = '        return Value(self.data * other.data, (self, other), "*", (other.data, self.data))  # mine\n'
STUB = '        raise NotImplementedError("exercise 2.1: Value.__mul__")\n'


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A learner's folder with fresh stubs; backups go there too."""
    for module in (backups, memory):
        monkeypatch.setattr(module, "MEMORY", tmp_path / ".babygrad")
    monkeypatch.setattr(backups, "ROOT", tmp_path)
    stubs.write(tmp_path)
    return tmp_path


def value_file(home):
    return home / "babygrad" / "value.py"


def kept(home):
    return sorted((home / ".babygrad" / "backups").rglob("*.py"))


def write_answer(home):
    path = value_file(home)
    path.write_text(path.read_text().replace(STUB, ANSWER))


def statuses(home, *words):
    return {v.id: v.status for v in check(catalogue.select(words), Request(home))}


def test_fill_passes_as_given_and_keeps_a_backup(home):
    before = value_file(home).read_text()
    lines = fill.fill(["2.1"], home)
    assert statuses(home, "2.1") == {"2.1": "given"}
    assert [path.read_text() for path in kept(home)] == [before]
    assert ".babygrad/backups/" in lines[-1]


def test_fill_leaves_an_answer_that_passes_alone(home):
    write_answer(home)
    fill.fill(["2.1", "2.3"], home)
    assert ANSWER in value_file(home).read_text()
    assert statuses(home, "2.1", "2.3") == {"2.1": "passed", "2.3": "given"}


def test_fill_replaces_an_answer_that_is_wrong(home):
    value_file(home).write_text(value_file(home).read_text().replace(STUB, "        return 7\n"))
    fill.fill(["2.1"], home)
    assert statuses(home, "2.1") == {"2.1": "given"}
    assert "return 7" in kept(home)[0].read_text()


def test_fill_says_when_there_is_nothing_to_do(home):
    write_answer(home)
    assert fill.fill(["2.1"], home) == ["Nothing to fill in: these exercises already pass."]
    assert kept(home) == []


def test_fill_mends_a_syntax_error_inside_a_region(home):
    value_file(home).write_text(value_file(home).read_text().replace(STUB, "        return ((\n"))
    fill.fill(["2.1"], home)
    assert statuses(home, "2.1") == {"2.1": "given"}


def test_reset_puts_the_stub_back_and_keeps_a_backup(home):
    write_answer(home)
    reset.reset(["2.1"], home)
    assert value_file(home).read_text() == stubs.generated()["value.py"]
    assert ANSWER in kept(home)[0].read_text()


@pytest.mark.parametrize("words", [["2.1"], ["02"], ["value.py"]])
def test_reset_of_what_was_not_touched_keeps_no_backup(home, words):
    before = value_file(home).stat()
    assert all(reset.reset(words, home)) and kept(home) == []
    after = value_file(home).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_reset_leaves_the_neighbours_alone(home):
    write_answer(home)
    reset.reset(["2.3"], home)
    assert ANSWER in value_file(home).read_text()


@pytest.mark.parametrize("words", [["2.1"], ["02"], ["value.py"]])
def test_reset_leaves_predictions_and_notes_alone(home, words):
    answers.keep("Prediction", "2.A1", "6", "02", home)
    before = (home / "answers" / "02.md").read_bytes()
    reset.reset(words, home)
    assert (home / "answers" / "02.md").read_bytes() == before


def test_reset_of_a_whole_file_brings_a_deleted_one_back(home):
    value_file(home).unlink()
    reset.reset(["value.py"], home)
    assert value_file(home).read_text() == stubs.generated()["value.py"]


@pytest.mark.parametrize("comment", ["        # exercise 2.1\n", "        # end of exercise 2.1\n"])
def test_a_lost_comment_is_named_and_nothing_is_written(home, comment):
    broken = value_file(home).read_text().replace(comment, "", 1)
    value_file(home).write_text(broken)
    with pytest.raises(UsageError, match=r"value\.py"):
        reset.reset(["2.1"], home)
    assert value_file(home).read_text() == broken and kept(home) == []


def test_of_several_lost_comments_the_first_in_the_course_is_named(home):
    path = home / "babygrad" / "hunts.py"
    text = path.read_text()
    for id in ("2.2", "2.10"):
        text = text.replace(f"    # exercise {id}\n", "").replace(f"    # end of exercise {id}\n", "")
    path.write_text(text)
    with pytest.raises(UsageError, match=r"# exercise 2\.2'"):
        reset.reset(["2.2", "2.10"], home)


def test_two_backups_in_one_second_are_two(home):
    for _ in range(3):
        write_answer(home)
        reset.reset(["2.1"], home)
    assert len(kept(home)) == 3


def test_every_stub_region_is_found_again(home):
    for name, text in stubs.generated().items():
        source = (paths.REFERENCE / "babygrad" / name).read_text()
        want = [region.key for region in regions.solution_regions(source)]
        found = regions.stub_regions(text)
        assert [region.key for region in found] == want and all(region.is_stub for region in found)

"""Fill, reset and update: nothing of the learner's is ever lost."""

import shutil
import zipfile

import pytest

from grader.checking.check import Request, check
from grader.course import catalogue, paths, regions, stubs
from grader.course.usage import UsageError
from grader.learner import backups, fill, memory, reset, update

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
    fill.fill(["2.1", "2.2"], home)
    assert ANSWER in value_file(home).read_text()
    assert statuses(home, "2.1", "2.2") == {"2.1": "passed", "2.2": "given"}


def test_fill_replaces_an_answer_that_is_wrong(home):
    value_file(home).write_text(value_file(home).read_text().replace(STUB, "        return 7\n"))
    fill.fill(["2.1"], home)
    assert statuses(home, "2.1") == {"2.1": "given"}
    assert "return 7" in kept(home)[0].read_text()


def test_fill_says_when_there_is_nothing_to_do(home):
    write_answer(home)
    assert fill.fill(["2.1"], home) == ["Nothing to fill in: these exercises pass already."]
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


def test_reset_leaves_the_neighbours_alone(home):
    write_answer(home)
    reset.reset(["2.2"], home)
    assert ANSWER in value_file(home).read_text()


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
    for id in ("2.9", "2.10"):
        text = text.replace(f"    # exercise {id}\n", "").replace(f"    # end of exercise {id}\n", "")
    path.write_text(text)
    with pytest.raises(UsageError, match=r"# exercise 2\.9'"):
        reset.reset(["2.9", "2.10"], home)


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


# Update


@pytest.fixture
def newer(tmp_path_factory):
    """A newer course: given code of value.py changed, a file and an exercise more."""
    folder = tmp_path_factory.mktemp("newer")
    for name in ("grader", "tests", "solutions", "notebooks"):
        if (paths.ROOT / name).is_dir():
            shutil.copytree(paths.ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.ipynb"))
    reference = folder / "solutions" / "babygrad"
    text = (reference / "value.py").read_text()
    (reference / "value.py").write_text(text.replace("def as_number(x):", "NEW_GIVEN_LINE = 1\n\n\ndef as_number(x):"))
    answer = "    ### BEGIN SOLUTION 9.1: extra\n    return 1\n    ### END SOLUTION\n"
    (reference / "extra.py").write_text("def extra():\n" + answer)
    for name, stub in stubs.generated(folder / "solutions").items():
        path = folder / "babygrad" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(stub)
    return folder


@pytest.fixture
def root(home):
    """The learner's course: the folder that is brought up to date."""
    shutil.copytree(paths.REFERENCE / "babygrad", home / "solutions" / "babygrad")
    (home / "grader" / "checking").mkdir(parents=True, exist_ok=True)
    shutil.copy(paths.ROOT / "grader" / "checking" / "reference.py", home / "grader" / "checking")
    return home


def test_update_brings_given_code_and_new_stubs_and_keeps_answers(root, newer):
    write_answer(root)
    lines = update.update(newer, root)
    text = value_file(root).read_text()
    assert ANSWER in text and "NEW_GIVEN_LINE" in text
    assert "exercise 9.1" in (root / "babygrad" / "extra.py").read_text()
    assert any("1 filled-in place" in line for line in lines)
    assert any(ANSWER in path.read_text() for path in kept(root))


def test_update_keeps_an_answer_that_was_given_marked_so(root, newer):
    fill.fill(["2.1"], root)
    update.update(newer, root)
    assert "# exercise 2.1 (given)" in value_file(root).read_text()


def test_update_leaves_a_file_alone_whose_given_code_did_not_change(root, newer):
    path = root / "babygrad" / "derivatives.py"
    path.write_text("# a note of mine\n" + path.read_text())
    update.update(newer, root)
    assert path.read_text().startswith("# a note of mine\n")


def test_update_says_which_lines_of_the_learners_were_not_carried_over(root, newer):
    value_file(root).write_text("import cmath  # mine\n" + value_file(root).read_text())
    assert any("import cmath  # mine" in line for line in update.update(newer, root))
    assert any("import cmath" in path.read_text() for path in kept(root))


def test_update_keeps_a_notebook_that_was_written_in(root, newer):
    for folder, text in ((root, "mine"), (newer, "newer")):
        (folder / "notebooks").mkdir(exist_ok=True)
        (folder / "notebooks" / "00_start_here.ipynb").write_text(text)
    update.update(newer, root)
    assert (root / "notebooks" / "00_start_here.ipynb").read_text() == "newer"
    copies = (root / ".babygrad" / "backups").rglob("*.ipynb")
    assert [path.read_text() for path in copies] == ["mine"]


def test_update_reads_a_zip_with_one_folder_inside(root, newer, tmp_path_factory):
    write_answer(root)
    archive = tmp_path_factory.mktemp("zip") / "course.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for path in newer.rglob("*"):
            zipped.write(path, f"babygrad-main/{path.relative_to(newer)}")
    update.update(archive, root)
    assert ANSWER in value_file(root).read_text() and "NEW_GIVEN_LINE" in value_file(root).read_text()


def test_update_from_something_else_says_so_and_changes_nothing(root, tmp_path_factory):
    before = value_file(root).read_text()
    text = tmp_path_factory.mktemp("odd") / "notes.txt"
    text.write_text("no course")
    for source in (text, text.parent, root, text.parent / "missing"):
        with pytest.raises(UsageError):
            update.update(source, root)
    assert value_file(root).read_text() == before


def test_update_leaves_a_file_with_lost_comments_as_it_is_and_says_so(root, newer):
    broken = value_file(root).read_text().replace("        # end of exercise 2.1\n", "", 1)
    value_file(root).write_text(broken)
    assert any("value.py was left as it is" in line for line in update.update(newer, root))
    assert value_file(root).read_text() == broken

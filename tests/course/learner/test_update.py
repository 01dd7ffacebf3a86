"""Update: a newer course around the learner's answers; what it does not have any more is removed, nothing is lost."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from functools import partial

import pytest

from grader.course import catalogue, paths, stubs
from grader.course.regions import replaced, solution_regions, stub_regions, wrapped
from grader.course.usage import UsageError
from grader.edition import release
from grader.learner import backups, fill, memory, merging, pristine, update
from grader.quiz import log

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


def files_in(root):
    """{path: bytes} of everything but the backups."""
    found = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith(".babygrad/backups")}


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


def new_folder(course, name):
    """The course has one more folder of its own, and a file in it."""
    listing = course / "grader" / "course" / "paths.py"
    listing.write_text(listing.read_text().replace("COURSE_FOLDERS = (", f'COURSE_FOLDERS = ("{name}", '))
    write_all(course, {f"{name}/tool.py": "TOOL = 1\n"})


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


@pytest.mark.leg("push")
def test_which_folders_are_brought_is_for_the_newer_course_to_say(root, newer):
    new_folder(newer, "workshop")
    update.update(newer, root)
    assert (root / "workshop" / "tool.py").read_text() == "TOOL = 1\n"


@pytest.mark.leg("push")
def test_update_keeps_an_answer_that_was_given_marked_so(root, newer):
    fill.fill(["2.1"], root)
    update.update(newer, root)
    assert "# exercise 2.1 (given)" in value_file(root).read_text()


@pytest.mark.leg("push")
def test_update_leaves_a_file_alone_whose_given_code_did_not_change(root, newer):
    path = root / "babygrad" / "derivatives.py"
    path.write_text("# a note of mine\n" + path.read_text())
    update.update(newer, root)
    assert path.read_text().startswith("# a note of mine\n")


@pytest.mark.leg("push")
def test_update_says_which_lines_of_the_learners_were_not_carried_over(root, newer):
    value_file(root).write_text("import cmath  # mine\n" + value_file(root).read_text())
    assert any("import cmath  # mine" in line for line in update.update(newer, root))
    assert any("import cmath" in path.read_text() for path in kept(root))


@pytest.mark.leg("push")
def test_update_leaves_the_quiz_as_it_was_answered(root, newer):
    path = root / ".babygrad" / log.FILE
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(kept := b'{"at": "2026-09-01T18:00:00Z", "question": "3.Q1", "right": true}\n{"at": "20')
    (newer / ".babygrad").mkdir()
    (newer / ".babygrad" / log.FILE).write_text("of whoever made it")
    update.update(newer, root)
    assert path.read_bytes() == kept


def test_the_zip_of_the_try_page_is_brought_in_and_its_quiz_joined(root, tmp_path_factory):
    ours, theirs = (f'{{"at": "2026-09-0{n}T18:00:00Z", "question": "3.Q{n}", "right": true}}' for n in (1, 2))
    write_answer(root)
    (root / ".babygrad").mkdir(exist_ok=True)
    (root / ".babygrad" / log.FILE).write_text(f'{ours}\n{{"at": "20')
    packed = tmp_path_factory.mktemp("page") / "babygrad.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("babygrad/value.py", "theirs")
        archive.writestr("answers/03.md", "162")
        archive.writestr(f".babygrad/{log.FILE}", f"{ours}\n{theirs}\n")
    said = update.update(packed, root)
    assert said[:2] == ["Your files are here: 3 files new or changed.", "The quiz has the lines of both."]
    assert log.read(root / ".babygrad").events == log.parsed(f"{ours}\n{theirs}\n").events
    assert (value_file(root).read_text(), (root / "answers" / "03.md").read_text()) == ("theirs", "162")
    assert [ANSWER in path.read_text() for path in kept(root)] == [True]


def test_update_keeps_a_notebook_that_was_written_in(root, newer):
    for folder, text in ((root, "mine"), (newer, "newer")):
        (folder / "notebooks").mkdir(exist_ok=True)
        (folder / "notebooks" / "00_start_here.ipynb").write_text(text)
    update.update(newer, root)
    assert (root / "notebooks" / "00_start_here.ipynb").read_text() == "newer"
    copies = (root / ".babygrad" / "backups").rglob("*.ipynb")
    assert [path.read_text() for path in copies] == ["mine"]


PREDICTIONS = {
    "answers/03.md": "# mine\n\n## Prediction 3.C1\n\n162\n",
    "answers/.lock": "",
    "answers/diary.md": "mine",
}
OF_A_TEACHER = {"answers/03.md": "# a teacher's\n", "answers/04.md": "# a teacher's\n"}


def test_update_leaves_predictions_and_notes_alone(root, newer):
    write_all(root, PREDICTIONS)
    write_all(newer, OF_A_TEACHER)
    update.update(newer, root)
    assert answers_in(root) == PREDICTIONS and in_backup(root).keys().isdisjoint(PREDICTIONS)


def answers_in(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in (folder / "answers").iterdir()}


@pytest.mark.leg("push")
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


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        (lambda text: text.replace(b"        # end of exercise 2.1\n", b"", 1), "the exercise opened in line"),
        (lambda text: text.replace(b"# mine", b"# m\xefn"), "not saved as UTF-8 text"),
    ],
    ids=["a comment lost", "another encoding"],
)
@pytest.mark.leg("push")
def test_update_changes_nothing_while_answers_cannot_be_found_and_goes_on_when_they_can(root, newer, spoilt, said):
    write_answer(root)
    good = value_file(root).read_bytes()
    value_file(root).write_bytes(broken := spoilt(good))
    before = files_in(root)
    with pytest.raises(UsageError, match=f"babygrad/value.py.*{said}.*reset value.py Then run update again: nothing"):
        update.update(newer, root)
    assert files_in(root) == before and before["babygrad/value.py"] == broken
    value_file(root).write_bytes(good)
    update.update(newer, root)
    assert ANSWER in value_file(root).read_text() and "NEW_GIVEN_LINE" in value_file(root).read_text()


@pytest.mark.leg("push")
def test_an_answer_whose_place_has_become_two_is_in_the_backup(root, newer):
    write_answer(root)
    reference = newer / "solutions" / "babygrad" / "value.py"
    again = "    ### BEGIN SOLUTION 2.1: another\n    pass\n    ### END SOLUTION\n"
    text = reference.read_text().replace("SOLUTION 2.1: Value.__mul__", "SOLUTION 2.1: the first half")
    reference.write_text(text + "\n\ndef another():\n" + again)
    said = told("\n".join(update.update(newer, root)))
    assert "your answer is in the backup" in said["2.1 the first half"]
    assert ANSWER not in value_file(root).read_text() and any(ANSWER in path.read_text() for path in kept(root))


@pytest.mark.leg("push")
def test_a_notebook_of_ones_own_that_imports_what_left_babygrad_is_named(root, newer):
    write_all(root, {"notebooks/mine.ipynb": "from babygrad.viz import draw_graph\nimport babygrad.value\n"})
    lines = [line for line in update.update(newer, root) if "mine.ipynb" in line]
    assert lines == [
        "notebooks/mine.ipynb imports babygrad.viz: not there any more. Look in toolbox/, where drawings and data are."
    ]


# ---- what the newer course does not have any more ----

OWN = {
    "notes.txt": "mine",
    "babygrad/helper.py": "# mine",
    "notebooks/scratch.ipynb": "mine",
    "notebooks/02_scalar_value-Copy1.ipynb": "mine",
    "data/points.csv": "mine",
}


def without_exercise(text, id):
    """A file without the regions of an exercise."""
    lines = text.splitlines(keepends=True)
    for region in reversed([region for region in stub_regions(text) if region.id == id]):
        lines[region.start : region.end] = [region.indent + "pass\n"]
    return "".join(lines)


def write_all(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def names_in(root):
    return {name for name in files_in(root) if "__pycache__" not in name and not name.startswith(".babygrad/")}


def in_backup(root):
    """{path: text} of the newest backup."""
    folders = sorted((root / ".babygrad" / "backups").glob("*"))
    return {path.relative_to(folders[-1]).as_posix(): path.read_text() for path in folders[-1].rglob("*.*")}


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """A student edition of three notebooks."""
    folder = tmp_path_factory.mktemp("edition") / "out"
    release.release(folder, "0-2")
    return folder


@pytest.fixture
def changed(edition, tmp_path):
    """A newer one: value.py and a notebook are called otherwise, a room, an exercise and a text are gone."""
    folder = shutil.copytree(edition, tmp_path / "changed")
    texts = pristine.texts(folder)
    texts["scalar.py"] = without_exercise(texts.pop("value.py"), "2.9")
    pristine.keep(texts, folder)
    (folder / "babygrad" / "value.py").unlink()
    (folder / "babygrad" / "scalar.py").write_text(texts["scalar.py"])
    (folder / "notebooks" / "02_scalar_value.ipynb").rename(folder / "notebooks" / "02_values.ipynb")
    (folder / "docs" / "stuck.md").unlink()
    shutil.rmtree(folder / "grader" / "html")
    (folder / pristine.LIST).unlink()
    pristine.keep_others(folder)
    return folder


@pytest.fixture
def mine(edition, tmp_path):
    """A learner's copy of the edition, with answers to 2.1 and 2.9, a notebook written in, files of the learner's."""
    folder = shutil.copytree(edition, tmp_path / "mine")
    write_answer(folder)
    text = value_file(folder).read_text()
    (ninth, *_) = [region for region in stub_regions(text) if region.id == "2.9"]
    value_file(folder).write_text(text.replace("".join(ninth.body), f"{ninth.indent}return 8  # mine"))
    (folder / "notebooks" / "02_scalar_value.ipynb").write_text("written in")
    (folder / "docs" / "graph.svg").write_text("painted over")
    write_all(folder, {**OWN, "docs/mine.md": "mine", "tests/mine.py": "mine", "grader/html/mine.html": "mine"})
    write_all(folder, {"grader/html/templates/__pycache__/x.pyc": "left behind"})
    return folder


def updated(folder, source, code=0):
    """What the command in this folder says."""
    command = [sys.executable, "-m", "grader", "update", str(source)]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode == code, run.stderr
    return run.stdout


def told(said):
    """{id and title of an exercise: what the table says of it}"""
    rows = said.partition("What changed about the exercises:\n")[2].splitlines()
    cells = [re.split(r"\s{2,}", row.strip()) for row in rows if row.startswith("  ")]
    return {name: "; ".join(rest) for name, *rest in cells}


@pytest.mark.leg("night")
def test_what_a_newer_student_edition_does_not_have_is_removed_and_nothing_of_the_learners(mine, changed):
    own = {*OWN, "docs/mine.md", "tests/mine.py", "grader/html/mine.html"}
    before = files_in(mine)
    said = updated(mine, changed)
    after = files_in(mine)
    assert names_in(mine) == names_in(changed) | own
    assert {name: after[name] for name in own} == {name: before[name] for name in own}
    assert in_backup(mine).keys() == {"babygrad/value.py", "notebooks/02_scalar_value.ipynb", "docs/graph.svg"}
    assert in_backup(mine)["notebooks/02_scalar_value.ipynb"] == "written in"
    assert "notebooks/02_scalar_value.ipynb is no longer part of the course." in said
    assert "babygrad/value.py is no longer part of the course." in said
    assert "docs/stuck.md" not in said and ".babygrad/backups/" in said
    assert not (mine / "grader" / "html" / "templates").exists()


@pytest.mark.leg("night")
def test_a_notebook_that_is_handed_out_as_before_stays_as_the_learner_has_it(mine, edition, tmp_path):
    newer = shutil.copytree(edition, tmp_path / "newer")
    changed_one, same = "notebooks/00_start_here.ipynb", "notebooks/02_scalar_value.ipynb"
    write_all(newer, {changed_one: "newer"})
    (newer / pristine.LIST).unlink()
    pristine.keep_others(newer)
    write_all(mine, {changed_one: "written in, too"})
    updated(mine, newer)
    assert [(mine / path).read_text() for path in (changed_one, same)] == ["newer", "written in"]
    assert in_backup(mine)[changed_one] == "written in, too" and same not in in_backup(mine)
    (mine / same).unlink()
    updated(mine, newer)
    assert (mine / same).read_bytes() == (newer / same).read_bytes()


@pytest.mark.leg("push")
def test_update_of_a_student_edition_leaves_predictions_and_notes_alone(mine, changed):
    write_all(mine, PREDICTIONS)
    write_all(changed, OF_A_TEACHER)
    updated(mine, changed)
    assert answers_in(mine) == PREDICTIONS and in_backup(mine).keys().isdisjoint(PREDICTIONS)


def test_an_answer_goes_along_with_its_exercise_and_one_without_a_place_is_in_the_backup(mine, changed):
    said = updated(mine, changed)
    assert ANSWER in (mine / "babygrad" / "scalar.py").read_text()
    assert "babygrad/scalar.py is new, with your answers to 2.1." in said
    assert told(said)["2.9 Value.relu"] == "no longer an exercise; your answer is in the backup"
    assert told(said)["2.1 Value.__mul__"] == "in scalar.py, no longer in value.py; your answer is in its place"
    assert "return 8  # mine" in in_backup(mine)["babygrad/value.py"]
    assert "return 8" not in (mine / "babygrad" / "scalar.py").read_text()


@pytest.mark.leg("night")
def test_an_untouched_edition_is_the_newer_one_afterwards_and_needs_no_backup(edition, changed, tmp_path):
    fresh = shutil.copytree(edition, tmp_path / "fresh")
    said = updated(fresh, changed)
    assert {name: files_in(fresh)[name] for name in names_in(fresh)} == files_in(changed)
    assert not (fresh / ".babygrad" / "backups").exists() and "is no longer part" not in said
    assert told(said)["2.1 Value.__mul__"] == "in scalar.py, no longer in value.py"
    assert {name.split(".")[0] for name in told(said)} == {"2"}, "of notebooks that are not released nothing is told"
    assert updated(fresh, changed) == "The course is up to date.\n"


def test_an_update_that_was_broken_off_is_finished_by_the_next(mine, changed, monkeypatch):
    """The list of what was handed out is replaced last."""
    monkeypatch.setattr(backups, "MEMORY", mine / ".babygrad")
    with monkeypatch.context() as patch:
        patch.setattr(update._Place, "remove_others", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            update.update(changed, mine)
    assert (mine / "docs" / "stuck.md").exists()
    update.update(changed, mine)
    assert not (mine / "docs" / "stuck.md").exists() and ANSWER in (mine / "babygrad" / "scalar.py").read_text()
    assert json.loads((mine / pristine.LIST).read_text()) == json.loads((changed / pristine.LIST).read_text())


@pytest.mark.leg("push")
def test_what_a_teacher_put_into_an_edition_is_brought_and_stays(mine, changed):
    write_all(changed, {"docs/syllabus.md": "term", "notebooks/99_homework.ipynb": "{}"})
    updated(mine, changed)
    assert {"docs/syllabus.md", "notebooks/99_homework.ipynb"} <= names_in(mine)


@pytest.mark.leg("push")
def test_what_differs_in_capitals_alone_is_not_removed(mine, changed):
    """On many machines it is the same file."""
    (changed / "docs" / "graph.svg").rename(changed / "docs" / "Graph.svg")
    updated(mine, changed)
    assert {"docs/graph.svg", "docs/Graph.svg"} <= names_in(mine)


@pytest.mark.leg("push")
def test_from_full_to_full_everything_removed_is_in_the_backup(root, newer):
    """There is no list of it: whatever lies in the course's own folders is the course's."""
    shutil.copytree(paths.ROOT / "solutions" / "notebooks", root / "solutions" / "notebooks")
    write_all(root, OWN)
    write_all(root, {"notebooks/02_scalar_value.ipynb": "written in", "grader/old/room.py": "1", "docs/old.md": "2"})
    write_all(root, {"solutions/babygrad/old.py": "GIVEN = 3\n", "babygrad/old.py": "GIVEN = 3\n"})
    write_answer(root)
    write_all(newer, {"docs/new.md": "4"})
    source = newer / "solutions" / "notebooks" / "02_scalar_value.py"
    source.rename(source.with_name("02_values.py"))
    (newer / "notebooks" / "02_values.ipynb").write_text("{}")
    lines = update.update(newer, root)
    assert names_in(root) == names_in(newer) | OWN.keys()
    assert {name: (root / name).read_text() for name in OWN} == OWN
    removed = {"grader/old/room.py", "docs/old.md", "solutions/babygrad/old.py", "notebooks/02_scalar_value.ipynb"}
    assert removed <= in_backup(root).keys() and "babygrad/old.py" not in in_backup(root)
    assert "notebooks/02_scalar_value.ipynb is no longer part of the course." in lines
    assert ANSWER in value_file(root).read_text()


# ---- answers go by the ids of their exercises ----

BY_HAND = "hunts.py"  # of the exercise that moves


def next_term(reference):
    """The reference of a newer course: 2.2 in a file of its own, 2.9 given code, 2.10 no more, 2.99 new."""
    for name in (BY_HAND, "value.py"):
        lines = (reference / name).read_text().splitlines()
        for region in reversed(solution_regions("\n".join(lines))):
            if region.id == "2.2":
                moved = ["def by_hand():", *lines[region.start : region.end]]
            if region.id in ("2.2", "2.9", "2.10"):
                lines[region.start : region.end] = region.body
        (reference / name).write_text("\n".join(lines) + "\n")
    extra = ["def extra():", "    ### BEGIN SOLUTION 2.99: extra", "    return 1", "    ### END SOLUTION"]
    (reference / "elsewhere.py").write_text("\n".join([*moved, "", "", *extra]) + "\n")


@pytest.fixture(params=["full", "student"])
def two_terms(request, tmp_path):
    """(a learner's course, a newer one in which exercises have moved) of either edition."""
    mine, newer, reference = tmp_path / "mine", tmp_path / "newer", tmp_path / "reference"
    shutil.copytree(paths.REFERENCE / "babygrad", reference / "babygrad")
    next_term(reference / "babygrad")
    if request.param == "student":
        for folder in (mine, newer):
            shutil.copytree(request.getfixturevalue("edition"), folder)
        pristine.keep(stubs.generated(reference), newer)
    else:
        for folder, course in ((mine, paths.REFERENCE), (newer, reference)):
            shutil.copytree(course / "babygrad", folder / "solutions" / "babygrad")
            shutil.copytree(paths.ROOT / "grader", folder / "grader", ignore=shutil.ignore_patterns("__pycache__"))
            write_all(folder, stubs_in(course))
    write_all(newer, stubs_in(reference) | {"tests/exercises/retired.json": '{"2.10": "asked in 2.99 now"}'})
    if request.param == "student":
        pristine.keep_others(newer)
    return mine, newer


def stubs_in(course):
    return {f"babygrad/{name}": text for name, text in stubs.generated(course).items()}


def answer(folder, ids):
    """Write the reference's answers to these exercises into the package, as a learner would."""
    for name, text in stubs.generated().items():
        reference = (paths.REFERENCE / "babygrad" / name).read_text()
        bodies = {region.key: region.body for region in solution_regions(reference)}
        for region in reversed([region for region in stub_regions(text) if region.id in ids]):
            text = replaced(text, [region], partial(wrapped, body=bodies[region.key]))
        (folder / "babygrad" / name).write_text(text)


def bodies_in(folder):
    """{(exercise id, number): (its file, its body)} of a package, where it is filled in."""
    found = {}
    for path in (folder / "babygrad").rglob("*.py"):
        name = path.relative_to(folder / "babygrad").as_posix()
        found |= {r.key: (name, r.body) for r in stub_regions(path.read_text()) if not r.is_stub}
    return found


IDS = [ex.id for ex in catalogue.all_exercises()]


ANSWERED = {"odd ones": IDS[1::2], "even ones": IDS[::2], "all": IDS, "nothing": []}
OTHERS = [pytest.param(name, marks=pytest.mark.leg("push")) for name in ANSWERED if name != "odd ones"]


@pytest.mark.parametrize("name", ["odd ones", *OTHERS])
def test_answers_go_by_the_ids_of_their_exercises_and_a_table_says_what_moved(two_terms, monkeypatch, name):
    done, (mine, newer) = ANSWERED[name], two_terms
    monkeypatch.setattr(backups, "MEMORY", mine / ".babygrad")
    monkeypatch.setattr(backups, "ROOT", mine)
    answer(mine, done)
    before = bodies_in(mine)
    said = told("\n".join(update.update(newer, mine)))
    after = bodies_in(mine)
    assert {key: body for key, (_, body) in after.items()} == {
        key: body for key, (_, body) in before.items() if key[0] not in ("2.9", "2.10")
    }
    assert {file for key, (file, _) in after.items() if key[0] == "2.2"} <= {"elsewhere.py"}

    def with_answer(id, what, where):
        return f"{what}; {where}" if id in done else what

    gone, there = "your answer is in the backup", "your answer is in its place"
    assert said == {
        "2.2 by_hand": with_answer("2.2", f"in elsewhere.py, no longer in {BY_HAND}", there),
        "2.9 Value.relu": with_answer("2.9", "no longer an exercise", gone),
        "2.10 blind_spots": with_answer("2.10", "asked in 2.99 now", gone),
        "2.99 extra": "new, in elsewhere.py",
    }
    if "2.9" in done:
        assert "".join(before["2.9", 1][1]) in in_backup(mine)["babygrad/value.py"].replace("\n", "")


def test_a_part_of_the_term_that_is_new_is_told(edition, tmp_path, monkeypatch):
    """The stubs of all notebooks are in every edition: new is what was not released before."""
    mine, newer = (shutil.copytree(edition, tmp_path / name) for name in ("mine", "newer"))
    monkeypatch.setattr(backups, "MEMORY", mine / ".babygrad")
    monkeypatch.setattr(backups, "ROOT", mine)
    settings = json.loads((mine / "course.json").read_text())
    (mine / "course.json").write_text(json.dumps(settings | {"notebooks": ["00", "01"]}))
    (mine / "notebooks" / "02_scalar_value.ipynb").unlink()
    lines = update.update(newer, mine)
    rows = told("\n".join(lines))
    assert "notebooks/02_scalar_value.ipynb is new." in lines
    assert {id.split()[0] for id in rows} == {ex.id for ex in catalogue.exercises_of("02")}
    assert rows["2.1 Value.__mul__"] == "new, in value.py"
    assert "The course is up to date: 2 files new or changed." in lines
    assert update.update(newer, mine) == ["The course is up to date."]


def test_a_zip_that_cannot_be_brought_is_called_as_it_was_typed(root, newer, tmp_path):
    for name, inside, words in (
        ("ada.zip", "babygrad/value.py", r"ada\.zip contains no course.* Unpacked over a new copy of the course"),
        ("photos.zip", "a/b.png", r"photos\.zip contains no course.* grader and babygrad\.$"),
        ("b.zip", "grader/x.py babygrad/x.py", "b.zip is the student edition"),
    ):
        with zipfile.ZipFile(tmp_path / name, "w") as zipped:
            for path in inside.split():
                zipped.writestr(path, "")
        with pytest.raises(UsageError, match=words):
            update.update(tmp_path / name, root)


def test_one_place_that_was_kept_is_one_place():
    assert merging._about("value.py", [None], False) == "babygrad/value.py: updated, 1 filled-in place kept."


def test_an_exercise_that_is_given_now_keeps_the_learners_answer(edition, tmp_path, monkeypatch):
    mine, newer = (shutil.copytree(edition, tmp_path / name) for name in ("mine", "newer"))
    pristine.keep(stubs.generated(given=("2.1", "2.3")), newer)
    monkeypatch.setattr(backups, "MEMORY", mine / ".babygrad")
    monkeypatch.setattr(backups, "ROOT", mine)
    write_answer(mine)
    said = told("\n".join(update.update(newer, mine)))
    assert ANSWER in value_file(mine).read_text() and "# exercise 2.3 (given)" in value_file(mine).read_text()
    assert said == {"2.1 Value.__mul__": "given now; your answer is in its place", "2.3 Value.__pow__": "given now"}


@pytest.mark.leg("push")
def test_an_answer_whose_stub_stands_elsewhere_in_its_file_is_in_the_backup_and_the_table_says_so(root, newer):
    write_answer(root)
    reference = newer / "solutions" / "babygrad" / "value.py"
    lines = reference.read_text().splitlines()
    (place,) = [region for region in solution_regions("\n".join(lines)) if region.id == "2.1"]
    deeper = ["        if True:", *("    " + line for line in lines[place.start : place.end])]
    lines[place.start : place.end] = deeper
    reference.write_text("\n".join(lines) + "\n")
    said = told("\n".join(update.update(newer, root)))
    assert said["2.1 Value.__mul__"] == "its stub was rewritten; your answer is in the backup"
    assert any(ANSWER in path.read_text() for path in kept(root))

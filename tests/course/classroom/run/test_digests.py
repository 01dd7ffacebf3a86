"""What decides about grades: an edit of it has a class asked again, an edit of anything else has nobody asked again.

Tried on a copy of the course, in whose files a line is added while a class is graded.
"""

import shutil
from pathlib import Path

import pytest

pytest.importorskip("fcntl")  # locks: no Windows
import classroom_fakes as fakes

from grader.classroom.run import digests
from grader.classroom.run.dask_executor import course_there
from grader.course import catalogue
from grader.course.paths import EXERCISES, ROOT
from grader.course.rooms import ROOMS
from grader.course.usage import UsageError

pytestmark = pytest.mark.leg("push")

# {what decides: what it is called where it has changed}
DECIDES = {
    **dict.fromkeys([room.place for room in ROOMS if room.decides], "the grader"),
    **dict.fromkeys(["solutions/babygrad", "solutions/babygrad/ops"], "the reference"),
    "tests/exercises/nb02_scalar_value/questions.py": "the exercises",
    "tests/exercises/nb13_versus_pytorch/marking.py": "the exercises",
    "tests/exercises/too_early.json": "the exercises",
    "tests/exercises/nb02_scalar_value/mistakes.md": "the misconceptions",
    "tests/exercises/nb13_versus_pytorch/mistakes.py": "the misconceptions",
}
DECIDES_NOTHING = (
    *(room.place for room in ROOMS if not room.decides and room.place != "grader"),
    *("grader/cli.py", "grader/environment.py", "grader/html/templates", "solutions/notebooks", "babygrad"),
    "toolbox/films",
    *(f"tests/exercises/nb02_scalar_value/{name}.py" for name in ("exercises", "key_ideas", "exam", "quiz")),
    "tests/exercises/nb02_scalar_value/other_answers.md",
    "tests/exercises/nb02_scalar_value/quiz.md",
    "tests/exercises/nb02_scalar_value/other_answers.py",
    *(
        "tests/exercises/conftest.py",
        "tests/exercises/retired.json",
        "tests/course",
        "benchmarks",
        "docs",
        "README.md",
        "Makefile",
    ),
)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the course whose files are digested, beside a class of two that is graded. Tests go on with it."""
    top = tmp_path_factory.mktemp("home")
    for name in ("grader", "solutions", "tests", "benchmarks", "docs", "babygrad", "toolbox"):
        shutil.copytree(ROOT / name, top / "course" / name, ignore=shutil.ignore_patterns("__pycache__", "*.ipynb"))
    for name in ("README.md", "Makefile"):
        shutil.copy(ROOT / name, top / "course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digests, "ROOT", top / "course")
        fakes.use(patch)
        fakes.graded(fakes.class_of(top / "submissions", 2), top / "out")
        yield top / "course"
    digests.of_the_course.cache_clear()


def edit(place):
    """Add a line to a file: this one, or the first in this folder or below it that is more than a line."""
    files = (
        [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.is_file() and p.stat().st_size > 200)
    )
    with files[0].open("a") as file:
        file.write("# edited\n")
    digests.of_the_course.cache_clear()


def resumed(course):
    """What is said of the class when its grading goes on."""
    _, said = fakes.graded(course.parent / "submissions", course.parent / "out", resume=True)
    return [line for line in said if line.startswith(("Changed", "Submissions"))]


@pytest.mark.parametrize(
    "place",
    [pytest.param(place, marks=pytest.mark.leg("night" if n % 3 else "push")) for n, place in enumerate(DECIDES)],
)
def test_an_edit_of_what_decides_has_everybody_asked_again(course, place):
    edit(course / place)
    assert resumed(course) == [
        f"Changed since the grading began: {DECIDES[place]}. Everything is regraded, with the same seed.",
        "Submissions: 2 graded again, for the course had changed.",
    ]


@pytest.mark.parametrize("place", DECIDES_NOTHING)
def test_an_edit_of_anything_else_has_nobody_asked_again(course, place):
    edit(course / place)
    assert resumed(course) == ["Submissions: 2 as they were."]


@pytest.mark.parametrize("place", ["grader/classroom/pages", "grader/marking"])
def test_shards_and_workers_elsewhere_go_by_the_same_digests(course, tmp_path, place):
    submissions, here = course.parent / "submissions", course_there()
    fakes.graded(submissions, tmp_path, shard="1/2")
    edit(course / place)
    fakes.graded(submissions, tmp_path, shard="2/2")
    if place in DECIDES:
        assert course_there() != here
        with pytest.raises(UsageError, match="were not graded in the same way: they differ in the grader"):
            fakes.graded(submissions, tmp_path, merge=True, seed=None)
    else:
        assert course_there() == here
        assert fakes.graded(submissions, tmp_path, merge=True, seed=None)[0] == 0
    resumed(course)


@pytest.mark.parametrize("field", ["file", "needs"])
def test_where_an_exercise_is_filled_in_and_what_it_builds_on_decide(monkeypatch, field):
    ex, before = catalogue.exercise("2.4"), course_there()
    monkeypatch.setattr(ex, field, "another.py" if field == "file" else ("2.3",))
    assert {name for name, digest in course_there().items() if before[name] != digest} == {"exercises"}


@pytest.mark.parametrize("field", ["title", "points", "track", "difficulty", "hints", "stuck"])
def test_what_else_an_exercise_is_decides_nothing(monkeypatch, field):
    ex, before = catalogue.exercise("2.4"), course_there()
    monkeypatch.setattr(ex, field, 9)
    assert course_there() == before


def test_of_every_file_of_exercises_it_is_known_whether_it_decides():
    known = {Path(place).name for place in (*DECIDES, *DECIDES_NOTHING) if place.startswith("tests/exercises")}
    found = {path.name for path in EXERCISES.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert found == known


def test_of_every_folder_it_is_known_whether_it_decides():
    """A room that can change what is asked, which answer is right or what is said decides: course/rooms.py says so."""
    known = {place.removeprefix("grader/") for place in (*DECIDES, *DECIDES_NOTHING) if place.startswith("grader/")}
    found = {path.relative_to(ROOT / "grader").as_posix() for path in (ROOT / "grader").iterdir()}
    assert found - {"__pycache__", "__init__.py", "__main__.py"} == {place for place in known if "/" not in place}


def test_what_decides_is_python_and_nothing_else():
    """The digests are of *.py: another kind of file could decide, and be overlooked."""
    places = [ROOT / place for place in DECIDES if (ROOT / place).is_dir()]
    files = [p for place in places for p in place.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    assert len(files) > 100 and {path.suffix for path in files} == {".py"}


def test_a_digest_changes_with_any_byte(tmp_path, monkeypatch):
    monkeypatch.setattr(digests, "ROOT", tmp_path)

    def digest():
        return digests._digest(digests._contents(["*.py"]))

    (tmp_path / "a.py").write_text("1")
    seen = {digest()}
    for name, text in [("a.py", "2"), ("b.py", "1"), ("a.py", "21"), ("b.py", "")]:
        (tmp_path / name).write_text(text)
        seen.add(digest())
    assert len(seen) == 5


def test_line_ends_decide_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(digests, "ROOT", tmp_path)
    found = []
    for text in (b"a\nb\n", b"a\r\nb\r\n"):
        (tmp_path / "a.py").write_bytes(text)
        found.append(digests._digest(digests._contents(["*.py"])))
    assert found[0] == found[1]

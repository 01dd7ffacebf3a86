"""What a teacher chooses for a student edition: notebooks, given answers, points, dates. Nothing is written over."""

import json
import re
import subprocess
import sys
from datetime import datetime

import pytest

from grader.course import catalogue, regions, stubs
from grader.course.paths import REFERENCE, ROOT
from grader.course.settings import Settings
from grader.course.tracks import EVERYTHING, STRETCH, TRACKS
from grader.course.usage import UsageError
from grader.edition import choices, release, texts
from grader.maintainer import course_page

OF_02 = [ex.id for ex in catalogue.exercises_of("02")]


def files_of(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def part(tmp_path_factory):
    """An edition of notebook 02 alone, with the answers of 00 and of 2.1 given, points and dates of its own."""
    folder = tmp_path_factory.mktemp("part")
    (folder / "points").write_text("# heavier\n2.3 30\n\n2.4, 0  # none\n")
    due = ["2026-12-01", "02=2026-12-24T18:00+01:00"]
    lines = release.release(folder / "out", "2", "0,2.1", folder / "points", due, "autumn")
    return folder / "out", lines


@pytest.mark.leg("push")
def test_course_json_says_what_was_chosen(part):
    settings = Settings.read(part[0] / "course.json")
    assert settings.notebooks == ("02",) and settings.edition == "student" and settings.version == "autumn"
    assert list(settings.given) == [*(ex.id for ex in catalogue.exercises_of("00")), "2.1"]
    assert settings.points == {"2.3": 30, "2.4": 0}
    assert settings.due["02"] == datetime.fromisoformat("2026-12-24T18:00+01:00")
    assert settings.due[""].strftime("%Y-%m-%d %H:%M:%S") == "2026-12-01 23:59:59"
    assert json.loads((part[0] / "course.json").read_text())["possible"] == settings.possible
    assert "2.1" not in {ex.id for ex in settings.exercises()}


@pytest.mark.leg("push")
def test_only_the_notebooks_that_were_chosen_are_there(part):
    names = files_of(part[0])
    assert [n for n in names if n.startswith("notebooks/")] == ["notebooks/02_scalar_value.ipynb"]
    recorded = ("02_answers.json", "files.json", "quiz.json", "stubs.json")
    assert {n.removeprefix("tests/exercises/") for n in names if n.startswith("tests/exercises/")} == {
        *(f"nb02_scalar_value/{name}.py" for name in ("exercises", "questions", "marking")),
        *(f"expected/{name}" for name in recorded),
        *("conftest.py", "retired.json", "too_early.json"),
    }
    assert {n for n in names if n.startswith("grader/broken_engines/")} < {n for n in names if n.startswith("grader/")}
    assert "grader/broken_engines/operators.py" in names and "grader/broken_engines/softmaxes.py" not in names


def test_the_whole_package_is_there_and_only_the_given_answers(part):
    package = {
        p.removeprefix("babygrad/"): x.decode() for p, x in files_of(part[0]).items() if p.startswith("babygrad/")
    }
    fresh, given = stubs.generated(), Settings.read(part[0] / "course.json").given
    assert package.keys() == fresh.keys()
    for name, text in package.items():
        reference = {r.key: r.body for r in regions.solution_regions((REFERENCE / "babygrad" / name).read_text())}
        for region in regions.stub_regions(text):
            assert region.given is (region.id in given) is not region.is_stub
            assert region.is_stub or region.body == reference[region.key]
    assert json.loads((part[0] / "tests/exercises/expected/stubs.json").read_text()) == package


def test_the_lines_say_what_is_in_it(part):
    said = "\n".join(part[1])
    assert str(part[0]) in said and "version autumn" in said and "2026-12-24 18:00" in said
    assert f"{len(OF_02) - 2} exercises" in said and "There, but without points: 2.4." in said


def test_the_readme_is_about_this_edition(part):
    readme = (part[0] / "README.md").read_text()
    assert "notebooks/02_scalar_value.ipynb" in readme and "01_slopes" not in readme
    assert "2026-12-01 23:59" in readme and "version autumn" in readme and "{" not in readme
    for word in ("fill", "nbcheck", "solutions", "bench"):
        assert f"make {word}" not in readme and f"{word}/" not in readme


def test_the_readme_is_a_door_and_every_link_leads_somewhere(part):
    readme, documents = part[0] / "README.md", list((part[0] / "docs").glob("*.md"))
    assert len(readme.read_text().splitlines()) <= 90
    for document in [readme, *documents]:
        for link in re.findall(r"\]\(([^)#]+)", document.read_text()):
            assert link.startswith("https://") or (document.parent / link).exists(), (document.name, link)


def test_what_an_assistant_reads_names_an_exercise_of_this_edition_and_nothing_that_is_not_there(part):
    text = (part[0] / "AGENTS.md").read_text()
    assert "# end of exercise 2.2" in text and "{" not in text and len(text.splitlines()) <= 60
    assert all((part[0] / name).exists() for name in re.findall(r"`([\w/]+(?:/|\.\w+))`", text) if name != "answers/")
    assert "solutions" not in text and "make fill" not in text


def test_what_students_can_type_names_nothing_that_they_do_not_have(part):
    texts = {name: (part[0] / "docs" / f"{name}.md").read_text() for name in ("using", "stuck")}
    assert "make hint EX=2." in texts["using"] and "grader submit yours" in texts["using"]
    for word in (
        *("make fill", "grader fill", "make nbcheck", "grader nbcheck"),
        "solutions",
        "benchmarks",
        "make train",
    ):
        assert word not in texts["using"], word
    assert not [name for name, text in texts.items() if "solutions" in text or "fill EX" in text]


@pytest.mark.parametrize("track", TRACKS)
def test_a_track_gives_points_to_its_own_exercises_alone(track, tmp_path):
    settings = choices.settings("2-3", track=track)
    on_it = [ex for number in ("02", "03") for ex in catalogue.exercises_of(number) if ex.track in TRACKS[track]]
    assert [ex.id for ex in settings.with_points()] == [ex.id for ex in on_it] != []
    assert settings.possible == sum(ex.points for ex in on_it)
    said, readme = "\n".join(release._summary(tmp_path, settings)), texts.readme(settings)
    assert f"{len(on_it)} exercises, {settings.possible} points." in said
    others = texts.in_short(settings.without_points())
    assert (f"without points: {others}." in said) == (f"without points: {others}." in readme) == (track != EVERYTHING)


def test_points_of_a_file_count_off_the_track_too(tmp_path):
    (tmp_path / "points").write_text("2.10 7\n2.1 9\n")
    settings = choices.settings("2", points=tmp_path / "points", track="core")
    assert catalogue.exercise("2.10").track == STRETCH
    assert {ex.id: ex.points for ex in settings.exercises() if ex.id in ("2.1", "2.10")} == {"2.1": 9, "2.10": 7}


@pytest.mark.leg("night")
@pytest.mark.parametrize("weeks", course_page.PLANS)
def test_a_plan_counts_what_the_core_alone_has_points_for(weeks):
    for week, row in zip(course_page.PLANS[weeks], course_page.plan(weeks).split("\n")[2:], strict=True):
        if week != STRETCH:
            settings = choices.settings(week.replace(" ", ","), track="core")
            assert row.endswith(f" {len(settings.with_points())} |")


@pytest.mark.leg("push")
def test_twice_the_same_choices_make_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        release.release(tmp_path / name, "0")
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    version = Settings.read(tmp_path / "one" / "course.json").version
    release.release(tmp_path / "three", "0", due=["2026-12-01"])
    assert Settings.read(tmp_path / "three" / "course.json").version not in ("", version)


def test_what_is_built_on_exercises_that_are_not_at_hand_is_noted():
    needs = {id for ex in catalogue.exercises_of("06") for id in ex.needs if catalogue.number_of(id) != "06"}
    (note,) = release.notes(choices.settings("6"))
    assert note.startswith("Note: notebook 06 builds on")
    assert needs and all(id in note for id in needs)


@pytest.mark.parametrize(("given", "noted"), [(None, True), ("1.2", False)])
def test_what_the_cells_of_a_notebook_import_from_earlier_exercises_is_noted(given, noted):
    assert not any("1.2" in ex.needs for ex in catalogue.exercises_of("07"))  # its cells use numerical_gradient
    (note,) = release.notes(choices.settings("7", given))
    assert ("builds on 1.2, " in note) is noted


def test_given_exercises_are_named_in_short():
    notebook_00 = [ex.id for ex in catalogue.exercises_of("00")]
    assert texts.in_short([*notebook_00, "2.1", "2.4"]) == "notebook 00; 2.1, 2.4"
    assert texts.in_short([*notebook_00, *(ex.id for ex in catalogue.exercises_of("01"))]) == "notebooks 00, 01"
    assert texts.in_short(["3.1"]) == "3.1"


def test_the_readme_speaks_of_training_only_where_a_net_can_be_trained(part):
    assert "make train" not in (part[0] / "README.md").read_text()
    assert "make train" in texts.readme(Settings.of_the_whole_course())


def test_where_a_net_can_be_trained_it_is_the_students(part):
    using = texts.using((ROOT / "docs" / "using.md").read_text(encoding="utf-8"), Settings.of_the_whole_course())
    assert "`make train DATA=moons` trains your own net" in using and "grader train moons\n" in using
    assert "solutions" not in using


def test_a_date_for_a_notebook_that_is_not_released_is_noted(tmp_path):
    lines = release.release(tmp_path / "out", "0", due=["2026-12-01", "00=2026-12-02", "03=2026-12-03"])
    assert [line for line in lines if line.endswith("not released.")] == [
        "Note: notebook 03 has a due date, but is not released."
    ]
    run = subprocess.run([sys.executable, "-m", "grader", "check", "0.1"], cwd=tmp_path / "out", capture_output=True)
    assert run.returncode == 1 and b"not started" in run.stdout, run.stderr  # students can work with it all the same


@pytest.mark.parametrize("there", ["file", "folder with a file"])
def test_nothing_is_written_over(there, tmp_path):
    out = tmp_path / "out"
    mine = out if there == "file" else out / "mine.txt"
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        release.release(out, "0")
    assert files_of(tmp_path) in ({"out": b"mine"}, {"out/mine.txt": b"mine"})


def test_a_release_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(release.recording, "record", lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        release.release(tmp_path / "out", "0")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "found"), [("2-4", ["02", "03", "04"]), ("2,13, 00", ["00", "02", "13"]), ("05", ["05"])]
)
def test_notebooks_are_named_by_numbers(text, found):
    assert choices.numbers(text) == found


@pytest.mark.parametrize(
    "options",
    [
        {"notebooks": "4-2"},
        {"notebooks": "two"},
        {"notebooks": "2-99"},
        {"notebooks": "2.1"},
        {"given": "2.99"},
        {"given": "a.b"},
        {"due": ["soon"]},
        {"due": ["99=2026-12-01"]},
        {"due": ["2026-13-01"]},
    ],
)
def test_a_choice_that_names_nothing_is_refused(options):
    with pytest.raises(UsageError):
        choices.settings(**options)


@pytest.mark.parametrize("text", ["2.1", "2.1 three", "2.1 -3", "2.99 3", '{"2.1": "3"}', '{"2.1": 3', "9 9 9"])
def test_points_that_make_no_sense_are_refused_with_the_files_name(text, tmp_path):
    path = tmp_path / "points.txt"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"points\.txt"):
        choices.settings(points=path)


def test_points_given_twice_are_refused_with_both_lines(tmp_path):
    path = tmp_path / "points.txt"
    path.write_text("# mine\n2.1 3\n2.3 4\n2.1 5\n")
    with pytest.raises(UsageError, match=r"points\.txt, lines 2 and 4: both give points to 2\.1"):
        choices.settings(points=path)


def test_that_there_are_no_points_to_earn_is_noted():
    (note,) = release.notes(choices.settings("1", "1"))
    assert note.startswith("Note: there are no points to earn")


def test_a_notebook_that_was_run_is_handed_out_clean():
    path = next((ROOT / "solutions" / "notebooks").glob("02_*.ipynb"))
    clean = texts.clean_notebook(path.read_text())
    assert clean == texts.clean_notebook((ROOT / "notebooks" / path.name).read_text())
    assert all(not cell.get("outputs") for cell in json.loads(clean)["cells"])


def test_no_notebook_needs_the_folder_that_students_do_not_get():
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        assert "benchmarks" not in texts.clean_notebook(path.read_text()), path.name

"""The tracks through the course: each needs nothing that is not on it, neither its exercises nor its cells."""

import re
from functools import cache

import pytest

from grader.course import catalogue, stubs
from grader.course.paths import package_folder
from grader.course.tracks import EVENING, STRETCH, TRACKS, longer
from grader.maintainer import cell_outputs, executed_notebooks, minutes
from grader.maintainer.clean_notebooks import clean_notebook
from grader.maintainer.sources import NotebookError, markdown_of, read, sources

OF_THE_EVENING = sources(["02", "03", "04"])
EXERCISES = [exercise for nb in catalogue.notebooks() for exercise in catalogue.exercises_of(nb.number)]
# exercise: what it needs though that is not on its track; the notebook says so, and that `make fill` puts it in
FILLED = {"3.4": ["3.3"]}
PASSED = re.compile(r"^\d+\.\d+ .* passed ", re.MULTILINE)
# "in 9.5" (not "instead of 0.3"), "section F", "03 F"
SENT_TO = re.compile(r"\b(?:exercises?|in|of|from|see) ([1-9]\d*\.\d+)\b|\bsection ([A-Z])\b|\b(\d\d) ([A-Z])\b", re.I)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_what_an_exercise_needs_is_on_its_track(exercise):
    beside = [
        need for need in exercise.needs if longer(catalogue.exercise(need).track, exercise.track) != exercise.track
    ]
    assert beside == FILLED.get(exercise.id, [])


@pytest.mark.parametrize("exercise", FILLED)
def test_the_notebook_says_what_to_fill_in_on_the_track(exercise):
    prose = markdown_of(read(sources([f"0{exercise[0]}"])[0])).split(f"### Exercise {exercise}")[0]
    for needed in FILLED[exercise]:
        assert f"`make fill EX={needed}` puts the answer in, marks it as given, and lets you go on." in prose


@cache
def stretch_sections(number):
    """The letters of a notebook's sections that are stretch."""
    parts = minutes.parts(read(sources([number])[0]).cells, catalogue.notebook(number).track)
    return {part.title[0] for part in parts if part.rank == 2 and part.mark == STRETCH and part.title[1] == "."}


def sent_to_stretch(text, number):
    """What a text of this notebook sends its reader to, of all that is stretch."""
    stretch = {exercise.id for exercise in EXERCISES if exercise.track == STRETCH}
    for found in SENT_TO.finditer(text):
        exercise, here, other, there = found.groups()
        letter, of = (here, number) if here else (there, other)
        if exercise in stretch or (letter and letter in stretch_sections(of)):
            yield found[0]


@pytest.mark.parametrize("source", [path for path in sources() if path.name < "14"], ids=lambda path: path.stem)
def test_the_core_sends_nobody_to_what_is_stretch(source):
    number = source.name[:2]
    told = [cell.source for cell in on_the_track(source, TRACKS["core"]).cells if cell.cell_type == "markdown"]
    assert {place for text in told for place in sent_to_stretch(text, number)} == set()


@pytest.mark.parametrize("text", ["You will want that in 9.5.", "Section F has a cure.", "The loss of 04 F is used."])
def test_a_sentence_that_sends_there_is_found(text):
    assert len(list(sent_to_stretch(text, "12"))) == 1


def test_all_of_a_stretch_notebook_is_stretch():
    for nb in catalogue.notebooks():
        tracks = {exercise.track for exercise in catalogue.exercises_of(nb.number)}
        assert nb.track != STRETCH or tracks == {STRETCH}, nb.number
    assert [nb.number for nb in catalogue.notebooks() if nb.track == STRETCH and nb.number < "14"] == []


def test_the_evening_goes_from_the_first_product_to_a_trained_net_in_three_and_a_half_hours():
    found = {source.name[:2]: minutes.of(source.name[:2]) for source in sources()}
    by_notebook = {number: minutes.total(parts, EVENING) for number, parts in found.items()}
    assert [number for number, taken in by_notebook.items() if taken] == [path.name[:2] for path in OF_THE_EVENING]
    assert sum(by_notebook.values()) <= 215


def told(source):
    """(Part, text) of each piece of a notebook's Markdown."""
    found = [minutes.Part("the top", mark=catalogue.notebook(source.name[:2]).track)]
    for cell in read(source).cells:
        for text in minutes.pieces(cell.source) if cell.cell_type == "markdown" else ():
            if heading := minutes.HEADING.match(text):
                found.append(minutes.part(heading, found))
            yield found[-1], text


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.stem)
def test_no_other_part_sends_a_learner_to_a_stretch_section(source):
    pieces = list(told(source))
    stretch = {part.title[0] for part, _ in pieces if part.rank == 2 and part.mark == STRETCH}
    sent = [(part, text, set(re.findall(r"\b[Ss]ection ([A-Z])\b", text))) for part, text in pieces]
    assert [(part.title, text) for part, text, letters in sent if part.mark != STRETCH and letters & stretch] == []


@pytest.mark.parametrize("source", OF_THE_EVENING, ids=lambda path: path.stem)
def test_how_the_evening_goes_on_stands_where_its_learner_reads(source):
    said = re.compile(r"evening's (?:way|track)\W+(?:\w+\W+){0,9}goes\s+on|end of the evening's track")
    marks = [part.mark for part, text in told(source) if said.search(text)]
    assert marks and set(marks) == {EVENING}


def on_the_track(source, marks):
    """A notebook with the cells of these marks, and those at its top, alone."""
    cells = read(source).cells
    notebook = clean_notebook(source)
    track = catalogue.notebook(source.name[:2]).track
    last_parts = [minutes.parts(cells[: place + 1], track)[-1] for place in range(len(cells))]
    kept = [part.rank == 1 or part.mark in marks for part in last_parts]
    notebook.cells = [cell for cell, stays in zip(notebook.cells, kept, strict=True) if stays]
    return notebook


def walk(source, package_dir, marks):
    """The code cells of a track, run with the package in package_dir."""
    notebook = on_the_track(source, marks)
    with executed_notebooks.running_kernel(notebook, source, package_dir) as client:
        for place, cell in enumerate(notebook.cells):
            executed_notebooks.run_cell(client, cell, place, f"{source.name}, on the track {marks}")
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def said(cell):
    return "\n".join("".join(text) for output in cell.outputs for text in cell_outputs.texts(output))


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """done(track): a learner's package in which the exercises of this track are done, and no other."""

    @cache
    def package(track):
        directory = tmp_path_factory.mktemp(track)
        on_it = {exercise.id for exercise in EXERCISES if exercise.track in TRACKS[track]}
        stubs.write(directory, given=on_it.union(*FILLED.values()))
        for file in package_folder(directory).rglob("*.py"):  # as if typed: what was given is not asked
            file.write_text(file.read_text(encoding="utf-8").replace(" (given)\n", "\n"), encoding="utf-8")
        return directory

    return package


def assert_walked(source, track, package_dir):
    """All cells of a track run, and each of its checks says that it passed.  Gives what the cells said."""
    cells = walk(source, package_dir, TRACKS[track])
    checks = {cell.source.split()[1]: said(cell) for cell in cells if cell.source.startswith("%check ")}
    assert list(checks) == [ex.id for ex in catalogue.exercises_of(source.name[:2]) if ex.track in TRACKS[track]]
    assert [text for text in checks.values() if not PASSED.search(text)] == []
    return "\n".join(map(said, cells))


@pytest.mark.parametrize("source", OF_THE_EVENING, ids=lambda path: path.stem)
@pytest.mark.leg("night")  # most of it follows from what each exercise says that it needs, above
def test_the_evening_needs_its_own_exercises_alone_and_its_net_learns(source, done):
    learned = "at least 95 of 100 right: True" in assert_walked(source, "evening", done("evening"))
    assert learned == source.name.startswith("04")


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.stem)
@pytest.mark.leg("night")
def test_the_core_needs_its_own_exercises_alone(source, done):
    assert_walked(source, "core", done("core"))


@pytest.mark.leg("night")
def test_a_cell_that_needs_more_is_found(done):
    with pytest.raises(NotebookError, match=r"exercise 2\.7"):
        walk(OF_THE_EVENING[0], done("evening"), TRACKS["core"])

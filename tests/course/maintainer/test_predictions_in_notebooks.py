"""Each **Predict.** of a notebook has a cell for it; what learners predict there is no difference to nbcheck."""

import re
from types import SimpleNamespace

import nbformat
import pytest

from grader.course.paths import REFERENCE
from grader.maintainer import cell_outputs, executed_notebooks, nbcheck, sources
from grader.notebook import answers

SOURCES = sources.sources()
PREDICT = "**Predict.**"
PREDICTION = re.compile(r"# prediction (\S+)\n%predict")
NOTE = re.compile(r"%%note (\S+)")
OURS = re.compile(r"^\s*(# ?prediction\b|%+ *(predict|predictions|note)\b)", re.M)  # what looks like one of these cells
SECTION = re.compile(r"^## (?:([A-Z])\. )?(.*?)$", re.M)
EXERCISE = re.compile(r"^### Exercise (\d+\.\d+)", re.M)
EXPLAINED = re.compile(r"^(#{2,4} |\*\*(Run it|Explain)\b|<details>)", re.M)
each_notebook = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)


# ------------------------------------------------------------------ the cells in the sources


@each_notebook
def test_each_prediction_has_a_cell_for_its_prediction(source):
    assert list(faults(sources.read(source).cells, source.name[:2])) == []


@each_notebook
def test_a_prediction_and_a_caption_stand_before_each_player(source):
    cells = nbformat.read(executed_notebooks.executed_path(source), as_version=4).cells
    assert list(unasked(cells)) == []


def unasked(cells):
    """The last line of each cell whose player shows what nobody was asked about, or has no caption."""
    prediction = False
    for cell in (cell for cell in cells if cell.cell_type == "code"):
        prediction = prediction or PREDICTION.fullmatch(cell.source) is not None
        for shown in cell_outputs.players([cell]):
            if not prediction or '<p class="caption">' not in shown:
                yield cell.source.strip().splitlines()[-1]
            prediction = False


def test_a_player_without_a_prediction_or_a_caption_is_found():
    prediction, film = nbformat.v4.new_code_cell("# prediction 3.A1\n%predict"), '<div class="babygrad-player">'
    there = nbformat.v4.new_output("display_data", {"text/html": f'{film}<p class="caption">Look.</p></div>'})
    bare = nbformat.v4.new_output("display_data", {"text/html": f"{film}</div>"})
    shows, shows_bare = (nbformat.v4.new_code_cell("x = 1\nshow(x)", outputs=[out]) for out in (there, bare))
    assert list(unasked([prediction, shows])) == []
    for cells in ([shows], [prediction, shows, shows], [prediction, shows_bare]):
        assert list(unasked(cells)) == ["show(x)"]


def faults(cells, number):
    """Sentences about the predictions and notes of a notebook's cells that are not as they should be."""
    taken, listed, before = set(), 0, None
    section = SimpleNamespace(letter="", title="the top")
    hunts = EXERCISE.findall("\n".join(cell.source for cell in cells).partition("\n## Bug hunt")[2])
    for cell, after in zip(cells, [*cells[1:], None]):
        place = f"Under {section.title!r}"
        if cell.cell_type == "markdown":
            section = section_at_the_end(cell.source, section)
            yield from (f"Under {section.title!r}: {fault}" for fault in faults_of_a_prediction(cell.source, after))
        elif prediction := PREDICTION.fullmatch(cell.source):
            if before is None or before.cell_type != "markdown" or PREDICT not in before.source:
                yield f"{place}: the prediction {prediction[1]} has no {PREDICT} in the cell above it."
            yield from (f"{place}: {fault}" for fault in faults_of_a_key(prediction[1], number, section, hunts, taken))
            if listed:
                yield f"{place}: the prediction {prediction[1]} stands below %predictions {number}."
        elif note := NOTE.fullmatch(cell.source):
            yield from (f"{place}: {fault}" for fault in faults_of_a_key(note[1], number, section, hunts, taken))
            if before is None or before.cell_type != "markdown":
                yield f"{place}: the note {note[1]} has no question above it."
        elif cell.source == f"%predictions {number}" and section.title == "Reflection":
            listed += 1
        elif OURS.search(cell.source):
            right = f"'# prediction KEY' and '%predict', '%%note KEY' or, in Reflection, '%predictions {number}'"
            yield f"{place}: {cell.source!r} should be {right}."
        before = cell
    if listed != 1:
        yield f"Reflection should have '%predictions {number}' once, and has it {listed} times."
    if not any(key.startswith(f"{int(number)}.R") for key in taken):
        yield f"Reflection has no cell '%%note {int(number)}.R1'."


def section_at_the_end(markdown, section):
    """The section in which a markdown cell ends: its letter and its title."""
    for text in re.split(r"^(?=##)", sources.without_fences(markdown), flags=re.M):
        if heading := SECTION.match(text):
            letter = "R" if heading[2] == "Reflection" else heading[1] or ""
            section = SimpleNamespace(letter=letter, title=heading[2])
    return section


def faults_of_a_prediction(markdown, after):
    """What is wrong with a markdown cell and the one after it, if it asks the learner to predict."""
    count = markdown.count(PREDICT)
    if not count:
        return
    asked = " ".join(markdown.partition(PREDICT)[2].split())[:60]
    if count > 1:
        yield f"one cell has {PREDICT} {count} times: a cell for each, with its own prediction ({asked} ...)."
    if EXPLAINED.search(markdown.rpartition(PREDICT)[2]):
        yield f"the answer to {asked!r} ... stands in the same cell: split it, the prediction comes between."
    if after is None or after.cell_type != "code" or not PREDICTION.fullmatch(after.source):
        yield f"no '# prediction KEY' and '%predict' in the cell below {PREDICT} {asked} ..."


def faults_of_a_key(key, number, section, hunts, taken):
    """What is wrong with the name of a prediction or note. It is taken from now on."""
    found = answers.KEY.fullmatch(key)
    own = f"{int(number)}."
    if key in taken:
        yield f"{key} is there twice."
    taken.add(key)
    if not found or not key.startswith(own):
        yield f"{key} is not the name of a question of this notebook, such as {own}C1."
    elif section.letter and (found[2] != section.letter or found[4]):
        yield f"{key} should begin with {own}{section.letter}, as its section does, and end with a count."
    elif not section.letter and (found[2] or not found[4] or key[:-1] not in hunts):
        yield f"{key} should be one of the exercises {', '.join(hunts)}, and a letter: {own}5a."


def cell(source):
    return SimpleNamespace(cell_type="markdown" if source[0] not in "%#" or source[1] == "#" else "code", source=source)


RIGHT = (
    "## A. One",
    f"{PREDICT} What?",
    "# prediction 3.A1\n%predict",
    "## Bug hunt",
    f"### Exercise 3.5\n\n{PREDICT} Which?",
    "# prediction 3.5a\n%predict",
    "## Reflection\n\nWhy?",
    "%%note 3.R1",
    "<details>Because.</details>",
    "%predictions 03",
    "## The rule to keep",
)
SLIPS = {
    "no prediction": ({2: None}, "no '# prediction KEY' and '%predict' in the cell below"),
    "no question": ({1: "What?"}, "has no **Predict.** in the cell above it"),
    "something behind it": ({2: "# prediction 3.A1\n%predict 162"}, "should be '# prediction KEY' and '%predict'"),
    "code below it": ({2: "# prediction 3.A1\n%predict\nprint(1)"}, "should be '# prediction KEY' and '%predict'"),
    "no name": ({2: "%predict"}, "should be '# prediction KEY' and '%predict'"),
    "no key": ({2: "# prediction 3A1\n%predict"}, "3A1 is not the name of a question"),
    "another notebook": ({2: "# prediction 4.A1\n%predict"}, "not the name of a question of this notebook"),
    "another section": ({2: "# prediction 3.B1\n%predict"}, "should begin with 3.A"),
    "an exercise's in a section": ({2: "# prediction 3.5a\n%predict"}, "should begin with 3.A"),
    "a section's in the hunt": ({5: "# prediction 3.H1\n%predict"}, "should be one of the exercises"),
    "another exercise": ({5: "# prediction 3.4a\n%predict"}, "should be one of the exercises 3.5"),
    "twice": ({5: "# prediction 3.A1\n%predict"}, "3.A1 is there twice"),
    "two questions": ({1: f"{PREDICT} One? {PREDICT} Two?"}, "has **Predict.** 2 times"),
    "the answer above it": ({1: f"{PREDICT} One?\n\n**Explain.** Two."}, "stands in the same cell"),
    "an answer in a note": ({7: "%%note 3.R1\nso"}, "should be '# prediction KEY' and '%predict'"),
    "a folded answer above it": ({1: f"{PREDICT} One?\n\n<details>Two.</details>"}, "stands in the same cell"),
    "a note without a question": (
        {6: "## Reflection", 7: "%predictions 03", 9: "%%note 3.R1", 8: None},
        "no question above it",
    ),
    "no note": ({7: None}, "has no cell '%%note 3.R1'"),
    "a note of a section": ({7: "%%note 3.A1"}, "3.A1 is there twice"),
    "no list": ({9: None}, "once, and has it 0 times"),
    "the list of another": ({9: "%predictions 04"}, "should be '# prediction KEY'"),
    "the list too early": ({3: "%predictions 03", 9: None}, "should be '# prediction KEY'"),
}


def test_what_is_right_has_no_fault():
    assert list(faults(list(map(cell, RIGHT)), "03")) == []


@pytest.mark.parametrize(("changes", "said"), SLIPS.values(), ids=SLIPS)
def test_a_slip_is_named(changes, said):
    texts = [changes.get(n, text) for n, text in enumerate(RIGHT)]
    assert said in "\n".join(faults([cell(text) for text in texts if text], "03"))


# ------------------------------------------------------------------ as they were recorded


@each_notebook
def test_nobody_has_predicted_in_what_is_recorded(source):
    for cell in nbformat.read(executed_notebooks.executed_path(source), as_version=4).cells:
        if cell.source.startswith(("# prediction", "%%note")):
            assert cell.outputs == [], cell.source
        if cell.source.startswith("%predictions"):
            assert [output.text for output in cell.outputs] == ["No predictions in this notebook yet.\n"], cell.source


def test_no_predictions_of_anybody_lie_in_the_course():
    """Whoever works on the course and predictions does so in a copy."""
    assert not (REFERENCE / answers.FOLDER).exists()


# ------------------------------------------------------------------ executing and nbcheck, on a course of one notebook


SOURCE = """\
# %% [markdown]
# # 03 · Tiny

# %%
%load_ext grader

# %% [markdown]
# ## A. Doubles
#
# **Predict.** What is printed?

# %%
# prediction 3.A1
%predict

# %%
import babygrad as bg
print(bg.double(2))

# %%
bg.double(3)

# %%
%%note 3.R1

# %%
%predictions 03
"""
PACKAGE = "def double(x):\n    return 2 * x\n"


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setattr(nbcheck, "CELL_SECONDS", 600)
    for folder in ("solutions/babygrad", "solutions/notebooks", "notebooks", "babygrad"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "solutions/notebooks/03_tiny.py").write_text(SOURCE)
    for place in ("solutions", "."):
        (tmp_path / place / "babygrad/__init__.py").write_text(PACKAGE)
    executed_notebooks.execute("03", tmp_path)
    return tmp_path


def recorded(course):
    return course / "solutions/notebooks/03_tiny.ipynb"


def prediction(course):
    """The recorded notebook with a prediction and a note in its cells, as a learner types them."""
    text = recorded(course).read_text()
    assert '%predict"' in text and "%%note 3.R1" in text
    text = text.replace('%predict"', '%predict You predicted: 5\\nor 6"').replace(
        "%%note 3.R1", "%%note 3.R1\\nsince it doubles"
    )
    recorded(course).write_text(text)


@pytest.mark.leg("push")
def test_executing_leaves_no_answers_and_says_none(course):
    assert [path for path in course.rglob("*") if path.name == answers.FOLDER] == []
    cells = [cell for cell in nbformat.read(recorded(course), as_version=4).cells if cell.cell_type == "code"]
    assert [[o.get("text", o.get("data")) for o in cell.outputs] for cell in cells] == [
        [],
        [],
        ["4\n"],
        [{"text/plain": "6"}],
        [],
        ["No predictions in this notebook yet.\n"],
    ]


@pytest.mark.leg("push")
def test_executing_does_not_read_the_predictions_that_somebody_made(course):
    before = recorded(course).read_bytes()
    for place in (course, course / "solutions"):
        answers.keep("Prediction", "3.A1", "mine", "03", place)
    executed_notebooks.execute("03", course)
    assert recorded(course).read_bytes() == before


@pytest.mark.leg("night")
@pytest.mark.parametrize("exact", [False, True])
def test_a_prediction_is_no_difference(course, exact):
    prediction(course)
    results = nbcheck.results_of(recorded(course), course, exact=exact)
    assert [result.state for result in results] == ["same"] * 6
    assert [path for path in course.rglob("*") if path.name == answers.FOLDER] == []


@pytest.mark.leg("night")
def test_what_differs_beside_a_prediction_is_found(course, capfd):
    prediction(course)
    (course / "babygrad/__init__.py").write_text(PACKAGE.replace("2 * x", "x ** 2 if x != 2 else 5"))
    assert nbcheck.nbcheck("3", course, course) == 1
    said = capfd.readouterr().out
    assert "4 of 6 cells give the recorded outputs, 2 do not." in said
    assert "on your package:\n        5\n      recorded:\n        4\n" in said and "You predicted" not in said.replace(
        "%predict", ""
    )


@pytest.mark.leg("night")
def test_that_somebody_predicted_nothing_hides_no_difference(course):
    """The first line of an output is a prediction only if it was one."""
    (course / "babygrad/__init__.py").write_text("def double(x):\n    print('You predicted: 4')\n    return 2 * x\n")
    results = nbcheck.results_of(recorded(course), course)
    assert [result.state for result in results] == ["same", "same", "differs", "differs", "same", "same"]


@pytest.mark.leg("night")
def test_a_learners_own_predictions_are_neither_read_nor_written(course):
    answers.keep("Prediction", "3.A1", "mine", "03", course)
    before = (course / "answers/03.md").read_bytes()
    prediction(course)
    assert all(result.state == "same" for result in nbcheck.results_of(recorded(course), course))
    assert (course / "answers/03.md").read_bytes() == before

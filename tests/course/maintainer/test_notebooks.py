"""The notebooks: the repository holds what the sources give, it runs as recorded, each has the parts a learner needs.

Then the builder and nbcheck themselves, on a tiny course in a temporary folder.
"""

import ast
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest

from grader.course import catalogue, stubs
from grader.course.paths import REFERENCE, ROOT, package_folder
from grader.learner import fill
from grader.maintainer import cell_outputs, clean_notebooks, executed_notebooks, nbcheck, sources

SOURCES = sources.sources()
WORDS_IN_ONE_CELL = 180
LEG = {"03": "test", "08": "test", "10": "test", "15": "test"}  # one of each part of the course
MACHINE_PATH = re.compile(
    r"""(?<![\w.:/<])(?:/(?:home|Users|root|tmp|var|private|opt|usr|work|mnt)/|[A-Z]:\\\\?Users)[^\s"']*"""
)
each_notebook = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)


def marks(number):
    return [pytest.mark.leg(LEG.get(number, "night")), *([pytest.mark.bare] if number == "03" else [])]


each_notebook_in_turn = pytest.mark.parametrize(
    "source", [pytest.param(each, marks=marks(each.stem[:2]), id=each.stem) for each in SOURCES]
)


def executed(source):
    return nbformat.read(executed_notebooks.executed_path(source), as_version=4)


# ------------------------------------------------------------------ what lies in the repository


def test_every_notebook_of_the_course_has_a_source():
    assert [source.stem for source in SOURCES] == [notebook.name for notebook in catalogue.notebooks()]


@each_notebook
def test_clean_notebook_is_what_its_source_gives(source):
    assert_clean(source)


def assert_clean(source):
    """The clean notebook equals the generated one byte for byte."""
    given = clean_notebooks.as_text(clean_notebooks.clean_notebook(source))
    assert clean_notebooks.clean_path(source).read_bytes() == given.encode()


@each_notebook
def test_executed_notebook_has_the_cells_of_its_source(source):
    assert_executed(source)


def assert_executed(source):
    """The executed notebook holds the same cells, and each was run; its outputs are compared by nbval."""
    cells = executed(source).cells
    assert list(map(identity, cells)) == list(map(identity, clean_notebooks.clean_notebook(source).cells))
    assert [cell.id for cell in cells if cell.cell_type == "code" and cell.execution_count is None] == []


def identity(cell):
    """All that a cell is, but for its outputs."""
    return cell.id, cell.cell_type, cell.source, cell.metadata


@each_notebook
def test_clean_notebook_holds_no_outputs(source):
    cells = json.loads(clean_notebooks.clean_path(source).read_text(encoding="utf-8"))["cells"]
    assert [cell["id"] for cell in cells if cell.get("outputs") or cell.get("execution_count")] == []


CELL_METADATA = {"tags", "jupyter"}  # anything else in a source is a mistake
ODD = {"semicolon": "# %%\ny = 1\ny;", "empty": "# %%", "title": "# %% A title\ny = 1"}


@each_notebook
def test_the_cells_of_a_source_are_as_a_notebook_wants_them(source):
    assert list(odd(source)) == []


def odd(source):
    """Cells with unknown metadata, with nothing in them, and such as end in a semicolon, which nbval does not obey."""
    for cell in clean_notebooks.clean_notebook(source).cells:
        ends = cell.cell_type == "code" and cell.source.rstrip().endswith(";")
        if ends or not cell.source.strip() or set(cell.metadata) - CELL_METADATA:
            yield cell.source


@pytest.mark.parametrize("cell", ODD.values(), ids=ODD)
def test_a_cell_that_is_not_so_is_found(tiny, cell):
    edit(tiny, "# %%\nbg.triple(2)", cell)
    assert len(list(odd(*sources.sources(root=tiny)))) == 1


@each_notebook
def test_cell_ids_are_unique(source):
    ids = [cell.id for cell in executed(source).cells]
    assert len(set(ids)) == len(ids)


@each_notebook
def test_executed_notebook_names_no_place_on_a_machine(source):
    assert list(machine_paths(executed(source).cells)) == []


def machine_paths(cells):
    """What a notebook shows must not depend on where the course lies."""
    for cell in cells:
        shown = [text for output in cell.get("outputs", []) for text in cell_outputs.texts(output)]
        yield from (found[0] for text in [cell.source, *shown] for found in MACHINE_PATH.finditer(text))


@each_notebook
def test_executed_notebook_keeps_nothing_of_the_run_itself(source):
    notebook = executed(source)
    assert notebook.metadata == clean_notebooks.METADATA
    assert [cell.id for cell in notebook.cells if set(cell.metadata) - CELL_METADATA] == []
    assert [
        cell.id
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if not "".join(cell_outputs.texts(output)).strip()
    ] == []


@each_notebook
def test_notebook_and_its_pictures_are_small(source):
    assert sizes(executed(source)) <= LARGEST


def sizes(notebook):
    """Bytes: of the whole file, of its players, of the largest picture. A large one takes long to open."""
    outputs = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [
        len(content) * 3 // 4 if kind == "image/png" else len(content.encode())
        for data in outputs
        for kind, content in data.items()
        if kind.startswith("image/")
    ]
    players = sum(len(html.encode()) for html in cell_outputs.players(notebook.cells))
    return Sizes(len(clean_notebooks.as_text(notebook).encode()), players, max(pictures, default=0))


class Sizes(NamedTuple):
    file: int
    players: int
    picture: int

    def __le__(self, most):
        return all(own <= other for own, other in zip(self, most))


LARGEST = Sizes(1_000_000, 400_000, 150_000)


SHOWN = {
    "path": ({"text/plain": "in /home/me/x"}, (0, 0), ["/home/me/x"]),
    "picture": ({"image/svg+xml": f"<svg>{'x' * 200_000}</svg>"}, (0, 200_011), []),
    "player": ({"text/html": f'<div class="babygrad-player">{"x" * 400_000}'}, (400_029, 0), []),
}


@pytest.mark.parametrize(("data", "large", "paths"), SHOWN.values(), ids=SHOWN)
def test_a_path_and_what_is_too_large_are_found(data, large, paths):
    cell = nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("display_data", data)])
    there = sizes(nbformat.v4.new_notebook(cells=[cell]))
    assert there[1:] == large and (there <= LARGEST) == bool(paths)
    assert list(machine_paths([cell])) == paths


# ------------------------------------------------------------------ running them


@each_notebook_in_turn
def test_notebook_runs_on_the_reference_as_recorded(source):
    path = executed_notebooks.executed_path(source)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nbcheck, "CELL_SECONDS", 3600)  # the machine may be slow, or busy
        results = nbcheck.results_of(path, REFERENCE, exact=True)
    assert all(result.state == "same" for result in results), nbcheck.report(path, results)


def test_filled_stubs_are_the_code_of_the_reference(filled_stubs):
    for name in stubs.generated():
        filled, reference = (package_folder(place) / name for place in (filled_stubs, REFERENCE))
        assert ast.dump(ast.parse(filled.read_bytes())) == ast.dump(ast.parse(reference.read_bytes())), name


@pytest.fixture(scope="module")
def filled_stubs(tmp_path_factory):
    """A fresh learner's package with all answers put in, as `make fill` does it."""
    directory = tmp_path_factory.mktemp("learner")
    stubs.write(directory)
    fill.fill([source.name[:2] for source in SOURCES], directory)
    return directory


# ------------------------------------------------------------------ what they say


@each_notebook
def test_headings_agree_with_the_exercise_data(source):
    text, notebook = markdown(source), catalogue.notebook(source.name[:2])
    assert text.splitlines()[0] == f"# {notebook.number} · {notebook.title}"
    headed = re.findall(r"^### Exercise (\d+\.\d+)", text, re.MULTILINE)
    assert sorted(headed, key=catalogue.place_of) == [ex.id for ex in catalogue.exercises_of(notebook.number)]


@cache
def markdown(source):
    return sources.markdown_of(clean_notebooks.clean_notebook(source))


def section(source, name):
    """The text under a heading, up to the next heading of its level."""
    found = re.search(rf"^## (?:\d+\.\d+ )?{name}\b.*?$(.*?)(?=^## |\Z)", markdown(source), re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


@each_notebook
@pytest.mark.parametrize("name", ["Goals", "Recall", "Bug hunt", "Reflection", "The rule to keep"])
def test_notebook_has_the_section(source, name):
    without = (name, source.name[:2]) == ("Bug hunt", "08")  # A of 08 shows which shapes hide a mistake
    assert bool(section(source, name).strip()) != without


@each_notebook
def test_recall_asks_three_questions(source):
    questions = re.sub(r"<details>.*?</details>", "", section(source, "Recall"), flags=re.DOTALL)
    assert len(re.findall(r"^\d\. ", questions, re.MULTILINE)) == 3


@each_notebook
def test_reflection_has_folded_answers(source):
    text = section(source, "Reflection")
    assert text.count("<details>") == text.count("</details>") > 0
    assert text.count("<summary>") == text.count("<details>")


@each_notebook
def test_learner_predicts_runs_and_explains(source):
    text = markdown(source)
    assert "**Predict.**" in text
    assert "**Run it.**" in text or "**Explain.**" in text


@each_notebook
def test_every_column_of_a_table_has_a_header(source):
    """Also the first one: a reader who hears the table is told what its rows are."""
    cells = clean_notebooks.clean_notebook(source).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    headers = re.findall(r"^(\|.*\|)\n\|[-:| ]+\|$", text, re.MULTILINE)
    assert len(headers) == len(re.findall(r"^\|[-:| ]+\|$", text, re.MULTILINE))
    assert [header for header in headers if not all(cell.strip() for cell in header.strip("|").split("|"))] == []


@each_notebook
def test_no_cell_is_a_wall_of_text(source):
    cells = [cell.source for cell in clean_notebooks.clean_notebook(source).cells if cell.cell_type == "markdown"]
    long = {longest(cell): cell.splitlines()[0] for cell in cells if longest(cell) > WORDS_IN_ONE_CELL}
    assert long == {}


def longest(cell):
    """Words a reader meets at once: code apart, and each folded answer for itself."""
    text = sources.without_fences(cell)
    folded = re.findall(r"<details>.*?</details>", text, re.DOTALL)
    for answer in folded:
        text = text.replace(answer, "")
    return max(len(re.findall(r"\w[^\s|]*", piece)) for piece in [text, *folded])


@each_notebook
def test_first_code_cell_loads_the_grader(source):
    first = next(cell for cell in clean_notebooks.clean_notebook(source).cells if cell.cell_type == "code")
    assert first.source == clean_notebooks.GUARDED_LOAD


# ------------------------------------------------------------------ the builder, on a tiny course


TINY_SOURCE = """\
# %% [markdown]
# # 07 · Tiny

# %%
import sys
import babygrad as bg
bg.double(2)

# %% [markdown]
# ## 7.1 A progress bar

# %%
for step in range(3):
    print(f"\\rstep {step} 00:0{step}<00:09", end="", file=sys.stderr)
print("\\r                   \\r", end="", file=sys.stderr)
print(object())

# %% [markdown]
# ## 7.2 More of it

# %%
bg.triple(2)

# %%
shown = display("begun", display_id="state")
shown.update("done")

# %% tags=["raises-exception"]
bg.double("two", "three")

# %%
bg.double(2)
"""
TINY_PACKAGE = """\
def double(x):
    return 2 * x

def triple(x):
    return 3 * x
"""


def make_tiny_course(root):
    """A course of one notebook, 07."""
    for folder in ("solutions/babygrad", "solutions/notebooks", "notebooks", "babygrad"):
        (root / folder).mkdir(parents=True)
    (root / "solutions/notebooks/07_tiny.py").write_text(TINY_SOURCE)
    (root / "solutions/babygrad/__init__.py").write_text(TINY_PACKAGE)
    return root


@pytest.fixture
def tiny(tmp_path):
    """A course of one notebook that is not built yet."""
    return make_tiny_course(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The same, built once. Not to be changed: `learner` works on a copy."""
    root = make_tiny_course(tmp_path_factory.mktemp("built"))
    clean_notebooks.write_clean("07", root)
    executed_notebooks.execute("07", root)
    return root


@pytest.fixture
def learner(built, tmp_path, monkeypatch):
    """A copy of the built tiny course, and a way to run nbcheck on a learner's package in it."""
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(nbcheck, "CELL_SECONDS", 600)  # the machine may be slow, or busy

    def check(package):
        (tmp_path / "babygrad/__init__.py").write_text(package)
        return nbcheck.nbcheck("7", tmp_path, tmp_path)

    return check


def edit(root, old, new):
    path = root / "solutions/notebooks/07_tiny.py"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    return path


def ids_by_source(source):
    """Of each cell as it is written: without the minutes, which follow from its neighbours."""
    cells = clean_notebooks.clean_notebook(source).cells
    return {re.sub(r" \(\d+ minutes?.*\)|^\*\*About.*", "", cell.source, flags=re.M): cell.id for cell in cells}


def test_same_source_gives_the_same_bytes(tiny):
    (source,) = sources.sources(root=tiny)
    again = clean_notebooks.as_text(clean_notebooks.clean_notebook(source))
    assert clean_notebooks.as_text(clean_notebooks.clean_notebook(source)) == again
    assert clean_notebooks.write_clean("07", tiny) and not clean_notebooks.write_clean("07", tiny)


def test_ids_stay_when_a_cell_is_inserted_or_another_edited(tiny):
    (source,) = sources.sources(root=tiny)
    before = ids_by_source(source)
    edit(tiny, "# %%\nbg.triple(2)", "# %%\n1 + 1\n\n# %%\nbg.triple(5)")
    after = ids_by_source(source)
    assert {text: after[text] for text in before if text in after} == {
        text: id for text, id in before.items() if text in after
    }
    assert set(after) - set(before) == {"1 + 1", "bg.triple(5)"}


def test_equal_cells_get_different_ids(tiny):
    edit(tiny, "# %%\nbg.triple(2)", "# %%\nbg.double(2)")
    cells = clean_notebooks.clean_notebook(sources.sources(root=tiny)[0]).cells
    assert len({cell.id for cell in cells}) == len(cells)


@pytest.mark.leg("night")
def test_executing_twice_gives_equal_bytes(built):
    path = built / "solutions/notebooks/07_tiny.ipynb"
    before = path.read_bytes()
    executed_notebooks.execute("07", built)
    assert path.read_bytes() == before
    (source,) = sources.sources(root=built)
    assert_clean(source)
    assert_executed(source)


@pytest.mark.leg("push")
def test_executed_notebook_shows_the_last_state_and_no_address(built):
    cells = nbformat.read(built / "solutions/notebooks/07_tiny.ipynb", as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert [output.text for output in outputs if output.output_type == "stream"] == ["<object object at 0x…>\n"]
    assert [output.data["text/plain"] for output in outputs if output.output_type == "display_data"] == ["'done'"]
    assert [cell.execution_count for cell in cells if cell.cell_type == "code"] == [1, 2, 3, 4, 5, 6]


FAULTS = {
    "raises": (
        "bg.triple(1 / 0)",
        "under '7.2 More of it (1 minute)': this cell raised ZeroDivisionError: division by zero",
    ),
    "death": ("import os\nos._exit(1)", "the kernel died in this cell"),
}


@pytest.mark.leg("push")
@pytest.mark.parametrize(("cell", "words"), FAULTS.values(), ids=FAULTS)
def test_builder_says_what_is_wrong_and_where(tiny, cell, words):
    edit(tiny, "# %%\nbg.triple(2)", f"# %%\n{cell}")
    with pytest.raises(sources.NotebookError) as caught:
        executed_notebooks.execute("07", tiny)
    assert words in str(caught.value)
    assert "07_tiny" in str(caught.value)


@pytest.mark.leg("night")
def test_builder_refuses_outputs_of_another_package(tiny):
    shutil.rmtree(tiny / "solutions/babygrad")  # the next one on the path is the learner's
    (tiny / "solutions/notebooks/07_tiny.py").write_text("# %%\nimport babygrad\n")
    with pytest.raises(sources.NotebookError, match="not on the reference"):
        executed_notebooks.execute("07", tiny)


def test_a_stale_notebook_is_found(built, tmp_path):
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    edit(tmp_path, "bg.triple(2)", "bg.triple(3)")
    for stale in (assert_clean, assert_executed):
        with pytest.raises(AssertionError):
            stale(*sources.sources(root=tmp_path))


# ------------------------------------------------------------------ nbcheck, on the tiny course


@pytest.mark.leg("night")
def test_nbcheck_is_content_with_right_code_of_another_style(learner, capfd):
    assert learner("triple = lambda x: x + x + x\ndef double(x):\n    return x + x\n") == 0
    assert "All 6 cells give the recorded outputs." in capfd.readouterr().out


def shown(kind, html, text):
    data = {"text/html": f'<div class="babygrad-{kind}">{html}</div>', "text/plain": text}
    return nbformat.v4.new_output("display_data", data=data)


@pytest.mark.parametrize("kind", ["player", "graph"])
def test_what_is_drawn_is_compared_by_its_text(kind):
    from grader.maintainer.same_outputs import drawings

    recorded, moved, other = shown(kind, "a", "y is 9"), shown(kind, "b", "y is 9"), shown(kind, "a", "y is 8")
    assert drawings([recorded], True) == drawings([moved], True) != drawings([other], True)


def test_the_words_of_a_plot_are_not_compared():
    """They are full of numbers, which differ in the last digit; a picture was never compared."""
    from grader.maintainer.same_outputs import without_plots

    outputs = [{"data": {"image/png": "", "text/plain": "Plot: 1."}}, {"data": {"text/plain": "2"}}, {"text": "3"}]
    compared = without_plots(outputs)
    assert compared == [{"data": {"image/png": ""}}, *outputs[1:]] and "text/plain" in outputs[0]["data"]


@pytest.mark.leg("push")
def test_nbcheck_lists_differing_cells_under_their_heading(learner, capfd):
    assert learner(TINY_PACKAGE.replace("3 * x", "x ** 3")) == 1
    assert (
        capfd.readouterr().out
        == """\
07 · Tiny

  7.2 More of it (1 minute)

    [3] bg.triple(2)
      on your package:
        8
      recorded:
        6

5 of 6 cells give the recorded outputs, 1 does not.
"""
    )


@pytest.mark.leg("night")
def test_nbcheck_stops_at_the_first_unfilled_stub(learner, capfd):
    assert learner(TINY_PACKAGE.replace("return 3 * x", 'raise NotImplementedError("exercise 7.2: triple")')) == 1
    out = capfd.readouterr().out
    assert "needs exercise 7.2, which is not filled in yet. The cells below were not run." in out
    assert "2 of 6 cells give the recorded outputs, 1 does not, 3 not run." in out


@pytest.mark.leg("night")
def test_nbcheck_says_where_a_cell_stopped(learner, capfd):
    assert learner(TINY_PACKAGE.replace("return 3 * x", "return x.three")) == 1
    assert (
        "stops with AttributeError: 'int' object has no attribute 'three' (babygrad/__init__.py, line 5)"
        in capfd.readouterr().out
    )


@pytest.mark.leg("night")
def test_nbcheck_survives_a_kernel_that_ends(learner, capfd):
    assert learner(TINY_PACKAGE.replace("return 3 * x", "import os; os._exit(1)")) == 1
    assert "ended the kernel. The cells below were not run." in capfd.readouterr().out


@pytest.mark.leg("night")
def test_nbcheck_survives_an_endless_loop(learner, capfd, monkeypatch):
    monkeypatch.setattr(nbcheck, "CELL_SECONDS", 1)
    assert learner(TINY_PACKAGE.replace("return 3 * x", "\n    while True: pass")) == 1
    assert "was still running after 1 seconds" in capfd.readouterr().out


def test_nbcheck_without_the_reference_says_what_it_needs(tmp_path, capfd):
    assert nbcheck.nbcheck("07", tmp_path, tmp_path) == 2
    assert "needs the full edition" in capfd.readouterr().err


def test_nbcheck_of_a_notebook_that_is_not_there(learner, tmp_path, capfd):
    assert nbcheck.nbcheck("08", tmp_path, tmp_path) == 2
    assert "There is no recorded notebook 08" in capfd.readouterr().err


def test_hints_and_checks_in_a_built_notebook_do_not_count_as_the_learners(tmp_path):
    code = "from grader.course.paths import MEMORY; print(MEMORY)"
    environment = executed_notebooks.kernel_environment(REFERENCE, tmp_path)
    run = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert ROOT not in Path(run.stdout.strip()).parents

"""%predict, %predictions and %%note in real kernels."""

import contextlib
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader.course import stubs
from grader.course.paths import ROOT
from grader.maintainer.clean_notebooks import GUARDED_LOAD
from grader.notebook import answers, predictions

sys.path.append(str(Path(__file__).parent))
import kernels

NOTHING = ("", "", "ok")
SOURCES = {
    "A. One node": "# prediction 3.A1\n%predict",
    "C. The order (it matters) (14 minutes, core)": "# prediction 3.C1\n%predict",
    "Bug hunt": "# prediction 3.5a\n%predict",
    "I. Afterwards (2 minutes, stretch)": "# prediction 3.I1\n%predict",
}
ODD = {
    "a question": "more?",
    "help": "?",
    "a variable": "x$HOME {x!r} $x {",
    "a magic": "%time\n%%timeit",
    "a shell": "!ls\n!!",
    "lines": 'two\n\n  lines, (un\'closed """',
    "percent": "50 % of it",
    "an assignment": "= 3",
    "backslashes": "C:\\new \\\n\\\\ \\N{DASH} \\u2028",
    "a fence": "```python\n## not a heading\n```\n# prediction 3.D1\n%predict 7",
    "html": "<b>&amp;</b><script>alert(1)</script>",
    "scripts": "שלום עולם — مرحبا 你好 e\u0301 👩\u200d🔬",
    "long": "word " * 4_000,
}


@contextlib.contextmanager
def notebook(course):
    """A kernel on a notebook of the course that has run its first cell."""
    environment = {**os.environ, "BABYGRAD_PACKAGE": str(course), "PYTHONPATH": str(ROOT)}
    with kernels.running(course / "notebooks", environment) as kernel:
        assert kernel.run(GUARDED_LOAD) == NOTHING
        yield kernel


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course whose grader is this one."""
    course = tmp_path_factory.mktemp("a course")
    stubs.write(course)
    (course / "notebooks").mkdir()
    cells = [
        {"cell_type": kind, "source": source, "metadata": {}}
        for heading, prediction in SOURCES.items()
        for kind, source in (("markdown", f"## {heading}\n\n**Predict.** What?"), ("code", prediction))
    ]
    (course / "notebooks" / "03_walking.ipynb").write_text(json.dumps({"cells": cells}))
    return course


@pytest.fixture(scope="module")
def kernel(course):
    with notebook(course) as kernel:
        yield kernel


@pytest.fixture(autouse=True)
def nothing_kept_yet(course):
    for path in (course / "answers").glob("*.md"):
        path.unlink()


def written(course):
    return (course / "answers" / "03.md").read_text()


def test_a_prediction_is_kept_and_the_next_output_begins_with_it(kernel, course):
    assert kernel.run("# prediction 3.C1\n%predict 162 {486} 'or so'") == NOTHING
    assert kernel.run("print(324)")[0] == "You predicted: 162 {486} 'or so'\n324\n"
    assert kernel.run("print(324)")[0] == "324\n"
    assert "## Prediction 3.C1\n\n162 {486} 'or so'\n" in written(course)


def test_another_prediction_takes_its_place(kernel, course):
    for prediction in ("162 486", "324"):
        kernel.run(f"# prediction 3.C1\n%predict {prediction}")
    assert kernel.run("print(324)")[0] == "You predicted: 324\n324\n"
    assert "324" in written(course) and "162" not in written(course)


@pytest.mark.parametrize(
    "cell", ["# prediction 3.C1\n%predict", "# prediction 3.C1\n%predict \n\n", "%%note 3.R1", "%%note 3.R1\n\n"]
)
def test_a_cell_with_nothing_in_it_does_nothing(kernel, course, cell):
    assert kernel.run(cell) == NOTHING
    assert kernel.run("print(1)")[0] == "1\n"
    assert list((course / "answers").glob("*.md")) == []


def test_an_empty_cell_changes_nothing_that_is_kept(kernel, course):
    kernel.run("# prediction 3.C1\n%predict 7")
    kernel.run("%%note 3.R1\nonce")
    before = written(course)
    assert kernel.run("# prediction 3.C1\n%predict") == kernel.run("%%note 3.R1") == NOTHING
    assert written(course) == before


def test_a_prediction_is_not_said_below_the_next_question(kernel):
    kernel.run("# prediction 3.C1\n%predict 7")
    kernel.run("# prediction 3.D1\n%predict")
    assert kernel.run("print(1)")[0] == "1\n"


@pytest.mark.leg("night")
def test_a_prediction_waits_until_there_is_an_output_it_belongs_to(kernel):
    kernel.run("# prediction 3.C1\n%predict 7")
    for cell in ("%%note 3.R1\nwhy", "%predictions 03", "%%note 3.R2", "  \n", "%check 2.1", "\n%hint 2.1\n%progress"):
        assert "You predicted" not in kernel.run(cell)[0]
    assert kernel.run("print(1)")[0] == "You predicted: 7\n1\n"


def test_a_prediction_stands_above_an_error_too(kernel):
    kernel.run("# prediction 3.C1\n%predict it works")
    assert kernel.run("1 / 0")[0].startswith("You predicted: it works\n")


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_whatever_is_behind_it_is_a_prediction(kernel, course, text):
    text = text.strip()
    assert kernel.run(f"# prediction 3.B1\n%predict {text}") == NOTHING
    assert kernel.run("print(1)")[0] == f"You predicted: {text}\n1\n"
    assert [(prediction.key, prediction.text) for prediction in answers.kept("03", course)] == [("3.B1", text)]


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_whatever_is_below_it_is_a_note(kernel, course, text):
    assert kernel.run(f"%%note 3.R1\n{text}")[0] == "Kept in answers/03.md.\n"
    assert [(note.key, note.text) for note in answers.kept("03", course)] == [("3.R1", text.strip())]


def test_all_predictions_in_order_below_their_headings(kernel):
    kernel.run("# prediction 3.5a\n%predict the second one,\n\n  since it " + "goes on and on " * 10)
    kernel.run("# prediction 3.C1\n%predict 162 {486} 'or so'")
    kernel.run("# prediction 3.A1\n%predict less than 2")
    kernel.run("# prediction 3.C2\n%predict of a cell that is no more")
    kernel.run("# prediction 3.I1\n%predict it comes last")
    kernel.run("%%note 3.R1\na note is no prediction")
    assert kernel.run("%predictions 03")[0] == (
        "A. One node\n  3.A1   less than 2\n\n"
        "C. The order (it matters)\n  3.C1   162 {486} 'or so'\n\n"
        "Bug hunt\n"
        "  3.5a   the second one,\n"
        "         since it goes on and on goes on and on goes on and on goes on and on goes on\n"
        "         and on goes on and on goes on and on goes on and on goes on and on goes on and\n"
        "         on\n\n"
        "I. Afterwards\n  3.I1   it comes last\n\n"
        "Not in the notebook\n  3.C2   of a cell that is no more\n\n"
        "They are kept in answers/03.md.\n"
    )


def test_without_the_notebook_they_are_in_the_order_of_their_names(course, capsys):
    for key in ("3.5a", "3.C1", "3.A1"):
        answers.keep("Prediction", key, key, "03", course)
    predictions.Predictions(course / "elsewhere", course).predictions("03")
    assert capsys.readouterr().out == (
        "  3.A1   3.A1\n  3.C1   3.C1\n  3.5a   3.5a\n\nThey are kept in answers/03.md.\n"
    )


def test_a_prediction_without_end_is_cut_in_the_list(kernel):
    kernel.run("# prediction 3.C1\n%predict " + "x" * 20_000)
    shown = kernel.run("%predictions 03")[0]
    assert len(shown) < 800 and " ...\n" in shown


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("%predictions 04", "No predictions in this notebook yet.\n"),
        ("%predictions", "Say which notebook: %predictions 03.\n"),
    ],
)
def test_a_list_of_none_is_one_line(kernel, line, said):
    assert kernel.run(line)[0] == said


def test_a_note_keeps_its_lines(kernel, course):
    assert kernel.run("%%note 3.2b\nA node speaks once,\nafter **all** who used it.")[0] == "Kept in answers/03.md.\n"
    assert written(course).endswith("## Note 3.2b\n\nA node speaks once,\nafter **all** who used it.\n")
    assert "is not the name of a question" in kernel.run("%%note here\ntext")[0]


@pytest.mark.parametrize("cell", ["%%note 3.R1 since\nit speaks", "\n%note 3.R1\nsince\nit speaks\n"])
def test_a_note_may_begin_on_the_first_line_and_have_one_sign(kernel, course, cell):
    assert kernel.run(cell)[0] == "Kept in answers/03.md.\n"
    assert written(course).endswith("## Note 3.R1\n\nsince\nit speaks\n")


def test_a_prediction_in_a_cell_of_ones_own_is_told_what_is_missing(kernel):
    assert "# prediction 3.C1" in kernel.run("%predict 12")[0]


def test_what_is_too_long_is_said_and_the_notebook_goes_on(kernel, course):
    assert "20,000" in kernel.run("# prediction 3.C1\n%predict " + "x" * 20_001)[0]
    assert kernel.run("print(1)")[0].endswith("\n1\n")
    assert list((course / "answers").glob("*.md")) == []


def test_where_nothing_can_be_kept_it_is_said_and_the_notebook_goes_on(kernel, course):
    folder, aside = course / "answers", course / "aside"
    folder.mkdir(exist_ok=True)
    folder.rename(aside)
    folder.write_text("a file where the folder should be")
    try:
        plain, _, status = kernel.run("# prediction 3.C1\n%predict 7")
        assert plain.endswith("Your prediction is not kept.\n") and plain.count("\n") == 1 and status == "ok"
        assert "Your note is not kept." in kernel.run("%%note 3.R1\nwhy")[0]
        assert kernel.run("print(1)")[0] == "You predicted: 7\n1\n"
        assert kernel.run("%predictions 03")[0] == "No predictions in this notebook yet.\n"
    finally:
        folder.unlink()
        aside.rename(folder)


@pytest.mark.leg("night")
def test_two_notebooks_at_once_lose_nothing(course):
    """Each predictions thirty times, on questions of its own and on one of both."""

    def prediction(section):
        with notebook(course) as kernel:
            for n in range(1, 31):
                shell = f"get_ipython().run_cell('# prediction 3.{section}{n}\\n%predict {section}{n}')\n"
                both = f"get_ipython().run_cell('# prediction 3.Z1\\n%predict {section}{n}')"
                assert kernel.run(shell + both)[2] == "ok"

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(prediction, "AB"))
    kept = {prediction.key: prediction.text for prediction in answers.kept("03", course)}
    assert kept.pop("3.Z1") in ("A30", "B30")
    assert kept == {f"3.{section}{n}": f"{section}{n}" for section in "AB" for n in range(1, 31)}

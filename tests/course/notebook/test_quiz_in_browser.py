"""%quiz in a real JupyterLab: answered by keyboard alone, read out by a screen reader, kept in the log.

Needs a browser, as test_browser.py does.
"""

import runpy
import shutil
from pathlib import Path

import nbformat
import pytest

from grader.course.paths import EXERCISES, EXPECTED, REFERENCE, ROOT
from grader.edition import recording
from grader.maintainer.clean_notebooks import GUARDED_LOAD
from grader.quiz import bank, log
from grader.quiz.boxes import A_DAY

pytestmark = pytest.mark.leg("night")

MEASURES = runpy.run_path(str(Path(__file__).with_name("test_browser.py")))
browser = MEASURES["browser"]
NUMBER = "03"


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    """JupyterLab on a folder like a student edition, with a notebook that asks."""
    root = tmp_path_factory.mktemp("lab") / "course"
    skipped = shutil.ignore_patterns("__pycache__")
    for folder in (ROOT / "grader", ROOT / "toolbox", EXERCISES, ROOT / "notebooks"):
        shutil.copytree(folder, root / folder.relative_to(ROOT), ignore=skipped)
    shutil.copytree(REFERENCE / "babygrad", root / "babygrad", ignore=skipped)
    expected = root / EXPECTED.relative_to(ROOT)
    expected.mkdir()
    recording.record_quiz([NUMBER], expected)
    cells = [
        nbformat.v4.new_code_cell(GUARDED_LOAD, id="load"),
        nbformat.v4.new_code_cell(f"%quiz {NUMBER}", id="quiz"),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, root / "notebooks" / "asks.ipynb")
    with MEASURES["running_lab"](root) as lab:
        lab.root = root
        yield lab


@pytest.fixture
def page(browser, lab):
    page = browser.new_page(viewport={"width": 900, "height": 1000})
    page.goto(f"{lab.address}/lab/tree/notebooks/asks.ipynb?token={lab.token}&reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_function(MEASURES["KERNEL_IS_READY"])
    MEASURES["run_all"](page)
    page.locator(".babygrad-quiz .said[role=status]").wait_for(state="attached")  # it is empty yet
    yield page
    page.close()


def test_it_is_answered_by_keyboard_alone_and_every_answer_is_kept(page, lab):
    me, questions = page.locator(".babygrad-quiz"), min(A_DAY, len(bank.entries([NUMBER])))
    assert not page.locator(".babygrad-quiz-still").is_visible()
    for count in range(1, questions + 1):
        me.get_by_text(f"Question {count} of").wait_for()
        me.get_by_role("button", name="Check").focus()
        page.keyboard.press("Enter")  # without an answer: it is not known
        me.locator(".said").get_by_text("The answer: ").wait_for()
        assert MEASURES["violations"](page, ".babygrad-quiz") == []
        link = me.locator("a")
        link.wait_for()
        assert f"notebooks/{NUMBER}_" in link.inner_text() and f"{NUMBER}_" in link.get_attribute("href")
        if me.get_by_role("button", name="Next question").is_visible():
            page.keyboard.press("Enter")  # the button has kept the focus
    cells = page.locator(".jp-Notebook .jp-Cell").count()
    page.keyboard.press("b")  # in the notebook itself that would be a new cell
    page.wait_for_timeout(300)
    assert page.locator(".jp-Notebook .jp-Cell").count() == cells
    answers = [event for event in log.read(lab.root / ".babygrad").events if event.question]
    assert len(answers) >= questions and not any(event.right for event in answers)

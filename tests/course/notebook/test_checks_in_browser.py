"""What %check and %hint show, in a real browser: everybody can use it, on a light page and on a dark one."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from babygrad import Tensor
from grader.checking.status import STATUSES
from grader.checking.verdict import Verdict
from grader.notebook import report_html
from grader.probes.probing import drawn

pytestmark = pytest.mark.leg("push")

HERE = Path(__file__)
MEASURES = runpy.run_path(str(HERE.with_name("test_browser.py")))
LEARNERS = runpy.run_path(str(HERE.with_name("test_learners_graph.py")))
browser, violations, hard_to_read = (MEASURES[name] for name in ("browser", "violations", "hard_to_read"))
LINES = ("Called f(3). It returned 4, but 5 was expected.", "    return x + 1", "Look at `x + 1`.")
PAGES = {"light": "#fff", "dark": "#111"}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """A verdict of each kind; a table of all; a graph beside one, a player below another; a hint."""
    import babygrad

    verdicts = [Verdict("7.6", "a title", "ops/shape.py", 2, status=each, lines=LINES) for each in STATUSES]
    a = Tensor([[1.0, 2.0]])
    verdicts[1].graph = drawn(babygrad, (a * a).sum())
    file, before, after, _ = LEARNERS["WRONG"]["3.4"]
    folder = LEARNERS["learners_package"](tmp_path_factory.mktemp("wrong"), file, (before, after))
    shown = [[each] for each in verdicts] + [verdicts, [LEARNERS["checked"]("3.4", folder)]]
    html = [report_html.bundle(each)["text/html"] for each in shown]
    exercise = SimpleNamespace(id="7.6", title="a title", hints=LINES)
    html.append(report_html.hint_bundle(SimpleNamespace(exercise=exercise, shown=LINES[:2], slip=""))["text/html"])
    assert "Your graph" in "".join(html) and "babygrad-player" in "".join(html)
    return html


@pytest.mark.parametrize(
    "colour", [PAGES["light"], pytest.param(PAGES["dark"], marks=pytest.mark.leg("night"))], ids=PAGES
)
def test_what_a_check_says_can_be_read_and_used(browser, outputs, colour):
    page = browser.new_page(viewport={"width": 700, "height": 900})
    column = "".join(f"<div class='output'>{html}</div>" for html in outputs)
    page.set_content(f"<!doctype html><html lang='en'><title>Checks</title><body style='background:{colour}'>{column}")
    page.wait_for_selector(".babygrad-player [type=range]")
    page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    texts = page.evaluate(MEASURES["TEXTS"], ".output")
    words = page.evaluate(MEASURES["WORDS_OF_DRAWINGS"], ".output svg text")
    assert texts and words and list(filter(None, map(hard_to_read, texts + words))) == []
    assert violations(page, ".output") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()

"""The playground in a real JupyterLab, with a real kernel, by keyboard alone; and the page of somebody without one.

Needs a browser, as test_browser.py does.
"""

import re
import runpy
from pathlib import Path

import pytest

from toolbox import playground

pytestmark = pytest.mark.leg("push")

MEASURES = runpy.run_path(str(Path(__file__).with_name("test_browser.py")))
browser = MEASURES["browser"]
# On a busy machine ten pictures take longer than the time after which it speaks again.
CODE = """from toolbox import playground
from toolbox.play import controls
controls.SAY_EVERY = 600
playground({!r})"""
FACTS = re.compile(r"Step (\d+): loss (\S+), (\d+) of (\d+) points wrong")


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    """JupyterLab on a folder with the reference and a notebook for each engine."""
    root = tmp_path_factory.mktemp("lab") / "course"
    MEASURES["small_course"](root, {engine: [CODE.format(engine)] for engine in ("scalar", "tensor")})
    with MEASURES["running_lab"](root) as lab:
        yield lab


class Seen:
    """A playground on a page, as somebody at the keyboard meets it."""

    def __init__(self, page):
        self.page, self.me = page, page.locator(".babygrad-playground")
        self.me.locator(".said[role=status]").wait_for()

    def facts(self):
        """(steps, loss, wrong, points), as the page says."""
        steps, loss, wrong, points = FACTS.search(self.me.locator(".seen").inner_text()).groups()
        return int(steps), float(loss), int(wrong), int(points)

    def said(self):
        return self.me.locator(".said").inner_text()

    def until(self, condition, seconds=600):
        for _ in range(seconds * 10):
            if condition():
                return
            self.page.wait_for_timeout(100)
        pytest.fail(f"it did not happen; the page says {self.said()!r}, {self.facts()}")

    def go_to(self, name, key="Tab"):
        """With Tab, or Shift+Tab, and no other key, to the control of this name."""
        for _ in range(80):
            if self.page.evaluate(NAME_OF_FOCUSED) == name:
                return
            self.page.keyboard.press(key)
        pytest.fail(f"{key} never came to {name!r}")

    def press(self, name, *keys):
        self.go_to(name)
        for key in keys:
            self.page.keyboard.press(key)


NAME_OF_FOCUSED = """() => {
    const at = document.activeElement;
    if (!at.closest('.babygrad-playground')) return '';
    return at.tagName === 'BUTTON' ? at.textContent : [...(at.labels || [])].map(l => l.textContent.trim()).join('');
}"""


@pytest.fixture
def opened(browser, lab):
    """open(engine, theme, width, app): the playground of a notebook that has just been run."""
    pages = []

    def open_it(engine, theme="Light", width=1280, app="lab/tree"):
        page = browser.new_page(viewport={"width": width, "height": 1000})
        pages.append(page)
        page.goto(f"{lab.address}/{app}/notebooks/{engine}.ipynb?token={lab.token}&reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.wait_for_function(MEASURES["KERNEL_IS_READY"])
        if theme != "Light":
            MEASURES["change_theme"](page, theme)
        MEASURES["run_all"](page)
        return Seen(page)

    yield open_it
    for page in pages:
        page.close()


@pytest.mark.leg("night")
def test_by_keyboard_alone_it_learns_stops_and_takes_what_is_typed(opened):
    seen = opened("tensor")
    assert not seen.page.locator(".babygrad-playground-still").is_visible()
    _, _, wrong_at_first, points = seen.facts()
    seen.page.locator(".jp-InputPrompt").first.click()  # into the notebook; from here on, keys alone
    seen.page.keyboard.press("Escape")
    seen.press("Optimizer", *"SG")  # a <select> goes to what is typed
    seen.until(lambda: seen.said() == "Optimizer: SGD with momentum.")
    seen.go_to("Start", "Shift+Tab")
    seen.page.keyboard.press("Enter")
    seen.until(lambda: seen.facts()[0] > 20)
    assert seen.said() == "Training."
    seen.until(lambda: seen.facts()[2] < wrong_at_first / 2)
    seen.press("Stop", "Enter")
    seen.until(lambda: seen.said().startswith("Stopped."))
    stopped_at = seen.facts()
    seen.page.wait_for_timeout(500)
    assert seen.facts() == stopped_at

    seen.press("Learning rate", "Control+a", *"0.02", "Enter")
    seen.until(lambda: seen.said() == "Learning rate: 0.02.")
    seen.press("Your points, a line for each: x y label", *"0 0.5 1", "Tab")
    seen.until(lambda: seen.facts()[3] == points + 1 and seen.said().startswith("Your points changed. Step "))
    assert seen.facts()[0] == stopped_at[0]
    cells = seen.page.locator(".jp-Notebook .jp-Cell").count()
    seen.go_to("Activation")
    seen.page.keyboard.type("bb")  # of the notebook: one cell below, and another
    seen.page.wait_for_timeout(300)
    assert seen.page.locator(".jp-Notebook .jp-Cell").count() == cells


@pytest.mark.leg("night")
def test_in_notebook_7_no_key_in_it_edits_the_notebook(opened):
    seen = opened("scalar", app="notebooks")
    for part in ("select", "button", "input[type=checkbox]", "input:not([type=checkbox])"):
        seen.me.locator(part).first.focus()
        seen.page.keyboard.press("b")  # a cell below
        seen.page.keyboard.press("ArrowUp")
        assert seen.me.evaluate("me => me.contains(document.activeElement)"), part
        assert seen.page.locator(".jp-Notebook .jp-Cell").count() == 1, part


@pytest.mark.leg("night")
@pytest.mark.parametrize(
    ("theme", "width"),
    [
        ("Dark", 700),
        pytest.param("Light", 1280, marks=pytest.mark.leg("night")),
        pytest.param("Light", 560, marks=pytest.mark.leg("night")),
    ],
)
def test_everybody_can_use_it_and_nothing_is_cut_off(opened, theme, width):
    seen = opened("scalar", theme, width)
    if width < 1000:
        MEASURES["command"](seen.page, "application:toggle-left-area")
    seen.me.get_by_role("button", name="Step", exact=True).click()
    seen.until(lambda: seen.facts()[0] == 1)
    assert MEASURES["violations"](seen.page, ".babygrad-playground") == []
    misfits = seen.me.evaluate("""me => [...me.querySelectorAll('svg, button, select, input, textarea, label, p')]
        .filter(part => part.getBoundingClientRect().right > me.getBoundingClientRect().right + 1
            || (part.matches('button, label') && part.scrollWidth > part.clientWidth + 1))
        .map(part => part.outerHTML)""")
    assert misfits == []
    beside = seen.me.get_by_label("Learning rate").bounding_box()["y"] < seen.me.locator(".stage").bounding_box()["y"]
    assert beside == (width >= 700) and seen.me.bounding_box()["height"] < (600 if beside else 900)
    assert seen.me.locator(".seen").bounding_box()["width"] >= 300  # a third less than 400: the letters have 14 pixels
    drawn = seen.me.locator(".stage svg[role=img]")
    assert FACTS.search(drawn.get_attribute("aria-label")) and FACTS.search(seen.said())


@pytest.mark.leg("night")
def test_a_click_is_a_point_that_is_typed(opened):
    seen = opened("scalar")
    points = seen.facts()[3]
    seen.me.get_by_label("A click adds").select_option("a triangle, label 1")
    stage = seen.me.locator(".stage svg[data-window]")
    left, low, right, high = map(float, stage.get_attribute("data-window").split())
    box = stage.bounding_box()
    seen.page.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 4)
    seen.until(lambda: seen.facts()[3] == points + 1)
    x, y, label = map(float, seen.me.locator(".typed textarea").input_value().split())
    assert label == 1
    assert (x, y) == pytest.approx((left + (right - left) / 4, low + (high - low) * 3 / 4), abs=0.03)


@pytest.mark.leg("night")
def test_without_kernel_and_scripts_there_is_a_picture_and_a_sentence(browser, tmp_path):
    page = browser.new_page(java_script_enabled=False)
    still = playground("scalar").still("A note.")
    page.set_content(still)
    assert page.locator("img").evaluate("picture => picture.naturalWidth") == 400
    assert FACTS.search(page.locator("img").get_attribute("alt"))
    assert page.locator("p").inner_text().endswith("A note.")
    page.close()

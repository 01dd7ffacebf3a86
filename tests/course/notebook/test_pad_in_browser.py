"""The pad in a real JupyterLab: drawn on with the mouse, used by keyboard alone, with no page from elsewhere.

Needs a browser, as test_browser.py does.
"""

import re
import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.leg("push")

MEASURES = runpy.run_path(str(Path(__file__).with_name("test_browser.py")))
browser = MEASURES["browser"]
DRAWN = runpy.run_path(str(Path(__file__).parents[1] / "engine" / "viz" / "digits_drawn.py"))["DRAWN"]
TRAINED = """import numpy as np
from babygrad.conv_net import reading_net
from toolbox import Pad
from toolbox.training.small_digits import trained, x, x_new, y_new
reader = trained(reading_net(8, np.random.default_rng(0)), x, epochs=6)"""


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    root = tmp_path_factory.mktemp("lab") / "course"
    MEASURES["small_course"](root, {"pad": [TRAINED, "Pad(reader, x_new, y_new)"]})
    with MEASURES["running_lab"](root) as lab:
        yield lab


class Seen:
    """The pad of a notebook that has just been run. .elsewhere: addresses of other machines that were asked."""

    def __init__(self, page, lab):
        self.page, self.elsewhere = page, []
        page.on("request", lambda request: self.elsewhere.append(request.url))
        page.goto(f"{lab.address}/lab/tree/notebooks/pad.ipynb?token={lab.token}&reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.wait_for_function(MEASURES["KERNEL_IS_READY"])
        MEASURES["run_all"](page)
        self.me = page.locator(".babygrad-pad")
        self.me.wait_for()
        own = (lab.address, "data:", "blob:")
        self.elsewhere = [address for address in self.elsewhere if not address.startswith(own)]

    def says(self, pattern):
        self.me.locator(".said", has_text=re.compile(pattern)).wait_for()

    def draw(self, strokes):
        box = self.me.locator(".pad").bounding_box()
        for stroke in strokes:
            first, *others = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in stroke]
            self.page.mouse.move(*first)
            self.page.mouse.down()
            for place in others:
                self.page.mouse.move(*place)
            self.page.mouse.up()


@pytest.fixture
def opened(browser, lab):
    """opened(width): the pad in a window."""
    pages = []

    def open_it(width=1280):
        pages.append(browser.new_page(viewport={"width": width, "height": 1000}))
        return Seen(pages[-1], lab)

    yield open_it
    for page in pages:
        page.close()


@pytest.mark.leg("night")
def test_a_digit_is_drawn_and_read_and_then_chosen_and_moved_by_keyboard_alone(opened):
    seen = opened()
    assert seen.elsewhere == []
    assert not seen.page.locator(".babygrad-pad-still").is_visible()
    seen.says("^Draw a digit")
    seen.draw(DRAWN[3])
    seen.says("^Read as 3: ")
    seen.me.get_by_role("button", name="Clear").focus()
    seen.page.keyboard.press("Enter")
    seen.says("^Draw a digit")
    seen.page.keyboard.press("Tab")
    seen.page.keyboard.press("6")  # a <select> goes to what is typed
    seen.says("^Read as 6: ")
    before = seen.me.locator(".said").inner_text()
    seen.page.keyboard.press("Tab")
    seen.page.keyboard.press("Enter")  # to the left
    seen.says(f"^(?!{re.escape(before)}$)Read as ")
    shares = seen.me.locator("tbody tr td:last-child").all_inner_texts()
    assert len(shares) == 10 and sum(int(share.removesuffix("%")) for share in shares) == pytest.approx(100, abs=5)
    seen.page.keyboard.press("b")  # of the notebook: one cell below
    assert seen.page.locator(".jp-Notebook .jp-Cell").count() == 2


@pytest.mark.leg("night")
@pytest.mark.parametrize(("theme", "width"), [("Dark", 1280), ("Light", 480)])
def test_everybody_can_use_it_and_nothing_is_cut_off(opened, theme, width):
    seen = opened(width)
    MEASURES["change_theme"](seen.page, theme)
    if width < 1000:
        MEASURES["command"](seen.page, "application:toggle-left-area")
    seen.me.get_by_label("or a digit").select_option("8")
    seen.says("^Read as ")
    assert MEASURES["violations"](seen.page, ".babygrad-pad") == []
    misfits = seen.me.evaluate("""me => [...me.querySelectorAll('canvas, button, select, td, th, p, figcaption')]
        .filter(part => part.getBoundingClientRect().right > me.getBoundingClientRect().right + 1
            || part.scrollWidth > part.clientWidth + 1)
        .map(part => part.outerHTML)""")
    assert misfits == []

"""Cells that travel, in a real browser: they arrive, their sums wait for them, everything can be read."""

import runpy
from pathlib import Path

import pytest

from babygrad import ops
from toolbox.films.cells import travel
from toolbox.films.products import row_meets_column

pytestmark = pytest.mark.leg("push")

MEASURES = runpy.run_path(str(Path(__file__).with_name("test_browser.py")))
browser, violations, hard_to_read = (MEASURES[name] for name in ("browser", "violations", "hard_to_read"))
WORDS_OF_DRAWINGS = MEASURES["WORDS_OF_DRAWINGS"]

FILMS = {
    "broadcast": lambda: travel(lambda t: ops.broadcast_to(t, (2, 3)), [1, 2, 3], [[10, 20, 30], [4, 5, 6]]),
    "24 cells": lambda: travel(lambda t: ops.transpose(t, (1, 2, 0)), [[[1, 2, 3, 4]] * 3] * 2),
    "product": lambda: row_meets_column([[1, 2, 3], [4, 5, 6]], [[1, 0], [2, -1], [0, 3]], [[10, 100], [1, -2]]),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cells")
    for number, make in enumerate(FILMS.values()):
        make().save(folder / f"{number}.html")
    return {name: (folder / f"{number}.html").as_uri() for number, name in enumerate(FILMS)}


def opened(browser, address, **options):
    page = browser.new_page(**options)
    page.goto(address)
    page.locator("input").focus()
    return page


def place(page, key):
    """Where a cell lies in the picture, in whole pixels."""
    return page.locator(f"[data-key={key}]").evaluate("part => [part.getCTM().e, part.getCTM().f].map(Math.round)")


def go_to_the_fourth_gradient(page):
    """The three numbers of x, the upstream gradient, its first row, and the 4 below the 10."""
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    assert page.locator(".sentence").inner_text().endswith("added to the 10 that is already there: 10 + 4 = 14.")


@pytest.mark.leg("night")
def test_where_motion_is_not_wanted_a_cell_is_there_at_once(browser, pages):
    page = opened(browser, pages["broadcast"], reduced_motion="reduce")
    assert place(page, "b3") == place(page, "u3") != place(page, "b0")
    go_to_the_fourth_gradient(page)
    assert place(page, "b3") == place(page, "b0") != place(page, "u3")
    page.close()


def test_where_it_is_a_sum_appears_when_what_travels_has_arrived(browser, pages):
    page = opened(browser, pages["broadcast"])
    go_to_the_fourth_gradient(page)
    moves, total = page.locator("[data-key=b3]"), page.locator("[data-key=B3]")
    style = "p => [p = getComputedStyle(p), p.transitionProperty, p.transitionDuration, p.transitionDelay].slice(1)"
    assert moves.evaluate(style) == ["transform", "0.5s", "0s"]
    assert total.evaluate(style) == ["visibility", "0s", "0.5s"]
    total.wait_for()
    assert total.text_content() == "14"
    page.wait_for_function("document.getAnimations().length === 0")
    assert place(page, "b3") == place(page, "b0")
    page.close()


@pytest.mark.leg("night")
@pytest.mark.parametrize("name", FILMS)
@pytest.mark.parametrize(("width", "scheme"), [(700, "light"), (1280, "dark")])
def test_every_frame_fits_and_can_be_read(browser, pages, name, width, scheme):
    page = opened(browser, pages[name], viewport={"width": width, "height": 700}, color_scheme=scheme)
    for _ in range(int(page.locator("input").get_attribute("max")) + 1):
        words = page.evaluate(WORDS_OF_DRAWINGS, ".babygrad-player svg text")
        assert words and list(filter(None, map(hard_to_read, words))) == []
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page, ".babygrad-player") == []
    page.close()

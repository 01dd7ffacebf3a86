"""Slides in a real browser: each fits, questions come before answers, players are worked by hand, no network.

Needs what the other tests in a browser need, and reveal.js: without Node.js it is skipped.
"""

import runpy

import pytest

from grader.course import catalogue
from grader.course.paths import ROOT
from grader.maintainer.sources import sources
from grader.slides import command, reveal

MEASURES = runpy.run_path(str(ROOT / "tests" / "course" / "notebook" / "test_browser.py"))
browser, violations = MEASURES["browser"], MEASURES["violations"]
pytestmark = pytest.mark.leg("night")
NUMBERS = [nb.number for nb in catalogue.notebooks()]
READ_BY_AXE = ("03", "12", "15")  # decks of three kinds: graphs walked back, films and plots, programs
PROJECTOR = {"width": 1280, "height": 720}
TOO_LARGE = """() => Reveal.getSlides().filter(slide => {
  const at = Reveal.getIndices(slide);
  Reveal.slide(at.h, at.v || 0, -1);
  const inner = slide.querySelector(":scope > .inner"), box = inner.getBoundingClientRect(), scale = Reveal.getScale();
  const wide = [...inner.querySelectorAll("pre, table, img, svg, p, li, .babygrad-player")]
    .filter(part => !part.parentElement.closest("svg"));
  const right = Math.max(box.left, ...wide.map(part => part.getBoundingClientRect().right));
  return box.height / scale > 701 || (right - box.left) / scale > 962 || slide.classList.contains("scrolls");
}).map(slide => slide.innerText.slice(0, 60))"""
# Whether a part of the slide is seen: a fragment that waits is hidden.
SEEN = "part => Reveal.getCurrentSlide().contains(part) && getComputedStyle(part).visibility === 'visible'"


@pytest.fixture(scope="module")
def folder(node, tmp_path_factory):
    """Where reveal.js lies, and slides are written."""
    out = tmp_path_factory.mktemp("slides")
    reveal.put_beside(out)
    return out


@pytest.fixture
def opened(browser, folder):
    """Opens the slides of a notebook, without a network. Any request for one, and any error, fails."""

    def of(number, theme="white"):
        path, _ = command.write(folder, sources([number])[0], theme)
        page.goto(path.as_uri())
        page.wait_for_function("window.Reveal && Reveal.isReady()")
        return page

    page, asked = browser.new_page(viewport=PROJECTOR), []
    page.context.set_offline(True)
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfailed", lambda request: asked.append(f"failed: {request.url}"))
    page.on("pageerror", lambda error: asked.append(f"error: {error}"))
    yield of
    page.context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def go(page, words):
    """To the first slide with these words and a fragment."""
    page.evaluate(
        """words => { const has = s => s.textContent.includes(words) && s.querySelector('.fragment');
        const at = Reveal.getIndices(Reveal.getSlides().find(has)); Reveal.slide(at.h, at.v || 0, -1) }""",
        words,
    )


def check_size(page):
    assert page.evaluate(TOO_LARGE) == [] and page.evaluate("Reveal.getTotalSlides()") > 20


def check_by_axe(page):
    """axe-core finds nothing, neither on the first slide nor where all of them are seen: as they are printed."""
    page.evaluate("Reveal.slide(0)")
    assert violations(page, "body") == []
    page.goto(page.url.partition("#")[0] + "?view=print")
    page.wait_for_function("document.querySelectorAll('.pdf-page').length >= Reveal.getTotalSlides()")
    assert violations(page, "body") == []


@pytest.mark.parametrize("number", NUMBERS)
def test_each_slide_fits(opened, number):
    page = opened(number)
    check_size(page)
    if number in READ_BY_AXE:
        check_by_axe(page)


@pytest.mark.parametrize("number", READ_BY_AXE)
def test_the_dark_ones_fit_too_and_can_be_read(opened, number):
    page = opened(number, "black")
    check_size(page)
    check_by_axe(page)


def test_the_answer_is_not_seen_before_the_next_key(opened):
    page = opened("03")
    go(page, "a + a is 2a")
    output = page.locator("section.present:not(.stack) .fragment .jp-OutputArea-output").first
    assert not output.evaluate(SEEN)
    page.keyboard.press("Space")
    assert output.evaluate(SEEN)


def test_a_player_has_its_buttons_and_its_keys_and_gives_them_back(opened):
    page = opened("07")
    player = page.locator(".babygrad-player").first
    while not player.evaluate(SEEN):
        page.keyboard.press("PageDown")
    place, count = page.evaluate("Reveal.getIndices()"), player.locator(".count")
    player.locator("[data-go=forward]").click()
    page.keyboard.press("ArrowRight")
    assert count.inner_text().startswith("3 of ") and page.evaluate("Reveal.getIndices()") == place
    page.keyboard.press("Escape")
    assert not page.evaluate("Reveal.isOverview()")
    page.keyboard.press("Space")
    assert page.evaluate("Reveal.getIndices()") != place
    page.keyboard.press("PageUp")
    assert player.evaluate(SEEN)
    player.locator("input").focus()
    page.keyboard.press("PageDown")
    assert page.evaluate("Reveal.getIndices()") != place and count.inner_text().startswith("3 of ")


def test_notes_are_not_on_the_slides(opened):
    page = opened("08")
    assert page.locator("aside.notes").count() > 10
    assert not page.locator("aside.notes").first.is_visible()

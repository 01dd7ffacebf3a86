"""The book as Sphinx makes it, built once: it needs nothing from anywhere else, is light, and shows no answer."""

import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from grader.course import catalogue
from grader.course.paths import ROOT
from grader.site.mathml import mathml

from . import test_sources

LOADS = {"link": "href", "script": "src", "img": "src", "source": "src", "iframe": "src", "use": "href"}
MOST = 1_500_000  # bytes of a page with all that it loads


class Elements(HTMLParser):
    """All elements of a page: (name, {attribute: value})."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


@pytest.fixture(scope="module")
def book(site):
    """The folder of a built site, and {its page: the HTML}."""
    return site, {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}


def loaded(page):
    """The addresses of all files that a page loads."""
    for tag, attributes in Elements(page).found:
        address = attributes.get(LOADS.get(tag), "")
        only_led_to = tag == "link" and attributes.get("rel") in ("next", "prev", "search", "index")
        if address and not only_led_to and not address.startswith(("#", "data:")):
            yield address


@pytest.mark.leg("night")
def test_no_file_of_it_loads_anything_from_elsewhere(book):
    out, pages = book
    for name, page in pages.items():
        assert [a for a in loaded(page) if re.match(r"[a-z]+:|//", a)] == [], name
    for path in [*out.rglob("*.css"), *out.rglob("*.html")]:
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"url\(\s*['\"]?\s*(?:https?:|//)[^)]*|@import[^;]*", text) == [], path
    for path in out.rglob("*.js"):
        if "try" not in path.relative_to(out).parts:
            text = path.read_text(encoding="utf-8")
            assert re.findall(r"(?:import|fetch|Worker|importScripts)\(\s*['\"`](?:https?:|//)", text) == [], path
    assert not [path for path in out.rglob("*") if "mathjax" in path.name.lower()]


@pytest.mark.leg("night")
def test_a_page_is_light(book):
    out, pages = book
    for name in pages:
        if name.startswith(("notebooks/", "exercises/", "what_goes_wrong/", "docs/")):
            files = {(out / name).parent / address.split("?")[0] for address in loaded(pages[name])}
            weight = len(pages[name].encode()) + sum(path.stat().st_size for path in files)
            assert weight < MOST, (name, weight)


@pytest.mark.leg("night")
def test_every_page_has_one_first_heading_and_skips_none_and_pictures_have_words(book):
    _, pages = book
    for name, page in pages.items():
        if name.startswith("try/"):
            continue  # pages of their own, with tests of their own
        elements = Elements(page).found
        ranks = [int(tag[1]) for tag, _ in elements if re.fullmatch(r"h[1-6]", tag)]
        assert ranks.count(1) == 1 and ranks[0] == 1, name
        assert all(later <= rank + 1 for rank, later in pairwise(ranks)), name
        assert all(attributes.get("alt") for tag, attributes in elements if tag == "img"), name


@pytest.mark.leg("night")
def test_no_page_has_a_line_of_an_answer(book):
    _, pages = book
    text = "\n".join(
        re.sub(r"<[^>]+>", "", re.sub(r"<script.*?</script>", "", page, flags=re.S)) for page in pages.values()
    )
    assert test_sources.revealed(text) == []


@pytest.mark.leg("night")
def test_players_films_formulas_and_what_can_be_edited_are_there(book):
    out, pages = book
    for nb in catalogue.notebooks():
        page = pages[f"notebooks/{nb.name}.html"]
        drawn = (ROOT / "solutions" / "notebooks" / f"{nb.name}.ipynb").read_text(encoding="utf-8")
        assert page.count('<div class="babygrad-player') == drawn.count('<div class=\\"babygrad-player'), nb.name
        assert (
            "$$" not in page and f'href="https://example.org/course/edit/main/solutions/notebooks/{nb.name}.py"' in page
        )
        assert (out / "notebooks" / f"{nb.name}.ipynb").is_file()
    assert "<math " in pages["notebooks/01_slopes_by_nudging.html"]


def test_a_formula_becomes_mathml_with_its_latex_as_words():
    made = mathml(r"\frac{\partial L}{\partial a} < 1", block=True)
    assert made.startswith('<math alttext="\\frac{\\partial L}{\\partial a} &lt; 1" ') and "<mfrac>" in made
    assert 'display="block"' in made and 'display="inline"' in mathml("x_0")

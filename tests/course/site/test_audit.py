"""The site as its readers get it: each link and each page, in a real browser with the network cut.

Each page is opened once, in the next of six windows (three widths, light and dark), and then seen in the other five; a
page of each kind is opened anew in all six.
"""

import json
import re
import runpy
from dataclasses import dataclass, field
from functools import cache, partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urljoin, urlsplit

import pytest

pytestmark = pytest.mark.leg("night")
MEASURES = runpy.run_path(str(Path(__file__).parents[1] / "notebook" / "test_browser.py"))
browser, violations = MEASURES["browser"], MEASURES["violations"]
# In this order a width or a scheme changes from one to the next, seldom both.
WINDOWS = [(360, "light"), (360, "dark"), (768, "dark"), (768, "light"), (1280, "light"), (1280, "dark")]
NOWHERE = {"server": "http://127.0.0.1:9", "bypass": "<-loopback>,127.0.0.1"}  # every host but the site's is behind it
ALIKE = """display => {
  const seen = new Set();
  for (const block of document.querySelectorAll("article .highlight")) {
    const kinds = [...block.querySelectorAll("span")].map(part => part.className);
    if (kinds.every(kind => seen.has(kind))) block.style.display = display;
    kinds.forEach(kind => seen.add(kind));
  }
}"""
CONTENT = "[role=main], main"  # of a page, without what all pages have around it
# How much wider than the window the page is, once what is done when a window changes has been done. In a narrow one the
# theme lets the content scroll by itself.
TOO_WIDE = """new Promise(told => requestAnimationFrame(() => setTimeout(() => told(Math.max(
  document.documentElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll(".content")].map(part => part.scrollWidth - part.clientWidth))))))"""
IS_A_FORMULA = re.compile("empty-table-header: <th[^>]*><p><math")  # which axe does not read, and screen readers do
IN_CSS = re.compile(rb"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")


# ------------------------------------------------------------------ what is written in the files


@dataclass
class Written(HTMLParser):
    """What a page says of itself: where it leads, what it loads, its places, its tables."""

    links: list = field(default_factory=list)
    loaded: list = field(default_factory=list)
    places: list = field(default_factory=list)
    headless: int = 0  # tables without a header

    def __post_init__(self):
        super().__init__()
        self._table = None

    def handle_starttag(self, tag, attributes):
        told = dict(attributes)
        self.places += [told[name] for name in ("id", "name") if told.get(name)]
        if tag in ("a", "area") and "href" in told:
            self.links.append(told["href"])
        elif tag == "link":
            self.loaded += [told["href"]] * bool({"stylesheet", "icon", "preload", "modulepreload"} & set(rel(told)))
            self.links += [told["href"]] * bool({"next", "prev", "index", "search"} & set(rel(told)))
        else:
            self.loaded += [told[name] for name in ("src", "poster", "data") if told.get(name)]
        if tag == "table":
            self._table = False
        if tag == "th":
            self._table = True

    def handle_endtag(self, tag):
        if tag == "table":
            self.headless += self._table is False
            self._table = None


def rel(attributes):
    return attributes.get("rel", "").split()


@cache
def written(path):
    page = Written()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def pages(site):
    found = sorted(site.rglob("*.html"))
    assert len(found) > 150
    return found


def goal(path, link):
    """(the file, the place in it) that a link of a page leads to; None where it leads out of the site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    file = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
    return file / "index.html" if file.is_dir() else file, unquote(parts.fragment)


def test_every_link_inside_leads_to_a_page_and_a_place(site):
    broken = []
    for path in pages(site):
        for link in written(path).links:
            if (found := goal(path, link)) is None:
                continue
            file, place = found
            there = file.is_file() and file.is_relative_to(site.resolve())
            if not there or (place and file.suffix == ".html" and place not in written(file).places):
                broken.append((path.relative_to(site).as_posix(), link))
    assert broken == []


def test_it_can_lie_in_any_folder(site):
    """No address begins at the root of a host: a code host serves the site below the repository's name."""
    absolute = {
        address
        for path in pages(site)
        for address in written(path).links + written(path).loaded
        if address.startswith("/") or urlsplit(address).scheme == "file"
    }
    assert absolute == set()


def test_links_lead_out_of_the_site_in_the_open_only(site):
    """To https addresses alone."""
    schemes = {urlsplit(link).scheme for path in pages(site) for link in written(path).links}
    assert schemes <= {"", "https", "mailto"}


def style_addresses(path):
    found = [(one or other).decode() for one, other in IN_CSS.findall(path.read_bytes())]
    return [address for address in found if not address.startswith("#")]


def test_all_that_is_loaded_is_there(site):
    """By pages, and by their style sheets. (That it is light, and nowhere else, is asked in test_book.py.)"""
    loaded = {path: written(path).loaded for path in pages(site)}
    loaded |= {path: style_addresses(path) for path in site.rglob("*.css")}
    for path, addresses in loaded.items():
        for address in addresses:
            assert address.startswith("data:") or goal(path, address)[0].is_file(), (path.name, address)


def test_a_message_in_the_try_page_leads_to_its_heading(site):
    course = json.loads((site / "try" / "course.json").read_text(encoding="utf-8"))
    assert len(course["stuck"]) > 20
    assert {*course["stuck"].values()} <= {*written(site / "docs" / "stuck.html").places}


def test_tables_have_a_header(site):
    assert [path.name for path in pages(site) if written(path).headless] == []


# ------------------------------------------------------------------ in a browser


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def address(site):
    """Where the site is served, below a folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site.parent)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{site.name}/"
        server.shutdown()


class Reader:
    """A browser's window without a network but for the site, and what went wrong in it."""

    def __init__(self, browser, address, width=1280, scheme="light", **options):
        self.address = address
        viewport = {"width": width, "height": 800}
        options = {"viewport": viewport, "color_scheme": scheme, "reduced_motion": "reduce", "proxy": NOWHERE} | options
        self.context = browser.new_context(**options)
        self.page, self.window = self.context.new_page(), (width, scheme)
        self.noise = []
        self.page.on("request", self._asked)
        self.page.on("pageerror", lambda error: self.noise.append(str(error)))
        self.page.on("requestfailed", self._failed)
        self.page.on("console", lambda said: said.type in ("error", "warning") and self.noise.append(said.text))

    def resize(self, width, scheme):
        """Make another window of it, the page as it stands."""
        if width != self.window[0]:
            self.page.set_viewport_size({"width": width, "height": 800})
        if scheme != self.window[1]:
            self.page.emulate_media(color_scheme=scheme)
        self.window = width, scheme

    def _failed(self, request):
        if request.failure != "net::ERR_ABORTED":  # not broken off because the next page was opened
            self.noise.append(f"failed: {request.url}")

    def _asked(self, request):
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.noise.append(f"another host: {request.url}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def open(self, name):
        self.noise.clear()
        answer = self.page.goto(urljoin(self.address, name), wait_until="load")
        assert answer is None or answer.ok or self.address.startswith("file:"), name
        return self.page

    def complaints(self, axe="", windows=()):
        """All that is wrong with the page as it stands, its folded parts open, and in other windows.

        axe: a part of the page, as CSS names it; what axe-core finds in it, in the first window.
        """
        self.page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        told = self._wider()
        told += self._read_by_axe(axe) if axe else []
        for window in windows:
            self.resize(*window)
            told += [f"{each} at {window}" for each in self._wider()]
        return [*self.noise, *told]

    def _read_by_axe(self, part):
        """What axe-core finds.  Code whose colours have all been on the page before is put away meanwhile."""
        self.page.evaluate(ALIKE, "none")
        told = [each for each in violations(self.page, part) if not IS_A_FORMULA.match(each)]
        self.page.evaluate(ALIKE, "")
        return told

    def _wider(self):
        wide = self.page.evaluate(TOO_WIDE)
        return [f"wider by {wide}px"] * (wide > 0)


def names(site):
    return [path.relative_to(site).as_posix() for path in pages(site)]


def kinds(site):
    """A page of each kind: of each folder one, and those that are alone in what they are."""
    first = {}
    for name in names(site):
        first.setdefault(name.rpartition("/")[0], name)
    return list({*first.values(), "index.html", "search.html", *(n for n in names(site) if "/12_" in n)})


def windows(site, name):
    """All windows, those first in which a page is opened."""
    number = names(site).index(name) % len(WINDOWS)
    return WINDOWS[number:] + WINDOWS[:number]


def test_every_page_can_be_read_by_everybody(browser, site, address):
    """The pages of modules, exercises and wrong ideas are made alike, and those to try: axe reads some of them."""
    read_by_axe = dict.fromkeys(names(site), CONTENT)
    for folder, step in {"package/": 15, "exercises/": 6, "what_goes_wrong/": 6, "try/": 3}.items():
        alike = [name for name in names(site) if name.startswith(folder)]
        read_by_axe |= dict.fromkeys({*alike} - {*alike[::step]}, "")
    wrong = {}
    with Reader(browser, address) as reader:
        for name in names(site):
            first, *others = windows(site, name)
            reader.resize(*first)
            reader.open(name)
            if complaints := reader.complaints(read_by_axe[name], others):
                wrong[name, *first] = complaints
    assert wrong == {}


def test_a_page_of_each_kind_can_be_opened_in_every_window(browser, site, address):
    """And the keyboard reaches its content at once. Axe reads it in the scheme in which it has not read it before."""
    wrong = {}
    for window in WINDOWS:
        with Reader(browser, address, *window) as reader:
            for name in kinds(site):
                page = reader.open(name)
                if window == WINDOWS[-1]:
                    reaches_the_content(page, name)
                read_before = windows(site, name)[0][1]
                if complaints := reader.complaints("body" * (window[0] == 360 and window[1] != read_before)):
                    wrong[name, *window] = complaints
    assert wrong == {}


TO_FOCUS = "article :is(a[href], button, input, summary)"
FOCUS_IS_INSIDE = "document.activeElement.closest('article, [role=main], main') !== null"


def reaches_the_content(page, name):
    """The first Tab is a link that leads past what all pages have."""
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href') || ''").startswith("#"), name
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    inside = page.evaluate(FOCUS_IS_INSIDE)
    assert inside or not page.locator(TO_FOCUS).filter(visible=True).count(), name


def search(reader, word):
    """The addresses that a search finds."""
    page = reader.open(f"search.html?q={word}")
    page.wait_for_selector("ul.search li a")
    return page.locator("ul.search li a").evaluate_all("links => links.map(link => link.href)")


@pytest.mark.parametrize("opened_from", ["a host", "a folder"])
def test_search_finds_a_word_without_a_network(browser, site, address, opened_from):
    with Reader(browser, address if opened_from == "a host" else site.as_uri() + "/") as reader:
        found = search(reader, "accumulation")
        assert any("/notebooks/" in link for link in found)
        assert all(link.startswith(reader.address) for link in found)
        # From a folder no page may be read by another: what is found stands there without an excerpt.
        assert reader.noise == [] or opened_from == "a folder"


def test_from_a_folder_pages_are_as_from_a_host(browser, site):
    with Reader(browser, site.as_uri() + "/") as reader:
        for name in kinds(site):
            if not name.startswith("try/"):  # a worker and its files need a host: the page says so
                reader.open(name)
                assert reader.complaints() == [], name


def test_players_are_alive_wherever_they_stand(browser, site, address):
    with_players = [path for path in pages(site) if 'class="babygrad-player' in path.read_text(encoding="utf-8")]
    assert {"index.html", "00_start_here.html", "03_walking_backwards.html"} <= {path.name for path in with_players}
    with Reader(browser, address) as reader:
        for path in with_players:
            page = reader.open(path.relative_to(site).as_posix())
            page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
            for player in page.locator(".babygrad-player").all():
                player.locator("[data-go=first]").press("Enter")
                before = player.locator(".count").inner_text()
                player.locator("[data-go=forward]").press("Enter")
                assert player.locator(".count").inner_text() != before, path.name


# ------------------------------------------------------------------ what is folded, and what is too wide


def opened_ideas(page):
    return page.locator(".idea[open] > summary").all_inner_texts()


def test_an_idea_is_folded_and_opened_by_a_link_and_by_a_search(browser, address):
    with Reader(browser, address, 390) as reader:
        page = reader.open("what_goes_wrong/03_walking_backwards.html")
        assert page.locator(".idea").count() > 30 and opened_ideas(page) == []
        assert page.evaluate("document.documentElement.scrollHeight") < 7000
        reader.open("what_goes_wrong/03_walking_backwards.html#wrong-3-1-assigns-instead-of-adding")
        assert opened_ideas(page) == ["assigns instead of adding"]
        search(reader, "assigns")
        page.locator("ul.search li a[href*='what_goes_wrong/03']").first.click()
        page.wait_for_selector(".idea[open] .highlighted")
        assert page.locator(".idea:not([open])").count() > 10


# The smallest letters of each graph and picture, in pixels; None of one whose box is too wide and has no name, or
# cannot be scrolled by keyboard.
LETTERS = r"""() => [...document.querySelectorAll(".made :is(.babygrad-graph, .babygrad-player .picture)")].map(box => {
  const wide = box.scrollWidth > box.clientWidth, told = box.tabIndex === 0 && box.ariaLabel && box.role === "group";
  if (wide && !told) return null;
  const drawn = box.querySelector(":scope > :is(svg, img)");
  if (!drawn) return 99;
  const text = drawn.outerHTML.startsWith("<img") ? atob(drawn.src.split(",")[1]) : drawn.outerHTML;
  const sizes = [...text.matchAll(/font-size[=:] ?"?([\d.]+)/g)].map(found => +found[1]);
  const units = text.match(/viewBox="[\d.-]+ [\d.-]+ ([\d.]+)/)[1];
  return Math.min(99, ...sizes) * drawn.getBoundingClientRect().width / units;
})"""


def test_on_a_phone_a_drawing_keeps_letters_that_can_be_read_and_is_scrolled(browser, address, site):
    with Reader(browser, address, 390) as reader:
        for number in ("02", "05", "12", "15"):
            page = reader.open(next(name for name in names(site) if name.startswith(f"notebooks/{number}_")))
            page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
            page.wait_for_function(f"({LETTERS})().every(size => size !== null)")
            sizes = page.evaluate(LETTERS)
            assert len(sizes) > 0 and min(sizes) > 9.9, (number, sizes)
            for box in page.locator(".made [role=group][tabindex]:is(.babygrad-graph, .picture)").all():
                box.press("ArrowRight")
                page.wait_for_function("document.activeElement.scrollLeft > 0")
            assert reader.complaints(CONTENT if number == "05" else "") == []


# ------------------------------------------------------------------ the start page


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_film_begins_by_itself_where_motion_is_welcome(browser, address, motion):
    with Reader(browser, address, reduced_motion=motion) as reader:
        page = reader.open("index.html")
        film = page.locator("#film .babygrad-player")
        if motion == "reduce":
            page.wait_for_timeout(2500)
        else:
            page.wait_for_function("!document.querySelector('#film .count').textContent.startsWith('1 of')")
        moved = not film.locator(".count").inner_text().startswith("1 of")
        assert moved == (motion == "no-preference")
        spoken = film.locator("[aria-live]").get_attribute("aria-live")
        assert spoken == ("off" if moved else "polite")
        film.locator("[data-go=first]").press("Enter")
        assert film.locator("[aria-live]").get_attribute("aria-live") == "polite"


def test_a_film_that_was_stopped_or_is_out_of_sight_does_not_begin(browser, address):
    with Reader(browser, address, viewport={"width": 1280, "height": 250}, reduced_motion="no-preference") as reader:
        page = reader.open("index.html")
        count = page.locator("#film .count")
        page.wait_for_timeout(1500)
        assert count.inner_text().startswith("1 of")
        page.locator("#film [data-go=first]").dispatch_event("pointerdown")
        page.set_viewport_size({"width": 1280, "height": 900})
        page.wait_for_timeout(1500)
        assert count.inner_text().startswith("1 of")


def test_in_the_first_window_of_the_start_page_stand_the_doors_and_the_film(browser, address):
    for width, height in ((1280, 800), (360, 800)):
        with Reader(browser, address, viewport={"width": width, "height": height}) as reader:
            page = reader.open("index.html")
            for part in (".open-doors a", "#film"):
                assert page.locator(part).first.bounding_box()["y"] < height

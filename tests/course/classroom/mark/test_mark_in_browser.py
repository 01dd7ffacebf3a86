"""A class marked by keyboard in a real browser; two tutors with the same page open; the server stopped in between."""

import csv
import io
import itertools
import runpy
from pathlib import Path

import pytest

pytest.importorskip("fcntl")  # the class is graded with locks: no Windows
import marked_class

pytestmark = pytest.mark.leg("push")

HERE = Path(__file__).parent
MEASURES = runpy.run_path(str(HERE.parents[1] / "notebook" / "test_browser.py"))
browser, contrast, violations = (MEASURES[name] for name in ("browser", "contrast", "violations"))
TEXTS = runpy.run_path(str(HERE.parent / "pages" / "test_classroom_pages_in_browser.py"))["TEXTS"]
Served = runpy.run_path(str(HERE / "test_server.py"))["Served"]
ID, LINE = marked_class.first_exercise()
PATIENCE = 120_000  # ms, on a busy machine
LOOKS = list(itertools.product((360, 700, 1280), ("light", "dark")))


class Tutor:
    """A browser of its own on the page, and what it complained of."""

    def __init__(self, browser, address, name, width=1280, scheme="light"):
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.context.set_default_timeout(PATIENCE)
        self.page, self.noise = self.context.new_page(), []
        self.page.on("console", lambda message: self.noise.append(message.text))
        self.page.on("pageerror", lambda error: self.noise.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.noise.append(dialog.message), dialog.dismiss()))
        self.name = name
        self.come(address)

    def come(self, address):
        self.page.goto(address)
        self.page.wait_for_selector("#keys")
        self.page.fill("#who", self.name)
        self.page.locator("#who").blur()

    def open(self, item, student):
        """Go to a place by its link on the overview, and by Next."""
        self.page.goto(f"{self.page.url.split('?')[0]}?item={item}&student={student}&by=question")
        self.page.wait_for_selector("#place")

    def keys(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def says(self, words):
        self.page.wait_for_function("words => document.querySelector('#said').textContent.includes(words)", arg=words)

    def at(self, item, student):
        self.page.wait_for_function(
            "([item, student]) => { const at = document.querySelector('#place')?.dataset; "
            "return at?.item === item && at.student === student; }",
            arg=[item, student],
        )

    def text(self, selector="main"):
        return " ".join(self.page.inner_text(selector).split())


@pytest.fixture
def graded(tmp_path, monkeypatch):
    return marked_class.make(tmp_path, monkeypatch)


@pytest.fixture
def served(graded):
    running = Served(graded[1], "--port", "0")
    yield running
    running.stop()


@pytest.fixture
def mary(browser, served):
    tutor = Tutor(browser, served.address, "mary")
    yield tutor
    tutor.context.close()


@pytest.fixture
def ben(browser, served):
    tutor = Tutor(browser, served.address, "ben")
    yield tutor
    tutor.context.close()


def rows(grades, name="marks.csv"):
    return list(csv.reader(io.StringIO((grades / name).read_text("utf-8-sig"))))


def test_a_class_is_marked_by_keyboard_alone(mary, graded):
    submissions, grades = graded
    mary.keys("n")  # the first that is not marked
    mary.at("2.R1", "ada")
    mary.keys("p")
    mary.page.keyboard.type("3")  # how many points there are, as nothing says it yet
    mary.keys("Enter")
    mary.says("Saved: maximum, 2.R1")
    for points, words in (("2", "Says when"), ("-1", "No example")):
        mary.keys("r")
        mary.page.keyboard.type(points)
        mary.keys("Tab")
        mary.page.keyboard.type(words)
        mary.keys("Enter")
        mary.says("Saved: rubric, 2.R1")
        mary.page.wait_for_selector(f"text={words}")
        mary.page.evaluate("document.activeElement.blur()")
    mary.keys("1", "2")
    mary.page.wait_for_function("() => document.querySelector('#points').value === '1'")
    mary.keys("l", "ArrowDown", "Enter")
    mary.page.keyboard.type("At which moment?\nSay it.")
    mary.keys("Control+Enter")
    mary.says("Saved: comment at a line, 2.R1 of Ada Lovelace")
    mary.keys("n")
    mary.at("2.R1", "ben")
    mary.keys("1", "c")
    mary.page.keyboard.type("Fine.")
    mary.keys("Escape", "n")  # leaving the field and going on saves it
    mary.at("2.R1", "cleo")
    mary.keys("2", "u")
    mary.says("Taken back: mark, 2.R1 of Cleo")
    mary.keys("k")
    mary.at("2.R1", "ben")
    mary.keys("b")
    mary.page.wait_for_function("() => document.querySelector('#place').dataset.by === 'student'")
    mary.keys("j")
    mary.at(ID, "ben")
    mary.keys("p")
    mary.page.keyboard.type("1")
    mary.keys("Enter")
    mary.says(f"Saved: mark, {ID} of Ben")
    mary.keys("q")
    mary.page.keyboard.type("It passes here.")
    mary.keys("Control+Enter")
    mary.says("Saved: regrade request")
    mary.keys("o")
    mary.page.wait_for_selector("#requests")
    assert "It passes here." in mary.text("#requests") and mary.noise == []

    assert rows(grades)[1:] == [
        ["maximum", "2.R1", "3", ""],
        ["ada", "2.R1", "1", "[1 2]"],
        ["ben", "2.R1", "2", "[1] Fine."],
        ["ben", ID, "1", ""],
    ]
    assert rows(grades, "marks-comments.csv")[1:] == [
        ["ada", "2.R1", "2", "An `if` decides then.", "At which moment?\nSay it."]
    ]
    marked_class.grade(submissions, grades, resume=True)
    html = (grades / "ada" / "feedback.html").read_text("utf-8")
    words = marked_class.text_of(html)
    assert "2.R1: 1 of 3 points. +2 Says when. −1 No example." in words
    assert "1 While it runs. 2 An `if` decides then. Line 2: At which moment? Say it." in words
    of_ben = marked_class.text_of((grades / "ben" / "feedback.html").read_text("utf-8"))
    assert f"{ID}, regrade request of " in of_ben and "It passes here. Not decided yet." in of_ben


@pytest.mark.leg("night")
def test_two_tutors_see_each_other_and_overwrite_nothing(mary, ben, graded):
    for tutor in (mary, ben):
        tutor.open(ID, "ada")
    ben.page.route("**/version", lambda route: route.abort())  # ben's page looks no more: it shows what it showed
    mary.keys("p")
    mary.page.keyboard.type("1")
    mary.keys("Enter")
    mary.says("Saved")
    ben.keys("p")
    ben.page.keyboard.type("0")
    ben.keys("Enter")
    ben.says("Not saved: mary changed this at")
    held = ben.text(".held")
    assert held.startswith("Yours is not saved. There is now: 1.") and rows(graded[1])[1] == ["ada", ID, "1", ""]
    ben.keys("Escape", "n")  # going on is no decision: it takes nothing of mary's away
    assert rows(graded[1])[1] == ["ada", ID, "1", ""]
    ben.open(ID, "ada")
    ben.keys("c")
    ben.page.keyboard.type("Theirs and mine are both there.")
    ben.keys("Control+Enter")
    ben.says("Saved")
    mary.page.wait_for_function("() => document.querySelector('#comment').value.startsWith('Theirs and mine')")
    assert rows(graded[1])[1:] == [["ada", ID, "1", "Theirs and mine are both there."]]


SLOW = """const quick = window.fetch, wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
window.fetch = async (address, options) => {
  const answer = await quick(address, options), isFirstPage = !options && address !== "/version" && !window.slow;
  if (isFirstPage) window.slow = "here soon";
  if (isFirstPage) await wait(1000);
  if (isFirstPage) setTimeout(() => (window.slow = "shown"), 100);
  return answer;
};"""


@pytest.mark.leg("night")
def test_a_page_that_comes_late_takes_nobody_back(browser, served):
    mary = Tutor(browser, served.address, "mary")
    mary.page.add_init_script(SLOW)
    mary.open(ID, "ada")
    served.act(act="comment", item=ID, student="ben", text="Another tutor's.", seen="")
    mary.page.wait_for_function("() => window.slow")  # the page looks what others changed
    way = mary.page.get_attribute("#next", "href")
    mary.keys("j")
    mary.page.wait_for_function("() => window.slow === 'shown'")
    mary.page.wait_for_function("way => location.href.endsWith(way)", arg=way)
    mary.at(ID, way.partition("student=")[2].partition("&")[0])
    assert mary.noise == []
    mary.context.close()


def test_nothing_is_lost_when_the_server_and_the_browser_stop(browser, mary, served, graded):
    mary.open(ID, "ada")
    mary.keys("p")
    mary.page.keyboard.type("1")
    mary.keys("Enter")
    mary.says("Saved")
    served.stop()
    mary.keys("c")
    mary.page.keyboard.type("Written into the void")
    mary.keys("Control+Enter")
    mary.says("Not saved: make mark does not answer")
    mary.page.close()
    again = Served(graded[1], "--port", str(served.port))
    try:
        mary.page = mary.context.new_page()
        mary.come(again.address)
        mary.open(ID, "ada")
        mary.page.wait_for_function("() => document.querySelector('#comment').value === 'Written into the void'")
        mary.keys("c", "Control+Enter")
        mary.says("Saved")
        assert rows(graded[1])[1:] == [["ada", ID, "1", "Written into the void"]]
    finally:
        again.stop()


@pytest.mark.leg("night")
def test_one_letter_keys_can_be_switched_off_and_stay_so(mary):
    mary.page.uncheck("#single")
    mary.open(ID, "ada")
    mary.page.locator("h1").click()
    mary.keys("n", "j", "o")
    assert not mary.page.is_checked("#single") and mary.page.locator("#place").get_attribute("data-student") == "ada"


def test_a_script_of_a_student_would_not_run(mary):
    mary.open("2.R1", "ben")
    assert "2.R1: Ben" in mary.page.title() and "<script>" in mary.text("#lines")
    mary.page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>')")
    mary.page.wait_for_timeout(200)
    assert all("Content Security Policy" in line for line in mary.noise) and mary.noise


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """Something of everything is on the pages."""
    none = [None, []]
    with pytest.MonkeyPatch.context() as patch:
        served = Served(marked_class.make(tmp_path_factory.mktemp("marked"), patch)[1], "--port", "0")
    served.act(act="maximum", item="2.R1", points="3", seen=None)
    for item in ("2.R1", ID):
        for words in ("Says when it is built, and what happens then", "No example"):
            served.act(act="criterion", item=item, number=None, points="1", words=words, seen=None)
    served.act(act="use", item="2.R1", student="ada", number=1, seen=none)
    line = {"act": "line", "seen": ""}
    served.act(**line, item="2.R1", student="ada", line=2, cell="An `if` decides then.", text="When?\nThen.")
    served.act(**line, item=ID, student="ben", line=LINE, cell="what was there", text="Gone now.")
    served.act(act="comment", item=ID, student="ben", text="Read it again.", seen="")
    served.act(act="request", item=ID, student="ben", text=marked_class.HOSTILE)
    yield served
    served.stop()


@pytest.mark.leg("night")
@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_pages_fit_can_be_read_and_axe_finds_nothing(browser, marked, width, scheme):
    tutor = Tutor(browser, marked.address, "mary", width, scheme)
    for item, student in (("", ""), ("2.R1", "ada"), (ID, "ada"), (ID, "ben"), ("2.R1", "cleo")):
        tutor.page.goto(f"http://127.0.0.1:{marked.port}/?item={item}&student={student}")
        tutor.page.wait_for_selector("#keys")
        tutor.page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
        if item:
            tutor.page.locator("#lines button").first.click()
        place = (item, student, width, scheme)
        assert tutor.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, place
        assert violations(tutor.page, "body") == [], place
        texts = tutor.page.evaluate(TEXTS)
        assert [text for text in texts if contrast(text["color"], text["background"]) < 4.5] == [], place
    assert tutor.noise == []
    tutor.context.close()

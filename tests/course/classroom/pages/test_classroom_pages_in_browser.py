"""The classroom's pages in a real browser: on a phone and on a layout, light and dark, and on paper.

Needs the same browser as test_browser.py, which also measures contrast and what does not fit.
"""

import runpy
from itertools import pairwise
from pathlib import Path

import pytest
import sample_class

from grader.classroom.marks.marks import Mark, Marks
from grader.classroom.pages import exercises_page, feedback, index_page, similar_page, written_page
from grader.classroom.pages.tally import Tally
from grader.classroom.similar.compare import Alike, Answer, Similar
from grader.classroom.term import page as term_page
from grader.classroom.term.joined import Result, Student, Term
from grader.classroom.term.outcomes import Outcome

pytestmark = pytest.mark.leg("push")

CLASSROOM = Path(__file__).parents[1]
MEASURES = runpy.run_path(str(CLASSROOM.with_name("notebook") / "test_browser.py"))
browser, contrast, luminance, violations = (MEASURES[n] for n in ("browser", "contrast", "luminance", "violations"))
MISFITS = MEASURES["MISFITS"]

SIZES = {"phone": (360, 800), "layout": (1280, 900)}
STUDENTS = {"all passed": 0, "failing": 2, "hostile": 9, "broken file": 13, "cannot be graded": 28}
LEAST = 4.5  # contrast of text, WCAG AA

CODE = tuple(
    (line, n % 2 == 1) for n, line in enumerate(["def mul(self, other):", "    " + "x" * 150, "", "    return 1" * 30])
)
ALIKE = Alike((sample_class.student(1), sample_class.student(20)), (Answer("2.1", 2, (CODE, CODE)), Answer("2.3", 5)))

# Each piece of text with its colour and the background behind it.
TEXTS = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    document.querySelectorAll('details').forEach(details => details.open = true);
    const background = box => getComputedStyle(box).backgroundColor;
    while (walker.nextNode()) {
        const text = walker.currentNode.textContent.trim(), inner = walker.currentNode.parentElement;
        if (!text) continue;
        const {color, fontSize} = getComputedStyle(inner);
        let box = inner;
        while (background(box) === 'rgba(0, 0, 0, 0)' && box.parentElement) box = box.parentElement;
        found.push({text, color, background: background(box), size: parseFloat(fontSize)});
    }
    return found;
}"""
FILLS = "() => [...document.querySelectorAll('rect')].map(rect => getComputedStyle(rect).fill)"
HEADINGS = (
    "() => [...document.querySelectorAll('h1, h2, h3, h4')].map(heading => [+heading.tagName[1], heading.textContent])"
)
UNNAMED = """() => [...document.querySelectorAll('th:not([scope]), svg:not([aria-hidden]):not([aria-label]), a:empty')]
    .map(element => element.outerHTML)"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """{name: file}: the teacher's page and those of some students."""
    out, context, records = tmp_path_factory.mktemp("pages"), sample_class.context(), sample_class.records()
    sections = {record["student"]: f"Section {number % 3}" for number, record in enumerate(records[3:])}
    tally = Tally.of(records, context | {"sections": sections})
    index_page.write(out, tally)
    exercises_page.write(out, tally)
    pair = sample_class.student(2), sample_class.student(9)
    similar_page.write(out, context | {"similar": Similar([pair], [ALIKE], 29)})
    files = {"index": out / "index.html", "similar": out / "similar.html", "exercises": out / "exercises.html"}
    idea = frozenset({("2.1", "the slopes of a sum")})
    results = [Result(earned, earned / 10, idea, out / "of a" / "feedback.html") for earned in (9, 2)]
    names = sample_class.NAMES[8:12]
    learners = [Student(*each, f"Section {n % 2}", [*results, None]) for n, each in enumerate(zip("abcd", names))]
    goal = Outcome("03", "say what `y` passes back, and why shares add up", ("3.1",), ("3.E1",), (3, 4), (1, 4))
    term_page.write(out, Term(["hw1", "hw2", "hw3"], [10, 10, 10], learners), [goal])
    files["term"] = out / "term.html"
    texts = {sample_class.student(n): sample_class.HOSTILE.encode(errors="replace").decode() for n in (2, 9, 13)}
    for student, text in texts.items():
        answers = out / context["folders"][student] / "answers"
        answers.mkdir(parents=True)
        (answers / "02.md").write_text(f"## Note 2.R1\n\n{text}\n")
    mark = {sample_class.student(2): {"2.R1": Mark(2, sample_class.HOSTILE)}}
    written_page.write(out, context | {"sections": sections, "marks": Marks({}, {"2.R1": 3}, mark)})
    files |= {"written": out / "written.html", "question": out / "written" / "2.R1.html"}
    for name, number in STUDENTS.items():
        folder = out / context["folders"][records[number]["student"]]
        feedback.write(folder, records[number], context)
        files[name] = folder / "feedback.html"
    return files


class Look:
    """A page as it is seen, and what it did meanwhile: messages, dialogs, requests."""

    def __init__(self, browser, file, size="layout", scheme="light"):
        width, height = SIZES[size]
        self.page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.noise, self.requests = [], []
        self.page.on("console", lambda message: self.noise.append(message.text))
        self.page.on("pageerror", lambda error: self.noise.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.noise.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(file.as_uri())

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.page.close()

    def ask(self, script):
        return self.page.evaluate(script)


@pytest.fixture(scope="module")
def look(browser, pages):
    """look(name, size, scheme): a page that is open already where another test has looked at it."""
    opened = {}

    def at(name, size="layout", scheme="light"):
        if (name, size, scheme) not in opened:
            opened[name, size, scheme] = Look(browser, pages[name], size, scheme)
        return opened[name, size, scheme]

    yield at
    for seen in opened.values():
        seen.page.close()


NIGHT = pytest.mark.leg("night")
OTHERS = [pytest.param(name, marks=NIGHT) for name in STUDENTS if name != "failing"]
OF_A_CLASS = [pytest.param(name, marks=NIGHT) for name in ("similar", "exercises", "term", "written", "question")]
PAGES = [pytest.param("index", marks=NIGHT), "failing", *OF_A_CLASS, *OTHERS]
each_page = pytest.mark.parametrize("name", PAGES)
each_scheme = pytest.mark.parametrize("scheme", ["light", "dark"])
each_size = pytest.mark.parametrize("size", ["phone", pytest.param("layout", marks=NIGHT)])


@each_page
@each_size
@pytest.mark.leg("night")
def test_page_fits_its_screen(look, name, size, tmp_path):
    seen = look(name, size)
    faults = seen.ask(MISFITS)
    wide = seen.ask("() => document.documentElement.scrollWidth - innerWidth")
    if faults or wide > 0:
        seen.page.screenshot(path=tmp_path / "page.png", full_page=True)
    assert (faults, wide) == ([], 0), tmp_path


@each_page
def test_page_runs_nothing_and_asks_for_nothing(look, pages, name):
    seen = look(name)
    assert seen.noise == []
    assert seen.requests == [pages[name].as_uri()]


@each_page
@each_scheme
@pytest.mark.leg("night")
def test_text_can_be_read_in_light_and_dark(look, name, scheme):
    texts = look(name, scheme=scheme).ask(TEXTS)
    assert texts
    pale = [text for text in texts if contrast(text["color"], text["background"]) < LEAST]
    assert (pale, [text for text in texts if text["size"] < 12]) == ([], [])


@pytest.mark.leg("night")
@each_page
def test_dark_is_dark_and_light_is_light(look, name):
    paper = "() => getComputedStyle(document.body).backgroundColor"
    assert luminance(look(name, scheme="dark").ask(paper)) < 0.05
    assert luminance(look(name).ask(paper)) > 0.9


@pytest.mark.parametrize("name", ["index", "failing", *OTHERS])
@each_scheme
def test_bars_have_colours_of_their_own(look, name, scheme):
    fills = look(name, scheme=scheme).ask(FILLS)
    assert fills and "rgb(0, 0, 0)" not in fills and "none" not in fills


@each_page
def test_headings_form_an_outline(look, name):
    levels, words = zip(*look(name).ask(HEADINGS))
    assert levels[0] == 1 and levels.count(1) == 1 and all(words)
    assert all(after <= before + 1 for before, after in pairwise(levels))


@each_page
def test_tables_and_pictures_say_what_they_are(look, name):
    seen = look(name)
    assert seen.ask(UNNAMED) == []
    assert seen.ask("() => document.documentElement.lang") == "en" and seen.page.title()


@each_page
@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ("phone", "dark"),
        *(pytest.param(*each, marks=NIGHT) for each in (("phone", "light"), ("layout", "dark"), ("layout", "light"))),
    ],
)
def test_axe_finds_nothing(browser, pages, name, size, scheme):
    with Look(browser, pages[name], size, scheme) as look:
        look.ask("() => document.querySelectorAll('details').forEach(details => details.open = true)")
        assert violations(look.page, "body") == []


def test_a_script_in_a_page_would_not_run(browser, pages, tmp_path):
    """The policy holds even where an escape were forgotten."""
    file = tmp_path / "forgotten.html"
    html = pages["hostile"].read_text("utf-8")
    attack = "<script>document.title = 'taken'</script><img src='https://example.invalid/x.png'><p style='color: red'>"
    file.write_text(html.replace("<main>", f"<main>{attack}"), encoding="utf-8")
    with Look(browser, file) as look:
        assert "feedback for" in look.page.title()
        assert all("Content Security Policy" in line for line in look.noise) and len(look.noise) >= 3


@pytest.mark.leg("night")
def test_links_from_the_table_lead_to_the_explanation(browser, pages):
    with Look(browser, pages["hostile"], "phone") as look:
        look.page.locator("td a").first.click()
        assert look.ask("() => document.querySelector(':target').getBoundingClientRect().top") < 100


@pytest.mark.leg("night")
def test_names_from_right_to_left_do_not_turn_the_line_around(browser, pages):
    with Look(browser, pages["index"]) as look:
        row = look.page.locator(".by-name tr", has_text="נועה")
        name, points = row.locator("th a").bounding_box(), row.locator("td").last.bounding_box()
        assert name["x"] < points["x"]


@pytest.mark.leg("night")
def test_students_are_ordered_and_filtered_without_a_script(browser, pages):
    with Look(browser, pages["index"], "phone") as look:
        tables = {id: look.page.locator(f"table.{id}") for id in ("by-name", "by-points", "by-section")}
        rows = {id: table.locator("tr:visible").count() for id, table in tables.items()}
        assert rows["by-name"] > 20 and rows["by-points"] == rows["by-section"] == 0
        for id in tables:
            look.page.get_by_label({"by-name": "by name", "by-points": "fewest"}.get(id, "by section")).check()
            assert [other for other, each in tables.items() if each.is_visible()] == [id]
        look.page.get_by_label("only those").check()
        shown = tables["by-section"].locator("tr:visible").all_inner_texts()
        assert 5 < len(shown) < rows["by-name"] and any("Eve" in text for text in shown)
        look.page.keyboard.press("Space")
        assert tables["by-section"].locator("tr:visible").count() > rows["by-name"]  # and the headings of the sections


@pytest.mark.leg("night")
def test_students_of_a_term_are_ordered_filtered_and_lead_to_their_pages(browser, pages):
    with Look(browser, pages["term"], "phone") as look:
        rows = look.page.locator("table:is(.by-section, .by-name, .by-points) tr:visible")
        for label, headings in (("by section", 2), ("by name", 0), ("fewest points first", 0)):
            look.page.get_by_label(label, exact=True).check()
            assert rows.count() == 1 + headings + 4, label
        assert rows.nth(1).locator("a").first.get_attribute("href") == "of%20a/feedback.html"
        assert rows.nth(1).locator("a").first.get_attribute("aria-label") == "hw1: 90 %"


@pytest.mark.leg("night")
def test_on_paper_the_page_is_light_and_shows_what_is_folded(browser, pages):
    with Look(browser, pages["index"], scheme="dark") as look:
        look.page.emulate_media(media="print", color_scheme="dark")
        assert luminance(look.ask("() => getComputedStyle(document.body).backgroundColor")) > 0.9
        folded = look.page.locator("details article").first
        assert folded.bounding_box()["height"] > 20
        assert not look.page.locator("nav").is_visible()


@pytest.mark.leg("night")
def test_answers_are_filtered_without_a_script(browser, pages):
    with Look(browser, pages["question"]) as seen:
        shown = "() => [...document.querySelectorAll('article')].filter(answer => answer.offsetParent).length"
        counts = [seen.ask(shown)]
        for choice in ("#unseen", "#seen", "#any", "#s0", "#s1", "#s2", "#every"):
            seen.page.check(choice)
            counts.append(seen.ask(shown))
        assert counts[:4] == [3, 2, 1, 3] and counts[-1] == 3 and all(count < 3 for count in counts[4:-1])

"""The quiz of the try page in a browser: by keyboard alone, with what is kept, and for all eyes."""

import runpy
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from grader.quiz.log import parsed

TRY = runpy.run_path(str(Path(__file__).with_name("test_tryit.py")))
browser, patient, site, visitor = (TRY[name] for name in ("browser", "patient", "site", "visitor"))
opened, until, violations = (TRY[name] for name in ("opened", "until", "violations"))

pytestmark = pytest.mark.leg("night")

LINE = '{{"at": "2026-09-01T18:00:{:02}Z", "question": "3.Q1", "right": true}}'


def text(page):
    return page.evaluate("layout.quizLines.text()")


def ask(page, about="03"):
    """Open the quiz by the keyboard, with five questions about a notebook."""
    page.locator("#quiz-open").focus()
    page.keyboard.press("Enter")
    page.select_option("#quiz-about", about)
    until(page, "document.querySelector('#quiz-asked h3')?.textContent.startsWith('Question 1 of 5')")


def answered(page, number):
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#quiz-said').textContent.includes('The answer: ')")
    assert page.locator("#quiz-said a").get_attribute("href")[:12] == "03.html#sect"
    if number < 5:
        page.keyboard.press("Enter")
        until(page, f"document.querySelector('#quiz-asked h3').textContent.startsWith('Question {number + 1} ')")


def test_a_round_by_keyboard_is_kept_and_its_link_leads_into_the_notebook(visitor, site):
    page = opened(visitor, site, "03")
    ask(page)
    for number in range(1, 6):
        answered(page, number)
    assert "0 of 5 right." in page.inner_text("#quiz-said")
    assert [event.right for event in parsed(text(page)).events] == [False] * 5
    page.locator("#quiz-said a").focus()
    page.keyboard.press("Enter")
    assert not page.locator("#quiz").is_visible()
    assert page.evaluate("document.activeElement.tagName") == "H2"
    before = text(page)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert text(page) == before


HELD = """() => {
    const { quiz } = layout, words = { id: "3.Q1", number: "03", section: "A. b", code: "", text: "?" };
    const begun = { log: "", notes: [], asked: [{ ...words, names: ["x"], lettered: [] }] };
    window.asked = [];
    quiz.failed = () => [];
    quiz.ask = ({ question }) => question ? new Promise((tell) => asked.push(tell)) : begun;
}"""


def test_an_answer_to_a_round_that_was_left_lets_nobody_answer_twice(visitor, site):
    page = opened(visitor, site, "03", python=False)
    page.evaluate(HELD)
    for _ in range(2):
        page.evaluate("layout.quiz.begin()")
        page.evaluate("() => { layout.quiz.press() }")
    page.evaluate("asked[0]({ log: '', said: [], summary: [] })")
    page.evaluate("() => { layout.quiz.press() }")
    assert page.evaluate("asked.length") == 2


def test_a_check_that_fails_notes_the_idea_that_it_names(visitor, site):
    files = TRY["learners"](["2.1", "3.1"])
    answer = TRY["right"]("3.1")
    files["value.py"] = files["value.py"].replace(answer, answer.replace("+=", "="))
    page = opened(visitor, site, "03", files=files)
    page.select_option("#exercise", "3.1")
    page.click("#check")
    TRY["checked"](page)
    assert [event.idea[0] for event in parsed(text(page)).events] == ["3.1"]


def test_two_tabs_lose_no_line_and_a_file_that_comes_in_is_joined(visitor, site):
    one, two = (opened(visitor, site, python=False) for _ in range(2))
    for page, first in ((one, 0), (two, 20)):
        page.evaluate(
            "lines => lines.forEach(line => layout.quizLines.add(line))", [LINE.format(first + n) for n in range(20)]
        )
    until(one, "layout.quizLines.text().split('\\n').length === 41")
    until(two, "layout.quizLines.text().split('\\n').length === 41")
    strange = ['{"of": "a newer course"}', LINE.format(3), LINE.format(59), '{"torn": ']
    upload(one, "quiz (1).jsonl", "\r\n".join(strange).encode())
    assert one.locator("#uploaded").text_content() == "The quiz goes on with what quiz.jsonl says, too."
    lines = text(one).splitlines()
    assert sorted(lines) == sorted({*map(LINE.format, range(40)), *strange})
    assert lines[-3:] == [strange[0], *strange[2:]]
    one.click(".files summary")
    _, data = TRY["downloaded"](one, "#download-all")
    with zipfile.ZipFile(BytesIO(data)) as archive:
        assert archive.read(".babygrad/quiz.jsonl").decode() == text(one)
    one.evaluate("() => { localStorage.clear() }")
    one.reload()
    one.wait_for_selector("body[data-ready]")
    upload(one, "babygrad.zip", data)
    assert text(one).splitlines() == lines


def upload(page, name, data):
    page.evaluate("document.getElementById('uploaded').textContent = ''")
    page.set_input_files("#upload", {"name": name, "mimeType": "text/plain", "buffer": data})
    until(page, "document.getElementById('uploaded').textContent")


def test_a_file_that_is_too_large_is_refused_and_one_of_many_lines_is_read(visitor, site):
    page = opened(visitor, site, python=False)
    upload(page, "quiz.jsonl", b"x" * 2_000_001)
    assert "quiz.jsonl is too large" in page.locator("#uploaded").text_content() and text(page) == ""
    upload(page, "quiz.jsonl", "\n".join(f"{n}" for n in range(20_000)).encode())
    assert len(text(page).splitlines()) == 20_000


def test_entries_of_an_archive_that_share_their_bytes_are_not_read_without_end(visitor, site):
    page = opened(visitor, site, python=False)
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(30):
            archive.writestr(f"{n}/.babygrad/quiz.jsonl", " " * 1_000_000)
    upload(page, "babygrad.zip", data.getvalue())
    assert "What is in this archive is too large" in page.locator("#uploaded").text_content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_can_read_and_use_it_at_each_width(browser, site, scheme):
    context = browser.new_context(color_scheme=scheme)
    page = opened(context, site, "03")
    ask(page)
    for width in TRY["WIDTHS"]:
        page.set_viewport_size({"width": width, "height": 800})
        assert violations(page, "html") == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(
            "document.querySelector('#quiz').scrollWidth <= document.querySelector('#quiz').clientWidth"
        )
        labels = page.evaluate("[...document.querySelectorAll('#quiz input')].every(each => each.labels.length)")
        assert labels and page.evaluate("document.querySelector('#quiz').contains(document.activeElement)")
    context.close()

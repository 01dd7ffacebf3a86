"""The try page in a browser: checks by keyboard, loops that never end, reloads, files out and in, no network.

Needs npm, whose packages the page is made of, and the browser of test_browser.py; test_cells.py needs neither.
"""

import contextlib
import functools
import hashlib
import html
import http.server
import io
import json
import os
import re
import runpy
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from grader.course import catalogue, regions, stubs
from grader.edition import release
from grader.inpage import bundle
from grader.notebook import answers
from grader.site import tryit

BESIDE = Path(__file__).parent
MEASURES = runpy.run_path(str(BESIDE.with_name("notebook") / "test_browser.py"))
browser, violations = MEASURES["browser"], MEASURES["violations"]

pytestmark = pytest.mark.leg("night")

NOTEBOOKS = ("01", "02", "03", "04")
ALL = [ex.id for number in NOTEBOOKS for ex in catalogue.exercises_of(number)]
# Ten exercises, each with what makes a right answer a wrong one.
WRONG = {
    "2.1": ("(other.data, self.data)", "(self.data, other.data)"),
    "2.2": ("b * t3 + t2", "b * t3"),
    "2.3": ("** (exponent - 1)", "** exponent"),
    "2.9": ("(1.0 if positive else 0.0,)", "(1.0,)"),
    "2.10": ("1 / c**2 + b.relu()", "a + b"),
    "3.1": ("+=", "="),
    "3.2": ("            order.append(node)\n", ""),
    "3.3": ("return order", "return order[::-1]"),
    "3.4": ("reversed(order)", "order"),
}
NAMED = {"2.1", "2.9", "3.1"}  # those whose wrong idea the check knows
FILES = ("derivatives.py", "hunts.py", "scalar_nn.py", "value.py")
LOOP = "while True:\n            pass"
PATIENCE = 600  # seconds for a check, on a busy machine
WIDTHS = (360, 768, 1280)


@pytest.fixture(scope="module", autouse=True)
def patient():
    """In the page the clock counts: a check has as long as a busy machine may take."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "TIMEOUT", PATIENCE)
        yield


@pytest.fixture(scope="module")
def site(node, tmp_path_factory):
    """The address of try/, served below another folder, as a project's pages are."""
    out = tmp_path_factory.mktemp("served") / "babygrad"
    out.mkdir()
    (out / "index.html").write_text("<title>The site</title>")
    tryit.write(out)
    with served(out.parent) as address:
        yield f"{address}babygrad/try/"


@contextlib.contextmanager
def served(folder):
    """The address at which the files of a folder are served."""
    handler = functools.partial(Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *words: None  # a page that was closed while it loaded
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Other sites may read what it serves, as those with wheels let them."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}

    def end_headers(self):
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *words):
        pass


@pytest.fixture
def visitor(browser):
    """A browser that was never here; what its pages complain of fails the test."""
    context = browser.new_context(accept_downloads=True, viewport={"width": 1280, "height": 900})
    complaints = []
    context.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    yield context
    context.close()
    assert complaints == []


def opened(context, site, number="02", python=True, files=None):
    """A page with a notebook.  python: wait until it has started.  files: what was kept before."""
    page = context.new_page()
    if files:
        page.goto(site)
        for name, text in files.items():
            page.evaluate("([key, text]) => localStorage.setItem(key, text)", [f"babygrad:file:{name}", text])
    page.goto(f"{site}{number}.html")
    page.wait_for_selector("body[data-python=ready]" if python else "body[data-ready]")
    return page


def until(page, expression):
    """Wait until it is true. (Playwright's own way evaluates text in the page, which the page's policy forbids.)"""
    for _ in range(6000):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"never: {expression}")


def learners(done=()):
    """{file: text} of a learner's files with the right answers to some exercises, as if typed."""
    files = stubs.generated(given=tuple(done))
    return {name: files[name].replace(" (given)", "") for name in FILES}


def possible(number):
    """The points of a notebook."""
    return sum(ex.points for ex in catalogue.exercises_of(number))


def right(id):
    """The lines of the right answer to an exercise with one region."""
    text = learners([id])[catalogue.exercise(id).file]
    [region] = [region for region in regions.stub_regions(text) if region.id == id]
    return "\n".join(region.body)


def checked(page):
    """Wait for the check that was asked for.  Returns its headline and its sentences."""
    page.wait_for_selector("body:not([data-checking]) .verdict")
    lines = page.locator(".verdict [data-kind]").all_text_contents()
    return page.inner_text("#headline"), lines


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """A student edition, as the page's course comes from."""
    out = tmp_path_factory.mktemp("edition") / "course"
    release.release(out, ",".join(NOTEBOOKS))
    return out


def in_the_terminal(page, id, edition):
    """The headline and the sentences that the course itself has for the same files."""
    for name in FILES:
        (edition / "babygrad" / name).write_text(page.evaluate("name => layout.text(name)", name), encoding="utf-8")
    command = [sys.executable, "-P", "-m", "grader", "check", id, "--mimebundle"]
    environment = {**os.environ, "PYTHONPATH": str(edition)}
    told = subprocess.run(command, cwd=edition, env=environment, capture_output=True, encoding="utf-8", check=False)
    said = json.loads(told.stdout)
    _, *lines = said["text/plain"].splitlines()
    heading = re.search("<b>(.*?)</b>", said["text/html"])[1]
    return html.unescape(heading), [shown(line.removeprefix("  ")) for line in lines]


def shown(line):
    """A sentence without the marks of code in it; what is typed for a hint is a button here."""
    if line.startswith("Hint: %hint "):
        return "Show a hint"
    if line.startswith("    "):
        return line[4:]
    return line.replace("`", "") if line.count("`") % 2 == 0 else line


# ------------------------------------------------------------------ by keyboard


def tab_to(page, selector):
    for _ in range(12):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached")


def choose(page, id):
    """From the top of the page to the exercise, by the keyboard alone."""
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0) }")
    page.locator("#skip").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Home")
    while page.evaluate("document.getElementById('exercise').value") != id:
        page.keyboard.press("ArrowDown")


def type_answer(page, text):
    """Into the region of the exercise, over the one line that a stub has."""
    tab_to(page, ".cm-content")
    for _ in range(4):  # a long line is shown on several
        page.keyboard.press("Shift+End")
    page.keyboard.insert_text(text.lstrip(" "))
    page.keyboard.press("Control+Enter")


def start_over(page):
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    tab_to(page, "#reset")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog:not([open])", state="attached")
    page.wait_for_selector(".cm-editor.cm-focused")  # the editor is given the focus a moment later


def test_nine_exercises_by_keyboard_wrong_and_right(visitor, site, edition):
    others = learners(set(ALL) - {*WRONG})
    for number in ("01", "02", "03"):
        page = opened(visitor, site, number, files=others if number == "02" else None)
        for id in [id for id in WRONG if id.startswith(f"{int(number)}.")]:
            answer, (good, bad) = right(id), WRONG[id]
            assert good in answer
            choose(page, id)
            type_answer(page, answer.replace(good, bad))
            headline, lines = checked(page)
            assert (headline, lines) == in_the_terminal(page, id, edition)
            assert "failed" in headline
            assert (page.locator(".verdict [data-kind=idea]").count() > 0) >= (id in NAMED)
            start_over(page)
            type_answer(page, answer)
            page.wait_for_selector(".verdict[data-kind=passed]")
            assert checked(page)[0] == in_the_terminal(page, id, edition)[0]
    earned = sum(catalogue.exercise(id).points for id in WRONG if id.startswith("3."))
    assert page.inner_text("#points") == f"{earned} of {possible('03')} points"


def test_the_editor_is_left_by_keyboard_and_hints_come_one_by_one(visitor, site):
    page = opened(visitor, site, python=False)
    choose(page, "2.1")
    tab_to(page, ".cm-content")
    page.keyboard.press("Tab")  # indents
    assert page.evaluate("document.activeElement.matches('.cm-content')")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    tab_to(page, "#hint")
    hints = catalogue.exercise("2.1").hints
    for count in range(1, 4):
        page.keyboard.press("Enter")
        assert [shown(hint) for hint in hints[:count]] == page.locator("#hints li").all_inner_texts()
        assert page.inner_text("#said") == f"Hint {count} of 3: {hints[count - 1]}"
    assert page.locator("#hint").is_disabled()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.locator("#hints li").count() == 3


def test_what_needs_numpy_is_not_asked_and_it_is_said_why(visitor, site):
    page = opened(visitor, site, "01", python=False)
    page.select_option("#exercise", "1.2")
    assert page.locator("#check").is_disabled() and page.locator("#hint").is_enabled()
    assert "NumPy is not in this page" in page.inner_text("#verdict")
    cell = page.locator(".cell.check[data-exercise='1.2']")
    assert cell.locator(".ask").count() == 0 and "NumPy is not in this page" in cell.inner_text()
    page.select_option("#exercise", "1.1")
    assert page.locator("#check").is_enabled() and page.inner_text("#points") == "0 of 9 points"
    page.goto(f"{site}04.html")
    page.wait_for_selector("body[data-ready]")
    assert page.locator(".cell.check").count() == 7 and page.locator(".cell.check .ask").count() == 1
    assert page.inner_text("#points") == "0 of 3 points"
    page.goto(site)
    assert "\n1 exercise, 0 of 3 points" in page.inner_text(".notebooks")


# ------------------------------------------------------------------ Python that does not come back


def test_an_endless_loop_is_ended_and_said_as_the_terminal_says_it(visitor, site, edition):
    files = learners(["2.1"])
    loop = files["value.py"].replace(right("2.1").strip(), LOOP)
    page = opened(visitor, site, files={**files, "value.py": loop})
    page.evaluate("layout.course.seconds = 10")
    page.click("#check")
    headline, lines = checked(page)
    there, words = in_the_terminal(page, "2.1", edition)
    assert headline == there and "timeout" in headline
    assert lines == words and any("No answer within 10 seconds" in line for line in lines)
    page.evaluate("text => { layout.put('value.py', text, 'a test'); layout.course.seconds = 600 }", files["value.py"])
    page.click("#check")
    page.wait_for_selector(".verdict[data-kind=passed]")


def test_a_cell_that_does_not_end_is_stopped_by_its_button(visitor, site):
    page = opened(visitor, site)
    run_cell(page, 2, "while True:\n    pass")
    page.click("#stop")
    page.wait_for_selector("body[data-python=ready]")
    assert "Python was started again" in page.locator(".cell.code .outputs").nth(1).inner_text()
    run_cell(page, 2, "print(6 * 7)")
    until(page, "document.querySelectorAll('.cell.code .outputs')[1].innerText.includes('42')")
    run_cell(page, 2, "print(no_such_name)")
    until(page, "document.querySelectorAll('.cell.code .outputs')[1].innerText.includes('NameError')")
    way_out, told = page.locator(".cell.code .outputs").nth(1).locator("> *").all_inner_texts()
    assert way_out == "Run the cells above, then this one" and "NameError" in told


def run_cell(page, number, code):
    """Type code into a cell in place of its own, and run it."""
    cell = page.locator(".cell.code").nth(number - 1)
    if cell.locator(".edit").is_visible():
        cell.locator(".edit").click()
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(code)
    page.keyboard.press("Shift+Enter")


# ------------------------------------------------------------------ what is kept


def test_a_reload_loses_nothing(visitor, site):
    page = opened(visitor, site, files=learners(["2.1"]))
    page.click("#check")
    checked(page)
    page.fill("[data-key='Prediction 2.A1'] textarea", "b, and a")
    page.fill("[data-key='Note 2.R1'] textarea", "while it runs")
    page.select_option("#exercise", "2.3")
    page.locator(".cm-content").focus()
    page.keyboard.type("# mine ")
    before = page.evaluate("layout.editor.text")
    assert "# mine raise" in before
    page.reload()  # at once: nothing waits for a timer
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate("layout.editor.text") == before
    assert page.input_value("#exercise") == "2.3"
    assert page.input_value("[data-key='Prediction 2.A1'] textarea") == "b, and a"
    assert page.input_value("[data-key='Note 2.R1'] textarea") == "while it runs"
    assert page.inner_text("#points") == f"2 of {possible('02')} points"
    page.goto(site)
    assert f"2 of {possible('02')} points" in page.inner_text(".notebooks")


def test_two_tabs_the_later_wins_and_the_earlier_is_a_backup(visitor, site):
    one, two = (opened(visitor, site, python=False) for _ in range(2))
    one.locator(".cm-content").focus()
    one.keyboard.type("# one ")
    until(two, "layout.editor.text.includes('# one')")
    assert "Another tab has changed value.py" in two.inner_text("#said")
    two.evaluate("() => layout.editor.replace('# two')")
    one.evaluate("() => layout.editor.replace('# one again')")
    for page in (one, two):
        until(page, "!layout.unsaved.size")
    last = one.evaluate("localStorage['babygrad:file:value.py']")
    backups = {backup["text"] for backup in one.evaluate("layout.keep.backups()")}
    assert {"# two", "# one again"} <= {last, *backups}
    assert one.evaluate("layout.text('value.py')") == two.evaluate("layout.text('value.py')") == last


def test_where_nothing_can_be_kept_it_is_said(visitor, site):
    visitor.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"
    )
    page = opened(visitor, site, python=False)
    page.locator(".cm-content").focus()
    page.keyboard.type("# mine ")
    until(page, "!layout.unsaved.size")
    page.wait_for_selector("#problem:not([hidden])")
    assert "could not be kept" in page.inner_text("#problem")
    assert "# mine" in page.evaluate("layout.text('value.py')")


def test_starting_over_keeps_a_backup_that_can_be_put_back(visitor, site):
    files = learners(["2.1", "2.3"])
    page = opened(visitor, site, python=False, files=files)
    page.select_option("#exercise", "2.1")
    page.click("#reset")
    page.click("dialog button[value=no]")
    assert page.evaluate("layout.text('value.py')") == files["value.py"]
    page.click("#reset")
    page.click("dialog button[value=yes]")
    until(page, "layout.text('value.py').includes('exercise 2.1: Value.__mul__')")
    assert page.evaluate("layout.text('value.py')") == learners(["2.3"])["value.py"]
    page.click(".files summary")
    page.click("#backup-list button")
    assert page.evaluate("layout.text('value.py')") == files["value.py"] == page.evaluate("layout.editor.text")


# ------------------------------------------------------------------ files out and in


def downloaded(page, button):
    with page.expect_download() as found:
        page.click(button)
    return found.value.suggested_filename, Path(found.value.path()).read_bytes()


def test_files_go_out_and_come_in(visitor, browser, site, tmp_path):
    files = learners(["2.1"])
    page = opened(visitor, site, python=False, files=files)
    page.fill("[data-key='Prediction 2.B1'] textarea", "five\n## Prediction 2.B2\n\\## no heading")
    page.fill("[data-key='Prediction 2.A1'] textarea", "three")
    page.fill("[data-key='Note 2.R1'] textarea", "when it runs")
    page.click(".files summary")
    assert downloaded(page, "#download") == ("value.py", files["value.py"].encode())
    name, data = downloaded(page, "#download-all")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert name == "babygrad.zip" and archive.testzip() is None
        archive.extractall(tmp_path)
        assert sorted(archive.namelist()) == ["answers/02.md", *(f"babygrad/{name}" for name in FILES)]
    assert (tmp_path / "babygrad/value.py").read_text() == files["value.py"]
    kept = [(answer.kind, answer.key, answer.text) for answer in answers.kept("02", tmp_path)]
    expected = [("Prediction", "2.A1", "three"), ("Prediction", "2.B1", "five\n## Prediction 2.B2\n\\## no heading")]
    assert kept == [*expected, ("Note", "2.R1", "when it runs")]
    again = browser.new_context()
    (tmp_path / "all.zip").write_bytes(packed(tmp_path))
    for archive in (tmp_path / "all.zip", {"name": "babygrad.zip", "mimeType": "application/zip", "buffer": data}):
        other = opened(again, site, python=False)
        other.evaluate("() => { localStorage.clear() }")
        other.reload()
        other.wait_for_selector("body[data-ready]")
        other.set_input_files("#upload", archive)
        until(other, "document.getElementById('uploaded').textContent")
        assert other.locator("#uploaded").text_content().startswith("Uploaded: ")
        assert other.evaluate("layout.editor.text") == files["value.py"]
        assert other.input_value("[data-key='Prediction 2.B1'] textarea") == expected[1][2]
    again.close()


def packed(folder):
    """A zip as other programs make it: compressed, in a folder of its own."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in (*folder.glob("babygrad/*.py"), *folder.glob("answers/*.md")):
            archive.write(path, f"course/{path.relative_to(folder)}")
        archive.writestr("course/babygrad/secret.py", "nobody reads it")
    return data.getvalue()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("tensor.py", "x = 1\n", "the page has derivatives.py, hunts.py, scalar_nn.py, value.py"),
        ("value.py", "x = 1\n", "the comments around its exercises"),
        ("all.zip", "no archive", "no zip archive"),
    ],
)
def test_another_file_is_refused_with_a_reason(visitor, site, name, text, words):
    page = opened(visitor, site, python=False)
    before = page.evaluate("layout.texts()")
    page.set_input_files("#upload", {"name": name, "mimeType": "text/plain", "buffer": text.encode()})
    until(page, "document.getElementById('uploaded').textContent")
    assert words in page.locator("#uploaded").text_content()
    assert page.evaluate("layout.texts()") == before


def test_of_a_zip_with_a_file_that_is_refused_nothing_is_taken(visitor, site):
    page = opened(visitor, site, python=False)
    before = page.evaluate("layout.texts()")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("babygrad/value.py", learners(["2.1"])["value.py"])
        archive.writestr("babygrad/scalar_nn.py", "x = 1\n")
    page.set_input_files("#upload", {"name": "all.zip", "mimeType": "application/zip", "buffer": data.getvalue()})
    until(page, "document.getElementById('uploaded').textContent")
    assert "could not be taken: in scalar_nn.py" in page.locator("#uploaded").text_content()
    assert page.evaluate("layout.texts()") == before


# ------------------------------------------------------------------ the notebook


def test_a_prediction_comes_before_the_output_that_answers_it(visitor, site):
    page = opened(visitor, site)
    cell = page.locator(".cell.prediction:has-text('2.A1') ~ .cell.code").first
    for k in range(page.locator(".cell.code").count()):
        if page.locator(".cell.code").nth(k).get_attribute("aria-label") == cell.get_attribute("aria-label"):
            break
        page.locator(".cell.code .run").nth(k).click()
    cell.locator(".run").click()
    assert (
        page.evaluate("document.activeElement.id") == "prediction-2.A1" and cell.locator(".outputs").inner_text() == ""
    )
    said = page.locator(".cell.prediction:has-text('2.A1') .first-prediction")
    assert said.is_visible()
    page.keyboard.type("3 and 2")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert not said.is_visible()
    page.keyboard.press("Enter")
    cell.locator(".outputs pre").wait_for()
    assert cell.locator(".outputs").inner_text().startswith("You predicted: 3 and 2")
    page.locator(".cell.predictions .list").click()
    assert "2.A1: 3 and 2" in page.locator(".cell.predictions .outputs").inner_text()


def test_a_prediction_is_skipped_by_a_button_that_can_be_seen(visitor, site):
    page = opened(visitor, site, python=False)
    skip = page.locator(".cell.prediction .skip").first
    skip.scroll_into_view_if_needed()
    assert 0 <= skip.bounding_box()["x"] <= 1280
    skip.click()
    assert page.evaluate("document.activeElement.matches('.run')")


def test_after_an_exercise_the_notebook_goes_on_and_the_next_one_is_the_next(visitor, site):
    """2.1 passed: 2.2 comes, although 2.4 is the first that builds on 2.1. After the last one, the next notebook."""
    page = opened(visitor, site, files=learners(["2.1"]))
    page.click("#check")
    page.get_by_role("button", name="Read on").click()
    assert page.evaluate("document.activeElement.textContent.trim().startsWith('Explain.')")
    page.get_by_role("button", name="Next exercise: 2.2 by_hand").click()
    assert page.evaluate("document.activeElement.textContent").startswith("Exercise 2.2 ")
    assert page.input_value("#exercise") == "2.2"
    page.evaluate("ids => ids.forEach(id => layout.keep.setJson(`result:${id}`, {status: 'passed', points: 1}))", ALL)
    page.evaluate("layout.check('2.1')")
    page.get_by_role("link", name="On to 03").wait_for()


def test_the_file_leads_to_the_question_and_a_link_from_the_book_to_both(visitor, site):
    page = opened(visitor, site, python=False)
    page.select_option("#exercise", "2.8")
    page.click("#asked")
    assert page.evaluate("document.activeElement.textContent").startswith("Exercise 2.8 ")
    page.goto(f"{site}03.html#exercise-3-2")
    page.wait_for_selector("body[data-ready]")
    assert page.input_value("#exercise") == "3.2"
    until(page, "Math.abs(document.activeElement.getBoundingClientRect().top) < 200")
    assert page.evaluate("document.activeElement.textContent").startswith("Exercise 3.2 ")


def test_links_in_messages_and_what_becomes_of_exercises(visitor, site):
    files = learners(["2.1", "2.3", "2.4", "2.5"])
    files["value.py"] = files["value.py"].replace("return other - self", "return self - other")
    page = opened(visitor, site, files=files)
    page.select_option("#exercise", "2.5")
    page.click("#check")
    assert (
        page.locator(".verdict a").get_attribute("href")
        == "../docs/stuck.html#right-with-values-wrong-with-plain-numbers"
    )
    page.evaluate("text => layout.put('value.py', text, 'a test')", learners(["2.1", "2.4"])["value.py"])
    what_becomes_of_exercises(page)


def what_becomes_of_exercises(page):
    """2.1 and 2.4 are filled in, 2.3 is not: 2.4 builds on it."""

    def state(id):
        listed = page.locator(f"#exercise option[value='{id}']").text_content()
        word = listed.removeprefix(f"{id} {catalogue.exercise(id).title}").removeprefix(", ")
        assert page.locator(f".cell.check[data-exercise='{id}'] .standing").inner_text().startswith(word)
        return word

    page.select_option("#exercise", "2.3")
    assert state("2.3") == ""
    page.click("#check")
    assert "not started" in checked(page)[0] and state("2.3") == "not filled in"
    page.locator(".cm-content").focus()
    page.keyboard.type("# mine ")
    until(page, "!layout.unsaved.size")
    assert state("2.3") == "begun" and page.locator("#verdict[data-old]").count() == 1
    page.select_option("#exercise", "2.4")
    page.click("#check")
    assert "error" in checked(page)[0] and state("2.4") == "error"
    page.locator(".verdict [data-kind=needs] button").first.click()
    assert page.input_value("#exercise") == "2.3"
    assert page.evaluate("document.activeElement.textContent").startswith("Exercise 2.3 ")
    page.select_option("#exercise", "2.1")
    page.click("#check")
    assert "passed" in checked(page)[0] and state("2.1") == "passed"
    page.click("#reset")
    page.click("dialog button[value=yes]")
    until(page, "!document.getElementById('verdict').textContent")
    assert state("2.1") == "" and page.inner_text("#points") == f"0 of {possible('02')} points"


SEEN = """text => {
    const line = [...document.querySelectorAll('.cm-line')].find(each => each.textContent.trim().startsWith(text));
    if (!line) return false;
    const { top, bottom } = line.getBoundingClientRect();
    const editor = document.querySelector('#editor').getBoundingClientRect();
    return editor.top <= top && bottom <= editor.bottom && bottom <= innerHeight;
}"""


def test_question_stub_and_button_are_seen_at_once(visitor, site):
    """The stub from the first line of its function on. In a narrow window the notebook and the file take turns."""
    page = opened(visitor, site, python=False)
    for width, height in ((1280, 800), (1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for id, function in {"2.3": "def __pow__", "2.1": "def __mul__", "2.8": "def tanh"}.items():
            page.evaluate("id => layout.goOn(id)", id)
            question = f"Exercise {id} "
            assert page.evaluate("document.activeElement.textContent").startswith(question)
            if width < 900:
                assert page.locator(".top").bounding_box()["height"] <= 120
                page.click("[data-view-of=file]")
            for line in (function, f"# end of exercise {id}"):
                until(page, f"({SEEN})({json.dumps(line)})")
            button, editor = page.locator("#check").bounding_box(), page.locator("#editor").bounding_box()
            assert button["y"] + button["height"] <= height
            assert editor["height"] >= (0.65 if width > 900 else 0.45) * height


def test_a_drawing_behind_glass_needs_no_bar_of_its_own(visitor, site):
    files = learners(ALL)
    answer = right("3.1")
    page = opened(
        visitor, site, "03", files={**files, "value.py": files["value.py"].replace(answer, answer.replace("+=", "="))}
    )
    page.select_option("#exercise", "3.1")
    page.click("#check")
    page.frame_locator(".verdict iframe").locator("svg").first.wait_for()
    frame = page.frames[-1]
    for _ in range(6000):
        if frame.evaluate("document.documentElement.scrollHeight <= innerHeight"):
            return
        page.wait_for_timeout(100)
    raise AssertionError("it is cut off")


def test_every_cell_of_each_notebook_runs_on_right_answers(browser, site):
    """In 03 a graph of 100,000 nodes is freed at once, too: too deep for a browser if they were freed in each other."""
    context = browser.new_context()
    for number, pictures in zip(NOTEBOOKS, (3, 8, 7, 10), strict=True):
        page = opened(context, site, number, files=learners(ALL))
        for key in page.evaluate("layout.cells.map(cell => cell.dataset.key).filter(key => key)"):
            page.evaluate("key => layout.keep.set('skip:' + key, 'yes')", key)
        last = page.evaluate("layout.cells.map(cell => Boolean(cell.querySelector('.run'))).lastIndexOf(true)")
        page.evaluate("n => layout.runUpTo(n)", last)
        assert page.evaluate("layout.cells.filter(cell => cell.died).map(cell => cell.died)") == []
        assert page.locator(".outputs .error").all_inner_texts() == []
        assert page.locator(".outputs img, .outputs iframe").count() >= pictures
        assert all(image.get_attribute("alt") for image in page.locator(".outputs img").all())
    context.close()


def test_what_code_sends_is_shown_as_text_or_behind_glass(browser, site):
    context = browser.new_context()  # whose console says that an attack was stopped
    page = opened(context, site)
    attack = "<img src=x onerror=\"document.body.dataset.broken='yes'\">"
    run_cell(page, 2, f"print({attack!r})")
    until(page, "document.querySelectorAll('.cell.code .outputs')[1].innerText.includes('onerror')")
    script = "<p aria-label='drawn'>drawn</p><script>top.document.body.dataset.broken = 'yes'</script>"
    code = f"class Shown:\n    def _repr_html_(self):\n        return {script!r}\nShown()"
    run_cell(page, 2, code)
    frame = page.frame_locator(".cell.code .outputs iframe")
    frame.locator("p").wait_for()
    assert frame.locator("p").inner_text() == "drawn"
    assert page.evaluate("document.body.dataset.broken") is None
    assert page.locator("iframe").get_attribute("sandbox") == "allow-scripts"
    context.close()


def test_the_frame_of_drawings_is_at_rest_when_it_is_opened_by_itself(visitor, site):
    """It is its own parent then, and would answer itself for ever."""
    page = visitor.new_page()
    page.goto(f"{site}stage.html")
    page.wait_for_timeout(200)
    assert page.inner_text("body") == "The try page shows its drawings in here."


# ------------------------------------------------------------------ the network, and all eyes


def test_nothing_is_asked_of_anybody_but_the_site_and_nothing_when_the_network_is_cut(visitor, site):
    asked = []
    visitor.on("request", lambda request: asked.append((request.method, request.url)))
    page = opened(visitor, site, files=learners(["2.1"]))
    visitor.set_offline(True)
    count = len(asked)
    page.click("#check")
    page.wait_for_selector(".verdict[data-kind=passed]")
    page.locator(".cell.code .run").nth(0).click()
    run_cell(page, 2, "draw_graph(Value(2.0, label='a') * 3)")
    page.locator(".cell.code .outputs img").wait_for()
    assert [url for _, url in asked[count:] if not url.startswith(("data:", "blob:"))] == []
    visitor.set_offline(False)
    loaded = [url.removeprefix(site) for _, url in asked if url.startswith(site)]
    versions = {url.partition("?v=")[2] for url in loaded if not re.match(r"(\d\d\.html|)$|pyodide-[\d.]+/", url)}
    assert len(loaded) > 9 and len(versions) == 1 and "" not in versions
    assert {method for method, _ in asked} == {"GET"}
    assert [url for _, url in asked if not url.startswith((site, "data:", "blob:"))] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_can_read_and_use_it_at_each_width(browser, site, scheme):
    context = browser.new_context(viewport={"width": WIDTHS[0], "height": 800}, color_scheme=scheme)
    page = opened(context, site, "03", files=learners([id for id in ALL if id[0] == "2"]))

    def all_is_well(width):
        assert violations(page, "html") == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        page.click("[data-view-of=file]") if width < 900 else None
        page.click("#hint")
        page.click("#check")
        checked(page)
        page.evaluate("document.querySelector('.files').open = true")
        for side in ("file", "notebook"):
            if width < 900:
                page.click(f"[data-view-of={side}]")
            all_is_well(width)
    for address in (site, f"{site}01.html"):  # 01 has wide formulas and tables
        page.goto(address)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            all_is_well(width)
    context.close()


@pytest.mark.parametrize("missing", ["worker.js", "pyodide.mjs", "pyodide.asm.wasm", "course.zip"])
def test_where_a_file_is_missing_the_page_says_so_and_can_be_read(browser, site, missing):
    context = browser.new_context()
    context.route(re.compile(rf"/{missing}(\?|$)"), lambda route: route.abort())
    page = opened(context, site, python=False)
    page.wait_for_selector("body[data-python=broken]")
    assert "Python could not be started" in page.inner_text("#python")
    page.click("#check")
    until(page, "document.getElementById('verdict').innerText.includes('could not be made')")
    assert page.inner_text("h1") == "02 · A number that remembers"
    context.close()


# ------------------------------------------------------------------ NumPy by a wheel

A_NUMPY = """
import contextlib
__version__ = "0.0.stand-in"
class ndarray: pass
class generic: pass
def ones(count): return [1.0] * count
def load(path, **options): return contextlib.nullcontext({})  # of recorded arrays nothing is read here
"""


def put_a_wheel(folder, lock):
    """A wheel that says it is NumPy, and the line of pyodide-lock.json that belongs to it."""
    path = folder / "numpy-0.0.1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("numpy/__init__.py", A_NUMPY)
        wheel.writestr("numpy-0.0.1.dist-info/METADATA", "Metadata-Version: 2.1\nName: numpy\nVersion: 0.0.1\n")
        wheel.writestr("numpy-0.0.1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("numpy-0.0.1.dist-info/RECORD", "")
    said = json.loads(lock.read_text())
    hashed = hashlib.sha256(path.read_bytes()).hexdigest()
    said["packages"]["numpy"] |= {"file_name": path.name, "version": "0.0.1", "sha256": hashed}
    lock.write_text(json.dumps(said))
    return path


def test_numpy_is_loaded_from_where_its_wheel_lies(visitor, node, tmp_path):
    """From another server: the page's policy allows that one. NumPy's own wheel could not be had, so a stand-in."""
    out, wheels = tmp_path / "site", tmp_path / "wheels"
    out.mkdir()
    wheels.mkdir()
    with served(out) as site, served(wheels) as address:
        tryit.write(out, address)
        [lock] = out.glob("try/pyodide-*/pyodide-lock.json")
        wheel = put_a_wheel(wheels, lock)
        asked = []
        visitor.on("request", lambda request: asked.append(request.url))
        page = opened(visitor, f"{site}try/", files=learners(["2.1"]))
        assert [url for url in asked if url.startswith(address)] == [address + wheel.name]
        run_cell(page, 2, "import numpy as np\nprint(np.__version__, np.ones(2))")
        until(page, "document.querySelectorAll('.cell.code .outputs')[1].innerText.includes('0.0.stand-in [1.0, 1.0]')")
        page.select_option("#exercise", "2.1")
        page.click("#check")
        page.wait_for_selector(".verdict[data-kind=passed]")
        page.goto(f"{site}try/01.html")
        page.wait_for_selector("body[data-ready]")
        assert "NumPy is not in this page" not in page.inner_text("body")
        assert "asked in the course only" in page.locator(".cell.check[data-exercise='1.2']").inner_text()

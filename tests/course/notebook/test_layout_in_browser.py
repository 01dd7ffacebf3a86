"""make lab in a real browser: two panes, the cursor in the exercise that is next, links that lead to a file.

Needs playwright and a Chromium, as test_browser.py.
"""

import contextlib
import json
import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import pytest

from grader.checking.verdict import Verdict
from grader.course import catalogue, stubs
from grader.course.paths import ROOT, package_folder
from grader.learner import fill
from grader.maintainer.clean_notebooks import METADATA
from grader.notebook.report_html import bundle

pytestmark = pytest.mark.leg("night")

MEASURES = runpy.run_path(str(Path(__file__).with_name("test_browser.py")))
browser, new_page = MEASURES["browser"], MEASURES["new_page"]
NOTEBOOK = "03_walking_backwards.ipynb"
ADDRESS = re.compile(r"http://(?:localhost|127\.0\.0\.1):\d+/\S+")
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="  # a dot
TAB = ".lm-DockPanel-tabBar .lm-TabBar-tab"


@contextlib.contextmanager
def lab(course, *words):
    """`python -m grader lab` with these words, on a course in a home of its own.  Yields the address that it prints."""
    own = {"HOME": str(course.parent), "IPYTHONDIR": str(course.parent / "ipython")}
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "BABYGRAD", "PYTHONPATH"))}
    with tempfile.NamedTemporaryFile("w", dir=course.parent, suffix=".log", delete=False) as file:
        server = subprocess.Popen(
            [sys.executable, "-m", "grader", "lab", *words, "--no-browser"],
            cwd=course,
            env={**environment, **own},
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
    log = Path(file.name)
    try:
        while not ADDRESS.search(log.read_text()):
            assert server.poll() is None, log.read_text()
            time.sleep(0.1)
        yield ADDRESS.search(log.read_text())[0]
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(600)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait(600)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the course on stubs, in a folder with a space; its learner likes JupyterLab dark."""
    home = tmp_path_factory.mktemp("layout")
    shutil.copytree(ROOT, home / "my course", ignore=shutil.ignore_patterns(".*", "__pycache__", "benchmarks"))
    stubs.write(home / "my course")
    themes = home / ".jupyter/lab/user-settings/@jupyterlab/apputils-extension/themes.jupyterlab-settings"
    themes.parent.mkdir(parents=True)
    themes.write_text(json.dumps({"theme": "JupyterLab Dark"}))
    return home / "my course"


@pytest.fixture(scope="module")
def layout(browser, course):
    """(a page on the layout of 03, its address)"""
    with lab(course, "3") as address:
        page = opened(browser, address)
        yield page, address
        page.close()


def opened(browser, address):
    page = new_page(browser)
    page.goto(address)
    page.wait_for_selector(".jp-Notebook:visible .jp-Cell")
    page.wait_for_selector(".jp-FileEditor:visible .cm-line")
    page.wait_for_function("() => Object.keys(sessionStorage).includes('babygrad-layout')")
    return page


def tabs(page):
    """{name of a tab: (is it in front?, where it begins from the left)}"""
    found = {}
    for tab in page.locator(TAB).all():
        found[tab.inner_text().strip()] = "lm-mod-current" in tab.get_attribute("class"), tab.bounding_box()["x"]
    return found


def cursor(page):
    """The line of the cursor in the tab that is in use."""
    words = page.locator(".jp-StatusBar-TextItem", has_text=re.compile(r"^Ln \d+")).inner_text()
    return int(re.search(r"Ln (\d+)", words)[1])


def comes(page, find, wanted):
    """Wait until find() is what is wanted: a busy machine takes its time."""
    for _ in range(6000):
        if find() == wanted:
            break
        page.wait_for_timeout(100)
    assert find() == wanted


def line_of(course, file, words):
    """The number of the first line of a learner's file with these words."""
    lines = (package_folder(course) / file).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if words in line)


def use(page, name):
    page.locator(TAB, has_text=name).click()
    page.wait_for_timeout(300)


def follow(page, link):
    link.scroll_into_view_if_needed()
    link.click()
    page.wait_for_timeout(1500)


def heading_link(page, id):
    return page.locator(".jp-Notebook h3", has_text=f"Exercise {id} ").locator("a", has_text=".py")


def test_the_notebook_is_on_the_left_and_its_file_on_the_right_at_the_next_exercise(layout, course, tmp_path):
    page, _ = layout
    comes(page, lambda: list(tabs(page)), [NOTEBOOK, "value.py", "hunts.py"])
    there = tabs(page)
    assert [name for name, (in_front, _) in there.items() if in_front] == [NOTEBOOK, "value.py"]
    assert there[NOTEBOOK][1] < 100 and there["value.py"][1] > 500
    use(page, "value.py")
    stub = line_of(course, "value.py", 'raise NotImplementedError("exercise 3.1')
    comes(page, lambda: cursor(page), stub)
    shown = page.locator(".jp-FileEditor:visible .cm-line", has_text='"exercise 3.1: ').bounding_box()
    page.screenshot(path=tmp_path / "layout.png")
    assert 100 < shown["y"] < 800, "the lines below are seen too"
    use(page, NOTEBOOK)


def test_there_is_no_news_and_the_learners_own_settings_hold(layout):
    page, _ = layout
    page.wait_for_timeout(1000)
    assert "Jupyter news" not in page.inner_text("body")
    assert page.evaluate("() => document.body.dataset.jpThemeName") == "JupyterLab Dark"


def test_a_heading_leads_to_its_exercise(layout, course):
    page, _ = layout
    for id, file in (("3.5", "hunts.py"), ("3.2", "value.py")):
        use(page, NOTEBOOK)
        follow(page, heading_link(page, id))
        comes(page, lambda file=file: tabs(page)[file][0] and tabs(page)[NOTEBOOK][0], True)
        comes(page, lambda: cursor(page), line_of(course, file, f'raise NotImplementedError("exercise {id}'))


def test_a_reload_leaves_everything_as_it_was(layout):
    page, _ = layout
    use(page, "hunts.py")
    use(page, NOTEBOOK)  # JupyterLab itself opens again what was in use
    page.wait_for_timeout(2000)  # until it has kept that
    page.reload()
    page.wait_for_selector(".jp-FileEditor:visible .cm-line")
    page.wait_for_timeout(3000)
    comes(page, lambda: [name for name, (in_front, _) in tabs(page).items() if in_front], [NOTEBOOK, "hunts.py"])


@pytest.fixture(scope="module")
def untrusted(course):
    """The name of a notebook that nobody has signed, with the messages of two checks in it."""
    lines = ("Your code stopped in babygrad/value.py, line 7, in f.", "Look there.")
    verdicts = [
        Verdict(ex.id, ex.title, ex.file, 1, status="error", lines=lines)
        for ex in map(catalogue.exercise, ("3.4", "3.5"))
    ]
    cells = [
        nbformat.v4.new_code_cell("%check", outputs=[nbformat.v4.new_output("display_data", bundle([verdict]))])
        for verdict in verdicts
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), course / "notebooks" / "untrusted.ipynb")
    return "untrusted.ipynb"


def test_a_message_leads_to_file_and_line_also_in_an_untrusted_notebook(layout, course, untrusted):
    page, address = layout
    page.goto(re.sub(r"\?.*", f"/tree/notebooks/{untrusted}", address))
    page.wait_for_selector(".jp-OutputArea-output a")
    page.wait_for_timeout(2000)
    places = [
        (line_of(course, "value.py", 'raise NotImplementedError("exercise 3.4'), "babygrad/value.py"),
        (7, "babygrad/value.py, line 7"),
        (line_of(course, "hunts.py", 'raise NotImplementedError("exercise 3.5'), "babygrad/hunts.py"),
        (7, "babygrad/value.py, line 7"),
    ]
    for number, (line, words) in enumerate(places):
        use(page, untrusted)
        link = page.locator(".jp-OutputArea-output:visible a").nth(number)
        assert link.inner_text() == words
        follow(page, link)
        comes(page, lambda: cursor(page), line)


def test_a_plot_has_the_words_that_came_with_it(layout, course):
    """JupyterLab itself gives images no alternative text."""
    page, address = layout
    data = {"image/png": PNG, "text/plain": "words"}
    outputs = [
        nbformat.v4.new_output("display_data", data, metadata={"image/png": {"alt": "Plot: x."}}),
        nbformat.v4.new_output("display_data", data),
    ]
    cells = [nbformat.v4.new_code_cell("", outputs=outputs)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), course / "notebooks" / "plot.ipynb")
    page.goto(re.sub(r"\?.*", "/tree/notebooks/plot.ipynb", address))
    images = page.locator(".jp-RenderedImage:visible img")
    images.nth(1).wait_for()
    comes(page, lambda: [image.get_attribute("alt") for image in images.all()], ["Plot: x.", "words"])


def test_in_notebook_7_a_link_opens_the_file_in_a_tab_of_its_own(layout, course):
    page, address = layout
    server = address.partition("/lab/")[0]
    page.goto(f"{server}/notebooks/notebooks/{NOTEBOOK}")
    page.wait_for_selector(".jp-Notebook h3")
    with page.expect_popup() as popup:
        follow(page, heading_link(page, "3.2"))
    first_line = (package_folder(course) / "value.py").read_text().splitlines()[0]
    popup.value.locator(".jp-FileEditor .cm-line", has_text=first_line).wait_for()
    assert popup.value.url.endswith("/babygrad/value.py")
    popup.value.close()


def test_the_next_start_keeps_the_arrangement_and_goes_to_what_is_next(browser, course):
    with lab(course, "03") as address:
        page = opened(browser, address)
        page.locator(TAB, has_text="hunts.py").locator(".lm-TabBar-tabCloseIcon").click()
        page.wait_for_timeout(3000)
        page.close()
    fill.fill(["3.1"], course)
    with lab(course, "03") as address:
        page = opened(browser, address)
        assert "hunts.py" not in tabs(page) and tabs(page)["value.py"][0]
        use(page, "value.py")
        comes(page, lambda: cursor(page), line_of(course, "value.py", 'raise NotImplementedError("exercise 3.2'))
        page.close()

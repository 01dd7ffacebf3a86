"""Players where learners meet them: JupyterLab, Notebook 7 and an exported page, by keyboard alone, light and dark.

One server shows all: Notebook 7 comes with JupyterLab's. Nothing is run in a kernel unless a test says so.
"""

import os
import runpy
from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter
from nbformat.sign import NotebookNotary

from grader.course.paths import REFERENCE
from toolbox import step_through

pytestmark = pytest.mark.leg("night")

MEASURES = runpy.run_path(str(Path(__file__).with_name("test_browser.py")))
browser, violations, hard_to_read = (MEASURES[name] for name in ("browser", "violations", "hard_to_read"))
TEXTS, WORDS_OF_DRAWINGS, THEMES = (MEASURES[name] for name in ("TEXTS", "WORDS_OF_DRAWINGS", "THEMES"))
WIDTHS = (700, 1280)
HEIGHT = 900
APPS = {"JupyterLab": "lab/tree", "Notebook 7": "notebooks"}
PLAYER = ".babygrad-player"
# Keys that a cell in command mode takes for an order: insert, delete, cut, run, to Markdown, to another cell.
ORDERS = ("a", "b", "d", "d", "x", "v", "m", "Enter", "Shift+Enter", "ArrowUp", "ArrowDown")

MAKES = """
from babygrad import Value
from toolbox import step_through
x = Value(3.0, label="x")
y = x * x
L = y * (y * 3)
y.label, L.label = "y", "L"
"""
SHOWS = MAKES + "step_through(L)"
exec(MAKES, made := {})
SHOWN = step_through(made["L"])
SENTENCES = [frame.sentence for frame in SHOWN.frames]


def with_players():
    """A notebook in which two cells hold a player, as a saved one does, and a third is about to make one."""
    said = {"text/html": SHOWN.html, "text/plain": str(SHOWN)}
    outputs = [nbformat.v4.new_output("execute_result", data=said, execution_count=1)]
    held = [nbformat.v4.new_code_cell(SHOWS, outputs=outputs, execution_count=1) for _ in range(2)]
    cells = [nbformat.v4.new_markdown_cell("# Players"), *held, nbformat.v4.new_code_cell(SHOWS)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """JupyterLab on two notebooks with players, of which one is trusted."""
    root = tmp_path_factory.mktemp("players") / "course"
    root.mkdir()
    (root / "babygrad").symlink_to(REFERENCE / "babygrad")
    data = root.with_name("data")
    data.mkdir()
    for name in ("trusted", "untrusted"):
        nbformat.write(with_players(), root / f"{name}.ipynb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "JUPYTER_DATA_DIR", str(data))
        NotebookNotary(data_dir=str(data)).sign(nbformat.read(root / "trusted.ipynb", 4))
        with MEASURES["running_lab"](root) as lab:
            yield lab


class Opened:
    """A page with players in a browser, and what a reader meets there."""

    def __init__(self, browser, address):
        self.page = browser.new_page(viewport={"width": WIDTHS[-1], "height": HEIGHT})
        self.page.route("https://**", lambda route: route.abort())
        self.page.goto(address)
        self.page.wait_for_selector(PLAYER)

    def player(self, number=0):
        return self.page.locator(PLAYER).nth(number)

    def says(self, number=0):
        return self.player(number).locator(".sentence").inner_text()

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        return self.says()

    def sticking_out(self, width, parts):
        """Which of these parts of players are not all seen in a window of this width."""
        self.page.set_viewport_size({"width": width, "height": HEIGHT})
        self.page.wait_for_timeout(100)
        found = self.page.locator(f"{PLAYER} :is({parts})")
        assert found.count()
        return found.evaluate_all(STICKS_OUT)

    def pale(self):
        """The words of players that cannot be read on what is behind them, also in the picture."""
        words = self.page.evaluate(WORDS_OF_DRAWINGS, f"{PLAYER} svg text")
        texts = self.page.evaluate(TEXTS, ".jp-OutputArea-output:has(.babygrad-player)")
        assert words and texts
        return list(filter(None, map(hard_to_read, words + texts)))

    def cells(self):
        """Of each cell: its kind and what is typed in it."""
        return self.page.locator(".jp-Notebook .jp-Cell").evaluate_all(
            "all => all.map(cell => [cell.className.includes('jp-CodeCell'),"
            " (cell.querySelector('.jp-InputArea') || cell).innerText.trim()])"
        )


STICKS_OUT = """parts => parts.filter(part => part.getBoundingClientRect().right
    > Math.min(innerWidth, part.closest('.jp-OutputArea-output').getBoundingClientRect().right) + 1
).map(part => part.outerHTML.slice(0, 90))"""


@pytest.fixture(scope="module")
def opened(browser, server):
    """opened(app, name): the notebook as it was opened first."""
    pages = {}

    def at(app, name):
        if (app, name) not in pages:
            address = f"{server.address}/{APPS[app]}/{name}.ipynb?token={server.token}"
            pages[app, name] = Opened(browser, address + ("&reset" if app == "JupyterLab" else ""))
        return pages[app, name]

    yield at
    for seen in pages.values():
        seen.page.close()


each_app = pytest.mark.parametrize("app", ["JupyterLab", pytest.param("Notebook 7", marks=pytest.mark.leg("night"))])
each_theme = pytest.mark.parametrize("theme", [THEMES[0], pytest.param(THEMES[1], marks=pytest.mark.leg("night"))])

# ------------------------------------------------------------------ by keyboard


def goes_by_keyboard(seen):
    """From the first button on, with the keys alone."""
    assert seen.says() == SENTENCES[0]
    assert [seen.press("ArrowRight") for _ in SENTENCES[1:]] == SENTENCES[1:]
    assert [seen.press(key) for key in ("ArrowLeft", "Home", "End")] == [SENTENCES[n] for n in (-2, 0, -1)]
    seen.press("Home", "Tab", "Tab", "Tab")
    assert [seen.press("Enter"), seen.press("Space")] == SENTENCES[1:3]
    seen.press("Home")
    assert seen.says(1) == SENTENCES[0]  # the other player's


def tab_to_the_player(seen):
    for _ in range(40):
        seen.page.keyboard.press("Tab")
        if seen.page.evaluate("document.activeElement.matches('.babygrad-player [data-go=first]')"):
            return
    pytest.fail("Tab does not lead to the player")


@each_app
@pytest.mark.leg("night")
def test_tab_leads_into_the_player_and_the_keys_move_it(opened, app):
    seen = opened(app, "trusted")
    seen.page.locator(".jp-Notebook .jp-Cell").nth(1).locator(".jp-InputPrompt").click()
    tab_to_the_player(seen)
    goes_by_keyboard(seen)


@pytest.mark.leg("night")
@each_app
@pytest.mark.parametrize("part", ["input", "[data-go=play]", "summary", "a click on the picture"])
def test_no_key_in_a_player_edits_the_notebook(opened, app, part):
    seen = opened(app, "trusted")
    if part.startswith("a click"):
        seen.player().locator(".picture").click()
    else:
        seen.player().locator(part).focus()
    before = seen.cells()
    for key in ORDERS:
        seen.page.keyboard.press(key)
    seen.page.wait_for_timeout(100)
    assert seen.cells() == before
    assert seen.page.locator(".jp-Notebook.jp-mod-editMode").count() == 0
    assert seen.player().evaluate("me => me.contains(document.activeElement)")


# ------------------------------------------------------------------ scripts again, and none


@pytest.mark.leg("night")
@each_app
def test_a_cell_that_is_run_again_from_within_its_player_has_one_and_a_cleared_one_none(opened, app):
    """With Ctrl a key is Jupyter's, also in a player."""
    seen = opened(app, "trusted")
    cell = seen.page.locator(".jp-Notebook .jp-Cell").nth(3)
    seen.page.wait_for_function(MEASURES["KERNEL_IS_READY"])
    cell.locator(".cm-content").click()
    for _ in range(2):
        seen.page.keyboard.press("Control+Enter")
        cell.locator(f"{PLAYER}:not([title])").wait_for()
        assert cell.locator(PLAYER).count() == cell.locator(f"{PLAYER} .controls [type=range]").count() == 1
        assert cell.locator(".sentence").inner_text() == SENTENCES[0]
        cell.locator("input").focus()
        seen.page.keyboard.press("End")
        assert cell.locator(".sentence").inner_text() == SENTENCES[-1]
        cell.locator(PLAYER).evaluate("me => me.title = 'seen already'")
    cell.locator(".cm-content").click()
    seen.page.locator(".lm-MenuBar-item", has_text="Edit").click()
    seen.page.locator(".lm-Menu-item", has_text="Clear Cell Output").first.click()
    cell.locator(PLAYER).wait_for(state="detached")


@pytest.mark.leg("night")
@each_app
def test_a_notebook_that_is_opened_again_plays_again(opened, app):
    seen = opened(app, "trusted")
    seen.page.reload()
    counted = "places => places.map(place => document.querySelectorAll(place).length).join() == '2,2'"
    seen.page.wait_for_function(counted, arg=[PLAYER, f"{PLAYER} [type=range]"])  # last frames stand there for a while
    seen.player().locator("input").focus()
    assert [seen.says(), seen.press("ArrowRight")] == SENTENCES[:2]


@pytest.mark.leg("night")
@each_app
def test_an_untrusted_notebook_shows_the_last_frame_and_all_sentences(opened, app):
    seen = opened(app, "untrusted")
    me = seen.player()
    assert seen.says() == SENTENCES[-1]
    still = me.locator("img").evaluate("still => [still.complete, still.naturalWidth, still.alt]")
    assert still == [True, still[1], "Graph of L: 5 values, 3 operations"] and still[1] > 300
    assert me.locator("button, input, script").count() == 0
    assert all(sentence in me.locator("details pre").text_content() for sentence in SENTENCES)


# ------------------------------------------------------------------ to be seen, and by everybody


@pytest.mark.leg("night")
@each_app
@pytest.mark.parametrize("name", ["trusted", "untrusted"])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_of_a_player_sticks_out(opened, app, name, width):
    seen = opened(app, name)
    assert seen.sticking_out(width, "svg, img, button, input, p, li, pre") == []


@each_theme
def test_a_player_can_be_read_and_used_in_jupyterlab(opened, theme):
    for name in ("trusted", "untrusted"):
        seen = opened("JupyterLab", name)
        MEASURES["change_theme"](seen.page, theme)
        seen.page.locator("details summary").first.click()
        assert violations(seen.page, PLAYER) == []
    assert opened("JupyterLab", "trusted").pale() == []


@pytest.fixture(scope="module")
def exported(browser, server):
    """exported(theme): the notebook as a page that nbconvert makes of it."""
    pages = {}

    def at(theme):
        if theme not in pages:
            file = server.root / f"{theme}.html"
            html, _ = HTMLExporter(theme=theme.lower()).from_filename(str(server.root / "trusted.ipynb"))
            file.write_text(html, encoding="utf-8")
            pages[theme] = Opened(browser, file.as_uri())
        return pages[theme]

    yield at
    for seen in pages.values():
        seen.page.close()


@pytest.mark.leg("night")
@each_theme
def test_an_exported_page_goes_by_keyboard(exported, theme):
    seen = exported(theme)
    tab_to_the_player(seen)
    goes_by_keyboard(seen)


@pytest.mark.leg("night")
@each_theme
@pytest.mark.parametrize("width", WIDTHS)
def test_an_exported_page_can_be_read_and_used(exported, theme, width):
    seen = exported(theme)
    assert seen.sticking_out(width, "svg, img, button, input, p, li, pre") == []
    assert seen.pale() == []
    assert violations(seen.page, PLAYER) == []

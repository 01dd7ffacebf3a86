"""Every notebook and every page that is written can be read without seeing it: by parsing, and in a browser's own tree.

The tree is what a screen reader is given. The part at night needs a browser, as test_browser.py.
"""

import json
import re
import runpy
from itertools import pairwise
from pathlib import Path

import pytest

from grader.maintainer import executed_notebooks, sources

ROOMS = Path(__file__).parents[1]
READ = runpy.run_path(str(ROOMS / "html_faults.py"))
faults, elements = READ["faults"], READ["elements"]
PAGES = runpy.run_path(str(ROOMS / "classroom" / "pages" / "test_pages.py"))["HOSTILE"]
MEASURES = runpy.run_path(str(Path(__file__).with_name("test_browser.py")))
browser, new_page = MEASURES["browser"], MEASURES["new_page"]
EXECUTED = [executed_notebooks.executed_path(source) for source in sources.sources()]
SAY_NOTHING = {"", "here", "link", "this", "click here"}
FENCE = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
each_notebook = pytest.mark.parametrize("path", EXECUTED, ids=lambda path: path.stem[:2])


def cells(path, kind):
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        if cell["cell_type"] == kind:
            yield number, cell


def displays(path):
    """(number of the cell, what it shows) of each picture, table, film."""
    for number, cell in cells(path, "code"):
        yield from ((number, output) for output in cell["outputs"] if "data" in output)


@each_notebook
def test_the_headings_of_a_notebook_begin_with_its_title_and_leave_no_level_out(path):
    text = "\n".join(FENCE.sub("", "".join(cell["source"])) for _, cell in cells(path, "markdown"))
    levels = [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert [(a, b) for a, b in pairwise(levels) if b > a + 1] == []


@each_notebook
def test_tables_of_a_notebook_name_their_columns_and_links_say_where_they_lead(path):
    """The corner above a column of names may be empty."""
    for number, cell in cells(path, "markdown"):
        text = FENCE.sub("", "".join(cell["source"]))
        for row in re.findall(r"^\|(.*)\|\n\|[\s:|-]+\|?$", text, re.MULTILINE):
            assert all(name.strip() for name in row.split("|")[1:]), (number, row)
        assert SAY_NOTHING.isdisjoint(words.strip().lower() for words in re.findall(r"\[([^\]]*)\]\(", text)), number


@each_notebook
def test_what_a_notebook_shows_can_be_read(path):
    found = [
        (number, fault)
        for number, output in displays(path)
        if "text/html" in output["data"]
        for fault in faults("".join(output["data"]["text/html"]))
    ]
    assert found == []


@each_notebook
def test_each_output_of_a_notebook_has_a_text_beside_it_and_each_plot_its_words(path):
    for number, output in displays(path):
        text = "".join(output["data"].get("text/plain", ""))
        assert text.strip() and not re.match(r"<[\w.]+ (object|size)", text), number
        if "image/png" in output["data"]:
            assert re.match(r"Plots?[:,] .{15}", text) and output["metadata"]["image/png"]["alt"] == text, number


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_is_written_can_be_read(name):
    written = PAGES[name]()
    assert list(faults(written, page="<html" in written)) == []


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("<img src=a.png>", "an image without alternative text"),
        ("<p><svg><path/></svg>", "a drawing without words"),
        ('<svg role="img" aria-label=" "></svg>', "a drawing without words"),
        ('<a href="x"></a>', "nothing says what it is"),
        ("<button><i></i></button>", "nothing says what it is"),
        ("<table><tr><td>1</table>", "a table without headers"),
        ("<table><tr><th>a<th scope=col>b</table>", "a header that does not say whose it is"),
        ("<label>a</label><input type=range>", "a field without a label"),
        ("<h2>a</h2><h4>b</h4>", "a heading h4 follows h2"),
        ("<p tabindex=1>a</p>", "a place of its own in the order of the keyboard"),
    ],
)
def test_each_fault_is_seen(written, found):
    assert [fault.split(":")[0] for fault in faults(written)] == [found]


def test_the_faults_of_a_page_are_seen():
    assert len(list(faults("<html><body><h2>a</h2>", page=True))) == 4
    whole = '<html lang="en"><head><title>a</title></head><body><main><h1>a</h1></main></body></html>'
    assert list(faults(whole, page=True)) == []


@pytest.mark.parametrize(
    "written",
    [
        '<img src=a.png alt="">',
        '<div aria-hidden="true"><svg></svg><img></div>',
        '<svg role="img" aria-label="a graph"><svg></svg></svg>',
        '<a href="x"><img alt="home"></a><a id="here"></a>',
        '<label>a <input></label><label for="b">b</label><input id="b"><input type="hidden">',
        "<table><tr><th scope=col>a<th scope=col>b</table><h2>a</h2><h3>b</h3><h2>c</h2>",
    ],
)
def test_what_can_be_read_has_no_fault(written):
    assert list(faults(written)) == []


# ------------------------------------------------------------------ the tree of a browser

NEED_A_NAME = {"image", "link", "button", "textbox", "slider", "checkbox", "combobox", "heading", "table", "figure"}
NO_NAME = re.compile(r"\s*$|No description")  # the second is nbconvert's, for an image that has none
TABLE = {"table"}  # which has the names of its columns


def tree(browser, written):
    """[(role, name, properties)] of what assistive technology is told of a page."""
    page = new_page(browser)
    page.set_content(written)
    page.wait_for_timeout(500)
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    page.close()
    for node in nodes:
        if not node.get("ignored"):
            properties = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
            yield node["role"]["value"], node.get("name", {}).get("value", ""), properties


def exported(path):
    """The notebook as a page, as docs/accessibility.md has it made, without what it would load from elsewhere."""
    from nbconvert import HTMLExporter

    written, _ = HTMLExporter(template_name="classic").from_filename(str(path))
    return re.sub(r'<script[^>]* src="[^"]*">|<link[^>]*>', "", written)


def faults_of_the_tree(browser, written):
    told = list(tree(browser, written))
    unnamed = [role for role, name, _ in told if role in NEED_A_NAME - TABLE and NO_NAME.match(name)]
    levels = [properties["level"] for role, _, properties in told if role == "heading"]
    jumps = [(a, b) for a, b in pairwise(levels) if b > a + 1]
    tables, heads = (sum(role == wanted for role, _, _ in told) for wanted in ("table", "columnheader"))
    return unnamed, jumps, levels.count(1) == 1, heads >= tables


@pytest.mark.leg("night")
@each_notebook
def test_the_tree_of_a_notebook_has_a_name_for_everything(browser, path):
    assert faults_of_the_tree(browser, exported(path)) == ([], [], True, True)


OTHER_PAGES = [pytest.param(name, marks=pytest.mark.leg("night")) for name in ("index", "exam", "term")]


@pytest.mark.leg("push")
@pytest.mark.parametrize("name", ["feedback 0", *OTHER_PAGES])
def test_the_tree_of_a_page_has_a_name_for_everything(browser, name):
    assert faults_of_the_tree(browser, PAGES[name]()) == ([], [], True, True)


@pytest.mark.leg("push")
def test_the_tree_shows_what_is_missing(browser):
    bare = "<h1>a</h1><h3>b</h3><img src=x><button></button><table><tr><td>1<tr><td>2</table>"
    unnamed, jumps, one_title, _ = faults_of_the_tree(browser, bare)
    assert set(unnamed) >= {"button"} and jumps == [(1, 3)] and one_title

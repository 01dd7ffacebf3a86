"""The learner's own graph beside a failing check: it comes back as plain values, and nothing in it is trusted."""

import copy

import numpy as np
import pytest

from babygrad import Tensor
from babygrad.viz.graph import Node
from grader.asking.wire import through_the_wire
from grader.checking.verdict import Verdict
from grader.course.packages import load_package
from grader.course.paths import REFERENCE
from grader.notebook import learners_graph, report_html
from grader.probes.probing import drawn


@pytest.fixture(scope="module")
def package():
    return load_package(REFERENCE, "babygrad_of_these_tests")


@pytest.fixture
def plain(package):
    """The graph of (a * b).sum() with gradients, as it comes over the pipe."""
    a, b = package.Tensor(np.ones((2, 3))), package.Tensor(np.ones(3))
    a.label, b.label = "a", "b"
    product = a * b
    return through_the_wire({"graph": drawn(package, product, [(a, package.Tensor(np.ones((2, 3))))])})["graph"]


def failed(graph):
    return Verdict("7.6", "title", "ops/shape.py", 2, status="failed", lines=("It is wrong.",), graph=graph)


def test_the_graph_is_drawn_beside_the_message(plain):
    html = report_html.bundle([failed(plain)])["text/html"]
    assert "Your graph" in html and "<svg" in html and "(2, 3)" in html and "Mul" in html
    assert html.index("It is wrong.") < html.index("<svg")


def test_without_a_graph_there_is_no_picture():
    assert "<svg" not in report_html.bundle([failed(None)])["text/html"]


def test_drawing_a_gradient_leaves_the_tensors_as_they_were():
    import babygrad

    a = Tensor([1.0])
    nodes, has_gradient, left_out = drawn(babygrad, a * 2, [(a, Tensor([5.0]))])
    assert [Node(*fields).grad for fields in nodes] == ["[5]", ""]
    assert (has_gradient, left_out) == (False, 0)
    assert a.grad is None


def test_a_graph_that_cannot_be_read_is_left_out():
    import babygrad

    assert drawn(babygrad, None) is None
    assert drawn(babygrad, 3.0, [(None, None)]) is None


def broken(plain, change):
    plain = copy.deepcopy(plain)
    change(plain)
    return plain


def set_to(place, value):
    def change(plain):
        node = plain[0][-1]
        node[place] = value

    return change


@pytest.mark.parametrize(
    "garbage",
    [[], "graph", 7, [[], True, 0], [[[]], True, 0], [[["a"] * 20], True, 0], {"a": 1}, [None, None, None]],
    ids=repr,
)
def test_garbage_is_no_graph(garbage):
    assert learners_graph.as_svg(garbage) == ""


@pytest.mark.parametrize("inputs", [[0, 7], [-1], ["0"], [2], [True], [0.0], 5], ids=repr)
def test_inputs_must_stand_before_their_node(plain, inputs):
    place = 4
    assert plain[0][-1][place] == [0, 1]
    assert learners_graph.as_svg(broken(plain, set_to(place, inputs))) == ""


def test_markup_in_a_label_stays_text(plain):
    svg = learners_graph.as_svg(broken(plain, set_to(1, "<script>alert(1)</script>")))
    assert svg and "<script" not in svg


def test_more_nodes_than_a_picture_can_hold_are_no_graph(plain):
    nodes = [plain[0][0]] * (learners_graph.MOST_NODES + 1)
    assert learners_graph.as_svg([nodes, False, 0]) == ""

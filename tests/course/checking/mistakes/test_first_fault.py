"""Where a walk first goes wrong, by the player and by another way: nudges, and a diary of what every node held."""

import random
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

import babygrad
from grader.broken_engines import scalar_engines
from grader.course import catalogue
from grader.course.packages import load_package, reference_with
from grader.course.paths import REFERENCE
from toolbox.graphs import backward_log as walks
from toolbox.graphs.faults import Judging
from toolbox.graphs.graph import read_graph
from toolbox.player.steps import player_of

H = 1e-6
FOREIGN = Path(__file__).parents[1] / "foreign_engines"


# ------------------------------------------------------------------ graphs as recipes


def recipe(seed, size=6):
    """Rows (name, places of operands): a few leaves, then operations, much of them reused; the last is the root."""
    draw = random.Random(seed)
    rows = [("leaf", ())] * draw.randint(2, 3)
    for _ in range(size):
        name = draw.choice(["+", "*", "*", "tanh"])
        places = [draw.randrange(max(0, len(rows) - 4), len(rows)) for _ in range(1 if name == "tanh" else 2)]
        rows.append((name, tuple(places)))
    return tuple(rows)


def numbers(rows, seed):
    draw = np.random.default_rng(seed)
    return [draw.uniform(0.4, 1.6, 2) * draw.choice([-1, 1], 2) for name, _ in rows if name == "leaf"]


PLAIN = {"+": lambda a, b: a + b, "*": lambda a, b: a * b, "tanh": np.tanh}


def computed(rows, leaves, nudged=None, by=0.0):
    """The numbers of all rows; where one is nudged, what follows sees that."""
    given, found = iter(leaves), []
    for place, (name, places) in enumerate(rows):
        x = next(given) if name == "leaf" else PLAIN[name](*(found[each] for each in places))
        found.append(x + by if place == nudged else x)
    return found


def right_gradient(rows, leaves, place):
    """Of each number in this row, by nudging to both sides; the root's initial gradient is 1. 0 where it has no use."""
    up, down = (computed(rows, leaves, place, by)[-1] for by in (H, -H))
    return (up - down) / (2 * H)


def local(rows, leaves, user, operand):
    """∂user/∂operand, along all arrows between the two, by nudging."""
    found, (name, places) = computed(rows, leaves), rows[user]
    nudged = [[found[each] + by * (each == operand) for each in places] for by in (H, -H)]
    up, down = (PLAIN[name](*operands) for operands in nudged)
    return (up - down) / (2 * H)


def built(rows, leaves, leaf):
    """The nodes, by the operations of an engine."""
    given, made = iter(leaves), []
    for name, places in rows:
        operands = [made[each] for each in places]
        if name == "leaf":
            made.append(leaf(next(given)))
        else:
            made.append(operands[0].tanh() if name == "tanh" else PLAIN[name](*operands))
    return made


def near(a, b):
    return a is not None and b is not None and np.allclose(a, b, rtol=1e-4, atol=1e-6)


# ------------------------------------------------------------------ engines of numbers


class Diary:
    """Every call of _backward(): (place of the node, what all nodes held before, and after, how deep inside others)."""

    def __init__(self, nodes):
        self.nodes, self.entries, self.depth = nodes, [], 0
        self.places = {id(node): place for place, node in enumerate(nodes)}

    def held(self):
        return [node.grad for node in self.nodes]

    def __enter__(self):
        self.cls = type(self.nodes[-1])
        self.own = self.cls._backward

        def noted(node):
            entry = [self.places[id(node)], self.held(), None, self.depth]
            self.entries.append(entry)
            self.depth += 1
            try:
                self.own(node)
            finally:
                self.depth -= 1
            entry[2] = self.held()

        self.cls._backward = noted

    def __exit__(self, *_):
        self.cls._backward = self.own
        self.entries = [entry for entry in self.entries if entry[2] is not None]


def first_fault_of_numbers(rows, leaves, diary, before, stopped):
    """The number of the first wrong step; "end" if it is only seen there, None if all is right."""
    right = [right_gradient(rows, leaves, place) for place in range(len(rows))]
    spoken = set()
    entries = [entry for entry in diary.entries if rows[entry[0]][1]]
    for number, (place, held, after, depth) in enumerate(entries):
        expected = {
            each: held[each] + local(rows, leaves, place, each) * right[place] for each in set(rows[place][1])
        } | {place: held[place]}
        good = not depth and place not in spoken and near(held[place], right[place])
        if not good or not all(near(after[each], x) for each, x in expected.items()):
            return number
        spoken.add(place)
    if stopped:
        return "end"
    shown = [place for place, there in enumerate(reached(rows)) if there]
    silent = [p for p in shown if rows[p][1] and p not in spoken and abs(right[p]) > 1e-9]
    held = [node.grad for node in diary.nodes]
    ends = [right[p] + (before[p] if not rows[p][1] else 0) for p in shown]
    return "end" if silent or not all(map(near, [held[p] for p in shown], ends)) else None


def reached(rows):
    """Of each row: is the root made from it?"""
    found = {len(rows) - 1}
    for place in reversed(range(len(rows))):
        found |= set(rows[place][1]) if place in found else set()
    return [place in found for place in range(len(rows))]


def by_the_player(root, walk, package=babygrad):
    """The same by the player; checks also that it opens at the frame of that step."""
    watching = Judging(root, 40)
    try:
        with watching:
            walk(root)
    except Exception:  # as the specimen does
        pass
    found = watching.walk
    graph = read_graph(root, 40)
    shown = player_of(graph, found)
    if found.fault is None:
        assert shown.start == 0
        return None
    assert "goes wrong" in shown.frames[shown.start].sentence
    assert sum("goes wrong" in frame.sentence for frame in shown.frames) == 1
    if found.fault.step is None:
        assert shown.start == len(shown.frames) - 1
        return "end"
    made = sum(bool(node.operation) for node in graph.nodes)
    assert shown.start == 1 + made + found.fault.step
    return found.fault.step


def both_ways(make, rows, leaves, walks_before=0, package=babygrad):
    """(the first fault by the player, the first fault by the diary), each on a graph of its own."""
    answers = []
    for by_player in (True, False):
        nodes = make()
        try:
            for _ in range(walks_before):
                nodes[-1].backward()
        except Exception:  # the first pass stops: there is no second one to look at
            return None, None
        if by_player:
            answers.append(by_the_player(nodes[-1], lambda root: root.backward(), package))
            continue
        before, diary, stopped = [node.grad for node in nodes], Diary(nodes), False
        try:
            with diary:
                nodes[-1].backward()
        except Exception:
            stopped = True
        answers.append(first_fault_of_numbers(rows, leaves, diary, before, stopped))
    return answers


def scalar_graph(seed):
    rows = recipe(seed)
    return rows, [float(x[0]) for x in numbers(rows, seed)]


SCALAR = [cls for cls in vars(scalar_engines).values() if isinstance(cls, type)]
SEEDS = range(12)


@pytest.mark.parametrize("passes", [0, 1])
@pytest.mark.parametrize("engine", SCALAR, ids=lambda engine: engine.__name__)
def test_a_broken_engine_goes_wrong_where_the_diary_says(engine, passes):
    found = []
    for seed in SEEDS:
        rows, leaves = scalar_graph(seed)
        player, diary = both_ways(partial(built, rows, leaves, engine), rows, leaves, passes)
        assert player == diary, seed
        found.append(player)
    never_wrong_at_first = ("Right", "KeepsOldGradients", "ForgetsTheLeavesToo", "TakesEqualNumbersForOneNode")
    if engine is scalar_engines.Right or (not passes and engine.__name__ in never_wrong_at_first):
        assert found == [None] * len(SEEDS)
    elif engine.__name__ != "TakesEqualNumbersForOneNode":
        assert any(each is not None for each in found)


def test_equal_numbers_taken_for_one_node_are_found_where_numbers_are_equal():
    rows = (("leaf", ()), ("leaf", ()), ("*", (0, 1)), ("*", (1, 0)), ("*", (2, 3)))
    engine = scalar_engines.TakesEqualNumbersForOneNode
    player, diary = both_ways(partial(built, rows, [2.0, -3.0], engine), rows, [2.0, -3.0])
    assert player == diary == "end"


TOO_FINE = "a rounded gradient"  # it is off by less than what nudging can tell


def misconceptions(*ids):
    found = [
        (ex.id, m.name) for ex in catalogue.all_exercises() if ex.id in ids for m in catalogue.misconceptions_of(ex)
    ]
    return [each for each in found if each[1] != TOO_FINE]


@cache
def idea(id, name):
    return next(m for m in catalogue.misconceptions_of(catalogue.exercise(id)) if m.name == name)


def one_in_six(ideas):
    """The first of each six in .ci/run, the others at night."""
    return [pytest.param(*idea, marks=pytest.mark.leg("night" if n % 6 else "push")) for n, idea in enumerate(ideas)]


@pytest.mark.parametrize(("id", "name"), one_in_six(misconceptions("3.1", "3.3", "3.4")))
def test_a_misconception_of_03_goes_wrong_where_the_diary_says(id, name):
    with reference_with(idea(id, name)) as package:
        for seed in range(4):
            rows, leaves = scalar_graph(seed)
            for passes in (0, 1):
                make = partial(built, rows, leaves, package.Value)
                player, diary = both_ways(make, rows, leaves, passes, package)
                assert player == diary, (seed, passes)


def test_a_right_engine_of_closures_has_no_fault_and_a_wrong_one_is_found():
    package = load_package(REFERENCE, "babygrad_of_closures")
    scope = {}
    exec((FOREIGN / "closures.py").read_text(encoding="utf-8"), scope)
    x = scope["Value"](3.0, label="x")
    y = x * x
    root = y * (y * 3)
    assert by_the_player(root, lambda root: root.backward(), package) is None

    def at_first_visit(root):
        root.grad = 1.0
        for node in (root, y, *root._prev - {y}):
            node._backward()

    assert by_the_player(root, at_first_visit, package) == 1


# ------------------------------------------------------------------ engines of arrays


def asked_in_turn(package, nodes):
    """(places of the nodes whose rules are asked, with the gradients they are given; the ledger, or the exception)."""
    own, asked = package.autograd.shares_of, []
    places = {id(node): place for place, node in enumerate(nodes)}

    def noted(node, gradient):
        asked.append((places[id(node)], np.array(gradient.data)))
        return own(node, gradient)

    package.autograd.shares_of = noted
    try:
        found = package.autograd.gradients(nodes[-1], ones(package))
    except Exception as error:
        found = error
    finally:
        package.autograd.shares_of = own
    return asked, found


def ones(package):
    return package.Tensor(np.ones(2), requires_grad=False)


def fault_of_ledger(package, nodes):
    """The Fault, and the node of its place."""
    watching = Judging(nodes[-1], 40, kept=False)
    try:
        with watching:
            package.autograd.gradients(nodes[-1], ones(package))
    except Exception:  # as the specimen does
        pass
    fault = watching.walk.fault
    meant = None if fault is None or fault.place is None else watching.shown[fault.place]
    return fault, next((place for place, node in enumerate(nodes) if node is meant), None)


def as_numbers(text):
    return np.array(text.strip("[]").split(","), float)


@pytest.mark.parametrize(("id", "name"), misconceptions("9.2"))
def test_a_misconception_of_the_ledger_goes_wrong_where_the_rules_and_nudges_say(id, name):
    """A wrong line of the ledger is seen before it is passed on: then its number is worked out anew."""
    with reference_with(idea(id, name)) as package:
        for seed in range(8):
            rows = recipe(seed, size=5)
            leaves = numbers(rows, seed)
            right = [right_gradient(rows, leaves, place) for place in range(len(rows))]
            nodes = built(rows, leaves, package.Tensor)
            asked, found = asked_in_turn(package, nodes)
            earlier = [[place for place, _ in asked[:number]] for number in range(len(asked))]
            wrong = [n for n, (p, gradient) in enumerate(asked) if p in earlier[n] or not near(gradient, right[p])]
            fault, meant = fault_of_ledger(package, built(rows, leaves, package.Tensor))
            if wrong:
                assert fault.step <= wrong[0], seed
            if fault is None:
                assert not isinstance(found, Exception) or isinstance(found, NotImplementedError)
                lines = [(p, found[node]) for p, node in enumerate(nodes) if isinstance(found, dict) and node in found]
                assert all(near(walks.array_of(line), right[p]) for p, line in lines), seed
            elif fault.kind in ("early", "gradient", "again"):
                assert fault.step == wrong[0], seed
                if fault.kind != "again":
                    place, got = asked[wrong[0]]
                    assert np.allclose(as_numbers(fault.got), got, rtol=0.01), seed
                    assert np.allclose(as_numbers(fault.expected), right[place], rtol=0.01), seed
            elif fault.kind == "amount":
                users = [place for place, _ in asked[: fault.step + 1] if meant in rows[place][1]]
                due = sum(local(rows, leaves, place, meant) * right[place] for place in users)
                assert np.allclose(as_numbers(fault.expected), due, rtol=0.01), seed
                assert not fault.got or not np.allclose(as_numbers(fault.got), due, rtol=1e-3, atol=1e-3), seed


def test_the_right_ledger_has_no_fault():
    for seed in range(40):
        rows = recipe(seed)
        assert fault_of_ledger(babygrad, built(rows, numbers(rows, seed), babygrad.Tensor))[0] is None


@pytest.mark.parametrize("name", ["an order of its own", "by id"])
def test_a_right_ledger_of_another_form_has_no_fault(name):
    """Ids as keys inside, a function of one's own for the order: nobody looks into it."""
    [other] = [other for other in catalogue.other_answers_of(catalogue.exercise("9.2")) if other.name == name]
    with reference_with(other) as package:
        for seed in range(8):
            rows = recipe(seed)
            assert fault_of_ledger(package, built(rows, numbers(rows, seed), package.Tensor))[0] is None, seed

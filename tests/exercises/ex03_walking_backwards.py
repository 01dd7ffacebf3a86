"""Notebook 03: handing gradients on, the order of the nodes, the whole walk, and two hunts."""

import math

from grader.asking.ask import kind_of
from grader.course.exercise import Exercise, Notebook
from grader.marking.compare import difference
from grader.probes import node_orders
from grader.probes.recipe import RecipeError, as_text, complaint, operands, operations, play, record, uses

NOTEBOOK = Notebook("03", "walking_backwards", "Walking backwards", minutes=60, files=("value.py", "hunts.py"))

hand_on = Exercise(
    "3.1",
    "Value._backward",
    file="value.py",
    points=2,
    minutes=4,
    difficulty=1,
    needs=("2.1",),
    hints=[
        "Take one input of the node. If that input grows by 1, how much does the node change? And if the "
        "node changes by that much, how much does the root change? The node's own grad knows the second "
        "answer.",
        "Go through the inputs and the local slopes side by side: zip(self._prev, self._slopes) gives "
        "them in pairs. Each input's grad grows by a product of two numbers that you have.",
        "for child, slope in zip(self._prev, self._slopes): and in the loop one line that adds slope "
        "times the node's own grad to what child.grad holds. Which of = and += adds?",
    ],
)


def _two_numbers(rng):
    """One above 1, one below -1, and never the same size."""
    a, b = (rng.uniform([1.2, 2.6], [2.4, 4.0]) * [1, -1]).round(2)
    return float(a), float(b)


@hand_on.probe(asked="L._backward() for a = Value({a}), b = Value({b}), L = a + b and L.grad = 0.4")
def a_sum(bg, rng):
    a, b = (bg.Value(x) for x in _two_numbers(rng))
    total = a + b
    total.grad = 0.4
    total._backward()
    return {
        "asked": {"a": a.data, "b": b.data},
        "a.grad": a.grad,
        "b.grad": b.grad,
        "L.grad afterwards": total.grad,
        "L.data afterwards": total.data,
    }


@hand_on.probe(asked="L._backward() for a = Value({a}), b = Value({b}), L = a * b and L.grad = {grad}")
def a_product(bg, rng):
    a, b = (bg.Value(x) for x in _two_numbers(rng))
    product = a * b
    product.grad = -round(rng.uniform(0.3, 0.8), 2)
    asked = {"a": a.data, "b": b.data, "grad": product.grad}
    product._backward()
    return {"asked": asked, "a.grad": a.grad, "b.grad": b.grad, "L.grad afterwards": product.grad}


@hand_on.probe(asked="L._backward() for a = Value(3.0), L = a * a and L.grad = 2.0")
def one_input_used_twice(bg, rng):
    a = bg.Value(3.0)
    square = a * a
    square.grad = 2.0
    square._backward()
    return {"a.grad": a.grad}


@hand_on.probe(
    asked="L._backward() for a = Value(2.0), b = Value(-3.0), L = a * b and L.grad = 0.5, "
    "where another node has handed 10.0 to a already"
)
def an_input_that_holds_a_share_already(bg, rng):
    a, b = bg.Value(2.0), bg.Value(-3.0)
    product = a * b
    product.grad, a.grad = 0.5, 10.0
    product._backward()
    return {"a.grad": a.grad, "b.grad": b.grad, "L.grad afterwards": product.grad}


@hand_on.probe(
    asked="L._backward() and then c._backward() for u = a * b, L = u * c with a = Value(2.0), "
    "b = Value(-3.0), c = Value(4.0) and L.grad = 1.0"
)
def one_step_and_no_more(bg, rng):
    a, b, c = bg.Value(2.0), bg.Value(-3.0), bg.Value(4.0)
    u = a * b
    out = u * c
    out.grad = 1.0
    out._backward()
    c._backward()
    return {"u.grad": u.grad, "c.grad": c.grad, "a.grad": a.grad, "b.grad": b.grad}


order = Exercise(
    "3.2",
    "topological_order",
    file="value.py",
    points=3,
    minutes=18,
    difficulty=3,
    needs=("2.1",),
    hints=[
        "Which node of the picture can be put on the list first, without breaking the rule? And then?",
        "A node waits for its inputs. So when you meet one, put it aside, deal with its inputs, and come "
        "back to it. A pair (node, have I dealt with its inputs?) on a stack remembers that.",
        "Start with stack = [(root, False)]. As long as something is on it: node, noted = stack.pop(). If "
        "noted is True, the node goes on the list. If not, and the node is not known yet, make it known, put "
        "(node, True) back and then (child, False) for each input.",
    ],
    stuck="Python gives up: maximum recursion depth",
)

# Graphs as data: of each node its number, or the two nodes whose product it is. Labels are the names.
# Their numbers rise in some and fall in others, so that no order of numbers is an order of making.
REUSED = {"x": 2.0, "y": ("x", "x"), "-3": -3.0, "z": ("-3", "y"), "L": ("y", "z")}
CHAIN = {"x": 0.5, "y": ("x", "x"), "z": ("y", "y"), "L": ("z", "z")}
THREE_USES = {"x": 2.0, "y": ("x", "x"), "5": 5.0, "u": ("y", "5"), "v": ("u", "y"), "L": ("v", "y")}
TWINS = {"a": 2.0, "b": 2.0, "c": ("a", "b"), "d": ("b", "a"), "L": ("c", "d")}


def _built(bg, graph, swapped):
    """The nodes of a graph by name; swapped: with the operands of each product the other way round."""
    nodes = {}
    for name, made in graph.items():
        if isinstance(made, tuple):
            left, right = reversed(made) if swapped else made
            nodes[name] = nodes[left] * nodes[right]
        else:
            nodes[name] = bg.Value(made)
        nodes[name].label = name
    return nodes


def _asked_both_ways(bg, graph):
    return node_orders.both_ways(bg.value.topological_order, lambda swapped: _built(bg, graph, swapped))


@order.probe(
    asked="topological_order(L) for x = Value(2.0), y = x * x, z = -3 * y, L = y * z, and again "
    "for z = y * -3, L = z * y",
    compare=node_orders.in_order(REUSED, "Values"),
)
def a_node_used_twice(bg, rng):
    return _asked_both_ways(bg, REUSED)


@order.probe(
    asked="topological_order(L) for the chain x = Value(0.5), y = x * x, z = y * y, L = z * z",
    compare=node_orders.in_order(CHAIN, "Values"),
)
def a_chain(bg, rng):
    return _asked_both_ways(bg, CHAIN)


@order.probe(
    asked="topological_order(L) for x = Value(2.0), y = x * x, u = y * 5, v = u * y, L = v * y, and again "
    "with the operands of each product swapped",
    compare=node_orders.in_order(THREE_USES, "Values"),
)
def a_node_used_three_times(bg, rng):
    return _asked_both_ways(bg, THREE_USES)


@order.probe(
    asked="topological_order(L) for a = Value(2.0), b = Value(2.0), c = a * b, d = b * a, L = c * d, "
    "and again with the operands of each product swapped",
    compare=node_orders.in_order(TWINS, "Values"),
)
def nodes_with_equal_numbers(bg, rng):
    return _asked_both_ways(bg, TWINS)


@order.probe(
    asked="topological_order(L) for x = Value(2.0), {steps}, and again with the operands of each product swapped",
    compare=node_orders.in_drawn_order("Values"),
)
def steps_in_any_letters(bg, rng):
    graph = node_orders.drawn_graph(rng)
    return node_orders.told(graph) | _asked_both_ways(bg, graph)


COUNTED_UP = node_orders.counted_up("Values")


def _sums(bg, count, add):
    """x and then count sums, each made from the one before."""
    sums = [bg.Value(0.5, label="x")]
    for _ in range(count):
        sums.append(add(sums[-1], sums[0]))
    return sums


@order.probe(asked="topological_order(L) for y = x, then 30 times y = y + y, and L = y", compare=COUNTED_UP)
def thirty_doublings(bg, rng):
    nodes = _sums(bg, 30, add=lambda y, x: y + y)
    node_orders.count_looks(nodes, "_prev")
    return node_orders.in_numbers(bg.value.topological_order, nodes)


@order.probe(
    asked="topological_order(L) for y = x, then 99,999 times y = y + x, and L = y",
    compare=COUNTED_UP,
    slow="The graph has 100,000 nodes. If each node is looked for in a long list, or if a list is copied in each "
    "round, that is billions of steps. A set finds a node at once; append and pop at the end of a list are quick too.",
)
def a_hundred_thousand_nodes(bg, rng):
    nodes = _sums(bg, 99_999, add=lambda y, x: y + x)
    node_orders.count_comparisons(nodes)
    return node_orders.in_numbers(bg.value.topological_order, nodes)


walk = Exercise(
    "3.3",
    "Value.backward",
    file="value.py",
    points=3,
    minutes=5,
    difficulty=2,
    needs=("3.1", "3.2"),
    hints=[
        "You have done it by hand: L.grad = 1.0, then L, z and y spoke, in this order. What decides the "
        "order, and what must be wiped out before the walk so that a second walk finds the same?",
        "topological_order(self) lists each node after its inputs, self last: a good order for computing. The "
        "walk goes the other way, and reversed(a_list) does that. A node that was made from others has a "
        "_prev that is not empty.",
        "order = topological_order(self). A first loop over order: if node._prev, its grad is 0.0. Then "
        "self.grad grows by 1.0. A second loop, over reversed(order): node._backward().",
    ],
)


@walk.probe(
    asked="L.backward() for a = Value({a}), b = Value({b}), c = Value(0.5), d = Value(-2.0), u = a * b, L = (u + c) * d"
)
def a_tree(bg, rng):
    a, b = (bg.Value(x) for x in _two_numbers(rng))
    c, d = bg.Value(0.5), bg.Value(-2.0)
    u = a * b
    out = (u + c) * d
    returned = out.backward()
    return {
        "asked": {"a": a.data, "b": b.data},
        "L.grad": out.grad,
        "d.grad": d.grad,
        "u.grad": u.grad,
        "a.grad": a.grad,
        "b.grad": b.grad,
        "c.grad": c.grad,
        "L.data afterwards": out.data,
        "what L.backward() returned": kind_of(returned),
    }


@walk.probe(asked="L.backward() for x = Value(3.0), y = x * x, z = 2 * y, L = y * z, and again for L = z * y")
def a_node_used_by_two(bg, rng):
    answers = {}
    for name, last in {"y * z": lambda y, z: y * z, "z * y": lambda y, z: z * y}.items():
        x, two = bg.Value(3.0), bg.Value(2.0)
        y = x * x
        z = two * y
        last(y, z).backward()
        answers |= {f"For L = {name}, {node}.grad": v.grad for node, v in (("x", x), ("y", y), ("z", z))}
    return answers


@walk.probe(asked="L.backward() twice for x = Value(2.0), y = 3 * x, L = y + 1")
def twice(bg, rng):
    x, three, one = bg.Value(2.0), bg.Value(3.0), bg.Value(1.0)
    y = three * x
    out = y + one
    out.backward()
    first = x.grad
    out.backward()
    return {
        "x.grad after the first walk": first,
        "x.grad after the second walk": x.grad,
        "y.grad after the second walk": y.grad,
        "L.grad after the second walk": out.grad,
    }


@walk.probe(
    asked="L.backward(), then M.backward(), then x.backward() for x = Value(2.0), y = x * x, L = 3 * y, M = y * 5"
)
def two_graphs_that_share(bg, rng):
    x = bg.Value(2.0)
    y = x * x
    one, other = bg.Value(3.0) * y, y * bg.Value(5.0)
    one.backward()
    answers = {"x.grad after L.backward()": x.grad}
    other.backward()
    answers |= {"x.grad after M.backward()": x.grad, "y.grad after M.backward()": y.grad}
    x.backward()
    return answers | {"After x.backward(), which adds 1, x.grad": x.grad}


@walk.probe(
    asked="L.backward() for L = cube * 4, where cube is 8.0, was made from x = Value(2.0), and brings a "
    "_backward of its own that adds 12 * cube.grad to x.grad"
)
def a_node_with_a_backward_of_its_own(bg, rng):
    x = bg.Value(2.0)
    cube = bg.Value(8.0, (x,), "cube")

    def _backward():
        x.grad += 12.0 * cube.grad

    cube._backward = _backward
    (cube * bg.Value(4.0)).backward()
    return {"cube.grad": cube.grad, "x.grad": x.grad}


STOPPED_WALK = {
    "order": "backward may be right: it is topological_order that calls itself and gives up on so many nodes. That is "
    "the last question of 3.2. Mend it there, and ask again.",
    "depth": "Python gave up with a RecursionError: {limit} calls were waiting, each for the next. backward is "
    "called on the root alone, and a loop calls _backward() on each node of the list.",
    "compared": "It compared nodes with each other more than 200,000 times and was stopped. Does your "
    "topological_order or your backward search a list for a node? A set finds it at once.",
}


def _walked_far(expected, got):
    """The comparison for a long chain, with words of its own for what stopped the walk."""
    if stop := node_orders.why_stopped(got, STOPPED_WALK):
        return stop
    found = difference(expected, got)
    return found and found.sentence()


@walk.probe(
    asked="L.backward() for y = x, then 20,000 times y = y + x, and L = y",
    compare=_walked_far,
    slow="The graph has 20,000 sums. Is each node dealt with once? Is topological_order called once, before the loop?",
)
def twenty_thousand_additions(bg, rng):
    nodes = _sums(bg, 20_000, add=lambda y, x: y + x)
    node_orders.count_comparisons(nodes)
    try:
        nodes[-1].backward()
    except RecursionError:
        return node_orders.stopped(_too_deep(bg.value.topological_order, nodes[-1]))
    except node_orders.TooManyCompared:
        return node_orders.stopped("compared")
    return {"x.grad": nodes[0].grad, "the gradient of the first sum": nodes[1].grad}


def _too_deep(topological_order, root):
    """Who went too deep: topological_order, or the walk itself?"""
    try:
        topological_order(root)
    except RecursionError:
        return "order"
    return "depth"


hunt = Exercise(
    "3.4",
    "tell_them_apart",
    file="hunts.py",
    points=4,
    minutes=5,
    difficulty=3,
    hints=[
        "Take the engines one at a time, with pencil and paper. a + a tells A from the right one. For B "
        "you need a result that is used twice, as in the three steps of Ada and Cleo. C is a good walker "
        "with a bad memory: what might it mix up?",
        "B wants a result such as y = a * b that is used near the root and once more further away from it. C "
        "ticks off numbers, not nodes, so give it two results that hold the same number. Adding 0 changes no "
        "number, and yet it makes a new node.",
        "Name a product of two leaves y. Make z from y so that z is another node with the same number. "
        "Return a product of y and z, the one that must wait standing on the left. That is 3 operations. "
        "If A gets it right, look at whether some node gets two shares.",
    ],
)

LEAVES = {"a": 2.0, "b": -3.0}
OPERATIONS = 5
MOST_PLAYED = 10


def _gradients(engine, steps):
    """The gradient of each leaf, as this engine finds it."""
    out, leaves = play(steps, engine)
    out.backward()
    return {name: leaves[name].grad for name in LEAVES}


def _judged(steps):
    """(None, {engine: its gradients}) of an expression, the right ones included; or (why not, None)."""
    from grader.suspects.scalar_engines import SUSPECTS, Right

    problem = complaint(steps, LEAVES, MOST_PLAYED)
    if problem:
        return problem, None
    try:
        found = {"right": _gradients(Right, steps)}
    except (ArithmeticError, ValueError, RecipeError) as error:
        return f"It returned {as_text(steps)}, which has no gradients at a = 2, b = -3: {error}.", None
    if not all(map(math.isfinite, found["right"].values())):
        return f"It returned {as_text(steps)}, whose gradients are not finite at a = 2, b = -3.", None
    return None, found | {name: _gradients(engine, steps) for name, engine in SUSPECTS.items()}


def _told_apart(found, name):
    pairs = [(found[name][leaf], found["right"][leaf]) for leaf in LEAVES]
    return not all(math.isclose(got, right, rel_tol=1e-6, abs_tol=1e-9) for got, right in pairs)


def _tells(name):
    """The comparison for one engine: the expression is played on it here, far from the learner's process."""

    def compare(expected, got):
        problem, found = _judged(got.get("recipe"))
        if problem or _told_apart(found, name):
            return problem
        steps = got["recipe"]
        gradients = " and ".join(f"{leaf}.grad = {slope:.4g}" for leaf, slope in found[name].items())
        what = f"It returned {as_text(steps)}. Engine {name} finds {gradients}, and that is right."
        return f"{what} {_advice(name, steps)}"

    return compare


def _advice(name, steps):
    if name == "A":
        return "A is wrong where two shares arrive at one node."
    if name == "C":
        return "C knows a good order, but it takes two nodes for one if they have something in common."
    if any(len(set(uses(steps, place))) > 1 for place in range(len(steps))):
        return "A result is used twice there, but by luck it speaks late enough. Which side does it stand on?"
    if twin := _written_twice(steps):
        return f"You wrote {twin} twice, which makes two nodes. Give it a name, and use the name twice."
    return "B is wrong where a result speaks before everyone who used it has spoken."


def _written_twice(steps):
    """The text of an operation that stands in the recipe twice, or None."""
    twins = [place for place, step in enumerate(steps) if operands(step) and step in steps[:place]]
    return as_text(steps[: twins[0] + 1]) if twins else None


def _is_small(expected, got):
    """The comparison for the size; an expression that tells nothing apart is not small but empty."""
    steps = got.get("recipe")
    problem, found = _judged(steps)
    if problem:
        return problem
    if not any(_told_apart(found, name) for name in "ABC"):
        return f"It returned {as_text(steps)}, for which all engines find the same."
    if operations(steps) <= OPERATIONS:
        return None
    return f"It returned {as_text(steps)}. That is {operations(steps)} operations; {OPERATIONS} are allowed."


def _ask_for_an_expression(name, asked, compare):
    def recorded(bg, rng):
        return {"recipe": record(bg.hunts.tell_them_apart, **LEAVES)}

    recorded.__name__ = name
    hunt.probe(asked=f"tell_them_apart(a, b) at a = 2, b = -3, {asked}", compare=compare)(recorded)


for _letter in "ABC":
    _ask_for_an_expression(f"engine_{_letter}", f"and played it on engine {_letter}", _tells(_letter))
_ask_for_an_expression("its_size", "and counted its operations", _is_small)


slow = Exercise(
    "3.5",
    "many_visits",
    file="hunts.py",
    points=2,
    minutes=5,
    difficulty=3,
    hints=[
        "A walk path by path visits a node once for each way that leads to it from the root. In a + 1 + 1 + 1 one "
        "way leads to each result. When do two ways lead to one?",
        "A result that goes into two operations has the ways of both. If one of your results goes into one operation "
        "only, it is a chance that you did not use. Which two nodes can every new operation take?",
        "Keep names for the last two results, such as z and y with y = a + 1, z = a at the start. Each round makes "
        "one new sum of the two, and then both names move on. How often may you do that?",
    ],
)

FEW, MANY = 100, 500
OPERATIONS_OF_SLOW, MOST_COUNTED = 12, 1_000


def _visits(steps):
    """How many visits a walk path by path makes, the root's included."""
    visits = []
    for step in steps:
        visits.append(1 + sum(visits[place] for place in operands(step)))
    return visits[-1]


def _counted(number, thing):
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def _problem(steps):
    """Why this is no expression that can be judged; None if it is one."""
    return complaint(steps, {"a": 1.0}, MOST_COUNTED)


def _needs_more_than(wanted):
    """The comparison for the visits. Half the way is a question of its own; the words name the goal."""

    def compare(expected, got):
        steps = got.get("recipe")
        problem = _problem(steps)
        if problem or _visits(steps) > wanted:
            return problem
        made = f"It returned {as_text(steps)}. A walk path by path makes {_counted(_visits(steps), 'visit')} there"
        return f"{made}; more than {MANY} are asked for. {_advice_on_ways(steps)}"

    return compare


def _advice_on_ways(steps):
    """What a graph with too few ways lacks."""
    results = [place for place in range(len(steps) - 1) if operands(steps[place])]
    if not any(len(uses(steps, place)) > 1 for place in results):
        return "Each result is used once, so one way leads to it, however long the chain is. Use results twice."
    if operations(steps) < OPERATIONS_OF_SLOW:
        return f"You have {_counted(operations(steps), 'operation')} of {OPERATIONS_OF_SLOW}."
    return "Some results are used once only. What if each went into the next operation and into the one after it?"


def _of_two_nodes(expected, got):
    """The comparison that forbids y + y; only a graph with some ways in it counts."""
    steps = got.get("recipe")
    problem = _problem(steps)
    if problem:
        return problem
    for place, step in enumerate(steps):
        if len(operands(step)) > len(set(operands(step))):
            made = as_text(steps[: place + 1])
            return f"The operation in {made} takes one node twice, as y + y does. Each side must be another node."
    return _needs_more_than(OPERATIONS_OF_SLOW)({}, got)


def _is_short(expected, got):
    """The comparison for the length; only a graph with some ways in it counts."""
    steps = got.get("recipe")
    problem = _needs_more_than(OPERATIONS_OF_SLOW)({}, got)
    if problem or operations(steps) <= OPERATIONS_OF_SLOW:
        return problem
    return f"It returned an expression of {operations(steps)} operations; {OPERATIONS_OF_SLOW} are allowed."


def _ask_for_visits(name, asked, compare):
    def recorded(bg, rng):
        return {"recipe": record(bg.hunts.many_visits, a=1.0)}

    recorded.__name__ = name
    slow.probe(asked=f"many_visits(a), and {asked}", compare=compare)(recorded)


_ask_for_visits("different_nodes", "looked for operations that take one node twice", _of_two_nodes)
_ask_for_visits("a_hundred", "counted the visits", _needs_more_than(FEW))
_ask_for_visits("five_hundred", "counted the visits", _needs_more_than(MANY))
_ask_for_visits("its_length", "counted the operations", _is_short)

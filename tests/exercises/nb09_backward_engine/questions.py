"""The questions of notebook 09."""

import contextlib

import numpy as np

from grader.asking.answers import Form, raised
from grader.course.questions import probe
from grader.probes import node_orders
from grader.probes.arrays import asked_again, condensed, held, watched
from grader.probes.gradient_checks import ended
from grader.probes.probing import LARGE, SLOPES_RTOL, TOO_MANY_TO_NUDGE, Pictures, drawn, walking
from grader.probes.recipe import recipe_of
from grader.probes.tensors import NO_RETURN, array_in, dtype_of, is_tensor, kind_of, named

# What the questions have in common.


def drawn_numbers(rng, count=2):
    """Numbers of both signs, none near 0, no two of one size; rounded, so that a sentence can show them."""
    sizes = np.linspace(0.6, 2.4, count) + rng.uniform(0, 0.9 / count, count)
    return (rng.permutation(sizes) * rng.permutation(np.resize([1, -1], count))).round(2)


def asked_arrays(**arrays):
    """The answer "asked": the arrays that were drawn, as a sentence shows them."""
    return {name: str(array.tolist()) for name, array in arrays.items()}


def constant(bg, data):
    return bg.Tensor(data, requires_grad=False)


@contextlib.contextmanager
def recording_on(bg):
    """Recording is on at first, and afterwards too, whatever happens in between."""
    bg.autograd.Recording.on = True
    try:
        yield
    finally:
        bg.autograd.Recording.on = True


def grad_itself(node):
    """The .grad of a node, which should be an array. A sum of arrays without axes may be a NumPy number."""
    if is_tensor(node.grad):
        return Form("a Tensor instead of an array")
    return np.asarray(node.grad) if isinstance(node.grad, np.generic) else node.grad


def grad_of(node):
    """The .grad of a node as it is now, whatever becomes of the array later."""
    grad = grad_itself(node)
    return grad.copy() if isinstance(grad, np.ndarray) else grad


def grads(nodes):
    """The .grad of each node by name.  nodes: {name: Tensor}"""
    return {f"{name}.grad": grad_of(node) for name, node in nodes.items()}


MOST_ASKED = 2_000


def count_rules(nodes):
    """Count how often the rules of these nodes are asked.  Returns a list that holds the number."""
    asked = [0]

    def counted(rule):
        def backward(out_grad, node):
            asked[0] += 1
            if asked[0] > MOST_ASKED:
                raise node_orders.TooMany
            return rule(out_grad, node)

        return backward

    for node in nodes:
        if node._op is not None:
            node._op.backward = counted(node._op.backward)
    return asked


# 9.1: inputs_to_visit.

# A graph as data: of each node its number, or the two nodes whose product it is. Names in capitals are constants.
BESIDE_CONSTANTS = {"a": 2.0, "K": 5.0, "M": ("K", "K"), "u": ("M", "a"), "b": 3.0, "v": ("u", "b"), "L": ("v", "K")}


def visited(bg, node):
    """The labels of the nodes that inputs_to_visit gives, each once; or what else came back."""
    returned = bg.autograd.inputs_to_visit(node)
    if is_tensor(returned) or not hasattr(returned, "__iter__"):
        return Form(kind_of(returned, NO_RETURN))
    return sorted({getattr(x, "label", "") or kind_of(x) for x in returned})


@probe(
    "9.1",
    asked="inputs_to_visit for the products a * K, K * a, a * b and a * a of leaves a and b and a constant K "
    "(requires_grad=False)",
)
def beside_a_constant(bg, rng):
    a, b, k = named(a=bg.Tensor([2.0]), b=bg.Tensor([3.0]), K=constant(bg, [5.0])).values()
    products = {"a * K": (a, k), "K * a": (k, a), "a * b": (a, b), "a * a": (a, a)}
    return {f"the list of nodes for {name}": visited(bg, bg.ops.mul(*pair)) for name, pair in products.items()}


@probe(
    "9.1",
    asked="inputs_to_visit(L) for leaves a, b and c, u = a * b, L = u * c, where c.grad and u.grad are there from an "
    "earlier backward pass; and inputs_to_visit(a)",
)
def inner_nodes_and_leaves(bg, rng):
    a, b, c = named(a=bg.Tensor([2.0]), b=bg.Tensor([3.0]), c=bg.Tensor([5.0])).values()
    u = bg.ops.mul(a, b)
    u.label, u.grad, c.grad = "u", np.array([5.0]), np.array([6.0])
    return {
        "the list of nodes for L": visited(bg, bg.ops.mul(u, c)),
        "the list of nodes for a": visited(bg, a),
    }


@probe(
    "9.1",
    asked="inputs_to_visit for x * y, x * FIXED, y * DETACHED and DETACHED * x, where y = x * x, FIXED is a constant "
    "and DETACHED = y.detach()",
)
def what_is_cut_off(bg, rng):
    x, fixed = named(x=bg.Tensor([2.0]), FIXED=constant(bg, [3.0])).values()
    y = bg.ops.mul(x, x)
    y.label = "y"
    detached = y.detach()
    detached.label = "DETACHED"
    pairs = {"x * y": (x, y), "x * FIXED": (x, fixed), "y * DETACHED": (y, detached), "DETACHED * x": (detached, x)}
    return {f"the list of nodes for {name}": visited(bg, bg.ops.mul(*pair)) for name, pair in pairs.items()}


@probe(
    "9.1", asked="inputs_to_visit for twelve products of Tensors that all hold 2.0; these are constants: {constants}"
)
def constants_at_random(bg, rng):
    wanted = rng.permutation(np.repeat([(True, True), (True, False), (False, True), (False, False)], 3, axis=0))
    names = [[f"{letter}{place}" for letter in "ab"] for place in range(1, 13)]
    answers = {"asked": {"constants": ", ".join(np.array(names)[~wanted]) or "none"}}
    for pair, (one, other) in zip(names, wanted.tolist()):
        a, b = bg.Tensor([2.0], requires_grad=one), bg.Tensor([2.0], requires_grad=other)
        a.label, b.label = pair
        answers[f"the list of nodes for {' * '.join(pair)}"] = visited(bg, bg.ops.mul(a, b))
    return answers


@probe(
    "9.1",
    asked="topological_order(L) for leaves a and b, a constant K (requires_grad=False), M = K * K, u = M * a, v = u * "
    "b, L = v * K, and again with the operands of each product swapped",
)
def the_order_beside_constants(bg, rng):
    def build(swapped):
        def leaf(name, number):
            return bg.Tensor([number], requires_grad=not name.isupper())

        return node_orders.built(BESIDE_CONSTANTS, swapped, leaf, bg.ops.mul)

    picture = drawn(bg, build(swapped=False)["L"])
    return {**node_orders.both_ways(bg.autograd.topological_order, build), "graph": picture}


# 9.2: gradients.


def ledger_answers(bg, root, out_grad, nodes):
    """What gradients(root, out_grad) returned, as answers, and whether all nodes are as they were."""
    afterwards, pictures = watched({**nodes, "out_grad": out_grad}), Pictures()
    with walking(bg, root, pictures, start=out_grad, kept=False):
        returned = bg.autograd.gradients(root, out_grad)
    if not isinstance(returned, dict):
        return {"returned": Form(kind_of(returned))}
    names = {id(node): name for name, node in nodes.items()}
    strange = [key for key in returned if id(key) not in names]
    if strange:
        kind = type(strange[0]).__name__
        return {"returned": Form(f"a dict with a key of type {kind} that is not a node of the graph")}
    found = {names[id(node)]: gradient for node, gradient in returned.items()}
    return {
        "returned": Form("a dict with nodes as keys"),
        "the list of the nodes in the ledger": sorted(found),
        **{f"the gradient of {name}": array_in(found[name]) for name in sorted(found)},
        **afterwards(),
        "graph": pictures.or_else(lambda: drawn(bg, root, list(returned.items()))),
    }


@probe(
    "9.2",
    asked="gradients(L, out_grad) for leaves a = {a}, b = {b}, c = [0.5, -1.5], a constant K = [-2.0, 3.0], u = a * b, "
    "v = c * K, L = u * v, and out_grad = {out_grad}",
)
def a_tree(bg, rng):
    one, other, out_grad = drawn_numbers(rng), drawn_numbers(rng), drawn_numbers(rng)
    a, b, c, k = bg.Tensor(one), bg.Tensor(other), bg.Tensor([0.5, -1.5]), constant(bg, [-2.0, 3.0])
    u, v = bg.ops.mul(a, b), bg.ops.mul(c, k)
    nodes = named(a=a, b=b, c=c, u=u, v=v, K=k, L=bg.ops.mul(u, v))
    return {
        "asked": asked_arrays(a=one, b=other, out_grad=out_grad),
        **ledger_answers(bg, nodes["L"], bg.Tensor(out_grad), nodes),
    }


@probe(
    "9.2",
    asked="gradients(L, out_grad) for a leaf x = [3.0, -1.0], y = x * x, z = y + SIX with a constant SIX = [6.0, 6.0], "
    "L = y * z, and out_grad = {out_grad}; then the same for L = z * y",
)
def a_node_used_by_two(bg, rng):
    out_grad = drawn_numbers(rng)
    answers, pictures = {"asked": asked_arrays(out_grad=out_grad)}, Pictures()
    for name, last in {"y * z": lambda y, z: bg.ops.mul(y, z), "z * y": lambda y, z: bg.ops.mul(z, y)}.items():
        x, six = bg.Tensor([3.0, -1.0]), constant(bg, [6.0, 6.0])
        y = bg.ops.mul(x, x)
        z = bg.ops.add(y, six)
        nodes = named(x=x, SIX=six, y=y, z=z, L=last(y, z))
        entries = ledger_answers(bg, nodes["L"], bg.Tensor(out_grad), nodes)
        pictures.add(entries.pop("graph", None))
        answers |= {f"for L = {name}, {answer}": value for answer, value in entries.items()}
    return answers | {"graph": pictures.graph}


@probe("9.2", asked="gradients(L, out_grad) for a leaf a = 3.0 of shape (), L = a * a, and out_grad = {out_grad}")
def an_input_used_twice_by_one_operation(bg, rng):
    out_grad, a = drawn_numbers(rng)[0], bg.Tensor(3.0)
    nodes = named(a=a, L=bg.ops.mul(a, a))
    return {"asked": asked_arrays(out_grad=out_grad), **ledger_answers(bg, nodes["L"], bg.Tensor(out_grad), nodes)}


@probe("9.2", asked="gradients(d, out_grad) for leaves a and b, c = a + b, d = c + a, and out_grad = {out_grad}")
def two_owners_of_one_array(bg, rng):
    out_grad = drawn_numbers(rng)
    a, b, given = bg.Tensor([1.0, 2.0]), bg.Tensor([3.0, 4.0]), bg.Tensor(out_grad)
    c = bg.ops.add(a, b)
    nodes = named(a=a, b=b, c=c, d=bg.ops.add(c, a))
    return {"asked": asked_arrays(out_grad=out_grad), **ledger_answers(bg, nodes["d"], given, nodes)}


def with_rules_of_their_own(bg):
    """Two operations: the rule of the one says None for its second input, that of the other gives a bare Tensor."""

    class Weighted(bg.Function):
        def forward(self, x, weights):
            return x * weights

        def backward(self, out_grad, node):
            return out_grad * node._inputs[1], None

    class Twice(bg.Function):
        def forward(self, x):
            return 2 * x

        def backward(self, out_grad, node):
            return out_grad + out_grad

    return Weighted(), Twice()


@probe(
    "9.2",
    asked="gradients(L, out_grad) for leaves x = [1.0, 2.0], w = [3.0, -4.0], u = Weighted()(x, w), L = Twice()(u) and "
    "out_grad = {out_grad}. Weighted is x * w, and its rule says None for w. Twice is 2 * u, and its rule gives one "
    "Tensor, no tuple",
)
def a_rule_that_says_none(bg, rng):
    out_grad, x, w = drawn_numbers(rng), bg.Tensor([1.0, 2.0]), bg.Tensor([3.0, -4.0])
    weighted, twice = with_rules_of_their_own(bg)
    u = weighted(x, w)
    nodes = named(x=x, w=w, u=u, L=twice(u))
    return {"asked": asked_arrays(out_grad=out_grad), **ledger_answers(bg, nodes["L"], bg.Tensor(out_grad), nodes)}


@probe(
    "9.2",
    asked="gradients(L, out_grad) for leaves x = [1.0, 2.0] and v = [3.0, -4.0], z = v * v, w = z * v, "
    "L = Weighted()(x, w), and out_grad = {out_grad}. The rule of Weighted says None for w, as before: so nobody gives "
    "w anything",
)
def a_node_that_gets_nothing(bg, rng):
    out_grad, x, v = drawn_numbers(rng), bg.Tensor([1.0, 2.0]), bg.Tensor([3.0, -4.0])
    weighted, _ = with_rules_of_their_own(bg)
    z = bg.ops.mul(v, v)
    w = bg.ops.mul(z, v)
    nodes = named(x=x, v=v, z=z, w=w, L=weighted(x, w))
    return {"asked": asked_arrays(out_grad=out_grad), **ledger_answers(bg, nodes["L"], bg.Tensor(out_grad), nodes)}


@probe(
    "9.2",
    asked="gradients(L, out_grad) for leaves a of shape (2, 3) and b of shape (3,), u = a + b, L = u * b, and a random "
    "out_grad: in both operations b is stretched",
)
def a_stretched_input(bg, rng):
    a, b, out_grad = (bg.Tensor(rng.normal(size=shape).round(2)) for shape in ((2, 3), (3,), (2, 3)))
    u = bg.ops.add(a, b)
    nodes = named(a=a, b=b, u=u, L=bg.ops.mul(u, b))
    return ledger_answers(bg, nodes["L"], out_grad, nodes)


@probe(
    "9.2", asked="gradients(L, out_grad) for leaves a and b of dtype float32, u = a * b, L = u + a, and out_grad too"
)
def a_ledger_of_float32(bg, rng):
    a, b, out_grad = (bg.Tensor(drawn_numbers(rng), dtype="float32") for _ in range(3))
    u = bg.ops.mul(a, b)
    found = bg.autograd.gradients(bg.ops.add(u, a), out_grad)
    if not isinstance(found, dict):
        return {"returned": Form(kind_of(found))}
    return {f"the dtype of the gradient of {name}": dtype_of(found.get(x)) for name, x in zip("abu", (a, b, u))}


@probe("9.2", asked="gradients(x, out_grad) for a leaf x = [1.0, 2.0] and out_grad = {out_grad}")
def a_leaf_as_the_root(bg, rng):
    out_grad = drawn_numbers(rng)
    nodes = named(x=bg.Tensor([1.0, 2.0]))
    return {"asked": asked_arrays(out_grad=out_grad), **ledger_answers(bg, nodes["x"], bg.Tensor(out_grad), nodes)}


@probe(
    "9.2",
    asked="gradients(L, out_grad) for leaves a and b, u = a * b, L = u + a, where a.grad is [7.0, 7.0] from an earlier "
    "walk; and then once more",
)
def what_it_leaves_alone(bg, rng):
    a, b, out_grad = bg.Tensor([1.0, 2.0]), bg.Tensor([3.0, 4.0]), bg.Tensor(drawn_numbers(rng))
    a.grad = np.array([7.0, 7.0])
    u = bg.ops.mul(a, b)
    nodes = named(a=a, b=b, u=u, L=bg.ops.add(u, a))
    entries = ledger_answers(bg, nodes["L"], out_grad, nodes)
    again = ledger_answers(bg, nodes["L"], out_grad, nodes)
    return {
        **{f"{name}.grad afterwards": node.grad for name, node in nodes.items()},
        "a.data afterwards": a.data,
        "the gradient of a": entries.get("the gradient of a"),
        "the gradient of a, the second time,": again.get("the gradient of a"),
        "graph": entries.get("graph"),
    }


@probe(
    "9.2",
    asked="gradients(L, out_grad) for leaves a, b and c, u = a * b, v = a * c, L = u * v, with an out_grad that "
    "requires grad, and differentiated the gradients of a, b and c again",
    rtol=SLOPES_RTOL,
)
def can_be_differentiated_again(bg, rng):
    a, b, c, out_grad = (bg.Tensor(drawn_numbers(rng)) for _ in range(4))
    leaves = {"a": a, "b": b, "c": c}
    with recording_on(bg):
        returned = bg.autograd.gradients(bg.ops.mul(bg.ops.mul(a, b), bg.ops.mul(a, c)), out_grad)
    if not isinstance(returned, dict):
        return {"returned": Form(kind_of(returned))}
    found = {f"the gradient of {name}": returned.get(x) for name, x in leaves.items()}
    numbers = {name: array_in(gradient) for name, gradient in found.items()}
    return numbers | asked_again(found, {**leaves, "out_grad": out_grad}, rng)


def walk_counted(walk, nodes, gradient_of_x):
    """How often rules were asked, and what x got; or what stopped it."""
    asked = count_rules(nodes)
    try:
        returned = walk()
    except node_orders.TooMany:
        return node_orders.stopped("rules")
    return {"how often a rule was asked": asked[0], "the gradient of x": gradient_of_x(returned)}


@probe(
    "9.2",
    asked="gradients(L, out_grad) for a leaf x, y = x, then 30 times y = y + y, and L = y, and counted how often a "
    "rule was asked",
)
def thirty_doublings_counted(bg, rng):
    nodes = node_orders.row(bg.Tensor([0.5]), 30, add=lambda y, x: bg.ops.add(y, y))
    return walk_counted(
        lambda: bg.autograd.gradients(nodes[-1], bg.Tensor([1.0])),
        nodes,
        lambda found: array_in(found.get(nodes[0])) if isinstance(found, dict) else found,
    )


@probe(
    "9.2",
    asked="gradients(L, out_grad) for a leaf x, y = x, then 5,000 times y = y + x, and L = y",
    slow="The graph has 5,000 sums. Is each node dealt with once? Is topological_order called once, before the loop?",
)
def five_thousand_sums_walked(bg, rng):
    nodes = node_orders.row(bg.Tensor([0.5]), 5_000, add=bg.ops.add)
    try:
        found = bg.autograd.gradients(nodes[-1], bg.Tensor([1.0]))
    except RecursionError:
        return node_orders.too_deep(bg.autograd.topological_order, nodes[-1])
    return {"the gradient of x": array_in(found.get(nodes[0])) if isinstance(found, dict) else found}


@probe(
    "9.2",
    asked=f"gradients(L, out_grad) for leaves a and b of shape {LARGE}, u = a * b, v = u * a, L = u * v, and a random "
    "out_grad",
    slow=TOO_MANY_TO_NUDGE,
)
def large(bg, rng):
    a, b, out_grad = (bg.Tensor(rng.normal(size=LARGE)) for _ in range(3))
    u = bg.ops.mul(a, b)
    v = bg.ops.mul(u, a)
    found = bg.autograd.gradients(bg.ops.mul(u, v), out_grad)
    if not isinstance(found, dict):
        return {"returned": Form(kind_of(found))}
    return condensed({f"the gradient of {name}": array_in(found.get(x)) for name, x in zip("abu", (a, b, u))})


# 9.3: no_grad.


def is_recorded(bg, a, b):
    """Is an operation recorded now?"""
    return bg.ops.add(a, b).requires_grad


@probe("9.3", asked="`with no_grad(): u = add(a, b)` for leaves a and b, and `v = add(a, b)` after the block")
def inside_and_after(bg, rng):
    a, b = bg.Tensor([1.0]), bg.Tensor([2.0])
    with recording_on(bg):
        with bg.no_grad():
            u, leaf = bg.ops.add(a, b), bg.Tensor([3.0])
        v = bg.ops.add(a, b)
        return {
            "u.requires_grad": u.requires_grad,
            "the number of inputs that u remembers": len(u._inputs),
            "u.data": u.data,
            "v.requires_grad": v.requires_grad,
            "the number of inputs that v remembers": len(v._inputs),
            "requires_grad of a leaf made in the block": leaf.requires_grad,
            "a.requires_grad afterwards": a.requires_grad,
        }


@probe(
    "9.3", asked="two blocks `with no_grad():` one after the other, with an add(a, b) in each, between them and after"
)
def one_after_the_other(bg, rng):
    a, b = bg.Tensor([1.0]), bg.Tensor([2.0])
    with recording_on(bg):
        with bg.no_grad():
            first = is_recorded(bg, a, b)
        between = is_recorded(bg, a, b)
        with bg.no_grad():
            second = is_recorded(bg, a, b)
        return {
            "recording in the first block": first,
            "recording between them": between,
            "recording in the second block": second,
            "recording afterwards": is_recorded(bg, a, b),
        }


@probe(
    "9.3",
    asked="a block `with no_grad():` inside another, with an add(a, b) in the inner one, after it in the outer one, "
    "and after both",
)
def one_inside_another(bg, rng):
    a, b = bg.Tensor([1.0]), bg.Tensor([2.0])
    with recording_on(bg):
        with bg.no_grad():
            with bg.no_grad():
                inner = is_recorded(bg, a, b)
            outer = is_recorded(bg, a, b)
        return {
            "recording in the inner block": inner,
            "recording in the outer block, after the inner one": outer,
            "recording after both": is_recorded(bg, a, b),
        }


@probe("9.3", asked="`with no_grad(): raise KeyError('stop')`, and then add(a, b)")
def left_by_an_exception(bg, rng):
    def block():
        with bg.no_grad():
            raise KeyError("stop")

    with recording_on(bg):
        seen = raised(block)
        return {"the block": seen, "recording afterwards": is_recorded(bg, bg.Tensor([1.0]), bg.Tensor([2.0]))}


@probe("9.3", asked="`with no_grad():` around a block that is stopped with Ctrl-C, and then add(a, b)")
def left_by_an_interrupt(bg, rng):
    with recording_on(bg):
        try:
            with bg.no_grad():
                raise KeyboardInterrupt
        except KeyboardInterrupt:
            pass
        return {"recording afterwards": is_recorded(bg, bg.Tensor([1.0]), bg.Tensor([2.0]))}


@probe(
    "9.3",
    asked="`with no_grad(): Recording.on = True`, a block that sets the switch itself, and then add(a, b); the same "
    "with `Recording.on = False` before the block",
)
def set_in_the_block(bg, rng):
    a, b = bg.Tensor([1.0]), bg.Tensor([2.0])
    answers = {}
    with recording_on(bg):
        for before in (True, False):
            bg.autograd.Recording.on = before
            with bg.no_grad():
                bg.autograd.Recording.on = True
            answers[f"recording afterwards, if it was {'on' if before else 'off'} before"] = is_recorded(bg, a, b)
    return answers


def on_or_off(states):
    return ["on" if state else "off" for state in states]


@probe(
    "9.3",
    asked="twelve blocks `with no_grad():` one after the other, with recording switched {before} before them in turn, "
    "and an add(a, b) in each block and after it",
)
def put_back_twelve_times(bg, rng):
    a, b = bg.Tensor([1.0]), bg.Tensor([2.0])
    before, inside, afterwards = rng.integers(0, 2, 12).tolist(), [], []
    with recording_on(bg):
        for state in before:
            bg.autograd.Recording.on = bool(state)
            with bg.no_grad():
                inside.append(is_recorded(bg, a, b))
            afterwards.append(is_recorded(bg, a, b))
    return {
        "asked": {"before": ", ".join(on_or_off(before))},
        "the list of what recording was in the blocks": on_or_off(inside),
        "the list of what recording was after each": on_or_off(afterwards),
    }


# 9.4: Tensor.backward.


@probe(
    "9.4",
    asked="L.backward({g}) for leaves a = {a}, b = {b}, a constant K = [-2.0, 3.0], u = a * b, v = u + a, w = v * K, "
    "L = w + u",
)
def every_node(bg, rng):
    one, other, out_grad = drawn_numbers(rng), drawn_numbers(rng), drawn_numbers(rng)
    a, b, k = bg.Tensor(one), bg.Tensor(other), constant(bg, [-2.0, 3.0])
    u = bg.ops.mul(a, b)
    v = bg.ops.add(u, a)
    w = bg.ops.mul(v, k)
    nodes = named(L=bg.ops.add(w, u), w=w, v=v, u=u, a=a, b=b, K=k)
    afterwards = watched(nodes)
    pictures = Pictures()
    with recording_on(bg), walking(bg, nodes["L"], pictures, start=out_grad):
        returned = nodes["L"].backward(out_grad.tolist())
    return {
        "asked": asked_arrays(a=one, b=other, g=out_grad),
        **grads(nodes),
        "returned": Form(kind_of(returned)),
        **{name: how for name, how in afterwards().items() if ".grad" not in name},
        "graph": pictures.graph,
    }


@probe(
    "9.4", asked="L.backward() for L = (x @ W + bias).relu() * x, summed, with x of shape (3, 3) and bias of shape (3,)"
)
def a_layer(bg, rng):
    x, weight, bias = (
        bg.Tensor(drawn_numbers(rng, n).reshape(shape)) for n, shape in ((9, (3, 3)), (9, (3, 3)), (3, 3))
    )
    product = bg.ops.matmul(x, weight)
    out = bg.ops.mul(bg.ops.relu(bg.ops.add(product, bias)), x)
    nodes = named(L=bg.ops.summation(out), out=out, product=product, W=weight, x=x, bias=bias)
    pictures = Pictures()
    with recording_on(bg), walking(bg, nodes["L"], pictures):
        nodes["L"].backward()
    shown = {name: nodes[name] for name in ("L", "bias", "W", "x", "product")}
    return {**grads(shown), "graph": pictures.graph}


@probe(
    "9.4",
    asked="L.backward() for a leaf x, y = x, then 30 times y = y + y, and L = y, and counted how often a rule was "
    "asked",
)
def thirty_doublings_walked(bg, rng):
    nodes = node_orders.row(bg.Tensor([0.5]), 30, add=lambda y, x: bg.ops.add(y, y))
    with recording_on(bg):
        return walk_counted(nodes[-1].backward, nodes, lambda _: grad_of(nodes[0]))


@probe("9.4", asked="L.backward() twice for a leaf x = [2.0, 5.0], y = x * THREE, L = y * y, with a constant THREE")
def twice(bg, rng):
    x, three = bg.Tensor([2.0, 5.0]), constant(bg, [3.0, 3.0])
    y = bg.ops.mul(x, three)
    nodes, pictures = named(L=bg.ops.mul(y, y), y=y, x=x), Pictures()
    with recording_on(bg):
        with walking(bg, nodes["L"], pictures):
            nodes["L"].backward()
        first = grads(nodes)
        with walking(bg, nodes["L"], pictures):
            nodes["L"].backward()
    return {
        **{f"after the first backward pass {name}": grad for name, grad in first.items()},
        **{f"after the second backward pass {name}": grad for name, grad in grads(nodes).items()},
        "graph": pictures.graph,
    }


@probe("9.4", asked="L.backward() twice for leaves a = [1.0, 2.0], b = [3.0, 4.0], L = a + b")
def a_sum_twice(bg, rng):
    a, b = bg.Tensor([1.0, 2.0]), bg.Tensor([3.0, 4.0])
    nodes = named(L=bg.ops.add(a, b), a=a, b=b)
    pictures = Pictures()
    with recording_on(bg):
        for _ in range(2):
            with walking(bg, nodes["L"], pictures):
                nodes["L"].backward()
    return {**grads(nodes), "graph": pictures.graph}


@probe(
    "9.4",
    asked="L.backward(), then M.backward(), then x.backward() for a leaf x with the one number 2.0 (shape ()), y = x * "
    "2, L = y * x, M = y + x",
)
def two_graphs_that_share(bg, rng):
    x = bg.Tensor(2.0)
    y = bg.ops.mul_scalar(x, 2)  # an inner node with one input
    one, other = bg.ops.mul(y, x), bg.ops.add(y, x)
    named(x=x, y=y, L=one, M=other)
    pictures = Pictures()
    with recording_on(bg):
        with walking(bg, one, pictures):
            one.backward()
        answers = {"x.grad after L.backward()": grad_of(x), "y.grad after L.backward()": grad_of(y)}
        with walking(bg, other, pictures):
            other.backward()
        answers |= {"x.grad after M.backward()": grad_of(x), "y.grad after M.backward()": grad_of(y)}
        with walking(bg, x, pictures):
            x.backward()
    return answers | {"After x.backward(), which adds 1, x.grad": grad_of(x), "graph": pictures.graph}


@probe(
    "9.4",
    asked="d.backward() for leaves a and b, c = a + b, d = c + a, and then multiplied each .grad by 10 in place, one "
    "after the other",
)
def arrays_of_their_own(bg, rng):
    a, b = bg.Tensor([1.0, 2.0]), bg.Tensor([3.0, 4.0])
    c = bg.ops.add(a, b)
    nodes = named(d=bg.ops.add(c, a), c=c, b=b, a=a)
    with recording_on(bg):
        nodes["d"].backward()
    for node in nodes.values():
        grad = grad_itself(node)
        if isinstance(grad, np.ndarray):
            grad *= 10
    return {f"{name}.grad, which was multiplied once,": grad_of(node) for name, node in nodes.items()}


def writing_into(array):
    """What happens if one writes into an array."""
    if not isinstance(array, np.ndarray):
        return Form("impossible: there is no array")
    try:
        array[...] = 0
    except ValueError as error:
        return Form(f"a ValueError ({error})")
    return Form("possible")


@probe(
    "9.4",
    asked="L.backward() for a leaf x of shape (2, 3), u = x * K, L = u.sum(), with a constant K, and then wrote 0 into "
    "u.grad and x.grad",
)
def arrays_that_can_be_written_to(bg, rng):
    x, k = bg.Tensor(drawn_numbers(rng, 6).reshape(2, 3)), constant(bg, drawn_numbers(rng, 6).reshape(2, 3))
    u = bg.ops.mul(x, k)
    nodes = named(L=bg.ops.summation(u), u=u, x=x)
    with recording_on(bg):
        nodes["L"].backward()
    return {
        **grads(nodes),
        **{f"writing into {name}.grad": writing_into(grad_itself(nodes[name])) for name in ("u", "x")},
    }


@probe(
    "9.4",
    asked="L.backward(g) for a leaf x = [1.0, 2.0], L = x + x and an array g = {g}, then changed L.grad in place, and "
    "then g",
)
def the_initial_gradient_is_yours(bg, rng):
    out_grad, x = drawn_numbers(rng), bg.Tensor([1.0, 2.0])
    given, out = out_grad.copy(), bg.ops.add(x, x)
    with recording_on(bg):
        out.backward(given)
    answers = {"asked": asked_arrays(g=out_grad), "x.grad": grad_of(x), "L.grad": grad_of(out), "g": given.copy()}
    if isinstance(out.grad, np.ndarray):
        out.grad *= 10
    answers["g after L.grad was changed"] = given.copy()
    out.backward(given)
    given *= 100
    return answers | {"L.grad after g was changed": grad_of(out)}


@probe(
    "9.4",
    asked="L.backward(g) for L = x * y of shape (2, 3), where g has shape (3,), where it is 2.5, and where it is a "
    "Tensor of shape (1, 3)",
)
def an_initial_gradient_of_another_shape(bg, rng):
    x, y = bg.Tensor(np.ones((2, 3))), bg.Tensor(np.ones((2, 3)))
    out = bg.ops.mul(x, y)
    given = {
        "L.backward(g)": np.full(3, 1.5),
        "L.backward(2.5)": 2.5,
        "L.backward(g) for a Tensor g": constant(bg, np.full((1, 3), 1.5)),
    }
    with recording_on(bg):
        answers = {call: raised(lambda g=g: out.backward(g), naming="(2, 3)") for call, g in given.items()}
        return answers | {"x.grad afterwards": x.grad, "recording afterwards": is_recorded(bg, x, y)}


def spy(bg, seen):
    """An operation, 2 * x, whose rule puts into seen whether anything is recorded while it is called."""

    class Spy(bg.Function):
        def forward(self, x):
            return 2 * x

        def backward(self, out_grad, node):
            seen.append(bg.ops.mul(out_grad, node).requires_grad)
            return bg.ops.add(out_grad, out_grad)

    return Spy()


@probe(
    "9.4", asked="L.backward() for L = Spy()(x): the rule of Spy looks whether anything is recorded while it is called"
)
def nothing_is_recorded(bg, rng):
    x, seen = bg.Tensor([1.0, 2.0]), []
    with recording_on(bg):
        spy(bg, seen)(x).backward()
        return {
            "x.grad": grad_of(x),
            "recording during the backward pass": seen[-1] if seen else None,
            "recording afterwards": is_recorded(bg, x, x),
        }


@probe(
    "9.4",
    asked="z.backward() for a leaf of dtype float32 and z = leaf * leaf; then L.backward() for leaves x of dtype "
    "float32 and w of dtype float64, y = x * x, L = y * w; then y.backward()",
)
def dtypes(bg, rng):
    leaf, x, w = (bg.Tensor(drawn_numbers(rng), dtype=dtype) for dtype in ("float32", "float32", "float64"))
    z, y = bg.ops.mul(leaf, leaf), bg.ops.mul(x, x)
    out = bg.ops.mul(y, w)
    with recording_on(bg):
        z.backward()
        out.backward()
        nodes = named(z=z, leaf=leaf, L=out, y=y, x=x, w=w)
        answers = {f"the dtype of {name}.grad": dtype_of(node.grad) for name, node in nodes.items()}
        y.backward()
    return answers | {"the dtype of x.grad after y.backward()": dtype_of(x.grad), "x.data.dtype": str(x.data.dtype)}


@probe(
    "9.4",
    asked="L.backward() twice for a leaf t of shape (), L = t * t; then M.backward() twice for leaves x of dtype "
    "float32 and w of dtype float64, M = x * w",
)
def a_second_time(bg, rng):
    t = bg.Tensor(drawn_numbers(rng)[0])
    x, w = (bg.Tensor(drawn_numbers(rng), dtype=dtype) for dtype in ("float32", "float64"))
    one, other = bg.ops.mul(t, t), bg.ops.mul(x, w)
    answers = {}
    with recording_on(bg):
        for time in ("first", "second"):
            one.backward()
            other.backward()
            answers[f"what t.grad is after the {time} L.backward()"] = Form(kind_of(t.grad))
            answers[f"the dtype of x.grad after the {time} M.backward()"] = dtype_of(x.grad)
    return answers


@probe(
    "9.4",
    asked=f"L.backward(g) for L = (x @ W).relu() * x, with x, W and a random g of shape {LARGE}",
    slow=TOO_MANY_TO_NUDGE,
)
def large_walk(bg, rng):
    x, weight = bg.Tensor(rng.normal(size=LARGE)), bg.Tensor(rng.normal(size=LARGE))
    product = bg.ops.matmul(x, weight)
    out = bg.ops.mul(bg.ops.relu(product), x)
    with recording_on(bg):
        out.backward(rng.normal(size=LARGE))
    return condensed(grads({"W": weight, "x": x, "(x @ W)": product}))


# 9.5: grad.


def kind_returned(x):
    """What kind of thing grad returned: a list is as good as a tuple."""
    return Form(f"a tuple of {len(x)}" if isinstance(x, (list, tuple)) else kind_of(x))


def found_by_name(returned, names):
    """What grad returned for several inputs, by name."""
    answers = {"returned": kind_returned(returned)}
    if isinstance(returned, (list, tuple)):
        answers |= {f"the gradient of {name}": array_in(g) for name, g in zip(names, returned)}
    return answers


def found_alone(returned):
    """What grad returned for one input."""
    return {"returned": kind_returned(returned), "the gradient of x": array_in(returned)}


@probe("9.5", asked="grad(L, x) for a leaf x = {x}, y = x * x, L = y * x")
def one_input(bg, rng):
    numbers = drawn_numbers(rng)
    x = bg.Tensor(numbers)
    y = bg.ops.mul(x, x)
    nodes = named(x=x, y=y, L=bg.ops.mul(y, x))
    with recording_on(bg):
        returned = bg.grad(nodes["L"], x)
        recording = is_recorded(bg, x, x)
    return {
        "asked": asked_arrays(x=numbers),
        **found_alone(returned),
        **{f"{name}.grad afterwards": node.grad for name, node in nodes.items()},
        "recording afterwards": recording,
        "graph": drawn(bg, nodes["L"], [(x, returned)]),
    }


@probe("9.5", asked="grad(L, a) for leaves a and b, L = u * b, u = a * b, where a.grad is already [7.0, 7.0]")
def what_grad_leaves_alone(bg, rng):
    a, b = bg.Tensor(drawn_numbers(rng)), bg.Tensor(drawn_numbers(rng))
    a.grad = np.array([7.0, 7.0])
    u = bg.ops.mul(a, b)
    nodes = named(a=a, b=b, u=u, L=bg.ops.mul(u, b))
    with recording_on(bg):
        returned = bg.grad(nodes["L"], a)
    return {
        "the gradient of a": array_in(returned),
        **{f"{name}.grad afterwards": node.grad for name, node in nodes.items()},
    }


@probe("9.5", asked="grad(L, [b, u, a]), and then grad(L, [b]), for leaves a = {a} and b = {b}, u = a * b, L = u * a")
def several_inputs(bg, rng):
    one, other = drawn_numbers(rng), drawn_numbers(rng)
    a, b = bg.Tensor(one), bg.Tensor(other)
    u = bg.ops.mul(a, b)
    nodes = named(a=a, b=b, u=u, L=bg.ops.mul(u, a))
    with recording_on(bg):
        returned, one_in_a_list = bg.grad(nodes["L"], [b, u, a]), bg.grad(nodes["L"], [b])
    return {
        "asked": asked_arrays(a=one, b=other),
        **found_by_name(returned, ("b", "u", "a")),
        "grad(L, [b])": kind_returned(one_in_a_list),
    }


@probe(
    "9.5",
    asked="grad(L, (a, z)) and grad(L, z) for a leaf a, L = a * a, and a leaf z of shape (2, 3) that L does not depend "
    "on",
)
def an_input_that_does_not_matter(bg, rng):
    a, z = bg.Tensor(drawn_numbers(rng)), bg.Tensor(np.ones((2, 3)), dtype="float32")
    out = bg.ops.mul(a, a)
    with recording_on(bg):
        both, alone = bg.grad(out, (a, z)), bg.grad(out, z)
    return {
        **found_by_name(both, ("a", "z")),
        "grad(L, z)": array_in(alone),
        "the dtype of grad(L, z)": dtype_of(alone),
    }


@probe(
    "9.5",
    asked="grad(x, x) for a leaf x of shape (2,), and grad(K, x) for a constant K that was made from constants alone",
)
def a_leaf_and_a_constant_as_the_output(bg, rng):
    x = bg.Tensor(drawn_numbers(rng))
    k = bg.ops.mul(constant(bg, [2.5, 1.5]), constant(bg, [0.5, 4.0]))
    with recording_on(bg):
        return {"grad(x, x)": array_in(bg.grad(x, x)), "grad(K, x)": array_in(bg.grad(k, x))}


def cubed(bg, x):
    return bg.ops.mul(bg.ops.mul(x, x), x)


@probe(
    "9.5", asked="grad(L, x) for L = x * x * x in a block `with no_grad():`, and add(x, x) after it, in the same block"
)
def while_nothing_is_recorded(bg, rng):
    x = bg.Tensor([2.0, 5.0])
    out = cubed(bg, x)
    with recording_on(bg), bg.no_grad():
        found = bg.grad(out, x)
        return {"the gradient of x": array_in(found), "recording afterwards": is_recorded(bg, x, x)}


@probe(
    "9.5",
    asked="grad(L, x, g) for a leaf x = [2.0, 5.0], L = x * x and g = {g}, and grad(L, x, h) with h of shape (3,)",
)
def an_initial_gradient(bg, rng):
    out_grad, x = drawn_numbers(rng), bg.Tensor([2.0, 5.0])
    given, out = out_grad.copy(), bg.ops.mul(x, x)
    with recording_on(bg):
        answers = found_alone(bg.grad(out, x, given))
        answers["grad(L, x, h)"] = raised(lambda: bg.grad(out, x, np.ones(3)), naming="(2,)")
        answers["recording afterwards"] = is_recorded(bg, x, x)
    return {"asked": asked_arrays(g=out_grad), **answers, "g afterwards": given}


@probe(
    "9.5",
    asked="grad(L, x, g) for a leaf x = [2.0, 5.0] and L = x * x, where g has another shape that NumPy would stretch: "
    "g = 3.5, g = [3.5], and Tensors of shape (1,) and (1, 2)",
)
def an_initial_gradient_that_would_stretch(bg, rng):
    x = bg.Tensor([2.0, 5.0])
    out = bg.ops.mul(x, x)
    given = {
        "grad(L, x, 3.5)": 3.5,
        "grad(L, x, [3.5])": [3.5],
        "grad(L, x, g) for a Tensor g of shape (1,)": constant(bg, [3.5]),
        "grad(L, x, g) for a Tensor g of shape (1, 2)": constant(bg, [[3.5, -1.5]]),
    }
    with recording_on(bg):
        return {call: raised(lambda g=g: bg.grad(out, x, g), naming="(2,)") for call, g in given.items()}


@probe(
    "9.5",
    asked="grad(L, x) for L = Spy()(x) * x, without and with create_graph=True, and then whether the results are "
    "recorded. The rule of Spy looks whether anything is recorded while it is called",
)
def what_is_recorded(bg, rng):
    x, seen = bg.Tensor([2.0, 5.0]), []
    out = bg.ops.mul(spy(bg, seen)(x), x)
    with recording_on(bg):
        plain = bg.grad(out, x)
        during = seen[-1] if seen else None
        recorded = bg.grad(out, x, create_graph=True)
        return {
            "requires_grad of the gradient": getattr(plain, "requires_grad", None),
            "requires_grad of the gradient with create_graph=True": getattr(recorded, "requires_grad", None),
            "recording during the backward pass": during,
            "recording during the backward pass with create_graph=True": seen[-1] if seen else None,
            "recording afterwards": is_recorded(bg, x, x),
        }


@probe(
    "9.5",
    asked="g = grad(L, x, create_graph=True), h = grad(g, x, create_graph=True), and grad(h, x), for a leaf x = {x} "
    "and L = x * x * x",
)
def three_times(bg, rng):
    numbers = drawn_numbers(rng)
    x = bg.Tensor(numbers)
    with recording_on(bg):
        first = bg.grad(cubed(bg, x), x, create_graph=True)
        second = bg.grad(first, x, create_graph=True)
        third = bg.grad(second, x)
    return {
        "asked": asked_arrays(x=numbers),
        "g": array_in(first),
        "h": array_in(second),
        "grad(h, x)": array_in(third),
    }


@probe(
    "9.5",
    asked="g = grad(L, a, create_graph=True), then grad(g, (a, b)) and grad((g * g).sum(), b), for leaves a = {a} and "
    "b = {b}, L = a * a * b",
)
def a_gradient_as_a_part(bg, rng):
    one, other = drawn_numbers(rng), drawn_numbers(rng)
    a, b = bg.Tensor(one), bg.Tensor(other)
    out = bg.ops.mul(bg.ops.mul(a, a), b)
    with recording_on(bg):
        g = bg.grad(out, a, create_graph=True)
        found = found_by_name(bg.grad(g, (a, b)), ("a", "b"))
        penalty = bg.ops.summation(bg.ops.mul(g, g))
        return {
            "asked": asked_arrays(a=one, b=other),
            **found,
            "the gradient of (g * g).sum() with respect to b": array_in(bg.grad(penalty, b)),
        }


@probe(
    "9.5",
    asked="p, q = grad(L, [a, b], {g}, create_graph=True), and grad(p, (a, b)) and grad(q, (a, b)), for leaves a = {a} "
    "and b = {b}, L = a * a * b",
)
def several_gradients_again(bg, rng):
    one, other, given = drawn_numbers(rng), drawn_numbers(rng), drawn_numbers(rng)
    a, b = bg.Tensor(one), bg.Tensor(other)
    with recording_on(bg):
        out = bg.ops.mul(bg.ops.mul(a, a), b)
        both = bg.grad(out, [a, b], given, create_graph=True)
        answers = {"asked": asked_arrays(a=one, b=other, g=given), "returned": kind_returned(both)}
        for name, first in zip("pq", both if isinstance(both, (list, tuple)) else ()):
            second = bg.grad(first, (a, b)) if getattr(first, "requires_grad", False) else (None, None)
            answers[name] = array_in(first)
            answers |= {f"the gradient of {name} to {leaf}": array_in(g) for leaf, g in zip("ab", second)}
    return answers


@probe(
    "9.5",
    asked=f"grad(L, [b, a], g) for leaves a and b of shape {LARGE}, u = a * b, L = u * u * b, and a random g",
    slow=TOO_MANY_TO_NUDGE,
)
def large_inputs(bg, rng):
    a, b = bg.Tensor(rng.normal(size=LARGE)), bg.Tensor(rng.normal(size=LARGE))
    u = bg.ops.mul(a, b)
    out = bg.ops.mul(bg.ops.mul(u, u), b)
    with recording_on(bg):
        return condensed(found_by_name(bg.grad(out, [b, a], rng.normal(size=LARGE)), ("b", "a")))


# 9.6: gradgradcheck. The operations that it is asked about are made here, of Tensors.


def operation(bg, forward, rule):
    """A function of Tensors.  forward(*arrays) gives an array, rule(out_grad, *inputs) Tensors: a tuple for several."""

    class Made(bg.Function):
        def forward(self, *arrays):
            return forward(*arrays)

        def backward(self, out_grad, node):
            return rule(out_grad, *node._inputs)

    return lambda *inputs: Made()(*inputs)


def cut(x):
    """The same numbers, without the history."""
    return x.detach()


def cubed_with(bg, rule):
    return operation(bg, lambda x: x**3, rule)


def product_with_shares(bg, rule):
    return operation(bg, lambda a, b: a * b, rule)


def far_from_0(bg, rng, *shape, **options):
    """A Tensor of numbers of both signs, none of them near 0 or 1."""
    return bg.Tensor(drawn_numbers(rng, int(np.prod(shape))).reshape(shape), **options)


def checks(asked):
    """Register a question of several checks: the decorated function returns {what each is about: arguments}.

    arguments: the function, its inputs, and a dict of options if there are any.
    """

    def register(cases):
        @probe("9.6", asked=asked, name=cases.__name__)
        def question(bg, rng):
            answers = {"asked": {}}
            with recording_on(bg), np.errstate(all="ignore"):
                for about, (fn, inputs, *options) in cases(bg, rng).items():
                    how, said = ended(bg, bg.gradgradcheck, fn, inputs, **(options[0] if options else {}))
                    answers[about], answers["asked"][about] = how, said
            return answers

        return cases

    return register


@checks("gradgradcheck of right rules")
def passes_right_rules(bg, rng):
    x, y = far_from_0(bg, rng, 2, 3), far_from_0(bg, rng, 2, 3)
    fixed = far_from_0(bg, rng, 2, 3, requires_grad=False)
    cubed = cubed_with(bg, lambda g, x: 3 * x * x * g)
    times = product_with_shares(bg, lambda g, a, b: (g * b, g * a))
    plus = operation(bg, lambda a, b: a + b, lambda g, a, b: (g, g))
    return {
        "x³ with a right rule": (cubed, [x]),
        "the same with x itself in place of [x]": (cubed, x),
        "x³ with a right rule and x of shape ()": (cubed, [bg.Tensor(-1.5)]),
        "a * b with a right rule": (times, (x, y)),
        "a * b with a right rule, where a requires no grad": (times, [fixed, y]),
        "a + b with a right rule": (plus, [x, y]),
        "several operations, a * b³ + a, with right rules": (lambda a, b: plus(times(a, cubed(b)), a), [x, y]),
    }


@checks("gradgradcheck of rules that give right gradients, but have forgotten what they were made from")
def stops_rules_that_forget(bg, rng):
    x, y = far_from_0(bg, rng, 2, 3), far_from_0(bg, rng, 2, 3)
    fixed = far_from_0(bg, rng, 2, 3, requires_grad=False)
    return {
        "x³ with a rule made of x.data": (cubed_with(bg, lambda g, x: g * cut(3 * x * x)), [x]),
        "x³ with a rule in which one of two x is x.data": (cubed_with(bg, lambda g, x: 3 * g * x * cut(x)), [x]),
        "a * b with a share to a made of b.data": (
            product_with_shares(bg, lambda g, a, b: (g * cut(b), g * a)),
            [x, y],
        ),
        "a * b with a share to b made of a.data": (
            product_with_shares(bg, lambda g, a, b: (g * b, g * cut(a))),
            [x, y],
        ),
        "a³ * b, where b requires no grad, with a share to a made of a.data": (
            operation(bg, lambda a, b: a**3 * b, lambda g, a, b: (g * cut(3 * a * a) * b, None)),
            [x, fixed],
        ),
    }


@checks("gradgradcheck of rules that have forgotten out_grad, and of one that is right for an out_grad of ones alone")
def stops_rules_that_forget_out_grad(bg, rng):
    x, y = far_from_0(bg, rng, 2, 3), far_from_0(bg, rng, 2, 3)
    return {
        "x³ with a rule made of out_grad.data": (cubed_with(bg, lambda g, x: 3 * x * x * cut(g)), [x]),
        "a * b with a share to b made of out_grad.data": (
            product_with_shares(bg, lambda g, a, b: (g * b, cut(g) * a)),
            [x, y],
        ),
        "x³ with a rule that forgets x wherever out_grad is not 1": (
            cubed_with(bg, lambda g, x: 3 * x * x + (g - 1) * cut(3 * x * x)),
            [x],
        ),
    }


@checks("gradgradcheck of (a - b)³, whose two shares add up to 0, with a rule made of .data")
def stops_shares_that_cancel(bg, rng):
    def rule(g, a, b):
        share = g * cut(3 * (a - b) * (a - b))
        return share, -share

    made = operation(bg, lambda a, b: (a - b) ** 3, rule)
    return {"(a - b)³ with a rule made of .data": (made, [far_from_0(bg, rng, 3), far_from_0(bg, rng, 3)])}


@checks("gradgradcheck of twelve rules for x³, some of which forget something")
def right_or_forgetful(bg, rng):
    rules = {
        "remembers all": lambda g, x: 3 * x * x * g,
        "forgets x": lambda g, x: cut(3 * x * x) * g,
        "forgets out_grad": lambda g, x: 3 * x * x * cut(g),
        "remembers all, written in another way": lambda g, x: g * x * (x + x + x),
    }
    x, names = far_from_0(bg, rng, 3), list(rules)
    return {
        f"rule {place} of 12, which {names[drawn]}": (cubed_with(bg, rules[names[drawn]]), [x])
        for place, drawn in enumerate(rng.integers(0, 4, 12).tolist(), 1)
    }


@probe(
    "9.6",
    asked="gradgradcheck(fn, [a, b, c]) for a * b * c, where the rule uses c.data in what it gives to b, so input 2 is "
    "forgotten; and then where it is out_grad.data, the input after the others",
)
def its_message(bg, rng):
    inputs = [far_from_0(bg, rng, 2, 2) for _ in "abc"]
    rules = {
        "c forgotten": (lambda g, a, b, c: (g * b * c, g * a * cut(c), g * a * b), "input 2"),
        "out_grad forgotten": (lambda g, a, b, c: (g * b * c, cut(g) * a * c, g * a * b), "input 3"),
    }
    with recording_on(bg):
        return {
            name: raised(
                lambda rule=rule: bg.gradgradcheck(operation(bg, lambda a, b, c: a * b * c, rule), inputs),
                naming=naming,
            )
            for name, (rule, naming) in rules.items()
        }


@checks("gradgradcheck with rtol, atol and eps of its caller's own")
def its_tolerances(bg, rng):
    x = far_from_0(bg, rng, 3)

    def with_part(part):
        return cubed_with(bg, lambda g, x: 3 * g * x * ((1 - part) * x + part * cut(x)))

    fifth = operation(bg, lambda x: x**5, lambda g, x: 5 * g * x * x * x * x)
    return {
        "a second derivative that is 5 percent too small, with rtol=0.1": (with_part(0.1), [x], {"rtol": 0.1}),
        "a second derivative that is 5 percent too small, with rtol=0.01": (with_part(0.1), [x], {"rtol": 0.01}),
        "a second derivative that is 5 percent too small, with atol=10": (with_part(0.1), [x], {"atol": 10.0}),
        "x⁵ with a right rule and eps=0.5 (so wide a nudge is far off)": (fifth, [x], {"eps": 0.5}),
    }


@probe("9.6", asked="gradgradcheck(fn, [x], seed=...) with the seeds 1, 2 and 1, and looked at out_grad each time")
def its_seed(bg, rng):
    def out_grad_for(seed):
        given = []
        fn = cubed_with(bg, lambda g, x: given.append(g.data.copy()) or 3 * x * x * g)
        bg.gradgradcheck(fn, [bg.Tensor([0.5, -0.7, 1.1])], seed=seed)
        return given[0] if given else None

    with recording_on(bg):
        first, second, again = (out_grad_for(seed) for seed in (1, 2, 1))
    return {
        "out_grad for the seed 2": Form("the same as for 1" if np.array_equal(first, second) else "another one"),
        "out_grad for the seed 1 again": Form("the same as before" if np.array_equal(first, again) else "another one"),
    }


@probe("9.6", asked="gradgradcheck(fn, [a, b]) for a * b with a right rule, where a.grad is [7, 7]; and looked at both")
def leaves_everything_as_it_was(bg, rng):
    a, b = far_from_0(bg, rng, 2), far_from_0(bg, rng, 2, requires_grad=False)
    a.grad = np.array([7.0, 7.0])
    before = a.data.copy(), b.data.copy()
    with recording_on(bg):
        bg.gradgradcheck(product_with_shares(bg, lambda g, a, b: (g * b, g * a)), [a, b])
        return {
            **held("a", np.array_equal(a.data, before[0])),
            **held("b", np.array_equal(b.data, before[1])),
            "a.grad": a.grad,
            "b.grad": b.grad,
            "whether a requires grad": a.requires_grad,
            "whether b requires grad": b.requires_grad,
            "recording afterwards": is_recorded(bg, a, a),
        }


# 9.7: the hunt.

LEAVES = {"a": 2.0, "b": -3.0}


def expression(bg, name):
    """The recipe of one of the four expressions; what was returned itself, if it is no dict with this key."""

    def build(a, b):
        returned = bg.hunts.one_test_each(a, b)
        if not isinstance(returned, dict):
            return returned
        return returned.get(name, Form(f"a dict in which there is no '{name}'"))

    return recipe_of(build, **LEAVES)


def ask_hunt(name):
    asked = f"one_test_each(a, b) and played ['{name}'] on all engines, two backward passes each"

    @probe("9.7", asked=asked, name=f"engine_{name}", secret=True)
    def recorded(bg, rng):
        return {"recipe": expression(bg, name)}


for _engine in "ABCD":
    ask_hunt(_engine)

"""Wrong ideas about notebook 13, each as a patch for a private copy of the reference."""

import numpy as np

from grader.course.exercise import wrong

from .exercises import by_hand as walk
from .exercises import hunt, rates

A = ["Summation", "Div", "Abs", "MatMul", "AddScalar", "Exp"]
B = ["Add", "Mul", "Exp"]
B_BACKWARD = ["Add", "Exp", "Mul"]
C_BACKWARD = ["Mul", "Tanh", "Add", "MulScalar", "Exp"]
C_WALK = ["Mul", "Exp", "Tanh", "Add", "MulScalar"]


def walk_is(bg, a=A, b=B, b_backward=B_BACKWARD, c_backward=C_BACKWARD):
    lists = {"A": a, "B": b, "B backward": b_backward, "C backward": c_backward}
    bg.hunts.names_on_the_way = lambda: lists


def renamed(bg, names):
    """All lists with other names.  names: {ours: the other}."""
    walk_is(bg, *([names.get(name, name) for name in each] for each in (A, B, B_BACKWARD, C_BACKWARD)))


# 13.1: the walk by hand.


@wrong(
    walk,
    "in the order of computing",
    "These lists are in the order of the forward pass. The walk and backward both begin at the result, so the "
    "operation that was computed last comes first.",
)
def forwards(bg):
    walk_is(
        bg,
        ["MatMul", "Abs", "Exp", "AddScalar", "Div", "Summation"],
        ["Mul", "Exp", "Add"],
        B_BACKWARD[::-1],
        C_BACKWARD[::-1],
    )


@wrong(
    walk,
    "the walks turned round",
    "These lists look like the walks read from the other end. Begin at the result, and after each name go on to the "
    "Functions behind it, the left side first.",
)
def turned_round(bg):
    walk_is(bg, A[::-1], B[::-1])


@wrong(
    walk,
    "the leaves are in it",
    "x, w and y are leaves: no Function made them, so their grad_fn is None. The walk prints only names of Functions.",
)
def leaves_too(bg):
    a = ["Summation", "Div", "Abs", "MatMul", "x", "w", "AddScalar", "Exp", "y"]
    walk_is(bg, a, ["Add", "Mul", "x", "Exp"])


@wrong(
    walk,
    "None for each leaf",
    "next_functions holds None where a leaf went in. The walk prints nothing there: there is no Function, so no name.",
)
def none_for_leaves(bg):
    a = ["Summation", "Div", "Abs", "MatMul", "None", "None", "AddScalar", "Exp", "None"]
    walk_is(bg, a, ["Add", "Mul", "None", "None", "Exp"])


@wrong(
    walk,
    "the names of Python",
    "These are the operators and methods as you write them. grad_fn gives the name of the operation that they call: + "
    "of two Tensors is Add, @ is MatMul, .sum() is Summation. tensor.py has them all.",
)
def python_names(bg):
    signs = {"Summation": "sum", "Div": "/", "Abs": "abs", "MatMul": "@", "Add": "+", "AddScalar": "+", "Mul": "*"}
    renamed(bg, {**signs, "MulScalar": "*", "Exp": "exp", "Tanh": "tanh"})


@wrong(
    walk,
    "the functions instead of the classes",
    "These are the functions of ops, in lower case. name() gives the name of the class: Tanh, MatMul, Summation.",
)
def small_letters(bg):
    scalars = {"AddScalar": "add_scalar", "MulScalar": "mul_scalar"}
    renamed(bg, {name: scalars.get(name, name.lower()) for name in A + B + C_BACKWARD})


@wrong(
    walk,
    "PyTorch's names",
    "That is what PyTorch would print. It has one name for x * 2 and x * y, and its names end in Backward0. Ours are "
    "the names of your own classes: Summation, MulScalar, ...",
)
def names_of_pytorch(bg):
    theirs = {"Summation": "Sum", "MatMul": "Mm", "AddScalar": "Add", "MulScalar": "Mul"}
    renamed(bg, {name: f"{theirs.get(name, name)}Backward0" for name in A + B + C_BACKWARD})


@wrong(
    walk,
    "a number is taken for a Tensor",
    "For a plain number on the right there is an operation of its own: t * 2 is MulScalar, and y.exp() + 1 is "
    "AddScalar. (The 2 is not a node then.) Add and Mul are for two Tensors.",
)
def no_scalars(bg):
    renamed(bg, {"AddScalar": "Add", "MulScalar": "Mul"})


@wrong(
    walk,
    "the right side first",
    "The walk goes through next_functions from left to right, in the order of the inputs in the expression. You took "
    "the right side first.",
)
def right_side_first(bg):
    walk_is(bg, ["Summation", "Div", "AddScalar", "Exp", "Abs", "MatMul"], ["Add", "Exp", "Mul"])


@wrong(
    walk,
    "level by level",
    "This goes level by level: all that is one step from the result, then all that is two steps away. The walk "
    "finishes one side, with everything behind it, before it begins the other: it goes depth-first.",
)
def level_by_level(bg):
    walk_is(bg, ["Summation", "Div", "Abs", "AddScalar", "MatMul", "Exp"])


@wrong(
    walk,
    "a name for each way",
    "Two paths lead to z = x * x. The walk prints a Function when it first gets there, and not again.",
)
def each_way(bg):
    again = ["Mul", "Tanh", "Add", "MulScalar", "Exp", "Exp", "Exp"]
    walk_is(bg, b=["Add", "Mul", "Exp", "Mul"], b_backward=["Add", "Exp", "Mul", "Mul"], c_backward=again)


@wrong(
    walk,
    "backward walks like the walk",
    "The walk prints Mul when it first gets there. backward may not do that: z is used by + and by exp, so the rule "
    "of Mul must wait until both shares have arrived: reverse topological order, as in notebook 03.",
)
def backward_like_the_walk(bg):
    walk_is(bg, b_backward=B, c_backward=C_WALK)


@wrong(
    walk,
    "C backward walks like the walk",
    "In B backward waits, but here it goes to a Function as soon as the first share to its result has arrived, "
    "as the walk does. Exp made t, which three operations use: its rule comes after all of theirs.",
)
def backward_like_the_walk_in_c(bg):
    walk_is(bg, c_backward=C_WALK)


@wrong(
    walk,
    "backward goes on after the first of three shares",
    "In C the Exp that made t has to wait for all three operations that used t. In your list it comes before one of "
    "them.",
)
def too_early(bg):
    walk_is(bg, c_backward=["Mul", "Tanh", "Add", "Exp", "MulScalar"])


@wrong(
    walk,
    "the walk waits as backward does",
    "The walk does not wait: it goes to the left side first, and that is Mul. It is backward that must wait until "
    "every share to z has arrived.",
)
def the_walk_waits(bg):
    walk_is(bg, b=B_BACKWARD)


@wrong(
    walk,
    "backward from the leaves",
    "backward begins at the result: in B that is Add. The order you wrote is that of the forward pass.",
)
def backward_from_the_leaves(bg):
    walk_is(bg, b_backward=B_BACKWARD[::-1], c_backward=C_BACKWARD[::-1])


# 13.3: forward mode.


def product_is(bg, rule):
    """rule(node, a, b, rate_a, rate_b) in place of the rate of a product."""

    def of_a_product(node, rate_a, rate_b):
        a, b = (x.data for x in node._inputs)
        return rule(node, a, b, rate_a, rate_b)

    bg.forward_mode.of_a_product = of_a_product
    for name in ("Mul", "MatMul"):
        bg.forward_mode.RULES[name] = of_a_product


def forward(node, a, b):
    return node._op.forward(a, b)


@wrong(
    rates,
    "the product of the rates",
    "The two rates were multiplied by each other. But if only a moves, the rate of b is 0, and a * b moves all the "
    "same. Let one side move at a time, while the other stands still.",
)
def _(bg):
    product_is(bg, lambda node, a, b, rate_a, rate_b: forward(node, rate_a, rate_b))


@wrong(
    rates,
    "each rate with its own side",
    "The rate of a was multiplied by a. If b is 5, one more in a makes 5 more in a * b: whose number is the 5?",
)
def _(bg):
    product_is(bg, lambda node, a, b, rate_a, rate_b: a * rate_a + b * rate_b)


@wrong(
    rates,
    "only the left side moves",
    "This is what the product does while b stands still. b may move too, and then both effects add up.",
)
def _(bg):
    product_is(bg, lambda node, a, b, rate_a, rate_b: forward(node, rate_a, b))


@wrong(
    rates,
    "number by number also for @",
    "For a * b this is right, but the same line serves a @ b. There the rate must be multiplied as a matrix: which of "
    "the two products a node is, its own operation knows.",
)
def _(bg):
    product_is(bg, lambda node, a, b, rate_a, rate_b: rate_a * b + a * rate_b)


@wrong(
    rates,
    "@ also for number by number",
    "For a @ b this is right, but the same line serves a * b, which multiplies element by element. The node's own "
    "operation knows which of the two products it is.",
)
def _(bg):
    product_is(bg, lambda node, a, b, rate_a, rate_b: rate_a @ b + a @ rate_b)


@wrong(
    rates,
    "matrices in the other order",
    "rate @ a is not a @ rate. What was on the right in the product stays on the right.",
)
def _(bg):
    product_is(bg, lambda node, a, b, rate_a, rate_b: forward(node, rate_a, b) + forward(node, rate_b, a))


@wrong(
    rates,
    "the backward rule",
    "The transposed factor belongs to the backward pass, where a gradient comes from the product. Here rates go "
    "forward, from a and b to the product: let one side move at a time.",
)
def _(bg):
    def back(node, a, b, rate_a, rate_b):
        if node._op.name() == "MatMul":
            return rate_a @ b.T + a.T @ rate_b
        return rate_a * b + a * rate_b

    product_is(bg, back)


def rate_is(bg, function):
    bg.forward_mode.rate_of = function


def walked(bg, output, rates, still=None, order=None, moved=None):
    """The rate of output, with one part of the walk replaced."""
    order = order or bg.autograd.topological_order
    still = still or (lambda x: np.zeros(x.shape))
    moved = moved or (lambda node, rates, known: bg.forward_mode.moved(node, rates))
    known = dict(rates)
    for node in order(output):
        if node._op is not None:
            found = [known[x] if x in known else still(x) for x in node._inputs]
            known[node] = moved(node, found, known)
    return known[output] if output in known else still(output)


@wrong(
    rates,
    "backwards through the order",
    "A result in between counted as standing still. Either its rate was not known yet when it was needed (in which "
    "direction does topological_order list the nodes?), or it was looked for in rates, which holds leaves alone.",
)
def _(bg):
    rate_is(
        bg,
        lambda output, rates: walked(bg, output, rates, order=lambda root: bg.autograd.topological_order(root)[::-1]),
    )


@wrong(
    rates,
    "a leaf that is not named moves at 1",
    "A leaf that is not in rates stands still: its rate is 0 everywhere. Here it moves.",
)
def _(bg):
    rate_is(bg, lambda output, rates: walked(bg, output, rates, still=lambda x: np.ones(x.shape)))


@wrong(
    rates,
    "rates kept in .grad",
    "The rates were put into .grad of the nodes, where gradients belong. The graph should stay as it is: keep the "
    "rates in a dict of their own.",
)
def _(bg):
    def rate_of(output, rates):
        for node in bg.autograd.topological_order(output):
            if node._op is None:
                node.grad = rates.get(node, np.zeros(node.shape))
            else:
                known = [np.zeros(x.shape) if x.grad is None else x.grad for x in node._inputs]
                node.grad = bg.forward_mode.moved(node, known)
        return output.grad

    rate_is(bg, rate_of)


@wrong(
    rates,
    "gradients forgotten on the way",
    ".grad of the nodes was set to None on the way, so the gradients that were there are lost. The graph should stay "
    "as it is.",
)
def _(bg):
    def rate_of(output, rates):
        for node in bg.autograd.topological_order(output):
            node.grad = None
        return walked(bg, output, rates)

    rate_is(bg, rate_of)


@wrong(
    rates,
    "every input must be in rates",
    "A leaf that is not in rates stands still, and so does a constant. Look up a rate only if it is there, and take "
    "zeros of the leaf's shape if not.",
)
def _(bg):
    def still(x):
        raise KeyError("a leaf")

    rate_is(bg, lambda output, rates: walked(bg, output, rates, still=still))


@wrong(
    rates,
    "a leaf as the output has no entry",
    "The output itself is a leaf here, and not in rates, so nothing was noted for it. It stands still: zeros of its "
    "shape.",
)
def _(bg):
    def rate(output, rates):
        found = walked(bg, output, rates)
        if output._op is None and output not in rates:
            raise KeyError(output)
        return found

    rate_is(bg, rate)


@wrong(
    rates,
    "only what is in the order has a rate",
    "A rate was filled in for each leaf in the order, and then an input came that is not in it. "
    "topological_order visits only what requires grad: it contains no constants. A constant stands still too: "
    "wherever a rate is not known, take zeros of the input's shape.",
)
def _(bg):
    def rate_of(output, rates):
        known = {}
        for node in bg.autograd.topological_order(output):
            if node._op is None:
                known[node] = rates.get(node, np.zeros(node.shape))
            else:
                known[node] = bg.forward_mode.moved(node, [known[x] for x in node._inputs])
        return known[output]

    rate_is(bg, rate_of)


@wrong(
    rates,
    "leaves asked for a rule",
    "The order contains the leaves too. No operation made a leaf: its _op is None, and it has no rule. Either its "
    "rate is given, or it stands still.",
)
def _(bg):
    def rate_of(output, rates):
        known = dict(rates)
        for node in bg.autograd.topological_order(output):
            known[node] = bg.forward_mode.moved(node, [known.get(x, 0 * x.data) for x in node._inputs])
        return known[output]

    rate_is(bg, rate_of)


@wrong(
    rates,
    "a plain 0 for what stands still",
    "A plain 0 is not the rate of an array: a rate has the shape of its leaf. * accepts a 0 all the same, @ does not. "
    "Take zeros of the leaf's shape.",
)
def _(bg):
    rate_is(bg, lambda output, rates: walked(bg, output, rates, still=lambda x: 0))


@wrong(
    rates,
    "rates itself filled in",
    "The rates of results were written into the caller's dict. Whoever asks again with the same dict gets the old "
    "rates of inner nodes. Begin with a copy.",
)
def _(bg):
    def rate_of(output, rates):
        for node in bg.autograd.topological_order(output):
            if node._op is not None:
                rates[node] = bg.forward_mode.moved(node, [rates.get(x, np.zeros(x.shape)) for x in node._inputs])
        return rates.get(output, np.zeros(output.shape))

    rate_is(bg, rate_of)


@wrong(
    rates,
    "the gradient in place of the rate",
    "This is a backward pass: the gradient of each leaf, multiplied by the leaf's rate, all added up to one number. "
    "But if the output has many numbers, each of them has a rate of its own. Go through the order forwards, and carry "
    "rates.",
)
def _(bg):
    def rate_of(output, rates):
        found = bg.grad(output, list(rates)) if rates else ()
        return np.array(sum((gradient.data * rate).sum() for gradient, rate in zip(found, rates.values())))

    rate_is(bg, rate_of)


@wrong(
    rates,
    "every way by itself",
    "The rates are right, but each input is computed again for every use of it: with 30 doublings that makes a "
    "billion visits. In the topological order every node comes once, after its inputs, and its rate is kept.",
)
def _(bg):
    def rate_of(output, rates, left=None):
        left = [100_000] if left is None else left
        left[0] -= 1
        if left[0] < 0:
            raise TimeoutError("it takes for ever")
        if output._op is None:
            return rates.get(output, np.zeros(output.shape))
        return bg.forward_mode.moved(output, [rate_of(x, rates, left) for x in output._inputs])

    rate_is(bg, rate_of)


@wrong(
    rates,
    "nothing for a leaf",
    "An output may itself be a leaf: no operation made it, and its rate is the one that was given.",
)
def _(bg):
    def rate_of(output, rates):
        return walked(bg, output, rates) if output._op is not None else np.zeros(output.shape)

    rate_is(bg, rate_of)


@wrong(
    rates,
    "all rates returned",
    "These are the rates of all nodes. Only that of output is wanted.",
)
def _(bg):
    rate_is(bg, lambda output, rates: list({**rates, output: walked(bg, output, rates)}.values()))


# 13.4: the twelve engines.


def hunt_is(bg, function):
    bg.hunts.expressions_for_twelve_engines = function


@wrong(
    hunt,
    "the example",
    "That is the docstring's example, about which every engine is right. Change one thing about it: an operation with "
    "two inputs, an input that is used twice, a zero, a stretched shape.",
)
def the_example(bg):
    hunt_is(bg, lambda x, row, col, w, batch: [x.exp()])


@wrong(
    hunt,
    "no list",
    "Return a list, even of a single expression: put square brackets around it.",
)
def no_list(bg):
    hunt_is(bg, lambda x, row, col, w, batch: x.exp())


@wrong(
    hunt,
    "one test for each operation",
    "One expression for each operation is how most engines are tested. It finds wrong rules, but no wrong backward "
    "pass: for that an intermediate result must be used twice, or see backward twice.",
)
def one_operation_each(bg):
    hunt_is(
        bg,
        lambda x, row, col, w, batch: [5 - x, x / col, x.tanh(), x.relu(), x.sum(0), batch @ w, x.max()],
    )


@wrong(
    hunt,
    "a + a only",
    "x + x and x * x give away the engine that does not accumulate, and no other. The other three go wrong only "
    "where an intermediate result is used twice, not a leaf.",
)
def leaves_twice(bg):
    hunt_is(bg, lambda x, row, col, w, batch: [x + x, x * x])


@wrong(
    hunt,
    "the two owners have different shapes",
    "(x + row) + x is a good idea for engine 10. But row's gradient is summed to its shape, and that makes a new "
    "array, which x does not share. What has the shape of x itself, and can take the place of row?",
)
def a_row_is_no_owner(bg):
    hunt_is(bg, lambda x, row, col, w, batch: [(x + row) + x])

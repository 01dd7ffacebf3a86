"""Wrong ideas about notebook 09, each as a patch for a private copy of the reference."""

from contextlib import contextmanager

import numpy as np

from grader.course.exercise import wrong

from .exercises import again, hunt, ledger, second, switch, visits, walk


def wanted(node):
    """The inputs that require grad, one for each use."""
    return [x for x in node._inputs if x.requires_grad]


# 9.1: which inputs are visited.


def visits_are(bg, function):
    bg.autograd.inputs_to_visit = function


@wrong(
    visits,
    "constants visited too",
    "Nobody wants the gradient of a constant, so the backward pass need not go there. How can you tell a constant from "
    "an input whose gradient is wanted?",
)
def _(bg):
    visits_are(bg, lambda node: list(node._inputs))


@wrong(
    visits,
    "a constant stops its neighbours",
    "Here a single constant among a node's inputs ends the backward pass there: it goes on only if all inputs require "
    "grad. Ask about each input separately: leave out the constant, and visit the one beside it.",
)
def _(bg):
    visits_are(bg, lambda node: [*node._inputs] if len(wanted(node)) == len(node._inputs) else [])


@wrong(
    visits,
    "the wrong way round",
    "This is the wrong way round: the constants are visited, and the inputs that require grad are left out.",
)
def _(bg):
    visits_are(bg, lambda node: [x for x in node._inputs if not x.requires_grad])


@wrong(
    visits,
    "leaves left out",
    "Leaves are missing. They pass nothing on, but their gradients are what the whole backward pass is for. What "
    "counts is not whether an operation made the input, but whether anybody wants its gradient.",
)
def _(bg):
    visits_are(bg, lambda node: [x for x in wanted(node) if x._op is not None])


@wrong(
    visits,
    "the first one only",
    "At most one input came back. If two inputs both require grad, both are visited. (A return inside a loop ends the "
    "function at the first one.)",
)
def _(bg):
    visits_are(bg, lambda node: wanted(node)[:1])


@wrong(
    visits,
    "numbers that are equal taken for one",
    "Two inputs may hold the same numbers and still be two nodes: here the second one is skipped. Compare the nodes "
    "themselves, not their data.",
)
def _(bg):
    visits_are(bg, lambda node: list({x.data.tobytes(): x for x in reversed(wanted(node))}.values()))


@wrong(
    visits,
    "_prev, as in notebook 03",
    "A Value keeps what it was made from in _prev. A Tensor keeps it in _inputs.",
)
def _(bg):
    visits_are(bg, lambda node: [x for x in node._prev if x.requires_grad])


@wrong(
    visits,
    "nothing returned",
    "The function returns nothing. Return the list.",
)
def _(bg):
    visits_are(bg, lambda node: None)


# 9.2: the ledger.


def in_order_of_meeting(root, turned=reversed):
    """Each node once, when it is first met: the root, its first input, the first input of that, ..."""
    nodes, seen, stack = [], set(), [root]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            nodes.append(node)
            stack.extend(turned(wanted(node)))
    return nodes


def enter(found, x, share):
    """What is right when a share of x comes in."""
    found[x] = found[x] + share if x in found else share


def pairs(bg, node, gradient):
    """What is right as the shares that a node gives."""
    for x, share in bg.autograd.shares_of(node, gradient):
        if share is not None and x.requires_grad:
            yield x, share


def ledger_is(bg, function):
    function.__qualname__ = "gradients"
    bg.autograd.gradients = bg.tensor.gradients = bg.autograd.announced(function)


def patch_ledger(
    bg,
    enter=enter,
    pairs=pairs,
    order=None,
    gradient_of=lambda found, node, out_grad: found[node],
    says_something=lambda node, found: node in found,
):
    """The right backward pass, but for one of its parts."""
    order = order or (lambda root: reversed(bg.autograd.topological_order(root)))

    def gradients(root, out_grad):
        found = {root: out_grad}
        for node in order(root):
            if node._op is not None and says_something(node, found):
                for x, share in pairs(bg, node, gradient_of(found, node, out_grad)):
                    enter(found, x, share)
        return found

    ledger_is(bg, gradients)


@wrong(
    ledger,
    "the last share wins",
    "A share overwrites what was there, so an earlier share is lost. If the input has a line in the "
    "ledger already, its shares must accumulate.",
    stuck="Right for a + b, wrong for a + a",
)
def _(bg):
    patch_ledger(bg, enter=lambda found, x, share: found.update({x: share}))


@wrong(
    ledger,
    "the first share wins",
    "The first share is kept and the others are dropped. An input that is in the ledger already is owed more: "
    "what should happen to a further share?",
    stuck="Right for a + b, wrong for a + a",
)
def _(bg):
    patch_ledger(bg, enter=lambda found, x, share: found.setdefault(x, share))


@wrong(
    ledger,
    "adds in place",
    "Your sums are right, but they are written into an array that others own too. The rule of + hands the same array "
    "to both of its inputs: when a gets a further share, the array changes for b and c as well. Which way of "
    "adding leaves the old array alone?",
)
def _(bg):
    def enter(found, x, share):
        if x in found:
            with np.errstate(over="ignore"):
                found[x].data += share.data
        else:
            found[x] = share

    patch_ledger(bg, enter=enter)


@wrong(
    ledger,
    "each different input once",
    "a * a has the same input twice, and each use sends its own share. In a dict keyed by input the second "
    "overwrites the first. Go through the pairs one by one.",
    stuck="Right for a + b, wrong for a + a",
)
def _(bg):
    patch_ledger(bg, pairs=lambda bg, node, gradient: dict(pairs(bg, node, gradient)).items())


@wrong(
    ledger,
    "begins with ones",
    "The ledger begins with ones here, whatever out_grad is. Somebody may want the gradient of 3 * L: then out_grad "
    "is 3, and the root's line must begin with that.",
)
def _(bg):
    right = bg.autograd.gradients
    ledger_is(bg, lambda root, out_grad: right(root, bg.Tensor(np.ones(root.shape), requires_grad=False)))


@wrong(
    ledger,
    "looked up without asking",
    "A rule may give None for an input, so a node may have no line in the ledger when its turn comes: it got nothing, "
    "and has nothing to pass on. How can you find out before you look up its line?",
)
def _(bg):
    patch_ledger(bg, says_something=lambda node, found: True)


@wrong(
    ledger,
    "zeros in advance",
    "A node that gets nothing has no line. With zeros for every node in advance it does have one, and its rule is "
    "asked in vain. The ledger begins with the root's line alone.",
)
def _(bg):
    def gradients(root, out_grad):
        nodes = bg.autograd.topological_order(root)
        found = {node: bg.autograd.zeros_like(node) for node in nodes} | {root: out_grad}
        for node in reversed(nodes):
            if node._op is not None:
                for x, share in pairs(bg, node, found[node]):
                    found[x] = found[x] + share
        return found

    ledger_is(bg, gradients)


def order_of_calls(node, nodes):
    """A right order, as a function that calls itself gives it: the first input first."""
    for x in wanted(node):
        if x not in nodes:
            order_of_calls(x, nodes)
    nodes.append(node)
    return nodes


def until_the_first_leaf(bg, order):
    def nodes(root):
        for node in reversed(order(root)):
            if node._op is None:
                return
            yield node

    patch_ledger(bg, order=nodes)


STOPS_AT_A_LEAF = (
    "Nodes that come after the first leaf have not passed anything on. A leaf has nothing to pass on, but what comes "
    "later is still waiting for its turn. What is done when a leaf is met?"
)


@wrong(ledger, "the first leaf ends it", STOPS_AT_A_LEAF)
def _(bg):
    until_the_first_leaf(bg, bg.autograd.topological_order)


@wrong(ledger, "the first leaf ends it, in the order of calls", STOPS_AT_A_LEAF)
def _(bg):
    until_the_first_leaf(bg, lambda root: order_of_calls(root, []))


@wrong(
    ledger,
    "hands out_grad to everybody",
    "Every node's rule is called with the same out_grad here. A node multiplies its local derivatives by its own "
    "gradient. Where is that written down?",
)
def _(bg):
    patch_ledger(bg, gradient_of=lambda found, node, out_grad: out_grad)


@wrong(
    ledger,
    "from the leaves to the root",
    "Only the root's rule was called. In which order do the nodes get their turn, and does each of them? "
    "topological_order puts the root last, and the backward pass begins with it.",
)
def _(bg):
    patch_ledger(
        bg,
        order=lambda root: bg.autograd.topological_order(root),
        pairs=lambda bg, node, gradient: () if gradient is None else pairs(bg, node, gradient),
        gradient_of=lambda found, node, out_grad: found.get(node),
    )


@wrong(
    ledger,
    "from the leaves to the root, and looked up",
    "The node that is asked has no line in the ledger yet. topological_order lists nodes in the order of the forward "
    "pass, root last. Where does the backward pass begin?",
)
def _(bg):
    def gradients(root, out_grad):
        nodes = [node for node in bg.autograd.topological_order(root) if node._op is not None]
        if nodes and nodes[0] is not root:
            raise KeyError(nodes[0])
        return {root: out_grad, **{x: share for node in nodes for x, share in pairs(bg, node, out_grad)}}

    ledger_is(bg, gradients)


@wrong(
    ledger,
    "passed on when first met",
    "Here a node's rule is called when the node is first reached. If it was used twice, the second share comes "
    "too late to be passed on. Let topological_order say whose turn it is: from the end of its list to the beginning.",
)
def _(bg):
    patch_ledger(bg, order=in_order_of_meeting)


@wrong(
    ledger,
    "each input goes on by itself",
    "Each share is passed on at once, along every path to the leaves. The numbers are right, but each y + y "
    "doubles the work. Let a node wait until all its shares have come, and call its rule once.",
    stuck="It is right but takes forever",
)
def _(bg):
    def gradients(root, out_grad):
        found = {}

        def visit(node, gradient):
            enter(found, node, gradient)
            if node._op is not None:
                for x, share in pairs(bg, node, gradient):
                    visit(x, share)

        visit(root, out_grad)
        return found

    ledger_is(bg, gradients)


HANDS_ON_AGAIN = (
    "Here a node's rule is called every time the node is reached. The second time its whole gradient is passed on, so "
    "what was passed on before is counted again. Each node's rule is called once, after those of all nodes that used "
    "it."
)


@wrong(ledger, "passes on again what it passed on before", HANDS_ON_AGAIN)
def _(bg):
    def gradients(root, out_grad):
        found = {root: out_grad}

        def visit(node):
            if node._op is not None:
                for x, share in pairs(bg, node, found[node]):
                    enter(found, x, share)
                    visit(x)

        visit(root)
        return found

    ledger_is(bg, gradients)


@wrong(ledger, "passes on again what it passed on before, when all shares are given", HANDS_ON_AGAIN)
def _(bg):
    def gradients(root, out_grad):
        found = {root: out_grad}

        def visit(node):
            if node._op is not None and node in found:
                for x, share in pairs(bg, node, found[node]):
                    enter(found, x, share)
                for x in wanted(node):
                    visit(x)

        visit(root)
        return found

    ledger_is(bg, gradients)


@wrong(ledger, "passes on again what it passed on before, from a list of its own", HANDS_ON_AGAIN)
def _(bg):
    def gradients(root, out_grad):
        found, waiting = {root: out_grad}, [root]
        while waiting:
            node = waiting.pop()
            if node._op is not None:
                for x, share in pairs(bg, node, found[node]):
                    enter(found, x, share)
                    waiting.append(x)
        return found

    ledger_is(bg, gradients)


@wrong(
    ledger,
    "_prev, as in notebook 03",
    "A Value keeps what it was made from in _prev. A Tensor keeps it in _inputs, and shares_of(node, gradient) gives "
    "each input with its share.",
)
def _(bg):
    patch_ledger(bg, pairs=lambda bg, node, gradient: zip(node._prev, node._op.shares(gradient, node)))


@wrong(
    ledger,
    "calls the rule for each input",
    "A rule gives the shares of all inputs at once. Here it is called more than once for a node. How often must "
    "shares_of(node, ...) be called for each?",
)
def _(bg):
    def one_by_one(bg, node, gradient):
        for place, x in enumerate(node._inputs):
            share = bg.autograd.shares_of(node, gradient)[place][1]
            if share is not None and x.requires_grad:
                yield x, share

    patch_ledger(bg, pairs=one_by_one)


@wrong(
    ledger,
    "constants in the ledger",
    "A rule gives a share for each input, even for a constant, whose gradient nobody wants. Which inputs get a "
    "line in the ledger?",
)
def _(bg):
    patch_ledger(
        bg, pairs=lambda bg, node, gradient: [p for p in bg.autograd.shares_of(node, gradient) if p[1] is not None]
    )


@wrong(
    ledger,
    "None written down",
    "A rule may give None for an input: no gradient goes there. None is not a share, so skip it. If the input "
    "gets nothing from anywhere else, it has no line in the ledger.",
)
def _(bg):
    patch_ledger(
        bg, pairs=lambda bg, node, gradient: [p for p in bg.autograd.shares_of(node, gradient) if p[0].requires_grad]
    )


@wrong(
    ledger,
    "asks whether a share is true",
    "`if share` asks whether its number is other than 0. For several numbers that has no answer, and a "
    "share of 0 would be thrown away. What you want to know is whether there is a share at all: "
    "share is not None.",
)
def _(bg):
    patch_ledger(
        bg,
        pairs=lambda bg, node, g: [
            (x, share) for x, share in bg.autograd.shares_of(node, g) if share and x.requires_grad
        ],
    )


A_LEAF_SAYS_NOTHING = (
    "No operation made a leaf: its _op is None, so there is no rule to ask. It keeps its line in the ledger, and the "
    "next node is due."
)


@wrong(ledger, "asks leaves for their shares", A_LEAF_SAYS_NOTHING)
def _(bg):
    def gradients(root, out_grad):
        found = {root: out_grad}
        for node in reversed(bg.autograd.topological_order(root)):
            if node in found:
                for x, share in pairs(bg, node, found[node]):
                    enter(found, x, share)
        return found

    ledger_is(bg, gradients)


@wrong(ledger, "asks leaves for a rule", A_LEAF_SAYS_NOTHING)
def _(bg):
    def gradients(root, out_grad):
        found = {root: out_grad}
        for node in reversed(bg.autograd.topological_order(root)):
            if node not in found:
                continue
            shares = node._op.backward(found[node], node)
            for x, share in zip(node._inputs, shares if type(shares) is tuple else (shares,)):
                if share is not None and x.requires_grad:
                    enter(found, x, share)
        return found

    ledger_is(bg, gradients)


@wrong(
    ledger,
    "takes every answer for a tuple",
    "Here the rule itself is called, with node._op.backward. For one input it gives one Tensor, not a tuple, and zip "
    "cannot loop over a Tensor; and what broadcasting stretched has not been summed yet. shares_of(node, gradient) "
    "takes care of both, and gives pairs.",
    same_as={"the rule alone, without shares_of": "both leave shares_of out, and only a stretched input shows it"},
)
def _(bg):
    def zipped(bg, node, gradient):
        answer = node._op.backward(gradient, node)
        if not isinstance(answer, tuple):  # a loop over a Tensor, which only notebook 10 makes possible
            raise NotImplementedError("exercise 10.8: Gather.forward")
        for x, share in zip(node._inputs, answer):
            if share is not None and x.requires_grad:
                yield x, share

    patch_ledger(bg, pairs=zipped)


@wrong(
    ledger,
    "the rule alone, without shares_of",
    "A rule of 06 works number by number, and does not sum what broadcasting stretched. node._op.backward calls the "
    "rule alone. shares_of(node, gradient) also does the summing, so each share has its input's shape.",
)
def _(bg):
    def from_the_rule(bg, node, gradient):
        answer = node._op.backward(gradient, node)
        for x, share in zip(node._inputs, answer if isinstance(answer, tuple) else (answer,)):
            if share is not None and x.requires_grad:
                yield x, share

    patch_ledger(bg, pairs=from_the_rule)


@wrong(
    ledger,
    "each line begins with zeros",
    "The numbers are right, but float32 has become float64: zeros that NumPy makes are float64. A line needs no zeros "
    "to begin with: the first share is written down as it is.",
)
def _(bg):
    patch_ledger(bg, enter=lambda f, x, share: f.update({x: (f[x] if x in f else np.zeros(x.shape)) + share}))


@wrong(
    ledger,
    "further shares detached",
    "The numbers are right, but a further share was cut off from its history before it was added: detach(), or "
    "a new Tensor of its .data, does that. Part of the second derivatives is lost. Add the share itself.",
)
def _(bg):
    patch_ledger(bg, enter=lambda f, x, share: f.update({x: f[x] + share.detach() if x in f else share}))


@wrong(
    ledger,
    "out_grad cut off",
    "The numbers are right, but out_grad was cut off from its history: detach(), or a new Tensor of its .data, does "
    "that. out_grad may have been computed, and somebody may want to differentiate with respect to it. The root's "
    "line is out_grad as it came.",
)
def _(bg):
    right = bg.autograd.gradients
    ledger_is(bg, lambda root, out_grad: right(root, out_grad.detach()))


@wrong(
    ledger,
    "adds with NumPy",
    "The numbers are right, but the sum of two shares was not recorded, as if NumPy had added them. So the "
    "gradient cannot be differentiated again: second derivatives would be 0. Add the Tensors themselves.",
)
def _(bg):
    patch_ledger(bg, enter=lambda f, x, share: f.update({x: bg.Tensor(f[x].data + share.data) if x in f else share}))


@wrong(
    ledger,
    "the first share detached",
    "The numbers are right, but the first share on a line was cut off from its history: detach(), or a new "
    "Tensor of its .data, does that. That part of the second derivatives is lost. Write down the share itself: "
    "nobody changes it.",
)
def _(bg):
    patch_ledger(bg, enter=lambda f, x, share: f.update({x: f[x] + share if x in f else share.detach()}))


@wrong(
    ledger,
    "never recorded",
    "The numbers are right, but the backward pass is not recorded. Whether it should be is for backward and grad to "
    "decide, not for the ledger: somebody may want second derivatives. No no_grad() and no .detach() here.",
)
def _(bg):
    right = bg.autograd.gradients

    def gradients(root, out_grad):
        before, bg.autograd.Recording.on = bg.autograd.Recording.on, False
        try:
            return right(root, out_grad)
        finally:
            bg.autograd.Recording.on = before

    ledger_is(bg, gradients)


@wrong(
    ledger,
    "arrays in the ledger",
    "The ledger holds arrays, but Tensors were asked for. Rules take and return Tensors, so that gradients can be "
    "differentiated again. Keep the Tensor itself, not its .data.",
)
def _(bg):
    right = bg.autograd.gradients
    ledger_is(bg, lambda root, out_grad: {node: gradient.data for node, gradient in right(root, out_grad).items()})


@wrong(
    ledger,
    "ids as keys",
    "The keys are numbers, from id(node), but nodes were asked for. A Tensor itself can be a key: a dict asks whether "
    "it is the same node, not whether it holds the same numbers.",
)
def _(bg):
    right = bg.autograd.gradients
    ledger_is(bg, lambda root, out_grad: {id(node): gradient for node, gradient in right(root, out_grad).items()})


@wrong(
    ledger,
    "leaves only",
    "The inner nodes are missing. Their gradients are wanted too: drawings show them, and grad may be asked for one. "
    "Keep a node's line after it has spoken.",
)
def _(bg):
    right = bg.autograd.gradients
    ledger_is(bg, lambda root, out_grad: {n: g for n, g in right(root, out_grad).items() if not n._inputs})


@wrong(
    ledger,
    "the root left out",
    "The root's own line is missing. It is there from the beginning, and it stays: the root is a node like all the "
    "others.",
)
def _(bg):
    right = bg.autograd.gradients
    ledger_is(bg, lambda root, out_grad: {n: g for n, g in right(root, out_grad).items() if n is not root})


@wrong(
    ledger,
    "writes into .grad",
    "The ledger is a dict of its own, but here .grad was changed. What it holds from an earlier backward pass must not "
    "be touched, since grad (9.5) uses the same ledger and leaves .grad alone. Writing .grad is the job of "
    "Tensor.backward (9.4).",
)
def _(bg):
    right = bg.autograd.gradients

    def gradients(root, out_grad):
        found = right(root, out_grad)
        for node, gradient in found.items():
            node.grad = gradient.data if node.grad is None else node.grad + gradient.data
        return found

    ledger_is(bg, gradients)


@wrong(
    ledger,
    "begins with what .grad holds",
    "What an earlier backward pass left in .grad is added to what this backward pass finds. The ledger begins with "
    "nothing but the root's line: each backward pass stands alone.",
    stuck="Gradients grow with each step",
)
def _(bg):
    right = bg.autograd.gradients

    def gradients(root, out_grad):
        found = right(root, out_grad)
        return {n: g if n.grad is None else g + bg.Tensor(n.grad) for n, g in found.items()}

    ledger_is(bg, gradients)


@wrong(
    ledger,
    "no return",
    "The ledger was filled in and then forgotten: the function returns nothing. Return it after the loop.",
)
def _(bg):
    right = bg.autograd.gradients
    ledger_is(bg, lambda root, out_grad: right(root, out_grad) and None)


# 9.3: the switch.


def switch_is(bg, function):
    """function: a generator function, to be used in a with line."""
    bg.autograd.no_grad = bg.tensor.no_grad = contextmanager(function)


@wrong(
    switch,
    "never switched on again",
    "After the block, nothing is recorded any more. What comes after yield runs when the block is over: that is where "
    "Recording.on gets its old value back.",
    same_as={"kept too late": "after a block both leave recording off, whatever it was before"},
)
def _(bg):
    def no_grad():
        bg.autograd.Recording.on = False
        yield

    switch_is(bg, no_grad)


@wrong(
    switch,
    "kept too late",
    "The old value is kept too late: recording is off already by then, so False is what is put back. Keep it first, "
    "then switch recording off.",
)
def _(bg):
    def no_grad():
        bg.autograd.Recording.on = False
        before = bg.autograd.Recording.on
        try:
            yield
        finally:
            bg.autograd.Recording.on = before

    switch_is(bg, no_grad)


@wrong(
    switch,
    "always switched on at the end",
    "Right, as long as no block is inside another. The inner one switches recording on when it ends, in the middle of "
    "the outer one. What would it have to remember?",
)
def _(bg):
    def no_grad():
        bg.autograd.Recording.on = False
        try:
            yield
        finally:
            bg.autograd.Recording.on = True

    switch_is(bg, no_grad)


@wrong(
    switch,
    "the wrong way round",
    "The switch is flipped here, whatever it was, so a block inside another turns recording on again. Inside a block "
    "it is off in any case.",
)
def _(bg):
    def no_grad():
        bg.autograd.Recording.on = not bg.autograd.Recording.on
        try:
            yield
        finally:
            bg.autograd.Recording.on = not bg.autograd.Recording.on

    switch_is(bg, no_grad)


@wrong(
    switch,
    "forgotten after an exception",
    "When an exception leaves the block, the lines after yield are not reached, and recording stays off for good. "
    "Which word of Python is for what must happen in any case?",
)
def _(bg):
    def no_grad():
        before, bg.autograd.Recording.on = bg.autograd.Recording.on, False
        yield
        bg.autograd.Recording.on = before

    switch_is(bg, no_grad)


@wrong(
    switch,
    "except Exception in place of finally",
    "After an error the switch is put back, but not after Ctrl-C (the stop button of a notebook): KeyboardInterrupt "
    "is not a subclass of Exception. Recording stays off for good, and nothing learns any more. finally is reached in "
    "any case.",
)
def _(bg):
    def no_grad():
        before, bg.autograd.Recording.on = bg.autograd.Recording.on, False
        try:
            yield
        except Exception:
            bg.autograd.Recording.on = before
            raise
        bg.autograd.Recording.on = before

    switch_is(bg, no_grad)


@wrong(
    switch,
    "swallows the exception",
    "The exception does not get out of the block, and nobody hears of it. except stops an exception, and so does a "
    "return inside finally. finally with nothing but the switch in it lets the exception pass.",
)
def _(bg):
    def no_grad():
        before, bg.autograd.Recording.on = bg.autograd.Recording.on, False
        try:
            yield
        except Exception:
            pass
        finally:
            bg.autograd.Recording.on = before

    switch_is(bg, no_grad)


@wrong(
    switch,
    "a switch of its own",
    "Operations are still recorded inside the block. What stands before yield happens before the block, and what "
    "stands after it happens when the block is over. The switch that operations look at is Recording.on; a name of "
    "the function's own, such as on, switches nothing.",
)
def _(bg):
    def no_grad():
        yield

    switch_is(bg, no_grad)


@wrong(
    switch,
    "yield left out",
    "There is no yield in it. yield is the place where the block runs: what comes before it happens before the block, "
    "and what comes after it happens afterwards.",
)
def _(bg):
    def no_grad():
        before, bg.autograd.Recording.on = bg.autograd.Recording.on, False
        bg.autograd.Recording.on = before

    switch_is(bg, no_grad)


@wrong(
    switch,
    "return in place of yield",
    "return ends the function before the block has run. yield is the place where the block runs: what comes before it "
    "happens before the block, and what comes after it happens afterwards.",
)
def _(bg):
    def no_grad():
        before, bg.autograd.Recording.on = bg.autograd.Recording.on, False
        return before

    switch_is(bg, no_grad)


# 9.4: into .grad.


def kept(bg, node, gradient):
    """What is right as the node's new .grad."""
    array = gradient.data.astype(node.data.dtype)
    return array if node._inputs or node.grad is None else np.asarray(node.grad + array)


def find(bg, root, grad):
    """The ledger of a backward pass, not recorded."""
    with bg.tensor.no_grad():
        return bg.tensor.gradients(root, root.initial_gradient(grad))


def walk_with(bg, kept=kept, find=find, counts=lambda root, node: True):
    """backward with another part: what is kept, how the ledger is found, or which nodes count."""

    def backward(self, grad=None):
        if not self.requires_grad:
            raise RuntimeError("backward was called on a Tensor that requires no grad")
        for node, gradient in find(bg, self, grad).items():
            if counts(self, node):
                node.grad = kept(bg, node, gradient)

    return backward


def patch_walk(bg, kept=kept, find=find, counts=lambda root, node: True):
    bg.Tensor.backward = walk_with(bg, kept, find, counts)


@wrong(
    walk,
    "one array for several nodes",
    "The numbers are right, but several nodes have one and the same array as .grad: the rule of + hands one array to "
    "both its inputs. Whoever changes a.grad in place changes the others too. Give each node a copy. (np.asarray "
    "makes none.)",
)
def _(bg):
    def shared(bg, node, gradient):
        return gradient.data if node._inputs or node.grad is None else np.asarray(node.grad + gradient.data)

    patch_walk(bg, shared)


@wrong(
    walk,
    "one array for several nodes, added to in place",
    "Two leaves hold one and the same array, because the rule of + gave it to both. The += of the second backward pass "
    "then adds to both at once. How does each node get an array of its own?",
)
def _(bg):
    def shared(bg, node, gradient):
        if node._inputs or node.grad is None:
            return gradient.data
        node.grad += gradient.data
        return node.grad

    patch_walk(bg, shared)


@wrong(
    walk,
    "no_grad without brackets",
    "no_grad is the function; `with` needs what it returns when it is called. Add parentheses: with no_grad():",
)
def _(bg):
    def without_brackets(bg, root, grad):
        with bg.tensor.no_grad:
            return bg.tensor.gradients(root, root.initial_gradient(grad))

    patch_walk(bg, find=without_brackets)


@wrong(
    walk,
    "pairs of a dict without .items()",
    "A loop over a dict gives only its keys, here the nodes, and a node is not a pair. ledger.items() gives the pairs "
    "(node, gradient).",
)
def _(bg):
    def backward(self, grad=None):
        for pair in find(bg, self, grad):
            if pair.ndim:  # a Tensor taken apart: only notebook 10 makes that possible
                raise NotImplementedError("exercise 10.8: Gather.forward")
            node, gradient = pair
            node.grad = gradient

    bg.Tensor.backward = backward


@wrong(
    walk,
    "copied only where it was given out before",
    "An array may be a view of another one. What BroadcastTo makes is such a view: all its numbers are one number, "
    "and NumPy lets nobody write there. So it is not enough to ask whether the array was handed out before.",
)
def _(bg):
    def backward(self, grad=None):
        given_out = set()

        def copied(bg, node, gradient):
            array = gradient.data
            if id(array) in given_out or array.dtype != node.data.dtype:
                array = array.astype(node.data.dtype)
            given_out.add(id(array))
            return array if node._inputs or node.grad is None else np.asarray(node.grad + array)

        walk_with(bg, copied)(self, grad)

    bg.Tensor.backward = backward


@wrong(
    walk,
    "a second backward pass replaces the first",
    "Leaves accumulate what several backward passes find, until somebody calls zero_grad(). Here the second backward "
    "pass wiped out the first. Which nodes keep what they have, and which start afresh?",
)
def _(bg):
    patch_walk(bg, lambda bg, node, gradient: gradient.data.astype(node.data.dtype))


@wrong(
    walk,
    "inner nodes add up too",
    "An inner node's .grad belongs to one backward pass and starts afresh each time. Only a leaf (its _op is None) "
    "adds to what it has.",
    stuck="Gradients grow with each step",
)
def _(bg):
    def added(bg, node, gradient):
        array = gradient.data.astype(node.data.dtype)
        return array if node.grad is None else np.asarray(node.grad + array)

    patch_walk(bg, added)


@wrong(
    walk,
    ".grad in place of the ledger",
    "The shares were added to .grad on the way back, as in 03, without a new ledger: what an earlier backward "
    "pass left in an inner node is passed on once more. `gradients` keeps the ledger of this backward pass; .grad is "
    "written at the end.",
    stuck="Gradients grow with each step",
)
def _(bg):
    def backward(self, grad=None):
        if not self.requires_grad:
            raise RuntimeError("backward was called on a Tensor that requires no grad")
        self.grad = np.array(self.initial_gradient(grad).data)
        with bg.tensor.no_grad():
            for node in reversed(bg.autograd.topological_order(self)):
                for x, share in bg.autograd.shares_of(node, bg.tensor.result(node.grad)) if node._inputs else ():
                    if share is not None and x.requires_grad:
                        x.grad = np.array(share.data, x.dtype) if x.grad is None else np.asarray(x.grad + share.data)

    bg.Tensor.backward = backward


@wrong(
    walk,
    "adds to None",
    "A leaf that no backward pass has reached yet has None in .grad, and nothing can be added to None. The first "
    "backward pass puts an array there; a later one adds to it.",
)
def _(bg):
    def added(bg, node, gradient):
        array = gradient.data.astype(node.data.dtype)
        return array if node._inputs else node.grad + array

    patch_walk(bg, added)


@wrong(
    walk,
    "asks whether .grad is true",
    "An array of several numbers is neither true nor false. What you want to know is whether there is a .grad already: "
    "`node.grad is None` asks for the one thing that is None, and == would compare number by number.",
)
def _(bg):
    def added(bg, node, gradient):
        array = gradient.data.astype(node.data.dtype)
        return np.asarray(node.grad + array) if not node._inputs and node.grad else array

    patch_walk(bg, added)


@wrong(
    walk,
    "leaves start afresh, inner nodes add up",
    "This is the wrong way round. A leaf (its _op is None) adds to what it has; inner nodes start afresh.",
    stuck="Gradients grow with each step",
)
def _(bg):
    def turned(bg, node, gradient):
        array = gradient.data.astype(node.data.dtype)
        return array if not node._inputs or node.grad is None else np.asarray(node.grad + array)

    patch_walk(bg, turned)


@wrong(
    walk,
    "a second backward pass begins where the first ended",
    "The second backward pass starts with what the first left in the root, and passes that on again: with a derivative "
    "of 3 you get 9 where 6 is right. Each backward pass begins with a new ledger and with "
    "self.initial_gradient(grad).",
    stuck="Gradients grow with each step",
)
def _(bg):
    def stale(bg, root, grad):
        earlier = root.grad if root._inputs else None
        out_grad = root.initial_gradient(grad)
        with bg.tensor.no_grad():
            return bg.tensor.gradients(root, out_grad if earlier is None else out_grad + bg.Tensor(earlier))

    patch_walk(bg, find=stale)


@wrong(
    walk,
    "recorded",
    "The backward pass is recorded here: each of its products becomes a node that nobody will ever ask for, and all of "
    "them stay in memory. Where have you just built a switch against that?",
)
def _(bg):
    patch_walk(bg, find=lambda bg, root, grad: bg.tensor.gradients(root, root.initial_gradient(grad)))


@wrong(
    walk,
    "the initial gradient left out",
    "The backward pass always begins with ones here, but backward takes a gradient for the root. "
    "self.initial_gradient(grad) makes a Tensor of it, and ones if it is None.",
)
def _(bg):
    patch_walk(bg, find=lambda bg, root, grad: find(bg, root, None))


@wrong(
    walk,
    "the initial gradient as it came",
    "grad may be None, a list, or an array of the wrong shape, but the ledger needs a Tensor of the root's shape. "
    "self.initial_gradient(grad) makes one, or says what is wrong.",
)
def _(bg):
    def raw(bg, root, grad):
        with bg.tensor.no_grad():
            return bg.tensor.gradients(root, grad)

    patch_walk(bg, find=raw)


@wrong(
    walk,
    "the caller's array itself",
    "The root's .grad is the very array that the caller passed in. If they change it later, .grad changes, and vice "
    "versa. self.initial_gradient(grad) makes a copy of it, and every node needs a copy of its own.",
)
def _(bg):
    right = bg.Tensor.backward

    def backward(self, grad=None):
        right(self, grad)
        if isinstance(grad, np.ndarray) and self._inputs:
            self.grad = grad

    bg.Tensor.backward = backward


@wrong(
    walk,
    "a Tensor in .grad",
    "The ledger holds Tensors, and .grad is an ndarray: the numbers alone, without a history. Keep a copy of "
    "gradient.data.",
)
def _(bg):
    def tensor(bg, node, gradient):
        old = node.grad.data if isinstance(node.grad, bg.Tensor) else node.grad
        array = gradient.data.astype(node.data.dtype)
        return bg.Tensor(array if node._inputs or old is None else old + array)

    patch_walk(bg, tensor)


@wrong(
    walk,
    "leaves only",
    "The inner nodes have no .grad. PyTorch leaves it out too, to save memory. Here drawings show it: each node in "
    "the ledger gets one.",
)
def _(bg):
    patch_walk(bg, counts=lambda root, node: not node._inputs)


@wrong(
    walk,
    "the root left out",
    "The root has no .grad. It is a node in the ledger like the others: its gradient is the initial one.",
)
def _(bg):
    patch_walk(bg, counts=lambda root, node: node is not root)


@wrong(
    walk,
    "zeros for constants",
    "A constant got a .grad. Nobody wants to know it, and None says so. Only nodes in the ledger get one.",
)
def _(bg):
    right = bg.Tensor.backward

    def backward(self, grad=None):
        right(self, grad)
        for node in bg.autograd.topological_order(self):
            for x in node._inputs:
                if not x.requires_grad:
                    x.grad = np.zeros_like(x.data)

    bg.Tensor.backward = backward


@wrong(
    walk,
    "always float64",
    "A float32 Tensor got a float64 gradient: twice the memory, and everything computed with it will be float64 too. "
    "A gradient has its node's own dtype.",
)
def _(bg):
    def wide(bg, node, gradient):
        array = gradient.data.astype(np.float64)
        return array if node._inputs or node.grad is None else np.asarray(node.grad + array)

    patch_walk(bg, wide)


@wrong(
    walk,
    "whatever dtype comes",
    "Where float32 meets float64 the result is float64, and so is the share that comes back. A node's .grad has "
    "the node's own dtype, whatever comes.",
)
def _(bg):
    def as_it_comes(bg, node, gradient):
        array = gradient.data.copy()
        return array if node._inputs or node.grad is None else np.asarray(node.grad + array)

    patch_walk(bg, as_it_comes)


def further(add):
    """The first gradient of a leaf right, and add(what it has, what comes, the same in the leaf's dtype) for others."""

    def kept(bg, node, gradient):
        array = gradient.data.astype(node.data.dtype)
        return array if node._inputs or node.grad is None else add(node.grad, gradient.data, array)

    return kept


@wrong(
    walk,
    "a further gradient in whatever dtype comes",
    "The first gradient of a float32 leaf is float32, as it should be. A further one arrives as float64, from an "
    "operation with a float64 number, and is added as it is: the sum is float64. Convert every gradient to the node's "
    "dtype, not only the first.",
)
def _(bg):
    patch_walk(bg, further(lambda had, came, array: np.asarray(had + came)))


@wrong(
    walk,
    "a sum that is no array any more",
    "In NumPy the sum of two arrays of shape () is not an array but a NumPy number, and nobody can change that in "
    "place. .grad must be an ndarray: np.asarray makes one.",
)
def _(bg):
    patch_walk(bg, further(lambda had, came, array: had + array))


@wrong(
    walk,
    "a further gradient just added",
    "The first gradient of a leaf is right, but a further one is added as it came. Two things go wrong: it can bring "
    "float64 to a float32 leaf; and in NumPy the sum of two arrays of shape () is a NumPy number, while .grad must be "
    "an ndarray (np.asarray makes one).",
)
def _(bg):
    patch_walk(bg, further(lambda had, came, array: had + came))


@wrong(
    walk,
    "backward of the inputs",
    "Each input's backward is called with its share, so an input goes on once for each share, and so "
    "does everything behind it. That is right on a tree, but each y + y doubles the work. One pass with the ledger is "
    "enough.",
    stuck="It is right but takes forever",
    same_as={"backward of the inputs, recorded": "both go on for each share; what is recorded is asked later"},
)
def _(bg):
    def backward(self, grad=None):
        if not self.requires_grad:
            raise RuntimeError("backward was called on a Tensor that requires no grad")
        with bg.tensor.no_grad():
            out_grad = self.initial_gradient(grad)
            self.grad = out_grad.data if self.grad is None else np.asarray(self.grad + out_grad.data)
            if self._op is not None:
                for x, share in bg.autograd.shares_of(self, out_grad):
                    if share is not None and x.requires_grad:
                        x.backward(share)

    bg.Tensor.backward = backward


def backward_of_the_inputs(bg, handed_on):
    """The backward of many tutorials, recorded.  handed_on(node, what came): what the rule is asked with."""

    def backward(self, grad=None):
        if not self.requires_grad:
            raise RuntimeError("backward was called on a Tensor that requires no grad")
        came = self.initial_gradient(grad)
        self.grad = came.data if self.grad is None else np.asarray(self.grad + came.data)
        if self._op is not None:
            for x, share in bg.autograd.shares_of(self, handed_on(self, came)):
                if share is not None and x.requires_grad:
                    x.backward(share)

    bg.Tensor.backward = backward


@wrong(
    walk,
    "backward of the inputs, recorded",
    "Each input's backward is called with its share, so an input goes on once for each share; and each "
    "of these passes is recorded, since no_grad() is missing too.",
    stuck="It is right but takes forever",
)
def _(bg):
    backward_of_the_inputs(bg, lambda node, came: came)


@wrong(
    walk,
    "backward of the inputs, with all they hold",
    "Each input's backward is called when a share arrives, and passes on its whole .grad: what it passed on "
    "before is counted again. Each node's rule is called once, after those of all nodes that used it: the ledger of "
    "9.2 takes care of that.",
    stuck="Gradients grow with each step",
)
def _(bg):
    backward_of_the_inputs(bg, lambda node, came: node.initial_gradient(node.grad))


@wrong(
    walk,
    "the ledger returned",
    "The gradients are all in place, but backward returns the ledger. It should return nothing: its results are in "
    "the .grad of the nodes. grad (9.5) is the one that returns gradients.",
)
def _(bg):
    right = bg.Tensor.backward

    def backward(self, grad=None):
        right(self, grad)
        return find(bg, self, grad)

    bg.Tensor.backward = backward


@wrong(
    walk,
    "found but not kept",
    "The ledger was made, but nothing was done with it: no node has a .grad. Where does each of its lines belong?",
    stuck="All gradients are 0",
)
def _(bg):
    patch_walk(bg, counts=lambda root, node: False)


@wrong(
    walk,
    "kept in the root",
    "self.grad is the root's .grad, whichever node's turn it is. What is that node called?",
    stuck="All gradients are 0",
)
def _(bg):
    def backward(self, grad=None):
        found = find(bg, self, grad)
        for gradient in found.values():
            self.grad = gradient.data.astype(self.data.dtype)

    bg.Tensor.backward = backward


# 9.5: grad.


def asked_for(bg, output, inputs):
    """The lines of grad that are given."""
    wanted = (inputs,) if not isinstance(inputs, (list, tuple)) else tuple(inputs)
    bg.autograd.refuse_what_has_no_gradient(output, wanted)
    return wanted


def patch_grad(bg, walked=None, picked=None, given=None):
    """grad with another part: how the ledger is found, what is picked out of it, how it is given."""

    def right_walk(output, grad_output, create_graph):
        out_grad = output.initial_gradient(grad_output)
        if create_graph:
            return bg.autograd.gradients(output, out_grad)
        with bg.autograd.no_grad():
            return bg.autograd.gradients(output, out_grad)

    walked = walked or right_walk
    picked = picked or (lambda found, x: found[x] if x in found else bg.autograd.zeros_like(x))
    given = given or (lambda inputs, found: found[0] if isinstance(inputs, bg.Tensor) else tuple(found))

    def grad(output, inputs, grad_output=None, create_graph=False):
        wanted = asked_for(bg, output, inputs)
        found = walked(output, grad_output, create_graph)
        return given(inputs, [picked(found, x) for x in wanted])

    bg.autograd.grad = grad


@wrong(
    again,
    "a tuple for one Tensor",
    "For one Tensor, its gradient is wanted, not a tuple with the gradient in it. The name `single` says which of the "
    "two was asked for.",
)
def _(bg):
    patch_grad(bg, given=lambda inputs, found: tuple(found))


@wrong(
    again,
    "only the first",
    "Several gradients were asked for, but only the first was returned. For a single Tensor that is right; a sequence "
    "gets the whole tuple.",
)
def _(bg):
    patch_grad(bg, given=lambda inputs, found: found[0])


@wrong(
    again,
    "a list of one taken for a single Tensor",
    "One Tensor in a list is still a list, and gets a tuple of one. `single` says what was asked for, not how many "
    "there are.",
)
def _(bg):
    patch_grad(bg, given=lambda inputs, found: found[0] if len(found) == 1 else tuple(found))


@wrong(
    again,
    "None for what does not matter",
    "An input that output does not depend on is not in the ledger. Its gradient is known all the same: 0 everywhere. "
    "zeros_like(x) makes such zeros.",
)
def _(bg):
    patch_grad(bg, picked=lambda found, x: found.get(x))


@wrong(
    again,
    "looked up without asking",
    "An input that output does not depend on is not in the ledger, so it cannot be looked up there. What is its "
    "gradient?",
)
def _(bg):
    patch_grad(bg, picked=lambda found, x: found[x])


@wrong(
    again,
    "asks whether a gradient is true",
    "`ledger.get(x) or zeros_like(x)` asks whether the gradient is true, that is, whether its only number is other "
    "than 0. For several numbers that has no answer. Ask `x in ledger`.",
)
def _(bg):
    patch_grad(bg, picked=lambda found, x: found.get(x) or bg.autograd.zeros_like(x))


@wrong(
    again,
    "recorded for a single Tensor only",
    "With create_graph=True and several inputs nothing is recorded here. Whether the backward pass is recorded does "
    "not depend on how many gradients are asked for: create_graph alone decides.",
)
def _(bg):
    right = bg.autograd.grad
    bg.autograd.grad = lambda output, inputs, grad_output=None, create_graph=False: right(
        output, inputs, grad_output, create_graph and isinstance(inputs, bg.Tensor)
    )


@wrong(
    again,
    "one zero for a whole array",
    "A gradient has its input's shape, even when it is 0 everywhere. zeros_like(x) makes zeros of x's shape and dtype.",
)
def _(bg):
    patch_grad(bg, picked=lambda found, x: found[x] if x in found else bg.Tensor(0.0, requires_grad=False))


@wrong(
    again,
    "a plain 0",
    "A gradient is a Tensor of its input's shape, even when it is 0 everywhere: zeros_like(x), not the number 0.",
)
def _(bg):
    patch_grad(bg, picked=lambda found, x: found.get(x, 0))


@wrong(
    again,
    "zeros of another dtype",
    "The zeros are float64 where x is float32. zeros_like(x) takes both shape and dtype from x.",
)
def _(bg):
    def picked(found, x):
        return found[x] if x in found else bg.Tensor(np.zeros(x.shape), requires_grad=False)

    patch_grad(bg, picked=picked)


@wrong(
    again,
    "in the ledger's order",
    "The gradients come in the order of the ledger here, and what is not in it is missing. Go through `wanted`, and "
    "look each one up.",
)
def _(bg):
    def grad(output, inputs, grad_output=None, create_graph=False):
        wanted, out_grad = asked_for(bg, output, inputs), output.initial_gradient(grad_output)
        with contextmanager(lambda: iter([None]))() if create_graph else bg.autograd.no_grad():
            found = bg.autograd.gradients(output, out_grad)
        picked = tuple(gradient for node, gradient in found.items() if any(node is x for x in wanted))
        return picked[0] if isinstance(inputs, bg.Tensor) and picked else picked

    bg.autograd.grad = grad


@wrong(
    again,
    "never recorded",
    "With create_graph=True the backward pass itself must be recorded, or nothing is left to differentiate: the second "
    "derivative comes out as 0. Only without create_graph does the backward pass belong in a no_grad() block.",
)
def _(bg):
    def walked(output, grad_output, create_graph):
        with bg.autograd.no_grad():
            return bg.autograd.gradients(output, output.initial_gradient(grad_output))

    patch_grad(bg, walked)


@wrong(
    again,
    "always recorded",
    "The gradient requires grad although nobody asked for that: the backward pass was recorded, and its whole graph "
    "stays in memory. What keeps a backward pass from being recorded?",
)
def _(bg):
    def walked(output, grad_output, create_graph):
        return bg.autograd.gradients(output, output.initial_gradient(grad_output))

    patch_grad(bg, walked)


@wrong(
    again,
    "create_graph the wrong way round",
    "The backward pass is recorded when it should not be, and not recorded when it should be. create_graph=True means: "
    "record.",
)
def _(bg):
    def walked(output, grad_output, create_graph):
        if not create_graph:
            return bg.autograd.gradients(output, output.initial_gradient(grad_output))
        with bg.autograd.no_grad():
            return bg.autograd.gradients(output, output.initial_gradient(grad_output))

    patch_grad(bg, walked)


@wrong(
    again,
    "by way of backward",
    "backward writes into the .grad of every leaf and inner node. grad should leave them alone: what an earlier "
    "backward pass found must still be there. Take the ledger, from gradients(...), instead.",
)
def _(bg):
    def grad(output, inputs, grad_output=None, create_graph=False):
        wanted = asked_for(bg, output, inputs)
        output.backward(grad_output)
        found = [bg.autograd.zeros_like(x) if x.grad is None else bg.Tensor(x.grad) for x in wanted]
        return found[0] if isinstance(inputs, bg.Tensor) else tuple(found)

    bg.autograd.grad = grad


@wrong(
    again,
    "by way of backward, and its arrays",
    "backward writes into the .grad of every leaf and inner node, and .grad holds arrays. grad leaves every .grad "
    "alone, and returns Tensors. Take the ledger, from gradients(...), instead.",
)
def _(bg):
    def grad(output, inputs, grad_output=None, create_graph=False):
        wanted = asked_for(bg, output, inputs)
        output.backward(grad_output)
        found = [x.grad for x in wanted]
        return found[0] if isinstance(inputs, bg.Tensor) else tuple(found)

    bg.autograd.grad = grad


@wrong(
    again,
    "the initial gradient left out",
    "The backward pass always begins with ones here. But grad_output is the gradient that output itself gets: "
    "output.initial_gradient(grad_output) makes a Tensor of it.",
)
def _(bg):
    def walked(output, grad_output, create_graph):
        if create_graph:
            return bg.autograd.gradients(output, output.initial_gradient())
        with bg.autograd.no_grad():
            return bg.autograd.gradients(output, output.initial_gradient())

    patch_grad(bg, walked)


@wrong(
    again,
    "the initial gradient as it came",
    "grad_output may be None, a list, or an array of the wrong shape, but the ledger needs a Tensor of output's "
    "shape. output.initial_gradient(grad_output) makes one, or says what is wrong.",
)
def _(bg):
    def walked(output, grad_output, create_graph):
        if create_graph:
            return bg.autograd.gradients(output, grad_output)
        with bg.autograd.no_grad():
            return bg.autograd.gradients(output, grad_output)

    patch_grad(bg, walked)


@wrong(
    again,
    "only None made into an initial gradient",
    "Where no gradient is given ones are right. One that is given has to be looked at as well: a number, or a Tensor "
    "of shape (1,), is stretched by NumPy without a word, and a ValueError was promised. output.initial_gradient "
    "takes both cases.",
)
def _(bg):
    def walked(output, grad_output, create_graph):
        given = output.initial_gradient() if grad_output is None else grad_output
        if create_graph:
            return bg.autograd.gradients(output, given)
        with bg.autograd.no_grad():
            return bg.autograd.gradients(output, given)

    patch_grad(bg, walked)


@wrong(
    again,
    "arrays instead of Tensors",
    "Arrays came back, but Tensors were asked for: only a Tensor can be differentiated again. Return what the ledger "
    "holds, without .data.",
)
def _(bg):
    def picked(found, x):
        return (found[x] if x in found else bg.autograd.zeros_like(x)).data

    patch_grad(bg, picked=picked)


@wrong(
    again,
    "a new Tensor of the numbers",
    "Tensor(...data) makes a leaf: it has the numbers, but no history, so second derivatives come out as 0. Return "
    "the Tensor that the ledger holds.",
)
def _(bg):
    def picked(found, x):
        return bg.Tensor(found[x].data) if x in found else bg.autograd.zeros_like(x)

    patch_grad(bg, picked=picked)


@wrong(
    again,
    "recorded, and cut off at the end",
    "Without create_graph the backward pass is recorded here all the same, and the record is thrown away afterwards. "
    "By then the time and the memory are spent. How can you keep the backward pass from being recorded in the first "
    "place?",
)
def _(bg):
    right = bg.autograd.grad

    def grad(output, inputs, grad_output=None, create_graph=False):
        found = right(output, inputs, grad_output, create_graph=True)
        if create_graph:
            return found
        return found.detach() if isinstance(found, bg.Tensor) else tuple(gradient.detach() for gradient in found)

    bg.autograd.grad = grad


@wrong(
    again,
    "put back, but not after an error",
    "Recording is put back, but that line is not reached when an error stops the backward pass. Then recording stays "
    "off for good. `with no_grad():` puts it back in any case.",
)
def _(bg):
    def walked(output, grad_output, create_graph):
        before = bg.autograd.Recording.on
        bg.autograd.Recording.on = create_graph
        found = bg.autograd.gradients(output, output.initial_gradient(grad_output))
        bg.autograd.Recording.on = before
        return found

    patch_grad(bg, walked)


@wrong(
    again,
    "switched on at the end",
    "Recording is set by hand here. After an error it stays off for good, and at the end it is switched on, even in "
    "the middle of somebody's no_grad() block. `with no_grad():` gets both right.",
)
def _(bg):
    def walked(output, grad_output, create_graph):
        bg.autograd.Recording.on = create_graph
        found = bg.autograd.gradients(output, output.initial_gradient(grad_output))
        bg.autograd.Recording.on = True
        return found

    patch_grad(bg, walked)


@wrong(
    again,
    "sets the switch by hand",
    "Recording was switched off and stays off after grad. Do not set Recording.on yourself: after a no_grad() block "
    "it is what it was before.",
)
def _(bg):
    def walked(output, grad_output, create_graph):
        bg.autograd.Recording.on = create_graph
        return bg.autograd.gradients(output, output.initial_gradient(grad_output))

    patch_grad(bg, walked)


# 9.6: gradgradcheck.


def check_with(
    bg,
    gradient=lambda bg, fn, args, place: bg.grad(fn(*args[:-1]), args[place], args[-1], create_graph=True),
    given=lambda bg, inputs, out_grad: [*inputs, out_grad],
    first_gradient=lambda bg, out, seed: bg.Tensor(bg.gradient_check.random_gradient(out, seed).data),
    places=lambda inputs: [place for place, x in enumerate(inputs) if x.requires_grad],
    handed_on=lambda options: options,
    ends=lambda checks: all(check() for check in checks),
):
    """gradgradcheck with another part.

    gradient(bg, fn, args, place): the function that gradcheck is handed.  given: its inputs.  first_gradient: of fn's
    result.  places: of the inputs whose gradients are differentiated.  handed_on: the options for gradcheck.
    ends(checks): makes the checks, functions without arguments, and gives what is returned.
    """

    def gradgradcheck(fn, inputs, *, eps=1e-6, rtol=1e-5, atol=1e-7, seed=0):
        inputs = bg.gradient_check.as_inputs(inputs)
        options = handed_on({"eps": eps, "rtol": rtol, "atol": atol, "seed": seed})
        out_grad = first_gradient(bg, fn(*inputs), options.get("seed", 0))

        def check(place):
            def fixed(*args):
                return gradient(bg, fn, args, place)

            return lambda: bg.gradcheck(fixed, given(bg, inputs, out_grad), **options)

        return ends([check(place) for place in places(inputs)])

    return gradgradcheck


def patch_check(bg, *parts, **named):
    check_is(bg, check_with(bg, *parts, **named))


def check_is(bg, function):
    bg.gradient_check.gradgradcheck = function


@wrong(
    second,
    "gradcheck once more",
    "This checks the first derivatives again, which gradcheck does already. A rule that forgets what it was made from "
    "passes. Hand gradcheck another function in place of fn: one whose derivatives are second derivatives.",
)
def _(bg):
    check_is(bg, bg.gradcheck)


@wrong(
    second,
    "the gradient not recorded",
    "grad was called without create_graph=True. So the gradient is a constant for the next backward pass, and its "
    "derivative is 0 even for right rules.",
)
def _(bg):
    patch_check(bg, lambda bg, fn, args, place: bg.grad(fn(*args[:-1]), args[place], args[-1]))


@wrong(
    second,
    "the gradient of the result held fixed",
    "The gradient depends on fn's inputs, and on the gradient that fn's result gets: a rule can forget either. Here "
    "the latter is a constant: either it is not among the inputs that gradcheck gets, or it requires no grad, like "
    "what random_gradient makes.",
)
def _(bg):
    patch_check(bg, first_gradient=lambda bg, out, seed: bg.gradient_check.random_gradient(out, seed))


@wrong(
    second,
    "a gradient of ones",
    "fn's result gets ones as its gradient here, as it does when grad has no third argument. A rule that is right "
    "only for ones passes, and nothing asks whether it forgets out_grad. Begin with random numbers, and make them an "
    "input too.",
)
def _(bg):
    patch_check(
        bg,
        lambda bg, fn, args, place: bg.grad(fn(*args), args[place], create_graph=True),
        given=lambda bg, inputs, out_grad: list(inputs),
    )


@wrong(
    second,
    "ones that may change",
    "The gradient of fn's result is an input, as it should be, but it is 1 everywhere: a second derivative that is "
    "right only for ones passes. Random numbers hide nothing.",
)
def _(bg):
    patch_check(bg, first_gradient=lambda bg, out, seed: bg.Tensor(np.ones(out.shape)))


@wrong(
    second,
    "the first input only",
    "Only the gradient of the first input was differentiated again. Each input that requires grad has a gradient of "
    "its own: go through all of them, and return after the loop.",
)
def _(bg):
    patch_check(bg, places=lambda inputs: [place for place, x in enumerate(inputs) if x.requires_grad][:1])


@wrong(
    second,
    "the last input only",
    "Only the gradient of the last input was differentiated again. Perhaps the loop collects functions, and all of "
    "them look up the loop's variable when the loop is over. Call gradcheck inside the loop.",
)
def _(bg):
    patch_check(bg, places=lambda inputs: [place for place, x in enumerate(inputs) if x.requires_grad][-1:])


@wrong(
    second,
    "each gradient by its own input",
    "Each gradient was differentiated with respect to its own input alone. The gradient of a in a * b does not depend "
    "on a at all: it depends on b, and on the gradient of the result. Hand gradcheck all of them.",
)
def _(bg):
    def gradgradcheck(fn, inputs, *, eps=1e-6, rtol=1e-5, atol=1e-7, seed=0):
        inputs = bg.gradient_check.as_inputs(inputs)
        options = {"eps": eps, "rtol": rtol, "atol": atol, "seed": seed}
        out_grad = bg.gradient_check.random_gradient(fn(*inputs), seed)

        def check(place):
            def gradient(x):
                args = [*inputs[:place], x, *inputs[place + 1 :]]
                return bg.grad(fn(*args), x, out_grad, create_graph=True)

            return bg.gradcheck(gradient, [inputs[place]], **options)

        return all(check(place) for place, x in enumerate(inputs) if x.requires_grad)

    check_is(bg, gradgradcheck)


STAYS_WHERE_IT_IS = (
    "gradcheck nudges the arguments of the function that it is handed. {} from outside, and nothing moves there. The "
    "function has to use its own arguments: when it calls fn, and when it says what grad is asked for."
)


@wrong(
    second,
    "asked for the inputs from outside",
    STAYS_WHERE_IT_IS.format("Here grad is asked for an input"),
)
def _(bg):
    def gradgradcheck(fn, inputs, **options):
        inputs = bg.gradient_check.as_inputs(inputs)

        def from_outside(bg, fn, args, place):
            return bg.grad(fn(*args[:-1]), inputs[place], args[-1], create_graph=True)

        return check_with(bg, from_outside)(fn, inputs, **options)

    check_is(bg, gradgradcheck)


@wrong(second, "fn called once, outside", STAYS_WHERE_IT_IS.format("Here the result of fn comes"))
def _(bg):
    def gradgradcheck(fn, inputs, **options):
        inputs = bg.gradient_check.as_inputs(inputs)
        out = fn(*inputs)

        def of_one_result(bg, fn, args, place):
            return bg.grad(out, inputs[place], args[-1], create_graph=True)

        return check_with(bg, of_one_result)(fn, inputs, **options)

    check_is(bg, gradgradcheck)


@wrong(
    second,
    "constants not left out",
    "grad was asked for the gradient of an input that requires none, and refuses. Nobody wants that gradient: skip "
    "this input in the loop, and hold it fixed.",
)
def _(bg):
    patch_check(bg, places=lambda inputs: range(len(inputs)))


@wrong(
    second,
    "all gradients added up",
    "The gradients of all inputs were added up, and the sum was differentiated. Mistakes that cancel each other, as "
    "in (a - b)³, go unnoticed. Differentiate each gradient separately.",
)
def _(bg):
    def total(bg, fn, args, place):
        wanted = [x for x in args[:-1] if x.requires_grad]
        first, *others = bg.grad(fn(*args[:-1]), wanted, args[-1], create_graph=True)
        for gradient in others:
            first = bg.ops.add(first, gradient)
        return first

    patch_check(bg, total, places=lambda inputs: [0])


@wrong(
    second,
    "eps, rtol and atol not passed on",
    "The caller's eps, rtol and atol are not used. Pass them on to gradcheck.",
)
def _(bg):
    patch_check(bg, handed_on=lambda options: {"seed": options["seed"]})


@wrong(
    second,
    "the seed not passed on",
    "The random numbers are the same whatever seed is. Both random_gradient and gradcheck take it.",
)
def _(bg):
    patch_check(bg, handed_on=lambda options: {**options, "seed": 0})


@wrong(
    second,
    "True not returned",
    "Right rules pass, but the function returns nothing. Return True when all gradients have passed.",
)
def _(bg):
    def ends(checks):
        for check in checks:
            check()

    patch_check(bg, ends=ends)


@wrong(
    second,
    "False in place of the error",
    "The GradcheckError was caught, and False was returned. Then the caller learns that something is wrong, but not "
    "what: let the error pass.",
)
def _(bg):
    def ends(checks):
        try:
            return all(check() for check in checks)
        except bg.GradcheckError:
            return False

    patch_check(bg, ends=ends)


@wrong(
    second,
    "the gradient of the result in front",
    "The mistakes are found, but the messages count differently: in them, the gradient of fn's result is input 0. It "
    "should come last, after fn's own inputs.",
)
def _(bg):
    patch_check(
        bg,
        lambda bg, fn, args, place: bg.grad(fn(*args[1:]), args[place + 1], args[0], create_graph=True),
        given=lambda bg, inputs, out_grad: [out_grad, *inputs],
    )


@wrong(
    second,
    "by way of backward",
    "backward puts plain arrays into .grad: they have no history, and gradcheck needs a function that returns a "
    "Tensor. Which function of this notebook gives a recorded gradient, and leaves every .grad alone?",
)
def _(bg):
    def by_backward(bg, fn, args, place):
        fn(*args[:-1]).backward(args[-1])
        return args[place].grad

    patch_check(bg, by_backward)


@wrong(
    second,
    "all gradients at once",
    "For several inputs grad returns a tuple, but gradcheck needs a function that returns one Tensor. Make a function "
    "for each input.",
)
def _(bg):
    patch_check(bg, lambda bg, fn, args, place: bg.grad(fn(*args[:-1]), args[:-1], args[-1], create_graph=True))


# The hunt.


def hunt_is(bg, function):
    bg.hunts.one_test_each = function


@wrong(
    hunt,
    "one expression for all",
    "Notebook 03 asked for one expression that catches all engines. Here each expression must name its culprit: the "
    "other three have to be right on it.",
)
def _(bg):
    def one_test_each(a, b):
        return dict.fromkeys("ABCD", (a + b) + a)

    hunt_is(bg, one_test_each)


@wrong(
    hunt,
    "the example",
    "The product is the example of a test that gives nobody away: every share is an array of its own, for a "
    "different input.",
)
def _(bg):
    hunt_is(bg, lambda a, b: dict.fromkeys("ABCD", a * b))


@wrong(
    hunt,
    "a + a for A",
    "In a + a the further share goes to a, which owns the array itself, so A's sum is right. Somebody else must "
    "own that array, and be looked at afterwards.",
)
def _(bg):
    hunt_is(bg, lambda a, b: {"A": a + a, "B": a + b, "C": a * a, "D": a + 1})


@wrong(
    hunt,
    "three of four",
    "There are four engines, and D has no test yet. What its author says tells you when D goes wrong: when a leaf "
    "meets something that requires no grad.",
)
def _(bg):
    hunt_is(bg, lambda a, b: {"A": (a + b) + a, "B": a + b, "C": a * a})


@wrong(
    hunt,
    "a list",
    'A dict with the keys "A", "B", "C" and "D" was asked for: {"A": ..., "B": ..., "C": ..., "D": ...}.',
)
def _(bg):
    hunt_is(bg, lambda a, b: [(a + b) + a, a + b, a * a, a + 1])

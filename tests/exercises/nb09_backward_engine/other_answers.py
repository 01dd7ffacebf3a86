"""Right solutions of notebook 09 in another style."""

import contextlib
from collections import Counter, defaultdict

import numpy as np


def wanted(node):
    return [x for x in node._inputs if x.requires_grad]


# What is visited.


def variant_9_1_in_a_loop(bg):
    """append in a loop; each input once."""

    def inputs_to_visit(node):
        found = []
        for x in node._inputs:
            if x.requires_grad and not any(x is y for y in found):
                found.append(x)
        return found

    bg.autograd.inputs_to_visit = inputs_to_visit


def variant_9_1_from_the_last(bg):
    """The inputs in the opposite order."""
    bg.autograd.inputs_to_visit = lambda node: [x for x in reversed(node._inputs) if x.requires_grad]


def variant_9_1_a_set(bg):
    """In no order at all."""
    bg.autograd.inputs_to_visit = lambda node: {x for x in node._inputs if x.requires_grad}


def variant_9_1_a_filter(bg):
    """Things that come one by one are enough for the walk."""
    bg.autograd.inputs_to_visit = lambda node: filter(lambda x: x.requires_grad, node._inputs)


def uses_of(root):
    """How often each node of the graph is used, by nodes of the graph."""
    uses, found = Counter({root: 0}), [root]
    for node in found:
        for x in wanted(node):
            if x not in uses:
                found.append(x)
            uses[x] += 1
    return uses


# The ledger.


def variant_9_2_shares_collected(bg):
    """Lists of shares, added up when it is the node's turn to speak; its shares asked directly."""

    def gradients(root, out_grad):
        shares, ledger = defaultdict(list, {root: [out_grad]}), {}
        for node in reversed(bg.autograd.topological_order(root)):
            if not shares[node]:
                continue
            first, *others = shares[node]
            for share in others:
                first = bg.ops.add(first, share)
            ledger[node] = first
            if node._op is None:
                continue
            for x, share in zip(node._inputs, node._op.shares(first, node)):
                if x.requires_grad and share is not None:
                    shares[x].append(share)
        return ledger

    bg.autograd.gradients = gradients


def variant_9_2_an_order_of_its_own(bg):
    """No list of nodes: a node is ready when the last of those who used it has spoken."""

    def gradients(root, out_grad):
        uses, ledger, ready = uses_of(root), {root: out_grad}, [root]
        while ready:
            node = ready.pop()
            if node._op is not None and node in ledger:
                for x, share in bg.autograd.shares_of(node, ledger[node]):
                    if x.requires_grad and share is not None:
                        ledger[x] = share if x not in ledger else share + ledger[x]
            for x in wanted(node):
                uses[x] -= 1
                if uses[x] == 0:
                    ready.append(x)
        return ledger

    bg.autograd.gradients = gradients


def variant_9_2_by_id(bg):
    """Ids inside, nodes outside; from the last place of the order to the first."""

    def gradients(root, out_grad):
        order = bg.autograd.topological_order(root)
        by_id = {id(root): out_grad}
        for place in range(len(order) - 1, -1, -1):
            node = order[place]
            if not node._inputs or id(node) not in by_id:
                continue
            for x, share in bg.autograd.shares_of(node, by_id[id(node)]):
                if share is None or not x.requires_grad:
                    continue
                earlier = by_id.get(id(x))
                by_id[id(x)] = share if earlier is None else earlier + share
        return {node: by_id[id(node)] for node in order if id(node) in by_id}

    bg.autograd.gradients = gradients


# The switch.


def variant_9_3_a_class(bg):
    """A context manager written as a class."""
    Recording = bg.autograd.Recording

    class no_grad:
        def __enter__(self):
            self.before = Recording.on
            Recording.on = False

        def __exit__(self, *exception):
            Recording.on = self.before
            return False

    bg.autograd.no_grad = bg.tensor.no_grad = no_grad


def variant_9_3_two_lines_before(bg):
    """try around everything, setattr instead of an assignment."""

    @contextlib.contextmanager
    def no_grad():
        was_on = bool(bg.autograd.Recording.on)
        try:
            bg.autograd.Recording.on = False
            yield bg.autograd.Recording
        finally:
            setattr(bg.autograd.Recording, "on", was_on)  # noqa: B010

    bg.autograd.no_grad = bg.tensor.no_grad = no_grad


# Into .grad.


def variant_9_4_copies(bg):
    """A copy of everything, and a leaf's own array added to in place."""

    def backward(self, grad=None):
        if not self.requires_grad:
            raise RuntimeError("backward was called on a Tensor that requires no grad")
        with bg.tensor.no_grad():
            ledger = bg.tensor.gradients(self, self.initial_gradient(grad))
        for node in ledger:
            if node._op is None and node.grad is not None:
                node.grad += ledger[node].data
            else:
                node.grad = np.array(ledger[node].data, dtype=node.dtype)

    bg.Tensor.backward = backward


def variant_9_4_wiped_first(bg):
    """Inner nodes are wiped first; then all of them add."""

    def backward(self, grad=None):
        if not self.requires_grad:
            raise RuntimeError("backward was called on a Tensor that requires no grad")
        with bg.tensor.no_grad():
            ledger = bg.tensor.gradients(self, self.initial_gradient(grad))
            for node, gradient in ledger.items():
                if node._inputs or node.grad is None:
                    node.grad = np.zeros(node.shape, node.dtype)
                node.grad = np.add(node.grad, gradient.data, out=node.grad, casting="same_kind")

    bg.Tensor.backward = backward


# grad.


def variant_9_5_a_list(bg):
    """A context chosen beforehand, and a list for several inputs."""

    def grad(output, inputs, grad_output=None, create_graph=False):
        single = isinstance(inputs, bg.Tensor)
        wanted = [inputs] if single else list(inputs)
        bg.autograd.refuse_what_has_no_gradient(output, wanted)
        with contextlib.nullcontext() if create_graph else bg.autograd.no_grad():
            ledger = bg.autograd.gradients(output, output.initial_gradient(grad_output))
        found = [ledger.get(x, None) for x in wanted]
        found = [bg.autograd.zeros_like(x) if g is None else g for x, g in zip(wanted, found)]
        return found[0] if single else found

    bg.autograd.grad = grad


def variant_9_5_by_calling_itself(bg):
    """Not recorded: the same again, as if it should be, in a block where nothing is."""

    def grad(output, inputs, grad_output=None, create_graph=False):
        if not create_graph:
            with bg.autograd.no_grad():
                return grad(output, inputs, grad_output, create_graph=True)
        single = hasattr(inputs, "_inputs")
        ledger = bg.autograd.gradients(output, output.initial_gradient(grad_output))
        found = []
        for x in (inputs,) if single else inputs:
            zeros = bg.Tensor(np.zeros(x.shape), dtype=x.dtype, requires_grad=False)
            found.append(ledger.get(x, zeros))
        return found[0] if single else tuple(found)

    bg.autograd.grad = grad


# gradgradcheck.


def variant_9_6_weighted_sums(bg):
    """The random gradient multiplied with the result, and the sum walked back; functions with a name of their own."""

    def gradgradcheck(fn, inputs, *, eps=1e-6, rtol=1e-5, atol=1e-7, seed=0):
        inputs = bg.gradient_check.as_inputs(inputs)
        numbers = np.random.default_rng(seed).normal(size=fn(*inputs).shape)

        def check(position):
            def gradient(*args):
                *given, weights = args
                total = bg.ops.summation(bg.ops.mul(fn(*given), weights))
                return bg.grad(total, given[position], create_graph=True)

            bg.gradcheck(gradient, (*inputs, bg.Tensor(numbers)), eps=eps, rtol=rtol, atol=atol, seed=seed)

        for position in range(len(inputs)):
            if inputs[position].requires_grad:
                check(position)
        return True

    bg.gradient_check.gradgradcheck = gradgradcheck


def variant_9_6_in_one_go(bg):
    """One number for all gradients, each weighted at random; a copy of the random gradient requires grad."""

    def gradgradcheck(fn, inputs, *, eps=1e-6, rtol=1e-5, atol=1e-7, seed=0):
        inputs = bg.gradient_check.as_inputs(inputs)
        out_grad = bg.gradient_check.random_gradient(fn(*inputs), seed)
        out_grad.requires_grad = True
        places = [place for place, x in enumerate(inputs) if x.requires_grad]
        weights = [bg.Tensor(np.random.default_rng(seed + 1 + i).normal(size=inputs[i].shape)).detach() for i in places]

        def weighted(*args):
            found = bg.grad(fn(*args[:-1]), [args[place] for place in places], args[-1], create_graph=True)
            return sum(bg.ops.summation(bg.ops.mul(g, w)) for g, w in zip(found, weights))

        return bg.gradcheck(weighted, [*inputs, out_grad], eps=eps, rtol=rtol, atol=atol, seed=seed)

    bg.gradient_check.gradgradcheck = gradgradcheck


# The hunt.


def variant_9_7_larger_tests(bg):
    """Tests with more in them than is needed, and each leaf the culprit once."""

    def one_test_each(a, b):
        return {"A": (b + (a + b)).tanh(), "B": (a + b).tanh(), "C": b - b, "D": (2 / a) * b}

    bg.hunts.one_test_each = one_test_each


def variant_9_7_without_names(bg):
    """Only b, where one leaf is enough."""

    def one_test_each(a, b):
        c = a + b
        return {"A": b + c, "B": (b + a).sigmoid(), "C": b / b, "D": b - 3.5}

    bg.hunts.one_test_each = one_test_each

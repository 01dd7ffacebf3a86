"""A backward pass, written down while the learner's own methods run. faults.py says where it first goes wrong.

Nothing is computed in their place. Values are read; of Tensors it is heard which rule is asked with which gradient.
It imports no babygrad: what it needs is in the package that made the nodes, whatever that is called.
"""

import math
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from numbers import Number
from typing import NamedTuple

from .graph import few_numbers, nodes_to_show, reader_for, shape_of, short

FEWEST_STEPS_TO_STOP = 300  # more on a small graph than one player can hold: the walk goes along every path
MOST_COPIED = 200  # lines of a ledger, at each step
TOLERANCE = 1e-6


class Share(NamedTuple):
    """What one operand got: its position and place, the slope if there is one, the amount; in a few letters."""

    position: int
    place: int | None
    slope: str
    amount: str


class Change(NamedTuple):
    """What an operand had before a node passed its gradient back, and after; "" for none."""

    place: int | None
    before: str
    after: str


class Spoke(NamedTuple):
    """One node passed its gradient back.  place: in the drawn Graph; None for a node that is not drawn."""

    place: int | None
    gradient: str
    shares: tuple
    changes: tuple


class Walk(NamedTuple):
    """began, left: the gradient of each drawn node before and after.  spoken: a Spoke for each node with operands that
    passed its gradient back, in order.  error: what ended the walk, "" if it came to its end.  fault: a Fault of
    faults.py; None where there is none, or none was looked for.
    kept: is what is left in the nodes' .grad? Otherwise it is what the ledger held.
    right: what should be left; () if nobody has asked, or can say.
    """

    began: tuple
    spoken: tuple
    left: tuple
    error: str = ""
    fault: tuple | None = None
    kept: bool = True
    right: tuple = ()


class TooManySteps(RuntimeError):
    """Raised inside a walk that goes on and on."""


class Step:
    """A Spoke in exact numbers: what was there when a node passed its gradient back, and what is there afterwards.

    operands, slopes: of Values; slopes is None where they are not known.  shares: of Tensors, (position, input, array).
    before, after: {id of a node: its gradient}.  inside: the node in whose step this happens, or None.
    unknown: ids of nodes of which nobody can say what is there afterwards; what should be there stands in after.
    """

    def __init__(self, node, gradient, inside=None):
        self.node, self.gradient, self.inside = node, gradient, inside
        self.operands, self.slopes, self.shares = (), None, ()
        self.before, self.after = {}, None
        self.unknown = set()

    def expected(self, x, gradient):
        """What an operand should get in all; None if that is not known.  gradient: what this node should have."""
        if self.slopes is not None:
            return sum(slope * gradient for each, slope in zip(self.operands, self.slopes) if each is x)
        shares = [share for _, each, share in self.shares if each is x]
        return sum(shares[1:], shares[0]) if shares else None

    def targets(self):
        """The nodes that get something, each once."""
        return list({id(x): x for x in (*self.operands, *(x for _, x, _ in self.shares))}.values())


class Watching:
    """One walk from root: `with Watching(root) as watching:` around it, watching.walk afterwards.

    Exceptions pass through.
    """

    def __init__(self, root, max_nodes=10**9):
        self.root = root
        self.everything, _ = nodes_to_show(root, 10**9)
        self.shown, _ = nodes_to_show(root, max_nodes)
        self.places = {id(node): place for place, node in enumerate(self.shown)}
        self.steps, self.ended, self.error = [], None, ""
        self.own = {id(node): grad_of(node) for node in self.everything}
        self.before = {key: kept_apart(grad) for key, grad in self.own.items()}
        self.after = self.before

    def __enter__(self):
        self.watched = WATCHED[kind(self.root)](self)
        self.watched.__enter__()
        return self

    def __exit__(self, kind, error, trace):
        self.watched.__exit__(None, None, None)
        self.after = {id(node): kept_apart(grad_of(node)) for node in self.everything}
        if error is not None:
            self.error = f"{kind.__name__}: {error}".splitlines()[0]
        self.steps = [step for step in self.steps if step.after is not None]

    def put_back(self):
        """Give each node the gradient that it had before, the same array with the same numbers."""
        for node in self.everything:
            node.grad, before = self.own[id(node)], self.before[id(node)]
            if hasattr(before, "shape") and not same(node.grad, before):
                node.grad[...] = before

    def no_more_than_enough(self):
        if len(self.steps) >= max(FEWEST_STEPS_TO_STOP, 3 * len(self.everything)):
            raise TooManySteps(
                f"gradients were passed on {len(self.steps)} times, and the graph has {len(self.everything)} nodes"
            )

    @property
    def walk(self):
        kept = self.ended is None or not all(same(self.after[key], self.before[key]) for key in self.after)
        found = self.after if kept else self.ended
        began, left = (tuple(told(grads.get(id(node))) for node in self.shown) for grads in (self.before, found))
        return Walk(began, tuple(map(self.told, self.steps)), left, self.error, kept=kept)

    def told(self, step):
        """A Step as a Spoke; nothing is told of a node that is not drawn."""
        if self.place(step.node) is None:
            return Spoke(None, "", (), ())
        shares = [(i, x, share, "") for i, x, share in step.shares]
        if step.slopes is not None and isinstance(step.gradient, Number):
            pairs = enumerate(zip(step.operands, step.slopes))
            shares = [(i, x, slope * step.gradient, short(slope)) for i, (x, slope) in pairs]
        elif step.operands:
            targets = [(step.operands.index(x), x, step.before[id(x)], step.after[id(x)]) for x in step.targets()]
            shares = [(i, x, gain(before, after), "") for i, x, before, after in targets]
        had, has = ({key: told(grad) for key, grad in grads.items()} for grads in (step.before, step.after))
        changes = [Change(self.place(x), had.get(id(x), ""), has.get(id(x), "")) for x in step.targets()]
        named = tuple(Share(i, self.place(x), slope, told(amount)) for i, x, amount, slope in shares)
        return Spoke(self.place(step.node), told(step.gradient), named, tuple(changes))

    def place(self, node):
        return self.places.get(id(node))


def kept_apart(grad):
    """A gradient that stays as it is, whatever is done to the array."""
    return grad.copy() if hasattr(grad, "tolist") else grad


def gain(before, after):
    numbers = isinstance(before, Number) and isinstance(after, Number)
    return after - before if numbers else after


def kind(root):
    return "Value" if hasattr(root, "_prev") else "Tensor"


def inputs_of(node):
    return reader_for(node).inputs(node)


def module_beside(node, name):
    """The module of this name in the package that a node's class is from: Tensor or Value, not a subclass of them."""
    package, _, _ = type(node).__mro__[-2].__module__.rpartition(".")
    return import_module(f"{package}.{name}")


@contextmanager
def replaced(owner, name, new):
    """While it lasts, owner.name is another: for what nobody announces. Who does so says why."""
    there, own = name in vars(owner), vars(owner).get(name)
    setattr(owner, name, new)
    try:
        yield
    finally:
        setattr(owner, name, own) if there else delattr(owner, name)


@contextmanager
def values_watched(watching):
    """While it lasts, each call of a Value's _backward() is written down, the class's as well as a node's own.

    They have to be replaced: the whole of the walk is the learner's, so that no line of the engine could announce it.
    """
    cls, calling = type(watching.root), []

    def observed(call, node):
        watching.no_more_than_enough()
        step = Step(node, grad_of(node), calling[-1] if calling else None)
        step.operands, step.slopes = inputs_of(node), slopes_of(node)
        step.before = {id(x): grad_of(x) for x in (*step.operands, node)}
        if step.operands:
            watching.steps.append(step)
        calling.append(node)
        try:
            call()
        finally:
            calling.pop()
        step.after = {id(x): grad_of(x) for x in (*step.operands, node)}

    with ExitStack() as stack:
        for node in watching.everything:
            if "_backward" in getattr(node, "__dict__", ()):
                stack.enter_context(replaced(node, "_backward", partial(observed, node._backward, node)))
        if own := getattr(cls, "_backward", None):
            stack.enter_context(replaced(cls, "_backward", lambda node: observed(partial(own, node), node)))
        yield


def grad_of(node):
    return getattr(node, "grad", None)


def slopes_of(node):
    """The local slopes that a Value remembers, one for each of its inputs; None if there are none such."""
    slopes = getattr(node, "_slopes", None)
    good = isinstance(slopes, (tuple, list)) and len(slopes) == len(inputs_of(node))
    return tuple(slopes) if good and all(isinstance(slope, Number) for slope in slopes) else None


class Asking:
    """An announce.Listener. It hears each question to a rule, and writes down a Step, with the ledger before and after.

    The ledger is the learner's own, and nobody looks for it: what a node passes back is what it holds for the node, and
    where two of its Tensors are added, the sum is what it holds from then on.
    ledger: as far as that is known.  copies: of its arrays, as they came there.
    sums: {ids of two Tensors: (their sum, the two)}.
    silent: {node: [(Step, share)]}, where no sum was heard of what was there, which comes first, and the shares.
    """

    def __init__(self, watching):
        self.watching, self.ledger, self.copies, self.sums, self.silent = watching, {}, {}, {}, {}
        self.last, self.given = None, []
        self.announce = module_beside(watching.root, "announce")

    def __enter__(self):
        self.announce.listeners.append(self)
        return self

    def __exit__(self, *_):
        self.announce.listeners.remove(self)
        self.close_last()
        if self.watching.ended is None and self.ledger:
            self.watching.ended = held(self.ledger, self.watching.everything)

    def computes(self, function, inputs):
        """Remember a sum."""
        if function.name() != "Add":
            return None
        out = self.announce.unheard(function, *inputs)
        self.sums[frozenset(map(id, inputs))] = out, inputs
        return out

    def asks(self, node, gradient):
        """Ask the rule, and write it down."""
        self.watching.no_more_than_enough()
        self.close_last()
        if not hasattr(gradient, "data"):  # the learner's slip: the rule will say what is wrong
            return None
        self.holds(node, gradient)
        step = Step(node, array_of(gradient).copy())
        step.before = held(self.ledger, self.of_interest(node))
        shares_of = module_beside(node, "autograd").shares_of
        pairs = Pairs(self.announce.unheard(shares_of, node, gradient))
        step.shares = tuple([(i, x, array_of(share).copy()) for i, (x, share) in enumerate(pairs) if wants(x, share)])
        self.last = step, pairs
        self.given.append(pairs)
        self.watching.steps.append(step)
        return pairs

    def close_last(self):
        """Write down what the ledger holds after the last Step."""
        if self.last:
            (step, pairs), self.last = self.last, None
            self.given = [each for each in self.given if each.is_read]
            shares = list.__iter__(pairs)
            for (_, x, array), (_, share) in zip(step.shares, [pair for pair in shares if wants(*pair)]):
                self.enter(step, x, share, array, in_a_loop=bool(self.given))
            step.after = held(self.ledger, self.of_interest(step.node))

    def enter(self, step, x, share, array, in_a_loop):
        """A share comes to the ledger.  array: a copy of it.

        in_a_loop: perhaps it comes later, since the learner's function calls itself.
        """
        there, before = self.ledger.get(x), self.copies.get(x)
        out, _ = self.sums.get(frozenset((id(there), id(share))), (None, ()))
        if there is None:
            out = share
        elif not same(array_of(there), before):
            out, array = there, array_of(there).copy()  # it was added in place
        elif out is not None:
            array = array_of(out).copy()
        else:
            out = array = before + array
            step.unknown.add(id(x))
            if not in_a_loop:
                self.silent.setdefault(x, [(None, there)]).append((step, share))
        if in_a_loop:
            step.unknown.add(id(x))
        self.ledger[x], self.copies[x] = out, array

    def holds(self, node, gradient):
        """The ledger holds this. If it is one of the shares, no sum was made: what came after that one was dropped."""
        steps, shares = zip(*self.silent.pop(node, [(None, None)]))
        kept = next((n for n, share in enumerate(shares) if share is gradient), None)
        for n, step in list(enumerate(steps))[1:]:
            found = gradient if step is steps[-1] else None if kept is None else shares[min(n, kept)]
            if found is not None:
                step.after[id(node)] = array_of(found).copy()
                step.unknown.discard(id(node))
            if found is not None and step is not steps[-1]:
                steps[n + 1].before[id(node)] = step.after[id(node)]
        self.ledger[node], self.copies[node] = gradient, array_of(gradient).copy()

    def calls(self, function, *inputs, **named):
        """autograd.gradients: a backward pass begins, and gives its ledger back."""
        if function.__qualname__ != "gradients":
            return function.__wrapped__(*inputs, **named)
        self.close_last()
        self.ledger, self.copies, self.silent, steps = {}, {}, {}, len(self.watching.steps)
        found = function.__wrapped__(*inputs, **named)
        self.close_last()
        if isinstance(found, dict):
            self.came_back(found, self.watching.steps[steps:])
            if any(x is self.watching.root for x in (*inputs, *named.values())):
                self.watching.ended = held(found, self.watching.everything)  # as it is now: it may be taken apart
        return found

    def came_back(self, found, steps):
        """This is the ledger after these Steps."""
        for node in self.watching.everything:
            if hasattr(found.get(node), "data"):
                self.holds(node, found[node])
        asked = {id(step.node) for step in steps}
        for step in steps:
            for x in step.targets():
                if x not in found and id(x) not in asked:  # it never came there
                    step.after.pop(id(x), None)

    def of_interest(self, node):
        """The nodes whose lines are copied: all of them, unless they are very many."""
        everything = self.watching.everything
        return everything if len(everything) <= MOST_COPIED else (node, *node._inputs)


class Pairs(list):
    """What a rule gave.  is_read: is a loop in the midst of it?"""

    is_read = False

    def __iter__(self):
        self.is_read = True
        try:
            yield from super().__iter__()
        finally:
            self.is_read = False


def wants(x, share):
    return share is not None and x.requires_grad


def held(ledger, nodes):
    """{id of a node: a copy of the array that the ledger has for it}"""
    lines = [(id(node), array_of(ledger[node])) for node in nodes if node in (ledger or ())]
    return {key: array.copy() for key, array in lines if hasattr(array, "copy")}


def array_of(x):
    return x if hasattr(x, "tolist") else getattr(x, "data", None)


WATCHED = {"Value": values_watched, "Tensor": Asking}


def same(a, b):
    """Are two gradients, numbers or arrays, the same up to rounding?"""
    if a is None or b is None or hasattr(a, "_inputs"):
        return a is b
    if hasattr(a, "shape") or hasattr(b, "shape"):
        shapes = getattr(a, "shape", ()) == getattr(b, "shape", ())
        return shapes and bool((abs(a - b) <= TOLERANCE * (1 + abs(b))).all())
    return isinstance(a, Number) and (math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=1e-9) or (a != a and b != b))


def told(grad):
    """A gradient in a few letters: a number, the numbers of a small array, or its shape; "" if there is none."""
    if grad is None or hasattr(grad, "_inputs"):
        return "" if grad is None else "a Tensor"
    return few_numbers(grad) or shape_of(grad) if hasattr(grad, "shape") else short(grad)


def watch(root, walk, max_nodes=10**9, how=Watching):
    """The Walk of walk(root), which calls the learner's own methods. All gradients are put back.

    how: Watching, or faults.Judging, which finds also where it first goes wrong, and what would be right.
    Raises NotImplementedError where an unfilled stub is met before the first step: then there is nothing to show.
    """
    watching = how(root, max_nodes)
    try:
        with watching:
            walk(root)
    except Exception as error:  # the learner's own; watching has written it down
        if isinstance(error, NotImplementedError) and not watching.steps:
            raise
    finally:
        found = watching.walk
        watching.put_back()
    return found

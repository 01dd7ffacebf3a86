"""A backward pass, written down while the learner's own methods run. faults.py says where it first goes wrong.

Nothing is computed in their place: methods are watched, and what stands in the nodes, or in the ledger, is read.
"""

import inspect
import math
import sys
from contextlib import contextmanager
from functools import partial
from numbers import Number
from typing import NamedTuple

from .graph import few_numbers, nodes_to_show, reader_for, shape_of, short

FEWEST_STEPS_TO_STOP = 300  # more on a small graph than one player can hold: the walk goes along every path
FRAMES_UP = 8  # so far up the ledger is looked for: the rule may be asked in a helper of a helper
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
    open: a function that calls itself had not written down all shares, of this node or of one that waits for it, when
    the next rule was asked: so nobody can say what should be there.
    """

    def __init__(self, node, gradient, inside=None):
        self.node, self.gradient, self.inside = node, gradient, inside
        self.operands, self.slopes, self.shares = (), None, ()
        self.before, self.after = {}, None
        self.open = False

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


@contextmanager
def values_watched(watching):
    """While it lasts, each call of a Value's _backward() is written down, the class's as well as a node's own."""
    cls, calling = type(watching.root), []
    own = getattr(cls, "_backward", None)

    def observed(node, call):
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

    def of_the_class(node):
        observed(node, partial(own, node))

    closures = [(node, node._backward) for node in watching.everything if "_backward" in getattr(node, "__dict__", ())]
    for node, closure in closures:
        node._backward = partial(observed, node, closure)
    inherited = "_backward" not in vars(cls)
    if own is not None:
        cls._backward = of_the_class
    try:
        yield
    finally:
        for node, closure in closures:
            node._backward = closure
        if own is not None and inherited:
            del cls._backward
        elif own is not None:
            cls._backward = own


def grad_of(node):
    return getattr(node, "grad", None)


def slopes_of(node):
    """The local slopes that a Value remembers, one for each of its inputs; None if there are none such."""
    slopes = getattr(node, "_slopes", None)
    good = isinstance(slopes, (tuple, list)) and len(slopes) == len(inputs_of(node))
    return tuple(slopes) if good and all(isinstance(slope, Number) for slope in slopes) else None


@contextmanager
def tensors_watched(watching):
    """While it lasts, each question to a rule is written down, and what the ledger holds from one to the next."""
    from .. import autograd, tensor

    asking = Asking(watching, autograd.shares_of, autograd.gradients)
    changed = [module for module in (autograd, tensor) if getattr(module, "gradients", None) is asking.gradients]
    autograd.shares_of = asking.asked
    for module in changed:
        module.gradients = asking.passed_back
    try:
        yield
    finally:
        autograd.shares_of = asking.rule
        for module in changed:
            module.gradients = asking.gradients
        asking.end()


class Asking:
    """Stands where the learner's walk asks a rule, and writes down a Step for each question.

    rule, gradients: the package's own functions, which are called here.
    ledger: the learner's own, as it was seen last: a dict with root among its keys, in the function that asks, or in
    one above it.  askers: for each Step the function that asked.
    """

    def __init__(self, watching, rule, gradients):
        self.watching, self.rule, self.gradients = watching, rule, gradients
        self.ledger, self.askers = None, []

    def asked(self, node, gradient):
        """In place of shares_of."""
        self.watching.no_more_than_enough()
        self.ledger = ledger_in_sight(self.watching.root) or self.ledger
        self.close_last()
        if not hasattr(gradient, "data"):  # the learner's slip: the rule will say what is wrong
            return self.rule(node, gradient)
        step = Step(node, array_of(gradient).copy())
        asker, *others = waiting()
        step.open = any(other in self.askers for other in others)
        self.askers.append(asker)
        step.before = held(self.ledger, self.of_interest(node))
        pairs = self.rule(node, gradient)
        shares = [(i, x, array_of(share).copy()) for i, (x, share) in enumerate(pairs) if wants(x, share)]
        step.shares = tuple(shares)
        self.watching.steps.append(step)
        return pairs

    def passed_back(self, root, out_grad):
        """In place of gradients, which returns the ledger."""
        found = self.gradients(root, out_grad)
        if isinstance(found, dict):
            self.ledger = dict(found)  # as it is now: who asked for it may take it apart
            self.close_last()
        return found

    def close_last(self):
        """What is there after the last Step: what the ledger holds now."""
        step = self.watching.steps[-1] if self.watching.steps else None
        if step and step.after is None:
            step.open = step.open or self.askers[-1] in waiting()[1:]
            known = self.ledger is not None and not step.open
            step.after = held(self.ledger, self.of_interest(step.node)) if known else summed_up(step)

    def of_interest(self, node):
        """The nodes whose lines are copied: all of them, unless they are very many."""
        everything = self.watching.everything
        return everything if len(everything) <= MOST_COPIED else (node, *node._inputs)

    def end(self):
        """The walk is over, or has stopped. No frame is kept."""
        self.close_last()
        self.askers.clear()
        self.watching.ended = None if self.ledger is None else held(self.ledger, self.watching.everything)


def waiting():
    """The functions that wait for an answer, the one that asked first; generators and what is here left out."""
    frame, found = sys._getframe(2), []
    while frame is not None and len(found) < FRAMES_UP:
        if not frame.f_code.co_flags & inspect.CO_GENERATOR and frame.f_code.co_filename != __file__:
            found.append(frame)
        frame = frame.f_back
    return found or [None]


def wants(x, share):
    return share is not None and x.requires_grad


def ledger_in_sight(root):
    """The dict with root as a key, and a Tensor or an array for it, in the functions that wait; or None."""
    frame = sys._getframe(2)
    for _ in range(FRAMES_UP):
        if frame is None:
            return None
        if frame.f_locals is frame.f_globals:  # of a notebook, say, where an older ledger may lie
            return None
        for found in list(frame.f_locals.values()):
            if type(found) is dict and root in found and hasattr(found[root], "data"):
                return found
        frame = frame.f_back
    return None


def held(ledger, nodes):
    """{id of a node: a copy of the array that the ledger has for it}"""
    lines = [(id(node), array_of(ledger[node])) for node in nodes if node in (ledger or ())]
    return {key: array.copy() for key, array in lines if hasattr(array, "copy")}


def summed_up(step):
    """What the inputs should have got, where it cannot be read."""
    got = {id(x): step.expected(x, None) for x in step.targets()}
    return step.before | {key: step.before.get(key, 0) + amount for key, amount in got.items()}


def array_of(x):
    return x if hasattr(x, "tolist") else getattr(x, "data", None)


WATCHED = {"Value": values_watched, "Tensor": tensors_watched}


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

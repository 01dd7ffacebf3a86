"""For compile() (15): what changes from run to run: plain numbers; and updates, callbacks, clipped gradients as lines.

Given.

The course's own updates are traced: on Tensors and Numbers in place of arrays and numbers.
"""

import math
import operator
import sys
from copy import copy
from functools import partial
from types import SimpleNamespace

import numpy as np

from . import autograd, ops, optim
from .announce import replaced
from .compiler import UFUNCS, fresh
from .ops.function import Function
from .refusals import Hidden, Now, asked_by_step, refused, where
from .sources import told
from .tensor import Tensor, result
from .training import GradientDescent

COURSE = (GradientDescent, optim.SGD, optim.RMSprop, optim.Adam, optim.AdamW)


# ------------------------------------------------------------------ numbers


class Number:
    """A plain number of a traced step, in place of one that an optimizer keeps, or that is read from outside.

    text: Python that computes it.  value: what it is while the step is traced; None for one that nobody may know.
    What is made of it is a Number too. Where a plain number is needed, or a comparison, the program is right only as
    long as it comes out as it does now: that is one of its checks.
    """

    __array_ufunc__ = None  # so that NumPy leaves np.ones(2) * x to x
    __hash__ = None

    def __init__(self, text, value=None):
        self.text, self.value = text, value

    @property
    def __class__(self):
        """What isinstance() tells a step: what its value is."""
        return Number if self.value is None or not asked_by_step(sys._getframe(1)) else type(self.value)

    def known(self):
        if self.value is None:
            raise TypeError("it is not known yet")
        return self.value

    def plain(self):
        """Its value, from now on part of the program."""
        Now.watch.checks[f"{self.text} == {told(self.known())}"] = None
        return self.value

    def __bool__(self):
        return bool(self != 0)


def arithmetic(symbol, function, reflected):
    """The method for an operator.  reflected: with the Number on the right."""
    turn = -1 if reflected else 1

    def method(self, other):
        if isinstance(other, Tensor):
            return NotImplemented
        if not isinstance(other, Number | int | float):
            return function(*(self.plain(), other)[::turn])
        other = other if isinstance(other, Number) else Number(told(other), other)
        sides = (self, other)[::turn]
        text = f"({sides[0].text} {symbol} {sides[1].text})"
        return Number(text, None if None in (self.value, other.value) else function(*[x.value for x in sides]))

    return method


def comparison(symbol, function):
    def method(self, other):
        other = other.plain() if isinstance(other, Number) else other
        found = function(self.known(), other)
        if isinstance(other, int | float):
            Now.watch.checks[f"({self.text} {symbol} {told(other)}) is {bool(found)}"] = None
        else:
            self.plain()
        return found

    return method


for name, symbol in dict(add="+", sub="-", mul="*", truediv="/", pow="**", floordiv="//", mod="%").items():
    setattr(Number, f"__{name}__", arithmetic(symbol, getattr(operator, name), False))
    setattr(Number, f"__r{name}__", arithmetic(symbol, getattr(operator, name), True))
for name, symbol in dict(lt="<", le="<=", gt=">", ge=">=", eq="==", ne="!=").items():
    setattr(Number, f"__{name}__", comparison(symbol, getattr(operator, name)))
for function in (float, int, round, abs, operator.index, operator.neg, math.trunc, math.floor, math.ceil):
    method = lambda self, *more, function=function: function(self.plain(), *more)
    setattr(Number, f"__{function.__name__}__", method)


# ------------------------------------------------------------------ operations that only programs have


class Called(Function):
    """function(first, ...), which changes gradients in place, once the leaves have the first inputs as theirs."""

    def __init__(self, function, first, leaves):
        self.function, self.first, self.leaves = function, first, leaves

    def forward(self, *arrays):
        for leaf, gradient in zip(self.leaves, arrays):
            leaf.grad = gradient.copy()
        return np.asarray(self.function(self.first, *[x.item() for x in arrays[len(self.leaves) :]]), float)

    def name(self):
        return self.function.__name__


class Gradient(Function):
    """What a leaf has in its .grad, once a function has changed it."""

    def __init__(self, leaf):
        self.leaf = leaf

    def forward(self, *_):
        return self.leaf.grad


def before_step(optimizer):
    """Call an optimizer's callbacks."""
    for callback in optimizer.before_step:
        callback()


# ------------------------------------------------------------------ a step


def step(seen, own, optimizer):
    """In place of Optimizer.step: of the course's own ones the update is noted, any other one steps afterwards.

    seen: a Watch.  own: the engine's function.
    """
    leaves = [p for p in optimizer.params if p.grad is not None]
    if not leaves or seen.after:
        words = "an optimizer's step() comes before all others" if leaves else "no parameter has a gradient"
        raise refused(f"{where()}: {words}.")
    noted, seen.stepped = len(seen.lines), False
    before = dict(seen.writes), [*seen.counts], dict(seen.checks)
    try:
        if type(optimizer) not in COURSE:
            raise TypeError
        update(seen, optimizer, leaves)
    except (TypeError, AttributeError):  # it does what no operation does: let it do so by itself
        del seen.lines[noted:]
        seen.writes, seen.counts, seen.checks = before
        later(seen, own, optimizer)
    seen.stepped = True


def later(seen, own, *arguments):
    """Note a call that comes when all is computed."""
    seen.after.append(f"{seen.called(partial(own, *arguments))}()")
    for thing in arguments:
        for held in (thing, getattr(thing, "optimizer", None)):
            seen.hide_numbers(getattr(held, "__dict__", {}))


def update(seen, optimizer, leaves):
    """Note an optimizer's own update of each leaf."""
    k = seen.called(optimizer)
    for key in vars(optimizer).keys() - {"_lr", "before_step", "params"}:
        seen.check(f"{k}.{key}", vars(optimizer)[key])
    seen.checks[f"{k}.params == {seen.called([*optimizer.params])}"] = None
    gradients, twin, trial = dict(zip(leaves, gradients_of(seen, leaves, optimizer))), copy(optimizer), copy(optimizer)
    twin._lr, trial._lr = Number(f"{k}._lr"), 1.0
    updated = [(leaf, memory) for leaf, memory in zip(optimizer.params, optimizer.memories) if leaf in gradients]
    for leaf, memory in updated:
        begin(memory, trial, vars(leaf)["data"])
        for source in seen.outside.sources.values():
            source.before = None if source.value is memory else source.before
    # __array_ufunc__ has to be replaced, since an update calls np.sqrt: anywhere else a Tensor means nothing to NumPy.
    with autograd.no_grad(), replaced(Tensor, "__array_ufunc__", of_tensors):
        for leaf, memory in updated:
            update_one(seen, twin, leaf, gradients[leaf], memory)
    for leaf in leaves:
        if isinstance(leaf.grad, Hidden):
            vars(leaf)["grad"] = None


def update_one(seen, twin, leaf, gradient, memory):
    """Note the update of one leaf.  twin: the optimizer, with a Number for its lr."""
    before = {key: kept(seen, memory, key) for key in memory}
    p, after = SimpleNamespace(data=leaf, grad=gradient, shape=leaf.shape), dict(before)
    twin.update(p, after)
    seen.writes[seen.name(leaf)] = seen.name(p.data)
    for key, old in before.items():
        if type(old) is not type(after[key]):
            raise TypeError
        if isinstance(old, Tensor):
            seen.writes[seen.names[old]] = seen.name(after[key])
        else:
            seen.counts.append(f"{old.text} = {after[key].text}")
    seen.hide_numbers(memory)


def begin(memory, twin, data):
    """Let an optimizer keep zeros before its first step, where it would keep nothing: one step shows what it keeps.

    twin: a copy of the optimizer with a number as lr.  data: the numbers of a leaf.
    """
    p, kept = SimpleNamespace(data=np.ones_like(data), grad=np.ones_like(data), shape=data.shape), {}
    twin.update(p, kept)
    for key, value in kept.items():
        memory.setdefault(key, np.zeros_like(value) if isinstance(value, np.ndarray) else type(value)())


def kept(seen, memory, key):
    """What stands for something that an optimizer keeps: a Tensor for an array, a Number for a number."""
    text = f"{seen.called(memory)}[{key!r}]"
    if not isinstance(memory[key], np.ndarray):
        return Number(text)
    x = result(seen.check(text, memory[key]))
    seen.names[x] = fresh("p", seen.names)
    return x


def of_tensors(_, ufunc, method, *inputs, **more):
    """What np.sqrt(x) means for a Tensor x while an optimizer's update is noted."""
    kinds = [kind for kind, name in UFUNCS.items() if name == ufunc.__name__]
    if not kinds or method != "__call__" or more:
        raise TypeError
    return getattr(ops, kinds[0])()(*inputs)


def follow(seen, own, buffer, numbers, share):
    """In place of conv.follow: a Buffer is written like a leaf. What reads it from now on reads its new numbers."""
    if buffer not in seen.followed:
        data = seen.check(f"{seen.called(buffer)}.data", vars(buffer)["data"])
        seen.followed[buffer] = seen.names[result(data)] = seen.name(buffer)
    with autograd.no_grad():
        seen.names[buffer] = seen.name(buffer + (numbers - buffer) * share)
    seen.writes[seen.followed[buffer]] = seen.names[buffer]


# ------------------------------------------------------------------ gradients that are changed before


def gradients_of(seen, leaves, optimizer):
    """The gradients for an update: as backward has noted them, or as they are once callbacks were called."""
    callbacks = seen.check(f"bool({seen.called(optimizer)}.before_step)", bool(optimizer.before_step))
    hidden = [p for p in leaves if isinstance(p.grad, Hidden)]
    noted = [seen.gradients[p][0] for p in hidden]
    if hidden == leaves and not callbacks:
        return noted
    return changed(seen, Called(before_step, optimizer, hidden), noted, leaves)[1]


def changed(seen, called, inputs, leaves):
    """Note a call that changes gradients: what it returns, and the leaves' gradients from then on, Tensors."""
    answer = seen.note(called, inputs, result(0.0))
    return answer, [seen.note(Gradient(p), (answer,), result(np.empty(p.shape, p.dtype))) for p in leaves]


def clip(seen, own, params, max_norm):
    """In place of clip_grad_norm_: called as it is, between the gradients and the update. Returns a Tensor."""
    params = [params] if isinstance(params, Tensor) else list(params)
    leaves = [p for p in params if p.grad is not None]
    if seen.stepped or not all(isinstance(p.grad, Hidden) for p in leaves):
        words = "after the optimizer's step" if seen.stepped else "from before the step: call backward() in it"
        raise refused(f"{where()} clips gradients {words}.")
    if not leaves:
        return own(params, max_norm)
    most = seen.tensor(max_norm, np.dtype(float)) if isinstance(max_norm, Number) else max_norm
    most = most if isinstance(most, Tensor) else result(np.asarray(most, float))
    inputs = *[seen.gradients[p][0] for p in leaves], most
    length, gradients = changed(seen, Called(own, leaves, leaves), inputs, leaves)
    for p, gradient in zip(leaves, gradients):
        seen.gradients[p] = gradient, p.grad
    return length

"""For compile() (15): everything that is noted while a step runs once.

Given.
"""

import sys
from contextlib import ExitStack
from functools import partial
from inspect import unwrap

import numpy as np

from . import autograd, updates
from .announce import Listener, listeners, replaced, unheard
from .compiler import fresh, noted, same_thing, settings
from .ops.arithmetic import Pow, PowerScalar
from .ops.function import Function
from .outside import each, put_together, taken_apart
from .refusals import (
    Changes,
    Given,
    Hidden,
    Now,
    as_given,
    asked_by_step,
    refuse,
    refuse_outdated,
    refused,
    shown,
    where,
)
from .sources import PLAIN, Outdated, is_number, same_worth
from .tensor import Tensor, as_tensors, result
from .updates import Number

# ------------------------------------------------------------------ arrays among an operation's settings


class With(Function):
    """Another operation, with the arrays among its settings as inputs as well, behind its own.

    So is each that does not belong to this package: it may have the name of one that does.
    """

    def __init__(self, function, own, filled):
        self.function, self.own, self.filled = function, own, filled

    def forward(self, *arrays):
        function = object.__new__(self.function)
        vars(function).update(each(lambda x: arrays[x] if isinstance(x, Hole) else x, self.filled))
        return function.forward(*arrays[: self.own])

    def name(self):
        return self.function.__name__ if is_given(self.function) else f"own {self.function.__name__}"


def is_given(kind):
    """Does a class of operations belong to this package?"""
    return kind.__module__.startswith(f"{__package__}.")


class Hole(int):
    """In settings: here belongs the input of this number."""


def hole(arrays, x):
    """A Hole for an array, which is put at the end of arrays as a Tensor; anything else as it is."""
    if not isinstance(x, np.ndarray):
        return x
    arrays.append(result(x))
    return Hole(len(arrays) - 1)


# ------------------------------------------------------------------ listening


ASKING_FOR_SHAPES = [getattr(Tensor, name).fget.__code__ for name in ("shape", "ndim", "size", "dtype")]


class Watch(Listener):
    """Everything that is noted while a function runs once.

    inputs: a list.  outside: the Outside of the function.  number: of the run, 0 or 1.
    closely: look at what is outside after each line.
    .lines, .writes, .numbers, .checks, .after, .objects: as in a Program.  .names: {Tensor: its name}.
    .places: {name: the line that it comes from}.  .gradients: {leaf: (its gradient, what is in its .grad instead)}.
    .given, .read: {name: array}, of inputs and of Numbers.  .outer: names of inputs that lie outside.
    .followed: {Buffer: its name before it was written}.  .counts: texts of what an optimizer counts.
    .fixed, .leaves, .anew: for a run that is compared with this one.
    .form, .rest, .returned, .ends: what fn returns and leaves behind.
    """

    def __init__(self, inputs, outside, number, closely):
        self.inputs, self.outside, self.number, self.refusals, self.outer = inputs, outside, number, [], set()
        views = {id(x): shown(x) for x in inputs}
        self.shown = [views[id(x)] for x in inputs]
        self.fixed, self.leaves, self.changes = {}, set(), Changes(outside, closely)
        self.given = {f"x{i}": vars(x)["data"] if isinstance(x, Tensor) else x for i, x in enumerate(inputs)}
        self.names = {x: f"x{i}" for i, x in enumerate(inputs) if isinstance(x, Tensor)}
        self.lines, self.places, self.gradients, self.writes, self.numbers = [], {}, {}, {}, {}
        self.checks, self.objects, self.counts, self.after, self.read, self.followed = {}, {}, [], [], {}, {}
        self.rule, self.stepped, self.settled, self.set_at, self.outdated = (None, None), False, set(), {}, []
        self.unforgotten = {}

    def called(self, thing):
        """A name for something that texts mention."""
        return self.objects.setdefault(id(thing), (f"k{len(self.objects)}", thing))[0]

    def check(self, text, value):
        """Note that the program is right only as long as the text gives this value.  Returns the value."""
        self.checks[f"{text} is {self.called(value)}"] = None
        return value

    def name(self, x):
        """The name of a Tensor that is read from now on."""
        if x not in self.names:
            name = self.names[x] = fresh("p" if x.requires_grad else "c", self.names)
            self.places[name] = where()
        return self.names[x]

    def note(self, function, inputs, out):
        """Write one call down as a Line; arrays that belong to the operation become inputs.  Returns out.

        function: a Function, inputs: its Tensors.  out: the result, a Tensor.
        """
        arrays = [*inputs]
        own = settings(function)
        filled = own and each(partial(hole, arrays), own)
        if len(arrays) > len(inputs) or not is_given(type(function)):
            function = With(type(function), len(inputs), filled)
        line, place = unheard(noted, function, arrays, out, self.names), where()  # noted reads .data
        array = vars(out)["data"]
        if array.size and not np.may_share_memory(line.like, array):
            raise ValueError("noted put a copy into a line. Its like must be the array of out: see exercise 15.1.")
        self.lines.append(line)
        for name in (line.name, *line.inputs):
            self.places.setdefault(name, place)
        return out

    def computes(self, function, inputs):
        """Let a Function compute, and note it, or the smaller operations that it is made of."""
        if self.stepped:
            raise refused(f"{where()} computes after the optimizer's step. That step must be the last one.")
        if isinstance(function, Pow) and isinstance(inputs[1], Number):
            return PowerScalar(inputs[1].plain())(inputs[0])
        if any(type(x) is Number for x in inputs):
            beside = next((x.dtype for x in inputs if isinstance(x, Tensor)), None)
            inputs = [self.tensor(x, beside) if type(x) is Number else x for x in inputs]
        inputs = as_tensors(tuple(inputs))
        before = object.__new__(type(function))  # forward may put something aside
        vars(before).update(vars(function), inputs=())
        out, parts = unheard(function, *inputs), None
        if type(function).parts is not Function.parts:
            with autograd.no_grad():
                parts = before.parts(*inputs)
        if parts is None:
            return self.note(before, inputs, out)
        self.names[out] = self.name(parts)
        return out

    def asks(self, node, gradient):
        """Remember whose rule it is that computes now."""
        self.rule = node._op.name(), getattr(unwrap(node._op.backward), "__code__", None)

    def walks_back(self, root, grad=None):
        """Note gradients; each leaf's .grad says only that there is one."""
        if not root.requires_grad:
            raise refused(f"{where()} calls backward on a Tensor that requires no grad.")
        self.check(f"{self.called(autograd.Recording)}.on", autograd.Recording.on)
        with autograd.no_grad():
            ledger = autograd.gradients(root, root.initial_gradient(grad))
            for leaf in [node for node in ledger if node._op is None]:
                mine, there = self.gradients.get(leaf, (None, None))
                if leaf in self.inputs and self.outside.inputs[self.inputs.index(leaf)]._op is not None:
                    words = "calls backward through an input that operations have made. Give the step x.detach(), or"
                    raise refused(f"{where()} {words} compute it inside.")
                adds = f"{where()} adds to a gradient from before the step: call zero_grad() before this line."
                if leaf.grad is not None and (leaf not in self.settled or leaf.grad is not there):
                    raise refused(adds)
                if leaf not in self.settled:
                    self.settled.add(leaf)
                    self.unforgotten[leaf] = adds
                total = ledger[leaf] if leaf.grad is None else mine + ledger[leaf]
                vars(leaf)["grad"] = Hidden(vars(total)["data"])
                self.gradients[leaf] = total, leaf.grad

    def calls(self, function, *inputs, **named):
        """What a program does in place of a method that is @announced."""
        own, name = function.__wrapped__, function.__qualname__
        if name == "Tensor.detach":
            return self.detached(*inputs)
        if name == "Tensor.backward":
            return self.walks_back(*inputs, **named)
        if name not in CALLED_LATER:
            return own(*inputs, **named)
        if not self.changes.closely:
            self.changes.look(where)  # what is changed back until then would not be noticed
        return CALLED_LATER[name](self, own, *inputs, **named)

    def detached(self, x):
        """The same numbers under the same name, without a history."""
        out = result(vars(x)["data"])
        self.names[out] = self.name(x)
        return out

    def drawn(self, own, dropout, shape):
        """An input that is drawn anew in each run of the program. In the second run of the step it is the opposite."""
        place, checks, draw = len(self.numbers), dict(self.checks), partial(own, dropout, shape)
        kept = self.changes.allow(draw, dropout.rng.bit_generator)
        self.checks = checks  # p is read anew in each draw
        if self.number:
            kept = ~kept
            kept.flat[place - 1 : place] ^= True  # no two are equal
        self.numbers[f"n{place}"], self.given[f"n{place}"] = f"{self.called(draw)}()", kept
        return kept

    def tensor(self, number, dtype):
        """A Number as a Tensor: an input that is computed anew in each run."""
        for x, name in self.names.items():
            if self.numbers.get(name) == number.text and x.dtype == dtype:
                return x
        value = number.value
        if value is None:  # an optimizer's: what its text gives now
            value = eval(number.text, {"inf": np.inf, "nan": np.nan, **dict(self.objects.values())})
        x, name = result(np.array(value, dtype)), f"n{len(self.numbers)}"
        self.names[x], self.numbers[name], self.read[name] = name, number.text, vars(x)["data"]
        return x

    def hidden(self, x):
        """In place of Tensor.data: nothing but shape and dtype, but for constants and within an operation."""
        array = vars(x)["data"]
        if not listeners:
            return array
        if x.requires_grad or self.names.get(x, "c")[0] != "c":
            return Hidden(array)
        if x not in self.settled and sys._getframe(1).f_code not in ASKING_FOR_SHAPES:
            self.checks[f"{self.called(partial(same_worth, same_thing(array)))}({self.called(x)}.data)"] = None
            array = array.view()
            array.flags.writeable = False
        return array

    def put(self, x, array):
        """In place of setting Tensor.data: the step may do so for a Tensor that it makes."""
        if "data" not in vars(x):
            self.settled.add(x)
        elif x not in self.settled:
            words = "changes the numbers of a Tensor that it did not make. A program would not: let an optimizer do so."
            raise refused(f"{where()} {words}")
        vars(x)["data"] = array

    def gradient(self, x):
        """In place of Tensor.grad: whether there is one from before the step is checked in each run."""
        there = vars(x).get("grad")
        if x not in self.settled:
            self.checks[f"({self.holder(x)}.grad is None) is {there is None}"] = None
        if asked_by_step(sys._getframe(1)):
            if x._op is not None:  # backward has left nothing here
                refuse()
            return Hidden(there) if isinstance(there, np.ndarray) else there
        return there

    def put_gradient(self, x, gradient):
        """In place of setting Tensor.grad."""
        self.settled.add(x)
        self.set_at[x] = len(self.lines)
        self.unforgotten.pop(x, None)
        vars(x)["grad"] = gradient

    def holder(self, x):
        """Python that means a Tensor from outside of the step."""
        name = self.names.get(x, "")
        return f"given[{name[1:]}]" if name[:1] == "x" else self.called(x)

    # The whole run.

    def run(self, fn, form):
        """Let fn run. Nothing is updated, and no random number is used up.  form: of its inputs."""
        self.form_of_inputs = form
        args, more = put_together(form, iter(self.shown))
        # .data and .grad have to be replaced, since an attribute announces nothing when it is read. Refusals ask Now.
        data, grad = property(self.hidden, self.put), property(self.gradient, self.put_gradient)
        there = [(Tensor, "data", data), (Tensor, "grad", grad), (Now, "watch", self)]
        there += [(np, name, as_given(getattr(np, name))) for name in ("array", "asarray")]
        try:
            with ExitStack() as stack:
                for what in there:
                    stack.enter_context(replaced(*what))
                stack.enter_context(np.errstate(all="ignore"))
                stack.enter_context(self)
                with self.changes:
                    out = fn(*args, **more)
                    self.show_again()
                for refusal in self.refusals:
                    raise refusal
                self.answers(out, self.changes.line)
                left = {self.name(x): self.name(g) for x, (g, mine) in self.gradients.items() if x.grad is mine}
                called = [(n, x.function) for n, x in enumerate(self.lines) if isinstance(x.function, updates.Called)]
                given = {leaf: n for n, function in called for leaf in function.leaves}  # it has a gradient from there
                empty = [x for x, n in self.set_at.items() if x.grad is None and n > given.get(x, -1)]
                self.after += [f"{self.holder(x)}.grad = None" for x in empty]
                for adds in [adds for x, adds in self.unforgotten.items() if x not in self.inputs]:
                    raise refused(adds)  # the next call would
                self.ends = self.outputs, left, self.writes, self.numbers, self.counts
        finally:
            self.show_again()
            for leaf in self.gradients:
                leaf.grad = None

    def hide_numbers(self, held):
        """Hide what a step() will change at the end of the program: the step would find what was there before.

        held: the dict of an object's attributes, say.
        """
        for key, value in held.items():
            if is_number(value):
                self.outdated.append((held, key, value))
                held[key] = Outdated(key.lstrip("_"))

    def show_again(self):
        """Put back what hide_numbers has hidden."""
        while self.outdated:
            held, key, value = self.outdated.pop()
            if isinstance(held[key], Outdated):
                held[key] = value

    def answers(self, out, line):
        """Note what the step returns.  line: the last one."""
        leaves, self.rest, self.returned = [], [], line
        self.form = taken_apart(out, leaves)
        for x in leaves:
            x = x.plain() if isinstance(x, Number) else x
            if isinstance(x, Outdated):
                refuse_outdated(x, line=line)
            place = next((i for i, given in enumerate(self.shown) if x is given and isinstance(x, Given)), None)
            if not isinstance(x, (Tensor, *PLAIN)) and place is None:
                kind = "an array" if isinstance(x, np.ndarray | Hidden) else f"something of type {type(x).__name__}"
                raise refused(f"{line} returns {kind}. A program returns Tensors, plain numbers and texts.")
            self.rest.append(None if isinstance(x, Tensor) else (place, None if place is not None else x))
        self.outputs, self.rest = tuple([self.name(x) for x in leaves if isinstance(x, Tensor)]), tuple(self.rest)


# What a program calls again: {what is @announced: what is noted of it}.
CALLED_LATER = {
    "Dropout.kept": Watch.drawn,
    "Optimizer.step": updates.step,
    "Schedule.step": updates.later,
    "clip_grad_norm_": updates.clip,
    "follow": updates.follow,
}

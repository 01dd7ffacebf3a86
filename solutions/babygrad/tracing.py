"""What a function of Tensors does, written down as a Program.

trace() lets the function run, and notes each call of a Function, forward and backward, as a Line. It does so twice,
with other numbers and nothing updated: what differs from run to run without being an input has no place in a program,
and is refused with the line that it comes from.
"""

import sys
from contextlib import ExitStack, contextmanager
from copy import copy
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from . import autograd, ops, optim
from .nn import Module
from .normalize import Dropout
from .ops.function import Function
from .tensor import Tensor, as_tensors, result
from .training import GradientDescent


class CannotCompile(RuntimeError):
    """A step did what no program can do again with other numbers."""


class Line(NamedTuple):
    """name = function(*inputs).  inputs: names.  like: an array of the result's shape and dtype."""

    name: str
    function: Function
    inputs: tuple
    like: np.ndarray

    def __str__(self):
        plain = [f"{key}={x}" for key, x in settings(self.function).items() if type(x) in (int, float, tuple, bool)]
        return f"{self.name} = {self.function.name().lower()}({', '.join([*self.inputs, *plain])})"


class Program(NamedTuple):
    """What a function does, in order. Everything in it has a name.

    lines: Lines.  inputs: {name: an example}.  leaves: {name: Tensor}, whose numbers are read anew in each run.
    constants: {name: array}.  outputs: names of what is returned.
    gradients: {name: name of its gradient}, of leaves and inputs, which the function leaves in their .grad.
    writes: {name of a leaf, or of a line that reads what an optimizer keeps: name of what replaces its numbers}.
    draws: {name: a function that draws it}, inputs too.  after: functions that are called when all is computed.
    watched: triples (object, expression with {} for the object, what it gives as long as the program is right).
    """

    lines: tuple
    inputs: dict
    leaves: dict
    constants: dict
    outputs: tuple
    gradients: dict
    writes: dict
    draws: dict
    after: tuple
    watched: tuple

    def __str__(self):
        given = [f"given {name} {array.shape}" for name, array in (self.inputs | self.leaves).items()]
        numbers = [f"{name} = {array:g}" for name, array in self.constants.items() if not array.shape]
        lines = [f"{line!s:<60} {line.like.shape}" for line in self.lines]
        ends = [f"{name}.grad = {gradient}" for name, gradient in self.gradients.items()]
        ends += [f"{name}[...] = {new}" for name, new in self.writes.items()]
        return "\n".join([*given, *numbers, *lines, *ends, f"return {', '.join(self.outputs)}"])

    @property
    def wanted(self):
        """The names that must be there at the end."""
        return {*self.outputs, *self.gradients.values(), *self.writes.values()}


def settings(function):
    """What belongs to an operation besides its inputs: {name: value}."""
    return {key: value for key, value in vars(function).items() if key != "inputs"}


def mapped(change, thing):
    """A setting with each part of its tuples and lists changed."""
    return type(thing)([mapped(change, x) for x in thing]) if type(thing) in (tuple, list) else change(thing)


def frozen(thing):
    """A value as something that can be a key: two of them are equal only if the values are, bit by bit."""
    if isinstance(thing, np.ndarray):
        return thing.shape, thing.dtype.str, thing.tobytes()
    if type(thing) in (tuple, list):
        return tuple([frozen(part) for part in thing])
    return type(thing), id(thing) if isinstance(thing, dict) else repr(thing)


# ------------------------------------------------------------------ operations that only programs have


class With(Function):
    """Another operation, with the arrays that belong to it as inputs as well, behind its own."""

    def __init__(self, function, own, holes):
        self.function, self.own, self.holes = function, own, holes

    def forward(self, *arrays):
        function = object.__new__(self.function)
        for key, value in self.holes:
            setattr(function, key, mapped(lambda x: arrays[x] if isinstance(x, Hole) else x, value))
        return function.forward(*arrays[: self.own])

    def name(self):
        return self.function.__name__


class Hole(int):
    """In settings: here belongs the input of this number."""


class Taken(Function):
    """An input of the program as the function took it: in another shape, or with another dtype."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, dtype

    def forward(self, a):
        return a.reshape(self.shape).astype(self.dtype, copy=False)


class Kept(Function):
    """Something that an optimizer keeps, read anew in each run.  holder: a dict.  key: its name there."""

    def __init__(self, holder, key):
        self.holder, self.key = holder, key


class Places(Function):
    """Where the right scores (N,) are, counted through all rows.  first: the place of each row's first one."""

    def __init__(self, classes):
        self.classes = classes

    def forward(self, targets, first):
        if np.maximum.reduce(targets.view(f"u{targets.itemsize}"), initial=0) >= self.classes:
            raise ValueError(f"targets are numbers of classes, from 0 to {self.classes - 1}, but they are {targets}")
        return targets + first


class Pick(Function):
    """The numbers of a at places (N,), counted through all rows of a."""

    def forward(self, a, places):
        return a.take(places)


class LessOne(Function):
    """a, less 1 at places (N,), counted through all rows of a."""

    def forward(self, a, places):
        a = a.copy()
        a.reshape(-1)[places] -= 1
        return a


def powers(function, scores):
    """For scores (N, C), less each row's highest: exp of them; its sums; the right scores without exp; their places."""
    rows, classes = scores.shape
    places = Places(classes)(result(function.targets), result(np.arange(rows) * classes))
    below = scores - ops.max(scores, 1, keepdims=True)
    right, all_powers = Pick()(below, places), ops.exp(below)
    return all_powers, ops.summation(all_powers, 1, keepdims=True), right, places


def cross_entropy(function, scores):
    _, sums, right, _ = powers(function, scores)
    return (ops.summation(ops.log(sums)) - ops.summation(right)) / len(scores)


def softmax_minus_one_hot(function, scores):
    all_powers, sums, _, places = powers(function, scores)
    return LessOne()(all_powers / sums, places)


def constant(number, a):
    return result(np.array(number, a.dtype))


PARTS = {  # operations that are several at once, as those several
    "Affine": lambda _, x, weight, bias: x @ weight + bias,
    "TimesTransposed": lambda _, a, b: a @ ops.transpose(b),
    "TransposedTimes": lambda _, a, b: ops.transpose(a) @ b,
    "Mean": lambda f, a: ops.summation(a, f.axes, f.keepdims) / f.count(a.shape),
    "AddScalar": lambda f, a: a + constant(f.scalar, a),
    "MulScalar": lambda f, a: a * constant(f.scalar, a),
    "DivScalar": lambda f, a: a / constant(f.scalar, a),
    "PowerScalar": lambda f, a: {1: a, 2: a * a}.get(f.scalar),
    "CrossEntropy": cross_entropy,
    "SoftmaxMinusOneHot": softmax_minus_one_hot,
}

# ------------------------------------------------------------------ watching


class Hidden:
    """What a function may know of a traced array: its shape and its dtype."""

    def __init__(self, array):
        self.shape, self.ndim, self.size, self.dtype = array.shape, array.ndim, array.size, array.dtype

    def __len__(self):
        return self.shape[0]


def refuse(*_, **__):
    raise CannotCompile(
        f"{where()} reads the numbers of a traced Tensor (.data, .grad, item(), an if, or a NumPy function). "
        "A program runs again with other numbers: use operations on Tensors."
    )


OPERATORS = "bool float int index array array_ufunc iter getitem setitem getattr neg add sub mul truediv pow matmul"
OPERATORS += " radd rsub rmul rtruediv rpow rmatmul lt le gt ge eq ne"
for name in OPERATORS.split():
    setattr(Hidden, f"__{name}__", refuse)


def where():
    """The line that is to blame: of a rule if one is running, otherwise outside of the package."""
    frame, here = sys._getframe(1), str(Path(__file__).parent)
    while frame.f_back and frame.f_code.co_filename.startswith(here) and frame.f_code.co_name != "backward":
        frame = frame.f_back
    function, line = frame.f_locals.get("self"), f"line {frame.f_lineno} of {Path(frame.f_code.co_filename).name}"
    return f"the rule of {function.name()}, {line}," if isinstance(function, Function) else line


class Watch:
    """Everything that is noted while a function runs once.  number: of the run, 0 or 1."""

    def __init__(self, inputs, number):
        self.given = {f"x{i}": vars(x)["data"] if isinstance(x, Tensor) else x for i, x in enumerate(inputs)}
        self.names = {id(x): f"x{i}" for i, x in enumerate(inputs) if isinstance(x, Tensor)}
        self.number, self.lines, self.leaves, self.constants, self.places = number, [], {}, {}, {}
        self.gradients, self.writes, self.draws, self.after, self.watched = {}, {}, {}, [], {}
        self.inside, self.stepped, self.kept = False, False, list(inputs)
        self.own_call, self.own_draw = Function.__call__, Dropout.kept
        self.own_step, self.own_schedule = optim.Optimizer.step, optim.Schedule.step

    def name(self, x):
        """The name of a Tensor. A new one is a leaf if it requires grad, otherwise a constant."""
        if id(x) not in self.names:
            self.kept.append(x)  # so that no other Tensor takes its id
            there, letter = (self.leaves, "p") if x.requires_grad else (self.constants, "c")
            name = self.names[id(x)] = f"{letter}{len(there)}"
            there[name], self.places[name] = x, where()
        return self.names[id(x)]

    def note(self, function, inputs, out):
        """Write one call down as a Line; arrays that belong to the operation become inputs.  Returns out.

        function: a Function, inputs: its Tensors.  out: the result, a Tensor.
        """
        arrays = [*inputs]
        holes = [(key, mapped(partial(emptied, arrays), value)) for key, value in settings(function).items()]
        if len(arrays) > len(inputs):
            function = With(type(function), len(inputs), holes)
        self.kept.append(out)
        name = self.names[id(out)] = f"v{len(self.lines)}"
        self.lines.append(Line(name, function, tuple([self.name(x) for x in arrays]), vars(out)["data"]))
        self.places[name] = where()
        return out

    def call(self, function, *inputs):
        """In place of Function.__call__."""
        if self.inside:
            return self.own_call(function, *inputs)
        if self.stepped:
            raise CannotCompile(f"{where()} computes after the optimizer's step. That step must be the last one.")
        inputs, before, self.inside = as_tensors(inputs), copy(function), True
        before.inputs = ()
        try:
            out = self.own_call(function, *inputs)
        finally:
            self.inside = False
        with autograd.no_grad():
            parts = PARTS.get(function.name(), lambda *_: None)(before, *inputs)
        if parts is None:
            return self.note(before, inputs, out)
        self.names[id(out)] = self.name(parts)
        self.kept.append(out)
        return out

    def data(self, x):
        """In place of Tensor.data: hidden, but for constants and within an operation."""
        traced = x.requires_grad or self.names.get(id(x), "c")[0] != "c"
        return Hidden(vars(x)["data"]) if traced and not self.inside else vars(x)["data"]

    def training(self, module):
        """In place of Module.training."""
        return self.watch(module, "{}.training", vars(module).get("training", True))

    def watch(self, thing, expression, value):
        """Note that the program is right only as long as the expression gives this value.  Returns the value."""
        self.watched[id(thing), expression] = thing, expression, value
        return value

    def backward(self, root, grad=None):
        """In place of Tensor.backward: gradients are noted, and each leaf's .grad says only that there is one."""
        if not root.requires_grad:
            raise CannotCompile(f"{where()} calls backward on a Tensor that requires no grad.")
        with autograd.no_grad():
            ledger = autograd.gradients(root, root.initial_gradient(grad))
            for leaf in [node for node in ledger if node._op is None]:
                mine, there = self.gradients.get(leaf, (None, None))
                if leaf.grad is not None and leaf.grad is not there:
                    raise CannotCompile(f"{where()} adds to a gradient from before the step: call zero_grad() in it.")
                total = ledger[leaf] if leaf.grad is None else mine + ledger[leaf]
                leaf.grad = Hidden(vars(total)["data"])
                self.gradients[leaf] = total, leaf.grad

    def drawn(self, module, shape):
        """In place of Dropout.kept: an input that is drawn anew in each run. In the second run it is the opposite."""
        generator, draw = module.rng.bit_generator, partial(self.own_draw, module, shape)
        state, name = generator.state, f"r{len(self.draws)}"
        self.draws[name], self.given[name] = draw, draw() != bool(self.number)
        generator.state = state
        return self.given[name]

    def step(self, optimizer):
        """In place of Optimizer.step: of the course's own ones the update is noted, any other one steps afterwards."""
        leaves = [p for p in optimizer.params if isinstance(p.grad, Hidden)]
        if not leaves or self.after:
            words = "an optimizer's step() comes before all others" if leaves else "no parameter has a gradient"
            raise CannotCompile(f"{where()}: {words}.")
        self.watch(optimizer, "not {}.before_step", not optimizer.before_step)
        noted, writes, self.stepped = len(self.lines), dict(self.writes), False
        try:
            if type(optimizer) not in COURSE or optimizer.before_step:
                raise TypeError
            self.update(optimizer, leaves)
        except (TypeError, AttributeError):  # it does what no operation does: let it do so by itself
            del self.lines[noted:]
            self.writes = writes
            self.after.append(partial(self.own_step, optimizer))
        self.stepped = True

    def update(self, optimizer, leaves):
        """An optimizer's own update of each leaf, on Tensors in place of arrays."""
        for key in vars(optimizer).keys() - {"_lr", "before_step"}:
            self.watch(optimizer, f"{{}}.{key}", vars(optimizer)[key])
        for leaf, memory in zip(optimizer.params, optimizer.memories):
            if leaf in leaves:
                twin, p = copy(optimizer), SimpleNamespace(data=leaf, grad=self.gradients[leaf][0], shape=leaf.shape)
                twin._lr = self.kept_by(vars(optimizer), "_lr")
                begin(memory, optimizer, vars(leaf)["data"])
                before = {key: self.kept_by(memory, key) for key in memory}
                after = dict(before)
                with autograd.no_grad(), replaced(Tensor, "__array_ufunc__", of_tensors):
                    twin.update(p, after)
                pairs = [(leaf, p.data), *((before[key], after[key]) for key in before)]
                self.writes |= {self.name(old): self.name(new) for old, new in pairs}
        for leaf in leaves:
            leaf.grad = None

    def kept_by(self, holder, key):
        """A Tensor that stands for what an optimizer keeps."""
        return self.note(Kept(holder, key), (), result(np.array(holder[key], copy=None)))


COURSE = (GradientDescent, optim.SGD, optim.RMSprop, optim.Adam, optim.AdamW)
UFUNCS = {np.sqrt: ops.sqrt, np.square: lambda a: a * a, np.add: ops.add, np.subtract: ops.sub, np.multiply: ops.mul}
UFUNCS |= {np.divide: ops.div, np.power: ops.pow, np.abs: ops.abs}


def of_tensors(_, ufunc, method, *inputs, **more):
    """What np.sqrt(x) means for a Tensor x while an optimizer's update is noted."""
    if ufunc not in UFUNCS or method != "__call__" or more:
        raise TypeError
    return UFUNCS[ufunc](*inputs)


def begin(memory, optimizer, data):
    """Let an optimizer keep zeros before its first step, where it would keep nothing: one step shows what it keeps."""
    p, trial = SimpleNamespace(data=np.ones_like(data), grad=np.ones_like(data), shape=data.shape), {}
    optimizer.update(p, trial)
    for key, value in trial.items():
        memory.setdefault(key, np.zeros_like(value) if isinstance(value, np.ndarray) else type(value)())


def emptied(arrays, x):
    """A Hole for an array, which is put at the end of arrays as a Tensor; anything else as it is."""
    if not isinstance(x, np.ndarray):
        return x
    arrays.append(result(x))
    return Hole(len(arrays) - 1)


# ------------------------------------------------------------------ from two runs to a program


@contextmanager
def replaced(owner, name, new):
    """While it lasts, owner.name is another."""
    there, own = name in vars(owner), vars(owner).get(name)
    setattr(owner, name, new)
    try:
        yield
    finally:
        setattr(owner, name, own) if there else delattr(owner, name)


def watch(fn, seen, inputs):
    """Let a Watch see fn(*inputs). Nothing is updated, and no random number is used up."""
    with ExitStack() as stack, np.errstate(all="ignore"):
        for owner, name, new in (
            (Function, "__call__", lambda function, *inputs: seen.call(function, *inputs)),
            (Tensor, "data", property(seen.data, lambda x, array: vars(x).update(data=array))),
            (Tensor, "backward", lambda root, grad=None: seen.backward(root, grad)),
            (Module, "training", property(seen.training, lambda module, mode: vars(module).update(training=mode))),
            (Dropout, "kept", lambda module, shape: seen.drawn(module, shape)),
            (optim.Optimizer, "step", lambda optimizer: seen.step(optimizer)),
            (optim.Schedule, "step", lambda schedule: seen.after.append(partial(seen.own_schedule, schedule))),
        ):
            stack.enter_context(replaced(owner, name, new))
        out = fn(*inputs)
        outputs = tuple([seen.name(x) for x in (out if isinstance(out, tuple) else (out,))])
        left = {seen.name(leaf): seen.name(g) for leaf, (g, mine) in seen.gradients.items() if leaf.grad is mine}
        seen.ends = outputs, left, seen.writes


def trace(fn, *inputs):
    """The Program of fn: what it does with inputs of these shapes and dtypes.

    fn: a function of Tensors and arrays that returns a Tensor, or a tuple of Tensors. It may call backward(), and at
        its end an optimizer's and a schedule's step(): they are noted, and nothing is updated.
    inputs: Tensors and arrays.  Anything else, such as a plain number, belongs to the program as it is.
    Raises CannotCompile, with the line, where fn looks at the numbers of a traced Tensor, or uses an array that changes
    from run to run and is no input. What fn makes of an input with NumPy is noticed only if it differs for other
    numbers of the same kind: make it outside of fn. Plain arrays and numbers that are no inputs are read once, here.
    """
    twins = [other(x, 1 + i) for i, x in enumerate(inputs)]
    first, second = Watch(inputs, 0), Watch(twins, 1)
    try:
        watch(fn, first, inputs)
        for x, twin in zip(inputs, twins):
            if isinstance(x, Tensor):
                twin.grad = x.grad
        watch(fn, second, twins)
    finally:
        for leaf in {**first.gradients, **second.gradients}:
            leaf.grad = None
    return both(first, second)


def other(x, place):
    """An input of the same kind with other numbers, to see what depends on them.  place: how far they are rolled."""
    array = vars(x)["data"] if isinstance(x, Tensor) else x
    if not isinstance(array, np.ndarray):
        return x
    rolled = np.roll(array, 1 + place % max(1, array.size - 1))
    if array.dtype.kind == "f":
        rolled = np.asarray(rolled * (1 + place * 2**-10) + place * 2**-10, array.dtype)
    elif array.size and (array == array.flat[0]).all():
        rolled.flat[0] = not array.flat[0] if array.flat[0] < 2 else array.flat[0] - 1
    if not isinstance(x, Tensor):
        return rolled
    twin = result(rolled)
    twin.requires_grad = x.requires_grad
    return twin


def both(first, second):
    """The Program that two runs agree on.  Raises CannotCompile where they do not."""
    for one, two in zip(first.lines, second.lines):
        if alike(one) != alike(two):
            raise CannotCompile(f"{first.places[one.name]} does something else with other numbers.")
    if len(first.lines) != len(second.lines) or first.ends != second.ends:
        raise CannotCompile("the function does more, or returns something else, with other numbers.")
    lines, leaves, constants = [], {}, {}
    for name, x in (first.leaves | first.constants).items():
        twin, place = (second.leaves | second.constants)[name], first.places[name]
        one, two = vars(x)["data"], vars(twin)["data"]
        sources = [given for given in first.given if is_given(first, given, one) and is_given(second, given, two)]
        if x is twin:
            leaves[name] = x
            first.watch(x, "{}.data", one)
        elif len(sources) > 1 and one.size:
            raise CannotCompile(f"{place} could take either of two inputs: compile it with different numbers in them.")
        elif sources:
            lines.append(Line(name, Taken(one.shape, one.dtype), (sources[0],), one))
        elif frozen(one) == frozen(two):
            constants[name] = one
        else:
            raise CannotCompile(f"{place} uses numbers that change from call to call. Make them an input.")
    given = {name: array for name, array in first.given.items() if isinstance(array, np.ndarray)}
    outputs, left, writes = first.ends
    left = {name: gradient for name, gradient in left.items() if name in leaves or name in given}
    lines, watched = (*lines, *first.lines), tuple(first.watched.values())
    return Program(lines, given, leaves, constants, outputs, left, writes, first.draws, tuple(first.after), watched)


def is_given(run, name, array):
    """Are these the numbers of an input, in whatever shape and dtype?"""
    given = run.given[name]
    sizes = isinstance(given, np.ndarray) and given.size == array.size
    return sizes and np.array_equal(given.ravel(), array.ravel(), equal_nan=True)


def alike(line):
    """What must be the same of a Line in both runs."""
    function = frozen(tuple(settings(line.function).items()))
    return type(line.function), function, line.inputs, line.like.shape, line.like.dtype

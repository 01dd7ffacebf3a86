"""What a function of Tensors does, written down as a Program; compile() makes a function of NumPy of it. Given code.

trace() lets the function run, and notes each call of a Function, forward and backward, as a Line. It does so twice,
with other numbers and nothing updated: what differs from run to run without being an input has no place in a program,
and is refused with the line that it comes from.
"""

import operator
import random
import sys
from contextlib import ExitStack, contextmanager
from copy import copy
from functools import partial
from inspect import unwrap
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from . import autograd, compiler, ops, optim
from .compiler import UFUNCS, Line, Program, fresh, kind_of, noted, renamed, same_thing, settings
from .normalize import Dropout
from .ops.function import Function
from .outside import ABSENT, PLAIN, Argument, Outside, each, is_number, line_of, put_together, taken_apart
from .refusals import CannotCompile, Given, Hidden, Lines, Now, put_state, refused, state_of, where
from .tensor import Tensor, as_tensors, result
from .training import GradientDescent

__all__ = ["CannotCompile", "compile", "trace"]


# ------------------------------------------------------------------ operations that only programs have


class With(Function):
    """Another operation, with the arrays among its settings as inputs as well, behind its own."""

    def __init__(self, function, own, filled):
        self.function, self.own, self.filled = function, own, filled

    def forward(self, *arrays):
        function = object.__new__(self.function)
        vars(function).update(each(lambda x: arrays[x] if isinstance(x, Hole) else x, self.filled))
        return function.forward(*arrays[: self.own])

    def name(self):
        return self.function.__name__


class Hole(int):
    """In settings: here belongs the input of this number."""


def hole(arrays, x):
    """A Hole for an array, which is put at the end of arrays as a Tensor; anything else as it is."""
    if not isinstance(x, np.ndarray):
        return x
    arrays.append(result(x))
    return Hole(len(arrays) - 1)


class Taken(Function):
    """An input of the program as the function took it: in another shape, or with another dtype."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, dtype

    def forward(self, a):
        return a.reshape(self.shape).astype(self.dtype, copy=False)


def before_step(optimizer):
    """Call an optimizer's callbacks."""
    for callback in optimizer.before_step:
        callback()


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


# ------------------------------------------------------------------ an optimizer's update


class Number:
    """A plain number that an optimizer keeps, or that a step reads from outside, or what is made of it.

    text: Python that computes it.  value: what it is while the step is traced; None for one that nobody may know.
    Where a plain number is needed, or a comparison, the program is right only as long as it comes out as it does now.
    """

    __array_ufunc__ = None  # so that NumPy leaves np.ones(2) * x to x

    def __init__(self, text, value=None):
        self.text, self.value = text, value

    def plain(self):
        """Its value, from now on part of the program."""
        if self.value is None:
            raise TypeError("it is not known yet")
        Now.watch.checks[f"{self.text} == {told(self.value)}"] = None
        return self.value

    def __bool__(self):
        return bool(self != 0)

    __hash__ = None


def told(number):
    """A number as Python writes it."""
    return repr(number.item() if isinstance(number, np.generic) else number)


def arithmetic(symbol, function, reflected):
    def method(self, other):
        if isinstance(other, Tensor):
            return NotImplemented
        if not isinstance(other, Number | int | float):
            return function(*(other, self.plain())[:: 1 if reflected else -1])
        texts = [self.text, other.text if isinstance(other, Number) else told(other)]
        values = [self.value, other.value if isinstance(other, Number) else other]
        turn = -1 if reflected else 1
        value = None if None in values else function(*values[::turn])
        return Number(f"({f' {symbol} '.join(texts[::turn])})", value)

    return method


def comparison(symbol, function):
    def method(self, other):
        other = other.plain() if isinstance(other, Number) else other
        if self.value is None:
            raise TypeError("it is not known yet")
        found = function(self.value, other)
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
for name in ("float", "int", "index", "neg", "abs", "round", "trunc", "floor", "ceil"):
    function = dict(float=float, int=int, round=round).get(name) or getattr(operator, name, None)
    function = function or getattr(__import__("math"), name)
    setattr(Number, f"__{name}__", lambda self, *more, function=function: function(self.plain(), *more))

COURSE = (GradientDescent, optim.SGD, optim.RMSprop, optim.Adam, optim.AdamW)


def of_tensors(_, ufunc, method, *inputs, **more):
    """What np.sqrt(x) means for a Tensor x while an optimizer's update is noted."""
    kinds = [kind for kind, name in UFUNCS.items() if name == ufunc.__name__]
    if not kinds or method != "__call__" or more:
        raise TypeError
    return getattr(ops, kinds[0])()(*inputs)


def begin(memory, optimizer, data):
    """Let an optimizer keep zeros before its first step, where it would keep nothing: one step shows what it keeps."""
    p, trial = SimpleNamespace(data=np.ones_like(data), grad=np.ones_like(data), shape=data.shape), {}
    twin = copy(optimizer)
    twin._lr = 1.0
    twin.update(p, trial)
    for key, value in trial.items():
        memory.setdefault(key, np.zeros_like(value) if isinstance(value, np.ndarray) else type(value)())


# ------------------------------------------------------------------ watching


class Watch:
    """Everything that is noted while a function runs once.

    inputs: a list.  outside: the Outside of the function.  number: of the run, 0 or 1.
    """

    def __init__(self, inputs, outside, number):
        self.inputs, self.outside, self.refusals, self.outer = inputs, outside, [], set()
        self.fixed, self.leaves, self.read_anew = {}, set(), set()
        self.given = {f"x{i}": vars(x)["data"] if isinstance(x, Tensor) else x for i, x in enumerate(inputs)}
        self.names = {x: f"x{i}" for i, x in enumerate(inputs) if isinstance(x, Tensor)}
        self.number, self.lines, self.places = number, [], {}
        self.gradients, self.writes, self.numbers, self.checks, self.objects = {}, {}, {}, {}, {}
        self.inside, self.stepped, self.counts, self.after, self.read = False, False, [], [], {}
        self.own_call, self.own_draw = Function.__call__, Dropout.kept
        self.own_step, self.own_schedule = optim.Optimizer.step, optim.Schedule.step
        self.own_clip = unwrap(optim.clip_grad_norm_)

    def called(self, thing):
        """A name for something that texts mention."""
        return self.objects.setdefault(id(thing), (f"k{len(self.objects)}", thing))[0]

    def check(self, text, value):
        """Note that the program is right only as long as the text gives this value.  Returns the value."""
        self.checks[f"{text} is {self.called(value)}"] = None
        return value

    def note(self, function, inputs, out):
        """Write one call down as a Line; arrays that belong to the operation become inputs.  Returns out.

        function: a Function, inputs: its Tensors.  out: the result, a Tensor.
        """
        arrays = [*inputs]
        filled = each(partial(hole, arrays), settings(function))
        if len(arrays) > len(inputs):
            function = With(type(function), len(inputs), filled)
        known = len(self.names)
        self.inside = True  # noted reads .data
        self.lines.append(noted(function, arrays, out, self.names))
        self.inside = False
        self.places |= dict.fromkeys(list(self.names.values())[known:], where())
        return out

    def call(self, function, *inputs):
        """In place of Function.__call__."""
        if self.inside:
            return self.own_call(function, *inputs)
        if self.stepped:
            raise refused(f"{where()} computes after the optimizer's step. That step must be the last one.")
        if isinstance(function, ops.Pow) and isinstance(inputs[1], Number):
            return ops.PowerScalar(inputs[1].plain())(inputs[0])
        beside = next((x.dtype for x in inputs if isinstance(x, Tensor)), None)
        inputs = as_tensors([self.tensor(x, beside) if isinstance(x, Number) else x for x in inputs])
        before, self.inside = copy(function), True
        before.inputs = ()
        try:
            out = self.own_call(function, *inputs)
        finally:
            self.inside = False
        with autograd.no_grad():
            parts = before.parts(*inputs)
        if parts is None:
            return self.note(before, inputs, out)
        self.names[out] = self.name(parts)
        return out

    def data(self, x):
        """In place of Tensor.data: hidden, but for constants and within an operation."""
        traced = x.requires_grad or self.names.get(x, "c")[0] != "c"
        return Hidden(vars(x)["data"]) if traced and not self.inside else vars(x)["data"]

    def later(self, call, *arguments):
        """Note a call that comes when all is computed."""
        self.after.append(f"{self.called(partial(call, *arguments))}()")

    def detached(self, x):
        """In place of Tensor.detach: the same numbers under the same name, without a history."""
        out = result(vars(x)["data"])
        self.names[out] = self.name(x)
        return out

    def walk_back(self, root, grad=None):
        """In place of Tensor.backward: gradients are noted, and each leaf's .grad says only that there is one."""
        if not root.requires_grad:
            raise refused(f"{where()} calls backward on a Tensor that requires no grad.")
        with autograd.no_grad():
            ledger = autograd.gradients(root, root.initial_gradient(grad))
            for leaf in [node for node in ledger if node._op is None]:
                mine, there = self.gradients.get(leaf, (None, None))
                if leaf.grad is not None and leaf.grad is not there:
                    raise refused(f"{where()} adds to a gradient from before the step: call zero_grad() in it.")
                total = ledger[leaf] if leaf.grad is None else mine + ledger[leaf]
                leaf.grad = Hidden(vars(total)["data"])
                self.gradients[leaf] = total, leaf.grad

    def drawn(self, module, shape):
        """In place of Dropout.kept: an input that is drawn anew in each run. In the second run it is the opposite."""
        generator, draw = module.rng.bit_generator, partial(self.own_draw, module, shape)
        state, name, checks = generator.state, f"n{len(self.numbers)}", dict(self.checks)
        self.numbers[name], self.given[name] = f"{self.called(draw)}()", draw() != bool(self.number)
        generator.state, self.checks = state, checks  # p is read anew in each draw
        return self.given[name]

    def tensor(self, number, dtype):
        """A Number as a Tensor: an input that is computed anew in each run."""
        known = [x for x, name in self.names.items() if self.numbers.get(name) == number.text and x.dtype == dtype]
        value = number.value
        if value is None and not known:  # an optimizer's: what its text gives now
            value = eval(number.text, {"inf": np.inf, "nan": np.nan, **dict(self.objects.values())})
        x = known[0] if known else result(np.array(value, dtype))
        if not known:
            name = self.names[x] = f"n{len(self.numbers)}"
            self.numbers[name], self.read[name] = number.text, vars(x)["data"]
        return x

    def step(self, optimizer):
        """In place of Optimizer.step: of the course's own ones the update is noted, any other one steps afterwards."""
        leaves = [p for p in optimizer.params if p.grad is not None]
        if not leaves or self.after:
            words = "an optimizer's step() comes before all others" if leaves else "no parameter has a gradient"
            raise refused(f"{where()}: {words}.")
        noted, self.stepped = len(self.lines), False
        before = dict(self.writes), [*self.counts], dict(self.checks)
        try:
            if type(optimizer) not in COURSE:
                raise TypeError
            self.update(optimizer, leaves)
        except (TypeError, AttributeError):  # it does what no operation does: let it do so by itself
            del self.lines[noted:]
            self.writes, self.counts, self.checks = before
            self.later(self.own_step, optimizer)
        self.stepped = True

    def update(self, optimizer, leaves):
        """An optimizer's own update of each leaf, on Tensors and Numbers in place of arrays and numbers."""
        k = self.called(optimizer)
        for key in vars(optimizer).keys() - {"_lr", "before_step"}:
            self.check(f"{k}.{key}", vars(optimizer)[key])
        gradients, twin = dict(zip(leaves, self.gradients_of(leaves, optimizer))), copy(optimizer)
        twin._lr = Number(f"{k}._lr")
        for leaf, memory in zip(optimizer.params, optimizer.memories):
            if leaf in gradients:
                begin(memory, optimizer, vars(leaf)["data"])
                before = {key: self.kept(memory, key) for key in memory}
                p, after = SimpleNamespace(data=leaf, grad=gradients[leaf], shape=leaf.shape), dict(before)
                with autograd.no_grad(), replaced(Tensor, "__array_ufunc__", of_tensors):
                    twin.update(p, after)
                self.writes[self.name(leaf)] = self.name(p.data)
                for key, old in before.items():
                    if type(old) is not type(after[key]):
                        raise TypeError
                    if isinstance(old, Tensor):
                        self.writes[self.names[old]] = self.name(after[key])
                    else:
                        self.counts.append(f"{old.text} = {after[key].text}")
        for leaf in leaves:
            leaf.grad = None if isinstance(leaf.grad, Hidden) else leaf.grad

    def gradients_of(self, leaves, optimizer):
        """The gradients for an update: as backward has noted them, or as they are once callbacks were called."""
        callbacks = self.check(f"bool({self.called(optimizer)}.before_step)", bool(optimizer.before_step))
        hidden = [p for p in leaves if isinstance(p.grad, Hidden)]
        noted = [self.gradients[p][0] for p in hidden]
        if hidden == leaves and not callbacks:
            return noted
        return self.changed(Called(before_step, optimizer, hidden), noted, leaves)[1]

    def changed(self, called, inputs, leaves):
        """Note a call that changes gradients: what it returns, and the leaves' gradients from then on, Tensors."""
        answer = self.note(called, inputs, result(0.0))
        return answer, [self.note(Gradient(p), (answer,), result(np.empty(p.shape, p.dtype))) for p in leaves]

    def clip(self, params, max_norm):
        """In place of clip_grad_norm_: called as it is, between the gradients and the update. Returns a Tensor."""
        params = [params] if isinstance(params, Tensor) else list(params)
        leaves = [p for p in params if p.grad is not None]
        if self.stepped or not all(isinstance(p.grad, Hidden) for p in leaves):
            words = "after the optimizer's step" if self.stepped else "from before the step: call backward() in it"
            raise refused(f"{where()} clips gradients {words}.")
        if not leaves:
            return self.own_clip(params, max_norm)
        most = self.tensor(max_norm, np.dtype(float)) if isinstance(max_norm, Number) else max_norm
        most = most if isinstance(most, Tensor) else result(np.asarray(most, float))
        inputs = *[self.gradients[p][0] for p in leaves], most
        length, gradients = self.changed(Called(self.own_clip, leaves, leaves), inputs, leaves)
        for p, gradient in zip(leaves, gradients):
            self.gradients[p] = gradient, p.grad
        return length

    def kept(self, memory, key):
        """What stands for something that an optimizer keeps: a Tensor for an array, a Number for a number."""
        text = f"{self.called(memory)}[{key!r}]"
        if not isinstance(memory[key], np.ndarray):
            return Number(text)
        x = result(self.check(text, memory[key]))
        self.names[x] = fresh("p", self.names)
        return x

    def answers(self, out, line):
        """Note what the step returns.  line: the last one."""
        leaves, self.outputs, self.rest, self.returned = [], [], [], line
        self.form = taken_apart(out, leaves)
        for x in leaves:
            x = x.plain() if isinstance(x, Number) else x
            place = next((i for i, given in enumerate(self.shown) if x is given and isinstance(x, Given)), None)
            if isinstance(x, Tensor):
                self.outputs.append(self.name(x))
            elif place is None and not isinstance(x, PLAIN):
                kind = "an array" if isinstance(x, np.ndarray | Hidden) else f"something of type {type(x).__name__}"
                raise refused(f"{line} returns {kind}. A program returns Tensors, plain numbers and texts.")
            self.rest.append(None if isinstance(x, Tensor) else (place, None if place is not None else x))
        self.outputs, self.rest = tuple(self.outputs), tuple(self.rest)

    def name(self, x):
        """The name of a Tensor that is read from now on."""
        if x not in self.names:
            name = self.names[x] = fresh("p" if x.requires_grad else "c", self.names)
            self.places[name] = where()
        return self.names[x]


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


def watch(fn, form, seen):
    """Let a Watch see fn. Nothing is updated, and no random number is used up."""
    lines, tracer = Lines(seen), sys.gettrace()
    with ExitStack() as stack, np.errstate(all="ignore"):
        for owner, name, new in (
            (Now, "watch", seen),
            (Function, "__call__", lambda function, *inputs: seen.call(function, *inputs)),
            (Tensor, "data", property(seen.data, lambda x, array: vars(x).update(data=array))),
            (Tensor, "detach", lambda x: seen.detached(x)),
            (Tensor, "backward", lambda root, grad=None: seen.walk_back(root, grad)),
            (Dropout, "kept", lambda module, shape: seen.drawn(module, shape)),
            (optim.Optimizer, "step", lambda optimizer: seen.step(optimizer)),
            (optim.Schedule, "step", lambda schedule: seen.later(seen.own_schedule, schedule)),
            (optim.clip_grad_norm_, "__wrapped__", lambda params, max_norm: seen.clip(params, max_norm)),
        ):
            stack.enter_context(replaced(owner, name, new))
        seen.shown = [shown(x) for x in seen.inputs]
        args, more = put_together(form, iter(seen.shown))
        sys.settrace(lines)
        try:
            out = fn(*args, **more)
        except ValueError as error:
            if "read-only" not in str(error):
                raise
            raise refused(
                f"{lines.line_of(error)} changes an array in place that it did not make. A program would do so once."
            ) from None
        finally:
            sys.settrace(tracer)
        lines.look()
        for refusal in seen.refusals:
            raise refusal
        seen.answers(out, lines.line)
        left = {seen.name(leaf): seen.name(g) for leaf, (g, mine) in seen.gradients.items() if leaf.grad is mine}
        seen.ends = seen.outputs, left, seen.writes, seen.numbers, seen.counts


def shown(x):
    """An input as the step gets it: an array that can only be read."""
    if not isinstance(x, np.ndarray):
        return x
    x = x.view()
    x.flags.writeable = False
    return x.view(Given)


class Traced(NamedTuple):
    """program: the Program.  form, rest: of what the step returns, with a program's outputs in place of None in rest.
    plain: {place: (name, value)}, of the numbers and texts outside that the program is right for.
    seen: the Watch of the first run.
    """

    program: Program
    form: tuple | None
    rest: tuple
    plain: dict
    seen: Watch


def trace(fn, *inputs, **named):
    """The Program of fn: what it does with inputs of these shapes and dtypes.

    fn: a function of Tensors and arrays that returns Tensors, plain numbers and texts, in tuples, lists and dicts, or
        nothing. It may call backward(), clip_grad_norm_(), which returns a Tensor here, and at its end an optimizer's
        and a schedule's step(): they are noted, and nothing is updated.
    inputs, named: Tensors and arrays, also in tuples, lists and dicts. A plain number belongs to the program as it is.
    Raises CannotCompile, with the line, where fn looks at the numbers of a traced Tensor or of an array that it is
    given, uses numbers that change from run to run, draws random numbers, or changes what lies outside. What it reads
    from outside by name (variables, attributes, elements of short lists and dicts) is read anew in each run, or
    checked. What Python does on the side, such as print() or append(), happens while fn is traced, and never again.
    """
    leaves = []
    form = taken_apart((inputs, named), leaves)
    return traced(fn, form, leaves).program


def traced(fn, form, inputs, loose=()):
    """A Traced.  form, inputs: of what fn is called with.  loose: places outside whose numbers may change."""
    inputs = list(inputs)
    found = [x for x in Outside(fn, inputs).sources.values() if isinstance(x.value, np.ndarray)]
    arrays = {id(x.value): x.value for x in found if not isinstance(x.owner, tuple)}
    while arrays:
        try:
            return Tracing(fn, form, inputs, loose, arrays).traced()
        except NotImplementedError:
            raise
        except Exception as error:  # the step computes with one of them: that one belongs to the program as it is
            used = getattr(error, "array", None)
            own = {} if used is None else {key: x for key, x in arrays.items() if not np.may_share_memory(x, used)}
            arrays = own if len(own) < len(arrays) else {}
    return Tracing(fn, form, inputs, loose, {}).traced()


class Tracing:
    """Two runs of a function, with other numbers in the second.  arrays: {id: array}, those outside that change."""

    def __init__(self, fn, form, inputs, loose, arrays):
        self.fn, self.form, self.inputs, self.loose = fn, form, inputs, loose
        self.outside = outside = Outside(fn, inputs)
        self.arrays = [x for x in outside.sources.values() if id(x.value) in arrays and not isinstance(x.owner, tuple)]
        self.locked = [
            x.value for x in outside.sources.values() if isinstance(x.value, np.ndarray) and x.value.flags.writeable
        ]

    @contextmanager
    def apart(self):
        """While it lasts, nothing outside can be changed. Afterwards all is as it was.  Gives a list for Watches."""
        watched, states = [], [(random, random.getstate()), (np.random, np.random.get_state())]
        states += [(x, state_of(x)) for x in self.outside.generators]
        self.lock(False)
        try:
            yield watched
        finally:
            for leaf in [leaf for seen in watched for leaf in seen.gradients]:
                leaf.grad = None
            for source in self.outside.sources.values():
                source.put_back()
            self.lock(True)
            for generator, state in states:
                put_state(generator, state)

    def traced(self):
        """A Traced, of two runs that agree."""
        lengths = {id(x.value): len(x.value) for x in self.outside.sources.values() if isinstance(x.value, list | dict)}
        with self.apart() as watched:
            first = Watch(self.inputs, self.outside, 0)
            watched.append(first)
            self.run(first)
            for one in (1, -1):
                second = Watch([other(x, 1 + i, one) for i, x in enumerate(self.inputs)], self.outside, 1)
                watched.append(second)
                try:
                    self.run(second)
                    break
                except (IndexError, ValueError) as error:  # where all indices were 0, 1 may be none
                    if one == -1:
                        words = f"the step raises {type(error).__name__} with other numbers of the same kind: {error}"
                        raise CannotCompile(words) from error
        self.guard(first, lengths)
        program = both(first, second)
        return Traced(program, first.form, first.rest, self.plain, first)

    def once(self):
        """A Watch of one run, with copies of the inputs."""
        with self.apart() as watched:
            watched.append(Watch([copied(x) for x in self.inputs], self.outside, 0))
            self.run(watched[0])
        return watched[0]

    def lock(self, writeable):
        """Arrays outside can only be read while the step is traced."""
        for array in self.locked:
            array.flags.writeable = writeable

    def run(self, seen):
        """Let seen watch the step, with other things outside where numbers may change."""
        names = {}
        for source in self.outside.sources.values():
            value = source.value
            if source.place in self.loose and is_number(value):
                source.show(Number(source.text(seen.called), value))
            elif source in self.arrays:
                if id(value) not in names:
                    name = names[id(value)] = f"n{len(seen.numbers)}"
                    seen.numbers[name] = source.text(seen.called)
                    seen.outer.add(name)
                    seen.given[name] = other(value, len(self.inputs) + len(names)) if seen.number else value
                seen.read_anew.add(source.place)
                source.show(shown(seen.given[names[id(value)]]))
            if isinstance(source, Argument):
                seen.inputs[source.key] = source.shown
        watch(self.fn, self.form, seen)

    def guard(self, seen, lengths):
        """Note what outside must stay as it is, and what is plain there."""
        self.plain, read = {}, {}
        for place, source in self.outside.sources.items():
            text, value = source.text(seen.called), source.value
            if value is ABSENT or (place in self.loose and is_number(value)):
                continue
            if isinstance(value, np.ndarray):
                if source in self.arrays:
                    same = read.setdefault(id(value), text)
                    check = (
                        f"{text} is {same}"
                        if same != text
                        else f"{seen.called(kind_or_none)}({text}) == {seen.called(kind_of(value))}"
                    )
                else:
                    self.plain[place] = source.name, same_thing(value)
                    check = f"{seen.called(partial(same_numbers, same_thing(value)))}({text})"
            elif (
                isinstance(value, PLAIN)
                and value is not None
                and value is not Ellipsis
                and value == value
                and not isinstance(value, bool)
            ):
                self.plain[place] = source.name, value
                check = f"{text} == {told(value) if is_number(value) else seen.called(value)}"
            else:
                check = f"{text} is {seen.called(value)}"
                if lengths.get(id(value)) == (len(value) if isinstance(value, list | dict) else None) is not None:
                    check += f" and len({text}) == {len(value)}"
            seen.checks[check] = None


def kind_or_none(thing):
    return kind_of(thing) if isinstance(thing, np.ndarray) else None


def same_numbers(known, thing):
    return isinstance(thing, np.ndarray) and same_thing(thing) == known


def other(x, place, instead=1):
    """An input of the same kind with other numbers, to see what depends on them.

    place: of the input; two inputs get other numbers.  instead: of a 0 where all integers are 0.
    """
    array = vars(x)["data"] if isinstance(x, Tensor) else x
    if not isinstance(array, np.ndarray):
        return x
    if array.dtype.kind == "f":
        twin = np.roll(array, 1 + place % max(1, array.size - 1)) * (1 + place * 2**-10) + place * 2**-10
        twin = np.asarray(twin, array.dtype)
    else:
        twin = other_counts(array, place, instead)
    if not isinstance(x, Tensor):
        return twin
    return beside(x, twin)


def copied(x):
    """An input with the same numbers, of its own."""
    array = vars(x)["data"].copy() if isinstance(x, Tensor) else x
    return beside(x, array) if isinstance(x, Tensor) else array.copy() if isinstance(array, np.ndarray) else x


def beside(x, array):
    """A Tensor as x is, with other numbers."""
    twin = result(array)
    twin.requires_grad, twin.grad = x.requires_grad, x.grad
    return twin


def other_counts(array, place, instead):
    """Integers or truth values in place of others: some of the same ones, but not as often.  See other()."""
    known, rng, twins = np.unique(array), np.random.default_rng(0), {}
    counts = np.sort(array, None)
    for _ in range(100 * (len(known) > 1)):  # two inputs that are equal get different ones
        twin = rng.choice(known, array.shape).astype(array.dtype)
        if (np.sort(twin, None) != counts).any():
            twins[twin.tobytes()] = twin
            if len(twins) > place:
                break
    if twins:
        return list(twins.values())[place % len(twins)]
    twin = np.roll(array, 1 + place % max(1, array.size - 1))
    if array.size:
        alone = array.flat[0]
        twin.flat[place % array.size] = (not alone if alone else instead) if alone < 2 else alone - 1
    return twin


def both(first, second):
    """The Program that two runs agree on.  Raises CannotCompile where they do not."""
    for one, two in zip(first.lines, second.lines):
        if (type(one.function), one.inputs, kind_of(one.like)) != (type(two.function), two.inputs, kind_of(two.like)):
            raise CannotCompile(f"{first.places[one.name]} does something else with other numbers.")
        if same_thing(settings(one.function)) != same_thing(settings(two.function)):
            raise changing(first.places[one.name])
    if len(first.lines) != len(second.lines):
        more = max(first, second, key=lambda seen: len(seen.lines))
        place = more.places[more.lines[min(len(first.lines), len(second.lines))].name]
        raise CannotCompile(f"{place} does something more with other numbers.")
    if same_thing(first.rest) != same_thing(second.rest) or first.ends != second.ends:
        raise CannotCompile(f"{first.returned} returns something else, or leaves other gradients, with other numbers.")
    lines, leaves, constants, called = [], {}, {}, {}
    twins = {name: x for x, name in second.names.items()}
    for x, name in first.names.items():
        if name[0] not in "pc" or name in called:  # a Tensor and its detached one have one name
            continue
        one, two = vars(x)["data"], vars(twins[name])["data"]
        sources = [given for given in first.given if is_given(first, given, one) and is_given(second, given, two)]
        if one is two:
            first.leaves.add(name)
            leaf = called[name] = f"p{len(leaves)}"  # one that requires no grad was called c, as constants are
            leaves[leaf] = x
            first.check(f"{first.called(x)}.data", one)
            first.check(f"{first.called(x)}.requires_grad", x.requires_grad)
        elif len(sources) > 1 and one.size:
            raise CannotCompile(
                f"{first.places[name]} could take either of two inputs: compile it with different ones."
            )
        elif sources:
            called[name] = f"t{len(lines)}"
            lines.append(Line(name, Taken(one.shape, one.dtype), (sources[0],), one))
        elif same_thing(one) == same_thing(two):
            called[name] = f"c{len(constants)}"
            constants[called[name]] = one
            first.fixed[name] = same_thing(one)
        else:
            raise changing(first.places[name])
    taken = {line.inputs[0] for line in lines}
    outputs, left, writes, numbers, counts = first.ends
    numbers = {name: text for name, text in numbers.items() if name in taken or name not in first.outer}
    given = {name: array for name, array in (first.given | first.read).items() if isinstance(array, np.ndarray)}
    given = {name: array for name, array in given.items() if name[0] == "x" or name in numbers}
    left, writes = [{called.get(leaf, leaf): name for leaf, name in ends.items()} for ends in (left, writes)]
    left = {name: gradient for name, gradient in left.items() if name in leaves or name in given}
    lines = [line_called(line, called) for line in (*lines, *first.lines)]
    checks, after, objects = tuple(first.checks), (*counts, *first.after), dict(first.objects.values())
    program = Program(tuple(lines), given, leaves, constants, outputs, left, writes, numbers, checks, after, objects)
    return renamed(program, called)


def line_called(line, called):
    """A Line with other names.  called: {old name: new name}."""
    return line._replace(name=called.get(line.name, line.name), inputs=tuple([called.get(x, x) for x in line.inputs]))


def is_given(run, name, array):
    """Are these the numbers of an input, in whatever shape and dtype?"""
    given = run.given[name]
    sizes = isinstance(given, np.ndarray) and given.size == array.size
    return sizes and np.array_equal(given.ravel(), array.ravel(), equal_nan=True)


def changing(place):
    return CannotCompile(f"{place} uses numbers that change from call to call. Make them an input.")


# ------------------------------------------------------------------ the function that does it


class Compiled:
    """What compile() returns: call it as the step that it was made from.  .programs: its functions of NumPy."""

    def __init__(self, step, checked=False):
        self.step, self.checked, self.made = step, checked, []

    def __call__(self, *inputs, **named):
        given, kinds, arrays, form = inputs, [], [], None
        if named or not FLAT.issuperset(map(type, inputs)):
            given = []
            form = taken_apart((inputs, named), given)
            kinds.append(form)
        for x in given:
            array = x.data if isinstance(x, Tensor) else x
            if isinstance(array, np.ndarray):
                arrays.append(array)
                kinds.append((array.shape, array.dtype, x is array or x.requires_grad))
            else:
                kinds.append(type(x))
        for made in self.made:
            if made.kinds == kinds:
                answers = self.compared(made, given, arrays) if self.checked else made.run(given, *arrays)
                if answers is not None:
                    return made.answer(answers, given)
        made = self.another(inputs, named, kinds)
        answers = self.compared(made, given, arrays) if self.checked else made.run(given, *arrays)
        if answers is None:
            raise CannotCompile(f"{made.line} reads something outside that changes while it is read.")
        return made.answer(answers, given)

    def compared(self, made, given, arrays):
        """What a program returns, once it is sure that the step does the same now.  None if it is out of date."""
        if made.is_right(given, *arrays) is None:
            return None
        seen = Tracing(self.step, made.form_of_inputs, list(given), made.loose, made.arrays).once()
        demand_the_same(made.seen, seen)
        numbers = {line.name: line.like.copy() for line in seen.lines}
        answers = made.run(given, *arrays)
        if answers is not None and not any(isinstance(line.function, Called) for line in seen.lines):
            leaf = {name: x for x, name in seen.names.items()}
            found = dict(zip(seen.outputs, answers))
            found |= {new: vars(leaf[p])["data"] for p, new in seen.writes.items()}
            for name in found.keys() & numbers.keys():
                demand_close(found[name], numbers[name], seen.places[name])
        return answers

    def another(self, inputs, named, kinds):
        """One more program, for what is outside now. A number that has changed is read anew in each run of it."""
        for place, x in [*enumerate(inputs), *named.items()]:
            if is_list_of_numbers(x):
                raise CannotCompile(
                    f"input {place} is a list of numbers: each batch would be another program. Make it an array."
                )
        given, same = [], [made for made in self.made if made.kinds == kinds]
        form, outside = taken_apart((inputs, named), given), Outside(self.step, given)
        plain = {place: x.value for place, x in outside.sources.items() if is_number(x.value)}
        loose = {place for made in same for place, x in plain.items() if place in made.loose or differs(made, place, x)}
        try:
            found = traced(self.step, form, given, loose)
        except Exception:
            if not loose:
                raise
            found, loose = traced(self.step, form, given), set()
        values = {place: (outside.sources[place].name, plain[place]) for place in loose}
        made = Made(found, kinds, loose, values, outside)
        if self.checked:
            made.seen, made.form_of_inputs = found.seen, form
            made.arrays = {id(x.value): x.value for x in outside.sources.values() if x.place in found.seen.read_anew}
            given = {name: x for name, x in found.program.inputs.items() if name not in found.program.numbers}
            checks = Program((), given, checks=found.program.checks, objects=found.program.objects)
            made.is_right = compiler.function_of(checks)  # () as long as nothing outside has changed
        if len(same) >= MOST_PROGRAMS:
            made.demand_few(same)
            self.made.remove(same[-1])
        self.made.insert(0, made)
        return made

    @property
    def programs(self):
        """The functions of NumPy that there are, the newest first."""
        return [made.run for made in self.made]


def differs(made, place, x):
    return place in made.plain and made.plain[place][1] != x


def is_list_of_numbers(thing):
    return type(thing) is list and bool(thing) and all(is_number(x) or is_list_of_numbers(x) for x in thing)


def demand_the_same(first, seen):
    """Raise CannotCompile at the first line in which a step does something else than it did for its program."""
    for one, two in zip(first.lines, seen.lines):
        if (type(one.function), one.inputs, kind_of(one.like)) != (type(two.function), two.inputs, kind_of(two.like)):
            raise CannotCompile(f"{seen.places[two.name]} does something else than when it was compiled.")
        if same_thing(settings(one.function)) != same_thing(settings(two.function)):
            raise CannotCompile(f"{seen.places[two.name]} uses another number than when it was compiled.")
    ends = [(len(each.lines), each.ends, same_thing(each.rest)) for each in (first, seen)]
    if ends[0] != ends[1]:
        raise CannotCompile(f"{seen.returned} comes after something else than when it was compiled.")
    twins = {name: x for x, name in seen.names.items()}
    for x, name in first.names.items():
        if first.fixed.get(name) is not None and same_thing(vars(twins[name])["data"]) != first.fixed[name]:
            words = f"{seen.places[name]} uses other numbers than when it was compiled. Make them an input."
            raise CannotCompile(words)
        if name in first.leaves and twins[name] is not x:
            raise CannotCompile(f"{seen.places[name]} uses another Tensor than when it was compiled.")


def demand_close(found, wanted, place):
    """Raise CannotCompile if a program's numbers are not those of the step."""
    close = 1e-4 if wanted.dtype.itemsize < 8 else 1e-8
    if not np.allclose(found, wanted, rtol=close, atol=close, equal_nan=True):
        off = np.abs(found - wanted).max()
        raise CannotCompile(f"{place} gives other numbers compiled: they are off by up to {off:g}.")


class Made:
    """A program of a step, and what its answers are made of."""

    def __init__(self, found, kinds, loose, values, outside):
        self.run = compiler.function_of(compiler.optimized(found.program))
        self.kinds, self.loose, self.plain, self.outside = kinds, loose, found.plain | values, outside
        self.form, self.rest = found.form, found.rest
        self.line = line_of(outside.code, outside.code.co_firstlineno)
        if found.form is None and found.rest == (None,):
            self.answer = lambda arrays, given: result(arrays[0])
        elif found.form and found.form[0] is tuple and set(found.form[2]) == {None} == set(found.rest):
            self.answer = lambda arrays, given: tuple(map(result, arrays))

    def answer(self, arrays, given):
        """What the step returns.  arrays: what the program returns.  given: all inputs."""
        arrays = iter(arrays)
        leaves = [result(next(arrays)) if x is None else given[x[0]] if x[0] is not None else x[1] for x in self.rest]
        return put_together(self.form, iter(leaves))

    def demand_few(self, others):
        """Raise CannotCompile if a number, or something else that is plain, had another value in most programs."""
        for place, (name, value) in self.plain.items():
            values = {same_thing(value), *[same_thing(made.plain[place][1]) for made in others if place in made.plain]}
            if len(values) > MOST_PROGRAMS // 2:
                raise CannotCompile(
                    f"{self.outside.line_with(name) or self.line} reads {name}, which has had {len(values)} values: "
                    "each needs another program. Make it an input: an array, of shape () for a number."
                )


def compile(step, checked=False):
    """A function that does what step does, with the same numbers, faster. See trace() for what step may do.

    It keeps a program for each shape and dtype of its inputs. Parameters are updated in place; the gradients that the
    course's own optimizers used are gone afterwards, unless they were clipped or given to callbacks: .grad is None.
    What it returns was not recorded: it requires no grad.
    checked: in each call let step run too, on copies and with nothing updated; where it does something else than the
        program, which trace() could not see, stop with the line. For looking for a fault: it takes longer than step.
    """
    return Compiled(step, checked)


MOST_PROGRAMS = 8  # for inputs of one kind
FLAT = frozenset([np.ndarray, Tensor])

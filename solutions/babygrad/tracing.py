"""What a function of Tensors does, written down as a Program; compile() makes a function of NumPy of it. Given code.

trace() lets the function run, and notes each call of a Function, forward and backward, as a Line. It does so twice,
with other numbers and nothing updated: what differs from run to run without being an input has no place in a program,
and is refused with the line that it comes from.
"""

import sys
from contextlib import ExitStack, contextmanager
from copy import copy
from functools import partial
from inspect import unwrap
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from . import autograd, compiler, ops, optim
from .compiler import UFUNCS, Line, Program, fresh, kind_of, noted, renamed, same_thing, settings
from .nn import Module
from .normalize import Dropout
from .ops.function import Function
from .tensor import Tensor, as_tensors, result
from .training import GradientDescent

__all__ = ["CannotCompile", "compile", "trace"]


class CannotCompile(RuntimeError):
    """A step did what no program can do again with other numbers."""


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


def each(change, thing):
    """Settings with each part of them changed."""
    if type(thing) in (tuple, list):
        return type(thing)([each(change, x) for x in thing])
    return {key: each(change, x) for key, x in thing.items()} if type(thing) is dict else change(thing)


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


# ------------------------------------------------------------------ what a traced function may not do


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


GIVEN = str(Path(__file__).parent), str(Path(np.__file__).parent)


def where():
    """The line that is to blame: of a rule if one is running, otherwise outside of the package and of NumPy."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename.startswith(GIVEN) and frame.f_code.co_name != "backward":
        frame = frame.f_back
    function, file = frame.f_locals.get("self"), Path(frame.f_code.co_filename)
    line = f"line {frame.f_lineno} of {'this cell' if file.stem.isdigit() else file.name}"
    return f"the rule of {function.name()}, {line}," if isinstance(function, Function) else line


# ------------------------------------------------------------------ an optimizer's update


class Number:
    """A plain number that an optimizer keeps, or what is made of it, as the Python text that computes it."""

    def __init__(self, text):
        self.text = text

    def __bool__(self):
        raise TypeError("it is not known yet")


def operator(symbol, reflected):
    def method(self, other):
        if not isinstance(other, Number | int | float):
            return NotImplemented
        texts = [self.text, other.text if isinstance(other, Number) else repr(other)]
        return Number(f"({f' {symbol} '.join(reversed(texts) if reflected else texts)})")

    return method


for name, symbol in dict(add="+", sub="-", mul="*", truediv="/", pow="**").items():
    setattr(Number, f"__{name}__", operator(symbol, False))
    setattr(Number, f"__r{name}__", operator(symbol, True))

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
    optimizer.update(p, trial)
    for key, value in trial.items():
        memory.setdefault(key, np.zeros_like(value) if isinstance(value, np.ndarray) else type(value)())


# ------------------------------------------------------------------ watching


class Watch:
    """Everything that is noted while a function runs once.  number: of the run, 0 or 1."""

    def __init__(self, inputs, number):
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
            raise CannotCompile(f"{where()} computes after the optimizer's step. That step must be the last one.")
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

    def training(self, module):
        """In place of Module.training."""
        return self.check(f"{self.called(module)}.training", vars(module).get("training", True))

    def walk_back(self, root, grad=None):
        """In place of Tensor.backward: gradients are noted, and each leaf's .grad says only that there is one.

        It is not named backward: by that name where() knows a rule.
        """
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
        state, name = generator.state, f"n{len(self.numbers)}"
        self.numbers[name], self.given[name] = f"{self.called(draw)}()", draw() != bool(self.number)
        generator.state = state
        return self.given[name]

    def tensor(self, number, dtype):
        """A Number as a Tensor: an input that is computed anew in each run."""
        known = [x for x, name in self.names.items() if self.numbers.get(name) == number.text and x.dtype == dtype]
        x = known[0] if known else result(np.array(1.0, dtype))
        if not known:
            name = self.names[x] = f"n{len(self.numbers)}"
            self.numbers[name], self.read[name] = number.text, vars(x)["data"]
        return x

    def step(self, optimizer):
        """In place of Optimizer.step: of the course's own ones the update is noted, any other one steps afterwards."""
        leaves = [p for p in optimizer.params if p.grad is not None]
        if not leaves or self.after:
            words = "an optimizer's step() comes before all others" if leaves else "no parameter has a gradient"
            raise CannotCompile(f"{where()}: {words}.")
        noted, writes, counts, self.stepped = len(self.lines), dict(self.writes), [*self.counts], False
        try:
            if type(optimizer) not in COURSE:
                raise TypeError
            self.update(optimizer, leaves)
        except (TypeError, AttributeError):  # it does what no operation does: let it do so by itself
            del self.lines[noted:]
            self.writes, self.counts = writes, counts
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
            raise CannotCompile(f"{where()} clips gradients {words}.")
        if not leaves:
            return self.own_clip(params, max_norm)
        most = max_norm if isinstance(max_norm, Tensor) else result(np.asarray(max_norm, float))
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


def watch(fn, seen, inputs):
    """Let a Watch see fn(*inputs). Nothing is updated, and no random number is used up."""
    with ExitStack() as stack, np.errstate(all="ignore"):
        for owner, name, new in (
            (Function, "__call__", lambda function, *inputs: seen.call(function, *inputs)),
            (Tensor, "data", property(seen.data, lambda x, array: vars(x).update(data=array))),
            (Tensor, "backward", lambda root, grad=None: seen.walk_back(root, grad)),
            (Module, "training", property(seen.training, lambda module, mode: vars(module).update(training=mode))),
            (Dropout, "kept", lambda module, shape: seen.drawn(module, shape)),
            (optim.Optimizer, "step", lambda optimizer: seen.step(optimizer)),
            (optim.Schedule, "step", lambda schedule: seen.later(seen.own_schedule, schedule)),
            (optim.clip_grad_norm_, "__wrapped__", lambda params, max_norm: seen.clip(params, max_norm)),
        ):
            stack.enter_context(replaced(owner, name, new))
        out = fn(*inputs)
        outputs = () if out is None else tuple(map(seen.name, out if isinstance(out, tuple) else (out,)))
        left = {seen.name(leaf): seen.name(g) for leaf, (g, mine) in seen.gradients.items() if leaf.grad is mine}
        seen.ends = outputs, left, seen.writes, seen.numbers, seen.counts


def trace(fn, *inputs):
    """The Program of fn: what it does with inputs of these shapes and dtypes.

    fn: a function of Tensors and arrays that returns a Tensor, a tuple of Tensors, or nothing. It may call backward(),
        clip_grad_norm_(), which returns a Tensor here, and at its end an optimizer's and a schedule's step(): they are
        noted, and nothing is updated. A max_norm that is to change without a new program is an array of shape ().
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
        if (type(one.function), one.inputs, kind_of(one.like)) != (type(two.function), two.inputs, kind_of(two.like)):
            raise CannotCompile(f"{first.places[one.name]} does something else with other numbers.")
        if same_thing(settings(one.function)) != same_thing(settings(two.function)):
            raise changing(first.places[one.name])
    if len(first.lines) != len(second.lines) or first.ends != second.ends:
        raise CannotCompile("the function does more, or returns something else, with other numbers.")
    lines, leaves, constants, called = [], {}, {}, {}
    twins = {name: x for x, name in second.names.items()}
    for x, name in [pair for pair in first.names.items() if pair[1][0] in "pc"]:
        one, two = vars(x)["data"], vars(twins[name])["data"]
        sources = [given for given in first.given if is_given(first, given, one) and is_given(second, given, two)]
        if one is two:
            leaf = called[name] = f"p{len(leaves)}"  # one that requires no grad was called c, as constants are
            leaves[leaf] = x
            first.check(f"{first.called(x)}.data", one)
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
        else:
            raise changing(first.places[name])
    given = {name: array for name, array in (first.given | first.read).items() if isinstance(array, np.ndarray)}
    outputs, left, writes, numbers, counts = first.ends
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
    """What compile() returns: call it as the step that it was made from.  .runs: {kind of the inputs: its program}."""

    def __init__(self, step):
        self.step, self.runs = step, {}

    def __call__(self, *inputs):
        arrays = [x.data if isinstance(x, Tensor) else x for x in inputs]
        given = [x for x in arrays if isinstance(x, np.ndarray)]
        kinds = tuple([(type(x), *kind_of(a)) if isinstance(a, np.ndarray) else x for x, a in zip(inputs, arrays)])
        run = self.runs.get(kinds)
        answers = run(inputs, *given) if run else None
        if answers is None:
            program = compiler.optimized(trace(self.step, *inputs))
            run = self.runs[kinds] = compiler.function_of(program)
            answers = run(inputs, *given)
        answers = tuple(map(result, answers))
        return answers if len(answers) > 1 else answers[0] if answers else None


def compile(step):
    """A function that does what step does, with the same numbers, faster. See trace() for what step may do.

    It keeps a program for each shape and dtype of its inputs. Parameters are updated in place; the gradients that the
    course's own optimizers used are gone afterwards, unless they were clipped or given to callbacks: .grad is None.
    """
    return Compiled(step)

"""Notebook 15: a step of training as a list of lines, a Program; passes that shorten it; and straight-line NumPy.

Yours: 15.1, 15.2, 15.3, 15.4, 15.5, 15.6.

trace() in tracing.py writes the Program down. A pass makes another Program of it that does the same in fewer lines.
Arrays finds an array for each line, and function_of makes a Python function of the text.
"""

from typing import NamedTuple

import numpy as np

from .ops.function import Function
from .ops.matrix import MatMul
from .ops.stable import Max


class Line(NamedTuple):
    """name = function(*inputs).  inputs: names.  like: the result's array as it was traced, no copy of it."""

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
    writes: {name of a leaf: name of what replaces its numbers}.
    numbers: {name of an input: Python text that makes it anew in each run}.  checks: texts that are true as long as the
    program is right.  after: texts to run at the end.  objects: {name: what it means in these texts}.
    """

    lines: tuple
    inputs: dict = {}
    leaves: dict = {}
    constants: dict = {}
    outputs: tuple = ()
    gradients: dict = {}
    writes: dict = {}
    numbers: dict = {}
    checks: tuple = ()
    after: tuple = ()
    objects: dict = {}

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

    @property
    def likes(self):
        """{name: an array of its shape and dtype}, of all that has a name."""
        leaves = {name: leaf.data for name, leaf in self.leaves.items()}
        return self.inputs | self.constants | leaves | {line.name: line.like for line in self.lines}


PLAIN = int, float, complex, str, slice, np.generic  # what is equal if it looks equal


def settings(function):
    """What belongs to an operation besides its inputs: {name: value}."""
    return {key: value for key, value in vars(function).items() if key != "inputs"}


def same_thing(thing):
    """Something that can be a key for a setting, or for an array: two are equal only if the things are, bit by bit."""
    if isinstance(thing, np.ndarray):
        return thing.shape, thing.dtype.str, thing.tobytes()
    if type(thing) in (tuple, list):
        return tuple([same_thing(part) for part in thing])
    if type(thing) is dict:
        return same_thing(list(thing.items()))
    return type(thing), repr(thing) if isinstance(thing, PLAIN) else id(thing)


# ------------------------------------------------------------------ from a call to a line


def noted(function, inputs, out, names):
    """One call of a Function as a Line.

    function: the Function.  inputs: the Tensors that it was given.  out: the Tensor that it returned.
    names: {Tensor: its name}, to which new names are added: v0, v1, ... of results, p0, p1, ... of leaves that require
        grad, c0, c1, ... of constants.  `fresh(letter, names)` is the next one of a letter.
    """
    ### BEGIN SOLUTION 15.1: noted
    for x in inputs:
        if x not in names:
            names[x] = fresh("p" if x.requires_grad else "c", names)
    name = names[out] = fresh("v", names)
    return Line(name, function, tuple([names[x] for x in inputs]), out.data)
    ### END SOLUTION


def fresh(letter, names):
    """The next name of a letter: v0, v1, v2 ..."""
    return f"{letter}{[name[0] for name in names.values()].count(letter)}"


# ------------------------------------------------------------------ passes: from Program to Program


def without_unused(program):
    """The program without the lines whose result is of no use: no line that stays reads it, and it is not wanted.

    All else stays as it is, inputs that no line reads included.
    """
    ### BEGIN SOLUTION 15.2: without_unused
    read, kept = set(program.wanted), []
    for line in reversed(program.lines):
        if line.name in read:
            read.update(line.inputs)
            kept.append(line)
    return program._replace(lines=tuple(reversed(kept)))
    ### END SOLUTION


def with_folded(program):
    """The program without the lines that read constants alone: their results are among its constants.

    A line that reads nothing stays, and so does all else.
    """
    ### BEGIN SOLUTION 15.3: with_folded
    constants, lines = dict(program.constants), []
    for line in program.lines:
        if line.inputs and all(name in constants for name in line.inputs):
            constants[line.name] = line.like
        else:
            lines.append(line)
    return program._replace(lines=tuple(lines), constants=constants)
    ### END SOLUTION


def with_each_once(program):
    """The program with each thing computed once. A line that does what an earlier one does is left out.

    Two lines do the same if their Functions are of one type and have the same settings, and their inputs are the same:
    the same names, or equal constants, or results of lines that do the same.  All else stays
    as it is. A setting may be an array or a dict; `same_thing` says what can stand for it as a key.
    """
    first, called = {}, {}  # {what is done: the name of who does it first}, {name: the name that stands for it}
    for name, array in program.constants.items():
        called[name] = first.setdefault(same_thing(array), name)
    lines = []
    ### BEGIN SOLUTION 15.4: with_each_once
    for line in program.lines:
        line = line._replace(inputs=tuple([called.get(name, name) for name in line.inputs]))
        does = type(line.function), same_thing(settings(line.function)), line.inputs
        called[line.name] = first.setdefault(does, line.name)
        if called[line.name] == line.name:
            lines.append(line)
    ### END SOLUTION
    return renamed(program._replace(lines=tuple(lines)), called)


def renamed(program, called):
    """The program with other names for what is wanted.  called: {old name: new name}."""
    outputs = tuple([called.get(name, name) for name in program.outputs])
    gradients = {leaf: called.get(name, name) for leaf, name in program.gradients.items()}
    writes = {leaf: called.get(name, name) for leaf, name in program.writes.items()}
    return program._replace(outputs=outputs, gradients=gradients, writes=writes)


class RowMax(Max):
    """The highest number of each row, by way of a transposed copy: NumPy is slow along a short last axis."""


def with_faster_reductions(program):
    """The program with sums over an axis of a matrix as products with ones, and the highest of rows as RowMax."""
    likes, constants, lines = program.likes, dict(program.constants), []
    for line in program.lines:
        kind, axes = line.function.name(), getattr(line.function, "axes", None) or ()
        matrix = likes[line.inputs[0]] if line.inputs else line.like
        along = axes[0] % 2 if len(axes) == 1 and matrix.ndim == 2 else None
        if kind == "Max" and along == 1:
            line = line._replace(function=RowMax(axes, line.function.keepdims))
        elif kind == "Summation" and along is not None:
            shape = [1] * line.function.keepdims
            shape.insert(1 - along, matrix.shape[along])
            ones = f"ones{along}_{len(constants)}"
            constants[ones] = np.ones(shape, matrix.dtype)
            line = line._replace(function=MatMul(), inputs=(line.inputs[0], ones) if along else (ones, line.inputs[0]))
        lines.append(line)
    return program._replace(lines=tuple(lines), constants=constants)


def optimized(program):
    """All passes, one after the other."""
    return with_faster_reductions(without_unused(with_each_once(with_folded(program))))


# ------------------------------------------------------------------ arrays

UFUNCS = dict(Negate="negative", Exp="exp", Log="log", Sqrt="sqrt", Abs="absolute", Tanh="tanh", Sign="sign",
              ReLU="maximum", Positive="greater", Add="add", Sub="subtract", Mul="multiply", Div="divide", Pow="power",
              Equal="equal", AddScalar="add", MulScalar="multiply", DivScalar="divide")  # fmt: skip
REDUCTIONS = dict(Summation="add", Max="maximum")
OTHERS = dict(
    Affine="{product}({0}, {1}, out={out}); add({out}, {2}, out={out})",
    TimesTransposed="dot({0}, {1}.T, out={out})",
    TransposedTimes="dot({0}.T, {1}, out={out})",
    RowMax="maximum.reduce({0}.T.copy(), axis=0, out={out}.reshape(-1))",
    Pick="{0}.take({1}, out={out}, mode='clip')",
    LessOne="copyto({out}, {0}); {out}.reshape(-1)[{1}] -= 1",
)
NUMBER_BY_NUMBER = (*UFUNCS, "LessOne")  # their result may be written over an input
VIEWS = ("Reshape", "Transpose", "BroadcastTo", "Gather", "Taken")  # their result may be a part of their input's array


def kind_of(array):
    """Two arrays of one kind can stand in for each other."""
    return array.shape, array.dtype


def owners(program):
    """{name: the name whose array its numbers lie in}: its own for what is no view of another."""
    likes = program.likes
    owner = {name: name for name in likes}
    for line in program.lines:
        shared = [x for x in line.inputs if np.may_share_memory(line.like, likes[x])]
        if line.function.name() in VIEWS or shared:
            owner[line.name] = owner[line.inputs[0] if line.function.name() in VIEWS else shared[0]]
    return owner


def last_readers(program):
    """{name of an array: the place of the last line that reads it}, places counted from 0.

    A view is no array of its own: who reads it reads its owner's array, `owners(program)[name]`.  What is wanted is
    read after the last line, at the place len(program.lines). An array that nobody reads is not there.
    """
    owner = owners(program)
    ### BEGIN SOLUTION 15.5: last_readers
    last = {}
    for place, line in enumerate(program.lines):
        for name in line.inputs:
            last[owner[name]] = place
    for name in program.wanted:
        last[owner[name]] = len(program.lines)
    return last
    ### END SOLUTION


def array_for(line, dying, free):
    """The name of the array that a line's result is written into.

    dying: {name: array}, of those that nobody reads after this line. The line itself may read them: only a function
        that goes number by number, one of NUMBER_BY_NUMBER, may write over them.
    free: {name: array}, of those that nobody reads any more, this line included.
    Returns a name that is right, from the first of these that has one: dying, free, or line.name for a new array.
        `kind_of(array)`, its shape and dtype, must be that of the result. What is given stays as it is.
    """
    ### BEGIN SOLUTION 15.6: array_for
    usable = {**dying, **free} if line.function.name() in NUMBER_BY_NUMBER else free
    for name, array in usable.items():
        if kind_of(array) == kind_of(line.like):
            return name
    return line.name
    ### END SOLUTION


# ------------------------------------------------------------------ straight-line NumPy


def numbers(function):
    """The plain numbers that NumPy's function gets behind the inputs, as texts."""
    return (
        [repr(function.scalar)] if hasattr(function, "scalar") else ["0.0"] * (function.name() in ("ReLU", "Positive"))
    )


def written(line, inputs, out):
    """The text of a line that writes its result into an array; None if NumPy has no function for it.

    inputs: the names of its inputs' arrays.  out: the name of the result's array.
    "add(v1, v2, out=v3)", "maximum(v1, 0.0, out=v3)": UFUNCS has NumPy's name, `numbers(function)` what comes behind
        the inputs.
    "add.reduce(v1, axis=(0,), out=v3, keepdims=False)": REDUCTIONS has its name, the function its axes and keepdims.
    "matmul(v1, v2, out=v3)"; dot, which is faster, does the same for a result of at most two axes.
    In a program nothing is called np.
    """
    kind, function = line.function.name(), line.function
    if kind in UFUNCS:
        return f"{UFUNCS[kind]}({', '.join([*inputs, *numbers(function)])}, out={out})"
    if kind in REDUCTIONS:
        return f"{REDUCTIONS[kind]}.reduce({inputs[0]}, axis={function.axes}, out={out}, keepdims={function.keepdims})"
    if kind == "MatMul":
        return f"{'matmul' if line.like.ndim > 2 else 'dot'}({inputs[0]}, {inputs[1]}, out={out})"
    if kind not in OTHERS:
        return None
    text = OTHERS[kind].format(*inputs, out=out, product="matmul" if line.like.ndim > 2 else "dot")
    return text.removeprefix(f"copyto({out}, {out}); ")


class Arrays:
    """Where each result of a program lies, and the text that computes it.

    .text: lines of Python.  .space: {name: what it means there}.  .array_of: {name in the program: name of its array}.
    .own: {name: array}, of those that belong to the program.
    """

    def __init__(self, program):
        leaves = {name: leaf.data for name, leaf in program.leaves.items()}
        functions = {
            name: getattr(np, name) for name in (*UFUNCS.values(), "matmul", "dot", "copyto", "array", "inf", "nan")
        }
        self.program, self.text, self.own, self.free = program, [], {}, {}
        self.space = functions | program.objects | program.constants | leaves
        self.array_of = {name: name for name in program.likes}
        self.owner, self.last = owners(program), last_readers(program)
        self.homes = {new: leaf for leaf, new in program.writes.items()}
        for place, line in enumerate(program.lines):
            self.put(line, [self.array_of[name] for name in line.inputs], place)

    def put(self, line, inputs, place):
        """Find an array for one line, and write the line."""
        if self.owner[line.name] != line.name and self.put_view(line, inputs):
            return
        text = written(line, inputs, "{}")
        read = [self.array_of[self.owner[name]] for name in line.inputs if self.last[self.owner[name]] == place]
        dying = {name: self.own[name] for name in read if name in self.own}
        if text is None or self.owner[line.name] != line.name:
            self.space[f"f_{line.name}"] = line.function.forward
            self.text.append(f"{line.name} = f_{line.name}({', '.join(inputs)})")
        else:
            home = self.homes.get(line.name)  # a leaf that the result replaces, read for the last time
            at_home = {home: self.space[home]} if home and self.last.get(home, 0) <= place else {}
            out = self.array_of[line.name] = array_for(line, at_home | dying, self.free)
            if out == line.name:
                self.space[out] = np.empty(line.like.shape, line.like.dtype)
            if out != home:
                self.own[out] = self.space[out]
            self.free.pop(out, None)
            dying.pop(out, None)
            self.text.append(written(line, inputs, out))
        self.free = dying | self.free  # the one that was used last comes first: it may still be in the cache

    def put_view(self, line, inputs):
        """A part of another array. Returns whether it needs no text: because it was made once and for all, here."""
        there = self.space.get(inputs[0])
        view = line.function.forward(there) if there is not None and len(inputs) == 1 else None
        if view is not None and np.may_share_memory(view, there):
            self.space[line.name] = view
            return True
        if line.function.name() == "Taken" and kind_of(line.like) == kind_of(self.program.inputs[line.inputs[0]]):
            self.array_of[line.name] = inputs[0]
            return True
        return False

    def ends(self):
        """The text behind the lines: what is left in .grad, and what is updated."""
        for name, gradient in self.program.gradients.items():
            self.space[f"leaf_{name}"] = self.program.leaves.get(name)
            holder = f"leaf_{name}" if name in self.program.leaves else f"given[{name[1:]}]"
            yield f"{holder}.grad = array({self.array_of[gradient]})"
        for leaf, new in self.program.writes.items():
            if self.array_of[new] != leaf:
                yield f"copyto({leaf}, {self.array_of[new]})"
        yield from self.program.after


def function_of(program):
    """A Python function of the program's inputs. It returns a tuple of arrays, or None if a check finds it out of date.

    .text: the text that it was made of.
    """
    arrays = Arrays(program)
    space = arrays.space
    text = [f"if not ({' and '.join(program.checks)}): return None"] if program.checks else []
    for name, fresh_one in program.numbers.items():
        space[f"dtype_{name}"] = program.inputs[name].dtype
        text.append(f"{name} = array({fresh_one}, dtype_{name})")
    answers = [f"array({arrays.array_of[name]})" for name in program.outputs]
    text += [*arrays.text, *arrays.ends(), f"return ({', '.join([*answers, ''])})"]  # a view of a leaf: as updated
    body = "".join(f"    {line}\n" for line in text)
    inputs = [name for name in program.inputs if name not in program.numbers]
    known = {}
    exec(f"def run({', '.join(['given', *inputs])}):\n{body}", known)
    run = known["run"]
    known |= {name: space[name] for name in run.__code__.co_names if name in space}
    run.text = body
    return run

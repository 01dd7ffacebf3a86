"""For compile() (15): what a traced step may not do, and how that is found out; each refusal says the line.

Given.

While a step runs, numbers are hidden, and arrays can only be made Tensors. A second run has other numbers: where the
two part, the step did what no program can do again. What they agree on is the Program. compile() with checked=True
compares a later run in the same way.
"""

import pickle
import sys
from pathlib import Path

import numpy as np

from .announce import listeners
from .compiler import Line, Program, kind_of, renamed, same_thing, settings
from .ops.function import Function
from .outside import Outdated, each, line_of, state_of
from .tensor import Tensor


class CannotCompile(RuntimeError):
    """A step did what no program can do again with other numbers."""


class Now:
    """watch: the Watch of the function that is traced now, None while there is none."""

    watch = None


class Hidden:
    """What a function may know of a traced array: its shape and its dtype."""

    def __init__(self, array):
        self.shape, self.ndim, self.size, self.dtype = array.shape, array.ndim, array.size, array.dtype

    def __len__(self):
        return self.shape[0]


def refused(words, array=None):
    """The exception for what no program can do. It is kept too, in case that the step catches it.

    array: the one with which the step does it, if it is a Given.
    """
    error = CannotCompile(words)
    error.array = array
    if Now.watch:
        Now.watch.refusals.append(error)
    return error


def refuse(*_, **__):
    raise refused(
        f"{where()} reads the numbers of a traced Tensor (.data, .grad, item(), print(), an if, a NumPy function, "
        "Tensor() of it). A program runs again with other numbers: use operations on Tensors."
    )


def refuse_outdated(number, *_, line=None):
    raise refused(
        f"{line or where()} reads {number.name} after a step() that may change it. A program would give what it was "
        "before: read it outside of the step."
    )


OPERATORS = "bool float int index array array_ufunc iter getitem setitem getattr neg add sub mul truediv pow matmul"
OPERATORS += " radd rsub rmul rtruediv rpow rmatmul lt le gt ge eq ne"
for name in OPERATORS.split():
    setattr(Hidden, f"__{name}__", refuse)
    setattr(Outdated, f"__{name}__", refuse_outdated)


class Given(np.ndarray):
    """An array that a program is given anew in each run: a step may make Tensors of it, and ask for its shape."""

    __hash__ = None
    __class__ = property(lambda self: np.ndarray)


def asked(method, name):
    """A method of Given: what NumPy itself does for the package's own code, and a refusal for a step's."""

    def call(*args, **more):
        what, array, rest, named = name.strip("_"), args[0], args[1:], more
        if name == "__array_function__":
            what, (array, *rest), named = args[1].__name__, args[3] or [None], args[4]
        elif name == "__array_ufunc__":
            what = args[1].__name__
        kept = keeps_order(what, array, rest, named)
        by_step = asked_by_step(sys._getframe(1))
        if by_step and not kept:
            changed = (array,) if name == "__setitem__" else more.get("out") or ()
            if any(isinstance(x, Given) and not vars(np.ndarray)["flags"].__get__(x).writeable for x in changed):
                words = "changes an array that it is given. A program would do so once: copy it before."
            else:
                words = words_for(what, array, rest)
            raise refused(f"{where()} {words}", args[0])
        plain = [without_class(x) for x in args]
        if name == "__array_ufunc__":
            out = {"out": tuple(map(without_class, more["out"]))} if "out" in more else {}
            return getattr(plain[1], plain[2])(*plain[3:], **(more | out))
        if name == "__array_function__":
            out = plain[1](*each(without_class, tuple(plain[3])), **each(without_class, plain[4]))
        else:
            out = method(*plain, **more)
        return np.ndarray.view(out, Given) if by_step and isinstance(out, np.ndarray) and what[-5:] != "_like" else out

    return call


def keeps_order(what, array, arguments, named):
    """Does it leave all numbers of an array as they are, one after the other, and look at none?"""
    if what == "getitem":
        parts = arguments[0] if isinstance(arguments[0], tuple) else arguments
        return all(part is None or part is ... or (type(part) is slice and part == slice(None)) for part in parts)
    if what == "astype":
        dtype = np.dtype(named.get("dtype", *arguments[:1]))
        return dtype.kind == "f" or np.can_cast(array.dtype, dtype, "safe")
    if what == "view":
        return not arguments and not named
    texts = {x for x in (*arguments, *named.values()) if isinstance(x, str)}
    return what in SHAPES.split() and texts <= {"C"}


def words_for(what, array, arguments):
    """What is said of something that a step does with an array that it is given."""
    if what == "getitem" and np.ndim(np.ndarray.__getitem__(without_class(array), each(without_class, arguments[0]))):
        words = "takes a part of an array that it is given. A program takes arrays whole: make a Tensor of it first"
        return f"{words} and take the part of that, or make the part an input."
    if what == "getitem":
        return "reads a number of an array that it is given. A program would keep it: make it an input."
    does = {"iter": "takes the rows", "contains": "asks for a member"}
    does = does.get(what) or f"{'reads' if what in ATTRIBUTES.split() else 'computes'} {what}"
    words = "A program would keep what comes out for this one: make a Tensor of it first, or compute it outside of the"
    return f"{does} of an array that it is given. {words} step, and make it an input."


def without_class(x):
    return np.ndarray.view(x, np.ndarray) if isinstance(x, Given) else x


def as_given(own):
    """np.array or np.asarray for a step: what they make of an array that it is given is such an array too."""

    def call(x, *more, **named):
        out = own(x, *more, **named)
        if not isinstance(x, Given) or not asked_by_step(sys._getframe(1)):
            return out
        return np.ndarray.view(out if out.dtype == x.dtype else x.astype(out.dtype), Given)

    return call


SHAPES = "astype copy expand_dims flatten ndim ones_like ravel reshape shape size squeeze view zeros_like"
READING = "array_ufunc array_function bool contains float getitem index int iter setitem"
for name in [f"__{name}__" for name in READING.split()] + [name for name in dir(np.ndarray) if name[0] != "_"]:
    if callable(getattr(np.ndarray, name)):
        setattr(Given, name, asked(getattr(np.ndarray, name), name))
ATTRIBUTES = "T base ctypes data flags flat imag real strides"
for name in ATTRIBUTES.split():
    setattr(Given, name, property(asked(vars(np.ndarray)[name].__get__, name)))


def shown(x):
    """An input as the step gets it: an array that can only be read."""
    if not isinstance(x, np.ndarray):
        return x
    x = x.view(np.ndarray)
    x.flags.writeable = False
    return x.view(Given)


GIVEN = str(Path(__file__).parent), str(Path(np.__file__).parent)
PASSED_OVER = (*GIVEN, "<__array_function__")


def asked_by_step(frame):
    """Is it a step that asks, and not the package's own code? A step may happen to be written there."""
    while frame.f_code.co_filename.startswith((GIVEN[1], __file__, "<__array_function__")):
        frame = frame.f_back
    own = frame.f_code.co_filename.startswith(GIVEN[0])
    return Now.watch and listeners and not (own and frame.f_code not in Now.watch.outside.codes)


def where():
    """The line that is to blame: of a rule if one is running, otherwise outside of the package and of NumPy."""
    (name, code), frame = Now.watch.rule if Now.watch else (None, None), sys._getframe(1)
    while frame.f_back and frame.f_code is not code and frame.f_code.co_filename.startswith(PASSED_OVER):
        frame = frame.f_back
    line = line_of(frame.f_code, frame.f_lineno)
    return f"the rule of {name}, {line}," if frame.f_code is code else line


class Changes:
    """What a step changes outside, looked for once it has run; closely, after each of its lines, which takes long.

    closely: while it lasts, this is sys.settrace().  .line: the last one of the step, if it looks closely.
    .drawn: {bit generator: its state before Dropout drew}.
    """

    def __init__(self, outside, closely):
        self.outside, self.closely, self.last, self.line = outside, closely, {}, "the step"
        self.before, self.drawn = self.states(), {}

    def __enter__(self):
        if self.closely:
            self.tracer = sys.gettrace()
            sys.settrace(self)

    def __exit__(self, kind, error, trace):
        if self.closely:
            sys.settrace(self.tracer)
        try:
            if error is None:
                self.look()
                self.look_at_generators()
        finally:
            for generator, state in self.drawn.items():
                generator.state = state
        if isinstance(error, ValueError) and "read-only" in str(error):
            words = "changes an array in place that it did not make. A program would do so once."
            raise refused(f"{self.outside.line_of(error)} {words}") from None

    def states(self):
        """Where the generators of random numbers are that a step can reach."""
        return [pickle.dumps(state_of(x)) for x in self.outside.generators]

    def __call__(self, frame, event, _):
        if frame.f_code in self.outside.codes:
            self.last[frame] = frame.f_lineno
            return self.next_line

    def next_line(self, frame, event, _):
        if event != "exception":
            self.line = line_of(frame.f_code, self.last[frame])
            self.look()
            self.look_at_generators()
            self.last[frame] = frame.f_lineno
            if event == "return":
                self.line = line_of(frame.f_code, frame.f_lineno)
                del self.last[frame]
        return self.next_line

    def allow(self, draw, generator):
        """What draw() returns, which draws from this generator, and may."""
        self.look_at_generators()
        self.drawn.setdefault(generator, generator.state)
        answer = draw()
        self.before = self.states()
        return answer

    def look(self, line=None):
        """Raises CannotCompile if something has changed.  line: gives the one that is to blame."""
        for source in self.outside.sources.values():
            if source.changed():
                words = f"changes {source.name}. A program would not: change it outside of the step."
                raise refused(f"{line() if line else self.line} {words}")

    def look_at_generators(self):
        """Raises CannotCompile if random numbers were drawn."""
        if self.states() != self.before:
            raise refused(
                f"{self.line} draws random numbers. A program would keep these: draw them outside of the step, and "
                "make them an input."
            )


# ------------------------------------------------------------------ inputs of another run


def other(x, place, instead=1):
    """An input of the same kind with other numbers, to see what depends on them.

    place: of the input; two inputs get other numbers.  instead: of a 0 where all integers are 0.
    """
    array = vars(x)["data"] if isinstance(x, Tensor) else x
    if not isinstance(array, np.ndarray):
        return x
    if array.dtype.kind == "f":
        apart = np.arange(array.size).reshape(array.shape) * 1e-6  # no two are equal: their order tells
        twin = np.roll(array, 1 + place % max(1, array.size - 1)) * (1 + place / 1000) + place / 1000 + apart
        twin = np.asarray(twin, array.dtype)
    else:
        twin = other_counts(array, place, instead)
    if not isinstance(x, Tensor):
        return twin
    return beside(x, twin)


def without_past(x, place):
    """An input without the operations that it was made by."""
    return beside(x, vars(x)["data"]) if isinstance(x, Tensor) and x._op is not None else x


def copied(x, place):
    """An input with the same numbers, of its own."""
    array = vars(x)["data"].copy() if isinstance(x, Tensor) else x
    return beside(x, array) if isinstance(x, Tensor) else array.copy() if isinstance(array, np.ndarray) else x


def beside(x, array):
    """A Tensor as x is, with other numbers."""
    twin = object.__new__(type(x))
    vars(twin).update(data=array, requires_grad=x.requires_grad, grad=x.grad)
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


# ------------------------------------------------------------------ what two runs have in common

# What is said where two runs part; {} is a place in the step.
WITH_OTHER_NUMBERS = dict(
    operation="{} does something else with other numbers.",
    settings="{} uses numbers that change when the step runs again with other inputs, and that no operation on a "
    "Tensor makes. Make them with such operations, or outside of the step, as an input.",
    more="{} does something more with other numbers.",
    end="{} returns something else, or leaves other gradients, with other numbers.",
)
THAN_COMPILED = dict(
    operation="{} does something else than when it was compiled.",
    settings="{} uses another number than when it was compiled.",
    more="{} comes after something else than when it was compiled.",
    end="{} comes after something else than when it was compiled.",
    numbers="{} uses other numbers than when it was compiled. Make them an input.",
    leaf="{} uses another Tensor than when it was compiled.",
)


def demand_the_same(first, second, blamed, words):
    """Raise CannotCompile at the first line in which two runs do not do the same.

    first, second: Watches.  blamed: the one of them whose lines are named.  words: WITH_OTHER_NUMBERS, say.
    """
    for one, two, line in zip(first.lines, second.lines, blamed.lines):
        if (type(one.function), one.inputs, kind_of(one.like)) != (type(two.function), two.inputs, kind_of(two.like)):
            raise CannotCompile(words["operation"].format(blamed.places[line.name]))
        if same_thing(settings(one.function)) != same_thing(settings(two.function)):
            raise CannotCompile(words["settings"].format(blamed.places[line.name]))
    short, long = sorted((first, second), key=lambda seen: len(seen.lines))
    if len(short.lines) < len(long.lines):
        place = long.places[long.lines[len(short.lines)].name]
        raise CannotCompile(words["more"].format(blamed.returned if blamed is second else place))
    if same_thing(first.rest) != same_thing(second.rest) or first.ends != second.ends:
        raise CannotCompile(words["end"].format(blamed.returned))


class Taken(Function):
    """An input of the program as the function took it: in another shape, or with another dtype."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, dtype

    def forward(self, a):
        return a.reshape(self.shape).astype(self.dtype, copy=False)


def both(first, second):
    """The Program that two runs agree on.  Raises CannotCompile where they do not."""
    demand_the_same(first, second, first, WITH_OTHER_NUMBERS)
    taken, leaves, constants, called = [], {}, {}, {}  # called: {name in the runs: name in the program}
    for name, x, one, two in read_by(first, second):
        equal = [given for given in first.given if is_given(first, given, one) and is_given(second, given, two)]
        sources = [*{id(first.given[given]): given for given in equal}.values()]
        if one is two:
            called[name] = f"p{len(leaves)}"  # one that requires no grad was called c, as constants are
            leaves[called[name]] = x
            guard_leaf(first, name, x)
        elif sources:
            if len(sources) > 1 and one.size:
                words = "could take either of two inputs: compile it with different ones."
                raise CannotCompile(f"{first.places[name]} {words}")
            called[name] = f"t{len(taken)}"
            taken.append(Line(name, Taken(one.shape, one.dtype), (sources[0],), one))
        elif same_thing(one) == same_thing(two):
            called[name] = f"c{len(constants)}"
            constants[called[name]] = one
            first.fixed[name] = same_thing(one)
        else:
            raise CannotCompile(WITH_OTHER_NUMBERS["settings"].format(first.places[name]))
    return program_of(first, taken, leaves, constants, called)


def read_by(first, second):
    """(name, Tensor, its array, that of the second run) for all that two runs read and did not compute, each once."""
    twins = {name: x for x, name in second.names.items()}
    found = {}  # a Tensor and its detached one have one name
    for x, name in first.names.items():
        if name[0] in "pc":
            found.setdefault(name, (name, x, vars(x)["data"], vars(twins[name])["data"]))
    return found.values()


def guard_leaf(seen, name, x):
    """A leaf's numbers are read anew, from the array that it has now."""
    seen.leaves.add(name)
    seen.check(f"{seen.called(x)}.data", vars(x)["data"])
    seen.check(f"{seen.called(x)}.requires_grad", x.requires_grad)


def is_given(run, name, array):
    """Are these the numbers of an input, in whatever shape and dtype?"""
    given = run.given[name]
    if not isinstance(given, np.ndarray) or given.size != array.size:
        return False
    given = given.astype(array.dtype) if array.dtype.kind == "f" else given
    return np.array_equal(given.ravel(), array.ravel(), equal_nan=True)


def program_of(seen, taken, leaves, constants, called):
    """The Program of a run.  taken: Lines before its own.  called: {name in the run: name in the program}."""
    outputs, left, writes, numbers, counts = seen.ends
    read = {line.inputs[0] for line in taken}
    numbers = {name: text for name, text in numbers.items() if name in read or name not in seen.outer}
    given = {name: array for name, array in (seen.given | seen.read).items() if isinstance(array, np.ndarray)}
    given = {name: array for name, array in given.items() if name[0] == "x" or name in numbers}
    left, writes = [{called.get(leaf, leaf): name for leaf, name in ends.items()} for ends in (left, writes)]
    left = {name: gradient for name, gradient in left.items() if name in leaves or name in given}
    lines = [line_called(line, called) for line in (*taken, *seen.lines)]
    checks, after, objects = tuple(seen.checks), (*counts, *seen.after), dict(seen.objects.values())
    program = Program(tuple(lines), given, leaves, constants, outputs, left, writes, numbers, checks, after, objects)
    return renamed(program, called)


def line_called(line, called):
    """A Line with other names.  called: {old name: new name}."""
    return line._replace(name=called.get(line.name, line.name), inputs=tuple([called.get(x, x) for x in line.inputs]))


# ------------------------------------------------------------------ a run beside its program


def demand_as_compiled(first, seen):
    """Raise CannotCompile at the first line in which a step does something else than it did for its program."""
    demand_the_same(first, seen, seen, THAN_COMPILED)
    twins = {name: x for x, name in seen.names.items()}
    for x, name in first.names.items():
        if first.fixed.get(name) is not None and same_thing(vars(twins[name])["data"]) != first.fixed[name]:
            raise CannotCompile(THAN_COMPILED["numbers"].format(seen.places[name]))
        if name in first.leaves and vars(twins[name])["data"] is not vars(x)["data"]:
            raise CannotCompile(THAN_COMPILED["leaf"].format(seen.places[name]))


def demand_close(found, wanted, place):
    """Raise CannotCompile if a program's numbers are not those of the step."""
    close = 1e-4 if wanted.dtype.itemsize < 8 else 1e-8
    if not np.allclose(found, wanted, rtol=close, atol=close, equal_nan=True):
        off = np.abs(found - wanted).max()
        raise CannotCompile(f"{place} gives other numbers compiled: they are off by up to {off:g}.")

"""For compile() (15): what a function of Tensors does, written down as a Program.

Given.

trace() lets the function run, and notes each call of a Function that the engine announces, forward and backward, as a
Line. It does so twice, with other numbers and nothing updated: what differs from run to run without being an input has
no place in a program, and is refused with the line that it comes from.
"""

from functools import partial

import numpy as np

from .compiler import Line, Program, kind_of, renamed, same_thing, settings
from .ops.function import Function
from .outside import Outside, taken_apart
from .refusals import CannotCompile, shown
from .sources import Argument, is_number
from .tensor import Tensor
from .updates import Number
from .watch import Watch

__all__ = ["CannotCompile", "trace"]


def trace(fn, *inputs, **named):
    """The Program of fn: what it does with inputs of these shapes and dtypes.

    fn: a function of Tensors and arrays that returns Tensors, plain numbers and texts, in tuples, lists and dicts, or
        nothing. It may call backward(), clip_grad_norm_(), which returns a Tensor here, and at its end an optimizer's
        and a schedule's step(): they are noted, and nothing is updated.
    inputs, named: Tensors and arrays, also in tuples, lists and dicts. A plain number belongs to the program as it is.
    Raises CannotCompile, with the line, where fn looks at the numbers of a traced Tensor or of an array that it is
    given, takes a part of such an array, uses numbers that change from run to run, draws random numbers, or changes
    what lies outside. What it reads from outside by name (variables, attributes, elements of lists and dicts, the first
    64 of each) is read anew in each run, or checked. What Python does on the side, such as print() or append(), happens
    while fn is traced, and never again. Not seen are type(x) of an input, and what other libraries keep, such as
    os.environ or functools.cache.
    """
    leaves = []
    form = taken_apart((inputs, named), leaves)
    return traced(Outside(fn, leaves), form).program


def traced(outside, form, loose=(), closely=False):
    """The Watch of a step's first run, with .program, and .plain: {place: (name, value)} of what is plain outside.

    outside: the step's Outside.  form: of its inputs.  loose: places outside whose numbers may change.
    closely: look at what is outside after each line. It takes long: a refusal is said anew in this way.
    """
    arrays = {id(x.value): x.value for x in outside.sources.values() if isinstance(x.value, np.ndarray)}
    while True:
        try:
            return Tracing(outside, form, loose, arrays, closely).traced()
        except Exception as error:
            if arrays and not isinstance(error, NotImplementedError):
                # The step computes with one of them: that one belongs to the program as it is.
                used = getattr(error, "array", None)
                own = {} if used is None else {key: x for key, x in arrays.items() if not np.may_share_memory(x, used)}
                arrays = own if len(own) < len(arrays) else {}
                continue
            if isinstance(error, CannotCompile) and not closely:
                traced(outside, form, loose, closely=True)
            raise


class Tracing:
    """Two runs of a step, with other numbers in the second.

    arrays: {id: array}, those outside that change.  closely: look at what is outside after each line.
    """

    def __init__(self, outside, form, loose, arrays, closely=False):
        self.outside, self.form, self.loose, self.closely = outside, form, loose, closely
        sources = outside.sources.values()
        self.arrays = [x for x in sources if id(x.value) in arrays and not isinstance(x.owner, tuple)]

    def traced(self):
        """The Watch of the first of two runs that agree."""
        with self.outside.kept():
            first, second = self.run(without_past, 0), self.again()
        first.plain = self.outside.guard(first, self.arrays, self.loose)
        first.anew = {x.place for x in self.arrays}
        first.program = both(first, second)
        return first

    def again(self):
        """The Watch of a run with other numbers."""
        for instead in (1, -1):  # where all indices were 0, 1 may be none
            try:
                return self.run(partial(other, instead=instead), 1)
            except (IndexError, ValueError) as error:
                stopped = error
        words = f"raises {type(stopped).__name__} with other numbers of the same kind: {stopped}"
        raise CannotCompile(f"{self.outside.line_of(stopped)} {words}") from stopped

    def once(self):
        """The Watch of one run, with copies of the inputs."""
        with self.outside.kept():
            return self.run(copied, 0)

    def run(self, twin, number):
        """The Watch of a run of the step, with other things outside where numbers may change.

        twin: gives what stands for an input, and for the array outside of its place.
        """
        twins, names, views = {}, {}, {}  # one thing has one twin
        for place, x in enumerate(self.outside.inputs):
            if id(x) not in twins:
                twins[id(x)] = twin(x, 1 + place)
        seen = Watch([twins[id(x)] for x in self.outside.inputs], self.outside, number, self.closely)
        given = {
            id(x): there for x, there in zip(self.outside.inputs, seen.shown) if isinstance(x, np.ndarray | Tensor)
        }
        for source in self.outside.sources.values():
            value = source.value
            if id(value) in given and not isinstance(source.owner, tuple):
                source.show(given[id(value)])
            elif source.place in self.loose and is_number(value):
                source.show(Number(source.text(seen.called), value))
            elif source in self.arrays:
                name = names.setdefault(id(value), f"n{len(seen.numbers)}")
                if name not in seen.numbers:
                    seen.numbers[name] = source.text(seen.called)
                    seen.outer.add(name)
                    seen.given[name] = other(value, len(seen.inputs) + len(names)) if number else value
                    views[name] = shown(seen.given[name])
                source.show(views[name])
            if isinstance(source, Argument):
                seen.shown[source.key] = source.shown
        seen.run(self.outside.step, self.form)
        return seen


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

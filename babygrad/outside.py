"""What a step reads besides its inputs, for tracing.py: closure cells, globals and attributes that its own code names.

A program is right as long as these are what they were. Arrays among them are read anew in each run, and so is a number
that has changed once; everything else is guarded by a text that is True as long as nothing has changed. Given code.
"""

import dis
import functools
import random
import sys
import sysconfig
import types
from collections import deque
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from .compiler import kind_of, same_thing
from .nn import Module
from .tensor import Tensor

PACKAGE = str(Path(__file__).parent)
LIBRARIES = PACKAGE, str(Path(np.__file__).parent), *[sysconfig.get_paths()[key] for key in ("stdlib", "purelib")]
PLAIN = int, float, str, bytes, complex, np.generic, type(None), type(...)
GENERATORS = np.random.Generator, np.random.RandomState, random.Random
ABSENT = type("Absent", (), {"__repr__": lambda self: "nothing"})()
MOST_ELEMENTS = 64  # of a list or a dict that are guarded one by one


def is_number(x):
    return isinstance(x, int | float | np.number) and not isinstance(x, bool)


def told(number):
    """A number as Python writes it."""
    return repr(number.item() if isinstance(number, np.generic) else number)


def in_library(file):
    return str(file or "").startswith((*LIBRARIES, "<frozen"))


# ------------------------------------------------------------------ one place


class Source:
    """A place from which a step reads something.

    .name: for a sentence.  .value: what was there at first.  .shown: what the step finds there while it is traced.
    """

    def __init__(self, owner, key, name):
        self.owner, self.key, self.name = owner, key, name
        self.value = self.shown = self.now()

    def text(self, called):
        """Python that reads it.  called: gives a name to an object."""
        return self.written.format(called(self.owner), self.key)

    @property
    def place(self):
        """What tells it from other places."""
        return type(self), id(self.owner), self.key

    def now(self):
        """What is there now; ABSENT for nothing."""
        try:
            return self.read()
        except (ValueError, LookupError, AttributeError):
            return ABSENT

    def show(self, thing):
        """Put something else there for a while."""
        self.put(thing)
        self.shown = thing

    def changed(self):
        """Has the step put something else there?"""
        now = self.now()
        return now is not self.shown and not (is_number(now) and type(now) is type(self.shown) and now == self.shown)

    def put_back(self):
        if self.now() is not self.value:
            self.remove() if self.value is ABSENT else self.put(self.value)
        self.shown = self.value

    # Texts that are true as long as a program is right.

    @property
    def is_plain(self):
        """Is it compared by what it is worth, not by which object it is?"""
        value = self.value
        if value is None or value is Ellipsis or isinstance(value, bool):
            return False
        return isinstance(value, np.ndarray) or (isinstance(value, PLAIN) and value == value)

    def unchanged(self, called, length):
        """It is as it was.  length: of a list or dict, before the step was traced."""
        text, value = self.text(called), self.value
        if isinstance(value, np.ndarray):
            return f"{called(partial(same_numbers, same_thing(value)))}({text})"
        if self.is_plain:
            return f"{text} == {told(value) if is_number(value) else called(value)}"
        if isinstance(value, set | deque):
            return f"{called(partial(same_members, [*value]))}({text})"
        same_length = length is not None and length == len(value)
        if same_length and isinstance(value, dict) and length <= MOST_ELEMENTS:
            return f"{text} is {called(value)} and [*{text}] == {called([*value])}"
        return f"{text} is {called(value)}" + f" and len({text}) == {length}" * same_length

    def of_one_kind(self, called):
        """It is an array of the same shape and dtype."""
        return f"{called(kind_or_none)}({self.text(called)}) == {called(kind_of(self.value))}"


def kind_or_none(thing):
    return kind_of(thing) if isinstance(thing, np.ndarray) else None


def same_numbers(known, thing):
    return isinstance(thing, np.ndarray) and same_thing(thing) == known


def same_members(known, thing):
    """Has a set, or a deque, the members that are known?"""
    return isinstance(thing, set | deque) and same_thing([*thing]) == same_thing(known)


class Cell(Source):
    """A variable of the function around the step."""

    written = "{}.cell_contents"

    def read(self):
        return self.owner.cell_contents

    def put(self, value):
        self.owner.cell_contents = value

    def remove(self):
        del self.owner.cell_contents


class Item(Source):
    """A global variable, or an element of a list, a tuple or a dict."""

    written = "{}[{!r}]"

    def read(self):
        return self.owner[self.key]

    def put(self, value):
        self.owner[self.key] = value

    def remove(self):
        del self.owner[self.key]


class Attribute(Source):
    """An attribute of an object, or of its class."""

    written = "{}.{}"

    def __init__(self, owner, key, name):
        self.own = key in getattr(owner, "__dict__", (key,))
        super().__init__(owner, key, name)

    def read(self):
        return getattr(self.owner, self.key)

    def put(self, value):
        if value is self.value and not self.own:  # it was the class's
            return self.remove()
        setter = setattr if isinstance(self.owner, type | types.ModuleType) else object.__setattr__
        return setter(self.owner, self.key, value)

    def remove(self):
        delattr(self.owner, self.key)


class Argument(Source):
    """A plain number among the inputs.  owner: all inputs."""

    written = "given[{1}]"

    def read(self):
        return self.owner[self.key]

    def put(self, value):
        self.owner[self.key] = value

    @property
    def place(self):
        return Argument, self.key


# ------------------------------------------------------------------ all places


class Outside:
    """All places that a step reads from, found by name before it runs.

    step: the function.  inputs: what it is called with, a list.
    .sources: {what tells a place from others: Source}.  .codes: the code objects of its own functions.
    .generators: those of random numbers that it can reach.
    """

    def __init__(self, step, inputs=()):
        self.sources, self.codes, self.names, self.set, self.generators = {}, {}, set(), set(), []
        self.seen, self.objects = {}, []
        self.visit(step, "", root=True)
        for place, x in enumerate(inputs):
            if not isinstance(x, np.ndarray | Tensor):
                self.add(Argument(inputs, place, f"input {place}"))
        scanned = None
        while scanned != (scanned := (len(self.names), len(self.objects))):  # a name may be that of another attribute
            for thing, name in list(self.objects):
                self.scan(thing, name)

    @property
    def code(self):
        """The first of the step's own code objects."""
        return next(iter(self.codes))

    def line_with(self, name):
        """Where the step names something, such as "line 3 of train.py"; None if no line does."""
        name = name.split(".")[-1].split("[")[0]
        for code in self.codes:
            number = code.co_firstlineno
            for line in dis.get_instructions(code):
                number = (line.positions.lineno if line.positions else None) or number
                if line.argval == name:
                    return line_of(code, number)
        return None

    def lengths(self):
        """{id: how long it is now}, of lists and dicts."""
        return {id(x.value): len(x.value) for x in self.sources.values() if isinstance(x.value, list | dict)}

    @contextmanager
    def kept(self):
        """While it lasts, arrays can only be read. Afterwards all places and generators are as they were."""
        states = [(x, state_of(x)) for x in (random, np.random, *self.generators)]
        arrays = [x.value for x in self.sources.values() if isinstance(x.value, np.ndarray)]
        arrays = [array for array in arrays if array.flags.writeable]
        lock(arrays, False)
        try:
            yield
        finally:
            for source in self.sources.values():
                source.put_back()
            lock(arrays, True)
            for generator, state in states:
                put_state(generator, state)

    def guard(self, seen, lengths, anew, loose):
        """Note what must stay as it is.  Returns {place: (name, value)} of what is plain.

        seen: a Watch.  lengths: before it ran.  anew: the Sources that are read anew; loose: places of such numbers.
        """
        plain, read = {}, {}
        for place, source in self.sources.items():
            value = source.value
            if value is ABSENT or (place in loose and is_number(value)):
                continue
            if source in anew:
                text = source.text(seen.called)
                same = read.setdefault(id(value), text)
                check = source.of_one_kind(seen.called) if same == text else f"{text} is {same}"
            else:
                check = source.unchanged(seen.called, lengths.get(id(value)))
                if source.is_plain:
                    plain[place] = source.name, same_thing(value) if isinstance(value, np.ndarray) else value
            seen.checks[check] = None
        return plain

    def add(self, source):
        if source.place not in self.sources:
            self.sources[source.place] = source
            self.visit(source.value, source.name)

    def visit(self, thing, name, root=False):
        """Go on to what a thing holds.  root: it is the step itself, one's own wherever it was written."""
        if id(thing) in self.seen or isinstance(thing, (*PLAIN, np.ndarray, Tensor)):
            return
        self.seen[id(thing)] = thing
        if isinstance(thing, types.FunctionType):
            self.function(thing, root or not in_library(thing.__code__.co_filename))
        elif isinstance(thing, types.MethodType):
            self.visit(thing.__self__, name)
            self.visit(thing.__func__, name, root)
        elif isinstance(thing, functools.partial):
            self.visit(thing.func, name, root)
            self.visit(thing.args, name)
            self.visit(thing.keywords, name)
        elif isinstance(thing, GENERATORS):
            self.generators.append(thing)
        elif isinstance(thing, list | tuple | dict):
            for key in list(thing if isinstance(thing, dict) else range(len(thing)))[:MOST_ELEMENTS]:
                if isinstance(key, int | str):
                    self.add(Item(thing, key, f"{name}[{key!r}]"))
        elif not in_library(home_of(thing)) or not isinstance(thing, types.ModuleType | type):
            self.objects.append((thing, name))
            if not isinstance(thing, types.ModuleType | type):
                for method in ("__call__", "forward"):
                    self.method(type(thing), method, root)

    def function(self, function, own):
        """The names in a function's code; of one's own also its cells, globals and defaults."""
        for code in codes_in(function.__code__):
            lines = list(dis.get_instructions(code))
            self.names |= {line.argval for line in lines if "ATTR" in line.opname or "METHOD" in line.opname}
            if own:
                self.codes[code] = None
                self.set |= {line.argval for line in lines if line.opname == "STORE_ATTR"}
                for line in lines:
                    known = line.argval in function.__globals__ or line.opname == "STORE_GLOBAL"
                    if "GLOBAL" in line.opname and known:
                        self.add(Item(function.__globals__, line.argval, line.argval))
        if own:
            for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
                self.add(Cell(cell, 0, name))
            self.visit(function.__defaults__, "a default")
            self.visit(function.__kwdefaults__, "a default")

    def method(self, kind, name, root=False):
        """A method or property of a class: what is one's own, and what belongs to any Module."""
        found = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
        method = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
        if isinstance(method, types.FunctionType) and id(method) not in self.seen:
            own = root or not in_library(method.__code__.co_filename)
            if own or isinstance(found, property) or issubclass(kind, Module):
                self.seen[id(method)] = method
                self.function(method, own)

    def scan(self, thing, name):
        """The attributes of an object that are named in the code; of a Module all of them."""
        held = getattr(thing, "__dict__", {})
        wanted = [key for key in held if key in self.names or (isinstance(thing, Module) and key != "training")]
        if not isinstance(thing, types.ModuleType):
            kind = thing if isinstance(thing, type) else type(thing)
            for key in self.names - held.keys() if kind is not thing else self.names & held.keys():
                self.method(kind, key)
                if isinstance(found_in(kind, key), (*PLAIN, np.ndarray, list, dict, types.MemberDescriptorType)):
                    wanted.append(key)
            if kind is not thing and not in_library(home_of(kind)):
                wanted += [key for key in self.set if found_in(kind, key) is ABSENT]
        for key in wanted:
            if not isinstance(held.get(key), types.FunctionType | property | classmethod | staticmethod):
                self.add(Attribute(thing, key, f"{name}.{key}" if name else key))


def lock(arrays, writeable):
    for array in arrays:
        array.flags.writeable = writeable


def state_of(generator):
    """Where a generator of random numbers is."""
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    return (generator.get_state if hasattr(generator, "get_state") else generator.getstate)()


def put_state(generator, state):
    if isinstance(generator, np.random.Generator):
        generator.bit_generator.state = state
    else:
        (generator.set_state if hasattr(generator, "set_state") else generator.setstate)(state)


def codes_in(code):
    """A code object, and those of the functions that are written inside of it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from codes_in(inner)


@functools.lru_cache(1000)
def line_of(code, number):
    """A line of a code object, for a sentence."""
    file = Path(code.co_filename)
    return f"line {number} of {'this cell' if file.stem.isdigit() else file.name}"


def home_of(thing):
    """The file that a module is, or that a class or an object's class was written in."""
    if not isinstance(thing, types.ModuleType):
        thing = sys.modules.get(getattr(thing, "__module__", None))
    return getattr(thing, "__file__", None) or ("" if getattr(thing, "__name__", "") == "__main__" else PACKAGE)


def found_in(kind, name):
    """What a class, or one that it is made of, has by this name; ABSENT for nothing."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), ABSENT)


# ------------------------------------------------------------------ structures of inputs and answers


def taken_apart(thing, leaves):
    """The form of lists, tuples and dicts around leaves, which are put at the end of leaves.

    Returns something that can be a key; `put_together(form, leaves)` is its reverse.
    """
    if type(thing) is dict:
        return dict, tuple(thing), tuple([taken_apart(x, leaves) for x in thing.values()])
    if isinstance(thing, list | tuple):
        return type(thing), None, tuple([taken_apart(x, leaves) for x in thing])
    leaves.append(thing)
    return None


def put_together(form, leaves):
    """The thing of this form.  leaves: an iterator."""
    if form is None:
        return next(leaves)
    kind, keys, parts = form
    parts = [put_together(part, leaves) for part in parts]
    if kind is dict:
        return dict(zip(keys, parts))
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)


def each(change, thing):
    """Settings with each part of them changed."""
    if type(thing) in (tuple, list):
        return type(thing)([each(change, x) for x in thing])
    return {key: each(change, x) for key, x in thing.items()} if type(thing) is dict else change(thing)

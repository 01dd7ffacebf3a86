"""For compile() (15): what a step reads besides its inputs (closure cells, globals, attributes that its code names).

Given.

A program is right as long as these are what they were. Arrays among them are read anew in each run, and so is a number
that has changed once; everything else is guarded by a text that is True as long as nothing has changed.
"""

import dis
import functools
import random
import sys
import sysconfig
import types
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from .compiler import kind_of, same_thing
from .nn import Module
from .sources import ABSENT, MOST_ELEMENTS, PLAIN, Argument, Attribute, Defined, Item, is_number
from .tensor import Tensor

PACKAGE = str(Path(__file__).parent)
LIBRARIES = PACKAGE, str(Path(np.__file__).parent), *[sysconfig.get_paths()[key] for key in ("stdlib", "purelib")]
GENERATORS = np.random.Generator, np.random.RandomState, random.Random


@functools.lru_cache(1000)
def in_library(file):
    return str(file or "").startswith((*LIBRARIES, "<frozen"))


# ------------------------------------------------------------------ all places


class Outside:
    """All places that a step reads from, found by name before it runs.

    step: the function.  inputs: what it is called with, a list.
    .sources: {what tells a place from others: Source}.  .codes: the code objects of its own functions.
    .generators: those of random numbers that it can reach.
    """

    def __init__(self, step, inputs=()):
        self.step, self.inputs = step, inputs
        self.sources, self.codes, self.names, self.set, self.generators = {}, {}, set(), set(), [random, np.random]
        self.seen, self.objects, self.held, self.classes = {}, [], [], {}
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

    def line_of(self, error):
        """The step's own line in which an error arose."""
        steps, trace = [], error.__traceback__
        while trace:
            if trace.tb_frame.f_code in self.codes:
                steps.append(line_of(trace.tb_frame.f_code, trace.tb_lineno))
            trace = trace.tb_next
        return steps[-1] if steps else "the step"

    @contextmanager
    def kept(self):
        """While it lasts, arrays can only be read. Afterwards all places and generators are as they were."""
        states = [(x, state_of(x)) for x in self.generators]
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

    def guard(self, seen, anew, loose):
        """Note what must stay as it is.  Returns {place: (name, value)} of what is plain.

        seen: a Watch.  anew: the Sources that are read anew; loose: places of such numbers.
        """
        plain, read = {}, {}
        given = {id(x): f"given[{i}]" for i, x in enumerate(self.inputs) if isinstance(x, np.ndarray | Tensor)}
        for place, source in self.sources.items():
            value = source.value
            if value is ABSENT:
                continue
            if isinstance(source.owner, tuple) and not isinstance(value, np.ndarray):
                continue  # a tuple is what it is
            text = source.text(seen.called)
            if id(value) in given:
                check = f"{text} is {given[id(value)]}"
            elif source in anew:
                same = read.setdefault(id(value), text)
                check = source.of_one_kind(seen.called) if same == text else f"{text} is {same}"
            elif place in loose and is_number(value):
                check = f"type({text}) is {seen.called(type(value))}"
            else:
                check = source.unchanged(seen.called)
                if source.is_plain:
                    plain[place] = source.name, same_thing(value)
            seen.checks[check] = None
        self.guard_who_is_who(seen, given, read)
        if self.held:
            seen.checks[f"[*map(len, {seen.called(self.held)})] == {seen.called([*map(len, self.held)])}"] = None
        return plain

    def guard_who_is_who(self, seen, given, read):
        """Two inputs that are one thing stay one thing, and two things of one kind do not become one.

        given, read: {id: text}, of inputs, and of arrays outside that are read anew.
        """
        known, groups = {}, {}
        things = [(f"given[{i}]", x) for i, x in enumerate(self.inputs) if isinstance(x, np.ndarray | Tensor)]
        for text, x in things:
            if known.setdefault(id(x), text) != text:
                seen.checks[f"{text} is {known[id(x)]}"] = None
        for x in [source.value for source in self.sources.values()]:
            if isinstance(x, Tensor) or id(x) in read:
                known.setdefault(id(x), read.get(id(x)) or seen.called(x))
                things.append((known[id(x)], x))
        for _, x in things:
            array = vars(x)["data"] if isinstance(x, Tensor) else x
            groups.setdefault((array is x, *kind_of(array)), {})[known[id(x)]] = id(x) in given or id(x) in read
        for group in groups.values():
            if len(group) > 1 and any(group.values()):
                seen.checks[f"len({{{', '.join(f'id({text})' for text in group)}}}) == {len(group)}"] = None

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
            own = root or not in_library(thing.__code__.co_filename)
            self.function(thing, own)
            if own:
                self.objects.append((thing, name))
        elif isinstance(thing, classmethod):
            self.visit(thing.__func__, name, root)
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
                self.add(Item(thing, key, f"{name}[{key!r}]"))
        elif isinstance(thing, types.ModuleType | type):
            if not in_library(home_of(thing)):
                self.objects.append((thing, name))
        else:
            self.object(thing, name, root)

    def object(self, thing, name, root):
        """An object: its attributes, its classes', and the methods that Python calls without naming them."""
        self.objects.append((thing, name))
        if hasattr(thing, "__dict__"):
            self.held.append(vars(thing))
        for kind in type(thing).__mro__[:-1] if type(thing) not in self.classes else ():
            own = not in_library(home_of(kind))
            if own:
                self.visit(kind, kind.__name__)
            for key, method in vars(kind).items():
                if key in ("__call__", "forward") or (own and key[:2] == "__" and key not in ("__init__", "__new__")):
                    self.method(kind, method, root)
        self.all_of(type(thing))

    def function(self, function, own):
        """The names in a function's code; of one's own also its cells, globals and defaults."""
        for code in codes_in(function.__code__):
            self.names.update(code.co_names)
            if own and code not in self.codes:
                self.codes[code] = None
                if {"getattr", "hasattr", "vars", "__dict__"} & {*code.co_names}:
                    self.names |= {x for x in code.co_consts if isinstance(x, str)}
                for does, name in names_in(code):
                    if "GLOBAL" in does and (name in function.__globals__ or does == "STORE_GLOBAL"):
                        self.add(Item(function.__globals__, name, name))
                    elif does == "STORE_ATTR":
                        self.set.add(name)
        if own:
            for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
                self.add(Attribute(cell, "cell_contents", name))
            for key in ("__defaults__", "__kwdefaults__"):
                if getattr(function, key):
                    self.add(Attribute(function, key, f"a default of {function.__name__}"))

    def method(self, kind, found, root=False):
        """A method or property of a class: what is one's own, and what belongs to any Module."""
        method = getattr(found, "fget", None) or getattr(found, "func", None) or getattr(found, "__func__", found)
        if isinstance(method, types.FunctionType) and id(method) not in self.seen:
            own = root or not in_library(method.__code__.co_filename)
            if own or isinstance(found, property) or issubclass(kind, Module):
                self.seen[id(method)] = method
                self.function(method, own)

    def scan(self, thing, name):
        """The attributes of an object that are named in the code; of a Module all of them."""
        held = getattr(thing, "__dict__", {})
        is_class = isinstance(thing, type)
        wanted = [key for key in held if key in self.names or (isinstance(thing, Module) and key != "training")]
        if not isinstance(thing, types.ModuleType | types.FunctionType):
            kind = thing if is_class else type(thing)
            found = self.all_of(kind)
            for key in self.names & found.keys():
                self.method(kind, found[key])
                read = not hasattr(type(found[key]), "__get__") or isinstance(found[key], types.MemberDescriptorType)
                if not is_class and key not in held and (read or key in ("__class__", "__dict__")):
                    wanted.append(key)
            if not is_class and not in_library(home_of(kind)):
                wanted += [key for key in self.set if key not in found and key not in held]
        for key in wanted:
            as_it_is = not is_class or isinstance(held[key], staticmethod) or held[key] is getattr(thing, key)
            self.add((Attribute if as_it_is else Defined)(thing, key, f"{name}.{key}" if name else key))

    def all_of(self, kind):
        """{name: value}, of what a class, and those that it is made of, have."""
        if kind not in self.classes:
            bases = [vars(base) for base in reversed(kind.__mro__)]
            self.classes[kind] = {key: value for base in bases for key, value in base.items()}
        return self.classes[kind]


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
def names_in(code):
    """(what is done, the name), of global variables and of attributes that are set."""
    done = [(line.opname, line.argval) for line in dis.get_instructions(code)]
    return dict.fromkeys([each for each in done if "GLOBAL" in each[0] or each[0] == "STORE_ATTR"])


@functools.lru_cache(1000)
def line_of(code, number):
    """A line of a code object, for a sentence."""
    file = Path(code.co_filename)
    return f"line {number} of {'this cell' if file.stem.isdigit() else file.name}"


def home_of(thing):
    """The file that a module is, or that a class or an object's class was written in."""
    if not isinstance(thing, types.ModuleType):
        thing = sys.modules.get(getattr(thing, "__module__", None))
    return getattr(thing, "__file__", None) or ("" if getattr(thing, "__spec__", None) is None else PACKAGE)


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

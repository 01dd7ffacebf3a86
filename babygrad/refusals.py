"""For compile() (15): what a traced step may not do, and how that is found out; each refusal says the line.

Given.

While a step runs, numbers are hidden, and arrays can only be made Tensors. What it changes outside is looked for once
it has run.
"""

import pickle
import sys
from pathlib import Path

import numpy as np

from .announce import listeners
from .outside import each, line_of, state_of
from .sources import Outdated


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
            caller = frame.f_back
            while caller and caller not in self.last:
                caller = caller.f_back
            if caller:  # its line may have done something before it called
                self.look_after(caller)
            self.last[frame] = frame.f_lineno
            return self.next_line

    def next_line(self, frame, event, _):
        if event != "exception":
            self.look_after(frame)
            self.last[frame] = frame.f_lineno
            if event == "return":
                self.line = line_of(frame.f_code, frame.f_lineno)
                del self.last[frame]
        return self.next_line

    def look_after(self, frame):
        """Look for what the last line of a frame has done."""
        self.line = line_of(frame.f_code, self.last[frame])
        self.look()
        self.look_at_generators()

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

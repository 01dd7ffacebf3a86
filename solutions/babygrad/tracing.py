"""For compile() (15): what a function of Tensors does, written down as a Program.

Given.

trace() lets the function run, and notes each call of a Function that the engine announces, forward and backward, as a
Line. It does so twice, with other numbers and nothing updated: what differs from run to run without being an input has
no place in a program, and is refused with the line that it comes from.
"""

from functools import partial

import numpy as np

from .agreement import both, copied, other, without_past
from .number import Number
from .outside import Outside, taken_apart
from .refusals import CannotCompile, shown
from .sources import Argument, is_number
from .tensor import Tensor
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

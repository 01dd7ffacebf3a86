"""compile(): a function that keeps a program for each kind of inputs, and makes another where none is right.

Given code.
"""

import numpy as np

from . import compiler
from .agreement import demand_as_compiled, demand_close
from .compiler import Program, same_thing
from .outside import Outside, is_number, line_of, put_together, taken_apart
from .refusals import CannotCompile
from .tensor import Tensor, result
from .tracing import Tracing, traced
from .updates import Called


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
        demand_as_compiled(made.seen, seen)
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

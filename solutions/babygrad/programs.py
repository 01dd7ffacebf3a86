"""compile() (15): a function that keeps a program for each kind of inputs, and makes another where none is right.

Given.
"""

from operator import is_

import numpy as np

from . import compiler
from .compiler import Program, same_thing
from .outside import Outside, line_of, put_together, taken_apart
from .refusals import CannotCompile
from .sources import is_number
from .tensor import Tensor, result
from .tracing import Tracing, demand_as_compiled, demand_close, traced
from .updates import Called


class Compiled:
    """What compile() returns: call it as the step that it was made from.  .programs: its functions of NumPy."""

    def __init__(self, step, checked=False):
        self.step, self.checked, self.made = step, checked, []

    def __call__(self, *inputs, **named):
        done = None if named else self.done(inputs, None)
        if done is None:
            given = []
            form = taken_apart((inputs, named), given)
            done = self.done(given, form) or self.another(inputs, named, given, form)
        made, answers, given = done
        return made.answer(answers, given)

    def done(self, given, form):
        """(Made, what its program returns, given) of the first program that is right; None if none is.

        given: all inputs.  form: of lists, tuples and dicts around them; None for inputs without any.
        """
        for made in self.made:
            if made.form_of_inputs == form:
                arrays = made.taken(given)
                if arrays is not None:
                    answers = made.run(given, *arrays)
                    if answers is not None:
                        return made, answers, given

    def another(self, inputs, named, given, form):
        """The same of one more program, for what is outside now. There, numbers that have changed are read anew."""
        for place, x in [*enumerate(inputs), *named.items()]:
            if is_list_of_numbers(x):
                words = "is a list of numbers: each batch would be another program. Make it an array."
                raise CannotCompile(f"input {place} {words}")
        outside = Outside(self.step, given)
        flat = None if not named and len(given) == len(inputs) and all(map(is_, given, inputs)) else form
        same = [made for made in self.made if made.form_of_inputs == flat and made.taken(given) is not None]
        loose = changing(outside, same)
        try:
            seen = traced(outside, form, loose)
        except Exception:
            if not loose:
                raise
            seen, loose = traced(outside, form), set()
        made = (Checked if self.checked else Made)(seen, taker(given), flat, loose)
        if len(same) >= MOST_PROGRAMS:
            made.demand_few(same)
            self.made.remove(same[-1])
        self.made.insert(0, made)
        answers = made.run(given, *made.taken(given))
        if answers is None:
            raise CannotCompile(f"{made.line} reads something outside that changes while it is read.")
        return made, answers, given

    @property
    def programs(self):
        """The functions of NumPy that there are, the newest first."""
        return [made.program for made in self.made]


def changing(outside, made):
    """The places of numbers outside that had another value for one of these programs."""
    numbers = {place: same_thing(x.value) for place, x in outside.sources.items() if is_number(x.value)}
    return {
        place
        for each in made
        for place, (kind, worth) in numbers.items()
        if place in each.plain and each.plain[place][1][0] is kind
        if place in each.loose or each.plain[place][1][1] != worth
    }


def taker(given):
    """A function of inputs: their arrays, if they are of the same kinds as these; None if not."""
    kinds, tests, arrays = {}, [f"len(given) == {len(given)}"], []
    for i, x in enumerate(given):
        kinds[f"t{i}"] = type(x)
        tests.append(f"type(given[{i}]) is t{i}")
        if isinstance(x, np.ndarray | Tensor):
            arrays.append(f"given[{i}]{'.data' * isinstance(x, Tensor)}")
            kinds[f"d{i}"] = x.dtype
            tests += f"{arrays[-1]}.shape == {x.shape}", f"{arrays[-1]}.dtype == d{i}"
        if isinstance(x, Tensor):
            tests.append(f"given[{i}].requires_grad is {x.requires_grad}")
            if x.requires_grad:
                tests.append(f"(given[{i}]._op is None) is {x._op is None}")
    return eval(
        f"lambda given: ({''.join(f'{array}, ' for array in arrays)}) if {' and '.join(tests)} else None", kinds
    )


def is_list_of_numbers(thing):
    return type(thing) is list and bool(thing) and all(is_number(x) or is_list_of_numbers(x) for x in thing)


class Made:
    """A program of a step, and what its answers are made of.

    seen: the Watch of the step.  taken: from taker().  form: of the inputs.  loose: places outside whose numbers are
    read anew.
    .run: returns arrays, or None if the program is out of date.
    """

    def __init__(self, seen, taken, form, loose):
        self.run = self.program = compiler.function_of(compiler.optimized(seen.program))
        self.taken, self.form_of_inputs, self.loose, self.outside = taken, form, loose, seen.outside
        sources = self.outside.sources
        self.plain = seen.plain | {place: (sources[place].name, same_thing(sources[place].value)) for place in loose}
        self.form, self.rest = seen.form, seen.rest
        self.line = line_of(self.outside.code, self.outside.code.co_firstlineno)
        if self.form is None and self.rest == (None,):
            self.answer = lambda arrays, given: result(arrays[0])
        elif self.form and self.form[0] is tuple and set(self.form[2]) == {None} == set(self.rest):
            self.answer = lambda arrays, given: tuple(map(result, arrays))

    def answer(self, arrays, given):
        """What the step returns.  arrays: what the program returns.  given: all inputs."""
        arrays = iter(arrays)
        leaves = [result(next(arrays)) if x is None else given[x[0]] if x[0] is not None else x[1] for x in self.rest]
        return put_together(self.form, iter(leaves))

    def demand_few(self, others):
        """Raise CannotCompile if a number, or something else that is plain, had another value in most programs."""
        for place, (name, value) in self.plain.items():
            values = {value, *[made.plain[place][1] for made in others if place in made.plain]}
            if len(values) > MOST_PROGRAMS // 2:
                raise CannotCompile(
                    f"{self.outside.line_with(name) or self.line} reads {name}, which has had {len(values)} values: "
                    "each needs another program. Make it an input: an array, of shape () for a number."
                )


class Checked(Made):
    """The same, and the step runs too, each time."""

    def __init__(self, seen, taken, form, loose):
        super().__init__(seen, taken, form, loose)
        self.seen, self.run = seen, self.compared
        program = seen.program
        given = {name: x for name, x in program.inputs.items() if name not in program.numbers}
        checks = Program((), given, checks=program.checks, objects=program.objects)
        self.is_right = compiler.function_of(checks)  # () as long as nothing outside has changed

    def run_beside(self, outside, anew, closely=False):
        """The Watch of another run of the step, which does what it did when it was compiled."""
        seen = Tracing(outside, self.seen.form_of_inputs, self.loose, anew, closely).once()
        demand_as_compiled(self.seen, seen)
        return seen

    def compared(self, given, *arrays):
        """What the program returns, once it is sure that the step does the same now.  None if it is out of date."""
        if self.is_right(given, *arrays) is None:
            return None
        outside = Outside(self.outside.step, list(given))
        anew = {id(x.value): x.value for x in outside.sources.values() if x.place in self.seen.anew}
        try:
            seen = self.run_beside(outside, anew)
        except CannotCompile:
            self.run_beside(outside, anew, closely=True)  # says the line
            raise
        numbers = {line.name: line.like.copy() for line in seen.lines}
        answers = self.program(given, *arrays)
        if answers is not None and not any(isinstance(line.function, Called) for line in seen.lines):
            leaf = {name: x for x, name in seen.names.items()}
            found = dict(zip(seen.outputs, answers))
            found |= {new: vars(leaf[p])["data"] for p, new in seen.writes.items()}
            for name in found.keys() & numbers.keys():
                demand_close(found[name], numbers[name], seen.places[name])
        return answers


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

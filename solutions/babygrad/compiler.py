"""A training step written down once, as a program, and run as straight-line NumPy.

tracing.py writes the Program down. Passes make another Program of it that does the same in fewer lines. A Writer finds
an array for each line, and writes the text of a Python function.
"""

import operator

import numpy as np

from .tensor import Tensor, result
from .tracing import CannotCompile, Kept, LessOne, Line, Program, Taken, frozen, settings, trace

__all__ = ["CannotCompile", "Line", "Program", "compile", "trace"]

# ------------------------------------------------------------------ passes: from Program to Program


def without_unused(program):
    """The program without the lines whose result nobody reads."""
    read, kept = set(program.wanted), []
    for line in reversed(program.lines):
        if line.name in read:
            read.update(line.inputs)
            kept.append(line)
    return program._replace(lines=tuple(reversed(kept)))


def with_folded(program):
    """The program with what is made of constants alone computed here and now."""
    constants, lines = dict(program.constants), []
    for line in program.lines:
        if line.inputs and all(name in constants for name in line.inputs):
            constants[line.name] = line.like
        else:
            lines.append(line)
    return program._replace(lines=tuple(lines), constants=constants)


def with_each_once(program):
    """The program with each thing computed once: a line that does what an earlier one does is left out."""
    first, called, lines = {}, {}, []
    for name, array in program.constants.items():
        called[name] = first.setdefault(frozen(array), name)
    for line in program.lines:
        line = line._replace(inputs=tuple([called.get(name, name) for name in line.inputs]))
        does = type(line.function), line.inputs, frozen(tuple(settings(line.function).items()))
        called[line.name] = first.setdefault(does, line.name)
        if called[line.name] == line.name:
            lines.append(line)
    return renamed(program._replace(lines=tuple(lines)), called)


def renamed(program, called):
    """The program with other names for what is wanted.  called: {old name: new name}."""
    outputs = tuple([called.get(name, name) for name in program.outputs])
    gradients = {leaf: called.get(name, name) for leaf, name in program.gradients.items()}
    writes = {called.get(old, old): called.get(name, name) for old, name in program.writes.items()}
    return program._replace(outputs=outputs, gradients=gradients, writes=writes)


def optimized(program):
    """All passes, one after the other."""
    return without_unused(with_each_once(with_folded(program)))


# ------------------------------------------------------------------ straight-line NumPy

UFUNCS = dict(Negate="negative", Exp="exp", Log="log", Sqrt="sqrt", Abs="absolute", Tanh="tanh", Sign="sign",
              ReLU="maximum", Positive="greater", Add="add", Sub="subtract", Mul="multiply", Div="divide", Pow="power",
              Equal="equal")  # fmt: skip
ON_NUMBERS = dict(add=operator.add, subtract=operator.sub, multiply=operator.mul, divide=operator.truediv,
                  power=operator.pow)  # fmt: skip
OTHERS = "matmul", "dot", "copyto", "asarray", "array"
VIEWS = ("Reshape", "Transpose", "BroadcastTo", "Gather", "Taken")  # their result may be another one's array


def kind_of(array):
    """Two arrays of one kind can stand in for each other."""
    return array.shape, array.dtype


def viewed(line, likes):
    """The name of the input whose array the result of a line may be, or be a part of; None if it has one of its own."""
    if line.function.name() in VIEWS:
        return line.inputs[0]
    return next((name for name in line.inputs if np.may_share_memory(line.like, likes[name])), None)


def last_readers(program, likes):
    """{name: the place of the last line that reads its array, under whatever name}. The end reads what is wanted.

    likes: {name: an array of its shape and dtype}.
    """
    base, last = {}, {}
    for place, line in enumerate(program.lines):
        source = viewed(line, likes)
        base[line.name] = line.name if source is None else base.get(source, source)
        last |= {base.get(name, name): place for name in line.inputs}
    last |= {base.get(name, name): len(program.lines) for name in program.wanted}
    return {name: last.get(base.get(name, name), -1) for name in likes}


def written(line, inputs, out):
    """The text of a line that writes into the array out; None if there is no NumPy function for it.

    inputs: the names of its inputs' arrays.
    """
    kind, f = line.function.name(), line.function
    if kind in UFUNCS:
        more = {"ReLU": [f"0.0, out={out}"], "Positive": ["0.0", out]}.get(kind, [out])
        return f"{UFUNCS[kind]}({', '.join([*inputs, *more])})"
    if kind in ("Summation", "Max"):
        return f"{'add' if kind == 'Summation' else 'maximum'}_reduce({inputs[0]}, {f.axes}, None, {out}, {f.keepdims})"
    if kind == "MatMul":
        return f"{'dot' if line.like.ndim == 2 else 'matmul'}({inputs[0]}, {inputs[1]}, {out})"
    if kind == "Pick":
        return f"{inputs[0]}.take({inputs[1]}, None, {out}, 'clip')"
    if kind == "LessOne":
        copied = "" if out == inputs[0] else f"copyto({out}, {inputs[0]}); "
        return f"{copied}{out}.reshape(-1)[{inputs[1]}] -= 1"
    return None


class Writer:
    """The text of a Python function that does what a program does, and the arrays it works in.

    .text: its lines.  .space: {name: what it is}.  .array_of: {name in the program: name of its array}.
    """

    def __init__(self, program):
        leaves = {name: leaf.data for name, leaf in program.leaves.items()}
        self.program, self.text, self.array_of = program, [], {}
        self.space = {name: getattr(np, name) for name in {*UFUNCS.values(), *OTHERS}}
        self.space |= {"add_reduce": np.add.reduce, "maximum_reduce": np.maximum.reduce, **program.constants, **leaves}
        self.likes = program.inputs | program.constants | leaves | {line.name: line.like for line in program.lines}
        self.space |= {f"py_{name}": function for name, function in ON_NUMBERS.items()}
        self.numbers = set()  # what is a plain number in the text
        self.last = last_readers(program, self.likes)
        self.own = {}  # of each name whose numbers lie in an array of the program's: the name of that array
        self.free = {}  # arrays whose numbers nobody reads any more, by kind
        self.homes = {new: old for old, new in program.writes.items()}
        for place, line in enumerate(program.lines):
            self.put(place, line)

    def put(self, place, line):
        """Write one line, and see which arrays are free now."""
        inputs = [self.array_of.get(name, name) for name in line.inputs]
        source, dead = viewed(line, self.likes), self.dead_after(place, line)
        self.array_of[line.name] = line.name
        if isinstance(line.function, Kept):
            self.put_kept(line)
        elif self.is_number(line):
            inputs = [repr(self.space[x].item()) if x in self.space else x for x in inputs]
            self.numbers.add(line.name)
            self.text.append(f"{line.name} = py_{UFUNCS[line.function.name()]}({', '.join(inputs)})")
        elif source is not None:
            self.put_view(line, inputs, source)
        elif written(line, inputs, "") is None:
            self.put_call(line, inputs)
        else:
            inputs = [self.as_array(name, line.like.dtype) if name in self.numbers else name for name in inputs]
            out = self.array_of[line.name] = self.room(place, line, dead)
            self.text.append(written(line, inputs, out))
            dead = [name for name in dead if name != out]
        for name in dead:
            self.free.setdefault(kind_of(self.space[name]), []).append(name)

    def is_number(self, line):
        """Is it made of plain numbers, and so one itself?"""
        constants = [name for name in line.inputs if name in self.program.constants and not self.likes[name].ndim]
        numbers = self.numbers.intersection(line.inputs)
        known = UFUNCS.get(line.function.name()) in ON_NUMBERS
        return bool(known and numbers) and numbers.issuperset(set(line.inputs) - set(constants))

    def as_array(self, number, dtype):
        """The name of a plain number as an array without axes: NumPy is faster with one."""
        name, self.space[str(dtype)] = f"{number}_{dtype}", dtype
        if name not in self.numbers:
            self.numbers.add(name)
            self.text.append(f"{name} = array({number}, {dtype})")
        return name

    def dead_after(self, place, line):
        """The arrays of the program's own whose numbers this line is the last to read."""
        names = [self.own[name] for name in line.inputs if name in self.own and self.last[name] == place]
        return list(dict.fromkeys(names))

    def room(self, place, line, dead):
        """The name of the array for a result: the one it replaces, an input's that is dead, a free one, or a new one.

        A line that goes number by number may write over its inputs.  dead: the arrays that nobody reads after it.
        """
        kind, home = kind_of(line.like), self.homes.get(line.name)
        in_place = line.function.name() in UFUNCS or isinstance(line.function, LessOne)
        if in_place and home and self.last[home] <= place and kind_of(self.likes[home]) == kind:
            return self.array_of.get(home, home)
        fit = [name for name in dead if in_place and kind_of(self.space[name]) == kind]
        stock = self.free.get(kind)
        out = fit[0] if fit else stock.pop() if stock else line.name
        if out == line.name:
            self.space[out] = np.empty(line.like.shape, line.like.dtype)
        self.own[line.name] = out
        return out

    def put_kept(self, line):
        """What an optimizer keeps: looked up in its dict."""
        self.space[f"in_{line.name}"] = line.function.holder
        self.text.append(f"{line.name} = in_{line.name}[{line.function.key!r}]")
        if not isinstance(line.function.holder[line.function.key], np.ndarray):
            self.numbers.add(line.name)

    def put_view(self, line, inputs, source):
        """An array that is, or may be, a part of another: made once, if that one is there before the first run."""
        there = self.space.get(self.array_of.get(source, source))
        view = line.function.forward(there) if there is not None and len(inputs) == 1 else None
        if view is not None and np.may_share_memory(view, there):
            self.space[line.name] = view
            self.own |= {line.name: self.own[source]} if source in self.own else {}
        elif isinstance(line.function, Taken) and kind_of(line.like) == kind_of(self.likes[source]):
            self.array_of[line.name] = inputs[0]
        else:
            self.put_call(line, inputs)

    def put_call(self, line, inputs):
        """Any other operation: its own forward, with a new array in each run."""
        self.space[f"f_{line.name}"] = line.function.forward
        self.text.append(f"{line.name} = f_{line.name}({', '.join(inputs)})")

    def put_ends(self):
        """What is left in .grad, what is updated, what is stepped."""
        for name, g in self.program.gradients.items():
            self.space[f"L_{name}"] = self.program.leaves.get(name)
            holder = f"L_{name}" if name in self.program.leaves else f"given[{name[1:]}]"
            self.text.append(f"{holder}.grad = array({self.array_of.get(g, g)})")
        for old, new in self.program.writes.items():
            there, value, kept = self.array_of.get(old, old), self.array_of.get(new, new), self.kept.get(old)
            if kept and not isinstance(kept.holder[kept.key], np.ndarray):
                self.text.append(f"in_{old}[{kept.key!r}] = {type(kept.holder[kept.key]).__name__}({value})")
            elif there != value:
                self.text.append(f"copyto({there}, {value})")
        for i, call in enumerate(self.program.after):
            self.space[f"after{i}"] = call
            self.text.append(f"after{i}()")


def function_of(program):
    """The program as a Python function of its inputs, which returns arrays; None if it is out of date."""
    writer = Writer(program)
    writer.kept = {line.name: line.function for line in program.lines}
    answers = ", ".join([f"array({writer.array_of.get(name, name)})" for name in program.outputs])
    writer.text.append(f"answers = ({answers},)")
    writer.put_ends()
    space = writer.space | {f"w{i}": thing for i, (thing, *_) in enumerate(program.watched)}
    space |= {f"is{i}": value for i, (*_, value) in enumerate(program.watched)}
    space |= {f"draw_{name}": draw for name, draw in program.draws.items()}
    stale = [f"({text.format(f'w{i}')}) is not is{i}" for i, (_, text, _) in enumerate(program.watched)]
    text = [f"if {' or '.join(stale)}: return None"] if stale else []
    text += [f"{name} = draw_{name}()" for name in program.draws] + writer.text + ["return answers"]
    body = "".join(f"    {line}\n" for line in text)
    inputs = [name for name in program.inputs if name not in program.draws]
    wanted = [name for name in space if name in body]
    made = {}
    exec(f"def make({', '.join(wanted)}):\n  def run(given, {', '.join(inputs)}):\n{body}  return run", made)
    run = made["make"](**{name: space[name] for name in wanted})
    run.text = body
    return run


class Compiled:
    """What compile() returns: call it as the step that it was made from.  .programs: {kind of the inputs: its text}."""

    def __init__(self, step):
        self.step, self.runs = step, {}

    def __call__(self, *inputs):
        arrays = [x.data if isinstance(x, Tensor) else x for x in inputs]
        kinds = tuple([kind_of(x) if isinstance(x, np.ndarray) else x for x in arrays])
        kinds += tuple(map(type, inputs))  # a Tensor, or an array
        run = self.runs.get(kinds)
        given = [x for x in arrays if isinstance(x, np.ndarray)]
        answers = run(inputs, *given) if run else None
        if answers is None:
            run = self.runs[kinds] = function_of(optimized(trace(self.step, *inputs)))
            answers = run(inputs, *given)
        answers = tuple([result(answer) for answer in answers])
        return answers if len(answers) > 1 else answers[0]


def compile(step):
    """A function that does what step does, with the same numbers, faster. See trace() for what step may do.

    It keeps a program for each shape and dtype of its inputs. Parameters are updated in place; the gradients that the
    course's own optimizers used are gone afterwards: .grad is None.
    """
    return Compiled(step)

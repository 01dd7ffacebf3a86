"""The questions of notebook 15. Programs are put together here, line by line: none of them needs trace."""

import numpy as np

from grader.asking.answers import Form
from grader.course.questions import probe
from grader.probes.recipe import recipes_of
from grader.probes.tensors import NO_RETURN, array_of, kind_of

# Operations by name: what NumPy makes of it, for the shape and dtype of a result.

ONE = {"Exp": np.exp, "Tanh": np.tanh, "Negate": np.negative, "Abs": np.abs}
TWO = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide}
OTHERS = {
    "MatMul": lambda op, a, b: a @ b,
    "Summation": lambda op, a: np.add.reduce(a, axis=op.axes, keepdims=op.keepdims),
    "Max": lambda op, a: np.maximum.reduce(a, axis=op.axes, keepdims=op.keepdims),
    "ReLU": lambda op, a: np.maximum(a, 0.0),
    "MulScalar": lambda op, a: a * op.scalar,
    "PowerScalar": lambda op, a: a**op.scalar,
    "Transpose": lambda op, a: a.swapaxes(-1, -2),
    "Reshape": lambda op, a: a.reshape(op.shape),
    "Gather": lambda op, a: a[op.index],
}


def computed(op, *arrays):
    """What an operation makes of arrays, without its own forward."""
    name = type(op).__name__
    ufunc = ONE.get(name) or TWO.get(name)
    return np.asarray(ufunc(*arrays) if ufunc else OTHERS[name](op, *arrays))


class Sheet:
    """A Program that is being written.  names of what is given: x0, x1, ...; constants c0, ...; lines v0, v1, ..."""

    def __init__(self, bg, shape=(2, 3), inputs=2, constants=()):
        self.bg, self.lines = bg, []
        self.inputs = {f"x{i}": np.full(shape, 1.5 + i) for i in range(inputs)}
        self.constants = {f"c{i}": np.asarray(number, float) for i, number in enumerate(constants)}
        self.likes = self.inputs | self.constants

    def line(self, kind, *inputs, **options):
        """Write one more line.  Returns its name."""
        function = getattr(self.bg.ops, kind)(**options)
        name = f"v{len(self.lines)}"
        self.likes[name] = computed(function, *(self.likes[i] for i in inputs))
        self.lines.append(self.bg.compiler.Line(name, function, inputs, self.likes[name]))
        return name

    def program(self, *outputs, gradients=None, writes=None):
        more = {"outputs": outputs, "gradients": gradients or {}, "writes": writes or {}}
        given = {"inputs": dict(self.inputs), "constants": dict(self.constants), "leaves": {}}
        given |= {
            "numbers": {"x0": "now()"},
            "checks": ("lr == 0.1",),
            "after": ("done()",),
            "objects": {"now": np.sum},
        }
        leaves = {*more["gradients"], *more["writes"]}
        given["leaves"] = {name: self.bg.Tensor(self.inputs["x0"].copy()) for name in sorted(leaves)}
        return self.bg.compiler.Program(lines=tuple(self.lines), **given, **more)


def numbers_of(index):
    """An array of 0 and 1 as a text; a long one in short."""
    return index.tolist() if index.size < 20 else f"[{index.size} numbers, {index.sum()} of them 1]"


def as_text(line):
    """Such as: v2 = Summation(v1, axes=(0,))."""
    try:
        function, settings = type(line.function).__name__, vars(line.function)
        more = [f"{key}={settings[key]}" for key in ("axes", "keepdims", "scalar", "shape") if settings.get(key)]
        more += [f"index={numbers_of(settings['index'])}"] if "index" in settings else []
        inputs = [name if isinstance(name, str) else kind_of(name) for name in line.inputs]
        return f"{line.name} = {function}({', '.join([*inputs, *more])})"
    except (AttributeError, TypeError):
        return kind_of(line)


def ends(program):
    """How a Program ends, in words."""
    words = [f"p.grad = {name}".replace("p", leaf, 1) for leaf, name in program.gradients.items()]
    words += [f"{leaf}[...] = {name}" for leaf, name in program.writes.items()]
    return [*words, *([f"return {', '.join(program.outputs)}"] if program.outputs else [])]


def page(program):
    """A Program as one line of text, for the question."""
    given = [f"{name} = {array:g}" for name, array in program.constants.items() if array.shape == ()]
    return "; ".join([*given, *map(as_text, program.lines), *ends(program)])


def made_of(change, program):
    """Answers: what a pass made of a Program."""
    before = list(program.constants)
    returned = change(program)
    if not hasattr(returned, "lines"):
        return {"the answer": Form(kind_of(returned, NO_RETURN))}
    return {
        "the answer": Form("a Program"),
        "the list of lines": list(map(as_text, returned.lines)),
        "what stands at the end": ends(returned),
        "the dict of constants": {name: constant_of(x) for name, x in sorted(returned.constants.items())},
        "what else was changed": Form(", ".join(changed(program, returned)) or "nothing"),
        "the list of constants in the program that was given": list(program.constants) if len(before) else [],
    }


def constant_of(x):
    """The array of a constant; what kind of thing it is if it is none."""
    return array_of(np.asarray(x) if isinstance(x, np.generic) else x) if hasattr(x, "dtype") else Form(kind_of(x))


def changed(program, returned):
    """Names of parts of a Program that no pass has anything to do with, and that are not as they were."""
    for name in ("inputs", "leaves", "numbers", "checks", "after", "objects"):
        before, now = getattr(program, name), getattr(returned, name, None)
        if type(before) is not type(now) or list(before) != list(now) or not same_parts(before, now):
            yield name


def same_parts(before, now):
    return not isinstance(before, dict) or all(now[key] is x for key, x in before.items())


def passed(id, name, function, write, show=True, constants=True):
    """A question about a pass.  write(sheet, rng): puts a Program together and returns it; it makes the sheet, too."""
    words = " of {program}" if show else " of a program with drawn lines"

    @probe(id, asked=f"{function}(program){words}", name=name)
    def question(bg, rng):
        program = write(bg, rng)
        answers = made_of(getattr(bg.compiler, function), program)
        if not constants:
            answers.pop("the dict of constants", None)
        return answers | ({"asked": {"program": page(program)}} if show else {})


def one(rng):
    return str(rng.choice(list(ONE)))


def two(rng):
    return str(rng.choice(list(TWO)))


def different(rng, kinds, count):
    return map(str, rng.choice(list(kinds), count, replace=False))


# 15.1: a call becomes a Line.


def tensors(bg, rng, *needs_grad):
    """Tensors (2, 3) of drawn numbers.  needs_grad: for each, does it require grad?"""
    return [bg.Tensor(rng.normal(size=(2, 3)).round(1), requires_grad=wants) for wants in needs_grad]


def noted_calls(bg, calls, names):
    """Answers: the Lines of calls (function, inputs), and all names, once they are noted one after the other.

    calls: (operation, places of its inputs); a place counts from the end of all Tensors so far.
    """
    answers = {"the answer": Form("a Line")}
    for number, (function, inputs, out) in enumerate(calls, 1):
        line = bg.compiler.noted(function, inputs, out, names)
        if not hasattr(line, "inputs"):
            return {"the answer": Form(kind_of(line, NO_RETURN))}
        answers[f"line {number}"] = as_text(line)
        same = line.function is function
        answers[f"the operation in line {number}"] = Form("the one that was called" if same else "another one")
        answers[f"what stands in line {number} for the shape"] = array_of(line.like)
    return answers | {"the list of all names": [str(name) for name in names.values()]}


def result_of(bg, function, *inputs):
    out = bg.Tensor(computed(function, *(x.data for x in inputs)))
    return function, inputs, out


@probe("15.1", asked="noted({operation}(), (w, k), out, names): nothing has a name yet; w requires grad, k does not")
def a_leaf_and_a_constant(bg, rng):
    w, k = tensors(bg, rng, True, False)
    kind = two(rng)
    asked = {"asked": {"operation": kind}}
    return asked | noted_calls(bg, [result_of(bg, getattr(bg.ops, kind)(), w, k)], {})


@probe("15.1", asked="noted of an operation on x0, the only Tensor with a name, and twice on a new leaf")
def an_input_has_a_name(bg, rng):
    x, w = tensors(bg, rng, True, True)
    kinds = [getattr(bg.ops, kind)() for kind in different(rng, TWO, 2)]
    return noted_calls(bg, [result_of(bg, kinds[0], x, w), result_of(bg, kinds[1], w, x)], {x: "x0"})


@probe("15.1", asked="noted of two operations: out of the first is an input of the second")
def one_after_the_other(bg, rng):
    (x,) = tensors(bg, rng, False)
    first = result_of(bg, getattr(bg.ops, one(rng))(), x)
    return noted_calls(bg, [first, result_of(bg, getattr(bg.ops, two(rng))(), first[2], first[2])], {x: "x0"})


@probe("15.1", asked="noted({operation}(), (w, u), out, names): w and u are two leaves with equal numbers")
def equal_numbers(bg, rng):
    (w,) = tensors(bg, rng, True)
    u, kind = bg.Tensor(w.data.copy()), two(rng)
    asked = {"asked": {"operation": kind}}
    return asked | noted_calls(bg, [result_of(bg, getattr(bg.ops, kind)(), w, u)], {})


@probe("15.1", asked="noted of five drawn operations, on Tensors of all kinds")
def five_calls(bg, rng):
    known = tensors(bg, rng, True, False, True, False)
    calls = []
    for _ in range(5):
        places = rng.integers(len(known), size=2)
        kind, inputs = (two(rng), [known[i] for i in places]) if rng.random() < 0.6 else (one(rng), [known[places[0]]])
        calls.append(result_of(bg, getattr(bg.ops, kind)(), *inputs))
        known.append(calls[-1][2])
    return noted_calls(bg, calls, {known[0]: "x0"})


@probe("15.1", asked="noted(Transpose(), (x,), out, names), where the array of out is a part of the array of x")
def a_part_of_an_input(bg, rng):
    (x,) = tensors(bg, rng, False)
    out = bg.Tensor(x.data)
    out.data = x.data.T
    line = bg.compiler.noted(bg.ops.Transpose(), (x,), out, {x: "x0"})
    if not hasattr(line, "like"):
        return {"the answer": Form(kind_of(line, NO_RETURN))}
    there = np.may_share_memory(line.like, x.data)
    return {"where the numbers of like lie": Form("in the array of out" if there else "in an array of their own")}


# 15.2: what nobody uses.


def last_one_unused(bg, rng):
    sheet = Sheet(bg)
    first = sheet.line(two(rng), "x0", "x1")
    second = sheet.line(one(rng), first)
    sheet.line(one(rng), first)
    return sheet.program(second)


def a_chain_unused(bg, rng):
    sheet = Sheet(bg)
    first = sheet.line(two(rng), "x0", "x1")
    for _ in range(2):
        first = sheet.line(one(rng), first)
    wanted = sheet.line(two(rng), "x1", "x0")
    return sheet.program(sheet.line(one(rng), wanted))


def an_input_that_nobody_reads(bg, rng):
    sheet = Sheet(bg, inputs=3)
    first = sheet.line(two(rng), "x2", "x0")
    sheet.line(two(rng), first, "x1")
    return sheet.program(sheet.line(one(rng), first))


def wanted_at_the_end(bg, rng):
    sheet = Sheet(bg, inputs=1)
    first = sheet.line(one(rng), "x0")
    sheet.line(two(rng), first, "x0")
    gradient = sheet.line(two(rng), "x0", first)
    other = sheet.line(one(rng), "x0")
    new = sheet.line("Sub", "x0", other)
    return sheet.program(first, gradients={"p0": gradient}, writes={"p1": new})


def drawn_lines(bg, rng, lines=10, constants=()):
    """Ten lines, of which some are read by nobody."""
    sheet = Sheet(bg, constants=constants)
    for _ in range(lines):
        known = list(sheet.likes)
        inputs = [known[i] for i in rng.integers(len(known), size=2)]
        if rng.random() < 0.5:
            sheet.line(two(rng), *inputs)
        else:
            sheet.line(one(rng), inputs[0])
    names = [line.name for line in sheet.lines]
    wanted = [names[i] for i in rng.choice(range(3, lines), 3, replace=False)]
    return sheet.program(wanted[0], gradients={"p0": wanted[1]}, writes={"p1": wanted[2]})


passed("15.2", "nothing_is_unused", "without_unused", lambda bg, rng: all_used(bg, rng))
passed("15.2", "last_one_unused", "without_unused", last_one_unused)
passed("15.2", "a_chain_unused", "without_unused", a_chain_unused)
passed("15.2", "wanted_at_the_end", "without_unused", wanted_at_the_end)
passed("15.2", "an_input_that_nobody_reads", "without_unused", an_input_that_nobody_reads)
passed("15.2", "drawn_and_unused", "without_unused", drawn_lines, show=False)


def all_used(bg, rng):
    sheet = Sheet(bg)
    first = sheet.line(one(rng), "x0")
    second = sheet.line(two(rng), first, "x1")
    return sheet.program(sheet.line(two(rng), first, second))


# 15.3: what is known before.


def constants(rng, count):
    return rng.integers(11, 99, count) / 10


def two_constants(bg, rng):
    sheet = Sheet(bg, inputs=1, constants=constants(rng, 2))
    number = sheet.line(two(rng), "c0", "c1")
    return sheet.program(sheet.line("Mul", number, "x0"))


def constants_in_a_chain(bg, rng):
    sheet = Sheet(bg, inputs=1, constants=constants(rng, 2))
    number = sheet.line(one(rng), sheet.line(two(rng), "c0", "c1"))
    return sheet.program(sheet.line(two(rng), "x0", number))


def a_constant_and_an_input(bg, rng):
    sheet = Sheet(bg, inputs=1, constants=constants(rng, 1))
    return sheet.program(sheet.line(one(rng), sheet.line(two(rng), "x0", "c0")))


def an_input_alone(bg, rng):
    sheet = Sheet(bg, constants=constants(rng, 1))
    return sheet.program(sheet.line(two(rng), sheet.line(two(rng), "x0", "x1"), "c0"))


def without_inputs(bg, rng):
    """A line that reads nothing, such as one that draws random numbers: it is not constant."""
    sheet = Sheet(bg, inputs=1, constants=constants(rng, 1))
    drawn = bg.ops.Exp()
    sheet.lines.append(bg.compiler.Line("v0", drawn, (), sheet.inputs["x0"]))
    sheet.likes["v0"] = sheet.inputs["x0"]
    return sheet.program(sheet.line(two(rng), "v0", "c0"))


def a_leaf_and_a_constant_together(bg, rng):
    sheet = Sheet(bg, inputs=1, constants=constants(rng, 1))
    sheet.likes["p0"] = sheet.inputs["x0"]
    new = sheet.line("Sub", "p0", sheet.line(two(rng), "p0", "c0"))
    return sheet.program(new, writes={"p0": new})


def a_leaf_called_c(bg, rng):
    sheet = Sheet(bg, inputs=1, constants=constants(rng, 1))
    sheet.likes["c1"] = sheet.inputs["x0"]
    new = sheet.line("Sub", "c1", sheet.line(two(rng), "c1", "c0"))
    return sheet.program(new, writes={"c1": new})


passed("15.3", "two_constants", "with_folded", two_constants)
passed("15.3", "constants_in_a_chain", "with_folded", constants_in_a_chain)
passed("15.3", "a_constant_and_an_input", "with_folded", a_constant_and_an_input)
passed("15.3", "an_input_alone", "with_folded", an_input_alone)
passed("15.3", "without_inputs", "with_folded", without_inputs)
passed("15.3", "a_leaf_and_a_constant", "with_folded", a_leaf_and_a_constant_together)
passed("15.3", "a_leaf_called_c", "with_folded", a_leaf_called_c)
passed("15.3", "drawn_and_folded", "with_folded", lambda bg, rng: drawn_lines(bg, rng, 10, constants(rng, 3)), False)


# 15.4: each once.


def twice(bg, rng):
    sheet, kind = Sheet(bg), two(rng)
    one_, another = sheet.line(kind, "x0", "x1"), sheet.line(kind, "x0", "x1")
    return sheet.program(sheet.line("Mul", one_, another))


def a_chain_twice(bg, rng):
    sheet, kind, then = Sheet(bg, inputs=1), one(rng), one(rng)
    first, again = (sheet.line(then, sheet.line(kind, "x0")) for _ in range(2))
    return sheet.program(sheet.line("Add", first, again))


def other_settings(bg, rng):
    sheet = Sheet(bg, inputs=1)
    rows = sheet.line("Summation", "x0", axes=(0,), keepdims=True)
    columns = sheet.line("Summation", "x0", axes=(1,), keepdims=True)
    return sheet.program(sheet.line(two(rng), rows, columns))


def settings_that_are_arrays(bg, rng):
    sheet, places = Sheet(bg, inputs=1), rng.integers(0, 2, 3)
    picks = [sheet.line("Gather", "x0", index=index) for index in (places, 1 - places, places.copy())]
    return sheet.program(sheet.line("Add", sheet.line(two(rng), *picks[:2]), picks[2]))


def long_settings(bg, rng):
    """Two long arrays that differ in the middle, where a text of them has three dots."""
    sheet, places = Sheet(bg, inputs=1), rng.integers(0, 2, 2000)
    others = np.where(np.arange(2000) == rng.integers(500, 1500), 1 - places, places)
    picks = [sheet.line("Gather", "x0", index=index) for index in (places, others)]
    return sheet.program(sheet.line(two(rng), *picks))


def the_other_way_round(bg, rng):
    sheet, kind = Sheet(bg), str(rng.choice(["Sub", "Div"]))
    return sheet.program(sheet.line("Add", sheet.line(kind, "x0", "x1"), sheet.line(kind, "x1", "x0")))


def another_operation(bg, rng):
    sheet = Sheet(bg, inputs=1)
    first, second = (sheet.line(kind, "x0") for kind in different(rng, ONE, 2))
    return sheet.program(sheet.line(two(rng), first, second))


def equal_constants(bg, rng):
    (number,) = constants(rng, 1)
    sheet, kind = Sheet(bg, inputs=1, constants=(number, number + 1, number)), two(rng)
    first, other, again = (sheet.line(kind, "x0", name) for name in ("c0", "c1", "c2"))
    return sheet.program(sheet.line("Add", sheet.line("Add", first, other), again))


def twice_at_the_end(bg, rng):
    sheet, kind = Sheet(bg), two(rng)
    first, again = (sheet.line(kind, "x0", "x1") for _ in range(2))
    third = sheet.line(kind, "x0", "x1")
    return sheet.program(first, again, gradients={"p0": third}, writes={"p1": again})


def lines_again(bg, rng):
    """Drawn lines, each of which may come again."""
    sheet, kinds = Sheet(bg), list(different(rng, TWO, 2))
    for _ in range(12):
        known = list(sheet.likes)[:4]
        sheet.line(kinds[rng.integers(2)], *(known[i] for i in rng.integers(len(known), size=2)))
    return sheet.program(f"v{rng.integers(6, 12)}", gradients={"p0": f"v{rng.integers(6, 12)}"})


passed("15.4", "twice", "with_each_once", twice, constants=False)
passed("15.4", "a_chain_twice", "with_each_once", a_chain_twice, constants=False)
passed("15.4", "other_settings", "with_each_once", other_settings, constants=False)
passed("15.4", "settings_that_are_arrays", "with_each_once", settings_that_are_arrays, constants=False)
passed("15.4", "long_settings", "with_each_once", long_settings, constants=False)
passed("15.4", "the_other_way_round", "with_each_once", the_other_way_round, constants=False)
passed("15.4", "another_operation", "with_each_once", another_operation, constants=False)
passed("15.4", "equal_constants", "with_each_once", equal_constants, constants=False)
passed("15.4", "twice_at_the_end", "with_each_once", twice_at_the_end, constants=False)
passed("15.4", "lines_again", "with_each_once", lines_again, show=False, constants=False)


# 15.5: last readers.


def readers(name, write, show=True):
    words = " of {program}" if show else " of a program with drawn lines"

    @probe("15.5", asked=f"last_readers(program){words}", name=name)
    def question(bg, rng):
        program = write(bg, rng)
        returned = bg.compiler.last_readers(program)
        asked = {"asked": {"program": page(program)}} if show else {}
        if not isinstance(returned, dict):
            return asked | {"the answer": Form(kind_of(returned, NO_RETURN))}
        found = {str(name): place for name, place in sorted(returned.items())}
        odd = [name for name, place in found.items() if not isinstance(place, (int, np.integer))]
        if odd:
            return asked | {"the answer": Form(f"a dict with {kind_of(found[odd[0]])} for {odd[0]}")}
        places = {name: int(place) for name, place in found.items()}
        return asked | {"the answer": Form("a dict of whole numbers"), "returned": places}


def in_a_row(bg, rng):
    sheet = Sheet(bg, inputs=1)
    first = sheet.line(one(rng), "x0")
    return sheet.program(sheet.line(one(rng), sheet.line(one(rng), first)))


def read_again_later(bg, rng):
    sheet = Sheet(bg)
    first = sheet.line(two(rng), "x0", "x1")
    second = sheet.line(one(rng), first)
    third = sheet.line(one(rng), second)
    return sheet.program(sheet.line(two(rng), third, first))


def read_and_wanted(bg, rng):
    sheet = Sheet(bg, inputs=1)
    first = sheet.line(one(rng), "x0")
    second = sheet.line(one(rng), first)
    sheet.line(two(rng), second, "x0")
    return sheet.program("v2", gradients={"p0": first})


def through_a_view(bg, rng):
    sheet = Sheet(bg, inputs=1)
    first = sheet.line(one(rng), "x0")
    view = sheet.line("Transpose", first)
    second = sheet.line(one(rng), first)
    product = sheet.line("MatMul", second, view)
    return sheet.program(sheet.line(one(rng), product))


def through_two_views(bg, rng):
    sheet = Sheet(bg, inputs=1)
    first = sheet.line(one(rng), "x0")
    view = sheet.line("Reshape", sheet.line("Transpose", first), shape=(6,))
    flat = sheet.line("Reshape", first, shape=(6,))
    second = sheet.line(one(rng), "x0")
    sheet.line(one(rng), view)
    return sheet.program(second, sheet.line(two(rng), flat, flat))


def a_view_is_wanted(bg, rng):
    sheet = Sheet(bg, inputs=1)
    first = sheet.line(one(rng), "x0")
    view = sheet.line("Transpose", first)
    return sheet.program(sheet.line(one(rng), first), view)


def drawn_and_read(bg, rng):
    """Lines on square matrices, with a view now and then."""
    sheet = Sheet(bg, shape=(3, 3))
    for _ in range(12):
        known = list(sheet.likes)[-6:]
        inputs = [known[i] for i in rng.integers(len(known), size=2)]
        way = rng.random()
        if way < 0.3:
            sheet.line("Transpose", inputs[0])
        elif way < 0.6:
            sheet.line(one(rng), inputs[0])
        else:
            sheet.line(two(rng), *inputs)
    return sheet.program("v11", gradients={"p0": f"v{rng.integers(4, 11)}"})


readers("in_a_row", in_a_row)
readers("read_again_later", read_again_later)
readers("read_and_wanted", read_and_wanted)
readers("through_a_view", through_a_view)
readers("through_two_views", through_two_views)
readers("a_view_is_wanted", a_view_is_wanted)
readers("drawn_and_read", drawn_and_read, show=False)


# 15.6: which array.

SHAPES = {"v7": (2, 3), "v8": (3, 2), "v9": (2, 3)}


def empty(shape, dtype="float64"):
    return np.zeros(shape, dtype)


def function_called(bg, kind, options):
    """An operation; one that the package calls by this name, where it is in none of its tables."""
    return getattr(bg.ops, kind)(**options) if hasattr(bg.ops, kind) else type(kind, (bg.Function,), {})()


def array_question(name, words, kind, shape, dying, free, drawn=False, **options):
    """A question about the array of one line.  dying, free: {name: (shape, dtype)}."""

    @probe("15.6", asked=f"array_for(line, dying, free) of {words}", name=name)
    def question(bg, rng):
        names = [f"v{number}" for number in rng.choice(range(10, 99), 8, replace=False)]
        own, others = names[0], iter(names[1:])
        stock = [{next(others): empty(*each) for each in group} for group in (dying, free)]
        inputs = (*stock[0], "x0", "x1")[: 1 if kind in (*ONE, "ReLU", "Summation") else 2]
        line = bg.compiler.Line(own, function_called(bg, kind, options), inputs, empty(*shape))
        asked = {"line": f"{as_text(line)} {shape[0]}", "dying": told(stock[0]), "free": told(stock[1])}
        given = [dict(group) for group in stock]
        answers = {"what it returned": Form(sort_of(bg.compiler.array_for(line, *given), line, *stock))}
        same = [list(group) for group in given] == [list(group) for group in stock]
        held = Form("what was there before" if same else "something else")
        return {"asked": asked} | answers | {"what dying and free hold afterwards": held}


def told(group):
    """{name: (shape, dtype)} in words."""
    return ", ".join(f"{name} {array.shape} {array.dtype}" for name, array in group.items()) or "nothing"


def sort_of(name, line, dying, free):
    """Which name was chosen, in words. Of several that are alike, each will do."""
    if not isinstance(name, str):
        return kind_of(name, NO_RETURN)
    if name == line.name:
        return "the line's own name"
    where = "a name from dying" if name in dying else "a name from free" if name in free else f"the name {name[:20]}"
    array = dying.get(name, free.get(name))
    if array is None or (array.shape, array.dtype) == (line.like.shape, line.like.dtype):
        return where
    return f"{where}, an array of another {'shape' if array.shape != line.like.shape else 'dtype'}"


@probe("15.6", asked="array_for(line, dying, free), thirty times, with drawn lines, shapes and dtypes")
def thirty_drawn(bg, rng):
    answers = {}
    for _ in range(30):
        (line, dying, free), words = drawn_case(bg, rng)
        returned = bg.compiler.array_for(line, dict(dying), dict(free))
        answers[words] = Form(sort_of(returned, line, dying, free))
    return answers


def drawn_case(bg, rng):
    """(line, dying, free) and words for them."""
    some = [(empty(shape, dtype)) for shape in ((3, 3), (1, 3)) for dtype in ("float64", "float32")]
    numbers = iter(rng.choice(range(10, 99), 8, replace=False))
    dying, free = ({f"v{next(numbers)}": some[rng.integers(4)] for _ in range(rng.integers(4))} for _ in range(2))
    kind = str(rng.choice(["Tanh", "Exp", "Abs", "Negate", "Summation"]))
    options = {"axes": (0,), "keepdims": True} if kind == "Summation" else {}
    like = some[rng.integers(4)]
    line = bg.compiler.Line(f"v{next(numbers)}", getattr(bg.ops, kind)(**options), ([*dying, "x0"][0],), like)
    words = f"{as_text(line)}, {like.shape} {like.dtype}. Dying: {told(dying)}. Free: {told(free)}."
    return (line, dying, free), words


F, I = "float64", "float32"
IN_WORDS = "{line}; dying: {dying}; free: {free}"


def ask_array(name, kind, shape, dying, free, **options):
    array_question(name, IN_WORDS, kind, shape, dying, free, **options)


ask_array("in_place", "Tanh", ((2, 3), F), [((2, 3), F)], [])
ask_array("in_place_or_free", "Exp", ((2, 3), F), [((2, 3), F)], [((2, 3), F)])
ask_array("the_second_input_dies", "Add", ((2, 3), F), [((3,), F), ((2, 3), F)], [])
ask_array("nothing_dies", "Mul", ((2, 3), F), [], [((3, 2), F), ((2, 3), F)])
ask_array("all_new", "Exp", ((2, 3), F), [], [])
ask_array("a_product", "MatMul", ((3, 3), F), [((3, 3), F)], [((3, 3), F)])
ask_array("a_product_without_a_free_one", "MatMul", ((3, 3), F), [((3, 3), F)], [])
ask_array("a_sum_of_one_row", "Summation", ((1, 3), F), [((1, 3), F)], [], axes=(0,), keepdims=True)
ask_array("a_softmax_less_one", "LessOne", ((2, 3), F), [((2, 3), F)], [])
ask_array("another_shape", "Sub", ((2, 3), F), [((3,), F)], [((3, 2), F), ((6,), F)])
ask_array("another_dtype", "Abs", ((2, 3), F), [((2, 3), I)], [((2, 3), I)])
ask_array("another_dtype_is_free", "Negate", ((2, 3), F), [((2, 3), I)], [((2, 3), F)])


# 15.8: the hunt.

MATRICES = {"x": (3, 3), "y": (3, 3)}


def the_function(bg, rng):
    return {"recipe": recipes_of(lambda x, y: [bg.hunts.four_compilers(x, y)], **MATRICES)[0]}


for _author in ("Ada", "Ben", "Cleo", "Dora"):
    _asked = f"four_compilers(x, y), for {_author} to compile"
    probe("15.8", asked=_asked, name=f"catches_{_author}", secret=True)(the_function)

"""Wrong ideas about notebook 15, each as a patch for a private copy of the reference."""

from grader.course.exercise import wrong

from .exercises import arrays, call, folded, hunt, once, readers, unused

# 15.1: a call becomes a Line.


def noted_is(
    bg, name_input=None, inputs_of=None, result_first=False, keep=True, keep_result=True, function_of=None, like_of=None
):
    """noted with another way to name, to look up, to keep, or to fill in."""
    compiler = bg.compiler

    def letter(x):
        return "p" if x.requires_grad else "c"

    def noted(function, inputs, out, names):
        mine = names if keep else dict(names)
        if result_first:
            mine[out] = compiler.fresh("v", mine)
        for x in inputs:
            (name_input or ordinary)(x, mine)
        if not result_first:
            mine[out] = compiler.fresh("v", mine)
        read = (inputs_of or in_order)(inputs, mine)
        like = (like_of or data_of)(inputs, out)
        name = mine[out] if keep_result else mine.pop(out)
        return compiler.Line(name, function_of(function) if function_of else function, read, like)

    def ordinary(x, names):
        if x not in names:
            names[x] = compiler.fresh(letter(x), names)

    compiler.noted = noted


def in_order(inputs, names):
    return tuple([names[x] for x in inputs])


def data_of(inputs, out):
    return out.data


@wrong(
    call,
    "a new name for each reading",
    "A Tensor got another name each time it was read. It has one name for good: look in names first.",
)
def _(bg):
    def always(x, names):
        names[x] = bg.compiler.fresh("p" if x.requires_grad else "c", names)

    noted_is(bg, always)


@wrong(
    call,
    "leaves and constants alike",
    "All new inputs are called p here. A Tensor that requires no grad is a constant and is called c: it may be folded "
    "later.",
)
def _(bg):
    def leaf(x, names):
        if x not in names:
            names[x] = bg.compiler.fresh("p", names)

    noted_is(bg, leaf)


@wrong(
    call,
    "constants are the leaves",
    "The two letters changed places: p, a parameter, is for what requires grad, c for what does not.",
)
def _(bg):
    def other(x, names):
        if x not in names:
            names[x] = bg.compiler.fresh("c" if x.requires_grad else "p", names)

    noted_is(bg, other)


@wrong(
    call,
    "the result is not in names",
    "The inputs have their names, but the result is not in names afterwards. A later line that reads it would take it "
    "for something new.",
)
def _(bg):
    noted_is(bg, keep_result=False)


@wrong(
    call,
    "names are not kept",
    "The names were right, but they are not in names afterwards. The next line has to find them there.",
)
def _(bg):
    noted_is(bg, keep=False)


@wrong(
    call,
    "Tensors instead of names",
    "The inputs of a Line are names, so that a program can be run with other numbers. Here they are the Tensors.",
)
def _(bg):
    noted_is(bg, inputs_of=lambda inputs, names: tuple(inputs))


@wrong(
    call,
    "each input once",
    "An input that is used twice stands in the line once. In x * x both factors are x, and both must be there.",
)
def _(bg):
    noted_is(bg, inputs_of=lambda inputs, names: tuple(dict.fromkeys(in_order(inputs, names))))


@wrong(
    call,
    "sorted inputs",
    "The inputs were sorted by name. Their order is the order of the call: x - w is not w - x.",
)
def _(bg):
    noted_is(bg, inputs_of=lambda inputs, names: tuple(sorted(in_order(inputs, names), reverse=True)))


@wrong(
    call,
    "the shape of an input",
    "like has the shape and dtype of the result. Here the first input stands there.",
)
def _(bg):
    noted_is(bg, like_of=lambda inputs, out: inputs[0].data)


@wrong(
    call,
    "recognised by their numbers",
    "Two leaves that hold equal numbers got one name. They are two Tensors, and after one update they differ: what "
    "counts is which object it is.",
)
def _(bg):
    def by_numbers(x, names):
        if x not in names:
            same = [name for other, name in names.items() if other.data.tobytes() == x.data.tobytes()]
            names[x] = same[0] if same else bg.compiler.fresh("p" if x.requires_grad else "c", names)

    noted_is(bg, by_numbers)


# 15.2: what nobody uses.


def lines_left(bg, name, lines_of):
    """A pass that only decides which lines stay."""
    setattr(bg.compiler, name, lambda program: program._replace(lines=tuple(lines_of(program))))


def useful(program, wanted):
    read, kept = set(wanted), []
    for line in reversed(program.lines):
        if line.name in read:
            read.update(line.inputs)
            kept.append(line)
    return kept


@wrong(
    unused,
    "one round",
    "A line stayed because it is read by a line that goes. Begin at the end: there you know of each later line whether "
    "it stays.",
)
def _(bg):
    def once(program):
        read = {name for line in program.lines for name in line.inputs} | program.wanted
        return [line for line in program.lines if line.name in read]

    lines_left(bg, "without_unused", once)


@wrong(
    unused,
    "what a gradient needs",
    "A line is gone that a gradient needs. Not only what is returned is wanted: program.wanted has the gradients and "
    "the new numbers of parameters too.",
)
def _(bg):
    lines_left(bg, "without_unused", lambda program: reversed(useful(program, program.outputs)))


@wrong(
    unused,
    "the last line alone",
    "Only the last line was taken for wanted. program.wanted says what must be there at the end.",
)
def _(bg):
    lines_left(bg, "without_unused", lambda program: reversed(useful(program, {program.lines[-1].name})))


@wrong(
    unused,
    "the order lost",
    "The right lines are left, but they stand in reverse order: each must stand after the lines it reads.",
)
def _(bg):
    lines_left(bg, "without_unused", lambda program: useful(program, program.wanted))


@wrong(
    unused,
    "what is returned is gone",
    "A line is gone that no other line reads, but that is wanted at the end. The walk begins with program.wanted.",
)
def _(bg):
    def read_by_lines(program):
        kept = []
        for place, line in reversed(list(enumerate(program.lines))):
            if any(line.name in later.inputs for later in program.lines[place:]):
                kept.append(line)
        return reversed(kept)

    lines_left(bg, "without_unused", read_by_lines)


@wrong(
    unused,
    "from the front",
    "The walk went from the first line on. There you do not know yet who will read a line: what is kept depends on "
    "what comes later.",
)
def _(bg):
    def forwards(program):
        read, kept = set(program.wanted), []
        for line in program.lines:
            if line.name in read:
                kept.append(line)
                read.update(line.inputs)
        return kept

    lines_left(bg, "without_unused", forwards)


@wrong(
    unused,
    "inputs that nobody reads",
    "An input is gone because no line reads it. Whoever calls the function still gives it: inputs stay, and only lines "
    "may go.",
)
def _(bg):
    right = bg.compiler.without_unused

    def without_unused(program):
        program = right(program)
        read = {name for line in program.lines for name in line.inputs}
        return program._replace(inputs={name: x for name, x in program.inputs.items() if name in read})

    bg.compiler.without_unused = without_unused


@wrong(
    unused,
    "a new Program of a few parts",
    "The lines are right, but the rest of the program is gone: what is not named in Program(...) is empty. "
    "program._replace(lines=...) changes the lines and keeps all else.",
)
def _(bg):
    right = bg.compiler.without_unused

    def without_unused(program):
        found = right(program)
        return bg.compiler.Program(found.lines, *program[1:7])

    bg.compiler.without_unused = without_unused


# 15.3: what is known before.


def fold(bg, is_constant, grows=True, goes=True, own=True, fresh=False):
    """with_folded with another idea of what is constant.  own: it works on a dictionary of its own."""

    def with_folded(program):
        constants, lines = dict(program.constants) if own else program.constants, []
        before = set(constants)
        for line in program.lines:
            known = constants if grows else before
            folds = is_constant(line, known, program)
            if folds:
                constants[line.name] = line.like
            if not folds or not goes:
                lines.append(line)
        if fresh:
            constants = {name: array for name, array in constants.items() if name not in before}
        return program._replace(lines=tuple(lines), constants=constants)

    bg.compiler.with_folded = with_folded


def all_known(line, known, program=None):
    return bool(line.inputs) and all(name in known for name in line.inputs)


@wrong(
    folded,
    "one constant is enough",
    "A line was folded that reads an input. Its result changes with the input, and would be frozen for good: all "
    "inputs of a line must be constants, not any.",
)
def _(bg):
    fold(bg, lambda line, known, program: any(name in known for name in line.inputs))


@wrong(
    folded,
    "a line that reads nothing",
    "A line without inputs was folded: of no inputs it is true that all are constants. Such a line finds its "
    "numbers elsewhere, and they may be others in each run.",
)
def _(bg):
    fold(bg, lambda line, known, program: all(name in known for name in line.inputs))


@wrong(
    folded,
    "only the first of a chain",
    "The first line of a chain was folded, the next was not. What has been folded is a constant from then on.",
)
def _(bg):
    fold(bg, all_known, grows=False)


@wrong(
    folded,
    "computed here, and in each run too",
    "The result is among the constants, but the line is still there. Then it is computed in each run all the same.",
)
def _(bg):
    fold(bg, all_known, goes=False)


@wrong(
    folded,
    "the old constants forgotten",
    "Only what has been folded is among the constants now. The others are still read: begin with a copy of those "
    "that are there.",
)
def _(bg):
    fold(bg, all_known, fresh=True)


@wrong(
    folded,
    "the given program changed",
    "The constants of the program that was given have grown. A pass makes a new program and leaves the old one alone: "
    "work on dict(program.constants).",
)
def _(bg):
    fold(bg, all_known, own=False)


@wrong(
    folded,
    "parameters are constants",
    "A line was folded that reads a leaf. Parameters change in each step; the leaves of a program are read anew in "
    "each run.",
)
def _(bg):
    fold(bg, lambda line, known, program: all_known(line, {*known, *program.leaves}))


@wrong(
    folded,
    "whatever is called c",
    "A line was folded that reads c1, which is no constant of this program: it is a leaf, and is read anew in each "
    "run. A name says nothing. Look in program.constants.",
)
def _(bg):
    def called_c(line, known, program):
        return bool(line.inputs) and all(name in known or name[0] == "c" for name in line.inputs)

    fold(bg, called_c)


@wrong(
    folded,
    "plain numbers for arrays",
    "What was folded is a plain number now, or a list. The constants of a program are arrays: take line.like as it is.",
)
def _(bg):
    right = bg.compiler.with_folded

    def with_folded(program):
        found = right(program)
        new = {name: x if name in program.constants else x.tolist() for name, x in found.constants.items()}
        return found._replace(constants=new)

    bg.compiler.with_folded = with_folded


# 15.4: each once.


def each_once(bg, key=None, rename=True, constants=True, last=False, ends=True, drop=True):
    """with_each_once with another idea of what is the same."""
    compiler = bg.compiler

    def does(line):
        return type(line.function), compiler.same_thing(tuple(compiler.settings(line.function).items())), line.inputs

    def with_each_once(program):
        first, called, lines = {}, {}, []
        if constants:
            for name, array in program.constants.items():
                called[name] = first.setdefault(compiler.same_thing(array), name)
        if last:
            for line in program.lines:
                first[(key or does)(line)] = line.name
        for line in program.lines:
            seen = line._replace(inputs=tuple([called.get(name, name) for name in line.inputs]))
            line = seen if rename else line
            called[line.name] = first.setdefault((key or does)(line), line.name)
            if called[line.name] == line.name or not drop:
                lines.append(seen)
        program = program._replace(lines=tuple(lines))
        return compiler.renamed(program, called) if ends else program

    compiler.with_each_once = with_each_once


@wrong(
    once,
    "settings ignored",
    "Two lines were merged that differ in their settings: a sum over the rows is not a sum over the columns. Settings "
    "belong to what a line does.",
)
def _(bg):
    each_once(bg, lambda line: (type(line.function), line.inputs))


@wrong(
    once,
    "settings as texts",
    "Two lines were merged whose settings are long arrays that differ in the middle. A text of a long array has three "
    "dots there: take same_thing.",
)
def _(bg):
    each_once(bg, lambda line: (type(line.function), str(bg.compiler.settings(line.function)), line.inputs))


@wrong(
    once,
    "operations ignored",
    "Two lines were merged that read the same inputs with different operations. The type of the function belongs to "
    "what a line does.",
)
def _(bg):
    compiler = bg.compiler
    each_once(bg, lambda line: (compiler.same_thing(tuple(compiler.settings(line.function).items())), line.inputs))


@wrong(
    once,
    "the order of the inputs ignored",
    "a - b and b - a were taken for the same. The inputs must be the same in the same order.",
)
def _(bg):
    compiler = bg.compiler
    each_once(
        bg,
        lambda line: (
            type(line.function),
            compiler.same_thing(tuple(compiler.settings(line.function).items())),
            frozenset(line.inputs) if len(set(line.inputs)) == len(line.inputs) else line.inputs,
        ),
    )


@wrong(
    once,
    "old names compared",
    "The second of two equal chains lost its first line only. Its next line reads the same thing under another name: "
    "rename the inputs before you compare.",
)
def _(bg):
    each_once(bg, rename=False)


@wrong(
    once,
    "readers not told",
    "A line is gone, but those that read it still use its name, which nobody computes any more. Put called's names "
    "into the inputs of the lines that stay.",
)
def _(bg):
    compiler = bg.compiler

    def with_each_once(program):
        first, called, lines = {}, {}, []
        for name, array in program.constants.items():
            called[name] = first.setdefault(compiler.same_thing(array), name)
        for line in program.lines:
            names = tuple([called.get(name, name) for name in line.inputs])
            key = type(line.function), compiler.same_thing(tuple(compiler.settings(line.function).items())), names
            called[line.name] = first.setdefault(key, line.name)
            if called[line.name] == line.name:
                lines.append(line)
        return compiler.renamed(program._replace(lines=tuple(lines)), called)

    compiler.with_each_once = with_each_once


@wrong(
    once,
    "the end not told",
    "At the end the program still returns, or keeps, a name whose line is gone. called[line.name] must say, for each "
    "line that goes, who stands for it.",
)
def _(bg):
    each_once(bg, ends=False)


@wrong(
    once,
    "equal constants apart",
    "Two constants with equal numbers were taken for different ones. called knows which of them stands for both: look "
    "the inputs up in it.",
)
def _(bg):
    each_once(bg, constants=False)


@wrong(
    once,
    "the operations themselves compared",
    "No two lines were taken for the same: each has a Function of its own, and no object equals another. What "
    "has to be the same is its type, and its settings.",
)
def _(bg):
    each_once(bg, lambda line: (line.function, line.inputs))


@wrong(
    once,
    "settings that cannot be a key",
    "A setting may be an array, or a dict that holds some, and neither can be a key. same_thing makes a key of the "
    "settings, however deep they are.",
)
def _(bg):
    each_once(bg, lambda line: (type(line.function), tuple(bg.compiler.settings(line.function).items()), line.inputs))


@wrong(
    once,
    "only the line before",
    "Each line was compared with the one before it alone. The first of two equal lines may stand anywhere above: first "
    "remembers all of them.",
)
def _(bg):
    compiler = bg.compiler

    def with_each_once(program):
        called, lines, before = constants_called(bg, program), [], (None, None)
        for line in program.lines:
            line = line._replace(inputs=tuple([called.get(name, name) for name in line.inputs]))
            does = type(line.function), compiler.same_thing(compiler.settings(line.function)), line.inputs
            called[line.name] = before[1] if does == before[0] else line.name
            if called[line.name] == line.name:
                lines.append(line)
            before = does, called[line.name]
        return compiler.renamed(program._replace(lines=tuple(lines)), called)

    compiler.with_each_once = with_each_once


def constants_called(bg, program):
    """What with_each_once is given: {name of a constant: the name that stands for it}."""
    first = {}
    return {name: first.setdefault(bg.compiler.same_thing(array), name) for name, array in program.constants.items()}


@wrong(
    once,
    "what is wanted is never left out",
    "A line stayed although an earlier one does the same, since its name is wanted at the end. renamed, in the last "
    "line, tells the end who stands for it.",
)
def _(bg):
    compiler = bg.compiler

    def with_each_once(program):
        called, first, lines = constants_called(bg, program), {}, []
        for line in program.lines:
            line = line._replace(inputs=tuple([called.get(name, name) for name in line.inputs]))
            does = type(line.function), compiler.same_thing(compiler.settings(line.function)), line.inputs
            stays = line.name in program.wanted or does not in first
            called[line.name] = line.name if stays else first[does]
            first.setdefault(does, line.name)
            if stays:
                lines.append(line)
        return compiler.renamed(program._replace(lines=tuple(lines)), called)

    compiler.with_each_once = with_each_once


@wrong(
    once,
    "nothing left out",
    "The readers are told, but the second line is still there. It stays only if it is called by its own name.",
)
def _(bg):
    each_once(bg, drop=False)


# 15.5: last readers.


def last_readers_are(bg, shift=0, end=True, views=True, first=False, end_shift=0, dead=False):
    """last_readers with one thing left out."""
    compiler = bg.compiler

    def last_readers(program):
        owner = compiler.owners(program) if views else {name: name for name in program.likes}
        last = {line.name: place for place, line in enumerate(program.lines)} if dead else {}
        for place, line in enumerate(program.lines):
            for name in line.inputs:
                if not first or owner[name] not in last:
                    last[owner[name]] = place + shift
        for name in program.wanted if end else ():
            last[owner[name]] = len(program.lines) + end_shift
        return last

    compiler.last_readers = last_readers


@wrong(
    readers,
    "the first reader",
    "This is the first reader. Somebody may read it later, and until then nothing may be written over it.",
)
def _(bg):
    last_readers_are(bg, first=True)


@wrong(
    readers,
    "one off",
    "The places of lines are one too large: they are counted from 0.",
)
def _(bg):
    last_readers_are(bg, shift=1, end_shift=1)


@wrong(
    readers,
    "the end reads nothing",
    "What is wanted at the end is missing. If it counts as dead, its array is used again, and something else is "
    "returned.",
)
def _(bg):
    last_readers_are(bg, end=False)


@wrong(
    readers,
    "wanted by the last line",
    "What is wanted is read after the last line, not by it: the last line could still write over it. Its place is "
    "len(program.lines).",
)
def _(bg):
    last_readers_are(bg, end_shift=-1)


@wrong(
    readers,
    "views not counted",
    "A view has no numbers of its own. Who reads it reads the array in which it lies: write the reader down under "
    "owner[name].",
)
def _(bg):
    last_readers_are(bg, views=False)


@wrong(
    readers,
    "whoever makes it reads it",
    "Here the line that makes a result counts as its reader. It writes; an array that nobody reads is not there.",
)
def _(bg):
    last_readers_are(bg, dead=True)


@wrong(
    readers,
    "how often",
    "These are numbers of readings. Wanted is the place of the last one.",
)
def _(bg):
    compiler = bg.compiler

    def last_readers(program):
        owner, often = compiler.owners(program), {}
        for name in [*(name for line in program.lines for name in line.inputs), *sorted(program.wanted)]:
            often[owner[name]] = often.get(owner[name], 0) + 1
        return often

    compiler.last_readers = last_readers


# 15.6: which array.


def array_for_is(bg, groups, fits=None, after=None):
    """groups(line, dying, free): dictionaries that are looked through.  fits(line, array)."""
    compiler = bg.compiler

    def same_kind(line, array):
        return compiler.kind_of(array) == compiler.kind_of(line.like)

    def array_for(line, dying, free):
        for group in groups(line, dying, free):
            for name in list(group):
                if (fits or same_kind)(line, group[name]):
                    if after:
                        after(group, name)
                    return name
        return line.name

    compiler.array_for = array_for


def in_order_of_groups(bg):
    return lambda line, dying, free: (dying, free) if line.function.name() in bg.compiler.NUMBER_BY_NUMBER else (free,)


@wrong(
    arrays,
    "in place whatever it does",
    "The result is written over an input that is still being read: a matrix product reads a row again for each "
    "column, a sum reads several numbers for one. Only what goes number by number can be done in place.",
)
def _(bg):
    array_for_is(bg, lambda line, dying, free: (dying, free))


@wrong(
    arrays,
    "never in place",
    "An input's array dies here, has the right kind, and the operation goes number by number. It could have been "
    "written over.",
)
def _(bg):
    array_for_is(bg, lambda line, dying, free: (free,))


@wrong(
    arrays,
    "always a new one",
    "A new array in each case. It works, but as slowly as before: arrays that nobody reads any more are in dying and "
    "free.",
)
def _(bg):
    array_for_is(bg, lambda line, dying, free: ())


@wrong(
    arrays,
    "the shape ignored",
    "The array that was chosen has another shape. kind_of compares shape and dtype.",
)
def _(bg):
    array_for_is(bg, in_order_of_groups(bg), lambda line, array: array.dtype == line.like.dtype)


@wrong(
    arrays,
    "the dtype ignored",
    "The array that was chosen has another dtype than the result. kind_of compares both, shape and dtype.",
)
def _(bg):
    array_for_is(bg, in_order_of_groups(bg), lambda line, array: array.shape == line.like.shape)


@wrong(
    arrays,
    "only the first that dies",
    "Only the first array of dying was looked at. Another one there may fit.",
)
def _(bg):
    usual = in_order_of_groups(bg)
    array_for_is(bg, lambda *given: [dict(list(group.items())[:1]) for group in usual(*given)])


@wrong(
    arrays,
    "free ones first",
    "A free array was taken although an input's array dies here. In place is better: its numbers are in the "
    "processor's cache already, and the free one stays free.",
)
def _(bg):
    usual = in_order_of_groups(bg)
    array_for_is(bg, lambda *given: tuple(reversed(usual(*given))))


@wrong(
    arrays,
    "free ones not looked at",
    "Nothing was taken from free. There are arrays in which nobody is interested any more.",
)
def _(bg):
    usual = in_order_of_groups(bg)
    array_for_is(bg, lambda line, dying, free: usual(line, dying, {}))


@wrong(
    arrays,
    "UFUNCS for NUMBER_BY_NUMBER",
    "LessOne goes number by number too, although it is no function of NumPy: NUMBER_BY_NUMBER names all that may write "
    "over an input.",
)
def _(bg):
    array_for_is(bg, lambda line, dying, free: (dying, free) if line.function.name() in bg.compiler.UFUNCS else (free,))


@wrong(
    arrays,
    "the array itself",
    "The array was returned. Its name is wanted: the text of the program speaks of arrays by their names.",
)
def _(bg):
    right = bg.compiler.array_for

    def array_for(line, dying, free):
        name = right(line, dying, free)
        return {**dying, **free}.get(name, name)

    bg.compiler.array_for = array_for


@wrong(
    arrays,
    "taken out",
    "The name was taken out of the dictionary. Only the name is wanted: who asks you does the bookkeeping.",
)
def _(bg):
    array_for_is(bg, in_order_of_groups(bg), after=lambda group, name: group.pop(name))


# 15.8: the hunt.


def function_is(bg, build):
    bg.hunts.four_compilers = build


@wrong(
    hunt,
    "one setting",
    "There are no two lines with the same operation, the same inputs and different settings: exponents, axes, "
    "keepdims. So Ada merges nothing that differs.",
)
def _(bg):
    def build(x, y):
        part = 2 / x
        return part.exp() @ part.tanh()

    function_is(bg, build)


@wrong(
    hunt,
    "everything read once",
    "Each of your results is read once. Ben writes over an input, and nobody misses it: you need a result that is "
    "read again later.",
)
def _(bg):
    function_is(bg, lambda x, y: (2 / x**3) @ x**4)


@wrong(
    hunt,
    "no number",
    "There is no plain number in your expression but exponents, which are settings: so Cleo has nothing to fold.",
)
def _(bg):
    def build(x, y):
        product = x * y
        return product**3 @ product**4

    function_is(bg, build)


@wrong(
    hunt,
    "a number to the right",
    "Your number is a setting of its line, as the page of x * y + 1 shows, and no constant: so Cleo has nothing to "
    "fold. A number is a constant where it stands to the left of - or /.",
)
def _(bg):
    def build(x, y):
        double = x * 2
        return double**3 @ double**4

    function_is(bg, build)


@wrong(
    hunt,
    "no product of matrices",
    "Dora is wrong about products of matrices alone: @, with an operand of your own making that nobody reads "
    "afterwards.",
)
def _(bg):
    def build(x, y):
        part = 2 / x
        return part**3 * part**4

    function_is(bg, build)


@wrong(
    hunt,
    "nothing to compile",
    "That is a single operation on what is given. There is nothing to merge, to fold or to write over.",
)
def _(bg):
    function_is(bg, lambda x, y: x * y)

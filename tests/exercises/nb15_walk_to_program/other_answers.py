"""Right solutions of notebook 15 in another style. A check must not care."""


def variant_15_1_in_one_go(bg):
    """With setdefault, which asks for a fresh name also where none is needed."""
    compiler = bg.compiler

    def noted(function, inputs, out, names):
        read = [names.setdefault(x, compiler.fresh("cp"[x.requires_grad], names)) for x in inputs]
        names[out] = f"v{len([name for name in names.values() if name.startswith('v')])}"
        return compiler.Line(names[out], function, tuple(read), out.data)

    compiler.noted = noted


def variant_15_2_until_nothing_goes(bg):
    """Round after round, until no line goes any more."""

    def without_unused(program):
        lines = list(program.lines)
        while True:
            read = program.wanted.union(*(line.inputs for line in lines))
            left = [line for line in lines if line.name in read]
            if len(left) == len(lines):
                return program._replace(lines=tuple(left))
            lines = left

    bg.compiler.without_unused = without_unused


def variant_15_2_calls_itself(bg):
    """From what is wanted to what it is made of."""

    def without_unused(program):
        lines, needed = {line.name: line for line in program.lines}, set()

        def need(name):
            if name in lines and name not in needed:
                needed.add(name)
                for each in lines[name].inputs:
                    need(each)

        for name in program.wanted:
            need(name)
        return program._replace(lines=[line for line in program.lines if line.name in needed])

    bg.compiler.without_unused = without_unused


def variant_15_3_with_sets(bg):
    """The names first, then the lines."""

    def with_folded(program):
        folded = {}
        for line in program.lines:
            if line.inputs and set(line.inputs) <= program.constants.keys() | folded.keys():
                folded[line.name] = line.like
        lines = tuple(line for line in program.lines if line.name not in folded)
        return program._replace(lines=lines, constants={**folded, **program.constants})

    bg.compiler.with_folded = with_folded


def variant_15_4_by_text(bg):
    """A text as the key."""
    compiler = bg.compiler

    def with_each_once(program):
        first, called, lines = {}, {}, []
        for name, array in program.constants.items():
            called[name] = first.setdefault(compiler.same_thing(array), name)
        for line in program.lines:
            inputs = tuple(called.get(name, name) for name in line.inputs)
            key = f"{line.function.name()} {compiler.same_thing(vars(line.function))} {inputs}"
            if key in first:
                called[line.name] = first[key]
            else:
                first[key] = line.name
                lines.append(compiler.Line(line.name, line.function, inputs, line.like))
        return compiler.renamed(program._replace(lines=tuple(lines)), called)

    compiler.with_each_once = with_each_once


def variant_15_5_from_the_end(bg):
    """Backwards: the first that is met is the last reader."""
    compiler = bg.compiler

    def last_readers(program):
        owner = compiler.owners(program)
        last = {owner[name]: len(program.lines) for name in program.wanted}
        for place in reversed(range(len(program.lines))):
            for name in program.lines[place].inputs:
                last.setdefault(owner[name], place)
        return last

    compiler.last_readers = last_readers


def variant_15_6_the_last_that_fits(bg):
    """Lists of what fits; of several the last."""
    compiler = bg.compiler

    def array_for(line, dying, free):
        def fitting(group):
            return [
                name
                for name, array in group.items()
                if array.shape == line.like.shape and array.dtype == line.like.dtype
            ]

        over = fitting(dying) if line.function.name() in compiler.NUMBER_BY_NUMBER else []
        return [line.name, *fitting(free), *over][-1]

    compiler.array_for = array_for


def variant_15_8_a_quotient(bg):
    """A difference from a number, with a negative exponent and a root."""

    def build(x, y):
        part = 3 - y
        return part**-1 @ part**0.5

    bg.hunts.four_compilers = build


def variant_15_8_settings_of_sums(bg):
    """Two sums that differ in the number that is added."""

    def build(x, y):
        part = 1 - x
        return (part + 1) @ (part + 2)

    bg.hunts.four_compilers = build

"""Questions of the quiz about notebook 15."""

from textwrap import indent

from grader.exam.question import Question, Wrong, different, whole

SEES = "say what a compiler of training steps sees, and what it cannot see"
PASSES = "write three passes that shorten a program, and say why each leaves the numbers alone"
LAST = "find out who reads an array last, and when a result may be written over an input"

FUNCTIONS = "exp", "tanh", "sqrt", "abs", "sin", "relu"
AS_PROGRAM = """
    import re
    lines = []
    for line in "{program}".split("; "):
        name, *inputs = re.findall(r"[vxpc]\\d+", line)
        lines.append(compiler.Line(name, None, tuple(inputs), np.ones(())))
    program = compiler.Program(tuple(lines), {"x0": 1}, {"p0": 1}, {"c0": 1, "c1": 1}, ("{out}",), {"p0": "{gradient}"})
"""


def constants_and_more(rng):
    """A program in which {count} lines read nothing but constants, one after the other."""
    f = rng.sample(FUNCTIONS, 5)
    count = whole(rng, 2, 4)
    lines = ["v0 = c0 + c1"] + [f"v{n} = {f[n]}(v{n - 1})" for n in range(1, count)]
    rest = [f"x0 * v{count - 1}", f"{f[4]}(p0)", f"v{count} * v{count + 1}"]
    lines += [f"v{count + n} = {text}" for n, text in enumerate(rest)]
    last = f"v{count + 2}"
    return {"program": "; ".join(lines), "count": count, "out": last, "gradient": last}


def dead_lines(rng):
    """A program with a chain of {count} lines of which the last is read by nobody."""
    f = rng.sample(FUNCTIONS, 5)
    count = whole(rng, 2, 4)
    lines = ["v0 = x0 * p0", "v1 = tanh(v0)", *(f"v{n + 2} = {f[n]}(v{n + 1})" for n in range(count))]
    last = f"v{count + 2}"
    return {"program": "; ".join([*lines, f"{last} = v1 * x0"]), "count": count, "out": "v1", "gradient": last}


def the_same_again(rng):
    """Three factors: x - w and w - x, one of which is there twice."""
    f, g = rng.sample(["exp", "tanh", "sigmoid", "relu"], 2)
    factors = [("x - w", f), ("w - x", rng.choice([f, g])), ("x - w", rng.choice([f, g]))]
    return {"text": " * ".join(f"({inside}).{name}()" for inside, name in rng.sample(factors, 3))}


def shapes(rng):
    """Sizes of batches, with some that come again after another."""
    a, b, c = (8 * size for size in different(rng, 2, 12, 3))
    return {"sizes": rng.choice([[a, a, b, a, b], [a, b, b, a, c, a], [a, b, a, b, c, c, b], [a, a, b, b, a]])}


def a_view(rng):
    """v1 is a transpose of v0, and read by line {reader}; v0 itself is not read any more."""
    f, more = rng.sample(FUNCTIONS, 4), whole(rng, 0, 2)
    lines = [
        "v0 = x0 * p0",
        "v1 = transpose(v0)",
        *(f"v{n + 2} = {f[n]}({'x0' if not n else f'v{n + 1}'})" for n in range(more + 1)),
    ]
    reader = more + 3
    lines += [f"v{reader} = v1 @ v{reader - 1}", f"v{reader + 1} = {f[3]}(v{reader})"]
    return {"program": "; ".join(lines), "reader": f"v{reader}", "out": f"v{reader + 1}"}


def who_may_write(rng):
    f, g = rng.sample(FUNCTIONS, 2)
    return {
        "f": f,
        "g": g,
        "n": whole(rng, 2, 9),
        "in_place": rng.choice([f"{f}(v0)", "v0 * v1", "v0 - v1", f"{g}(v0)"]),
    }


QUESTIONS = (
    Question(
        "15.Q1",
        SEES,
        section="B",
        text="How long is the list in the end?",
        draw=lambda rng: {"n": whole(rng, 3, 20), "k": whole(rng, 2, 5)},
        code="""
            w, history = Tensor([1.0, 2.0]), []

            def step(x):
                loss = (x * w).sum()
                history.extend([loss] * {k})
                return loss

            compiled = compile(step)
            for batch in range({n}):
                compiled(Tensor([1.0, float(batch)]))
        """,
        asked={"len(history)": "len(history)"},
        torch="""
            runs_of_trace = "with these numbers", "with others"
            history = [run for run in runs_of_trace for _ in range({k})]
        """,
        wrong=(
            Wrong(
                "{n} * {k}", "A list is no Tensor: no line of the program is about it. Only trace runs the step itself."
            ),
            Wrong(
                "({n} + 2) * {k}", "The program leaves the list alone when it runs. Only trace runs the step, twice."
            ),
            Wrong("{k}", "trace runs the step twice, with other numbers the second time, and each run adds {k}."),
        ),
    ),
    Question(
        "15.Q2",
        SEES,
        section="E",
        text="A compiled step gets batches of these sizes, one after the other: {sizes}. How many programs does it "
        "have in the end?",
        draw=shapes,
        code="""
            w = Tensor([1.0, 2.0])
            compiled = compile(lambda x: (x * w).sum())
            for size in {sizes}:
                compiled(Tensor(np.ones((size, 2))))
            made = len(compiled.programs)
        """,
        shown=False,
        asked={"programs": "made"},
        torch="""
            made = len(set({sizes}))
        """,
        wrong=(
            Wrong("len({sizes})", "A program is kept, and runs again for each batch of the same shape."),
            Wrong("1", "The arrays of a program have fixed shapes: another shape is another program."),
            Wrong(
                "1 + sum(a != b for a, b in zip({sizes}, {sizes}[1:]))",
                "A program is kept also while batches of another shape come in between.",
            ),
        ),
    ),
    Question(
        "15.Q3",
        PASSES,
        section="C",
        text="x0 is an input, p0 a parameter, c0 and c1 are constants. How many lines does constant folding take "
        "away?\n\n{program}; return {out}",
        draw=constants_and_more,
        code=AS_PROGRAM + indent("folded = len(program.lines) - len(compiler.with_folded(program).lines)", " " * 4),
        shown=False,
        asked={"lines": "folded"},
        torch="""
            constant = {"c0", "c1"}
            for line in "{program}".split("; "):
                name, text = line.split(" = ")
                words = text.replace("(", " ").replace(")", " ").split()
                if not {"x0", "p0"} & set(words) and all(word in constant for word in words if word[0] == "v"):
                    constant.add(name)
            folded = len(constant) - 2
        """,
        wrong=(
            Wrong(
                ("15.3", "one constant is enough"),
                "A line was counted that reads x0 besides a constant. All that it reads must be constant.",
            ),
            Wrong(
                ("15.3", "parameters are constants"),
                "A line was counted that reads p0. A parameter changes in each step.",
            ),
            Wrong(
                ("15.3", "only the first of a chain"),
                "A folded line is a constant too, so the lines that read it follow.",
            ),
        ),
    ),
    Question(
        "15.Q4",
        PASSES,
        section="C",
        text="How many lines does dead code elimination take away?\n\n{program}; return {out}; p0.grad = {gradient}",
        draw=dead_lines,
        code=AS_PROGRAM + indent("dead = len(program.lines) - len(compiler.without_unused(program).lines)", " " * 4),
        shown=False,
        asked={"lines": "dead"},
        torch="""
            kept, lines = {"{out}", "{gradient}"}, [line.split(" = ") for line in "{program}".split("; ")]
            for name, text in reversed(lines):
                if name in kept:
                    kept |= {other for other, _ in lines if other in text.replace("(", " ").replace(")", " ").split()}
            dead = len(lines) - len(kept)
        """,
        wrong=(
            Wrong(
                ("15.2", "one round"),
                "One line is read by nobody. When it goes, nobody reads the line before it either.",
            ),
            Wrong(
                ("15.2", "what a gradient needs"), "What is returned is not all: p0.grad must be there at the end too."
            ),
            Wrong("0", "A line is of use only if something that is wanted at the end leads back to it."),
        ),
    ),
    Question(
        "15.Q5",
        PASSES,
        section="C",
        text="x and w are Tensors. How many operations are left of this after common subexpression "
        "elimination?\n\n{text}",
        draw=the_same_again,
        code="""
            x, w = Tensor([1.0, 2.0]), Tensor([3.0, 5.0])
            program = trace(lambda x, w: {text}, x, w)
            left = len(compiler.with_each_once(program).lines)
        """,
        shown=False,
        asked={"operations": "left"},
        torch="""
            factors = "{text}".split(" * ")
            left = len({factor[:7] for factor in factors}) + len(set(factors)) + 2
        """,
        wrong=(
            Wrong("8", "All of them were counted. x - w is there twice, and is computed once."),
            Wrong(
                ("15.4", "the order of the inputs ignored"),
                "x - w and w - x were taken for the same. The order counts.",
            ),
        ),
    ),
    Question(
        "15.Q6",
        LAST,
        section="D",
        text="A transpose is a view. After which line is the array of v0 free for another result?\n\n"
        "{program}; return {out}",
        draw=a_view,
        choose=True,
        answer="the line of {reader}",
        wrong=(
            Wrong("the line of v1", "A view has no numbers of its own: who reads v1 reads the array of v0."),
            Wrong("the line of {out}", "What this line reads has an array of its own. The product reads v0's last."),
            Wrong("none: it is needed to the end", "Nothing that is returned lies in it."),
        ),
    ),
    Question(
        "15.Q7",
        LAST,
        section="D",
        text="v0 and v1 are matrices of shape ({n}, {n}), and after this line nobody reads v0. Which line may write "
        "its result over v0?",
        draw=who_may_write,
        choose=True,
        answer="v2 = {in_place}",
        wrong=(
            Wrong(
                "v2 = v0 @ v1",
                "A product reads a row of v0 once for each column of v1. The first number would damage it.",
            ),
            Wrong(
                "v2 = v1 @ v0",
                "A product reads a column of v0 once for each row of v1. The first number would damage it.",
            ),
            Wrong(
                "v2 = v0 summed over axis 0",
                "Each number of the result is made of a whole column, and there are fewer of them.",
            ),
        ),
    ),
    Question(
        "15.Q8",
        "say what is left to gain after that, and who gains it",
        section="E",
        text="{calls} of an array of {n} million numbers is computed by one fused loop. How many million numbers "
        "does it read from memory and write there, in all?",
        draw=lambda rng: {"n": whole(rng, 3, 30), "calls": "{}({}({}(x)))".format(*rng.sample(FUNCTIONS, 3))},
        code="""
            read, written = {n}, {n}
            moved = read + written
        """,
        shown=False,
        asked={"million numbers": "moved"},
        wrong=(
            Wrong(
                "6 * {n}", "That is one call of NumPy after the other: each of the three reads an array and writes one."
            ),
            Wrong("{n}", "Each number is read once. And once its result is written."),
        ),
    ),
)

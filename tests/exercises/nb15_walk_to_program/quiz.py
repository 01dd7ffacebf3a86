"""What is drawn for questions of quiz.md, about notebook 15."""

from grader.exam.question import different, whole

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

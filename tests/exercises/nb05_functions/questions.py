"""The questions of notebook 05."""

from functools import partial

import numpy as np

from grader.asking.answers import Form, raised
from grader.asking.ask import kind_of
from grader.course.questions import probe
from grader.probes.arrays import listened_to, recomputed
from grader.probes.probing import drawn
from grader.probes.recipe import recipe_of
from grader.probes.tensors import dtype_of, recording_off


def numbers(rng, count=3):
    """Numbers of both signs, none of them near 0, as a list of plain floats."""
    sizes, signs = rng.uniform(1.2, 4, count), rng.permutation([(-1) ** place for place in range(count)])
    return (sizes * signs).round(2).tolist()


def kind(x):
    """What an answer is, in words."""
    return Form("a NumPy array" if type(x).__name__ == "ndarray" else kind_of(x))


def told(bg, name, out, **known):
    """The answers about one result: its numbers, and what it remembers. known: its inputs by name."""
    if not isinstance(out, bg.Tensor):
        return {name: kind(out)}
    return {
        name: Form("a Tensor"),
        f"{name}.data": out.data,
        f"{name}.requires_grad": out.requires_grad,
        f"{name}._op": out._op and Form(out._op.name()),
        f"the list of inputs that {name} remembers": names_of(out._inputs, known),
        "graph": drawn(bg, out),
    }


def names_of(inputs, known):
    """For each input the name of the Tensor that it is; for one without a name what kind of thing it is."""
    return Form(f"[{', '.join(name_of(each, known) for each in inputs)}]")


def name_of(x, known):
    return next((name for name, each in known.items() if each is x), kind(x).words)


# 5.1: Function.__call__.


def operation(bg, forward):
    """An operation that is none of the package's own."""
    return type("Check", (bg.Function,), {"forward": forward})()


@probe("5.3", asked="Check()(x) for x = Tensor({x}), where Check is a Function whose forward doubles an array")
def one_input(bg, rng):
    given = []

    def forward(self, array):
        given.append(kind(array))
        return 2.0 * np.asarray(array if isinstance(array, (np.ndarray, list)) else array.data)

    at = numbers(rng)
    x = bg.Tensor(at)
    out = operation(bg, forward)(x)
    return {"asked": {"x": at}, "the thing that forward was given": given[0]} | told(bg, "Check()(x)", out, x=x)


@probe(
    "5.3",
    asked="Check()(a, b, c) for Tensors a = {a}, b = {b}, c = {c}, where Check is a Function "
    "whose forward is a + 10 * b + 100 * c",
)
def three_inputs(bg, rng):
    values = {name: numbers(rng, 2) for name in "abc"}
    a, b, c = (bg.Tensor(at) for at in values.values())
    out = operation(bg, lambda self, a, b, c: a + 10 * b + 100 * c)(a, b, c)
    return {"asked": values} | told(bg, "Check()(a, b, c)", out, a=a, b=b, c=c)


@probe("5.3", asked="Scaled(3.0)(x) for x = Tensor([1.0, -2.0]), where Scaled is a Function that keeps its factor")
def a_function_that_keeps_a_number(bg, rng):
    def __init__(self, factor=1.0):
        self.factor = factor

    members = {"__init__": __init__, "forward": lambda self, array: self.factor * array}
    out = type("Scaled", (bg.Function,), members)(3.0)(x := bg.Tensor([1.0, -2.0]))
    kept = {"the factor in Scaled(3.0)(x)._op": getattr(getattr(out, "_op", None), "factor", None)}
    return told(bg, "Scaled(3.0)(x)", out, x=x) | kept


@probe("5.3", asked="add(a, b), then add(b, a), for a = Tensor({a}) and b = Tensor({b}, requires_grad=False)")
def one_of_two_requires_grad(bg, rng):
    values = {"a": numbers(rng), "b": numbers(rng)}
    a, b = bg.Tensor(values["a"]), bg.Tensor(values["b"], requires_grad=False)
    ab, ba = bg.ops.add(a, b), bg.ops.add(b, a)
    return {"asked": values} | told(bg, "add(b, a)", ba, a=a, b=b) | told(bg, "add(a, b)", ab, a=a, b=b)


@probe("5.3", asked="add(b, c) for b = Tensor([1.0, -2.0], requires_grad=False), c = Tensor(3.0, requires_grad=False)")
def nobody_requires_grad(bg, rng):
    b, c = bg.Tensor([1.0, -2.0], requires_grad=False), bg.Tensor(3.0, requires_grad=False)
    return told(bg, "add(b, c)", bg.ops.add(b, c), b=b, c=c)


@probe("5.3", asked="add(x, x) for x = Tensor([3.0, -1.0]), and what the Function keeps in .inputs (5.6 reads it)")
def one_input_twice(bg, rng):
    x = bg.Tensor([3.0, -1.0])
    answers = told(bg, "add(x, x)", out := bg.ops.add(x, x), x=x)
    return answers | {"add(x, x)._op.inputs": names_of(out._op.inputs, {"x": x})}


@probe("5.3", asked="add(x, [10, -20]) for x = Tensor([1.0, 2.0], dtype='float32')")
def a_list_beside_float32(bg, rng):
    x = bg.Tensor([1.0, 2.0], dtype="float32")
    out = bg.ops.add(x, [10, -20])
    answers = told(bg, "add(x, [10, -20])", out, x=x) | {"the dtype of add(x, [10, -20])": dtype_of(out)}
    if out._inputs and isinstance(out._inputs[-1], bg.Tensor):
        answers["whether the Tensor made of [10, -20] requires grad"] = out._inputs[-1].requires_grad
    return answers


@probe(
    "5.3", asked="add(a, b), add(a, [1.0, 2.0]) and add(a.data, b.data) for Tensors a of shape (2, 3), b of shape (2,)"
)
def shapes_that_do_not_fit(bg, rng):
    a, b, naming = bg.Tensor([[1.0, 2.0, 3.0]] * 2), bg.Tensor([1.0, 2.0]), "Add of (2, 3) and (2,)"
    return {
        "add(a, b)": raised(lambda: bg.ops.add(a, b), naming=naming),
        "add(a, [1.0, 2.0])": raised(lambda: bg.ops.add(a, [1.0, 2.0]), naming=naming),
        "add(a.data, b.data)": raised(lambda: bg.ops.add(a.data, b.data), naming=naming),
    }


@probe("5.3", asked="add(a, b) for a = Tensor([1.0, -2.0]), b = Tensor(3.0), while Recording.on is False")
def recording_is_off(bg, rng):
    a, b = bg.Tensor([1.0, -2.0]), bg.Tensor(3.0)
    with recording_off(bg):
        return told(bg, "add(a, b)", bg.ops.add(a, b), a=a, b=b)


# 5.2 and 5.3: the forwards.


def ask_forward(exercise, name, calls, make_inputs, inputs_in_words):
    """A question for one forward: the inputs are drawn anew, and shown as they are."""
    words = " and ".join(f"{call}({', '.join(inputs_in_words)})" for call in calls)
    where = ", ".join(f"{each} = np.array({{{each}}})" for each in inputs_in_words)

    @probe(exercise, asked=f"{words} for {where}", name=name)
    def forward(bg, rng):
        values = make_inputs(rng)
        with np.errstate(all="ignore"):
            return asked_of(bg, calls, {k: np.array(v) for k, v in values.items()}) | {"asked": values}


def asked_of(bg, calls, arrays):
    """What each call of a forward returned, and the arrays afterwards."""
    answers = {}
    for call in calls:
        made, _, rest = call.partition("(")
        function = getattr(bg.ops, made)(*map(float, filter(None, rest.split(")")[0].split(",")))).forward
        copies = {name: array.copy() for name, array in arrays.items()}
        shown = f"{call}({', '.join(arrays)})"
        answers[shown] = returned = function(*copies.values())
        answers[f"the dtype of {shown}"] = dtype_of(returned)
        answers |= {f"{name} after {shown}": array for name, array in copies.items()}
    return answers


def two_of_both_signs(rng):
    return {"a": numbers(rng), "b": numbers(rng)}


ask_forward("5.4", "negate", ["Negate().forward"], lambda rng: {"a": [*numbers(rng), 0.0]}, "a")
ask_forward("5.4", "sub", ["Sub().forward"], two_of_both_signs, "ab")
ask_forward("5.4", "mul", ["Mul().forward"], two_of_both_signs, "ab")
ask_forward("5.4", "div", ["Div().forward"], lambda rng: {"a": numbers(rng), "b": [*numbers(rng, 2), 0.0]}, "ab")
ask_forward(
    "5.4",
    "pow_",
    ["Pow().forward"],
    lambda rng: {"a": [*(-abs(x) for x in numbers(rng, 2)), 2.25, 0.0], "b": [3.0, 2.0, -0.5, 0.0]},
    "ab",
)


@probe("5.4", asked="the forward of Sub, Mul, Div and Pow with a of shape (2, 3) and b of shape (3,)")
def stretched(bg, rng):
    a, b = np.array([numbers(rng), numbers(rng)]), np.array([2.0, -1.0, 3.0])
    with np.errstate(all="ignore"):
        return {
            f"{name}().forward(a, b)": getattr(bg.ops, name)().forward(a, b) for name in ("Sub", "Mul", "Div", "Pow")
        }


@probe("5.4", asked="the forward of Div for [1, 0] / [0, 0] and of Pow for [-2] ** [0.5], and listened for warnings")
def warns_where_there_is_no_number(bg, rng):
    answers = {}
    for name, *inputs in [("Div", [1.0, 0.0], [0.0, 0.0]), ("Pow", [-2.0], [0.5])]:
        call = partial(getattr(bg.ops, name)().forward, *map(np.array, inputs))
        answers[f"{name}().forward"], answers[f"the list of NumPy's warnings at {name}"] = listened_to(call)
    return answers


def with_float32(bg, functions):
    """What some forwards make of a float32 array of 1, 4 and 2.25, and of which dtype.  functions: {text: forward}."""
    answers = {}
    for name, function in functions.items():
        with np.errstate(all="ignore"):
            answers[name] = returned = function(np.array([1.0, 4.0, 2.25], dtype=np.float32))
        answers[f"the dtype of {name}"] = dtype_of(returned)
    return answers


@probe("5.4", asked="the forward of Negate, Sub, Mul, Div and Pow with a = [1, 4, 2.25] in float32, and a twice")
def float32_stays_float32(bg, rng):
    ops = bg.ops
    two = {f"{name}().forward(a, a)": getattr(ops, name)().forward for name in ("Sub", "Mul", "Div", "Pow")}
    twice = {name: lambda a, forward=forward: forward(a, a.copy()) for name, forward in two.items()}
    return with_float32(bg, {"Negate().forward(a)": ops.Negate().forward} | twice)


SCALAR_CALLS = {
    "add_scalar": ["AddScalar(-2.5).forward"],
    "mul_scalar": ["MulScalar(-3).forward", "MulScalar(0.5).forward"],
    "div_scalar": ["DivScalar(-4).forward", "DivScalar(0).forward"],
    "power_scalar": ["PowerScalar(3).forward", "PowerScalar(-1).forward", "PowerScalar(0).forward"],
}
for _name, _calls in SCALAR_CALLS.items():
    ask_forward("5.8", _name, _calls, lambda rng: {"a": numbers(rng)}, "a")


@probe(
    "5.8",
    asked="the forward of AddScalar(0.5), MulScalar(0.5), DivScalar(0.5) and PowerScalar(0.5) with a = [1, 4, 2.25] "
    "in float32",
)
def float32_stays(bg, rng):
    names = ("AddScalar", "MulScalar", "DivScalar", "PowerScalar")
    return with_float32(bg, {f"{name}(0.5).forward(a)": getattr(bg.ops, name)(0.5).forward for name in names})


# 5.4 and 5.5: the operators.


def told_of_operator(bg, name, x, out, scalar=None):
    """The answers about an operator's result. scalar: should it be an operation on x alone?"""
    if not isinstance(out, bg.Tensor):
        return {name: kind(out)}
    answers = {
        name: Form("a Tensor"),
        f"({name}).data": out.data,
        f"the dtype of {name}": dtype_of(out),
        f"{name}, the object": Form("x itself" if out is x else "a new Tensor"),
        **computed_again(name, out, x=x),
    }
    if scalar is not None:
        answers[f"the number of Tensors that {name} was made from"] = len(out._inputs)
    return answers


def computed_again(name, out, **leaves):
    """The answer to: what would out be, by all that it remembers, if there were 1 more in a leaf?"""
    return {
        f"({name}).data, computed again from what it remembers, with 1 more in {leaf}": recomputed(out, x, x.data + 1)
        for leaf, x in leaves.items()
    }


def ask_operators(exercise, name, cases, asked, scalar=None, dtype="float64", at=None):
    """A question with several expressions of one x. cases: {text: function of x}."""
    seven_digits = 1e-6 if dtype == "float32" else None

    @probe(exercise, asked=asked, name=name, rtol=seven_digits)
    def expressions(bg, rng):
        values = at or numbers(rng)
        answers, graph = {"asked": {"x": values}}, None
        with np.errstate(all="ignore"):
            for text, function in cases.items():
                x = bg.Tensor(values, dtype=dtype)
                out = function(x)
                answers |= told_of_operator(bg, text, x, out, scalar)
                answers[f"x after {text}"] = x.data
                graph = graph or (drawn(bg, out) if isinstance(out, bg.Tensor) else None)
        return answers | {"graph": graph}


ask_operators(
    "5.5",
    "plus_a_number",
    {"x + 2": lambda x: x + 2, "x + (-0.5)": lambda x: x + (-0.5)},
    "x + 2 and x + (-0.5) for x = Tensor({x})",
    scalar=True,
)
ask_operators(
    "5.5",
    "minus_a_number",
    {"x - 3": lambda x: x - 3, "x - 0.5": lambda x: x - 0.5},
    "x - 3 and x - 0.5 for x = Tensor({x})",
    scalar=True,
)
ask_operators(
    "5.5",
    "times_a_number",
    {"x * 3": lambda x: x * 3, "x * (-0.5)": lambda x: x * (-0.5)},
    "x * 3 and x * (-0.5) for x = Tensor({x})",
    scalar=True,
)
ask_operators(
    "5.5",
    "over_a_number",
    {"x / 4": lambda x: x / 4, "x / (-0.5)": lambda x: x / (-0.5), "x / 0": lambda x: x / 0},
    "x / 4, x / (-0.5) and x / 0 for x = Tensor({x})",
    scalar=True,
)
ask_operators(
    "5.5",
    "to_the_power_of_a_number",
    {"x ** 3": lambda x: x**3, "x ** -1": lambda x: x**-1, "x ** 2.0": lambda x: x**2.0},
    "x ** 3, x ** -1 and x ** 2.0 for x = Tensor({x})",
    scalar=True,
)


@probe("5.5", asked="x + y, x - y, x * y, x / y and x ** y for Tensors x of shape (2, 3), y of shape (3,)")
def two_tensors(bg, rng):
    x, y = bg.Tensor([numbers(rng), numbers(rng)]), bg.Tensor([3.0, -2.0, 1.0])
    results = {"x + y": x + y, "x - y": x - y, "x * y": x * y, "x / y": x / y, "x ** y": x**y}
    answers = {}
    for name, out in results.items():
        if isinstance(out, bg.Tensor):
            answers[f"whether {name} remembers y"] = not np.array_equal(recomputed(out, y, y.data + 1), out.data)
            answers |= computed_again(name, out, y=y)
        answers |= told_of_operator(bg, name, x, out)
    return answers


ask_operators(
    "5.5",
    "lists_and_arrays",
    {
        "x + Tensor([1, 2, 3])": lambda x: x + type(x)([1, 2, 3]),
        "x + [10, 20, -30]": lambda x: x + [10, 20, -30],
        "x - [1, 2, 3]": lambda x: x - [1, 2, 3],
        "x * [2, 0, -1]": lambda x: x * [2, 0, -1],
        "x / [[2], [4]]": lambda x: x / [[2], [4]],
        "x ** [2, 3, 0]": lambda x: x ** [2, 3, 0],
        "x - np.array([1, 2, 3])": lambda x: x - np.array([1, 2, 3]),
        "x * np.int64(2)": lambda x: x * np.int64(2),
        "x ** np.array([2, 3, 0])": lambda x: x ** np.array([2, 3, 0]),
    },
    "x + - * / ** with a list on the right, x - np.array([1, 2, 3]), x * np.int64(2) and x ** np.array([2, 3, 0]) "
    "for x = Tensor({x})",
)
ask_operators(
    "5.5",
    "float32_stays_float32",
    {
        "x - 3": lambda x: x - 3,
        "x / 4": lambda x: x / 4,
        "x * [1, 2, 3]": lambda x: x * [1, 2, 3],
        "x * np.float64(0.5)": lambda x: x * np.float64(0.5),
    },
    "x - 3, x / 4, x * [1, 2, 3] and x * np.float64(0.5) for x = Tensor({x}, dtype='float32')",
    dtype="float32",
    at=[1.5, -2.0, 0.25],
)


@probe("5.5", asked="x + 'two' and x * None for x = Tensor([1.0, -2.0])")
def no_numbers(bg, rng):
    x = bg.Tensor([1.0, -2.0])
    return {"x + 'two'": raised(lambda: x + "two"), "x * None": raised(lambda: x * None)}


ask_operators(
    "5.9",
    "number_minus_tensor",
    {"7 - x": lambda x: 7 - x, "np.float64(0.5) - x": lambda x: np.float64(0.5) - x},
    "7 - x and np.float64(0.5) - x for x = Tensor({x})",
)
ask_operators(
    "5.9",
    "number_over_tensor",
    {"5 / x": lambda x: 5 / x, "-0.5 / x": lambda x: -0.5 / x},
    "5 / x and -0.5 / x for x = Tensor({x})",
)
ask_operators(
    "5.9",
    "number_to_the_power_of_a_tensor",
    {"2 ** x": lambda x: 2**x, "0.5 ** x": lambda x: 0.5**x},
    "2 ** x and 0.5 ** x for x = Tensor({x})",
)
ask_operators(
    "5.9",
    "negative_base",
    {"(-2) ** x": lambda x: (-2) ** x, "0 ** x": lambda x: 0**x},
    "(-2) ** x and 0 ** x for x = Tensor({x})",
    at=[3.0, 2.0, 0.0],
)
ask_operators(
    "5.9",
    "arrays_and_lists_on_the_left",
    {
        "np.ones(3) - x": lambda x: np.ones(3) - x,
        "np.ones(3) / x": lambda x: np.ones(3) / x,
        "np.array([[2], [3]]) ** x": lambda x: np.array([[2], [3]]) ** x,
        "[6, 8, -10] - x": lambda x: [6, 8, -10] - x,
        "[6, 8, -10] / x": lambda x: [6, 8, -10] / x,
        "[6, 8, 0.5] ** x": lambda x: [6, 8, 0.5] ** x,
    },
    "np.ones(3) - x, np.ones(3) / x, np.array([[2], [3]]) ** x, [6, 8, -10] - x, [6, 8, -10] / x and "
    "[6, 8, 0.5] ** x for x = Tensor({x})",
)
ask_operators(
    "5.9",
    "float32_on_the_right",
    {"1 - x": lambda x: 1 - x, "[1, 2, 3] / x": lambda x: [1, 2, 3] / x, "2 ** x": lambda x: 2**x},
    "1 - x, [1, 2, 3] / x and 2 ** x for x = Tensor({x}, dtype='float32')",
    dtype="float32",
    at=[1.5, -2.0, 0.25],
)


# 5.6: next_functions.


def pairs_in_words(pairs, known):
    """next_functions, with each Function as the name that it has in the question."""
    return Form(in_words(pairs, known)) if isinstance(pairs, (tuple, list)) else kind(pairs)


def in_words(x, known):
    """What stands in a tuple as Python writes it, but with the names of the question."""
    if x is None or isinstance(x, (str, int, float)):
        return repr(x)
    if isinstance(x, (tuple, list)):
        return f"({', '.join(in_words(each, known) for each in x)}{',' * (len(x) == 1)})"
    return name_of(x, known)


def small_graph(bg):
    """inner = First()(a), outer = Second()(inner, b, inner): two operations of the check."""
    First = type("First", (bg.Function,), {"forward": lambda self, a: 2 * a})
    Second = type("Second", (bg.Function,), {"forward": lambda self, a, b, c: a * b + c})
    a, b = bg.Tensor([1.0, -2.0]), bg.Tensor([3.0, 4.0])
    inner = First()(a)
    return inner, Second()(inner, b, inner), b


GRAPH = "y = First()(a) and z = Second()(y, b, y), where First and Second are Functions of the check, a and b leaves"


@probe("5.10", asked=f"y._op.next_functions for {GRAPH}")
def of_a_leaf(bg, rng):
    inner, _, _ = small_graph(bg)
    return {"returned": pairs_in_words(inner._op.next_functions, {"First": inner._op})}


@probe("5.10", asked=f"z._op.next_functions for {GRAPH}")
def of_results_and_leaves(bg, rng):
    inner, outer, b = small_graph(bg)
    known = {"First": inner._op, "Second": outer._op, "y": inner, "b": b}
    return {"returned": pairs_in_words(outer._op.next_functions, known), "graph": drawn(bg, outer)}


@probe("5.10", asked="add(x, [1, 2])._op.next_functions for x = Tensor([3.0, -4.0])")
def of_a_constant(bg, rng):
    out = bg.ops.add(bg.Tensor([3.0, -4.0]), [1, 2])
    return {"returned": pairs_in_words(out._op.next_functions, {})}


@probe(
    "5.10",
    asked="z.grad_fn.next_functions[0][0].next_functions[0][0].name() for y = add(a, b), and z made from y by two "
    "more Functions of the check",
)
def two_steps_back(bg, rng):
    a, b = bg.Tensor([1.0, -2.0]), bg.Tensor([3.0, 4.0])
    out = operation(bg, lambda self, x: x + 1)(operation(bg, lambda self, x: 2 * x)(bg.ops.add(a, b)))
    return {"returned": out.grad_fn.next_functions[0][0].next_functions[0][0].name()}


@probe(
    "5.10",
    asked="u._op.next_functions for y = First()(a), z = Second()(y, b, y), u = Third()({inputs}), where First, Second "
    "and Third are Functions of the check, a and b leaves",
)
def of_many_inputs(bg, rng):
    y, z, b = small_graph(bg)
    chosen = ["yzb"[place] for place in rng.integers(0, 3, 8)]
    known = {"y": y, "z": z, "b": b}
    out = operation(bg, lambda self, *arrays: sum(arrays))(*(known[name] for name in chosen))
    known |= {"First": y._op, "Second": z._op}
    return {"asked": {"inputs": ", ".join(chosen)}, "returned": pairs_in_words(out._op.next_functions, known)}


# 5.7: the hunt.

LEAF = [2.0, -3.0]


def ask_hunt(name, asked):
    @probe("5.7", asked=f"three_tables(x), {asked}", name=name, secret=True)
    def recorded(bg, rng):
        return {"recipe": recipe_of(bg.hunts.three_tables, x=LEAF[0])}


for _name in "ABC":
    ask_hunt(f"table_{_name}", f"and computed it with table {_name} at x = {LEAF}")
ask_hunt("its_size", "and counted its operations")

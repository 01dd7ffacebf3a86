"""The questions of notebook 05."""

import numpy as np

from grader.asking.answers import Form, raised
from grader.asking.ask import kind_of
from grader.course.questions import probe
from grader.probes.arrays import recomputed
from grader.probes.probing import drawn
from grader.probes.recipe import recipe_of
from grader.probes.tensors import dtype_of, name_of, operation, recording_off


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
        f"the kind of {name}._inputs": Form(f"a {type(out._inputs).__name__}"),
        "graph": drawn(bg, out),
    }


def names_of(inputs, known):
    """For each input the name of the Tensor that it is; for one without a name what kind of thing it is."""
    return Form(f"[{', '.join(name_of(each, known) for each in inputs)}]")


# 5.1: broadcast_shape.

AN_EXCEPTION = "an exception that was not raised"
A_LIST = "a list"


def ask_shapes(name, *pairs, caught=ValueError):
    @probe("5.1", asked=f"broadcast_shape(a, b) for {', for '.join(both(a, b) for a, b in pairs)}", name=name)
    def shapes(bg, rng):
        return {both(a, b): shape_or_error(bg, a, b, caught) for a, b in pairs}


def both(a, b):
    return f"{a} and {b}"


def shape_or_error(bg, a, b, caught=ValueError):
    """What broadcast_shape returned, or the exception that it raised. Any that is not to be caught goes on."""
    try:
        returned = bg.broadcast_shape(a, b)
    except caught:
        return raised(lambda: bg.broadcast_shape(a, b))
    if isinstance(returned, list):
        return {A_LIST: returned}  # on its way to the comparison a tuple becomes a list
    return AN_EXCEPTION if isinstance(returned, BaseException) else returned


ask_shapes("equal_shapes", ((4, 3), (4, 3)), ((), ()))


@probe("5.1", asked="broadcast_shape(a, b) for {pairs}")
def equal_shapes_of_large_sizes(bg, rng):
    size = int(rng.integers(300, 900))
    again = int(str(size))  # an equal number, and not the same object
    pairs = [((size, 3), (again, 3)), ((2, size), (2, again))]
    return {
        "asked": {"pairs": " for ".join(both(*pair) for pair in pairs)},
        **{both(*pair): shape_or_error(bg, *pair) for pair in pairs},
    }


ask_shapes("ones_on_both_sides", ((2, 1), (2, 3)), ((4, 3), (1, 3)), ((5, 1, 3), (1, 4, 3)), ((1, 2), (1, 1)))
ask_shapes("a_shorter_shape", ((4, 3), (3,)), ((3,), (4, 1)), ((), (2, 5)))
ask_shapes("a_misfit", ((2, 3), (2,)), ((2, 3), (4, 3)), ((0,), (2,)), caught=Exception)
ask_shapes("an_axis_of_size_0", ((1,), (0,)), ((0, 3), (1, 3)))


@probe("5.1", asked="broadcast_shape(a, b) for {pair}")
def random_shapes(bg, rng):
    sizes = [int(size) for size in rng.permutation(np.arange(2, 14))[:5]]
    a, b = sizes.copy(), sizes[1:]
    a[2] = b[0] = b[3] = 1
    a, b = tuple(a), tuple(b)
    return {"asked": {"pair": both(a, b)}, both(a, b): shape_or_error(bg, a, b)}


# 5.2: the hunt.


def ask_pair(name):
    asked = f"three_broadcasters({{size}}), and handed the two shapes to broadcaster {name}"

    @probe("5.2", asked=asked, name=f"broadcaster_{name}", secret=True)
    def pair(bg, rng):
        size = int(rng.integers(2, 21))
        return {"asked": {"size": size}, "the pair": bg.hunts.three_broadcasters(size)}


for _name in "ABC":
    ask_pair(_name)


# 5.3: Function.__call__.


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


@probe(
    "5.3",
    asked="add(b, c) for b = Tensor([1.0, -2.0], requires_grad=False), c = Tensor(3.0, requires_grad=False), then "
    "add(a, c) for a = Tensor([4.0, 5.0]) while Recording.on is False",
)
def nobody_requires_grad(bg, rng):
    b, c = bg.Tensor([1.0, -2.0], requires_grad=False), bg.Tensor(3.0, requires_grad=False)
    answers, a = told(bg, "add(b, c)", bg.ops.add(b, c), b=b, c=c), bg.Tensor([4.0, 5.0])
    with recording_off(bg):
        return answers | told(bg, "add(a, c)", bg.ops.add(a, c), a=a, c=c) | {"graph": answers.get("graph")}


@probe("5.3", asked="add(x, x) for x = Tensor([3.0, -1.0]), and what the Function keeps in .inputs")
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


# 5.4: an operation with a number of its own.


@probe("5.4", asked="Lerp({weight}).forward(a, b) for arrays a = {a}, b = {b}")
def part_of_the_way(bg, rng):
    values = {"weight": 0.25, "a": numbers(rng), "b": numbers(rng)}
    a, b = np.array(values["a"]), np.array(values["b"])
    returned = bg.ops.Lerp(values["weight"]).forward(a, b)
    answers = {"returned": returned if isinstance(returned, np.ndarray) else kind(returned)}
    return {"asked": values} | answers | {"a afterwards": a, "b afterwards": b}


@probe("5.4", asked="lerp(x, y, {weight}) for Tensors x = {x}, y = {y}")
def as_a_function(bg, rng):
    values = {"weight": 1 / 3, "x": numbers(rng), "y": numbers(rng)}
    x, y = bg.Tensor(values["x"]), bg.Tensor(values["y"])
    return {"asked": values} | told(bg, "lerp(x, y, weight)", bg.ops.lerp(x, y, values["weight"]), x=x, y=y)


@probe("5.4", asked="one = Lerp(0.1), other = Lerp(0.6), and then one(x, y) for Tensors x = {x}, y = {y}")
def two_at_once(bg, rng):
    values = {"x": numbers(rng), "y": numbers(rng)}
    one, _ = bg.ops.Lerp(0.1), bg.ops.Lerp(0.6)
    return {"asked": values, "(one(x, y)).data": one(bg.Tensor(values["x"]), bg.Tensor(values["y"])).data}


@probe("5.4", asked="f = Lerp(0.3), then f(x, y) and f(y, x) for Tensors x = {x}, y = {y}, and a new Lerp(0.3)(y, x)")
def one_called_twice(bg, rng):
    values = {"x": numbers(rng), "y": numbers(rng)}
    x, y = bg.Tensor(values["x"]), bg.Tensor(values["y"])
    f = bg.ops.Lerp(0.3)
    first, second, anew = f(x, y).data, f(y, x).data, bg.ops.Lerp(0.3)(y, x).data
    as_if_new = "whether the second call of f gives what a new Lerp(0.3) gives"  # whatever a call leaves behind
    return {"asked": values, "(f(x, y)).data": first, as_if_new: bool(np.array_equal(second, anew))}


@probe("5.4", asked="Lerp(1.5) and Lerp(-0.5), each called with Tensors x = {x}, y = {y}")
def beyond_the_ends(bg, rng):
    values = {"x": numbers(rng), "y": numbers(rng)}
    x, y = bg.Tensor(values["x"]), bg.Tensor(values["y"])
    return {"asked": values} | {f"(Lerp({w})(x, y)).data": bg.ops.Lerp(w)(x, y).data for w in (1.5, -0.5)}


@probe("5.4", asked="lerp(x, [4, -5, 6], 0.25) for x = Tensor([[1, 2, 3], [7, 8, 9]], dtype='float32')", rtol=1e-6)
def float32_stays_float32(bg, rng):
    x = bg.Tensor([[1, 2, 3], [7, 8, 9]], dtype="float32")
    out = bg.ops.lerp(x, [4, -5, 6], 0.25)
    name = "lerp(x, [4, -5, 6], 0.25)"
    return {f"({name}).data": out.data, f"the dtype of {name}": dtype_of(out)}


# 5.5: the operators.


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
    "minus_a_number",
    {"x - 3": lambda x: x - 3, "x - 0.5": lambda x: x - 0.5},
    "x - 3 and x - 0.5 for x = Tensor({x})",
    scalar=True,
)


@probe("5.5", asked="x - y for Tensors x of shape (2, 3), y of shape (3,)")
def two_tensors(bg, rng):
    x, y = bg.Tensor([numbers(rng), numbers(rng)]), bg.Tensor([3.0, -2.0, 1.0])
    out, answers = x - y, {}
    if isinstance(out, bg.Tensor):
        answers["how many of the Tensors that x - y was made from require grad"] = sum(
            each.requires_grad for each in out._inputs if isinstance(each, bg.Tensor)
        )
        answers["whether x - y remembers y"] = not np.array_equal(recomputed(out, y, y.data + 1), out.data)
        answers |= computed_again("x - y", out, y=y)
    return answers | told_of_operator(bg, "x - y", x, out)


ask_operators(
    "5.5",
    "lists_and_arrays",
    {
        "x - np.array([1, 2, 3])": lambda x: x - np.array([1, 2, 3]),
        "x - Tensor([1, 2, 3])": lambda x: x - type(x)([1, 2, 3]),
        "x - [10, 20, -30]": lambda x: x - [10, 20, -30],
        "x - [[2], [4]]": lambda x: x - [[2], [4]],
        "x - np.int64(2)": lambda x: x - np.int64(2),
    },
    "x - Tensor([1, 2, 3]), x - np.array([1, 2, 3]), x - np.int64(2) and x minus lists for x = Tensor({x})",
)
ask_operators(
    "5.5",
    "float32_stays_float32",
    {
        "x - 3": lambda x: x - 3,
        "x - np.float64(0.5)": lambda x: x - np.float64(0.5),
    },
    "x - 3 and x - np.float64(0.5) for x = Tensor({x}, dtype='float32')",
    dtype="float32",
    at=[1.5, -2.0, 0.25],
)


@probe("5.5", asked="x - 'two' and x - None for x = Tensor([1.0, -2.0])")
def no_numbers(bg, rng):
    x = bg.Tensor([1.0, -2.0])
    return {"x - 'two'": raised(lambda: x - "two"), "x - None": raised(lambda: x - None)}


ask_operators(
    "5.5",
    "number_minus_tensor",
    {"7 - x": lambda x: 7 - x, "np.float64(0.5) - x": lambda x: np.float64(0.5) - x},
    "7 - x and np.float64(0.5) - x for x = Tensor({x})",
)
ask_operators(
    "5.5",
    "number_over_tensor",
    {"5 / x": lambda x: 5 / x, "-0.5 / x": lambda x: -0.5 / x},
    "5 / x and -0.5 / x for x = Tensor({x})",
)
ask_operators(
    "5.5",
    "number_to_the_power_of_a_tensor",
    {"2 ** x": lambda x: 2**x, "0.5 ** x": lambda x: 0.5**x},
    "2 ** x and 0.5 ** x for x = Tensor({x})",
)
ask_operators(
    "5.5",
    "negative_base",
    {"(-2) ** x": lambda x: (-2) ** x, "0 ** x": lambda x: 0**x},
    "(-2) ** x and 0 ** x for x = Tensor({x})",
    at=[3.0, 2.0, 0.0],
)
ask_operators(
    "5.5",
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
    "5.5",
    "float32_on_the_right",
    {
        "1 - x": lambda x: 1 - x,
        "0.5 - x": lambda x: 0.5 - x,
        "[0.5, 2, 3] / x": lambda x: [0.5, 2, 3] / x,
        "0.5 ** x": lambda x: 0.5**x,
    },
    "1 - x, 0.5 - x, [0.5, 2, 3] / x and 0.5 ** x for x = Tensor({x}, dtype='float32')",
    dtype="float32",
    at=[1.5, -2.0, 0.25],
)


# 5.6: rules from matrices.

MANY = 4_200_000  # a table of their slopes would be larger than what any processor can address
A_TABLE = (
    f"This question has {MANY:,} numbers. Their Jacobian would take more than 100,000 GB. A loop within a loop takes "
    "days, and np.sum(out_grad[j:]) for each place in turn takes hours: that is a loop too, though no `for` is "
    "to be seen. One pass over the numbers is enough for each rule, and NumPy does it in milliseconds."
)
EVERY = 41_777  # of many numbers only some come back


def in_no_order(rng, count):
    """Drawn numbers that neither rise nor fall: sorted ones would be the same as some wrong answers."""
    drawn = numbers(rng, count)
    while sorted(drawn) in (drawn, drawn[::-1]):
        drawn = numbers(rng, count)
    return drawn


def ask_rule(name, call, make_answer, given="out_grad = {out_grad}"):
    @probe("5.6", asked=f"{call} for {given}", name=name)
    def rule(bg, rng):
        above = np.array(in_no_order(rng, 4))
        before = above.copy()
        return {"asked": {"out_grad": before.tolist()}, **make_answer(bg, above), "out_grad afterwards": above}


@probe("5.6", asked="sum_rule(out_grad, 5) for out_grad = {out_grad}")
def of_a_sum(bg, rng):
    (above,) = numbers(rng, 1)
    return {"asked": {"out_grad": above}, "sum_rule(out_grad, 5)": bg.shapes_and_rules.sum_rule(above, 5)}


ask_rule(
    "of_reversed", "reversed_rule(out_grad)", lambda bg, above: {"returned": bg.shapes_and_rules.reversed_rule(above)}
)
ask_rule("of_cumsum", "cumsum_rule(out_grad)", lambda bg, above: {"returned": bg.shapes_and_rules.cumsum_rule(above)})


def some_of(returned):
    """A few of many numbers, all over the array; anything else as it is."""
    is_long = isinstance(returned, np.ndarray) and returned.shape == (MANY,)
    return np.append(returned[::EVERY], returned[-1]) if is_long else kind(returned)


for _name in ("sum_rule", "reversed_rule", "cumsum_rule"):

    @probe("5.6", asked=f"{_name} for {MANY:,} numbers", name=f"{_name}_of_many", slow=A_TABLE)
    def of_many(bg, rng, name=_name):
        step, first = rng.integers(2, 18, 2)  # few draws: a student edition holds all of them
        above = (np.arange(MANY) * step + first) % 19 - 9.0
        given = (float(above[0]), MANY) if name == "sum_rule" else (above,)
        return {f"every {EVERY:,}th number of the gradient": some_of(getattr(bg.shapes_and_rules, name)(*given))}


# 5.7: the hunt.

LEAF = [2.0, -3.0]


def ask_hunt(name, asked):
    @probe("5.7", asked=f"three_tables(x), {asked}", name=name, secret=True)
    def recorded(bg, rng):
        return {"recipe": recipe_of(bg.hunts.three_tables, x=LEAF[0])}


for _name in "ABC":
    ask_hunt(f"table_{_name}", f"and computed it with table {_name} at x = {LEAF}")
ask_hunt("its_size", "and counted its operations")

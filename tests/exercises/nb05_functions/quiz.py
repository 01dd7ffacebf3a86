"""Questions of the quiz about notebook 05."""

from grader.exam.question import Question, Wrong, different, whole

SHAPES, COMMON, OPERATORS, JACOBIAN = (
    "say what shape `a + b` has before you run it, or that it has none",
    "write what every operation has in common: unwrap the arrays, compute, wrap the result, record it",
    "make `+ - * / **` work with numbers, lists and arrays on either side",
    "say why nobody stores the Jacobian of an array operation, and find the vector-Jacobian product that takes its "
    "place",
)


def one_that_requires(rng):
    """Which of three Tensors requires grad."""
    return dict(zip("abc", rng.sample(["True", "False", "False"], 3))) | dict(zip("xyz", different(rng, 2, 9, 3)))


def an_operator(rng):
    """An operator with a plain number on its left, and the methods of the two sides."""
    sign, name = rng.choice([("-", "sub"), ("/", "truediv"), ("**", "pow")])
    return {"sign": sign, "name": name, "k": whole(rng, 2, 9)}


def a_table(rng):
    """Two rows and two columns, and what arrives."""
    return dict(zip("abcd", different(rng, 1, 5, 4))) | {"p": 10, "q": whole(rng, 2, 4)}


QUESTIONS = (
    Question(
        "5.Q1",
        SHAPES,
        section="B",
        text="The predictions of a net have the shape ({n}, 1), the true values ({n},). What shape does predictions - "
        "truths have? If they do not fit, write: error",
        draw=lambda rng: {"n": whole(rng, 3, 64)},
        code="""
            shape = shapes_and_rules.broadcast_shape(({n}, 1), ({n},))
        """,
        shown=False,
        asked=("shape",),
        torch="""
            shape = tuple((torch.ones({n}, 1) - torch.ones({n})).shape)
        """,
        wrong=(
            Wrong(("5.1", "lined up at the left"), "Shapes are lined up at their right ends: {n} meets the 1."),
            Wrong("({n},)", "A 1 stretches: each prediction meets each true value."),
            Wrong("'error'", "The 1 meets {n}, and a 1 fits everything. What is missing in front counts as 1."),
        ),
    ),
    Question(
        "5.Q2",
        SHAPES,
        section="B",
        text="marks has the shape ({m}, {n}), a row for each pupil. Each pupil has a factor for the whole row. What "
        "shape do the factors need, so that marks * factors is right?",
        draw=lambda rng: dict(zip("mn", different(rng, 2, 30, 2))),
        choose=True,
        answer="({m}, 1)",
        wrong=(
            Wrong("({m},)", "Shapes are lined up at the right: these factors would meet the tasks, not the pupils."),
            Wrong("(1, {m})", "A 1 in front is what NumPy adds itself: these factors would meet the tasks."),
            Wrong("({n}, 1)", "This is a factor for each task, in a column. There are as many factors as pupils."),
        ),
    ),
    Question(
        "5.Q3",
        SHAPES,
        section="B",
        text="What shape does a + b have? If they do not fit, write: error",
        draw=lambda rng: dict(zip("kmn", different(rng, 2, 9, 3))),
        code="""
            a, b = np.ones(({m}, 1, {n})), np.ones(({k}, 1))
            shape = np.shape(a + b)
        """,
        asked=("shape",),
        torch="""
            shape = tuple(torch.broadcast_shapes(({m}, 1, {n}), ({k}, 1)))
        """,
        wrong=(
            Wrong("'error'", "Lined up at the right, {n} meets 1, then 1 meets {k}: a 1 fits everything."),
            Wrong("({m}, 1, {n})", "The longer shape is not the answer: its 1 meets {k}, and is stretched too."),
            Wrong("({k}, {m}, {n})", "Sizes stay at their places: {k} is the second from the right."),
        ),
    ),
    Question(
        "5.Q4",
        COMMON,
        section="D",
        text="",
        draw=one_that_requires,
        code="""
            a = Tensor({x}.0, requires_grad={a})
            b = Tensor({y}.0, requires_grad={b})
            c = Tensor({z}.0, requires_grad={c})
            sums = a + b, b + c, c + a
            print(*[out.requires_grad for out in sums])
        """,
        wrong=(
            Wrong(("5.3", "all inputs must require grad"), "One input is enough: if it moves, the sum moves with it."),
            Wrong(
                ("5.3", "always recorded"), "Where no input requires grad, the result does not either: it is constant."
            ),
        ),
    ),
    Question(
        "5.Q5",
        COMMON,
        section="D",
        text="An operation has def forward(self, a): return a / {k}. It is called with a Tensor x that requires grad. "
        "What is a?",
        draw=lambda rng: {"k": whole(rng, 2, 50)},
        choose=True,
        answer="the array x.data",
        wrong=(
            Wrong("the Tensor x", "__call__ unwraps first: no forward has to know anything about Tensors."),
            Wrong(
                "a constant, made of x",
                "as_tensors makes constants of numbers, lists and arrays. x is a Tensor already.",
            ),
            Wrong("a number of x at a time", "forward gets the whole array: NumPy has the loop."),
        ),
    ),
    Question(
        "5.Q6",
        OPERATORS,
        section="F",
        text="The class does not tell NumPy to leave operations to it. How many numbers are in result, all in all? If "
        "there is an error, write: error",
        draw=lambda rng: (lambda n, m: {"n": n, "m": m, "numbers": [*range(1, m + 1)]})(*different(rng, 2, 5, 2)),
        code="""
            class Numbers:
                def __init__(self, data):
                    self.data = np.array(data)

                def __rsub__(self, other):
                    return Numbers(other - self.data)

            result = np.ones({n}) - Numbers({numbers})
        """,
        asked={"numbers": "sum(len(part.data) for part in result)"},
        torch="""
            result = torch.ones({n}, {m})
        """,
        wrong=(
            Wrong("{n}", "It holds so many things, but each of them is a Numbers, with all its numbers."),
            Wrong(
                "{m}",
                "NumPy does not ask Numbers. It subtracts it, as one thing, from each number of the array.",
            ),
            Wrong("'error'", "NumPy compares no shapes here: to it Numbers is one thing of unknown kind."),
        ),
    ),
    Question(
        "5.Q7",
        OPERATORS,
        section="F",
        text="x is a Tensor. Which call finds the result of {k} {sign} x?",
        draw=an_operator,
        choose=True,
        answer="x.__r{name}__({k})",
        wrong=(
            Wrong("x.__{name}__({k})", "This is x's method for x on the left: here x stands on the right."),
            Wrong("({k}).__{name}__(x)", "Python asks the number first, but it does not know Tensors, and gives up."),
            Wrong("({k}).__r{name}__(x)", "The method with the r belongs to the right side, and that is x."),
        ),
    ),
    Question(
        "5.Q8",
        JACOBIAN,
        section="H",
        text="x has {r} rows of {c} numbers, and y is the sum of each row. How many numbers does the Jacobian have?",
        draw=lambda rng: dict(zip("rc", different(rng, 2, 10, 2))),
        code="""
            x = np.arange({r}.0 * {c}).reshape({r}, {c})
            count = x.sum(axis=1).size * x.size
        """,
        shown=False,
        asked={"numbers": "count"},
        torch="""
            jacobian = torch.autograd.functional.jacobian(lambda x: x.sum(dim=1), torch.ones({r}, {c}))
            count = jacobian.numel()
        """,
        wrong=(
            Wrong("{r} * {c}", "So many are not 0. But there is a number for each result and each input."),
            Wrong("({r} * {c}) ** 2", "There are as many rows as results, and these are {r}, not as many as inputs."),
            Wrong("{r} * {r}", "There is a column for each input, and these are the numbers of x, not its rows."),
        ),
    ),
    Question(
        "5.Q9",
        JACOBIAN,
        section="H",
        text="y₀ = {a} · x₀ + {b} · x₁, and y₁ = {c} · x₀ + {d} · x₁. The gradient that arrives at y is ({p}, {q}). "
        "What is the gradient of x₀?",
        draw=a_table,
        code="""
            jacobian = np.array([[{a}, {b}], [{c}, {d}]])
            gradient = float((np.array([{p}, {q}]) @ jacobian)[0])
        """,
        shown=False,
        asked={"gradient of x₀": "gradient"},
        torch="""
            x = Tensor([0.0, 0.0])
            gradient = grad({p} * ({a} * x[0] + {b} * x[1]) + {q} * ({c} * x[0] + {d} * x[1]), x)[0]
        """,
        wrong=(
            Wrong("{p}.0 * {a} + {q} * {b}", "This is a row. Going back reads a column: which results did x₀ go into?"),
            Wrong("{p}.0 * {a}", "x₀ went into y₁ as well, and gets something from there."),
            Wrong("{a}.0 + {c}", "The derivatives alone. Each is multiplied by what arrived at its result."),
        ),
    ),
    Question(
        "5.Q10",
        JACOBIAN,
        section="H",
        text="s is the sum of an array a of {n} numbers, and {g} arrives at s. What is the gradient of a? (A list.)",
        draw=lambda rng: (lambda n, k: {"n": n, "g": n * k})(whole(rng, 2, 4), whole(rng, 2, 6)),
        code="""
            gradient = shapes_and_rules.sum_rule({g}.0, {n})
        """,
        shown=False,
        asked={"gradient of a": "gradient"},
        torch="""
            a = torch.ones({n}, requires_grad=True)
            (a.sum() * {g}).backward()
            gradient = a.grad
        """,
        wrong=(
            Wrong(("5.6", "shared out among all"), "Nothing is shared out: one more in any place is one more in s."),
            Wrong(("5.6", "the slopes themselves"), "The derivatives alone. Each is multiplied by what arrived."),
            Wrong(("5.6", "the number that arrived"), "Each number of a has a gradient of its own."),
            Wrong(("5.6", "n times what arrived"), "Adding up was the way there. Back, each number of a gets its own."),
        ),
    ),
)

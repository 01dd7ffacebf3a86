"""Questions of the quiz about notebook 08."""

from grader.exam.question import Question, Wrong, different

DERIVE = "derive the rule of `a @ b` from three loops, and say why there are transposes in it"
SHAPES = "use shapes to find a formula, and say when shapes prove nothing"
BATCH = "find the gradient of a matrix that was used for a whole batch"
VECTORS = "reduce a new case (vectors) to one that is solved"


def two_matrices(rng):
    b, g = different(rng, 2, 9, 4), different(rng, 2, 9, 4)
    b[1], b[3] = sorted((b[1], b[3]))
    g[0], g[1] = sorted((g[0], g[1]))
    return {"b": [b[:2], b[2:]], "g": [g[:2], g[2:]]}


def one_square(rng):
    b, n = different(rng, 2, 64, 2)
    if rng.random() < 0.5:
        shapes = {"x": (b, n), "w": (n, n)}
        names = ("x", "w", "g @ w", "g @ wᵀ", "w @ g", "xᵀ @ g")
    else:
        shapes = {"x": (n, n), "w": (n, b)}
        names = ("w", "x", "x @ g", "xᵀ @ g", "g @ x", "g @ wᵀ")
    return shapes | dict(zip(["asked", "other", "answer", "gradient", "unfit", "of_other"], names))


def one_factor(rng):
    left, right = rng.choice(["wx", "xw"])
    samples = f"The samples are the {'columns' if left == 'w' else 'rows'} of x"
    if rng.random() < 0.5:
        asked, other, side = left, right, "right"
        products = (f"g @ {right}ᵀ", f"{right}ᵀ @ g", f"{right} @ gᵀ", f"gᵀ @ {right}")
    else:
        asked, other, side = right, left, "left"
        products = (f"{left}ᵀ @ g", f"g @ {left}ᵀ", f"gᵀ @ {left}", f"{left} @ gᵀ")
    named = {"samples": samples, "left": left, "right": right, "asked": asked, "other": other, "side": side}
    sizes = dict(zip("mnk", different(rng, 2, 64, 3)))
    return named | sizes | dict(zip(["answer", "other_side", "turned", "unfit"], products))


def used_twice(rng):
    (p, q), (r, s) = (sorted(different(rng, 2, 9, 2)) for _ in range(2))
    return {"p": p, "q": q, "r": r, "s": s, "w": different(rng, 2, 9, 1)[0]}


def beside_a_batch(rng):
    n, k, m = different(rng, 2, 9, 3)
    sides = (
        (
            "v @ b",
            f"({n}, {k}, {m})",
            "row",
            f"ones((1, {k})) @ ones(({n}, {k}, {m}))",
            f"({n}, {m}, 1)",
            "right, a column",
        ),
        (
            "b @ v",
            f"({n}, {m}, {k})",
            "column",
            f"ones(({n}, {m}, {k})) @ ones(({k}, 1))",
            f"({n}, 1, {m})",
            "left, a row",
        ),
    )
    return {
        "n": n,
        "k": k,
        "m": m,
        **dict(zip(["product", "b", "kind", "matrices", "other", "side"], rng.choice(sides))),
    }


QUESTIONS = (
    Question(
        "8.Q1",
        DERIVE,
        section="A",
        text="g arrives at y. What is a.grad[0, 1]?",
        draw=two_matrices,
        code="""
            a, b = Tensor([[1, 1], [1, 1]]), Tensor({b})
            y = a @ b
            g = Tensor({g}, requires_grad=False)
            y.backward(g)
        """,
        asked=("a.grad[0, 1]",),
        wrong=(
            Wrong(
                ("8.1", "no transposes"), "That is row 0 of g with column 1 of b. a[0, 1] was multiplied by row 1 of b."
            ),
            Wrong(
                ("8.1", "own operand"),
                "That is row 0 of g with ones, a's own numbers. How y grows with a depends on b.",
            ),
            Wrong(("8.1", "the rule of a * b"), "a[0, 1] meets a whole row of b, so it gets two shares."),
        ),
    ),
    Question(
        "8.Q2",
        DERIVE,
        section="A",
        text="a has shape ({m}, {k}), b has shape ({k}, {n}), and no number of b is 0. A single number of a grows. "
        "How many numbers of a @ b change?",
        draw=lambda rng: dict(zip("mkn", different(rng, 2, 9, 3))),
        code="""
            a, b = np.ones(({m}, {k})), np.ones(({k}, {n}))
            before = a @ b
            a[1, 0] += 1
            count = (a @ b != before).sum()
        """,
        torch="""
            derivatives = torch.autograd.functional.jacobian(lambda a: a @ torch.ones({k}, {n}), torch.ones({m}, {k}))
            count = (derivatives[:, :, 1, 0] != 0).sum()
        """,
        shown=False,
        asked={"numbers": "count"},
        wrong=(
            Wrong("1", "It is used more than once: its row meets each column of b, and makes a number with it."),
            Wrong(
                "{m}", "That would be a column of a @ b. A number of a stands in a row, and makes numbers of that row."
            ),
            Wrong("{m} * {n}", "The other rows of a @ b are made from other rows of a."),
        ),
    ),
    Question(
        "8.Q3",
        SHAPES,
        section="A",
        text="x has shape {x}, w has shape {w}, and g arrives at x @ w. Which product has the shape of {asked}, and "
        "yet is not its gradient?",
        draw=one_square,
        choose=True,
        answer="{answer}",
        wrong=(
            Wrong("{gradient}", "This one is the gradient of {asked}."),
            Wrong("{unfit}", "These two do not fit, so there is no shape at all."),
            Wrong("{of_other}", "It has the shape of {other}, and is the gradient of that."),
        ),
    ),
    Question(
        "8.Q4",
        SHAPES,
        section="A",
        text="{samples}: y = {left} @ {right}, with shapes ({m}, {n}) and ({n}, {k}). g arrives at y. What is the "
        "gradient of {asked}?",
        draw=one_factor,
        choose=True,
        answer="{answer}",
        wrong=(
            Wrong(
                "{other_side}",
                "The shapes do not fit. {other} is on the {side} of {asked}, and stays on that side of g.",
            ),
            Wrong("{turned}", "Its shape is that of {asked} turned round."),
            Wrong("{unfit}", "The shapes do not fit. It is {other} that is transposed: g keeps the shape of y."),
        ),
    ),
    Question(
        "8.Q5",
        BATCH,
        section="B",
        text="A batch of two matrices, of one number each, is multiplied by one matrix w. g arrives at y. What is "
        "w.grad?",
        draw=used_twice,
        code="""
            x = Tensor([[[{p}]], [[{q}]]])
            w = Tensor([[{w}]])
            y = x @ w
            g = Tensor([[[{r}]], [[{s}]]], requires_grad=False)
            y.backward(g)
        """,
        asked={"its number": "w.grad.item()"},
        wrong=(
            Wrong(
                ("8.2", "the mean of the batch"), "w is used twice, so it gets two shares. They are added up: no mean."
            ),
            Wrong(("8.2", "one share of the batch"), "w is used in both products, so it gets a share from each."),
            Wrong(
                ("8.2", "added up before multiplying"),
                "Each number of g belongs to one product: multiply, then add up.",
            ),
        ),
    ),
    Question(
        "8.Q6",
        VECTORS,
        section="C",
        text="v has shape ({k},), b has shape {b}, and {product} has shape ({n}, {m}), as has g, which arrives there. "
        "For the rule of 8.2 v becomes a {kind}. What shape must g get?",
        draw=beside_a_batch,
        code="""
            ones = np.ones
            shape = ({matrices}).shape
        """,
        torch="""
            ones = torch.ones
            shape = ({matrices}).shape
        """,
        shown=False,
        asked={"its shape": "tuple(shape)"},
        wrong=(
            Wrong("(1, {n}, {m})", "The batch stays in front. The axis that comes back is one of rows or columns."),
            Wrong("{other}", "That is for a vector on the {side}."),
            Wrong("({n}, {m})", "A product with a {kind} has one axis more. It was dropped, and must come back."),
        ),
    ),
)

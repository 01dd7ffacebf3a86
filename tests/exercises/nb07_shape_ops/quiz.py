"""Questions of the quiz about notebook 07."""

from itertools import permutations

from grader.exam.question import Question, Wrong, different, whole

FOLLOW = "follow a number through reshape, transpose, sum and broadcast, and its gradient back"
UNDO = "undo any order of axes, also one with negative axes"
BROADCAST = "give an input that was broadcast a gradient of its own shape"
TOGETHER = "say why sum and broadcast belong together, and test it with two numbers"
LUCK = "choose sizes and axes for which a wrong rule cannot be right by luck"


def inverse(axes):
    return tuple(map(axes.index, range(len(axes))))


ORDERS = [axes for axes in permutations(range(4)) if inverse(axes) not in (axes, axes[::-1])]


def a_reshape(rng):
    g = different(rng, 11, 99, 8)
    return {"g": [g[n : n + 2] for n in (0, 2, 4, 6)], "place": rng.choice(["0, 1", "0, 2", "1, 0", "1, 1", "1, 2"])}


def a_turn(rng):
    return {
        "axes": rng.choice([(1, 2, 0), (2, 0, 1), (-1, 0, 1), (1, -1, 0)]),
        **dict(zip("ijk", different(rng, 1, 9, 3))),
    }


def a_mean(rng):
    a, b, c = different(rng, 2, 5, 3)
    return {"a": a, "b": b, "c": c, "g": a * c * whole(rng, 2, 9)}


def a_table(rng):
    r, s = rng.sample([3, 5, 7], 2)
    return {
        "p": whole(rng, 2, 9),
        "q": whole(rng, 2, 9),
        "r": r,
        "s": s,
        **dict(zip("cdef", different(rng, 11, 19, 4))),
    }


def a_broadcast(rng):
    a, b, c, d = different(rng, 2, 7, 4)
    small, large = rng.choice(
        [
            ((b, 1), (a, b, c)),
            ((1, c), (a, b, c)),
            ((c, 1), (a, b, c, d)),
            ((1, d), (a, b, c, d)),
            ((b, 1, d), (a, b, c, d)),
        ]
    )
    return {"small": small, "large": large}


def two_rows(rng):
    (c, e), (d, f) = (sorted(different(rng, 1, 9, 2)) for _ in range(2))
    return {"a": whole(rng, 2, 5), "b": whole(rng, 2, 5), "c": c, "d": d, "e": e, "f": f}


QUESTIONS = (
    Question(
        "7.Q1",
        FOLLOW,
        section="A",
        text="g arrives at y. What is the number in the last line?",
        draw=a_reshape,
        code="""
            x = Tensor(np.zeros((2, 4)))
            y = x.reshape(4, 2)
            g = Tensor({g}, requires_grad=False)
            y.backward(g)
            number = x.grad[{place}]
        """,
        asked=("number",),
        wrong=(
            Wrong(
                ("7.1", "transposed instead of reshaped"),
                "That is x.grad if rows and columns had changed places. A reshape keeps the order, row by row.",
            ),
        ),
    ),
    Question(
        "7.Q2",
        FOLLOW,
        section="B",
        text="y = x.transpose({axes}). Where in y is the number that is at x[{i}, {j}, {k}]?",
        draw=a_turn,
        code="""
            x = np.arange(1000).reshape(10, 10, 10)
            y = x.transpose({axes})
            place = tuple(np.argwhere(y == {i}{j}{k})[0])
            other = tuple(np.argwhere(y.transpose({axes}) == {i}{j}{k})[0])
        """,
        torch="""
            x = torch.arange(1000).reshape(10, 10, 10)
            y = x.permute({axes})
            place = tuple((y == {i}{j}{k}).nonzero()[0].tolist())
        """,
        shown=False,
        asked={"its place in y": "place"},
        wrong=(
            Wrong("other", "Read axes the other way: the first of them says which axis of x became axis 0 of y."),
            Wrong("({k}, {j}, {i})", "That would be x.T, all axes the other way round."),
        ),
    ),
    Question(
        "7.Q3",
        UNDO,
        section="B",
        text="y = x.transpose({axes}). With which axes does y.transpose(...) give x back? Count them from 0.",
        draw=lambda rng: {"axes": rng.choice(ORDERS)},
        code="back = tuple(np.argsort({axes}))",
        torch="""
            from itertools import permutations
            x = torch.zeros(2, 3, 4, 5)
            y = x.permute({axes})
            back = next(axes for axes in permutations(range(4)) if y.permute(axes).shape == x.shape)
        """,
        shown=False,
        asked={"the axes": "back"},
        wrong=(
            Wrong("{axes}", "The same axes undo a swap of two. Here more than two go round in a circle."),
            Wrong(
                "{axes}[::-1]", "Turning the list round is not the way back: for each axis of x, ask where it is in y."
            ),
        ),
    ),
    Question(
        "7.Q4",
        LUCK,
        section="C",
        text="Somebody's rule for a sum is np.broadcast_to(out_grad, x.shape). It is tried on an x of shape ({m}, "
        "{n}) and on one of shape ({n}, {n}). For which sum does it give wrong numbers without an error?",
        draw=lambda rng: dict(zip("mn", different(rng, 2, 9, 2))),
        choose=True,
        answer="({n}, {n}) over axis 1",
        wrong=(
            Wrong("({m}, {n}) over axis 1", "({m},) does not fit ({m}, {n}): that is an error, and so it is noticed."),
            Wrong(
                "({m}, {n}) over axis 0",
                "NumPy puts a missing axis in front, and axis 0 is missing: the rule is right.",
            ),
            Wrong(
                "({n}, {n}) over axis 0",
                "NumPy puts a missing axis in front, and axis 0 is missing: the rule is right.",
            ),
        ),
    ),
    Question(
        "7.Q5",
        FOLLOW,
        section="D",
        text="What is each number of x.grad?",
        draw=a_mean,
        code="""
            x = Tensor(np.ones(({a}, {b}, {c})))
            y = x.mean(axis=(0, 2))
            (y * {g}).sum().backward()
        """,
        asked={"each number": "x.grad[0, 0, 0]"},
        wrong=(
            Wrong(
                ("7.4", "all numbers counted"), "There are {b} means. Into each of them go {a} · {c} numbers, not all."
            ),
            Wrong(
                ("7.4", "the means counted"), "{b} is how many means there are. Into each of them go {a} · {c} numbers."
            ),
            Wrong(
                ("7.4", "the gradient of the sum"),
                "That is for a sum. In a mean each of {a} · {c} numbers counts less.",
            ),
        ),
    ),
    Question(
        "7.Q6",
        BROADCAST,
        section="F",
        text="g arrives at y. What is a.grad[0, 0]?",
        draw=a_table,
        code="""
            a, b = Tensor([[{p}], [{q}]]), Tensor([[{r}, {s}]])
            y = a * b
            g = Tensor([[{c}, {d}], [{e}, {f}]], requires_grad=False)
            y.backward(g)
        """,
        asked=("a.grad[0, 0]",),
        wrong=(
            Wrong(
                ("6.2", "the rule of a sum"),
                "That is what arrives, added up. Before, each is multiplied by its number of b.",
            ),
            Wrong(("7.6", "a mean of the shares"), "a[0, 0] is used twice, and shares add up: there is no mean."),
            Wrong(("7.6", "the first share only"), "a[0, 0] is used in both columns, so it gets two shares."),
        ),
    ),
    Question(
        "7.Q7",
        BROADCAST,
        section="F",
        text="b of shape {small} is added to an x of shape {large}. Over which axes is what arrives added up, for the "
        "gradient of b? Name them all, counted from 0.",
        draw=a_broadcast,
        code="""
            steps = np.broadcast_to(np.ones({small}), {large}).strides
            axes = tuple(n for n, step in enumerate(steps) if step == 0)
        """,
        torch="""
            steps = torch.ones({small}).expand({large}).stride()
            axes = tuple(n for n, step in enumerate(steps) if step == 0)
        """,
        shown=False,
        asked={"the axes": "axes"},
        wrong=(
            Wrong(
                "tuple(range(len({large}) - len({small})))",
                "There are copies along the new axes in front, and also along each axis where b has the size 1.",
            ),
            Wrong(
                "axes[len({large}) - len({small}) :]",
                "There are copies where b has the size 1, and also along the new axes in front.",
            ),
        ),
    ),
    Question(
        "7.Q8",
        TOGETHER,
        section="F",
        text="x = [{a}, {b}] is broadcast to two rows, y, and [[{c}, {d}], [{e}, {f}]] arrives there. If the rule is "
        "right, two inner products are the same: of y and what arrives, and of x and its gradient. What number is it?",
        draw=two_rows,
        code="""
            x = Tensor([{a}, {b}])
            g = Tensor([[{c}, {d}], [{e}, {f}]], requires_grad=False)
            x.broadcast_to((2, 2)).backward(g)
            product = (x.data * x.grad).sum()
        """,
        shown=False,
        asked={"the number": "product"},
        wrong=(
            Wrong(
                ("7.6", "the first share only"),
                "That is the first row alone. In y both rows count, so in the gradient too.",
            ),
            Wrong(
                ("7.6", "a mean of the shares"),
                "That is half of it, as with a mean of the two rows: they are added up.",
            ),
        ),
    ),
)

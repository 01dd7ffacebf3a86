"""Outcomes of notebook 07, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "7.1 7.3 7.4",
    "7.2",
    "7.6",
    "7.3 7.6",
    "7.7",
)

QUESTIONS = (
    Question(
        "7.E1",
        "give an input that was broadcast a gradient of its own shape",
        points=4,
        minutes=5,
        text="b is used in both rows. The gradient that arrives at y is g. Calculate the gradient of b.",
        draw=lambda rng: dict(zip("cdefgh", different(rng, 2, 12, 6))),
        code="""
            a = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
            b = Tensor([10.0, 20.0, 30.0])
            g = Tensor([[{c}.0, {d}.0, {e}.0], [{f}.0, {g}.0, {h}.0]], requires_grad=False)
            y = a + b
            (y * g).sum().backward()
        """,
        asked=("b.grad",),
        wrong=(
            Wrong(("7.6", "a mean of the shares"), "The mean of the rows was taken: shares are added up."),
            Wrong(("7.6", "the first share only"), "Only the first row was counted."),
            Wrong("g.data", "The gradient was passed on in the shape of the result: b has three numbers.", at=0),
        ),
    ),
    Question(
        "7.E2",
        "undo any order of axes, also one with negative axes",
        points=3,
        minutes=4,
        text="",
        draw=lambda rng: dict(zip("kmn", different(rng, 2, 9, 3))),
        code="""
            x = np.zeros(({k}, {m}, {n}))
            y = x.transpose((1, 2, 0))
            print(y.shape)
            print(y.transpose((1, 2, 0)).shape)
            print(y.transpose((2, 0, 1)).shape)
        """,
        torch="""
            x = torch.zeros(({k}, {m}, {n}))
            y = x.permute((1, 2, 0))
            print(tuple(y.shape))
            print(tuple(y.permute((1, 2, 0)).shape))
            print(tuple(y.permute((2, 0, 1)).shape))
        """,
        wrong=(
            Wrong("({n}, {k}, {m})", "The axes were read the other way round: axis 0 of y is axis 1 of x.", at=0),
            Wrong("({k}, {m}, {n})", "The same order again was thought to undo itself.", at=1),
        ),
    ),
    Question(
        "7.E3",
        "follow a number through reshape, transpose, sum and broadcast, and its gradient back",
        points=3,
        minutes=5,
        text="",
        draw=lambda rng: {"k": whole(rng, 2, 12)},
        code="""
            x = Tensor([[1.0, 2.0], [3.0, 4.0]])
            (x.mean() * 4 * {k}).backward()
            print(x.grad.tolist())
            x = Tensor([[1.0, 2.0], [3.0, 4.0]])
            (x.sum(axis=0) * Tensor([1.0, {k}.0])).sum().backward()
            print(x.grad.tolist())
        """,
        wrong=(
            Wrong(("7.4", "the gradient of the sum"), "A mean divides by the count, and so does its gradient."),
            Wrong(
                "[[1.0, 1.0], [{k}.0, {k}.0]]",
                "axis=0 was taken for the sum of each row: it adds up each column.",
                at=1,
            ),
        ),
    ),
    Question(
        "7.E4",
        "choose sizes and axes for which a wrong rule cannot be right by luck",
        points=3,
        minutes=5,
        text="A rule for transpose uses the same order of axes again on the way back. It was tested with a "
        "matrix, and with an array of shape (2, 3, 2) and the order (2, 1, 0). Both tests pass. Why? Which order "
        "gives the mistake away, and which sizes should the array have?",
        answer="Both orders only swap two axes, and a swap done twice is undone: there the same order is the "
        "right one. It takes an order that moves three axes round in a circle, such as (1, 2, 0): its inverse is "
        "(2, 0, 1). The sizes should all be different, such as (2, 3, 4): then a wrong shape cannot look like "
        "the right one.",
        marking=(
            (1, "The tested orders are their own inverses."),
            (1, "A cyclic order of three axes, such as (1, 2, 0)."),
            (1, "Sizes that are all different."),
        ),
        wrong=(
            Wrong("(0, 1, 2)", "It leaves everything in place: it is its own inverse as well."),
            Wrong("a larger array", "Size does not help as long as the order undoes itself."),
        ),
        other=Other(
            text="The rule for a sum over one axis stretches the gradient that arrives as if it were always "
            "axis 0 that had been summed over. It was tested with axis 0 of an array of shape (2, 3), and"
            " with axis 1 of one of shape (3, 3), where ones arrived. Both tests pass. Why does each of "
            "them? Which axis, sizes and gradient give the mistake away?",
            answer="With axis 0 the rule is right. In the square array three numbers arrive, and they fit along "
            "either axis; since all are ones, rows and columns look alike. Take axis 1 of an array whose "
            "sizes are all different, such as (2, 3) or (2, 3, 4): there what arrives does not fit along "
            "axis 0 at all. Drawn numbers give the mistake away even where it fits.",
            marking=(
                (1, "Axis 0 is the case in which the rule is right."),
                (1, "In a square array the numbers fit along the wrong axis, and ones hide it."),
                (1, "An axis other than 0, sizes that are all different, drawn numbers."),
            ),
            wrong=(
                Wrong(
                    "a larger square array with ones",
                    "Size does not help as long as the sides are equal and all numbers are the same.",
                ),
                Wrong("axis -2 of a matrix", "That is axis 0 by another name."),
            ),
        ),
    ),
    Question(
        "7.E5",
        "say why sum and broadcast belong together, and test it with two numbers (stretch)",
        points=3,
        minutes=5,
        text="y = x.sum(axis=0) for x = [[{a}, {b}], [{c}, {d}]], and the gradient that arrives at y is [{g}, {h}]. "
        "Two inner products test the rule: that of y and what arrives, and that of x and its gradient. Calculate "
        "both, and the second one also for a rule that gives what arrives to the first row of x, and zeros to the "
        "other.",
        draw=lambda rng: dict(zip("abcdgh", different(rng, 2, 9, 6))),
        code="""
            x = Tensor([[{a}.0, {b}.0], [{c}.0, {d}.0]])
            y = x.sum(axis=0)
            g = Tensor([{g}.0, {h}.0], requires_grad=False)
            y.backward(g)
            of_y = (y * g).sum().item()
            of_x = (x.data * x.grad).sum().item()
            of_first_row = (x[0] * g).sum().item()
        """,
        shown=False,
        asked={"of y": "of_y", "of x": "of_x", "of x, by the other rule": "of_first_row"},
        wrong=(
            Wrong(
                ("7.3", "the gradient of a mean"), "That is the rule of a mean: a sum gives each row all that arrives."
            ),
            Wrong("of_y", "The two numbers agree for a right rule alone: here the second row has been lost.", at=2),
        ),
    ),
)

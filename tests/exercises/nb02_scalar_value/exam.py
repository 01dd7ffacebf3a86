"""Outcomes of notebook 02, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "2.1 2.4 2.5",
    "2.1 2.3 2.7 2.8 2.9 2.10",
    "2.1 2.2",
    "2.2",
)

QUESTIONS = (
    Question(
        "2.E1",
        "find all derivatives of a small expression by hand, from the result back to its leaves",
        points=5,
        minutes=7,
        text="Calculate these gradients of L. The picture has room for your notes.",
        draw=lambda rng: dict(zip("abc", different(rng, -6, 6, 3, but=(-2, -1, 0, 1, 2)))),
        code="""
            a = Value({a}, label="a")
            b = Value({b}, label="b")
            c = Value({c}, label="c")
            u = a * b
            u.label = "u"
            v = u + c
            v.label = "v"
            L = v * b
            L.label = "L"
            L.backward()
        """,
        asked=("a.grad", "b.grad", "c.grad", "u.grad", "v.grad"),
        graph="L",
        torch="""
            a, b, c = Value({a}), Value({b}), Value({c})
            u = a * b
            v = u + c
            u.retain_grad(), v.retain_grad()
            (v * b).backward()
        """,
        wrong=(
            Wrong(("3.1", "assigns instead of adding"), "The last share to b wins: the two paths were not added."),
            Wrong(
                ("2.1", "each side's slope is its own number"),
                "The local derivative of a product: each side got its own number, not the other side's.",
            ),
            Wrong(("3.1", "own gradient forgotten"), "Local derivatives alone: no chain rule."),
        ),
    ),
    Question(
        "2.E2",
        "name the local derivative of every operation from `+` to `sigmoid`",
        points=4,
        minutes=5,
        text="Calculate the derivative of y with respect to x. Where the result is a power of e, write it so.",
        draw=lambda rng: {"x": whole(rng, 2, 5), "n": whole(rng, 3, 4), "k": whole(rng, 2, 7)},
        code="""
            x = Value({x}.0)
            y = x**{n}
            y.backward()
            power = x.grad

            x = Value({x}.0)
            y = {k} / x
            y.backward()
            quotient = x.grad

            x = Value(0.0)
            y = ({k} * x).exp()
            y.backward()
            exponential = x.grad

            x = Value(0.0)
            y = ({k} * x).tanh()
            y.backward()
            hyperbolic = x.grad
        """,
        asked=("power", "quotient", "exponential", "hyperbolic"),
        wrong=(
            Wrong(("2.3", "the exponent is not lowered"), "The exponent was brought to the front, but not lowered."),
            Wrong(
                ("2.3", "the exponent does not come in front"),
                "The exponent was lowered, but not brought to the front.",
            ),
            Wrong(("2.7", "the power rule for exp"), "The power rule was used for exp."),
        ),
    ),
    Question(
        "2.E3",
        "read a computation graph: leaves, inner nodes, operations, local derivatives",
        points=3,
        minutes=4,
        text="_prev are the inputs of a Value, _slopes its local derivatives.",
        draw=lambda rng: {"x": whole(rng, 3, 9)},
        code="""
            x = Value({x}.0)
            y = x * x
            print(len(y._prev))
            print(y._prev[0] is y._prev[1])
            print(y._slopes)
        """,
        torch="""
            x = Value({x}.0)
            y = x * x
            print(2)
            print(True)
            print(({x}.0, {x}.0))
        """,
        wrong=(
            Wrong("1", "One input was counted once: x * x has two inputs that happen to be the same Value.", at=0),
            Wrong(
                "(2 * {x}.0,)",
                "The derivative of x² was given. The node remembers one local derivative for each input.",
                at=2,
            ),
        ),
    ),
    Question(
        "2.E4",
        "make a class of your own work with `+ - * / **`, also when the number on the left is a plain one",
        points=3,
        minutes=5,
        text="x + 5 works with a class of yours, and 5 + x raises a TypeError. What does Python try for 5 + x, "
        "in which order? What has to be written, and why is it not enough to do the same for 5 - x?",
        answer="Python asks the left side first: int knows nothing about the class and answers NotImplemented. "
        "Then it asks the right side for its reflected method, x.__radd__(5). It can call x + 5, since a sum "
        "does not depend on the order. A difference does: __rsub__ must compute 5 - x, for example (-x) + 5, not "
        "x - 5.",
        marking=(
            (1, "The left side is asked first, and it cannot do it."),
            (1, "Then __radd__ of the right side is called with the left number."),
            (1, "A difference depends on the order: __rsub__ must give 5 - x."),
        ),
        wrong=(
            Wrong(
                "5 has to be converted by hand first",
                "That works, but misses what the question asks: the reflected method.",
            ),
            Wrong("__rsub__ returns x - 5", "The two sides of the reflected operation were confused (2.5)."),
        ),
        other=Other(
            text="x * 3 works with a class of yours, and 3 * x raises a TypeError. What does Python ask first "
            "for 3 * x, and what next? Somebody then writes __rmul__ so that it returns self * other, and"
            " __rtruediv__ so that it returns self / other. Which of the two is wrong, and what should it"
            " give for 3 / x?",
            answer="int comes first: its __mul__ knows nothing about the class and answers NotImplemented. Then "
            "x.__rmul__(3) is called. A product is the same in either order, so self * other is right. A "
            "quotient is not: __rtruediv__ has to compute three divided by x, for example 3 * x ** -1; "
            "self / other is the reciprocal of that.",
            marking=(
                (1, "The left side is asked first, and it cannot do it."),
                (1, "Then the reflected method of the right side is called with the left number."),
                (1, "__rtruediv__ is wrong: it must give the left number divided by x."),
            ),
            wrong=(
                Wrong("both are right", "The two sides of the reflected operation were confused, as in 2.5."),
                Wrong(
                    "3 has to be converted by hand first",
                    "That works, but misses what the question asks: the reflected methods.",
                ),
            ),
        ),
    ),
)

"""Outcomes of notebook 01, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "1.1",
    "1.5",
    "1.2",
    "1.3",
    "1.4",
)

QUESTIONS = (
    Question(
        "1.E1",
        "measure the derivative of any function by nudging, and say how far off you are",
        points=3,
        minutes=5,
        text="f(x) = x³. Calculate the central difference at x = {x} with the large step h = 1, the derivative itself, "
        "and how far off the first is.",
        draw=lambda rng: {"x": whole(rng, 2, 9)},
        code="""
            def f(x):
                return x**3

            measured = (f({x} + 1) - f({x} - 1)) / 2
            exact = 3 * {x}**2
            error = measured - exact
        """,
        shown=False,
        asked={"central difference": "measured", "derivative": "exact", "off by": "error"},
        wrong=(
            Wrong("float(f({x} + 1) - f({x}))", "A nudge to one side only: the forward difference.", at=0),
            Wrong(
                "float(f({x} + 1) - f({x} - 1))", "Divided by h in place of 2h, the distance of the two points.", at=0
            ),
            Wrong("{x}**2", "The exponent was not brought to the front.", at=1),
        ),
    ),
    Question(
        "1.E2",
        "build a number that carries its derivative, and say why nets need yet another way",
        points=3,
        minutes=4,
        text="A Dual is a value with its derivative with respect to x.",
        draw=lambda rng: dict(zip("xb", different(rng, 2, 9, 2))),
        code="""
            x = Dual({x}, 1)
            b = Dual({b}, 0)
            y = x * x + b * x
            print(y.value, y.slope)
        """,
        torch="""
            x = Tensor({x})
            y = x * x + {b} * x
            print(y, grad(y, x))
        """,
        wrong=(
            Wrong(("1.4", "the slopes are multiplied"), "The product rule: the slopes themselves were multiplied."),
            Wrong(("1.4", "only the left side moves"), "The product rule: only one of its two terms."),
            Wrong(
                ("1.4", "each slope with its own value"),
                "The product rule: each slope with its own value, not with the other one's.",
            ),
        ),
    ),
    Question(
        "1.E3",
        "say why a smaller nudge is sometimes a worse one",
        points=4,
        minutes=6,
        text="Somebody measures a derivative by the central difference in float64. With h = 1e-2, 1e-5 and 1e-14 "
        "the error is 2e-5, 2e-11 and 3e-2. Why does it fall first, and why does it rise again?",
        answer="A difference quotient is the slope of a straight line through two points of a curve. The closer "
        "they are, the less the curve bends between them: this error of the method falls with h². But both "
        "values of f are rounded, to about 16 digits. If they lie close together, the leading digits cancel, and "
        "what is left of the rounding is divided by a tiny number: this error grows like 1/h.",
        marking=(
            (1, "The error of the method: the curve is replaced by a straight line (truncation error)."),
            (1, "It shrinks with h (h² for the central difference)."),
            (1, "Values of f are rounded, and nearly equal numbers are subtracted (cancellation)."),
            (1, "What rounding leaves is divided by h, so this error grows as h shrinks."),
        ),
        wrong=(
            Wrong(
                "1e-14 is too small to be stored",
                "Tiny numbers are stored well; it is the difference of two nearly equal numbers that loses its digits.",
            ),
            Wrong("the computer rounds h to 0", "As above: 1e-14 is nowhere near the smallest float64."),
        ),
        other=Other(
            text="A derivative is measured as (f(x + h) - f(x)) / h, in float64, at a place where f and its "
            "derivatives are about 1. Somebody says: the smaller h, the more exact. Which two errors does"
            " the quotient have, and how does each depend on h? Which of 1e-1, 1e-8 and 1e-15 would you "
            "take, and what is wrong with the other two?",
            answer="The curve is replaced by a straight line: for this one-sided quotient the error of that "
            "falls in proportion to h. Both values of f are rounded in about the 16th digit; their "
            "difference keeps the rounding, and the division enlarges it: this error grows like 1/h. 1e-8"
            " makes both about as small as they can be together. At 1e-1 the curve bends too much between"
            " the points; at 1e-15 the two values agree in nearly all digits, and rounding is a "
            "large part of the difference that is left.",
            marking=(
                (
                    1,
                    "The error of the method: the curve is replaced by a straight line (truncation error); it"
                    " falls with h.",
                ),
                (1, "Values of f are rounded, and nearly equal numbers are subtracted (cancellation)."),
                (1, "What rounding leaves is divided by h, so this error grows as h shrinks."),
                (1, "1e-8, and what is wrong with each of the others."),
            ),
            wrong=(
                Wrong("1e-15, the smallest", "Only the error of the method was looked at, not the rounding of f."),
                Wrong(
                    "1e-1, where rounding plays no part",
                    "It plays none there, but the curve bends between the two points.",
                ),
            ),
        ),
    ),
    Question(
        "1.E4",
        "find the gradient of a function of many inputs, and say how many calls it needs",
        points=3,
        minutes=4,
        text="A net has one million weights and one loss. Its gradient could be measured by central differences, or "
        "computed with Duals. How often does the whole net have to be run for each, and what follows for training?",
        answer="Two million runs by central differences, since each weight is nudged up and down by itself. A "
        "million runs with Duals, since each run carries the derivative with respect to one weight. Neither can "
        "be done for every step of a training: what is needed is a way that gets all of them in one go.",
        marking=(
            (1, "Two runs for each weight: 2,000,000."),
            (1, "One run for each weight with Duals: 1,000,000."),
            (
                1,
                "The cost grows with the number of inputs; training needs all derivatives at about the price of "
                "one run.",
            ),
        ),
        wrong=(
            Wrong(
                "two runs: all weights are nudged at once",
                "A common nudge measures one directional derivative, not a million partial ones.",
            ),
            Wrong("one run with Duals", "A Dual carries one derivative; it belongs to forward mode."),
        ),
        other=Other(
            text="A picture has 3,000 pixels, and a function gives one number for it. The gradient of this "
            "number is wanted. How often must the function be run with central differences, and how "
            "often with Duals? How often for a function of one pixel, and what follows for nets?",
            answer="6,000 times with central differences: each pixel is moved up and down, while all others "
            "stay. 3,000 times with Duals, where a run carries the derivative by one of them. With one "
            "pixel it is twice and once. So the price of both goes up with the number of inputs. A net "
            "has millions of weights: training needs a way whose price does not.",
            marking=(
                (1, "6,000, two for each pixel; for one pixel 2."),
                (1, "3,000, one for each pixel with Duals; for one pixel 1."),
                (1, "The cost grows with the number of inputs: nets need another way."),
            ),
            wrong=(
                Wrong(
                    "two: all pixels are moved at once",
                    "Nudging all of them at once measures one directional derivative, not 3,000 partial ones.",
                ),
                Wrong("one with Duals", "A Dual carries one derivative; it belongs to forward mode."),
            ),
        ),
    ),
    Question(
        "1.E5",
        "multiply derivatives along a path: the chain rule",
        points=3,
        minutes=4,
        text="Two steps: u = {k} · x + {m}, and then y = u². Calculate ∂u/∂x, ∂y/∂u and ∂y/∂x at x = {x}.",
        draw=lambda rng: {"x": whole(rng, 2, 5), "k": whole(rng, 3, 6), "m": whole(rng, 1, 7)},
        code="""
            u = {k} * Dual({x}.0, 1.0) + {m}
            first, second, both = u.slope, (Dual(u.value, 1.0) ** 2).slope, (u**2).slope
        """,
        shown=False,
        asked={"∂u/∂x": "first", "∂y/∂u": "second", "∂y/∂x": "both"},
        torch="""
            x = Value({x})
            u = {k} * x + {m}
            y = u**2
            second, both = torch.autograd.grad(y, (u, x), retain_graph=True)
            first = grad(u, x)
        """,
        wrong=(
            Wrong("first + second", "Along a path derivatives multiply; here they were added.", at=2),
            Wrong("second", "The step from x to u was left out.", at=2),
            Wrong("2.0 * {x}", "The derivative of the square was taken at x. u is what is squared.", at=1),
        ),
    ),
)

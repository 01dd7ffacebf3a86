"""Outcomes of notebook 06, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "6.1 6.2 6.3 6.4 6.9",
    "6.6 6.8",
    "6.5 6.10",
    "6.4 6.7 6.8 6.9",
)

QUESTIONS = (
    Question(
        "6.E1",
        "turn a local derivative into a rule for arrays, made of operations, so that it can be differentiated again",
        points=4,
        minutes=6,
        text="The gradient that arrives at y is g. Calculate the gradients of a and b.",
        draw=lambda rng: dict(zip("pqgh", different(rng, 3, 9, 4))),
        code="""
            a, b = Tensor([{p}.0, {q}.0]), Tensor([2.0, 4.0])
            g = Tensor([{g}.0, {h}.0], requires_grad=False)
            y = a / b
            (y * g).sum().backward()
        """,
        asked=("a.grad", "b.grad"),
        wrong=(
            Wrong(("6.3", "the sign of the second share"), "The minus in the derivative with respect to b is missing."),
            Wrong(("6.3", "the square forgotten"), "b stands below the fraction once; it belongs there squared."),
            Wrong(("6.3", "out_grad forgotten"), "The local derivatives alone: g was left out."),
        ),
    ),
    Question(
        "6.E2",
        "deal with the places where derivatives misbehave: kinks, zeros, very large numbers",
        points=3,
        minutes=4,
        text="",
        draw=lambda rng: {"x": whole(rng, 2, 9), "y": whole(rng, 2, 9)},
        code="""
            x = Tensor([-{x}.0, 0.0, {y}.0])
            x.relu().sum().backward()
            print(x.grad.tolist())
            x = Tensor([-{x}.0, 0.0, {y}.0])
            x.abs().sum().backward()
            print(x.grad.tolist())
        """,
        wrong=(
            Wrong(("6.7", "relu passes at 0"), "The course (and PyTorch) take 0 as the slope of relu at 0."),
            Wrong(("6.7", "abs slants up at 0"), "The course (and PyTorch) take 0 as the slope of abs at 0."),
            Wrong(("6.7", "the left half of abs forgotten"), "The slope of abs is -1 on the left."),
        ),
    ),
    Question(
        "6.E3",
        "say which rules need the input, and which the result",
        points=2,
        minutes=4,
        text="Of an operation on x you know the result alone: {k} for sqrt(x), {n} for exp(x), 0.5 for sigmoid(x). "
        "Calculate the derivative of each at this x.",
        draw=lambda rng: {"k": whole(rng, 2, 5), "n": whole(rng, 3, 9)},
        code="""
            of_sqrt = 1 / (2 * {k}.0)
            of_exp = {n}.0
            of_sigmoid = 0.5 * (1 - 0.5)
        """,
        shown=False,
        asked={"sqrt": "of_sqrt", "exp": "of_exp", "sigmoid": "of_sigmoid"},
        torch="""
            x = Tensor({k}.0**2); x.sqrt().backward(); of_sqrt = x.grad
            x = Tensor(np.log({n}.0)); x.exp().backward(); of_exp = x.grad
            x = Tensor(0.0); x.sigmoid().backward(); of_sigmoid = x.grad
        """,
        wrong=(
            Wrong("1 / (2 * {k}.0**2)", "The input was put in, where the result belongs.", at=0),
            Wrong("np.log({n}.0)", "The input was put in, where the result belongs.", at=1),
        ),
    ),
    Question(
        "6.E4",
        "write a gradient check, and name the traps it must avoid",
        points=4,
        minutes=6,
        text="A gradient check compares a rule with nudging. It sums up the result and lets a gradient of ones "
        "arrive. Name a wrong rule that passes it, and say what arrives in a better check. Why must shapes be "
        "compared before values?",
        answer="A rule that forgets to multiply by the gradient that arrives: with ones it gives the same. (A "
        "sum over a softmax is another: it is always 1, so its gradient is 0, whatever the rule does to ones.) A "
        "better check lets drawn numbers arrive: all different, of both signs. Shapes first, because NumPy "
        "stretches: a gradient of shape (3,) that should be (2, 3) is compared with each row, and equal numbers "
        "hide that it has the wrong shape.",
        marking=(
            (1, "A rule that ignores the gradient that arrives (or another one that ones do not notice)."),
            (1, "A drawn gradient, with numbers that differ."),
            (2, "Broadcasting makes a comparison of different shapes possible, and it can come out equal."),
        ),
        wrong=(
            Wrong("a smaller h", "That is about how exact the nudging is, not about what it can see."),
            Wrong("more inputs", "With ones, the forgotten gradient is not seen on any input."),
        ),
        other=Other(
            text="A rule for the product a * b is compared with nudging. Both inputs are [2, 2], and a "
            "gradient of ones arrives. Name two wrong rules that pass, each for a different reason, and say "
            "which numbers a better check takes. Another rule returns the right numbers in the shape (1, "
            "2). Why can that go unnoticed?",
            answer="A rule that confuses its inputs, and takes a for a's own local derivative in place of b: "
            "with equal numbers it is the same. A rule that leaves out the gradient that arrives: with "
            "ones it is the same, too. A better check draws all of these numbers: different ones, of both"
            " signs. An array of shape (1, 2) is stretched when it is compared with (2,), and all numbers"
            " agree: so compare shapes first.",
            marking=(
                (1, "A rule that confuses the inputs, hidden by equal numbers."),
                (1, "A rule that ignores the gradient that arrives, hidden by ones."),
                (1, "Drawn numbers that differ, for the inputs and for what arrives."),
                (1, "Broadcasting makes a comparison of different shapes possible, and it can come out equal."),
            ),
            wrong=(
                Wrong("a smaller h", "That is about how exact the nudging is, not about what it can see."),
                Wrong("longer arrays of twos", "As long as the numbers are equal, their count shows nothing."),
            ),
        ),
    ),
)

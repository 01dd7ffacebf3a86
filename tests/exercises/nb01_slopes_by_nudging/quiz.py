"""Questions of the quiz about notebook 01."""

from grader.exam.question import Question, Wrong, different, whole


def three_places(rng):
    """A bend: f at three places h apart, with one slope to the left and another to the right."""
    h, x, middle = whole(rng, 2, 4), whole(rng, 5, 9), whole(rng, 20, 30)
    left = whole(rng, 1, 4)
    right = left + 2 * whole(rng, 1, 3)
    return {"l": x - h, "x": x, "r": x + h, "h": h, "lo": middle - h * left, "mid": middle, "hi": middle + h * right}


def three_sides(rng):
    """a is the largest but w, so that no two wrong answers agree."""
    b, a = sorted(different(rng, 2, 7, 2))
    return {"a": a, "b": b, "w": whole(rng, 2, 9, but=(a, b))}


QUESTIONS = (
    Question(
        "1.Q1",
        "measure the derivative of any function by nudging, and say how far off you are",
        section="A",
        text="Of f only three values are known: f({l}) = {lo}, f({x}) = {mid} and f({r}) = {hi}. What is the central "
        "difference at {x}?",
        draw=three_places,
        code="""
            f = {{l}: {lo}, {x}: {mid}, {r}: {hi}}.get
            slope = numerical_derivative(f, {x}, {h})
        """,
        shown=False,
        asked={"central difference": "slope"},
        torch="""
            values = torch.tensor([{lo}.0, {mid}.0, {hi}.0])
            slope = torch.gradient(values, spacing={h}.0)[0][1]
        """,
        wrong=(
            Wrong(("1.1", "a nudge to one side only"), "This is the forward difference. Take f on both sides."),
            Wrong(("1.1", "a nudge down only"), "This is the slope on the left alone. Take f on both sides."),
            Wrong(("1.1", "divided by h"), "The two outer places are two nudges apart, not one."),
            Wrong(("1.1", "not divided at all"), "This is how much f changes. A slope is the change for each unit."),
        ),
    ),
    Question(
        "1.Q2",
        "measure the derivative of any function by nudging, and say how far off you are",
        section="A",
        text="With some h, Ada's forward difference is off by {e}, and so is Ben's central difference of another "
        "function. Both take an h {k} times smaller. How far off are they then, nearly? (Rounding plays no part yet.)",
        draw=lambda rng: (lambda k: {"k": k, "e": k * k * whole(rng, 1, 4)})(rng.choice([3, 5, 10])),
        code="""
            forward = {e} * ((1 + 1 / {k}) ** 2 - 1) * {k} - 2 * {e}
            central = numerical_derivative(lambda x: {e} * x**3, 1, 1 / {k}) - 3 * {e}
            forward, central = round(forward, 6), round(central, 6)
        """,
        shown=False,
        asked={"forward difference": "forward", "central difference": "central"},
        torch="""
            forward, central = {e} / {k}, {e} / {k} ** 2
        """,
        wrong=(
            Wrong("{e}.0 / {k} ** 2", "From one side the error shrinks in proportion to h, not to its square.", at=0),
            Wrong("{e}.0 / {k}", "From both sides the error shrinks with the square of h.", at=1),
            Wrong(
                "{e}.0 / (2 * {k})", "Two sides are not twice as good: the error shrinks with the square of h.", at=1
            ),
        ),
    ),
    Question(
        "1.Q3",
        "say why a smaller nudge is sometimes a worse one",
        section="A",
        text="Ada takes the central difference of the sine at {x}, once with h = 1e-5 and once with h = 1e-{n}. Which "
        "of the two comes closer to the derivative?",
        draw=lambda rng: {"x": whole(rng, 1, 9), "n": whole(rng, 12, 15)},
        choose=True,
        answer="1e-5: with the other, nearly all digits of the two values are the same, and cancel",
        wrong=(
            Wrong(
                "1e-{n}: the closer the two points, the closer the line through them is to the tangent line",
                "On paper that is so. A computer keeps 16 digits of f, and these cancel when two values nearly agree.",
            ),
            Wrong(
                "1e-5: the other is so small that the computer takes it for 0",
                "A float holds far smaller numbers. It is the difference of two nearly equal values that goes wrong.",
            ),
            Wrong(
                "1e-{n}: the error falls with the square of h, and with this h it is as good as nothing",
                "The error of the method does. That of rounding grows as h gets smaller, and is the larger one here.",
            ),
        ),
    ),
    Question(
        "1.Q4",
        "find the gradient of a function of many inputs, and say how many calls it needs",
        section="B",
        text="How often is f called? (numerical_gradient takes central differences.)",
        draw=lambda rng: dict(zip("rc", different(rng, 3, 12, 2))),
        code="""
            def f(x):
                calls.append(1)
                return np.sum(x * x)

            calls = []
            numerical_gradient(f, np.ones(({r}, {c})))
        """,
        asked={"calls of f": "len(calls)"},
        torch="""
            calls = [sign for weight in torch.ones({r}, {c}).flatten() for sign in (1, -1)]
        """,
        wrong=(
            Wrong(
                ("1.2", "all elements nudged together"),
                "Two calls nudge all elements at once. What they give is the sum of all slopes.",
            ),
            Wrong(("1.2", "one f(x) for all elements"), "So many for forward differences. Here each is nudged twice."),
            Wrong(("1.2", "only the first axis"), "Two calls for each row: but every element has a slope of its own."),
            Wrong("{r} * {c}", "One call for each element. A central difference takes f on both sides."),
        ),
    ),
    Question(
        "1.Q5",
        "find the gradient of a function of many inputs, and say how many calls it needs",
        section="B",
        text="f(a, b) = {k} · a - {m} · b. Ben nudges a and b at the same time by the same h, up and down, and "
        "divides the change of f by 2h. What does he find?",
        draw=lambda rng: dict(zip("km", different(rng, 2, 12, 2))),
        code="""
            x, h = np.array([1.0, 1.0]), 0.5
            f = lambda x: {k} * x[0] - {m} * x[1]
            found = float(f(x + h) - f(x - h)) / (2 * h)
        """,
        shown=False,
        asked={"Ben finds": "found"},
        torch="""
            x = Tensor([1.0, 1.0])
            found = grad({k} * x[0] - {m} * x[1], x).sum()
        """,
        wrong=(
            Wrong("{k}.0", "That is the derivative with respect to a alone, but b moved as well."),
            Wrong("{k}.0 + {m}.0", "Both effects are in it, each with its sign: more of b makes f smaller."),
            Wrong(
                "({k}.0 - {m}) / 2",
                "This is half of it: the change is divided by 2h, and not shared out between two inputs.",
            ),
        ),
    ),
    Question(
        "1.Q6",
        "multiply derivatives along a path: the chain rule",
        section="C",
        text="c = a · b, and then d = c · w, with a = {a}, b = {b} and w = {w}. What is ∂d/∂a?",
        draw=three_sides,
        code="""
            a, b, w = np.array([{a}.0]), np.array([{b}.0]), np.array([{w}.0])
            slope = derivatives.two_step_gradients(a, b, w)[0][0]
        """,
        shown=False,
        asked={"∂d/∂a": "slope"},
        torch="""
            a = Tensor({a})
            slope = grad(a * {b} * {w}, a)
        """,
        wrong=(
            Wrong(("1.3", "the second step is forgotten"), "This is ∂c/∂a. From c the path goes on to d."),
            Wrong(("1.3", "slopes added along the path"), "This is b + w. Along a path local derivatives multiply."),
            Wrong(
                ("1.3", "each side's slope is its own number"),
                "This is a · w. But ∂c/∂a is the number on the other side, b.",
            ),
            Wrong("{a}.0 * {b} * {w}", "This is d itself. How much does d change for each unit of a?"),
        ),
    ),
    Question(
        "1.Q7",
        "build a number that carries its derivative, and say why nets need yet another way",
        section="D",
        text="A Dual is a value with its slope.",
        draw=lambda rng: dict(zip("wphq", different(rng, 2, 9, 4))),
        code="""
            width, height = Dual({w}.0, {p}.0), Dual({h}.0, {q}.0)
            print((width * height).slope)
        """,
        torch="""
            t = Tensor(0.0)
            print(grad(({w} + {p} * t) * ({h} + {q} * t), t))
        """,
        wrong=(
            Wrong(
                ("1.4", "the slopes are multiplied"),
                "This is the product of the slopes. Draw the strips that the area gains.",
            ),
            Wrong(
                ("1.4", "only the left side moves"),
                "This is one strip. The area gains another, since the height grows as well.",
            ),
            Wrong(
                ("1.4", "each slope with its own value"),
                "The strip on one side is as long as the other side: each slope goes with the other value.",
            ),
        ),
    ),
    Question(
        "1.Q8",
        "build a number that carries its derivative, and say why nets need yet another way",
        section="E",
        text="A net has {n} weights, and one loss comes out of it. All {n} derivatives are wanted. How many runs does "
        "it take with Duals, and how many walks back from the loss?",
        draw=lambda rng: {"n": 10 * whole(rng, 2, 90)},
        code="""
            runs, walks = {n}, 1
        """,
        shown=False,
        asked={"runs with Duals": "runs", "walks back": "walks"},
        torch="""
            weights = torch.ones({n}, requires_grad=True)
            (weights**2).sum().backward()
            runs, walks = weights.numel(), weights.numel() // weights.grad.count_nonzero()
        """,
        wrong=(
            Wrong("1", "In one run a Dual carries its derivative with respect to one weight only.", at=0),
            Wrong("2 * {n}", "Two runs for each weight is the price of nudging.", at=0),
            Wrong(
                "{n}", "A walk that starts at the loss passes all weights: what it finds on the way serves all.", at=1
            ),
        ),
    ),
)

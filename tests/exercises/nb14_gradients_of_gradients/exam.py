"""Outcomes of notebook 14, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "14.1",
    "14.2 14.3 14.7",
    "14.4",
    "14.5 14.6",
)

QUESTIONS = (
    Question(
        "14.E1",
        "multiply by a Hessian that is never built, and say what a backward pass through a backward pass costs",
        points=4,
        minutes=6,
        text="f(x, y) = x² · y at x = {x}, y = {y}. Calculate the gradient, and the product of the Hessian with "
        "the vector ({v}, 1).",
        draw=lambda rng: dict(zip("xyv", different(rng, 2, 9, 3))),
        code="""
            at = np.array([{x}.0, {y}.0])
            gradient = np.array([2.0 * {x} * {y}, {x}.0**2])
            hessian = np.array([[2.0 * {y}, 2.0 * {x}], [2.0 * {x}, 0.0]])
            product = hessian @ np.array([{v}.0, 1.0])
        """,
        shown=False,
        asked={"gradient": "gradient", "product": "product"},
        torch="""
            def f(p):
                return p[0] ** 2 * p[1]

            at, v = torch.tensor([{x}.0, {y}.0]).double(), torch.tensor([{v}.0, 1.0]).double()
            gradient = torch.func.grad(f)(at)
            product = torch.func.jvp(torch.func.grad(f), (at,), (v,))[1]
        """,
        wrong=(
            Wrong(
                "np.diag(hessian) * np.array([{v}.0, 1.0])",
                "Only the diagonal of the Hessian: the mixed derivatives are missing.",
                at=1,
            ),
            Wrong(
                "gradient * np.array([{v}.0, 1.0])",
                "The gradient was multiplied by the vector, not differentiated.",
                at=1,
            ),
        ),
    ),
    Question(
        "14.E2",
        "write Newton's method, and say why nobody trains large nets with it",
        points=3,
        minutes=4,
        text="",
        draw=lambda rng: {"m": whole(rng, 2, 9), "x": whole(rng, 20, 40), "k": whole(rng, 2, 5)},
        code="""
            x = Tensor({x}.0)
            y = {k} * (x - {m}) ** 2 + 7
            g = grad(y, x, create_graph=True)
            h = grad(g, x)
            print(g.item(), h.item())
            print(x.item() - g.item() / h.item())
        """,
        wrong=(
            Wrong(
                "{x} - 2.0 * {k} * ({x} - {m})",
                "A step of gradient descent with the rate 1: Newton divides by the second derivative.",
                at=1,
            ),
            Wrong("{x} + ({x} - {m}) * 1.0", "The step was taken uphill.", at=1),
        ),
    ),
    Question(
        "14.E3",
        "write Newton's method, and say why nobody trains large nets with it",
        points=4,
        minutes=6,
        text="On a quadratic function Newton's method arrives in one step. Why does nobody train a net of a "
        "million weights with it? Name the cost in memory and in time, and say what can happen in a place where "
        "the function bends downwards.",
        answer="The Hessian has a million times a million numbers, 8 terabytes in float64. Building it takes "
        "about a million Hessian-vector products, each a few times as dear as a gradient, and solving the system "
        "takes about 10 to the power of 18 operations, for one step. And where the curvature is negative the "
        "step goes uphill: it goes to the nearest flat place of its parabola, also to a maximum or a saddle.",
        marking=(
            (1, "A million by a million numbers do not fit into memory."),
            (1, "A Hessian-vector product for each column, or solving in the third power of the size."),
            (1, "A net's loss is not quadratic, so many steps would be needed."),
            (1, "With negative curvature it goes uphill, to a saddle or a maximum."),
        ),
        wrong=(
            Wrong("it needs no learning rate, so it is always better", "The cost of one step was not looked at."),
            Wrong("it cannot be computed by backward", "It can, column by column: that is the cost."),
        ),
        other=Other(
            text="Newton's method looks for a minimum of x⁴ - 2x², and starts at x = 0.1. To which place does "
            "the first step go, roughly, and why there? A net has 10,000 weights: how many numbers has "
            "its Hessian, and how are they computed with Hessian-vector products? Why is one step not "
            "enough for a net?",
            answer="To about 0, which is a maximum. The curvature at 0.1 is negative, about -4, and the step "
            "goes to the flat place of the parabola, which here is its top. The Hessian has 10 to the "
            "power of 8 numbers, 800 megabytes; one Hessian-vector product gives one column, so 10,000 "
            "are needed, and then a system is solved. The loss of a net is no parabola: one fits it "
            "nearby only, and each step needs a new one.",
            marking=(
                (1, "To about 0, a maximum: the curvature is negative."),
                (1, "10 to the power of 8 numbers."),
                (1, "A product for each column, 10,000 of them."),
                (1, "A net's loss is not quadratic, so many steps would be needed."),
            ),
            wrong=(
                Wrong(
                    "towards 1, downhill", "It goes to the flat place of the parabola, and this one opens downwards."
                ),
                Wrong("10,000 numbers", "The gradient was counted, not the table of second derivatives."),
            ),
        ),
    ),
    Question(
        "14.E4",
        "put a gradient into a loss, and differentiate through a training loop",
        points=3,
        minutes=5,
        text="A loss contains the square of the gradient of the net with respect to its input. Somebody "
        "calculates this gradient with grad(out, x), leaving out create_graph=True. The loss is right, yet the "
        "training does not make the net smoother. What is wrong, and what does create_graph=True change?",
        answer="Without it the gradient comes out as a Tensor without a history: for the backward pass of the "
        "loss it is a constant. The number is right, but its derivative with respect to the weights is taken to "
        "be 0, so the penalty moves no weight. With create_graph=True the operations of the backward pass are "
        "recorded as well, and backward goes through them to the weights.",
        marking=(
            (1, "The gradient has no history: a constant."),
            (1, "The penalty contributes nothing to the gradients of the weights."),
            (1, "create_graph records the backward pass, so it can be differentiated."),
        ),
        wrong=(
            Wrong("the penalty is too small", "However large it is: its gradient is 0."),
            Wrong("x must be a parameter", "It must require grad, and does: the first gradient came out right."),
        ),
        other=Other(
            text="Three steps w = w - rate * g are taken, where g comes from grad(loss, w) without "
            "create_graph=True. The last loss is then differentiated with respect to rate. The result is "
            "not 0, but nudging the rate gives another number. What does the result take into account, "
            "and what does it leave out? What does create_graph=True change?",
            answer="It takes into account that rate stands in each step, in front of a g that counts as a "
            "constant. It leaves out that another rate leads to other weights, and these to other "
            "gradients in the second and third step. With create_graph=True the operations that computed "
            "g are recorded too, and the pass goes through them.",
            marking=(
                (1, "g has no history: a constant."),
                (1, "Left out: later gradients depend on the rate, through the weights."),
                (1, "create_graph records the backward pass, so it can be differentiated."),
            ),
            wrong=(
                Wrong("nudging is not exact enough", "Its error is tiny beside such a difference."),
                Wrong("rate gets no gradient", "It gets one: it stands in each step by itself."),
            ),
        ),
    ),
    Question(
        "14.E5",
        "get a Jacobian-vector product from two backward passes, and say when forward mode is cheaper",
        points=3,
        minutes=4,
        text="A function makes {m} numbers out of {n}, and its whole Jacobian is wanted. Calculate how many backward "
        "passes it takes by rows, how many by columns with the double-backward trick, and how many passes with a "
        "forward mode that has rules of its own, such as Dual.",
        draw=lambda rng: dict(zip("nm", different(rng, 2, 40, 2))),
        code="""
            jacobian = np.zeros(({m}, {n}))
            rows, columns, forward = len(jacobian), 2 * len(jacobian.T), len(jacobian.T)
        """,
        shown=False,
        asked={"by rows": "rows", "by columns": "columns", "with Dual": "forward"},
        torch="""
            jacobian = torch.autograd.functional.jacobian(lambda x: x @ torch.ones({n}, {m}), torch.ones({n}))
            rows, forward = jacobian.shape
            columns = 2 * forward
        """,
        wrong=(
            Wrong("forward", "A backward pass gives a row: there are as many as there are results.", at=0),
            Wrong("forward", "A jvp by the trick is two backward passes, for one column.", at=1),
            Wrong("1", "A forward pass tells how the results move for one direction of the inputs.", at=2),
        ),
    ),
)

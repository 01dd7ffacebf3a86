"""Questions of the quiz about notebook 14."""

from grader.exam.question import Question, Wrong, different, whole

FORWARD = "get a Jacobian-vector product from two backward passes, and say when forward mode is cheaper"
HESSIAN = "multiply by a Hessian that is never built, and say what a backward pass through a backward pass costs"
NEWTON = "write Newton's method, and say why nobody trains large nets with it"
THROUGH = "put a gradient into a loss, and differentiate through a training loop"

QUESTIONS = (
    Question(
        "14.Q1",
        FORWARD,
        section="B",
        text="fn makes {m} numbers out of {n}. How many calls of jvp does its whole Jacobian take?",
        draw=lambda rng: {"n": whole(rng, 2, 9), "m": whole(rng, 20, 60)},
        code="""
            weights = Tensor(np.arange({n} * {m}).reshape({n}, {m}) / 100)
            x, columns = Tensor(np.ones({n})), []
            for direction in np.eye({n}):
                columns.append(higher.jvp(lambda x: (x @ weights).tanh(), x, direction)[1].data)
            whole = np.stack(columns, axis=1).shape == ({m}, {n})
            calls = len(columns) if whole else None
        """,
        shown=False,
        asked={"calls of jvp": "calls"},
        torch="""
            weights = torch.arange({n} * {m}).reshape({n}, {m}) / 100
            jacobian = torch.autograd.functional.jacobian(lambda x: (x @ weights).tanh(), torch.ones({n}))
            calls = jacobian.shape[1]
        """,
        wrong=(
            Wrong(
                "{m}", "It takes that many backward passes: each gives a row. A jvp gives a column, one for each input."
            ),
            Wrong("{n} * {m}", "The Jacobian holds that many numbers. A call gives a whole column of them."),
            Wrong("1", "One call tells how the result moves along one direction, and there are {n} of them."),
        ),
    ),
    Question(
        "14.Q2",
        FORWARD,
        section="B",
        text="jvp by the double-backward trick, for an x of shape ({n},) and a result fn(x) of shape ({m},). The "
        "second backward pass differentiates with respect to u. What is the shape of u?",
        draw=lambda rng: dict(zip("nm", different(rng, 2, 9, 2))),
        code="""
            x, weights = Tensor(np.ones({n})), Tensor(np.ones(({n}, {m})))
            y = x @ weights
            u = Tensor(np.zeros(y.shape))
            g = grad(y, x, u, create_graph=True)
            tangent = grad((g * np.ones({n})).sum(), u)
            shape = u.shape if tangent.shape == y.shape else None
        """,
        shown=False,
        asked={"the shape of u": "shape"},
        torch="""
            x, weights = torch.ones({n}, requires_grad=True), torch.ones({n}, {m})
            y = x @ weights
            u = torch.zeros({m}, requires_grad=True)
            (g,) = torch.autograd.grad(y, x, u, create_graph=True)
            (tangent,) = torch.autograd.grad(g.sum(), u)
            shape = tuple(tangent.shape)
        """,
        wrong=(
            Wrong(
                "({n},)",
                "That is the shape of x, and of v. u is an upstream gradient: it begins a backward pass at the result.",
            ),
            Wrong("({m}, {n})", "That is the shape of the Jacobian, which is never built."),
        ),
    ),
    Question(
        "14.Q3",
        HESSIAN,
        section="C",
        text="f(x, y) = {k} · x · y. What is the first number of H v, for v = ({a}, {b}) at x = 1, y = {y}?",
        draw=lambda rng: {"k": whole(rng, 2, 5), "y": whole(rng, 6, 9)} | dict(zip("ab", different(rng, 2, 5, 2))),
        code="""
            at = Tensor([1.0, {y}.0])
            product = higher.hvp(lambda p: {k} * p[0] * p[1], at, [{a}.0, {b}.0])
        """,
        shown=False,
        asked={"first number of H v": "product[0].item()"},
        torch="""
            at, v = torch.tensor([1.0, {y}.0]), torch.tensor([{a}.0, {b}.0])
            product = torch.func.jvp(torch.func.grad(lambda p: {k} * p[0] * p[1]), (at,), (v,))[1]
        """,
        wrong=(
            Wrong(
                ("14.2", "the vector too late"),
                "That is the sum of the first row of H, times the first number of v. Each number of a row has its own.",
            ),
            Wrong(
                ("14.2", "gradient times vector"),
                "That is the first slope times the first number of v: how f changes. H v tells how its slopes change.",
            ),
            Wrong("0.0", "The diagonal of H is 0. But the slope along x is {k} · y: it changes as y moves."),
        ),
    ),
    Question(
        "14.Q4",
        HESSIAN,
        section="C",
        text="The gradient of a loss takes {t} ms, for a net of {n} weights. How long does the product of its "
        "Hessian with one vector take, about?",
        draw=lambda rng: rng.choice(
            [{"t": t, "n": f"{n},000", "few": 3 * t, "all": t * n} for t in range(2, 10) for n in (2, 3, 5)]
        ),
        choose=True,
        answer="{few} ms",
        wrong=(
            Wrong(
                "{t} ms",
                "The second pass goes through the forward pass and through the first backward pass: it is longer.",
            ),
            Wrong(
                "{all} s",
                "The whole Hessian takes that long, and longer: a pass for each weight. One product takes two passes.",
            ),
        ),
    ),
    Question(
        "14.Q5",
        NEWTON,
        section="D",
        text="Newton's method looks for the minimum of f(x) = x⁴, and is at x = {x}. Where is it after the next step?",
        draw=lambda rng: {"x": 3 * whole(rng, 1, 9)},
        code="""
            x = Tensor([{x}.0])
            place = round(higher.newton_step(lambda x: (x**4).sum(), x).item(), 6)
        """,
        shown=False,
        asked={"x": "place"},
        torch="""
            x = Tensor({x}.0)
            slope = grad(x**4, x, create_graph=True)
            place = (x - slope / grad(slope, x)).item()
        """,
        wrong=(
            Wrong(
                ("14.4", "Newton for a zero"),
                "That is the step towards f = 0, x - f / f'. Here the slope should be 0: x - f' / f''.",
            ),
            Wrong(
                ("14.4", "a step of gradient descent"),
                "That is x minus the slope. Newton's method divides the slope by the second derivative.",
            ),
            Wrong(("14.4", "the step alone"), "That is f' / f'', the length of the step: how much is taken off x."),
        ),
    ),
    Question(
        "14.Q6",
        NEWTON,
        section="D",
        text="The slope of a function is {g}, its second derivative -{h}. What does Newton's method add to x?",
        draw=lambda rng: rng.choice([{"h": h, "g": h * k} for h in range(2, 6) for k in range(2, 10) if k != h]),
        code="""
            x = Tensor([0.0])
            added = higher.newton_step(lambda x: ({g} * x - {h} / 2 * x * x).sum(), x).item()
        """,
        shown=False,
        asked={"added to x": "added"},
        torch="""
            x = Tensor(0.0)
            slope = grad({g} * x - {h} / 2 * x * x, x, create_graph=True)
            added = (-slope / grad(slope, x)).item()
        """,
        wrong=(
            Wrong(
                ("14.4", "the other way"),
                "That goes downhill. Newton's method goes to the flat point of the parabola, and here that is its top.",
            ),
            Wrong(
                ("14.4", "a step of gradient descent"),
                "That is minus the slope. How far to go is found by dividing by the second derivative, sign included.",
            ),
        ),
    ),
    Question(
        "14.Q7",
        THROUGH,
        section="E",
        text="The slope of the score goes into the loss. What is w.grad?",
        draw=lambda rng: {"w": whole(rng, 2, 9), "x": 2 * whole(rng, 1, 9) + 1},
        code="""
            w, x = Tensor([{w}.0]), Tensor([{x}.0])
            slope = grad((w * x).sum(), x)
            loss = (w * x).sum() + (slope * slope).sum()
            loss.backward()
        """,
        asked={"w.grad": "w.grad.item()"},
        wrong=(
            Wrong(
                "{x}.0 + 2 * {w}",
                "That needs create_graph=True. Without it slope was not recorded: it is a constant, and adds nothing.",
            ),
            Wrong("2.0 * {w}", "That is the share of a recorded slope alone. The score itself depends on w too."),
        ),
    ),
    Question(
        "14.Q8",
        THROUGH,
        section="F",
        text="The loss is w² / 2, so a step is w - lr · w. What is the derivative of the last w with respect to lr?",
        draw=lambda rng: {"w": 4 * whole(rng, 1, 9)},
        code="""
            lr = Tensor(0.25)
            (w,) = higher.descended(lambda w: w * w / 2, [Tensor({w}.0)], lr, steps=2)
            slope = grad(w, lr).item()
        """,
        asked={"the derivative": "slope"},
        torch="""
            lr, w = Tensor(0.25), Tensor({w}.0)
            for _ in range(2):
                w = w - lr * grad(w * w / 2, w, create_graph=True)
            slope = grad(w, lr).item()
        """,
        wrong=(
            Wrong(
                ("14.6", "the gradients were not recorded"),
                "The gradient of the second step was taken for a constant. It depends on lr too, through the first "
                "step.",
            ),
            Wrong(
                ("14.6", "every step begins afresh"),
                "That is the share of the second step alone. The first one depends on lr as well.",
            ),
            Wrong("-{w}.0", "That is the derivative after one step. There are two: w is multiplied by 1 - lr twice."),
        ),
    ),
)

"""Outcomes of notebook 12, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "12.1 12.2 12.3 12.4 12.5 12.10",
    "12.4",
    "12.6 12.7",
    "12.8",
    "",
    "12.8",
)

QUESTIONS = (
    Question(
        "12.E1",
        "write SGD with momentum, RMSprop, Adam and AdamW from memory, and say what each of them keeps",
        points=4,
        minutes=6,
        text="SGD with the learning rate 1 and momentum 0.5. The gradient is {g} in both steps. Calculate the "
        "parameter after the first and after the second step.",
        draw=lambda rng: {"w": whole(rng, 50, 90), "g": whole(rng, 1, 9) * 2},
        code="""
            w = Tensor([{w}.0])
            optimizer = SGD([w], lr=1.0, momentum=0.5)
            after = []
            for step in range(2):
                optimizer.zero_grad()
                ({g} * w).sum().backward()
                optimizer.step()
                after.append(w.data.item())
        """,
        asked=("after[0]", "after[1]"),
        wrong=(
            Wrong(("12.2", "the velocity is lost"), "The second step is as long as the first: nothing was kept."),
            Wrong(
                ("12.2", "a mean of velocity and gradient"),
                "A mean was taken: the velocity is 0.5 times the old one plus the whole gradient.",
            ),
            Wrong(("12.1", "uphill"), "The step was added."),
        ),
    ),
    Question(
        "12.E2",
        "say why Adam corrects its means, and how long its first step would be if it did not",
        points=4,
        minutes=6,
        text="Adam with beta1 = 0.9 and beta2 = 0.9999 (eps left out) and the learning rate 0.{r}. The first "
        "gradient is {g}. Calculate the running means m and v after this step, and the length of the step with "
        "and without the correction.",
        draw=lambda rng: {"g": whole(rng, 2, 9) * 10, "r": whole(rng, 1, 9)},
        code="""
            g = {g}.0
            m = 0.1 * g
            v = 0.0001 * g**2
            corrected = 0.{r} * (m / (1 - 0.9)) / (v / (1 - 0.9999)) ** 0.5
            uncorrected = 0.{r} * m / v**0.5
        """,
        shown=False,
        asked={"m": "m", "v": "v", "step, corrected": "corrected", "step, not corrected": "uncorrected"},
        torch="""
            p = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
            optimizer = torch.optim.Adam([p], lr=0.{r}, betas=(0.9, 0.9999), eps=0.0)
            ({g} * p).backward()
            optimizer.step()
            state = optimizer.state[p]
            m, v, corrected = state["exp_avg"], state["exp_avg_sq"], -p.detach()
            uncorrected = 0.{r} * m / v**0.5
        """,
        wrong=(
            Wrong("0.9 * g", "beta and 1 - beta were exchanged.", at=0),
            Wrong("0.0001 * g", "The square was forgotten.", at=1),
            Wrong("corrected", "m is 10 times too small and the root of v 100 times: that does not cancel.", at=3),
            Wrong(
                "0.{r} * g",
                "The gradient was not divided by its size: Adam's first step has the length of the learning rate.",
                at=2,
            ),
        ),
    ),
    Question(
        "12.E3",
        "say why a learning rate should change during training, and rescue a run whose gradients explode",
        points=3,
        minutes=4,
        text="Clipping to a norm of {m}.",
        draw=lambda rng: {"k": whole(rng, 2, 9), "m": 5},
        code="""
            a, b = Tensor([0.0]), Tensor([0.0])
            a.grad, b.grad = np.array([3.0 * {k}]), np.array([4.0 * {k}])
            norm = optim.clip_grad_norm_([a, b], max_norm={m}.0)
            print(round(float(norm), 3))
            print(round(float(a.grad[0]), 3), round(float(b.grad[0]), 3))
        """,
        torch="""
            a, b = Tensor([0.0]), Tensor([0.0])
            a.grad, b.grad = torch.tensor([3.0 * {k}]).double(), torch.tensor([4.0 * {k}]).double()
            norm = torch.nn.utils.clip_grad_norm_([a, b], max_norm={m}.0)
            print(round(float(norm), 3))
            print(round(float(a.grad[0]), 3), round(float(b.grad[0]), 3))
        """,
        wrong=(
            Wrong(
                ("12.7", "cut off number by number"),
                "Each number was cut off by itself: one factor scales all of them, and the direction stays.",
            ),
            Wrong(
                ("12.7", "the lengths are added"), "Norms were added: the squares are added, then the root is taken."
            ),
        ),
    ),
    Question(
        "12.E4",
        "write SGD with momentum, RMSprop, Adam and AdamW from memory, and say what each of them keeps",
        points=3,
        minutes=5,
        text="Adam with weight decay adds the decay to the gradient; AdamW shrinks the weights directly. For "
        "plain SGD both come to the same. Why not for Adam? Which weights are decayed too little there?",
        answer="In SGD the direction is only multiplied by the learning rate, so the decay in it shrinks the "
        "weight by lr · decay, as the direct way does. Adam divides the direction by the root of the running "
        "mean of squared gradients, and the decay in it is divided as well. Weights with large gradients are "
        "divided by a large number, so they are decayed least. AdamW decays all in the same proportion.",
        marking=(
            (1, "SGD only multiplies by lr."),
            (1, "Adam divides the decay by the root of the mean square too."),
            (1, "Those with large gradients."),
        ),
        wrong=(
            Wrong("AdamW uses a larger decay", "Not the size differs, but whether it goes through the division."),
            Wrong("those with small gradients", "Divided by a small number, these are decayed most."),
        ),
        other=Other(
            text="Which arrays do SGD with momentum, RMSprop and Adam each keep for a parameter? What does "
            "Adam need the number of its steps for? If all gradients were a thousand times as large, "
            "which of the three would still go nearly the same way, and why?",
            answer="Momentum: a running sum of gradients. RMSprop: a running mean of their squares. Adam: "
            "running means of both. These start at 0, and are too small at first: with the number of "
            "steps this is corrected. RMSprop and Adam go the same way, since they divide by the root of "
            "the mean square, which becomes a thousand times as large as well (eps aside). The step of "
            "SGD would be a thousand times as long.",
            marking=(
                (1, "Momentum: gradients; RMSprop: squares; Adam: both."),
                (1, "Means that begin at 0 are corrected (bias correction)."),
                (1, "RMSprop and Adam: they divide by a number that grows by the same factor."),
            ),
            wrong=(
                Wrong("all three, since the rate is the same", "SGD's step is in proportion to the gradient."),
                Wrong(
                    "the number of steps lowers the rate",
                    "That is the work of a schedule; the correction fades as the steps go on.",
                ),
            ),
        ),
    ),
)

"""Questions of the quiz about notebook 12."""

from grader.exam.question import Question, Wrong, whole

KEEPS = "write SGD with momentum, RMSprop, Adam and AdamW from memory, and say what each of them keeps"
KEPT = (  # optimizer, as code, arrays of a parameter's shape that it keeps
    ("SGD with momentum 0.9", "SGD([w], lr=0.1, momentum=0.9)", 1),
    ("RMSprop without momentum", "RMSprop([w], lr=0.1)", 1),
    ("Adam", "Adam([w], lr=0.1)", 2),
    ("AdamW", "AdamW([w], lr=0.1)", 2),
)


def an_optimizer(rng):
    name, made, arrays = rng.choice(KEPT)
    return {"n": whole(rng, 2, 9) * 100, "name": name, "made": made, "other": 3 - arrays}


def two_curves(rng):
    """Losses after epochs 10, 20 ... 60: one falls to the end, the other is lowest after {best}."""
    best = whole(rng, 1, 4)
    own = [120 - 22 * n - whole(rng, 0, 9) for n in range(6)]
    others = [130 + 13 * abs(n - best) + whole(rng, 0, 5) for n in range(6)]
    shown = {
        name: ", ".join(f"{loss / 100:.2f}" for loss in losses) for name, losses in (("own", own), ("others", others))
    }
    return shown | {"best": 10 * best + 10}


QUESTIONS = (
    Question(
        "12.Q1",
        KEEPS,
        section="B",
        text="The gradient is {g} in every step. How far does the last of these 300 steps go?",
        draw=lambda rng: {"g": whole(rng, 2, 9), "m": rng.choice([0.5, 0.75, 0.8, 0.9])},
        code="""
            w = Tensor([0.0])
            optimizer = SGD([w], lr=1.0, momentum={m})
            for step in range(300):
                before = w.data.item()
                optimizer.zero_grad()
                ({g} * w).sum().backward()
                optimizer.step()
        """,
        asked={"length of the last step": "round(before - w.data.item(), 6)"},
        wrong=(
            Wrong(
                ("12.2", "the velocity is lost"),
                "That is lr times the gradient, a step without momentum. The velocity keeps a part of what came "
                "before.",
            ),
            Wrong(
                ("12.2", "the velocity never slows down"),
                "That is the sum of all gradients. The old velocity is multiplied by {m} each time, so it stops "
                "growing.",
            ),
            Wrong(
                "{g} * (1 + {m})",
                "That is the second step. The velocity goes on growing until {m} times itself plus {g} is itself "
                "again.",
            ),
        ),
    ),
    Question(
        "12.Q2",
        KEEPS,
        section="D",
        text="A net has {n} weights. How many numbers does {name} keep from one step to the next, the learning rate "
        "and counts of steps aside?",
        draw=an_optimizer,
        code="""
            w = Tensor(np.ones({n}))
            w.grad = np.ones({n})
            optimizer = optim.{made}
            optimizer.step()
            kept = sum(array.size for array in optimizer.memories[0].values() if np.ndim(array))
        """,
        shown=False,
        asked={"numbers that it keeps": "kept"},
        torch="""
            w = torch.ones({n}, requires_grad=True)
            w.sum().backward()
            optimizer = torch.optim.{made}
            optimizer.step()
            state = optimizer.state[w].values()
            kept = sum(array.numel() for array in state if torch.is_tensor(array) and array.ndim)
        """,
        wrong=(
            Wrong(
                "{n} * {other}",
                "Momentum keeps an array of gradients, RMSprop one of their squares, Adam and AdamW keep both.",
            ),
            Wrong(
                "{n} * 3", "More than any of them: at most a mean of gradients, and one of squares, for each weight."
            ),
            Wrong("0", "Only SGD without momentum keeps nothing."),
        ),
    ),
    Question(
        "12.Q3",
        KEEPS,
        section="D",
        text="A weight whose gradient is 0, and one step of AdamW. What is the weight afterwards?",
        draw=lambda rng: {"w": whole(rng, 4, 20), "r": whole(rng, 1, 4)},
        code="""
            w = Tensor([{w}.0])
            w.grad = np.array([0.0])
            optim.AdamW([w], lr=0.{r}, weight_decay=0.5).step()
        """,
        asked={"w": "round(w.data.item(), 6)"},
        torch="""
            w = Tensor([{w}.0])
            w.grad = torch.zeros(1).double()
            torch.optim.AdamW([w], lr=0.{r}, weight_decay=0.5).step()
        """,
        wrong=(
            Wrong(
                ("12.5", "decay in the gradient"),
                "That is Adam: the decay goes into the gradient, is divided by its own size, and only lr is left of "
                "it.",
            ),
            Wrong(
                ("12.5", "decay without lr"),
                "The weight loses half of itself here. Its share is lr times weight_decay.",
            ),
            Wrong(
                ("12.5", "no decay"),
                "Adam's own step is 0, but AdamW shrinks the weight all the same: by the factor 1 - lr · weight_decay.",
            ),
        ),
    ),
    Question(
        "12.Q4",
        "say why Adam corrects its means, and how long its first step would be if it did not",
        section="D",
        text="Adam with beta1 = {b1} and beta2 = {b2}, eps left out. Without the bias correction the first step would "
        "be how many times as long as with it?",
        draw=lambda rng: {"b1": rng.choice([0.5, 0.6, 0.7, 0.8]), "b2": rng.choice([0.99, 0.9999])},
        code="""
            w = Tensor([0.0])
            w.grad = np.array([7.0])
            optimizer = optim.Adam([w], lr=1.0, betas=({b1}, {b2}), eps=0)
            optimizer.step()
            kept = optimizer.memories[0]
            times = round((kept["mean"] / kept["square"] ** 0.5).item() / -w.data.item(), 6)
        """,
        shown=False,
        asked={"times as long": "times"},
        torch="""
            w = Tensor([0.0])
            w.grad = torch.tensor([7.0]).double()
            optimizer = torch.optim.Adam([w], lr=1.0, betas=({b1}, {b2}), eps=0)
            optimizer.step()
            kept = optimizer.state[w]
            times = (kept["exp_avg"] / kept["exp_avg_sq"].sqrt() / -w.detach()).item()
        """,
        wrong=(
            Wrong(
                "1.0",
                "Both means are too small at first, but not alike: one by 1 - beta1, the root of the other by less.",
            ),
            Wrong(
                "round((1 - {b1}) / (1 - {b2}), 6)",
                "That is the quotient of the two means. Adam divides by the root of the second.",
            ),
            Wrong(
                "round((1 - {b2}) ** 0.5 / (1 - {b1}), 6)",
                "That is the other way round. The root of the squares is the one that is far too small, and it "
                "divides.",
            ),
            Wrong(
                "round(1 - {b1}, 6)",
                "Only the mean of the gradients is too small here. So is that of their squares, by which it is "
                "divided.",
            ),
        ),
    ),
    Question(
        "12.Q5",
        "say why a learning rate should change during training, and rescue a run whose gradients explode",
        section="G",
        text="An exploded gradient is clipped, then SGD takes a step. How far does w go?",
        draw=lambda rng: {"g": whole(rng, 2, 9) * 1000, "m": whole(rng, 2, 9), "r": whole(rng, 1, 9)},
        code="""
            w = Tensor([0.0])
            w.grad = np.array([{g}.0])
            optim.clip_grad_norm_([w], max_norm={m}.0)
            SGD([w], lr=0.0{r}).step()
        """,
        asked={"how far": "round(-w.data.item(), 6)"},
        torch="""
            w = Tensor([0.0])
            w.grad = torch.tensor([{g}.0]).double()
            torch.nn.utils.clip_grad_norm_([w], max_norm={m}.0)
            SGD([w], lr=0.0{r}).step()
        """,
        wrong=(
            Wrong(
                ("12.7", "nothing is clipped"),
                "That is the step of the whole gradient. It is {m} long after the clipping.",
            ),
            Wrong(
                ("12.7", "made of length 1"),
                "That is lr alone, for a gradient of length 1. It is shortened to max_norm.",
            ),
            Wrong("{m}.0", "That is the length of the gradient after the clipping. The step is lr times as long."),
        ),
    ),
    Question(
        "12.Q6",
        "see a net overfit, and say what helps against it, and when",
        section="I",
        text="Losses after epochs 10, 20, 30, 40, 50, 60. On the samples it learns from: {own}. On others: {others}. "
        "The weights after which of these epochs would you keep?",
        draw=two_curves,
        code="""
            own, others = [{own}], [{others}]
            epoch = 10 + 10 * others.index(min(others))
        """,
        shown=False,
        asked={"epoch": "epoch"},
        wrong=(
            Wrong(
                "10 + 10 * own.index(min(own))",
                "There the loss on its own samples is lowest: it learns them by heart. What counts is the loss on "
                "others.",
            ),
            Wrong("10", "There the net has not learned enough: both losses are still falling."),
        ),
    ),
    Question(
        "12.Q7",
        "look at the gradients of a deep net, layer by layer, and name four cures if they vanish",
        section="J",
        text="A gradient of {g} goes back through {n} sigmoids, one after the other, and nothing else. How large can "
        "it be at most when it comes out?",
        draw=lambda rng: rng.choice([{"n": n, "g": 4**n * k} for n in (2, 3) for k in range(2, 10)]),
        code="""
            x = Value(0.0)
            x.sigmoid().backward()
            most = {g} * x.grad**{n}
        """,
        shown=False,
        asked={"at most": "most"},
        wrong=(
            Wrong(
                "{g} / 2**{n}",
                "That would be a slope of 1/2. A sigmoid is 1/2 in the middle; its slope there, the steepest, is 1/4.",
            ),
            Wrong("{g} / (4 * {n})", "The slopes of the sigmoids are multiplied, not added."),
            Wrong("float({g})", "That would be a slope of 1, such as that of tanh or relu. A sigmoid has 1/4 at most."),
        ),
    ),
    Question(
        "12.Q8",
        "write the forward pass of a new layer and leave the backward pass to your engine",
        section="H",
        text="A layer subtracts the mean, and takes it from x.data. What gradient does the first number of x get?",
        draw=lambda rng: {"a": whole(rng, 1, 9), "b": whole(rng, 10, 20), "k": whole(rng, 2, 9)},
        code="""
            x = Tensor([{a}.0, {b}.0])
            out = x - x.data.mean()
            ({k} * out[0]).backward()
        """,
        asked={"x.grad[0]": "x.grad[0].item()"},
        wrong=(
            Wrong(
                "{k} / 2",
                "That would be right for x.mean(). A mean of x.data is a constant to the engine, and sends no share "
                "back.",
            ),
            Wrong(
                "{k} * ({a} - {b}) / 2",
                "That is the result, {k} times the first number less the mean. A gradient is the slope of it.",
            ),
        ),
    ),
)

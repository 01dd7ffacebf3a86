"""Questions of the quiz about notebook 10."""

from grader.exam.question import Question, Wrong, different, whole

JACOBIAN = (
    "say what a derivative, a gradient and a Jacobian are, and why no program ever builds the Jacobian of a layer"
)
LAYER = (
    "derive the backward pass of a layer: find the matrix product by its shapes, and say why rows are added up and "
    "not averaged"
)
TOGETHER = "say why softmax and cross-entropy are simpler together than apart"
NUDGING = "test a layer by nudging, and say why a gradient of all ones sees nothing of a softmax"
SAFELY = "index a Tensor, and compute softmax and its logarithm where `exp` overflows"

P = [
    [0.1, 0.2, 0.7],
    [0.1, 0.3, 0.6],
    [0.2, 0.7, 0.1],
    [0.3, 0.6, 0.1],
    [0.6, 0.3, 0.1],
    [0.7, 0.1, 0.2],
    [0.2, 0.4, 0.4],
]


def copies(rng):
    times = whole(rng, 2, 9)
    more, as_before, less = f"{times} times as large", "the same", f"1/{times} as large"
    if rng.random() < 0.5:
        loss, answer, other = "mean", as_before, more
        of_other = f"{times} times as many rows are added up, but in the mean each has a dout {times} times smaller"
        of_less = f"Each row has a dout {times} times smaller, but {times} times as many are added up"
    else:
        loss, answer, other = "sum", more, as_before
        of_other = "Only a mean in the loss would make dout smaller. A sum does not, and the layer adds up its rows"
        of_less = "Nothing divides here. The rows are added up, and each copy brings a dout as large as before"
    return {
        "times": times,
        "loss": loss,
        "answer": answer,
        "other": other,
        "of_other": of_other,
        "less": less,
        "of_less": of_less,
    }


def one_logit(rng):
    p, n, right, asked = rng.choice(P), rng.choice([2, 4, 5, 10]), whole(rng, 0, 2), whole(rng, 0, 2)
    if asked == right:
        other, why = p[asked] / n, "This is the right class: it has a 1 in the one-hot row, which is taken off"
    else:
        other, why = (
            (p[asked] - 1) / n,
            "The 1 of the one-hot row is taken off at the right class, which is another one",
        )
    return {"p": p, "n": n, "right": right, "asked": asked, "other": other, "why": why}


def two_scores(rng):
    low = 50 * whole(rng, 1, 9)
    return {"low": low, "high": low + 50 * whole(rng, 16, 40)}


def two_differences(rng):
    b, d = whole(rng, 1, 9), 10_000 * whole(rng, 1, 9)
    off = f"0.{2 * b:03}"
    return {"off": off, "a": f"0.{3 * b:03}", "b": f"0.{b:03}", "c": f"{d}{off[1:]}", "d": d}


def picked_twice(rng):
    twice, once = different(rng, 0, 3, 2)
    return {"index": [twice, once, twice], "twice": twice, **dict(zip("abc", different(rng, 2, 9, 3)))}


def moved_scores(rng):
    a, more, by = whole(rng, 0, 3), whole(rng, 1, 3), rng.choice([-1, 1]) * 100 * whole(rng, 8, 20)
    p = {1: 0.73, 2: 0.88, 3: 0.95}[more]
    first, second = rng.sample([a + by, a + more + by], 2)
    return {"a": a, "b": a + more, "p": round(1 - p, 2), "q": p, "first": first, "second": second}


QUESTIONS = (
    Question(
        "10.Q1",
        JACOBIAN,
        section="A",
        text="f makes an array of shape ({c},) from one of shape ({a}, {b}). What shape does its Jacobian have?",
        draw=lambda rng: dict(zip("abc", different(rng, 2, 9, 3))),
        code="shape = np.zeros({c}).shape + np.zeros(({a}, {b})).shape",
        torch="""
            x = torch.zeros({a}, {b})
            shape = tuple(torch.autograd.functional.jacobian(lambda x: x.sum() * torch.ones({c}), x).shape)
        """,
        shown=False,
        asked={"its shape": "shape"},
        wrong=(
            Wrong("({a}, {b}, {c})", "The answer's shape comes first, then the input's: a row for each answer."),
            Wrong("({a}, {b})", "That is a gradient, of a single number. Here each of {c} answers has one."),
        ),
    ),
    Question(
        "10.Q2",
        LAYER,
        section="B",
        text="A batch is made {times} times as large: each of its rows comes {times} times. The loss is the {loss} "
        "over all rows. How large is the gradient of a layer's bias, compared with before?",
        draw=copies,
        choose=True,
        answer="{answer}",
        wrong=(Wrong("{other}", "{of_other}."), Wrong("{less}", "{of_less}.")),
    ),
    Question(
        "10.Q3",
        TOGETHER,
        section="E",
        text="A row has the probabilities {p}, and class {right} is right, counted from 0. The loss is the mean of the "
        "cross-entropy over {n} such rows. What is the gradient of the row's logit for class {asked}?",
        draw=one_logit,
        code="""
            scores = Tensor(np.log([{p}] * {n}))
            losses.cross_entropy(scores, np.array([{right}] * {n})).backward()
            gradient = scores.grad[0, {asked}]
        """,
        shown=False,
        asked={"the gradient": "gradient"},
        wrong=(
            Wrong(
                "gradient * {n}", "That is for a loss that is a sum. In a mean over {n} rows each of them counts less."
            ),
            Wrong("{other}", "{why}."),
            Wrong("-gradient", "It is softmax minus one-hot: below 0 at the right class, and above 0 at all others."),
        ),
    ),
    Question(
        "10.Q4",
        TOGETHER,
        section="E",
        text="",
        draw=two_scores,
        code="""
            scores, targets = Tensor([[{low}.0, {high}.0]]), np.array([0])
            print(losses.cross_entropy(scores, targets).item())
        """,
        wrong=(
            Wrong(
                "np.inf",
                "That is -log of a probability which was rounded to 0. cross_entropy never computes the probability.",
            ),
            Wrong(
                "{high}.0", "What counts is how far the right class's score lies below the others, here {high} - {low}."
            ),
            Wrong("0.0", "It would cost nothing if class 1, which has the large score, were the right one."),
        ),
    ),
    Question(
        "10.Q5",
        NUDGING,
        section="F",
        text="A softmax has made the probabilities {p}. Somebody's backward for it returns zeros, whatever arrives, "
        "and is compared with nudging. For which dout does it pass?",
        draw=lambda rng: {"p": rng.choice(P), "k": whole(rng, 2, 9)},
        choose=True,
        answer="[{k}, {k}, {k}]",
        wrong=(
            Wrong(
                "[{k}, 0, -{k}]",
                "It asks for {k} times the first probability less the last, and that changes with the scores.",
            ),
            Wrong("[0, {k}, 0]", "It asks for one probability alone, and that changes with each of the scores."),
            Wrong(
                "for none of these",
                "The probabilities add up to 1, so {k} times their sum is {k}, whatever the scores.",
            ),
        ),
    ),
    Question(
        "10.Q6",
        NUDGING,
        section="F",
        text="Two numbers of a gradient are both {off} away from what nudging finds: {a} beside {b}, and {c} beside "
        "{d}. Which of them shows a mistake?",
        draw=two_differences,
        choose=True,
        answer="{a} beside {b}",
        wrong=(
            Wrong("{c} beside {d}", "{off} is nothing beside {d}: nudging is no more exact than that."),
            Wrong("both", "What counts is the difference beside the numbers. {off} is nothing beside {d}."),
            Wrong(
                "neither", "{off} is little in itself, and a lot beside {b}: one of the two is three times the other."
            ),
        ),
    ),
    Question(
        "10.Q7",
        SAFELY,
        section="H",
        text="The gradient [{a}, {b}, {c}] arrives at x[{index}]. What is the gradient of x[{twice}]? And what does "
        "`zeros[{index}] += [{a}, {b}, {c}]` leave in zeros[{twice}]?",
        draw=picked_twice,
        code="""
            index, twice, arrives = np.array({index}), {twice}, np.array([{a}.0, {b}.0, {c}.0])
            x, zeros = Tensor(np.zeros(4)), np.zeros(4)
            (x[index] * arrives).sum().backward()
            zeros[index] += arrives
        """,
        torch="""
            index, twice, arrives = torch.tensor({index}), {twice}, torch.tensor([{a}.0, {b}.0, {c}.0])
            x, zeros = Tensor(np.zeros(4)), dict(zip({index}, arrives))
            (x[index] * arrives).sum().backward()
        """,
        shown=False,
        asked={"the gradient": "x.grad[twice]", "what += leaves": "zeros[twice]"},
        wrong=(
            Wrong(("10.8", "zeros[index] += a"), "x[{twice}] was picked twice, and its gradients add up."),
            Wrong(
                "{a}.0 + {c}",
                "+= reads all places first, and then writes: of two numbers for one place the last stays.",
                at=1,
            ),
        ),
    ),
    Question(
        "10.Q8",
        SAFELY,
        section="D",
        text="softmax([{a}, {b}]) is [{p}, {q}]. What is the second number of softmax([{first}, {second}]), computed "
        "safely?",
        draw=moved_scores,
        code="""
            scores = np.array([{first}, {second}])
            powers = np.exp(scores - scores.max())
            number = round(float(powers[1] / powers.sum()), 2)
        """,
        torch="number = round(torch.tensor([{first}.0, {second}.0]).softmax(0)[1].item(), 2)",
        shown=False,
        asked={"the second number": "number"},
        wrong=(
            Wrong(
                "np.nan",
                "That is what exp over the sum of exp gives. Take the largest score off first: no ratio changes.",
            ),
            Wrong("0.5", "The difference of the scores decides, however small it is beside them."),
            Wrong("round(1 - number, 2)", "That is for the other of the two scores: which one is larger?"),
        ),
    ),
)

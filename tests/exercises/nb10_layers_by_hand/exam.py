"""Outcomes of notebook 10, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "10.3",
    "10.1 10.2 10.7",
    "10.3 10.4",
    "10.6 10.12",
    "10.8 10.9 10.10 10.11",
)

QUESTIONS = (
    Question(
        "10.E1",
        "say why softmax and cross-entropy are simpler together than apart",
        points=4,
        minutes=5,
        text="One sample, and the scores of all {n} classes are equal. Calculate the loss (as a logarithm, and "
        "to three digits) and the gradient of the scores of class 0 and of class 1.",
        draw=lambda rng: {"n": whole(rng, 3, 9), "s": whole(rng, 2, 9)},
        code="""
            scores = Tensor([[{s}.0] * {n}])
            loss = losses.cross_entropy(scores, np.array([1]))  # class 1 is right
            loss.backward()
        """,
        asked=("loss.item()", "scores.grad[0, 0].item()", "scores.grad[0, 1].item()"),
        wrong=(
            Wrong("1 / {n}", "The probability was given: the loss is minus its logarithm.", at=0),
            Wrong("1 / {n}", "The probability of the right class was given, without taking off 1.", at=2),
            Wrong("0.0", "It was thought that a class that is not right gets no gradient.", at=1),
        ),
    ),
    Question(
        "10.E2",
        "derive the backward pass of a layer: find the matrix product by its shapes, and say why rows are added "
        "up and not averaged",
        points=4,
        minutes=6,
        text="A layer y = x @ weight + bias, and dout is the gradient of y. Calculate the gradients of weight "
        "and bias.",
        draw=lambda rng: dict(zip("pqrs", different(rng, 2, 9, 4))),
        code="""
            x = Tensor([[{p}.0], [{q}.0]], requires_grad=False)
            weight, bias = Tensor([[1.0]]), Tensor([0.0])
            dout = Tensor([[{r}.0], [{s}.0]], requires_grad=False)
            ((x @ weight + bias) * dout).sum().backward()
        """,
        asked=("weight.grad.item()", "bias.grad.item()"),
        wrong=(
            Wrong(
                "(x.data * dout.data).mean().item()",
                "The rows were averaged. The mean, if any, is in the loss, so in dout.",
                at=0,
            ),
            Wrong("dout.data.mean().item()", "The rows were averaged.", at=1),
            Wrong("1.0", "The derivative with respect to the bias alone: dout was left out.", at=1),
        ),
    ),
    Question(
        "10.E3",
        "index a Tensor, and compute softmax and its logarithm where `exp` overflows",
        points=3,
        minutes=4,
        text="",
        draw=lambda rng: {"a": whole(rng, 2, 9), "b": whole(rng, 11, 19)},
        code="""
            x = Tensor([1.0, 2.0, 3.0])
            picked = x[np.array([0, 2, 0])]
            (picked * np.array([{a}.0, 1.0, {b}.0])).sum().backward()
            print(picked.data.tolist())
            print(x.grad.tolist())
        """,
        torch="""
            x = Tensor([1.0, 2.0, 3.0])
            picked = x[torch.tensor([0, 2, 0])]
            (picked * torch.tensor([{a}.0, 1.0, {b}.0])).sum().backward()
            print(picked.data.tolist())
            print(x.grad.tolist())
        """,
        wrong=(
            Wrong(("10.8", "zeros[index] += a"), "Of an index that comes twice, the last one won: they are added up."),
            Wrong("[{a}.0, 1.0, {b}.0]", "The gradient was passed on in the order of picking.", at=1),
        ),
    ),
    Question(
        "10.E4",
        "index a Tensor, and compute softmax and its logarithm where `exp` overflows",
        points=4,
        minutes=6,
        text="softmax([1000, 999]) written as exp(x) / sum(exp(x)) gives nan. Why? How is it computed instead, "
        "and why is the result the same? And why is log(softmax(x)) still not good enough for [1000, 0]?",
        answer="exp(1000) is larger than every float64, so it becomes inf, and inf / inf is nan. The largest "
        "score is taken off first: then the largest power is exp(0) = 1. Top and bottom are both divided by "
        "exp(1000), so the fraction stays the same. For [1000, 0] the second probability is exp(-1000), which is "
        "rounded to 0, and its logarithm is -inf; log_softmax computes x - max - log(sum) without going through "
        "the probability, and gets -1000.",
        marking=(
            (1, "exp overflows to inf, and inf / inf is nan."),
            (1, "The largest score is taken off."),
            (1, "Numerator and denominator get the same factor."),
            (1, "The small probability underflows to 0; log_softmax never forms it."),
        ),
        wrong=(
            Wrong("use float128 or smaller scores", "That moves the limit; it does not remove it."),
            Wrong("the mean is taken off", "It gives the same fraction, but the largest power can still overflow."),
        ),
        other=Other(
            text="softmax([-800, -801]) written as exp(x) / sum(exp(x)) gives nan, although no score is large."
            " Why? How is it computed instead, and why is the result the same? And why does the logarithm"
            " of a softmax fail for [0, 800], where log_softmax gives -800?",
            answer="exp(-800) is closer to 0 than any positive float64: it becomes 0, and 0 / 0 is nan. The largest "
            "score is taken off first: then the largest power is exp(0) = 1, and so the sum is at least "
            "1. Top and bottom are both divided by exp(-800), and the fraction stays the same. For [0, "
            "800] the first probability is rounded to 0, and its logarithm is -inf; x - max - log(sum) "
            "never forms the probability.",
            marking=(
                (1, "exp underflows to 0, and 0 / 0 is nan."),
                (1, "The largest score is taken off."),
                (1, "Numerator and denominator get the same factor."),
                (1, "The small probability underflows to 0; log_softmax never forms it."),
            ),
            wrong=(
                Wrong("a small number is added to the sum", "Then all probabilities are 0, and do not add up to 1."),
                Wrong("the smallest score is taken off", "Here that works; with [0, 800] the largest power overflows."),
            ),
        ),
    ),
    Question(
        "10.E5",
        "say what a derivative, a gradient and a Jacobian are, and why no program ever builds the Jacobian of a layer",
        points=4,
        minutes=6,
        text="f(x) is [x[0] · x[1], {k} · x[0] + x[1]]. Calculate its Jacobian at x = [{p}, {q}], with a row for each "
        "answer, and the gradient of x if dout = [{r}, {s}] arrives. And how many numbers has the Jacobian of x @ "
        "weight with respect to weight, for {n} rows x of {i} inputs and for {o} outputs?",
        draw=lambda rng: dict(zip("kpqrsnio", [*different(rng, 2, 9, 5), *different(rng, 5, 12, 3)])),
        code="""
            x, dout = np.array([{p}.0, {q}.0]), np.array([{r}.0, {s}.0])
            J = np.array([[x[1], x[0]], [{k}.0, 1.0]])
            gradient = J.T @ dout
            count = {n} * {o} * {i} * {o}
        """,
        torch="""
            def f(x):
                return torch.stack([x[0] * x[1], {k} * x[0] + x[1]])
            x, dout = Tensor([{p}, {q}]), Tensor([{r}, {s}])
            J = torch.autograd.functional.jacobian(f, x)
            (gradient,) = torch.autograd.grad(f(x), x, dout)
            rows, weight = torch.ones({n}, {i}), torch.ones({i}, {o})
            count = torch.autograd.functional.jacobian(lambda weight: rows @ weight, weight).numel()
        """,
        shown=False,
        asked={"Jacobian": "J.tolist()", "gradient of x": "gradient.tolist()", "numbers": "count"},
        wrong=(
            Wrong("J.T.tolist()", "Rows and columns have changed places: a row belongs to an answer.", at=0),
            Wrong("(J @ dout).tolist()", "The rows were used: each input goes down its own column.", at=1),
            Wrong(
                "{i} * {o}",
                "That is how many weights there are. Each of {n} · {o} answers has a derivative for each.",
                at=2,
            ),
        ),
    ),
    Question(
        "10.E6",
        "test a layer by nudging, and say why a gradient of all ones sees nothing of a softmax",
        points=4,
        minutes=5,
        text="A softmax has made the probabilities {p} of three scores. Somebody's backward for it returns zeros, and "
        "is compared with nudging. What gradient of the scores does nudging find for dout = [{k}, {k}, {k}]? And what "
        "for dout = [{k}, 0, 0]?",
        draw=lambda rng: {
            "p": rng.choice([[0.2, 0.3, 0.5], [0.1, 0.4, 0.5], [0.3, 0.1, 0.6]]),
            "k": 10 * whole(rng, 1, 9),
        },
        code="""
            def gradient(dout):
                scores = Tensor(np.log({p}))
                scores.log_softmax(-1).exp().backward(Tensor(dout, requires_grad=False))
                return (scores.grad.round(decimals=6) + 0.0).tolist()
            first, second = gradient([{k}, {k}, {k}]), gradient([{k}, 0, 0])
        """,
        shown=False,
        asked={"the first dout": "first", "the second dout": "second"},
        wrong=(
            Wrong(
                "[{k} * p for p in {p}]",
                "The probabilities add up to 1 whatever the scores are, so nudging sees no change at all.",
                at=0,
            ),
            Wrong(
                "[{k} * {p}[0] * (1 - {p}[0]), 0.0, 0.0]",
                "The other scores are nudged as well: when one of them grows, the first probability shrinks.",
                at=1,
            ),
        ),
    ),
)

"""Questions of the quiz about notebook 11."""

from math import e, log

from grader.exam.question import Question, Wrong, different, whole

MODULE = "write a module out of Parameters and other modules, and say how they are found"
FIRST = "say how large the first weights should be, and what happens if they are not"
LOSS = "choose a loss, and know the wrong versions of it that give plausible numbers"
LOOP = "write the loop that trains, and tell from loss and accuracy what is wrong with somebody else's"


def inputs_of_a_unit(rng):
    root = rng.choice([4, 5, 8, 10, 20, 25, 40, 50])
    return {"root": root, "n": root**2}


def three_targets(rng):
    mean, a, b = whole(rng, 10, 30), whole(rng, 1, 9), whole(rng, 1, 9)
    targets = rng.sample([mean + a, mean + b, mean - a - b], 3)
    return {"targets": targets, "first": targets[0]}


def a_first_loss(rng):
    c, n = rng.choice([3, 4, 5, 8, 10, 20]), rng.choice([16, 32, 50, 64])
    said = {
        "It is as it should be.": (log(c), f"A net that knows nothing pays log {c}, here {log(c):.2f}"),
        "It is the sum over the batch.": (n * log(c), f"The sum would be about {n} · log {c}, here {n * log(c):.2f}"),
        "It was also divided by the number of classes.": (
            log(c) / c,
            f"Divided by {c} it would be about {log(c) / c:.2f}",
        ),
    }
    answer, one, other = rng.sample(sorted(said), 3)
    found = {"answer": answer, "one": one, "of_one": said[one][1], "other": other, "of_other": said[other][1]}
    return {"c": c, "n": n, "loss": f"{said[answer][0]:.2f}", **found}


def three_batches(rng):
    b, r, mean, more = whole(rng, 4, 9), whole(rng, 1, 2), whole(rng, 1, 9), whole(rng, 1, 3)
    return {"b": b, "r": r, "l": mean, "m": mean + 2 * more * (2 * b + r) // r}


def symptoms(rng):
    c = rng.choice([3, 5, 10, 20, 50])
    start, floor = f"{log(c):.2f}", f"{log(e + c - 1) - 1:.2f}"
    twice = "softmax is applied twice", f"With softmax twice the loss cannot fall below {floor}"
    overfitted = "it has overfitted", "When a net overfits, its training loss goes on falling, towards 0"
    seen, (answer, _), (other, why) = rng.choice(
        [
            (f"falls from {start} to {floor} and stays there. Most test answers are right", twice, overfitted),
            (f"falls from {start} to 0.01. Most test answers are right, but the test loss rises", overfitted, twice),
        ]
    )
    return {"c": c, "start": start, "seen": seen, "answer": answer, "other": other, "why": why}


QUESTIONS = (
    Question(
        "11.Q1",
        MODULE,
        section="A",
        text="What does this print, in babygrad?",
        draw=lambda rng: {"n": whole(rng, 2, 9), "m": whole(rng, 2, 9), "more": whole(rng, 1, 5)},
        code="""
            class Odd(nn.Module):
                def __init__(self):
                    self.first = nn.Linear({n}, {m})
                    self.again = self.first
                    self.size = Tensor([{n}.0])
                    self.more = [nn.Linear({m}, {m}) for _ in range({more})]

            print(len(Odd().parameters()))
        """,
        torch="""
            class Odd(torch.nn.Module):
                def __init__(self):
                    super().__init__()
                    self.first = torch.nn.Linear({n}, {m})
                    self.again = self.first
                    self.more = torch.nn.ModuleList(torch.nn.Linear({m}, {m}) for _ in range({more}))

            print(len(list(Odd().parameters())))
        """,
        wrong=(
            Wrong(
                ("11.1", "a Parameter each time it comes"),
                "self.again is self.first: the same two Parameters, not more.",
            ),
            Wrong(
                ("11.1", "every Tensor"), "self.size is a plain Tensor. To be found, it would have to be a Parameter."
            ),
            Wrong("2", "The list is searched as well. It is PyTorch that looks into a ModuleList alone."),
        ),
    ),
    Question(
        "11.Q2",
        FIRST,
        section="C",
        text="A unit adds up {n} products: inputs of about 1, times weights of either sign. What standard deviation "
        "should the weights have, for the sum to be about 1 as well?",
        draw=inputs_of_a_unit,
        code="size = 1 / np.sqrt({n})",
        torch="size = torch.ones({n}, dtype=float).norm() ** -1",
        shown=False,
        asked={"about": "size"},
        wrong=(
            Wrong(
                "1 / {n}", "Products of either sign partly cancel: {n} of them add up to about √{n} = {root} times one."
            ),
            Wrong("1.0", "Then the sum would be about √{n} = {root}."),
        ),
    ),
    Question(
        "11.Q3",
        FIRST,
        section="C",
        text="A net has {n} inputs, a layer of {h} units with tanh, and {m} outputs. All weights and biases are 0. In "
        "the first backward pass something arrives at each output. How many weights and biases get a gradient other "
        "than 0?",
        draw=lambda rng: dict(zip("nhm", different(rng, 2, 9, 3))),
        code="""
            x = Tensor(np.ones((1, {n})), requires_grad=False)
            weight, bias = Tensor(np.zeros(({n}, {h}))), Tensor(np.zeros({h}))
            last, outputs = Tensor(np.zeros(({h}, {m}))), Tensor(np.zeros({m}))
            scores = (x @ weight + bias).tanh() @ last + outputs
            losses.cross_entropy(scores, np.array([0])).backward()
            count = sum(int((abs(each.grad) > 0).sum()) for each in (weight, bias, last, outputs))
        """,
        shown=False,
        asked={"how many": "count"},
        wrong=(
            Wrong("0", "What arrives at an output arrives at its bias, too: no weight lies in between."),
            Wrong(
                "{h} * {m} + {m}", "The last weights get what arrives times what the units answer, and tanh(0) is 0."
            ),
            Wrong(
                "{n} * {h} + {h} + {h} * {m} + {m}",
                "What goes back is multiplied by the weights of the last layer, which are 0.",
            ),
        ),
    ),
    Question(
        "11.Q4",
        LOSS,
        section="D",
        text="The targets are {targets}, of shape (3,). A net's answers have shape (3, 1), and the loss is "
        "((answers - targets) ** 2).mean(). Which first answer makes it smallest?",
        draw=three_targets,
        code="""
            tried = np.arange(60)
            best = tried[((tried[:, None] - np.array({targets})) ** 2).mean(axis=1).argmin()]
        """,
        torch="""
            answers = Tensor(np.zeros((3, 1)))
            ((answers - Tensor({targets})) ** 2).mean().backward()
            best = answers.grad[0, 0] / (-2 / 3)
        """,
        shown=False,
        asked={"the first answer": "best"},
        wrong=(Wrong("{first}", "(3, 1) - (3,) is (3, 3): the first answer is compared with all three targets."),),
    ),
    Question(
        "11.Q5",
        LOSS,
        section="E",
        text="log_p has shape ({n}, {c}): {n} samples, {c} classes. targets has shape ({n},). What shape does "
        "log_p[:, targets] have?",
        draw=lambda rng: dict(zip("nc", different(rng, 2, 12, 2))),
        code="shape = np.zeros(({n}, {c}))[:, np.arange({n}) % {c}].shape",
        torch="shape = tuple(torch.zeros({n}, {c})[:, torch.arange({n}) % {c}].shape)",
        shown=False,
        asked={"its shape": "shape"},
        wrong=(
            Wrong(
                "({n},)", "One number of each row is what a loss needs. But the colon takes every row for every target."
            ),
            Wrong("({n}, {c})", "A column comes out for each target, and there are {n} of them."),
        ),
    ),
    Question(
        "11.Q6",
        LOSS,
        section="E",
        text="A new net sorts into {c} classes. For its first batch, of {n} samples, somebody's cross-entropy is "
        "{loss}. What does that tell?",
        draw=a_first_loss,
        choose=True,
        answer="{answer}",
        wrong=(Wrong("{one}", "{of_one}."), Wrong("{other}", "{of_other}.")),
    ),
    Question(
        "11.Q7",
        LOOP,
        section="H",
        text="",
        draw=lambda rng: {"w": whole(rng, 50, 99), "g": whole(rng, 2, 9), "h": whole(rng, 2, 9)},
        code="""
            w = Tensor({w}.0)
            optimizer = SGD([w], lr=1.0)
            for slope in ({g}, {h}):
                (w * slope).backward()
                optimizer.step()
            print(w.item())
        """,
        wrong=(
            Wrong("{w}.0 - {g} - {h}", "Nobody calls zero_grad(): in the second step the gradient is {g} + {h}."),
            Wrong("{w}.0 - {h}", "step() is called in each round, so there are two steps."),
        ),
    ),
    Question(
        "11.Q8",
        LOOP,
        section="H",
        text="An epoch has two batches of {b} samples and one of {r}. Their losses, each a mean over its batch, are "
        "{l}, {l} and {m}. What is the mean loss of a sample?",
        draw=three_batches,
        code="mean = np.dot([{b}, {b}, {r}], [{l}, {l}, {m}]) / (2 * {b} + {r})",
        torch="mean = torch.tensor([{l}.0] * {b} + [{l}.0] * {b} + [{m}.0] * {r}).mean()",
        shown=False,
        asked={"the mean": "mean"},
        wrong=(
            Wrong("(2 * {l} + {m}) / 3", "That is the mean of the batches. The small one counts for fewer samples."),
            Wrong("{m}", "That is the loss of the last batch alone."),
        ),
    ),
    Question(
        "11.Q9",
        LOOP,
        section="J",
        text="A net sorts into {c} classes. Its training loss {seen}. What is the reason?",
        draw=symptoms,
        choose=True,
        answer="{answer}",
        wrong=(
            Wrong("{other}", "{why}."),
            Wrong("its learning rate is far too large", "Such a loss ends as nan, or stays near {start}."),
            Wrong("the labels were shuffled alone", "Then the test answers would be guesses: 1 of {c} is right."),
        ),
    ),
)

"""Questions of the quiz about notebook 04."""

from grader.exam.question import Question, Wrong, different, whole

NETWORK = "build a network out of Values, and say how many of its numbers can learn"
STEP = "write one training step, and say what each of its lines is for"
MISTAKES = "recognise three classic mistakes, and say which of them a falling loss can hide"
BATCHES = "train a network on 100 points, in mini-batches, and draw where it decides"


def a_neuron(rng):
    """relu of a positive number, which without the bias would be below 0."""
    v, x, y, w = whole(rng, 2, 3), whole(rng, 2, 3), whole(rng, 4, 5), -whole(rng, 3, 4)
    return {"v": v, "w": w, "x": x, "y": y, "b": whole(rng, 1, 8, but=(4, 6)) - v * x - w * y}


def losses(rng):
    """Of five steps in the bowl (w - d)², from 0, at the rate 0.1: of a right loop, and of one that never zeroes."""
    d, told = whole(rng, 2, 12), {}
    for name, keeps in (("right", 0), ("ada", 1)):
        w, gradient, losses = 0.0, 0.0, []
        for _ in range(5):
            losses.append(f"{(w - d) ** 2:.2f}")
            gradient = keeps * gradient + 2 * (w - d)
            w -= 0.1 * gradient
        told[name] = ", ".join(losses)
    return told


def points(rng):
    """So many points that the last batch is a small one."""
    size, full = rng.choice([10, 20, 25, 50]), whole(rng, 2, 6)
    return {"size": size, "n": size * full + whole(rng, 1, size - 1), "epochs": whole(rng, 3, 9)}


QUESTIONS = (
    Question(
        "4.Q1",
        NETWORK,
        section="A",
        text="A neuron has the weights {v} and {w}, the bias {b}, and the activation relu. It reads {x} and {y}. What "
        "is its answer?",
        draw=a_neuron,
        code="""
            neuron = scalar_nn.Neuron(2, "relu")
            for parameter, number in zip(neuron.parameters(), [{v}.0, {w}.0, {b}.0]):
                parameter.data = number
            answer = neuron([{x}.0, {y}.0]).data
        """,
        shown=False,
        asked=("answer",),
        torch="""
            answer = torch.relu(torch.tensor([{v}, {w}]) @ torch.tensor([{x}, {y}]) + {b})
        """,
        wrong=(
            Wrong(("4.1", "no bias in the sum"), "Without its bias the sum is below 0. The bias is a part of the sum."),
            Wrong(("4.1", "the bias added after the bend"), "First the whole sum, with its bias; then relu, once."),
            Wrong(("4.1", "each product bent by itself"), "relu comes last, once, and not at each product."),
            Wrong(("4.1", "the bias added for every input"), "One bias for the neuron: it is added once."),
        ),
    ),
    Question(
        "4.Q2",
        NETWORK,
        section="C",
        text="How many parameters does this network have?",
        draw=lambda rng: dict(zip("nh", different(rng, 2, 10, 2))),
        code="""
            model = scalar_nn.MLP({n}, [{h}, 1])
            count = len(model.parameters())
        """,
        asked={"parameters": "count"},
        torch="""
            layers = torch.nn.Linear({n}, {h}), torch.nn.Linear({h}, 1)
            count = sum(parameter.numel() for layer in layers for parameter in layer.parameters())
        """,
        wrong=(
            Wrong("{n} * {h} + {h}", "These are the weights. Each neuron has a bias as well."),
            Wrong(
                "({n} + 1) * {h} + {n} + 1", "The last neuron reads the answers of the layer before it, not the inputs."
            ),
            Wrong("{n} * {h} + 1 + {h} + 1", "This counts one bias for each layer. Each neuron has its own."),
        ),
    ),
    Question(
        "4.Q3",
        NETWORK,
        section="C",
        text="Two neurons without an activation, one after the other: the first answers {a}x + {b}, the second {c} "
        "times what it reads, plus {d}. One neuron gives the same answers. What are its weight and its bias?",
        draw=lambda rng: dict(zip("abcd", different(rng, 2, 9, 4))),
        code="""
            both = lambda x: {c} * ({a} * x + {b}) + {d}
            weight, bias = both(1) - both(0), both(0)
        """,
        shown=False,
        asked=("weight", "bias"),
        torch="""
            first, second = torch.tensor([[{a}, {b}], [0, 1]]), torch.tensor([[{c}, {d}], [0, 1]])
            weight, bias = (second @ first)[0]
        """,
        wrong=(
            Wrong("{a} + {c}", "The second neuron multiplies all that it reads: weights multiply along the way.", at=0),
            Wrong("{b} + {d}", "The second neuron multiplies the first one's bias as well.", at=1),
            Wrong(
                "{b} * {c} * {d}", "The second neuron's own bias is added at the end, and nobody multiplies it.", at=1
            ),
        ),
    ),
    Question(
        "4.Q4",
        STEP,
        section="D",
        text="A weight is {w}, ∂L/∂w is {k}, and the learning rate is 0.1. What is the weight after the step?",
        draw=lambda rng: {"w": whole(rng, 2, 9), "k": rng.choice([-1, 1]) * whole(rng, 11, 29, but=(15, 20, 25))},
        code="""
            model = scalar_nn.MLP(1, [1], "linear")
            w = model.parameters()[0]
            w.data = {w}.0
            scalar_nn.train_step(model, [[1.0]], [0.0], lambda predicted, targets: predicted[0] * {k}, 0.1)
            after = round(model.parameters()[0].data, 9)
        """,
        shown=False,
        asked={"w": "after"},
        torch="""
            w = Value({w})
            step = torch.optim.SGD([w], lr=0.1)
            (w * {k}).backward()
            step.step()
            after = w.item()
        """,
        wrong=(
            Wrong(("4.4", "uphill"), "With the gradient it goes uphill. A step goes against it."),
            Wrong(("4.4", "no learning rate"), "The step is the derivative times the learning rate."),
            Wrong("round(-0.1 * {k}, 9)", "This is the step. It is added to the weight."),
            Wrong(("4.4", "moved by its own number"), "The weight moves by its gradient, not by its own number."),
        ),
    ),
    Question(
        "4.Q5",
        STEP,
        section="D",
        text="",
        draw=lambda rng: dict(zip("wk", different(rng, 2, 29, 2))),
        code="""
            w = Value({w}.0)
            for step in range(3):
                loss = w * {k}
                loss.backward()
                w.grad = 0.0
                w.data -= w.grad
            print(w.data)
        """,
        torch="""
            w = Value({w})
            for step in range(3):
                loss = w * {k}
                loss.backward()
                w.grad.zero_()
                w.data -= w.grad
            print(w.data)
        """,
        wrong=(
            Wrong("{w}.0 - 3 * {k}", "When w moves, its gradient is 0 again: zero it before backward, not after it."),
            Wrong("{w}.0 - 6 * {k}", "Nothing adds up here; and when w moves, its gradient has just been set to 0."),
        ),
    ),
    Question(
        "4.Q6",
        MISTAKES,
        section="D",
        text="Two loops start with the same weight and the same learning rate. The losses of a right one: {right}. "
        "Those of Ada's: {ada}. What is wrong in hers?",
        draw=losses,
        choose=True,
        answer="She does not zero the gradients.",
        wrong=(
            Wrong(
                "She adds the step in place of subtracting it.", "Then the loss would be larger after the first step."
            ),
            Wrong("Her step is twice as long.", "Then the loss after the first step would be another one already."),
            Wrong(
                "Nothing: she trains on other data.", "Then the first losses would differ. Here the first two agree."
            ),
        ),
    ),
    Question(
        "4.Q7",
        MISTAKES,
        section="D",
        text="A net ends in a tanh, the labels are -1 and +1, and the loss is the sum of the squared errors. After "
        "one step that was much too large, all {n} answers are as good as -1 or 1, and {k} of them are wrong. Where "
        "does the loss stay?",
        draw=lambda rng: {"k": whole(rng, 2, 9), "n": whole(rng, 12, 40)},
        code="""
            labels = np.ones({n})
            answers = np.where(np.arange({n}) < {k}, -1.0, 1.0)
            loss = float(np.sum((answers - labels) ** 2))
        """,
        shown=False,
        asked=("loss",),
        torch="""
            answers = torch.cat([-torch.ones({k}), torch.ones({n} - {k})])
            loss = torch.nn.functional.mse_loss(answers, torch.ones({n}), reduction="sum")
        """,
        wrong=(
            Wrong("{k}.0", "From -1 to 1 it is 2, so each wrong answer costs 2²."),
            Wrong("2.0 * {k}", "These are the errors. The loss adds up their squares."),
            Wrong("4.0 * {n}", "That is when all answers are wrong. The right ones cost nothing."),
            Wrong("0.0", "Where tanh is flat the gradient is nearly 0, so no step corrects the wrong ones."),
        ),
    ),
    Question(
        "4.Q8",
        BATCHES,
        section="E",
        text="A net is trained on {n} points, in mini-batches of {size}, for {epochs} epochs. How many steps is that?",
        draw=points,
        code="""
            xs, rng = np.arange({n}), np.random.default_rng(0)
            steps = {epochs} * len(scalar_nn.minibatches(xs, xs, {size}, rng))
        """,
        shown=False,
        asked=("steps",),
        torch="""
            steps = {epochs} * len(torch.utils.data.DataLoader(range({n}), batch_size={size}))
        """,
        wrong=(
            Wrong(
                ("4.5", "the small last batch dropped"), "The points that are left over are a batch too, a small one."
            ),
            Wrong("{epochs} * {n}", "One step for each point: it takes one for each batch."),
            Wrong("{epochs}", "One step in each epoch: it takes one for each batch."),
        ),
    ),
)

"""Outcomes of notebook 04, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "4.1 4.2 4.3",
    "4.4",
    "4.7",
    "4.5 4.6",
)


def a_trained_line(rng):
    """Points that do not fill the last batch; and a line that falls, with a place beside where it crosses 0."""
    size, slope, boundary = rng.choice([10, 20, 25]), whole(rng, 2, 5), whole(rng, 2, 6)
    return {
        "n": size * whole(rng, 3, 6) + whole(rng, 2, 9),
        "size": size,
        "epochs": whole(rng, 3, 8),
        "w": -slope,
        "b": slope * boundary,
        "x": boundary + rng.choice([-1, 1]) * whole(rng, 1, 3),
    }


QUESTIONS = (
    Question(
        "4.E1",
        "write one training step, and say what each of its lines is for",
        points=4,
        minutes=6,
        text="A neuron without activation: out = w · x + b, the loss is (out - target)². Here w = {w}, x = {x}, b = "
        "{b}, target = {t}. Calculate the loss's derivatives with respect to w and b, and both after one step of "
        "gradient descent with the learning rate 0.1.",
        draw=lambda rng: {
            "w": whole(rng, 2, 5),
            "x": whole(rng, 2, 5),
            "b": -whole(rng, 1, 3),
            "t": whole(rng, 30, 34),
        },
        code="""
            w, b = Value({w}.0), Value({b}.0)
            x, target = {x}.0, {t}.0
            out = w * x + b
            loss = (out - target) ** 2
            loss.backward()
            new_w = w.data - 0.1 * w.grad
            new_b = b.data - 0.1 * b.grad
        """,
        shown=False,
        asked={"∂loss/∂w": "w.grad", "∂loss/∂b": "b.grad", "w after the step": "new_w", "b after the step": "new_b"},
        wrong=(
            Wrong("w.data + 0.1 * w.grad", "A step uphill: the gradient was added.", at=2),
            Wrong("-w.grad * 0.1", "The step itself was given, not the weight after it.", at=2),
            Wrong("w.grad / x", "The input was left out of the derivative with respect to w.", at=0),
        ),
    ),
    Question(
        "4.E2",
        "build a network out of Values, and say how many of its numbers can learn",
        points=3,
        minutes=4,
        text="MLP({n}, [{h}, {m}, 1]) has {n} inputs and layers of {h}, {m} and 1 neuron. How many of its numbers can "
        "learn, in each layer and in all?",
        draw=lambda rng: {"n": whole(rng, 2, 4), "h": whole(rng, 5, 9), "m": whole(rng, 3, 4)},
        code="""
            first = ({n} + 1) * {h}
            second = ({h} + 1) * {m}
            third = ({m} + 1) * 1
            all_layers = first + second + third
        """,
        shown=False,
        asked={"first layer": "first", "second layer": "second", "third layer": "third", "in all": "all_layers"},
        torch="""
            count = lambda *sizes: sum(p.numel() for p in torch.nn.Linear(*sizes).parameters())
            first, second, third = count({n}, {h}), count({h}, {m}), count({m}, 1)
            all_layers = first + second + third
        """,
        wrong=(
            Wrong("{n} * {h}", "The biases were forgotten.", at=0),
            Wrong("{n} * {h} + 1", "One bias for the whole layer: each neuron has its own.", at=0),
        ),
    ),
    Question(
        "4.E3",
        "write one training step, and say what each of its lines is for",
        points=3,
        minutes=4,
        text="The gradient is never set to 0 here.",
        draw=lambda rng: {"w": whole(rng, 4, 9)},
        code="""
            w = Value({w}.0)
            for step in range(3):
                loss = 2 * w
                loss.backward()
                w.data -= w.grad
                print(w.data)
        """,
        torch="""
            w = Value({w}.0)
            for step in range(3):
                loss = 2 * w
                loss.backward()
                w.data -= w.grad
                print(w.item())
        """,
        wrong=(
            Wrong("{w}.0 - 4", "The gradient was taken to start from 0 in each step.", at=1),
            Wrong("{w}.0 - 8", "The third gradient was taken for 2 or 4: it is the sum of three.", at=2),
        ),
    ),
    Question(
        "4.E4",
        "recognise three classic mistakes, and say which of them a falling loss can hide",
        points=4,
        minutes=6,
        text="A training loop leaves out zero_grad(). In the first steps the loss falls even faster than before. Why? "
        "What happens later, and why does a falling loss prove nothing here?",
        answer="The gradients of all earlier steps are still in grad, and the new one is added. As long as all "
        "of them point the same way, the steps become longer and longer, as with a momentum that never fades, so "
        "that the loss falls faster. Near the minimum the old gradients are still in the sum: the steps go past "
        "it, and the loss swings or explodes. So a falling loss at the beginning is what both the right and the "
        "wrong loop show.",
        marking=(
            (1, "Gradients of earlier steps are still there; backward adds."),
            (1, "At first they point the same way: longer steps."),
            (1, "Later they no longer fit: it overshoots, swings or diverges."),
            (1, "A falling loss is seen with and without the mistake, so it does not tell them apart."),
        ),
        wrong=(
            Wrong(
                "the loss cannot fall without zero_grad", "Not tried: the wrong gradient still goes downhill at first."
            ),
            Wrong("the learning rate was too small before", "That explains faster, but not what happens later."),
        ),
        other=Other(
            text="The parameters() of somebody's net returns all weights, and no bias. In training the loss falls, "
            "and then stays well above that of a right net. Why does it fall at all? Which numbers never move, and do "
            "they get gradients? Describe a check that finds the mistake at once.",
            answer="The weights are where they should be in the list, and go downhill: so the loss falls. The "
            "biases keep their first values, since no step ever sees them. They do get gradients: "
            "backward follows the graph, and not the list of parameters. A check: count what parameters()"
            " returns, one more than its inputs for each neuron; or compare all numbers of the net before"
            " and after one step.",
            marking=(
                (1, "The weights still go downhill."),
                (1, "The biases never move: the step does not see them."),
                (1, "They get gradients: backward follows the graph."),
                (1, "Count the parameters, or look which numbers a step has changed."),
            ),
            wrong=(
                Wrong(
                    "the gradients of the biases are 0", "backward fills them in; it is the step that leaves them out."
                ),
                Wrong(
                    "the learning rate is too small",
                    "Then more steps would bring the loss further down; here it stays.",
                ),
            ),
        ),
    ),
    Question(
        "4.E5",
        "train a network on 100 points, in mini-batches, and draw where it decides",
        points=4,
        minutes=5,
        text="A neuron without activation, score = w · x + b, is trained on {n} points in mini-batches of {size}. How "
        "many points are in the last batch of an epoch? How many steps are {epochs} epochs? After the training w = "
        "{w} and b = {b}, and a score above 0 counts as +1. At which x does the neuron decide, and what is its "
        "answer, -1 or +1, for x = {x}?",
        draw=a_trained_line,
        code="""
            points = np.arange({n})
            batches = scalar_nn.minibatches(points, points, {size}, np.random.default_rng(0))
            last, steps = len(batches[-1][0]), {epochs} * len(batches)
            boundary = -{b} / {w}
            answer = int(np.sign({w} * {x} + {b}))
        """,
        shown=False,
        asked={"in the last batch": "last", "steps": "steps", "decides at": "boundary", "answer": "answer"},
        torch="""
            batches = torch.arange({n}).split({size})
            last, steps = len(batches[-1]), {epochs} * len(batches)
            boundary = torch.linalg.solve(torch.tensor([[{w}.0]]), torch.tensor([-{b}.0]))[0]
            answer = 1 if {x} * {w} > -{b} else -1
        """,
        wrong=(
            Wrong("{size}", "All batches were taken for full ones. What is left over is a batch too.", at=0),
            Wrong("{epochs} * ({n} // {size})", "The small last batch was left out.", at=1),
            Wrong("{epochs} * {n}", "One step for each point; there is one for each batch.", at=1),
            Wrong("{b} / {w}", "The neuron decides where the score is 0: the sign of b was lost.", at=2),
            Wrong("-answer", "w is negative: the scores above 0 lie to the left.", at=3),
        ),
    ),
)

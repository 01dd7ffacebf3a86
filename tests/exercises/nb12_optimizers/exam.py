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
    Question(
        "12.E5",
        "see a net overfit, and say what helps against it, and when",
        points=3,
        minutes=5,
        text="The loss on the samples that a net learns from falls to the end. On samples held back it turns after "
        "20 epochs, and climbs. What has the net been learning since then? Name two measures against it, and say how "
        "each of them works. On which data do they help little?",
        answer="It learns its samples by heart, with their noise and their wrong labels, and that is of no use "
        "elsewhere. Dropout sets numbers to 0 at random in training, so no unit can rely on a single other one. "
        "Weight decay pulls all weights towards 0, and to learn an exception by heart takes large ones. Where the "
        "labels are true and the samples many, there is little that should not be learnt: both change hardly "
        "anything, and a strong decay does harm.",
        marking=(
            (1, "It learns its own samples by heart: overfitting."),
            (1, "Two measures (dropout, weight decay, or a gradient penalty), with how they work."),
            (1, "Where nothing wrong can be learnt, as with true labels, they help little or do harm."),
        ),
        wrong=(
            Wrong("the learning rate is too high", "Then the loss on its own samples would not fall to the end."),
            Wrong("more epochs help", "The other loss has been climbing for a long time: each epoch makes it worse."),
        ),
        other=Other(
            text="A net learns from few digits, of which a third have wrong labels. With strong weight decay it reads "
            "more fresh digits than without; with the same digits and true labels, it reads fewer. Explain both. "
            "Which two curves would you draw to see the first, and what would they look like without the decay?",
            answer="To learn a wrong label by heart, a net needs large weights, and the decay does not let them "
            "grow: what is left is what many samples have in common. If all labels are true, there is nothing to be "
            "kept from, and small weights only make it harder to fit. The curves are the losses on its own samples "
            "and on others: one falls towards 0, the other turns round and climbs.",
            marking=(
                (1, "Large weights are needed for what is learnt by heart; decay keeps them small."),
                (1, "With true labels there is nothing to prevent, and decay holds the net back."),
                (1, "Losses on its own and on held-back samples: the one falls, the other climbs."),
            ),
            wrong=(
                Wrong(
                    "decay makes training slower, so it stops in time", "More epochs would then undo it; they do not."
                ),
                Wrong("the accuracy on its own samples", "It rises to the end, whether the net overfits or not."),
            ),
        ),
    ),
    Question(
        "12.E6",
        "look at the gradients of a deep net, layer by layer, and name four cures if they vanish",
        points=4,
        minutes=6,
        text="A net has ten layers with sigmoids. The norm of the gradient is 0.04 in layer 10, and a ten-millionth "
        "of that in layer 1. Where does it get lost? Name two cures, with the reason why each of them helps; and one "
        "change that helps tanh or relu, but not the sigmoid.",
        answer="On the way back it is multiplied by the slope of each sigmoid, at most 1/4, and by small weights. "
        "Tanh and relu have slopes of up to 1. Shortcuts x + f(x) let the gradient through the sum unchanged, beside "
        "f. LayerNorm keeps the size of what goes forward. First weights of a fitting size, xavier or kaiming, keep "
        "the size too, but the 1/4 of the sigmoid stays.",
        marking=(
            (1, "Each sigmoid multiplies it by at most 1/4 (and the weights are small)."),
            (2, "Two of: tanh or relu, residual connections, LayerNorm; each with a reason."),
            (1, "A fitting initialisation does not save the sigmoid."),
        ),
        wrong=(
            Wrong("a larger learning rate", "The last layers would fly off before the first one moved."),
            Wrong("gradient clipping", "It shortens gradients that are too long; here they are too short."),
        ),
        other=Other(
            text="Norms of gradients in layers 1, 4, 7 and 10 of three nets. A: 1e-9, 1e-6, 1e-4, 0.04. B: 0.02, "
            "0.02, 0.03, 0.03. C: 5e7, 1e6, 2e4, 300. Say for each what is going on. Name two ways to make a net "
            "like B out of A, and say why they work. What is the likely mistake in C?",
            answer="In A the gradient vanishes: layer by layer it is multiplied by less than 1, as by the slopes of "
            "sigmoids. In B it keeps its size: all layers learn. In C it explodes. From A to B: tanh or relu, whose "
            "slopes go up to 1; residual connections, whose sum lets it pass unchanged; LayerNorm, which keeps the "
            "size of the numbers. In C the first weights are far too large for the number of inputs.",
            marking=(
                (1, "A vanishing, B healthy, C exploding."),
                (2, "Two of: another activation, residual connections, LayerNorm; each with a reason."),
                (1, "First weights that are too large."),
            ),
            wrong=(
                Wrong(
                    "A has learned its first layers already",
                    "A loss that still falls, and 1e-9: they get no news of it.",
                ),
                Wrong(
                    "C: the learning rate", "These are gradients; the learning rate is multiplied by them afterwards."
                ),
            ),
        ),
    ),
    Question(
        "12.E7",
        "write the forward pass of a new layer and leave the backward pass to your engine",
        points=4,
        minutes=5,
        text="A row has the two numbers {a} and {b}. Calculate what LayerNorm makes of {a}, if it has the weight {w} "
        "and the bias {c} for both (eps left out). Calculate what Dropout with p = 0.{p} makes of {b}: in training, "
        "if it is kept, and in use.",
        draw=lambda rng: (
            {"a": whole(rng, 1, 9), "b": whole(rng, 5, 9) * 4, "w": whole(rng, 2, 5), "c": whole(rng, 6, 9)}
            | {"p": rng.choice([75, 8])}
        ),
        code="""
            norm = normalize.LayerNorm(2, eps=0)
            norm.weight.data[...], norm.bias.data[...] = {w}, {c}
            first = round(norm(Tensor([[{a}.0, {b}.0]])).data[0, 0].item(), 4)
            layer, row = normalize.Dropout(0.{p}, np.random.default_rng(0)), Tensor(np.full(100, {b}.0))
            kept = round(layer.train()(row).data.max().item(), 4)
            used = layer.eval()(row).data.min().item()
        """,
        shown=False,
        asked={"LayerNorm": "first", "Dropout, kept": "kept", "Dropout, in use": "used"},
        torch="""
            norm = torch.nn.LayerNorm(2, eps=1e-30).double()
            norm.weight.data[...], norm.bias.data[...] = {w}, {c}
            first = round(norm(Tensor([[{a}.0, {b}.0]]))[0, 0].item(), 4)
            layer, row = torch.nn.Dropout(0.{p}), Tensor(np.full(200, {b}.0))
            kept = round(layer.train()(row).max().item(), 4)
            used = layer.eval()(row).min().item()
        """,
        wrong=(
            Wrong(("12.8", "LayerNorm: N - 1"), "The variance is a plain mean: divided by the number of features, 2."),
            Wrong("{c} + {w}.0", "The sign is wrong: {a} is below the mean of the row.", at=0),
            Wrong(("12.8", "Dropout: not scaled"), "What is kept in training makes up for what is dropped: / (1 - p)."),
            Wrong("{b} * (1 - 0.{p})", "In use nothing is done at all: the scaling was done in training.", at=2),
        ),
    ),
)

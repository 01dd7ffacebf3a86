"""Outcomes of notebook 11, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "11.1 11.3",
    "",
    "11.4 11.5 11.6 11.9",
    "11.8",
)

QUESTIONS = (
    Question(
        "11.E1",
        "choose a loss, and know the wrong versions of it that give plausible numbers",
        points=4,
        minutes=5,
        text="The targets are [{p}, {q}], with the shape (2,), and the predictions [[{p}], [{q}]], with the "
        "shape (2, 1). Somebody calculates the mean of the squared differences without looking at shapes. "
        "Calculate what comes out, and what should.",
        draw=lambda rng: dict(zip("pq", different(rng, 2, 9, 2))),
        code="""
            predictions = np.array([[{p}.0], [{q}.0]])
            targets = np.array([{p}.0, {q}.0])
            wrong = float(((predictions - targets) ** 2).mean())
            right = float(((predictions[:, 0] - targets) ** 2).mean())
        """,
        shown=False,
        asked={"what comes out": "wrong", "what should": "right"},
        wrong=(
            Wrong("0.0", "The shape (2, 1) minus (2,) is (2, 2): each prediction is compared with each target.", at=0),
            Wrong("wrong * 2", "Divided by 2: there are four differences.", at=0),
        ),
    ),
    Question(
        "11.E2",
        "write a module out of Parameters and other modules, and say how they are found",
        points=3,
        minutes=4,
        text="",
        draw=lambda rng: dict(zip("nhm", different(rng, 2, 9, 3))),
        code="""
            net = nn.Sequential(nn.Linear({n}, {h}), nn.ReLU(), nn.Linear({h}, {m}, bias=False))
            print(len(list(net.parameters())))
            print(sum(p.data.size for p in net.parameters()))
        """,
        torch="""
            net = torch.nn.Sequential(torch.nn.Linear({n}, {h}), torch.nn.ReLU(), torch.nn.Linear({h}, {m}, bias=False))
            print(len(list(net.parameters())))
            print(sum(p.numel() for p in net.parameters()))
        """,
        wrong=(
            Wrong("{n} * {h} + {h} + {h} * {m} + {m}", "bias=False was overlooked.", at=1),
            Wrong("5", "The ReLU was counted: it has no parameters.", at=0),
        ),
    ),
    Question(
        "11.E3",
        "say how large the first weights should be, and what happens if they are not",
        points=4,
        minutes=6,
        text="All weights and biases of an MLP start at 0. What are the gradients of the first layer's weights? "
        "What if all weights of a layer start with the same number that is not 0? What do drawn weights of the "
        "right size do better, and what goes wrong in a deep net if they are ten times too large?",
        answer="With zeros everywhere no gradient comes through to the first layer: on the way it is multiplied "
        "by the weights of the layers above, which are 0. With equal numbers all neurons of a layer compute the "
        "same and get the same gradient, so they stay equal: the layer is worth one neuron. Drawn weights break "
        "this symmetry. Their size is chosen so that signals neither grow nor shrink from layer to layer; ten "
        "times too large, they grow by ten with each layer: the outputs and gradients explode, or tanh and "
        "sigmoid are saturated and pass on almost no gradient.",
        marking=(
            (1, "0."),
            (1, "Equal neurons stay equal (symmetry)."),
            (1, "Drawing breaks the symmetry."),
            (1, "Signals grow with each layer: exploding, or saturated."),
        ),
        wrong=(
            Wrong(
                "it learns more slowly",
                "It was not traced what arrives at a weight: it is exactly 0, or exactly the same.",
            ),
            Wrong("only the biases matter", "The biases of the last layer move; nothing behind a zero weight does."),
        ),
        other=Other(
            text="The first weights of a deep net with tanh are drawn a hundred times too small. What reaches "
            "the last layer, and what the first layers on the way back? What happens to the tanhs and "
            "their local derivatives if the weights are a hundred times too large? Why can all weights of"
            " a layer not start with the same number, whatever its size?",
            answer="Too small: each layer shrinks the signal, until the net gives nearly the same for every "
            "input. What comes back is multiplied by the same small weights, so next to nothing arrives "
            "in front. Too large: the sums lie far from 0, where tanh is flat at 1 or -1. Its local derivative "
            "is nearly 0, so most neurons pass on next to nothing; the few whose sum lies near 0 pass it on "
            "through huge weights, and in a wide net the gradient can explode. Neurons that start equal get "
            "equal gradients and stay equal: a layer of them is worth one.",
            marking=(
                (1, "Too small: the signal vanishes on its way through the layers."),
                (1, "So do the gradients on the way back."),
                (1, "Too large: tanh is saturated in most neurons, and its local derivative is nearly 0."),
                (1, "Equal neurons stay equal (symmetry)."),
            ),
            wrong=(
                Wrong(
                    "small weights only make it slower",
                    "With each layer less arrives: the first ones hardly learn at all.",
                ),
                Wrong(
                    "large weights only make it faster",
                    "Most tanhs are flat there: their neurons get a gradient of nearly 0.",
                ),
            ),
        ),
    ),
    Question(
        "11.E4",
        "write the loop that trains, and tell from loss and accuracy what is wrong with somebody else's",
        points=3,
        minutes=5,
        text="A net for ten classes is trained with nll_loss on softmax(scores). The loss becomes negative at "
        "once and falls to -1, and the accuracy is good. What does nll_loss expect, what was calculated here "
        "instead, and why is a loss below 0 the give-away?",
        answer="nll_loss expects logarithms of probabilities, so log_softmax. Without the logarithm it is minus "
        "the mean probability of the right class, between -1 and 0: training still raises that probability. A "
        "logarithm of a probability is at most 0, so minus it can never be negative: a loss below 0 shows that "
        "something else went in.",
        marking=(
            (1, "It expects log-probabilities (log_softmax)."),
            (1, "Calculated: minus the mean probability of the right class."),
            (1, "-log p is never negative."),
        ),
        wrong=(
            Wrong("the learning rate is too large", "A rate does not change what a loss can be."),
            Wrong("softmax was applied twice", "That gives a positive loss that cannot fall to 0."),
        ),
        other=Other(
            text="A net for ten classes is trained with cross_entropy on softmax(scores). The accuracy is "
            "good, but the loss falls from 2.3 to about 1.46 and stays there. What is computed twice? Why"
            " can this loss not fall further, and what should be handed to cross_entropy?",
            answer="softmax: it is a part of cross_entropy. What it gets as scores are probabilities, from 0 to "
            "1. The best that they can be is a single 1 and nine times 0, and for these the right class "
            "has e / (e + 9), about 0.23, whose negative logarithm is 1.46. The scores themselves belong "
            "there, with no softmax before.",
            marking=(
                (1, "softmax is applied twice: cross_entropy has its own."),
                (1, "Its inputs lie between 0 and 1, so that no probability comes near 1."),
                (1, "The scores as the net gives them."),
            ),
            wrong=(
                Wrong("the learning rate is too small", "However long it is trained, this loss has a bound."),
                Wrong("it has overfitted", "Then the loss on the data it was trained on would go on falling."),
            ),
        ),
    ),
)

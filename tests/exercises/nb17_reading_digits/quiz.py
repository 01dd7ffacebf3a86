"""Questions of the quiz about notebook 17."""

from grader.exam.question import Question, Wrong, different, whole

WINDOWS = "say what an MLP cannot know about a picture, and cut a picture into windows"
PRODUCT = "write a convolution as one matrix product, and follow a gradient there and back"
POOLING = "say what pooling does, and how batch norm differs in training and in use"


def a_place_near_the_edge(rng):
    """Of a picture cut into windows of 2 or 3: a pixel that lies in some of them only; and in how many."""
    size, i, j, count = rng.choice([(2, 0, 3, 2), (2, 4, 0, 2), (3, 0, 3, 3), (3, 1, 4, 6), (3, 4, 1, 6), (3, 3, 0, 3)])
    return {"s": size, "i": i, "j": j, "g": whole(rng, 2, 9), "n": 8, "count": count}


def a_batch_norm(rng):
    mean, spread, times = whole(rng, 2, 9), whole(rng, 2, 4), whole(rng, 2, 5)
    first = mean + times * spread
    return {"m": mean, "v": spread**2, "a": first, "b": first + 2 * whole(rng, 2, 9)}


QUESTIONS = (
    Question(
        "17.Q1",
        WINDOWS,
        section="B",
        text="How many windows of {s} fit along {n} pixels, with stride 2 and padding 2?",
        draw=lambda rng: {"n": whole(rng, 9, 30), "s": whole(rng, 3, 5)},
        code="""
            count = conv.places({n}, {s}, stride=2, padding=2)
        """,
        shown=False,
        asked={"windows": "count"},
        torch="""
            filter = torch.ones(1, 1, {s})
            count = torch.nn.functional.conv1d(torch.zeros(1, 1, {n}), filter, stride=2, padding=2).shape[2]
        """,
        wrong=(
            Wrong(
                ("17.1", "the first window is not counted"),
                "One too few: those are the strides, and one window is there before.",
            ),
            Wrong(
                ("17.1", "the padding is not counted"),
                "That is without padding. It puts 2 zeros at each of the two ends.",
            ),
            Wrong(
                ("17.1", "the stride is not used in the count"),
                "That is stride 1. With stride 2 every other one is left out.",
            ),
        ),
    ),
    Question(
        "17.Q2",
        WINDOWS,
        section="A",
        text="An MLP reads {p} % of the digits. Then the pixels of all pictures are shuffled, all in the same way, "
        "and another MLP like it learns from them. What does that one read of shuffled digits, roughly?",
        draw=lambda rng: {"p": whole(rng, 90, 98)},
        choose=True,
        answer="{p} %",
        wrong=(
            Wrong(
                "10 %", "Guessing would be 10 %. But the pixels of a digit are there, each always at the same place."
            ),
            Wrong("half of them", "To an MLP the pixels are a list. Which of them are neighbours it never knew."),
        ),
    ),
    Question(
        "17.Q3",
        PRODUCT,
        section="B",
        text="All windows of a picture are cut out, and each number in them gets the gradient {g}. What is the "
        "gradient of the pixel at [{i}, {j}]?",
        draw=a_place_near_the_edge,
        code="""
            x = Tensor(np.zeros((1, 1, {n}, {n})))
            cut = conv.windows(x, {s})
            cut.backward(np.full(cut.shape, {g}.0))
            pixel = x.grad[0, 0, {i}, {j}].item()
        """,
        asked={"the gradient": "pixel"},
        torch="""
            x = Tensor(np.zeros((1, 1, {n}, {n})))
            cut = torch.nn.functional.unfold(x, {s})
            cut.backward(torch.full(cut.shape, {g}.0).double())
            pixel = x.grad[0, 0, {i}, {j}].item()
        """,
        wrong=(
            Wrong(
                ("17.2", "overlapping windows written over each other"),
                "That is the share of one window. The pixel lies in {count}, and their shares are added.",
            ),
            Wrong(
                "{g}.0 * {s} * {s}",
                "That many windows hold a pixel in the middle. This one is near the edge, and lies in {count}.",
            ),
        ),
    ),
    Question(
        "17.Q4",
        PRODUCT,
        section="B",
        text="A convolution of pictures with {c} channels, by {f} filters of {s} × {s}, is written as one matrix "
        "product, each filter as a row. What is the shape of the filters' matrix?",
        draw=lambda rng: dict(zip("cf", different(rng, 2, 9, 2))) | {"s": whole(rng, 2, 3)},
        code="""
            layer = conv_net.Conv2d({c}, {f}, {s})
            shape = layer.weight.reshape({f}, -1).shape
        """,
        shown=False,
        asked={"the shape": "shape"},
        torch="""
            shape = tuple(torch.nn.Conv2d({c}, {f}, {s}).weight.reshape({f}, -1).shape)
        """,
        wrong=(
            Wrong("({f}, {s} * {s})", "A filter has weights of its own for each of the {c} channels, all in its row."),
            Wrong(
                "({f} * {c}, {s} * {s})", "A filter is one row, through all channels: it gives one answer for a window."
            ),
        ),
    ),
    Question(
        "17.Q5",
        POOLING,
        section="C",
        text="What does max pooling make of this window?",
        draw=lambda rng: dict(zip("abc", different(rng, 1, 6, 3))) | {"d": whole(rng, 7, 12)},
        code="""
            x = Tensor([[[[{a}.0, -{d}.0], [{b}.0, {c}.0]]]])
            out = conv.max_pool2d(x, 2)
        """,
        asked={"out": "out.item()"},
        torch="""
            out = torch.nn.functional.max_pool2d(Tensor([[[[{a}.0, -{d}.0], [{b}.0, {c}.0]]]]), 2)
        """,
        wrong=(
            Wrong(
                ("17.4", "largest in size"),
                "That would be the largest without its sign. -{d} is the smallest of the four.",
            ),
            Wrong(
                ("17.4", "the mean in place of the largest"), "That is average pooling. Max pooling takes the largest."
            ),
        ),
    ),
    Question(
        "17.Q6",
        POOLING,
        section="C",
        text="After net.eval() a batch norm with the running mean {m} and the running variance {v} gets the two "
        "numbers {a} and {b}. What does it make of {a}? (Weight 1, bias 0, eps 0.)",
        draw=a_batch_norm,
        code="""
            layer = conv_net.BatchNorm2d(1, eps=0)
            layer.running_mean.data[...], layer.running_var.data[...] = {m}, {v}
            layer.eval()
            out = layer(Tensor([[[[{a}.0]]], [[[{b}.0]]]]))
        """,
        shown=False,
        asked={"the first number": "out.data[0].item()"},
        torch="""
            layer = torch.nn.BatchNorm2d(1, eps=0).double()
            layer.running_mean[0], layer.running_var[0] = {m}, {v}
            layer.eval()
            out = layer(Tensor([[[[{a}.0]]], [[[{b}.0]]]]))
        """,
        wrong=(
            Wrong("-1.0", "That is training: mean and variance of this batch. In use the running numbers count."),
            Wrong("({a} - {m}) / {v}", "That is divided by the variance. Its root, the spread, is what becomes 1."),
            Wrong("{a}.0", "In use it normalises too, with other numbers: only dropout does nothing then."),
        ),
    ),
    Question(
        "17.Q7",
        "show what a net sees, with a saliency map, and say what such a map does not show",
        section="E",
        text="The net is a single layer: two pixels, two scores. What does the saliency map of score 0 show at pixel "
        "0?",
        draw=lambda rng: dict(zip("acd", different(rng, 2, 5, 3))) | {"b": whole(rng, 11, 19)},
        code="""
            net = nn.Linear(2, 2, bias=False)
            net.weight.data[...] = [[-{a}.0, {b}.0], [{c}.0, {d}.0]]
            map = conv.saliency(net, np.array([[0.5, 1.0]]), [0])
        """,
        asked={"map[0, 0]": "map[0, 0].item()"},
        torch="""
            x = Tensor([[0.5, 1.0]])
            scores = x @ torch.tensor([[-{a}.0, {b}.0], [{c}.0, {d}.0]]).double()
            scores[0, 0].backward()
            map = x.grad
        """,
        wrong=(
            Wrong(
                ("17.5", "multiplied by the picture"),
                "That is the slope times the pixel. The map shows the slope itself, so it can be large on paper too.",
            ),
            Wrong(("17.5", "without the sign"), "The sign is missing: more ink at this pixel lowers the score."),
            Wrong(
                ("17.5", "all scores at once"), "That is the slope of both scores, added up. One score is asked about."
            ),
        ),
    ),
    Question(
        "17.Q8",
        "fool a net with a small step, and train one that holds up better",
        section="E",
        text="The loss of a picture of three pixels has the slopes {a}, -{b} and {c}. The fast gradient sign method "
        "takes a step of 0.1, and no pixel leaves the range from 0 to 1. By how much does the loss grow, to first "
        "order?",
        draw=lambda rng: dict(zip("ac", different(rng, 5, 9, 2))) | {"b": whole(rng, 2, 4)},
        code="""
            slopes = np.array([{a}.0, -{b}.0, {c}.0])
            growth = round(float(slopes @ (0.1 * np.sign(slopes))), 6)
        """,
        shown=False,
        asked={"the loss grows by": "growth"},
        torch="""
            picture = Tensor([0.5, 0.5, 0.5])
            slope = grad({a} * picture[0] - {b} * picture[1] + {c} * picture[2], picture)
            growth = round(0.1 * slope.abs().sum().item(), 6)
        """,
        wrong=(
            Wrong(
                "round(0.1 * ({a} - {b} + {c}), 6)",
                "The pixel with the slope -{b} is moved down, and that too raises the loss.",
            ),
            Wrong("0.1", "That is how far each pixel moves. Each adds its slope times this."),
            Wrong(
                "round(0.1 * (({a}) ** 2 + {b}**2 + {c}**2), 6)",
                "That is a step along the gradient itself. Here each pixel moves by 0.1, whatever its slope.",
            ),
        ),
    ),
    Question(
        "17.Q9",
        "find three kinds of broken convolution from the outside",
        section="B",
        text="Somebody's convolution turns each filter round, by half a turn. Which filter of two {a} and two {b} "
        "cannot give this away?",
        draw=lambda rng: dict(zip("ab", different(rng, 1, 9, 2))),
        choose=True,
        answer="[[{a}, {b}], [{b}, {a}]]",
        wrong=(
            Wrong(
                "[[{a}, {a}], [{b}, {b}]]",
                "Mirrored from left to right it stays. Half a turn changes its rows as well.",
            ),
            Wrong(
                "[[{a}, {b}], [{a}, {b}]]", "Mirrored upside down it stays. Half a turn changes its columns as well."
            ),
        ),
    ),
)

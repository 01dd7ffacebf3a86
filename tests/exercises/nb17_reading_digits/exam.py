"""Outcomes of notebook 17, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "17.1",
    "17.2 17.3",
    "17.4",
    "17.5",
    "17.6",
    "17.7",
)


def running_numbers(rng):
    """Four numbers: in use {a} does not become -1 or 1 as in training, and {m} is not the batch's mean already."""
    a, b = different(rng, 2, 20, 2)
    m = whole(rng, 2, 20, but=[a, b, (a + b) / 2])
    return {"a": a, "b": b, "m": m, "r": whole(rng, 2, 20, but=[abs(a - m)])}


QUESTIONS = (
    Question(
        "17.E1",
        "write a convolution as one matrix product, and follow a gradient there and back",
        points=3,
        minutes=5,
        text="A batch of {n} pictures with {c} channels of {s} x {s} pixels goes through {f} filters of 3 x 3, at "
        "stride 2, with padding 1 and with biases.",
        draw=lambda rng: dict(zip("ncf", different(rng, 2, 9, 3))) | {"s": 2 * whole(rng, 3, 9)},
        code="""
            pictures = Tensor(np.zeros(({n}, {c}, {s}, {s})))
            layer = conv_net.Conv2d({c}, {f}, 3, stride=2, padding=1)
            print(layer(pictures).shape)
            print(sum(p.size for p in layer.parameters()))
        """,
        torch="""
            layer = torch.nn.Conv2d({c}, {f}, 3, stride=2, padding=1)
            print(tuple(layer(torch.zeros({n}, {c}, {s}, {s})).shape))
            print(sum(p.numel() for p in layer.parameters()))
        """,
        wrong=(
            Wrong("({n}, {f}, {s} // 2 - 1, {s} // 2 - 1)", "The padding was overlooked.", at=0),
            Wrong("({n}, {f}, {s}, {s})", "The stride was overlooked.", at=0),
            Wrong("9 * {f} + {f}", "A filter has weights for each channel.", at=1),
            Wrong("9 * {c} * {f}", "The biases were forgotten.", at=1),
        ),
    ),
    Question(
        "17.E2",
        "write a convolution as one matrix product, and follow a gradient there and back",
        points=4,
        minutes=6,
        text="A row of three pixels, and a filter of the two weights {v} and {w}, at stride 1, without padding. The "
        "two answers get the gradients {a} and {b} from above. Calculate the gradient of each pixel.",
        draw=lambda rng: dict(zip("abvw", different(rng, 2, 12, 4))),
        code="""
            first, middle, last = {a} * {v}, {a} * {w} + {b} * {v}, {b} * {w}
        """,
        shown=False,
        asked={"the first pixel": "first", "the middle one": "middle", "the last one": "last"},
        torch="""
            pixels = torch.zeros(1, 1, 3).double().requires_grad_()
            answers = torch.nn.functional.conv1d(pixels, torch.tensor([[[{v}.0, {w}.0]]]).double())
            answers.backward(torch.tensor([[[{a}.0, {b}.0]]]).double())
            first, middle, last = (int(x) for x in pixels.grad[0, 0])
        """,
        wrong=(
            Wrong("{b} * {v}", "Where windows overlap, one share was written over the other: shares are added.", at=1),
            Wrong("{a} * {v} + {b} * {w}", "The filter was turned round on the way back.", at=1),
            Wrong("{a} * {w}", "The first pixel was multiplied by the first weight, and by no other.", at=0),
        ),
    ),
    Question(
        "17.E3",
        "say what pooling does, and how batch norm differs in training and in use",
        points=4,
        minutes=5,
        text="One channel of a batch has the two numbers {a} and {b}. Its running mean is {m}, its running variance "
        "{r} squared; weight 1, bias 0, eps 0. Calculate what batch norm makes of the first number, {a}, in training "
        "and in use, and the running mean after this step of training (momentum 0.1).",
        draw=running_numbers,
        code="""
            mean, half = ({a} + {b}) / 2, abs({a} - {b}) / 2
            training = round(({a} - mean) / half, 4)
            use = round(({a} - {m}) / {r}, 4)
            running = round({m} + 0.1 * (mean - {m}), 4)
        """,
        shown=False,
        asked={"in training": "training", "in use": "use", "the running mean": "running"},
        torch="""
            norm = torch.nn.BatchNorm1d(1, eps=1e-30).double()
            norm.running_mean[0], norm.running_var[0] = {m}, {r}**2
            x = torch.tensor([[{a}.0], [{b}.0]]).double()
            use = round(norm.eval()(x)[0, 0].item(), 4)
            training = round(norm.train()(x)[0, 0].item(), 4)
            running = round(norm.running_mean[0].item(), 4)
        """,
        wrong=(
            Wrong(
                "round(({a} - {m}) / {r}, 4)", "In training the numbers of the batch count, not the running ones.", at=0
            ),
            Wrong("round(({a} - {m}) / {r} ** 2, 4)", "Divided by the variance: its root is meant.", at=1),
            Wrong("({a} + {b}) / 2", "The running mean only follows: a tenth of the way.", at=2),
        ),
    ),
    Question(
        "17.E4",
        "fool a net with a small step, and train one that holds up better",
        points=4,
        minutes=6,
        text="The loss of a picture with three pixels has the gradient ({a}, -0.0{b}, 0). The pixels are 0.5, 0.5 and "
        "0.5. Calculate what the fast gradient sign method makes of them with a step of 0.{s}.",
        draw=lambda rng: dict(zip("ab", different(rng, 2, 9, 2))) | {"s": whole(rng, 11, 39)},
        code="""
            step = 0.{s}
            first, second, third = round(0.5 + step, 4), round(0.5 - step, 4), 0.5
        """,
        shown=False,
        asked={"the first pixel": "first", "the second one": "second", "the third one": "third"},
        torch="""
            slopes = torch.tensor([{a}.0, -0.0{b}, 0.0]).double()
            moved = (0.5 + 0.{s} * slopes.sign()).clamp(0, 1)
            first, second, third = (round(x.item(), 4) for x in moved)
        """,
        wrong=(
            Wrong("round(0.5 - 0.{s}, 4)", "Downhill: the loss should grow.", at=0),
            Wrong("round(0.5 - 0.{s} * 0.0{b}, 6)", "The gradient itself was used: only its sign counts.", at=1),
            Wrong("round(0.5 + 0.{s}, 4)", "A pixel without a slope stays.", at=2),
        ),
    ),
    Question(
        "17.E5",
        "show what a net sees, with a saliency map, and say what such a map does not show",
        points=4,
        minutes=6,
        text="A saliency map of a net that reads X-rays is large at a label in the corner of the picture. What does "
        "this tell, and what does it not tell? Describe one more experiment that would tell more.",
        answer="It tells that small changes of those pixels would change this score, for this picture. The net may use "
        "the label, for example because it says which hospital took the picture. It does not tell that the label "
        "decides, nor what happens with larger changes or without it. The experiment: cover the label, or put another "
        "one there, in many pictures, and see whether the answers change; also "
        "compare with the map of a net with random weights.",
        marking=(
            (1, "Small changes there change this score, here."),
            (1, "No proof of why the net decides so; nothing about larger changes, or pixels together."),
            (2, "An experiment that changes the picture and looks at the answer, over many pictures."),
        ),
        wrong=(
            Wrong("the net reads the label and decides by it", "That is a guess; the map shows local slopes."),
            Wrong("the map is wrong, since a label has nothing to do with it", "A net uses whatever lowers the loss."),
        ),
        other=Other(
            text="Two saliency maps of one X-ray look alike. One is of a trained net, the other of the same net with "
            "random weights. What follows for the first map? And what does a gradient of 0 at a pixel say, and not "
            "say?",
            answer="The map is largely made by the picture and by how the net is built, since knowledge cannot show in "
            "weights drawn by chance; it explains next to nothing of what was learned. A gradient of 0 says that a "
            "tiny change of this pixel alone leaves this score as it is. A larger change, or one of several pixels "
            "together, may still matter.",
            marking=(
                (2, "It hardly depends on what was learned, so it explains next to nothing of it."),
                (1, "0: a small change of this pixel alone does not change this score."),
                (1, "Larger changes, or several pixels at once, may."),
            ),
            wrong=(
                Wrong("the random net has learned the same", "It has learned nothing."),
                Wrong("the net does not use a pixel whose gradient is 0", "Only for small changes, of it alone, here."),
            ),
        ),
    ),
    Question(
        "17.E6",
        "say what an MLP cannot know about a picture, and cut a picture into windows",
        points=3,
        minutes=5,
        text="All pixels of all pictures are shuffled, in the same way. An MLP learns from them as well as before, a "
        "net of filters clearly worse. Explain both.",
        answer="To an MLP the pixels are a list without an order: each has weights of its own, and the shuffled "
        "problem is the same one with other numbers for the places. Filters look at neighbouring pixels together and "
        "use the same weights everywhere. After shuffling neighbours have nothing to do with each other, so there are "
        "no strokes or edges to be found, and sharing weights between places makes no sense.",
        marking=(
            (1, "An MLP does not know which pixels are neighbours; its weights can be shuffled along."),
            (1, "A filter sees neighbours together."),
            (1, "It has the same weights at all places."),
        ),
        wrong=(Wrong("the MLP has learned the pictures by heart", "It reads pictures that it has never seen."),),
        other=Other(
            text="An MLP that reads digits well is asked about the same digits two columns further to the right, and "
            "only guesses. A net of filters loses less, but still something. Explain both.",
            answer="In an MLP each pixel has its own weights, so what was learned about a stroke in one column is not "
            "there in another. A filter has the same weights at all places: its answers move along with the digit, and "
            "pooling hides a part of the movement. The layers behind the filters have weights for each place again, so "
            "they notice the rest.",
            marking=(
                (1, "An MLP has other weights for each place."),
                (1, "Filters are the same everywhere, and pooling hides small movements."),
                (1, "The last layers still have weights for each place."),
            ),
            wrong=(
                Wrong("filters do not notice where something is", "Their answers move along; the last layers see it."),
            ),
        ),
    ),
    Question(
        "17.E7",
        "find three kinds of broken convolution from the outside",
        points=3,
        minutes=6,
        text="Three convolutions are wrong. A turns the filter round by half a turn. B writes gradients of overlapping "
        "windows over each other. C pads with what lies on the opposite side of the picture. Give for each a question "
        "(filter, stride, padding) that gives it away and neither of the others, and say why.",
        answer="A: a filter of 2 × 2 that half a turn changes, such as 1, 0 above 0, 0, at stride 2 without padding: "
        "no windows overlap, and nothing is padded. B: ones, which stay the same when turned, at stride 1 without "
        "padding. C: ones again, padding 1, at stride 2, so that windows lie side by side.",
        marking=(
            (1, "A: a filter that is not the same after half a turn; no overlap, no padding."),
            (1, "B: stride below the filter's size; a filter that stays the same; no padding."),
            (1, "C: padding; a filter that stays the same; windows side by side."),
        ),
        wrong=(
            Wrong("any filter for A", "One that stays the same, such as ones, shows nothing."),
            Wrong("padding 1 and stride 1 for C", "Windows overlap then: B is given away as well."),
        ),
        other=Other(
            text="Three convolutions are wrong. A turns the filter round by half a turn. B writes gradients of "
            "overlapping windows over each other. C pads with what lies on the opposite side of the picture. Who is "
            "wrong about a filter of 2 × 2: (1) ones, stride 1, padding 0; (2) 1, 2 above 3, 4, stride 2, padding 0; "
            "(3) ones, stride 1, padding 1? Say why, each time.",
            answer="(1) B alone: windows overlap; half a turn does not change ones, and there is nothing to pad. (2) "
            "A alone: the turn makes 4, 3 above 2, 1 of it; windows lie side by side. (3) B and C: windows overlap, "
            "and at the edge there are numbers in the place of zeros; ones stay ones for A.",
            marking=(
                (1, "(1) B: only the overlap matters."),
                (1, "(2) A: only the filter matters."),
                (1, "(3) B and C: overlap and padding."),
            ),
            wrong=(
                Wrong("A in (1)", "Ones turned round are ones."),
                Wrong("B in (2)", "With a stride of the filter's size no two windows share a pixel."),
            ),
        ),
    ),
)

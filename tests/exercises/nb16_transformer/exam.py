"""Outcomes of notebook 16, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "16.1",
    "16.4 16.5",
    "16.3 16.6 16.7 16.8",
    "16.9",
    "16.10",
)

THREE = (
    (1, 2, 3),
    (2, 1, 6),
    (1, 3, 5),
    (4, 1, 1),
    (2, 3, 4),
    (5, 2, 2),
    (6, 3, 3),
    (1, 5, 6),
)  # powers, whose mean is whole

QUESTIONS = (
    Question(
        "16.E1",
        "write attention: who looks at whom, what is taken from there, and what must not be seen",
        points=4,
        minutes=6,
        text="Three positions, causal attention. All scores are equal. The values are {a}, {b} and {c}, one "
        "number for each position. Calculate what each position gets.",
        draw=lambda rng: dict(zip("abc", different(rng, 2, 30, 3))),
        code="""
            scores = np.zeros((3, 3))
            scores[np.triu_indices(3, 1)] = -np.inf
            weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
            first, second, third = (weights @ np.array([{a}.0, {b}.0, {c}.0])).round(4).tolist()
        """,
        shown=False,
        asked={"position 0": "first", "position 1": "second", "position 2": "third"},
        torch="""
            value = torch.tensor([[{a}.0], [{b}.0], [{c}.0]]).double()
            nothing = torch.zeros(3, 1).double()
            mixed = torch.nn.functional.scaled_dot_product_attention(nothing, nothing, value, is_causal=True)
            first, second, third = mixed[:, 0].numpy().round(4).tolist()
        """,
        wrong=(
            Wrong(
                "round(({a} + {b} + {c}) / 3, 4)",
                "The first position looks at the future: the mask was forgotten.",
                at=0,
            ),
            Wrong("{a}.0", "A position was thought to look only at what comes before it, not at itself.", at=1),
            Wrong("{a}.0 + {b} + {c}", "The values were added: the weights of a position add up to 1.", at=2),
        ),
    ),
    Question(
        "16.E2",
        "put a transformer together from parts, train it, and let it write",
        points=3,
        minutes=5,
        text="",
        draw=lambda rng: dict(zip("blhd", different(rng, 2, 9, 4))),
        code="""
            batch, length, heads, size = {b}, {l}, {h}, {d}
            x = np.zeros((batch, length, heads * size))
            split = x.reshape(batch, length, heads, size).transpose(0, 2, 1, 3)
            print(split.shape)
            scores = split @ split.swapaxes(-1, -2)
            print(scores.shape)
            print((scores @ split).transpose(0, 2, 1, 3).reshape(batch, length, -1).shape)
        """,
        torch="""
            batch, length, heads, size = {b}, {l}, {h}, {d}
            x = torch.zeros((batch, length, heads * size))
            split = x.reshape(batch, length, heads, size).permute(0, 2, 1, 3)
            print(tuple(split.shape))
            scores = split @ split.swapaxes(-1, -2)
            print(tuple(scores.shape))
            print(tuple((scores @ split).permute(0, 2, 1, 3).reshape(batch, length, -1).shape))
        """,
        wrong=(
            Wrong("({b}, {l}, {h}, {d})", "The transpose was overlooked: heads come before positions.", at=0),
            Wrong("({b}, {h}, {d}, {d})", "Features were compared with features: scores are between positions.", at=1),
        ),
    ),
    Question(
        "16.E3",
        "say what temperature does, and why a model that always takes the likeliest token repeats itself",
        points=4,
        minutes=5,
        text="Two tokens have the scores 0 and log {k}. Calculate the probability of the second one at the "
        "temperatures 1 and 0.5, and with the temperature 0 (greedy).",
        draw=lambda rng: {"k": whole(rng, 2, 9)},
        code="""
            warm = round({k} / (1 + {k}), 4)
            cool = round({k}**2 / (1 + {k}**2), 4)
            greedy = 1.0
        """,
        shown=False,
        asked={"temperature 1": "warm", "temperature 0.5": "cool", "greedy": "greedy"},
        torch="""
            scores = torch.tensor([0.0, np.log({k}.0)]).double()
            warm, cool = (float(torch.softmax(scores / t, 0)[1]) for t in (1, 0.5))
            warm, cool, greedy = round(warm, 4), round(cool, 4), float(scores.argmax())
        """,
        wrong=(
            Wrong(
                "round({k} ** 0.5 / (1 + {k} ** 0.5), 4)",
                "The scores were multiplied by the temperature: they are divided.",
                at=1,
            ),
            Wrong("round(1 / (1 + {k}), 4)", "The probability of the other token.", at=0),
        ),
    ),
    Question(
        "16.E4",
        "find three kinds of broken attention from the outside",
        points=4,
        minutes=6,
        text="A language model's loss falls to nearly 0 on held-out text as well, and yet it writes nonsense. "
        "Which mistake is likely? Describe a test that needs no training and no look at the code, and say why "
        "the loss gave it away.",
        answer="Positions look at the future: the mask is missing or shifted, or the targets were not shifted, "
        "so each position sees the token that it should predict. The test: give it two texts that differ from "
        "some position on. Before that position nothing may change in the scores, not by one digit. A text "
        "cannot be predicted that well: a loss near 0 means that the next character is known, on text that it "
        "has never seen. When it writes there is no future to read.",
        marking=(
            (1, "It sees what it should predict (mask, or targets)."),
            (2, "Change a later token: the scores before it must stay the same."),
            (1, "No model predicts unseen text nearly perfectly; and when writing the future is not there."),
        ),
        wrong=(
            Wrong("it has overfitted", "Then the loss on held-out text would be high."),
            Wrong("the temperature is too high", "That changes what is written, not the loss."),
        ),
        other=Other(
            text="In somebody's causal attention the weights of later positions are set to 0 after the "
            "softmax, not before it. Does a later token still matter to an earlier position, and how? "
            "Describe two tests from the outside: one changes a token, in the other all values are the "
            "same number. What comes out of each, and what should?",
            answer="It matters: the softmax has already divided by a sum in which its score stands, so the "
            "weights that are left depend on it. First test: change a token; the outputs at earlier "
            "positions change, and must not. Second: a mean of equal numbers is that number, but here less comes "
            "out, since the weights add up to less than 1; only the last position, for which nothing is "
            "hidden, is right.",
            marking=(
                (1, "Yes: its score is part of the sum that all weights are divided by."),
                (1, "Outputs before a changed token change, and must not."),
                (2, "Equal values must come out as they are; less comes out, except at the last position."),
            ),
            wrong=(
                Wrong("no, its weight is 0", "The other weights were made before that, from all scores."),
                Wrong("the last position shows it", "Nothing is hidden there: it is the one that is right."),
            ),
        ),
    ),
    Question(
        "16.E5",
        "say what a language model predicts, and how its loss is told in bits",
        points=3,
        minutes=5,
        text="A language model found the three characters that really came next likely with 1/{p}, 1/{q} and 1/{r}. "
        "Calculate its bits per character on them, the perplexity, and the loss in nats (log 2 is 0.6931).",
        draw=lambda rng: dict(zip("pqr", (2**n for n in rng.choice(THREE)))),
        code="""
            chances = np.array([1 / {p}, 1 / {q}, 1 / {r}])
            scores = np.log(np.stack([chances, 1 - chances], axis=1))
            nats = losses.cross_entropy(Tensor(scores), [0, 0, 0]).item()
            bits = round(nats / np.log(2), 6)
            perplexity, nats = round(2**bits, 4), round(nats, 4)
        """,
        shown=False,
        asked={"bits": "bits", "perplexity": "perplexity", "nats": "nats"},
        torch="""
            bits = torch.log2(torch.tensor([{p}.0, {q}.0, {r}.0]).double()).mean().item()
            perplexity, nats = 2**bits, round(bits * np.log(2), 4)
        """,
        wrong=(
            Wrong(
                "-round(np.log2(chances.mean()), 4)", "The mean is over the losses, not over the probabilities.", at=0
            ),
            Wrong("round(bits * 3, 4)", "That is for all three: the loss is told for each character.", at=0),
            Wrong("round(1 / chances.mean(), 4)", "It is 2 to the power of the bits, not one over a mean.", at=1),
            Wrong("round(bits / np.log(2), 4)", "A bit is log 2 nats, so nats are fewer: multiply.", at=2),
        ),
    ),
)

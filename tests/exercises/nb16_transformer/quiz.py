"""Questions of the quiz about notebook 16."""

from grader.exam.question import Question, Wrong, different, whole

PREDICTS = "say what a language model predicts, and how its loss is told in bits"
ATTENTION = "write attention: who looks at whom, what is taken from there, and what must not be seen"
TOGETHER = "put a transformer together from parts, train it, and let it write"
WRITES = "say what temperature does, and why a model that always takes the likeliest token repeats itself"


def two_tokens(rng):
    """The second is {r} times as likely at temperature 1; another temperature makes it the square or the root of it."""
    r, temperature = rng.choice([*((r, 0.5) for r in range(3, 10)), *((r * r, 2.0) for r in range(3, 8))])
    return {"r": r, "t": temperature}


QUESTIONS = (
    Question(
        "16.Q1",
        PREDICTS,
        section="A",
        text="A language model finds {n} characters equally likely each time, and all others impossible. The text "
        "has only these {n}. What is its loss in bits per character?",
        draw=lambda rng: {"n": 2 ** whole(rng, 2, 8)},
        code="""
            loss = losses.cross_entropy(Tensor(np.zeros((1, {n}))), [0]).item()
            bits = round(loss / np.log(2), 6)
        """,
        shown=False,
        asked={"bits": "bits"},
        wrong=(
            Wrong("loss", "That is the cross-entropy in nats, log {n}. In bits it is divided by log 2."),
            Wrong(
                "{n}.0",
                "That is the perplexity. The bits are how many yes-or-no questions {n} possibilities leave open.",
            ),
        ),
    ),
    Question(
        "16.Q2",
        PREDICTS,
        section="A",
        text="What are the targets of the first window?",
        draw=lambda rng: {"text": different(rng, 10, 99, 6), "n": whole(rng, 2, 4)},
        code="""
            text = np.array({text})
            inputs, targets = transformer.windows(text, {n})
        """,
        asked={"targets[0]": "targets[0].tolist()"},
        torch="""
            text = torch.tensor({text})
            targets = text.unfold(0, {n} + 1, 1)[:, 1:]
        """,
        wrong=(
            Wrong(
                ("16.1", "the targets are not shifted"),
                "These are the tokens that are read. The target of a position is the one after it.",
            ),
            Wrong(
                ("16.1", "one target for a window"),
                "That is the token after the window. Each position in it has a target of its own.",
            ),
        ),
    ),
    Question(
        "16.Q3",
        ATTENTION,
        section="C",
        text="Causal attention over {n} positions, counted from 0. All scores are equal. How much weight does "
        "position {i} give to position 0?",
        draw=lambda rng: {"n": whole(rng, 12, 20), "i": rng.choice([1, 3, 4, 7, 9])},
        code="""
            query, key = Tensor(np.zeros(({n}, 1))), Tensor(np.zeros(({n}, 1)))
            weights = transformer.attention_weights(query, key, transformer.causal_mask({n}))
            weight = round(weights.data[{i}, 0].item(), 6)
        """,
        shown=False,
        asked={"weight": "weight"},
        torch="""
            nothing, value = torch.zeros({n}, 1).double(), torch.eye({n}).double()
            weights = torch.nn.functional.scaled_dot_product_attention(nothing, nothing, value, is_causal=True)
            weight = round(weights[{i}, 0].item(), 6)
        """,
        wrong=(
            Wrong(
                ("16.5", "everything is seen"),
                "That shares the weight out over all {n} positions, later ones too. What is hidden gets none.",
            ),
            Wrong(("16.5", "not itself"), "A position may look at itself too, besides those before it."),
            Wrong(("16.5", "one too many"), "One position too many: the next one is what should be predicted."),
        ),
    ),
    Question(
        "16.Q4",
        ATTENTION,
        section="C",
        text="A query has {d} features, each {a}, and so has a key, each {b}. What is the score that softmax gets "
        "for the two?",
        draw=lambda rng: {"d": rng.choice([9, 16, 25]), "a": whole(rng, 2, 3), "b": whole(rng, 2, 4)},
        code="""
            query, key = np.full((1, {d}), {a}.0), np.array([np.full({d}, {b}.0), np.zeros({d})])
            weights = transformer.attention_weights(Tensor(query), Tensor(key)).data[0]
            score = round(np.log(weights[0] / weights[1]), 6)
        """,
        shown=False,
        asked={"score": "score"},
        torch="""
            query, key = torch.full(({d},), {a}.0).double(), torch.full(({d},), {b}.0).double()
            score = (query @ key).item() / {d} ** 0.5
        """,
        wrong=(
            Wrong(
                ("16.4", "not scaled"),
                "That is the inner product. It is divided by the root of the number of features.",
            ),
            Wrong(
                ("16.4", "divided by the number of features"),
                "That is the inner product over {d}. Its spread grows with the root of {d}, so the root divides it.",
            ),
        ),
    ),
    Question(
        "16.Q5",
        TOGETHER,
        section="D",
        text="x has one text of {n} positions. What does head 1 get at position 0?",
        draw=lambda rng: {"n": whole(rng, 3, 5), "f": rng.choice([4, 6]), "s": whole(rng, 10, 60)},
        code="""
            x = Tensor({s} + np.arange({n} * {f}).reshape(1, {n}, {f}))
            heads = transformer.split_heads(x, 2)
        """,
        asked={"heads[0, 1, 0]": "heads.data[0, 1, 0].tolist()"},
        torch="""
            x = {s} + torch.arange({n} * {f}).reshape({n}, {f})
            heads = torch.stack(torch.tensor_split(x, 2, dim=1))[None]
        """,
        wrong=(
            Wrong(
                ("16.6", "reshape alone"),
                "That is what reshape alone gives. A head gets some features of each position, not all of some "
                "positions.",
            ),
            Wrong(
                ("16.6", "every other feature"),
                "These are features 1, 3, ... of position 0. The features are cut in two: head 0 has the first half.",
            ),
            Wrong(
                "[{s} + n for n in range({f} // 2)]",
                "That is what head 0 gets. Heads are counted from 0, as positions are.",
            ),
        ),
    ),
    Question(
        "16.Q6",
        TOGETHER,
        section="D",
        text="In a Block attention multiplies what it reads by {a}, the MLP by {b}, and the LayerNorms change "
        "nothing. What comes out for {x}?",
        draw=lambda rng: {"x": whole(rng, 2, 5), "a": whole(rng, 4, 6), "b": whole(rng, 2, 4)},
        code="""
            block = transformer.Block(1, 1)
            block.norm1 = block.norm2 = lambda x: x
            block.attention = lambda x, mask: {a} * x
            block.mlp = lambda x: {b} * x
            out = block(Tensor([[[{x}.0]]])).item()
        """,
        shown=False,
        asked={"the Block's answer": "out"},
        torch="""
            x = torch.tensor({x}.0)
            x = x + x * {a}
            x = x + x * {b}
            out = x.item()
        """,
        wrong=(
            Wrong(
                ("16.7", "no residual connections"),
                "That is one after the other, without residual connections. What a part returns is added to what it "
                "got.",
            ),
            Wrong(
                ("16.7", "side by side"),
                "Both read {x} here, side by side. The MLP reads the sum of {x} and what attention returned.",
            ),
            Wrong(
                ("16.7", "no residual connection round the MLP"),
                "A residual connection is missing: what the MLP returns is added to what it read.",
            ),
        ),
    ),
    Question(
        "16.Q7",
        "find three kinds of broken attention from the outside",
        section="E",
        text="A right model reads a text of {n} tokens. Token {i}, counted from 0, is changed. At how many of the "
        "{n} positions do the logits change?",
        draw=lambda rng: rng.choice([{"n": n, "i": i} for n in (7, 9, 11) for i in (2, 4, 6) if i < n - 2]),
        code="""
            model = transformer.Transformer(5, 12, 4, 1, 1, np.random.default_rng(0))
            tokens = np.arange({n}) % 4
            before = model(tokens[None]).data[0]
            tokens[{i}] = 4
            changed = int((model(tokens[None]).data[0] != before).any(axis=1).sum())
        """,
        shown=False,
        asked={"positions": "changed"},
        torch="""
            mask = torch.ones({n}, {n}).tril().bool()
            changed = mask[:, {i}].sum().item()
        """,
        wrong=(
            Wrong(
                ("16.8", "no mask"),
                "That would be a model that reads the future: before the change nothing may change.",
            ),
            Wrong(("16.5", "one too many"), "One too many: the position before the change must not see it."),
            Wrong("1", "Later positions see the changed token too, and their logits with it."),
            Wrong("{n} - {i} - 1", "The changed position itself reads the token that stands there."),
        ),
    ),
    Question(
        "16.Q8",
        WRITES,
        section="F",
        text="At temperature 1 a model finds one token {r} times as likely as another. How many times as likely at "
        "temperature {t}?",
        draw=two_tokens,
        code="""
            chances = transformer.sampling_probabilities(np.array([np.log({r}), 0.0]), temperature={t})
            times = round((chances[0] / chances[1]).item(), 6)
        """,
        shown=False,
        asked={"times as likely": "times"},
        torch="""
            chances = torch.softmax(torch.tensor([np.log({r}), 0.0]).double() / {t}, 0)
            times = (chances[0] / chances[1]).item()
        """,
        wrong=(
            Wrong(
                ("16.9", "multiplied by the temperature"),
                "The scores were multiplied by {t}. They are divided: below 1 the likely becomes likelier.",
            ),
            Wrong(
                "{r} / {t}",
                "The quotient of the probabilities was divided. The scores are, before exp: it becomes a power.",
            ),
            Wrong("{r}.0", "That is temperature 1. Another one changes how far the probabilities are apart."),
        ),
    ),
    Question(
        "16.Q9",
        WRITES,
        section="F",
        text="A model with a context length of 2 always takes the likeliest token. It has written {a} {b} {c} {d} "
        "{b} {c}. What comes next?",
        draw=lambda rng: dict(zip("abcd", different(rng, 1, 9, 4))),
        choose=True,
        answer="{d}, for certain",
        wrong=(
            Wrong(
                "that depends on the weights",
                "After {b} {c} came {d}. It reads {b} {c} again, and nothing else: the same scores.",
            ),
            Wrong("{a}, for certain", "{a} came before {b} {c}. What counts is what it wrote after {b} {c}."),
            Wrong(
                "{b}, for certain",
                "{b} came after {d}. The last two tokens are {b} {c}, and these have been there before.",
            ),
        ),
    ),
)

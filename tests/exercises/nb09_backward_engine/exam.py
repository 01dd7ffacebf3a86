"""Outcomes of notebook 09, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "9.1 9.2 9.7",
    "9.4",
    "9.3",
    "9.5 9.6",
)

QUESTIONS = (
    Question(
        "9.E1",
        "take gradients of gradients, and write the check that finds rules whose second derivative is wrong (stretch)",
        points=4,
        minutes=5,
        text="Calculate first and second.",
        draw=lambda rng: {"x": whole(rng, 2, 6), "k": whole(rng, 2, 9)},
        code="""
            x = Tensor({x}.0)
            y = x * x * x + {k} * x
            first = grad(y, x, create_graph=True)
            second = grad(first, x)
        """,
        asked=("first.item()", "second.item()"),
        wrong=(
            Wrong(
                "first.item() ** 2",
                "The first derivative was squared: the second one is the derivative of the first.",
                at=1,
            ),
            Wrong("6.0 * {x} + {k}", "The {k} of the first derivative is a constant: its derivative is 0.", at=1),
        ),
    ),
    Question(
        "9.E2",
        "say which nodes get a `.grad`, what a second `backward()` does to it, and who may change it",
        points=3,
        minutes=4,
        text="",
        draw=lambda rng: dict(zip("ab", different(rng, 2, 9, 2))),
        code="""
            x = Tensor([1.0, 2.0])
            (x * {a}).sum().backward()
            print(x.grad.tolist())
            (x * {b}).sum().backward()
            print(x.grad.tolist())
            x.grad = None
            (x * {b}).sum().backward()
            print(x.grad.tolist())
        """,
        wrong=(
            Wrong("[{b}.0, {b}.0]", "The second backward was thought to replace the gradient: a leaf adds.", at=1),
            Wrong("[{a}.0 + 2 * {b}, {a}.0 + 2 * {b}]", "Setting .grad to None was overlooked.", at=2),
        ),
    ),
    Question(
        "9.E3",
        "switch recording off, and say what that saves",
        points=3,
        minutes=4,
        text="",
        draw=lambda rng: {"x": whole(rng, 2, 9), "k": whole(rng, 2, 9)},
        code="""
            x = Tensor({x}.0)
            with no_grad():
                y = x * {k}
            z = x * {k}
            print(y.item(), z.item())
            print(y.requires_grad, z.requires_grad)
        """,
        wrong=(
            Wrong("True", "It was thought that only backward is switched off: y has no history at all.", at=1),
            Wrong("0.0", "no_grad was thought to stop the computation: the numbers are the same.", at=0),
        ),
    ),
    Question(
        "9.E4",
        "say which nodes get a `.grad`, what a second `backward()` does to it, and who may change it",
        points=3,
        minutes=4,
        text="Calculate the gradient of x.",
        draw=lambda rng: dict(zip("abk", different(rng, 2, 9, 3))),
        code="""
            x = Tensor([{a}.0, {b}.0])
            y = x * {k}
            z = y.detach() * x
            z.sum().backward()
        """,
        asked=("x.grad.tolist()",),
        wrong=(
            Wrong("[2.0 * {k} * {a}, 2.0 * {k} * {b}]", "detach was overlooked: the path through y is cut.", at=0),
            Wrong("[{k}.0, {k}.0]", "The other path was followed: through y, which is cut, and not through x.", at=0),
        ),
    ),
    Question(
        "9.E5",
        "keep the ledger of a backward pass by hand, and say why a share must never be added in place",
        points=4,
        minutes=6,
        text="The rule of a + b returns the arriving gradient itself, once for each input. An engine keeps the "
        "shares in a dict, and adds a second one by ledger[node] += share, where the values are NumPy "
        "arrays. Describe a graph in which this gives a wrong gradient, say which node gets it, and why "
        "`ledger[node] = ledger[node] + share` is right.",
        answer="y = a + b gives a and b the same array. If a is used a second time, say z = y + a * 3 or any "
        "other use whose share comes later, += adds into that array, and b's entry (and y's, whose "
        "gradient it was) changes as well, since it is the same object. b gets a's second share on top of "
        "its own. The other form makes a new array and leaves the shared one alone.",
        marking=(
            (1, "Both entries are one array (aliasing)."),
            (1, "A graph in which one of the two inputs gets a second share later."),
            (1, "The other input (or the result) gets too much."),
            (1, "A new array is made, the old one keeps its numbers."),
        ),
        wrong=(
            Wrong("+= is slower", "The question is about sharing one array, not about speed."),
            Wrong(
                "the gradient is counted twice for the node that is used twice",
                "That node's sum is right: its neighbour's is not.",
            ),
        ),
        other=Other(
            text="The rule of a + b returns the arriving gradient itself, once for each input. An engine "
            "writes x.grad = share for the first share of a leaf, and x.grad += share for all others, "
            "where the values are NumPy arrays. Ones arrive at a + b, and later a share of five for each "
            "element arrives at a, from another backward(). Which grad is wrong, what is it, and what "
            "should it be? Mend the engine with one line.",
            answer="Both leaves hold one and the same array of ones. += puts the five into it, so a and b now "
            "both have 6. For a that is right, 1 + 5. b should have 1. Mended: x.grad = x.grad + share "
            "makes a new array (or the first share is copied: x.grad = share.copy()).",
            marking=(
                (1, "Both leaves hold one array (aliasing)."),
                (1, "The one of b is wrong; that of a is right."),
                (1, "6 in place of 1."),
                (1, "A new array is made, or the first share is copied."),
            ),
            wrong=(
                Wrong("a's, since it is counted twice", "Two uses give two shares, and 1 + 5 is right."),
                Wrong("backward may not be called a second time", "It may: leaves add up."),
            ),
        ),
    ),
)

"""Questions of the quiz about notebook 03."""

from grader.exam.question import Question, Wrong, different, whole

SHARES = "say what a node passes back to its inputs, and why shares add up"
ORDER = (
    "find an order in which no node passes its gradient back too early, with recursion and without, and name a graph "
    "on which another order fails"
)
BACKWARD = "write `backward`, and say what a second call does"
COST = "count what a backward pass costs: by nodes, by paths, by inputs"
CLOSURES = "read the same engine in the form that most other courses give it"


def a_chain(rng):
    """Four names in any order, and who was made from whom, told in any order."""
    p, q, r, s = rng.sample("abcdefghkmnpqrst", 4)
    told = [f"{q} was made from {p}", f"{r} was made from {q} and {p}", f"{s} was made from {q} and {r}"]
    return dict(zip("pqrs", (p, q, r, s))) | {"told": "; ".join(rng.sample(told, 3))}


def many_uses(rng):
    """In each of n steps a node is used k times."""
    k, least, most = rng.choice([(2, 3, 6), (3, 2, 4), (4, 2, 3)])
    return {"k": k, "n": whole(rng, least, most), "sum": " + ".join("y" * k)}


def two_names(rng):
    return dict(zip("pq", rng.sample("abcdefghkmnpqrst", 2)))


QUESTIONS = (
    Question(
        "3.Q1",
        SHARES,
        section="A",
        text="What is x.grad?",
        draw=lambda rng: {"x": whole(rng, 3, 9), "k": whole(rng, 2, 9)},
        code="""
            x = Value({x}.0)
            L = x * x + x * {k}
            L.backward()
        """,
        asked=("x.grad",),
        wrong=(
            Wrong(("3.1", "assigns instead of adding"), "Only the share that arrived last is there: shares add up."),
            Wrong(("3.1", "each different input once"), "x * x uses x twice, and each use brings a share."),
        ),
    ),
    Question(
        "3.Q2",
        COST,
        section="F",
        text="A graph doubles a number {n} times: y = y + y. How many nodes does a backward pass in topological order "
        "visit, the leaf counted?",
        draw=lambda rng: {"n": whole(rng, 5, 40)},
        choose=True,
        answer="{n} + 1",
        wrong=(
            Wrong("2 to the power of {n}", "That is the number of paths; each node is visited once."),
            Wrong("2 · {n} + 1", "Each doubling makes one node, though it uses its input twice."),
        ),
    ),
    Question(
        "3.Q3",
        SHARES,
        section="A",
        text="a.grad is there already, from another result that a went into. What is it after this step?",
        draw=lambda rng: (
            dict(zip("ab", different(rng, 2, 5, 2))) | {"g": rng.choice([3, 5, 7]), "h": rng.choice([11, 13, 17, 19])}
        ),
        code="""
            a, b = Value({a}.0), Value({b}.0)
            u = a * b
            a.grad, u.grad = {h}.0, {g}.0
            u._backward()
        """,
        asked=("a.grad",),
        torch="""
            a, b = Value({a}.0), Value({b}.0)
            a.grad = torch.tensor({h}.0, dtype=float)
            (a * b).backward(torch.tensor({g}.0, dtype=float))
        """,
        wrong=(
            Wrong(
                ("3.1", "assigns instead of adding"), "This is the share alone. It is added to what was there before."
            ),
            Wrong(("3.1", "own gradient forgotten"), "The share is the local derivative times u's gradient."),
            Wrong(("3.1", "slope of the other input"), "The local derivative with respect to a is the number of b."),
            Wrong(
                ("3.1", "passes back its number"),
                "The local derivative is multiplied by u's gradient, not by its number.",
            ),
        ),
    ),
    Question(
        "3.Q4",
        ORDER,
        section="C",
        text="In a graph {told}. In which of these lists does each node stand after everything that it was made from?",
        draw=a_chain,
        choose=True,
        answer="{p}, {q}, {r}, {s}",
        wrong=(
            Wrong("{p}, {r}, {q}, {s}", "Look at the second one: one of those that it was made from comes after it."),
            Wrong("{s}, {r}, {q}, {p}", "This is the order of the backward pass: the list, read from its end."),
            Wrong(
                "{s}, {q}, {p}, {r}",
                "This is how a depth-first search meets them. A node goes on the list after its inputs.",
            ),
        ),
    ),
    Question(
        "3.Q5",
        ORDER,
        section="B",
        text="y was made from x, with the local derivative {s}. Two shares arrive at y, first {p}, later {q}. Each "
        "time y passes back at once all that it holds. What is x.grad in the end?",
        draw=lambda rng: dict(zip("pqs", different(rng, 2, 9, 3))),
        code="""
            x = Value(1.0)
            y = x * {s}
            for share in ({p}, {q}):
                y.grad += share
                y._backward()
        """,
        shown=False,
        asked=("x.grad",),
        torch="""
            x = Value(1.0)
            for held in ({p}, {p} + {q}):
                (x * {s} * held).backward()
        """,
        wrong=(
            Wrong(
                "({p}.0 + {q}) * {s}",
                "This is what y passes back if it waits for both. Here the first share is passed back twice.",
            ),
            Wrong("{p}.0 * {s}", "This is what x gets the first time. Then y passes back once more."),
        ),
    ),
    Question(
        "3.Q6",
        BACKWARD,
        section="E",
        text="What do the two nodes hold in the end?",
        draw=lambda rng: dict(zip("km", different(rng, 2, 9, 2))),
        code="""
            x = Value(1.0)
            y = x * {k}
            L = y * {m}
            L.backward()
            L.backward()
        """,
        asked=("x.grad", "y.grad"),
        torch="""
            x, y = Value(1.0), Value({k})
            for step in range(2):
                (x * {k} * {m}).backward()
            (y * {m}).backward()
        """,
        wrong=(
            Wrong(("3.4", "leaves wiped too"), "A leaf keeps what it has: the second pass adds the same once more."),
            Wrong(
                ("3.4", "inner nodes not wiped"),
                "Inside the graph each pass starts afresh, or old shares are passed on.",
            ),
            Wrong("2.0 * {m}", "y is an inner node: it starts afresh, only leaves add up.", at=1),
        ),
    ),
    Question(
        "3.Q7",
        COST,
        section="G",
        text="{n} numbers go into a program, and {m} come out of it. All derivatives of all results are wanted. How "
        "many runs does forward mode need, and how many backward passes does reverse mode need?",
        draw=lambda rng: dict(zip("nm", different(rng, 3, 60, 2))),
        code="""
            forward, backward = {n}, {m}
        """,
        shown=False,
        asked={"runs, forward mode": "forward", "passes, reverse mode": "backward"},
        torch="""
            jacobian = torch.autograd.functional.jacobian(lambda x: torch.ones({m}, {n}) @ x, torch.ones({n}))
            backward, forward = jacobian.shape
        """,
        wrong=(
            Wrong("{m}", "A run carries the derivatives with respect to one input: so one for each input.", at=0),
            Wrong("1", "One pass is enough for one result. Each result is a root of its own.", at=1),
            Wrong("{n}", "A pass starts at a result and reaches all inputs: so one for each result.", at=1),
        ),
    ),
    Question(
        "3.Q8",
        COST,
        section="F",
        text="How many paths lead from y back to x, in the end?",
        draw=many_uses,
        code="""
            x = Value(1.0)
            y = x
            for step in range({n}):
                y = {sum}
            y.backward()
        """,
        asked={"paths": "int(x.grad)"},
        wrong=(
            Wrong("{k} * {n}", "Each step multiplies the number of paths: all those so far go on from every use of y."),
            Wrong(
                "1 + ({k} - 1) * {n}", "These are the nodes. A node that is used again is one node, on several paths."
            ),
        ),
    ),
    Question(
        "3.Q9",
        CLOSURES,
        section="H",
        text="In an engine with closures the product of {p} and {q} is called out. Which line belongs in its "
        "_backward?",
        draw=two_names,
        choose=True,
        answer="{p}.grad += {q}.data * out.grad",
        wrong=(
            Wrong("{p}.grad = {q}.data * out.grad", "A share that is there already would be overwritten: it must add."),
            Wrong(
                "{p}.grad += {p}.data * out.grad", "The local derivative of a product is the number of the other side."
            ),
            Wrong(
                "out.grad += {q}.data * {p}.grad",
                "It goes back: out's gradient is known, and those of the inputs grow.",
            ),
        ),
    ),
)

"""Questions of the quiz about notebook 09."""

from grader.exam.question import Question, Wrong, different, whole

LEDGER = "keep the ledger of a backward pass by hand, and say why a share must never be added in place"
GRAD = "say which nodes get a `.grad`, what a second `backward()` does to it, and who may change it"
OFF = "switch recording off, and say what that saves"
AGAIN = "take gradients of gradients, and write the check that finds rules whose second derivative is wrong"


def a_further_share(rng):
    first, second = different(rng, 2, 9, 2)
    line, other, why = rng.choice(
        [
            (f"+= {second}", first, "+= writes into the array itself, and b has the same array"),
            (
                f'= ledger["a"] + {second}',
                first + second,
                "This + makes a new array for a. The old one, which b has, stays as it is",
            ),
        ]
    )
    return {"first": first, "line": line, "other": other, "why": why}


def a_graph(rng):
    return {
        "u": rng.choice(["x * c", "c * c"]),
        "v": rng.choice(["u * c", "u + x", "x * u", "u - c"]),
        "L": rng.choice(["v + x", "v * x", "x - v"]),
    }


def recorded_or_not(rng):
    x, recorded = whole(rng, 3, 12), rng.random() < 0.5
    if recorded:
        other, why = 0, "create_graph=True records the first derivative, so it depends on x, and can be differentiated"
    else:
        other, why = 6 * x, "Without create_graph=True the first derivative is not recorded: it is a constant"
    return {"x": x, "recorded": recorded, "other": other, "why": why}


def a_wrong_rule(rng):
    n = whole(rng, 2, 9, but=(3,))
    rule, answer, other, missed, found = rng.choice(
        [
            (
                f"out_grad * {n} * a * a",
                "gradcheck",
                "gradgradcheck",
                "gradgradcheck nudges the gradient that the rule gives, and its derivative fits: both are wrong alike",
                "gradcheck nudges x ** 3 itself, and finds 3a² in place of this",
            ),
            (
                "out_grad * 3 * a * a.data",
                "gradgradcheck",
                "gradcheck",
                "gradcheck compares the gradient's numbers with nudging, and these are right",
                "gradgradcheck nudges the gradient, and finds that it depends on more than was recorded",
            ),
        ]
    )
    return {"x": n, "rule": rule, "answer": answer, "other": other, "missed": missed, "found": found}


QUESTIONS = (
    Question(
        "9.Q1",
        LEDGER,
        section="B",
        text="What stands in the ledger for y, and what for x, at the end of the backward pass?",
        draw=lambda rng: {"x": whole(rng, 2, 9), "c": whole(rng, 2, 9)},
        code="""
            x = Tensor({x}.0)
            y = x * x
            L = y * {c} + y
            L.backward()
        """,
        asked={"y": "y.grad", "x": "x.grad"},
        torch="""
            x = Tensor({x}.0)
            y = x * x
            y.retain_grad()
            (y * {c} + y).backward()
        """,
        wrong=(
            Wrong(
                ("9.2", "the first share wins"), "y is used twice, and x too: a further share is added to the first."
            ),
            Wrong(("9.2", "the last share wins"), "y is used twice, and x too: a share is added to what stands there."),
            Wrong(("9.2", "each different input once"), "x * x uses x twice, and each use sends a share."),
        ),
    ),
    Question(
        "9.Q2",
        LEDGER,
        section="B",
        text="In a ledger of arrays the rule of c = a + b has given its gradient to a and to b. Then a further share "
        "comes for a. What is printed?",
        draw=a_further_share,
        code="""
            gradient = np.array([{first}.0])
            ledger = {"a": gradient, "b": gradient}
            ledger["a"] {line}
            print(ledger["b"].item())
        """,
        torch="""
            gradient = torch.tensor([{first}.0])
            ledger = {"a": gradient, "b": gradient}
            ledger["a"] {line}
            print(ledger["b"].item())
        """,
        wrong=(Wrong("{other}.0", "{why}."),),
    ),
    Question(
        "9.Q3",
        LEDGER,
        section="A",
        text="x is a leaf, c is a constant. u = {u}, v = {v}, L = {L}. The backward pass begins at L. How many nodes "
        "get a line in the ledger?",
        draw=a_graph,
        code="""
            x, c = Tensor(2.0), Tensor(3.0, requires_grad=False)
            u = {u}
            v = {v}
            L = {L}
            def nodes(root):
                return {root}.union(*(nodes(node) for node in root._inputs if node.requires_grad))
        """,
        torch="""
            x, c = Tensor(2.0), Tensor(3.0, requires_grad=False)
            u = {u}
            v = {v}
            L = {L}
            def nodes(root):
                made = getattr(root, "grad_fn", root)
                return {made}.union(*(nodes(node) for node, _ in made.next_functions if node))
        """,
        shown=False,
        asked={"nodes": "len(nodes(L))"},
        wrong=(
            Wrong("5", "What requires no grad gets no line: c, and what is made of c alone."),
            Wrong("1", "Leaves alone keep a gradient in PyTorch. In the ledger each node on the way to x has a line."),
        ),
    ),
    Question(
        "9.Q4",
        GRAD,
        section="D",
        text="What do y.grad and x.grad hold, in babygrad?",
        draw=lambda rng: {"x": whole(rng, 2, 5), "k": whole(rng, 2, 5)},
        code="""
            x = Tensor({x}.0)
            y = x * {k}
            L = y * y
            L.backward()
            L.backward()
        """,
        torch="""
            x = Tensor({x}.0)
            y = x * {k}
            y.retain_grad()
            (y * y).backward(retain_graph=True)
            y.grad = None
            (y * y).backward()
        """,
        asked=("y.grad", "x.grad"),
        wrong=(
            Wrong(
                ("9.4", "a second backward pass replaces the first"), "A leaf such as x adds up what each pass finds."
            ),
            Wrong(
                ("9.4", "inner nodes add up too"), "Leaves alone add up. An inner node starts afresh with each pass."
            ),
            Wrong(
                ("9.4", "a second backward pass begins where the first ended"),
                "What a pass leaves in y.grad is not passed on by the next one: each has a ledger of its own.",
            ),
        ),
    ),
    Question(
        "9.Q5",
        OFF,
        section="C",
        text="What is x.grad?",
        draw=lambda rng: {"x": whole(rng, 2, 9), "k": 10 * whole(rng, 2, 9) + 1},
        code="""
            x = Tensor({x}.0)
            y = x * x
            with no_grad():
                z = x * {k}
            (y + z).backward()
        """,
        asked=("x.grad",),
        wrong=(
            Wrong(
                "2.0 * {x} + {k}", "z was not recorded: to the backward pass it is a constant, and no share goes back."
            ),
            Wrong("{k}.0", "z is the one that was not recorded. The share of x comes through y."),
        ),
    ),
    Question(
        "9.Q6",
        OFF,
        section="C",
        text="A trained net of {n} layers reads {m} pictures, and nobody calls backward(). What does it save to do "
        "that under no_grad()?",
        draw=lambda rng: {"n": whole(rng, 3, 12), "m": 100 * whole(rng, 1, 9)},
        choose=True,
        answer="the record of the operations, and all arrays that it keeps alive",
        wrong=(
            Wrong(
                "the gradients, which each layer computes on its way forward", "A forward pass computes no gradient."
            ),
            Wrong(
                "nothing, since backward() is what makes the graph", "The forward pass makes it; backward() walks it."
            ),
            Wrong("the room for the .grad of all weights", "It is backward() that fills .grad in: before, it is None."),
        ),
    ),
    Question(
        "9.Q7",
        AGAIN,
        section="F",
        text="",
        draw=recorded_or_not,
        code="""
            x = Tensor({x}.0)
            first = grad(x * x * x, x, create_graph={recorded})
            second = grad(first, x)
            print(second.item())
        """,
        torch="""
            x = Tensor({x}.0)
            first = grad(x * x * x, x, create_graph=True)
            second = grad(first, x) if {recorded} else torch.zeros(())
            print(second.item())
        """,
        wrong=(
            Wrong("{other}.0", "{why}."),
            Wrong("3.0 * {x} * {x}", "That is the first derivative. What is printed is the derivative of that one."),
        ),
    ),
    Question(
        "9.Q8",
        AGAIN,
        section="G",
        text="A rule for x ** 3 returns `{rule}`, and is tried at x = {x}. Which check finds the mistake?",
        draw=a_wrong_rule,
        choose=True,
        answer="{answer} alone",
        wrong=(
            Wrong("{other} alone", "{missed}."),
            Wrong("both gradcheck and gradgradcheck", "{missed}."),
            Wrong("neither of the two", "{found}."),
        ),
    ),
)

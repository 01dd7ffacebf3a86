"""Questions of the quiz about notebook 13."""

from grader.exam.question import Question, Wrong, different, whole

READ = "read PyTorch's graph, find your own operations in it, and say in which order backward calls their rules"
ADDS = "name what PyTorch adds to what you have built; for each, which mistake it prevents and what it costs"


def two_users(rng):
    """z is made by one operation, and used by a function and by another operation."""
    (made, inner), (sign, outer) = rng.sample([("*", "Mul"), ("-", "Sub"), ("/", "Div"), ("+", "Add")], 2)
    function = rng.choice(["Exp", "Tanh", "Log", "Sqrt", "Abs"])
    return {"made": made, "inner": inner, "sign": sign, "outer": outer, "f": function, "call": function.lower()}


QUESTIONS = (
    Question(
        "13.Q1",
        "say how close two right engines come to each other, and why not closer",
        section="A",
        text="Two right engines compute in float64, with the same net, weights and batch. The gradients are around "
        "0.0{k}. What is the largest difference, roughly?",
        draw=lambda rng: {"k": whole(rng, 1, 9)},
        choose=True,
        answer="10⁻¹⁷",
        wrong=(
            Wrong("0, to the last bit", "They add the same numbers in another order, and each order rounds elsewhere."),
            Wrong("10⁻¹⁰", "A finite difference is about that far off. Two engines come closer."),
            Wrong("10⁻⁴", "Rounding in float64 explains no such difference: one of the engines would be wrong."),
        ),
    ),
    Question(
        "13.Q2",
        READ,
        section="B",
        text="z = x {made} y, and L = z {sign} z.{call}(). In which order does backward call the rules?",
        draw=two_users,
        choose=True,
        answer="{outer}, {f}, {inner}",
        wrong=(
            Wrong(
                "{outer}, {inner}, {f}",
                "That is a walk that prints what it meets first. backward waits until both shares have come to z.",
            ),
            Wrong("{inner}, {f}, {outer}", "That is the order of computing. backward begins at the result."),
        ),
    ),
    Question(
        "13.Q3",
        READ,
        section="B",
        text="PyTorch computes a loss with a net of {n} linear layers, each with a bias. How many AccumulateGrad are "
        "in the graph behind the loss? (The batch and its labels require no grad.)",
        draw=lambda rng: {"n": whole(rng, 2, 9)},
        code="""
            net = nn.MLP([3] * ({n} + 1), "tanh")
            leaves = len(net.parameters())
        """,
        shown=False,
        asked={"AccumulateGrad": "leaves"},
        torch="""
            layers = [torch.nn.Linear(3, 3) for _ in range({n})]
            loss = torch.nn.Sequential(*layers)(torch.zeros(2, 3)).sum()
            waiting, met = [loss.grad_fn], set()
            while waiting:
                function = waiting.pop()
                if function is not None and function not in met:
                    met.add(function)
                    waiting += [behind for behind, _ in function.next_functions]
            leaves = sum("AccumulateGrad" in function.name() for function in met)
        """,
        wrong=(
            Wrong(
                "{n}", "One for each layer. There is one for each leaf, and a layer has two: its weight and its bias."
            ),
            Wrong("2 * {n} + 1", "One more than there are parameters. For what requires no grad PyTorch notes None."),
            Wrong("12 * {n}", "That counts numbers, for layers of 3. A parameter is one leaf, whatever its size."),
        ),
    ),
    Question(
        "13.Q4",
        "say which part of a step's time is overhead, and which is arithmetic",
        section="D",
        text="A step of a net takes {b} µs. With one unit in each layer and one point as the batch it would take {a} "
        "µs. About how long does the step of the whole net take with a batch {k} times as large?",
        draw=lambda rng: {"a": whole(rng, 7, 9) * 10, "b": whole(rng, 11, 13) * 10, "k": whole(rng, 3, 6)},
        code="""
            overhead, arithmetic = {a}, {b} - {a}
            longer = overhead + {k} * arithmetic
        """,
        shown=False,
        asked={"µs": "longer"},
        wrong=(
            Wrong(
                "{k} * {b}",
                "All of the time was multiplied. {a} µs of it are overhead, and do not grow with the arrays.",
            ),
            Wrong("{b}", "The overhead stays. The arithmetic, {b} µs less {a} µs, grows with the batch."),
            Wrong(
                "{k} * {a} + {b} - {a}", "The overhead was multiplied. It is the arithmetic that grows with the arrays."
            ),
        ),
    ),
    Question(
        "13.Q5",
        ADDS,
        section="E",
        text="Somebody writes into the array of a before the backward pass. What is b.grad?",
        draw=lambda rng: dict(zip("abk", different(rng, 2, 9, 3))),
        code="""
            a, b = Tensor([{a}.0]), Tensor([{b}.0])
            product = a * b
            a.data[0] = {k}.0
            product.backward()
        """,
        asked={"b.grad": "b.grad.item()"},
        wrong=(
            Wrong("{a}.0", "That is what a was. The rule of a product reads a's array when backward calls it."),
            Wrong("{b}.0", "That is the gradient of a: each factor gets the other one."),
        ),
    ),
    Question(
        "13.Q6",
        ADDS,
        section="E",
        text="In PyTorch t is {t}, and requires grad. L = t * t is computed once. Then L.backward() is called twice, "
        "without any option. What happens?",
        draw=lambda rng: rng.choice([{"t": t, "once": 2 * t, "twice": 4 * t} for t in range(2, 10)]),
        choose=True,
        answer="The second call raises an error.",
        wrong=(
            Wrong(
                "t.grad is {twice} in the end.", "That is what your engine does. PyTorch has freed the saved tensors."
            ),
            Wrong("t.grad is {once} in the end.", "A leaf forgets nothing by itself; and PyTorch does not get so far."),
        ),
    ),
    Question(
        "13.Q7",
        "say what a Jacobian-vector product is, and when forward mode beats a backward pass",
        section="F",
        text="a is {a} and moves at {p}, b is {b} and moves at {q}. How fast does a · b move?",
        draw=lambda rng: dict(zip("ab", different(rng, 6, 9, 2))) | dict(zip("pq", different(rng, 2, 5, 2))),
        code="""
            a, b = Tensor({a}.0), Tensor({b}.0)
            rates = {a: np.array({p}.0), b: np.array({q}.0)}
            rate = forward_mode.rate_of(a * b, rates).item()
        """,
        shown=False,
        asked={"the rate of a · b": "rate"},
        torch="""
            at, v = (torch.tensor({a}.0), torch.tensor({b}.0)), (torch.tensor({p}.0), torch.tensor({q}.0))
            rate = torch.func.jvp(lambda a, b: a * b, at, v)[1].item()
        """,
        wrong=(
            Wrong(
                ("13.3", "the product of the rates"),
                "If a alone moved, b's rate would be 0, and a · b would move still.",
            ),
            Wrong(
                ("13.3", "each rate with its own side"),
                "One more in a makes b more in a · b: each rate goes with the other.",
            ),
            Wrong(
                ("13.3", "only the left side moves"),
                "That is its rate while b stands still. b moves too, and both effects add up.",
            ),
        ),
    ),
    Question(
        "13.Q8",
        "write tests that expose twelve typical mistakes",
        section="B",
        text="An engine begins at the result and goes on to the inputs, the left one first. It calls a node's rule "
        "as soon as it meets the node, and never again. z = x * {k}. Which expression gives it a wrong x.grad?",
        draw=lambda rng: {"k": whole(rng, 2, 9), "f": rng.choice(["exp", "tanh", "sigmoid"])},
        choose=True,
        answer="z + z.{f}()",
        wrong=(
            Wrong("x + z.{f}()", "x is used twice, but it is a leaf: it has no rule that could be called too early."),
            Wrong("z.{f}() * {k}", "z is used once: its one share is there when the walk meets it."),
        ),
    ),
)

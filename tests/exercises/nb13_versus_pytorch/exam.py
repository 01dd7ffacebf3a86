"""Outcomes of notebook 13, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "",
    "13.1",
    "",
    "",
    "13.3",
    "13.4",
)

QUESTIONS = (
    Question(
        "13.E1",
        "say what a Jacobian-vector product is, and when forward mode beats a backward pass",
        points=4,
        minutes=6,
        text="f(x, y) = (x · y, x + y) at x = {x}, y = {y}. Calculate the Jacobian-vector product for the "
        "direction (1, {k}), and the vector-Jacobian product for (1, {k}) as the gradient that arrives.",
        draw=lambda rng: dict(zip("xyk", different(rng, 2, 9, 3))),
        code="""
            jacobian = np.array([[{y}.0, {x}.0], [1.0, 1.0]])
            jvp_is = jacobian @ np.array([1.0, {k}.0])
            vjp_is = np.array([1.0, {k}.0]) @ jacobian
        """,
        shown=False,
        asked={"Jacobian-vector product": "jvp_is", "vector-Jacobian product": "vjp_is"},
        torch="""
            def f(x):
                return torch.stack([x[0] * x[1], x[0] + x[1]])

            at, v = torch.tensor([{x}.0, {y}.0]).double(), torch.tensor([1.0, {k}.0]).double()
            jvp_is = torch.func.jvp(f, (at,), (v,))[1]
            vjp_is = torch.func.vjp(f, at)[1](v)[0]
        """,
        wrong=(
            Wrong("vjp_is", "The two products were exchanged: rates run forwards, gradients backwards.", at=0),
            Wrong(
                "np.array([{x}.0 + {k} * {y}, 1.0 + {k}])",
                "The product rule: each side's rate goes with its own number.",
                at=0,
            ),
        ),
    ),
    Question(
        "13.E2",
        "say how close two right engines come to each other, and why not closer",
        points=3,
        minutes=4,
        text="",
        draw=lambda rng: {"k": whole(rng, 2, 9)},
        code="""
            big, small = 1e16, {k} / 10
            print((big + small) - big)
            print((big - big) + small)
            print((0.1 + 0.2) + 0.3 == 0.1 + (0.2 + 0.3))
        """,
        wrong=(
            Wrong(
                "{k} / 10",
                "It was thought that the sum is exact: near 1e16 neighbouring float64 numbers are 2 apart.",
                at=0,
            ),
            Wrong("True", "It was thought that the order of a sum does not matter to a computer.", at=2),
        ),
    ),
    Question(
        "13.E3",
        "say which part of a step's time is overhead, and which is arithmetic",
        points=3,
        minutes=5,
        text="With a batch of 64 and layers of 32, a step takes three times as long in an engine as in NumPy by "
        "hand. With layers of 2,048 both take the same time. Why? What would you change to make each of the two "
        "cases faster?",
        answer="Each operation has a fixed price: calling it, wrapping arrays, writing the graph. For small "
        "arrays this overhead is most of the time. For large ones the arithmetic, above all the matrix products, "
        "is far more, and both call the same routines for it. Small: fewer and larger operations, larger "
        "batches, fused operations, a compiled step. Large: less arithmetic, float32, more cores, better matrix "
        "products; the engine around it hardly matters.",
        marking=(
            (1, "Overhead per operation does not depend on the size."),
            (1, "Arithmetic grows with the size, and is the same code in both."),
            (1, "One fitting measure for each case."),
        ),
        wrong=(
            Wrong("Python is slow with large arrays", "The loops over elements run in compiled code in both cases."),
            Wrong("use a faster language for the engine", "That helps the small case only."),
        ),
        other=Other(
            text="Two engines train the same nets, with the same NumPy. With layers of 16 a step of the first "
            "takes half as long as one of the second; with layers of 4,096 nobody can tell them apart. "
            "What does the first do better, and why does it not show in the large net? Which of the two "
            "nets gains more from float32, and why?",
            answer="It spends less on each operation beside the arithmetic: calls, checks, nodes of the graph. "
            "That price is the same for small and large arrays. In the large net it disappears beside the"
            " products, which both leave to the same compiled code. float32 halves the bytes and roughly "
            "the time of large products, so the large net gains; the small one hardly does, since its "
            "time goes elsewhere.",
            marking=(
                (1, "Less overhead per operation."),
                (1, "Overhead does not grow with the size; arithmetic does, and is the same code in both."),
                (1, "The large one: float32 is about arithmetic and memory."),
            ),
            wrong=(
                Wrong("its matrix product is faster", "Then the large net would show it most."),
                Wrong("float32 makes both twice as fast", "The price of a call does not depend on the dtype."),
            ),
        ),
    ),
    Question(
        "13.E4",
        "name what PyTorch adds to what you have built; for each, which mistake it prevents and what it costs",
        points=3,
        minutes=5,
        text="y = exp(x) is computed, then the array of y is changed in place, then backward is called. What "
        "goes wrong in an engine without protection, and for which operations? How does PyTorch notice, and what "
        "does that cost?",
        answer="The rule of exp uses its result as its derivative, and the array now holds other numbers: the "
        "gradient is wrong, without a word. It concerns every rule that keeps an array, an input (a product) or "
        "a result (exp, tanh, sigmoid); a sum keeps none. PyTorch counts changes: each tensor has a version "
        "number, a rule remembers the one of what it saved, and backward compares and raises an error. It costs "
        "one number for each tensor and a comparison for each saved one.",
        marking=(
            (1, "A silently wrong gradient, since the rule reads the changed array."),
            (1, "Rules that keep an input or a result; a sum does not."),
            (1, "A version counter, compared in backward: a number and a comparison."),
        ),
        wrong=(
            Wrong("PyTorch copies everything it saves", "Copies would double the memory; it counts instead."),
            Wrong(
                "in-place changes are not possible in PyTorch",
                "They are, and mostly harmless: only saved arrays matter.",
            ),
        ),
        other=Other(
            text="Somebody computes h = tanh(x), adds 1 to the array of h in place, and calls backward: the "
            "gradient of x is wrong, and nothing says so. With h = a + b in the place of tanh(x) all "
            "gradients are right. Why is it wrong there and right here? What does PyTorch do about it, "
            "and at what price?",
            answer="The rule of tanh takes its local derivative, 1 - h², from its result, and that array has "
            "other numbers now. The rule of a sum passes on what arrives, and reads no array at all. "
            "PyTorch gives each tensor a version number that every change in place raises; a rule "
            "remembers the one of what it saved, and backward raises an error if they differ. That costs "
            "a number for each tensor, and a comparison for each saved one.",
            marking=(
                (1, "tanh's rule reads the changed array."),
                (1, "A sum's rule keeps no array."),
                (1, "A version counter, compared in backward: a number and a comparison."),
            ),
            wrong=(
                Wrong("PyTorch copies everything it saves", "Copies would double the memory; it counts instead."),
                Wrong(
                    "adding 1 does not change a derivative",
                    "As a step of the calculation it does not; here it changes what the rule reads.",
                ),
            ),
        ),
    ),
    Question(
        "13.E5",
        "read PyTorch's graph, find your own operations in it, and say in which order backward calls their rules",
        points=4,
        minutes=5,
        text="z = x {made} y, t = z.{f}(), L = t * (z + t). A walk begins at L.grad_fn, goes through next_functions, "
        "the first one first, and prints each name when it first gets there. Which names does it print, in which "
        "order? In which order does backward call the rules? (The names of our classes.)",
        draw=lambda rng: {"made": rng.choice("-/"), "f": rng.choice(["exp", "tanh", "sigmoid", "sqrt"])},
        code="""
            x, y = Tensor([3.0]), Tensor([2.0])
            z = x {made} y
            t = z.{f}()
            L = t * (z + t)
            walk, functions = [], [L.grad_fn]
            while functions:
                function = functions.pop()
                if function and function.name() not in walk:
                    walk.append(function.name())
                    functions += [behind for behind, _ in reversed(function.next_functions)]
            order = [node._op.name() for node in reversed(autograd.topological_order(L)) if node._op]
        """,
        shown=False,
        asked={"the walk": "' '.join(walk)", "backward": "' '.join(order)"},
        torch="""
            x, y = Tensor([3.0]), Tensor([2.0])
            z = x {made} y
            t = z.{f}()
            L = t * (z + t)
            walk, order, functions = [], [], [L.grad_fn]
            while functions:
                function = functions.pop()
                name = function.name().removesuffix("Backward0")
                if "::" not in name and name not in walk:
                    walk.append(name)
                    function.register_hook(lambda *_, name=name: order.append(name))
                    functions += [behind for behind, _ in reversed(function.next_functions)]
            L.backward()
        """,
        wrong=(
            Wrong(
                "' '.join(order)",
                "The walk waits for nothing: it goes on through the first input, with all behind it.",
                at=0,
            ),
            Wrong(
                "' '.join(walk)",
                "A rule is called when all shares have arrived: t is used by * and by +, z by its function and by +.",
                at=1,
            ),
            Wrong("' '.join(reversed(order))", "That is the order of computing: backward begins at the result.", at=1),
        ),
    ),
    Question(
        "13.E6",
        "write tests that expose twelve typical mistakes",
        points=3,
        minutes=6,
        text="Three broken engines. A sums the axes that broadcasting added, not those of size 1 that it stretched. "
        "B takes sum(0) for sum(). In C each of several equal maxima gets the whole gradient. Give for each one "
        "expression, with shapes or numbers, that shows the mistake, and say how it shows; and one on the same "
        "operation that does not.",
        answer="A: x * c with x (2, 3) and c (2, 1): c's gradient comes out as (2, 3). With a row (3,), only an axis "
        "is added, and all is well. B: x.sum(0) of a (2, 3) gives one number in the place of three; of a vector both "
        "are the same. C: the max of (1, 4, 4): each 4 gets 1, and 1/2 is right; without equal numbers nothing "
        "shows.",
        marking=(
            (1, "A: a stretched axis of size 1, where an added one shows nothing."),
            (1, "B: a matrix (a vector shows nothing)."),
            (1, "C: the highest number at least twice (without ties it shows nothing)."),
        ),
        wrong=(
            Wrong("x * x for A", "Equal shapes are not broadcast: no axis is summed at all."),
            Wrong("any matrix for C", "Without a tie one number gets the whole gradient, and that is right."),
        ),
        other=Other(
            text="Three broken engines. A computes tanh's local derivative from what went in, as 1 - x². B lets a "
            "gradient through relu where its input is 0. C calls a node's rule when it first meets the node. Give "
            "for each one expression, with numbers, that shows the mistake, and say how it shows; and one that does "
            "not.",
            answer="A: tanh at 2, where 1 - 4 is below 0 and no slope of tanh is; at 0 both are 1. B: relu of 0 gets "
            "the gradient 1, and 0 is right; of 1 or -1 both are the same. C: z + z.exp() with z = x * x: z's rule "
            "is called with the share of + alone. With x + x.exp() for a leaf x nothing shows, since a leaf has no "
            "rule.",
            marking=(
                (1, "A: an x other than 0 (at 0 nothing shows)."),
                (1, "B: an x that is exactly 0 (another one shows nothing)."),
                (1, "C: an intermediate result that is used twice, near and far (a leaf shows nothing)."),
            ),
            wrong=(
                Wrong("random inputs for B", "They are never exactly 0."),
                Wrong("x * x for C", "A leaf that is used twice has no rule that could be called too early."),
            ),
        ),
    ),
)

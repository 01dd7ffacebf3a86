"""Outcomes of notebook 05, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "5.1 5.2",
    "5.3 5.4",
    "5.5",
    "5.6 5.7",
)


def one_end_that_requires(rng):
    """Of a, b and c either a requires grad or c.  once: as if only that one were remembered."""
    first = rng.random() < 0.5
    numbers = dict(zip("xyz", different(rng, 2, 9, 3)))
    return numbers | {"a": first, "c": not first, "once": "1 0" if first else "0 1"}


QUESTIONS = (
    Question(
        "5.E1",
        "say what shape `a + b` has before you run it, or that it has none",
        points=3,
        minutes=4,
        text="np.broadcast_shapes gives the shape of a sum, and raises a ValueError where there is none.",
        draw=lambda rng: dict(zip("mnk", different(rng, 2, 9, 3))),
        code="""
            def shape(a, b):
                try:
                    return np.broadcast_shapes(a, b)
                except ValueError:
                    return "error"

            print(shape(({m}, {n}), ({n},)))
            print(shape(({m}, {n}), ({m},)))
            print(shape(({m}, 1, {n}), ({k}, 1)))
        """,
        torch="""
            def shape(a, b):
                try:
                    return tuple(torch.broadcast_shapes(a, b))
                except RuntimeError:
                    return "error"

            print(shape(({m}, {n}), ({n},)))
            print(shape(({m}, {n}), ({m},)))
            print(shape(({m}, 1, {n}), ({k}, 1)))
        """,
        wrong=(
            Wrong("({m}, {n})", "The shapes were lined up at the left.", at=1),
            Wrong("'error'", "A size of 1 was not stretched, or the missing axis in front was not added.", at=2),
        ),
    ),
    Question(
        "5.E2",
        "say why nobody stores the Jacobian of an array operation, and find the vector-Jacobian product that "
        "takes its place",
        points=4,
        minutes=6,
        text="y is the running sum of x: y[0] = x[0], y[1] = x[0] + x[1], and so on. x has three numbers, "
        "and the gradient that arrives at y is ({a}, {b}, {c}). Calculate the gradient of x.",
        draw=lambda rng: dict(zip("abc", different(rng, 2, 9, 3))),
        code="""
            table = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
            g = np.array([{a}.0, {b}.0, {c}.0])
            gradient = g @ table
        """,
        shown=False,
        asked={"gradient of x": "gradient"},
        torch="""
            x = Tensor([1.0, 2.0, 3.0])
            (torch.cumsum(x, 0) * torch.tensor([{a}.0, {b}.0, {c}.0])).sum().backward()
            gradient = x.grad
        """,
        wrong=(
            Wrong("np.cumsum(g)", "The running sum was taken again: the Jacobian was not transposed.", at=0),
            Wrong("g", "The gradient was passed on as it came.", at=0),
            Wrong(
                "np.array([3.0, 2.0, 1.0])", "How often each number is used, without the gradient that arrives.", at=0
            ),
        ),
    ),
    Question(
        "5.E3",
        "make `+ - * / **` work with numbers, lists and arrays on either side",
        points=2,
        minutes=3,
        text="",
        draw=lambda rng: {"x": whole(rng, 2, 5), "k": whole(rng, 6, 9)},
        code="""
            x = Tensor([{x}.0, 1.0])
            y = {k} - x
            z = np.array([1.0, {k}.0]) * x
            print(y.data.tolist(), z.data.tolist())
            print(type(z) is Tensor)
        """,
        torch="""
            x = Tensor([{x}.0, 1.0])
            y = {k} - x
            z = torch.tensor([1.0, {k}.0]) * x
            print(y.data.tolist(), z.data.tolist())
            print(isinstance(z, torch.Tensor))
        """,
        wrong=(
            Wrong("[{x}.0 - {k}, 1.0 - {k}]", "x - {k} was computed in place of {k} - x.", at=0),
            Wrong(
                "False",
                "It was thought that NumPy keeps the left side's word: the array's __mul__ gives way to the Tensor's "
                "__rmul__.",
                at=1,
            ),
        ),
    ),
    Question(
        "5.E4",
        "say why nobody stores the Jacobian of an array operation, and find the vector-Jacobian product that "
        "takes its place",
        points=4,
        minutes=6,
        text="A layer takes an array of a million numbers and applies exp to each. How many numbers has the "
        "Jacobian of this operation, and how many of them are not 0? What does the operation's backward do "
        "instead, and what does it cost?",
        answer="The Jacobian has a million times a million numbers, 10 to the power of 12 (8 terabytes in "
        "float64). All but the million on the diagonal are 0, since each result depends on one input only. "
        "backward receives the gradient of the result and returns its product with the Jacobian directly: each "
        "number times exp of its input, a million multiplications.",
        marking=(
            (1, "10 to the power of 12 entries."),
            (1, "A million of them are not 0: the diagonal."),
            (1, "backward computes the product of the arriving gradient with the Jacobian, without building it."),
            (1, "One multiplication for each element."),
        ),
        wrong=(
            Wrong(
                "a million entries",
                "The derivative of each number by itself was counted, not the table of each by each.",
            ),
            Wrong("it returns the derivatives exp(x)", "The gradient that arrives was forgotten."),
        ),
        other=Other(
            text="An operation sums up each row of an array with 1,000 rows and 1,000 columns. How many "
            "numbers does the Jacobian of this operation have, and how many of them are not 0? What does the "
            "operation's backward do instead, and what does it cost?",
            answer="There are 1,000 results and a million inputs: 10 to the power of 9 numbers (8 gigabytes in "
            "float64). Each input is a part of one sum only, where its derivative is 1: a million numbers"
            " are not 0. backward receives 1,000 numbers, one for each row, and hands each of them to all"
            " elements of its row: a million numbers are written at most, and nothing is multiplied.",
            marking=(
                (1, "10 to the power of 9 entries."),
                (1, "A million of them are not 0: each input is in one sum."),
                (1, "backward computes the product of the arriving gradient with the Jacobian, without building it."),
                (1, "Each arriving number is copied along its row: a million numbers written (or none, as a view)."),
            ),
            wrong=(
                Wrong("a million entries", "The inputs were counted, not the table of each result by each input."),
                Wrong("it returns an array of ones", "The gradient that arrives was forgotten."),
            ),
        ),
    ),
    Question(
        "5.E5",
        "write what every operation has in common: unwrap the arrays, compute, wrap the result, record it",
        points=3,
        minutes=4,
        text="_inputs are the Tensors that a result remembers.",
        draw=one_end_that_requires,
        code="""
            a = Tensor([{x}.0, 1.0], requires_grad={a})
            b = Tensor([{y}.0, 2.0], requires_grad=False)
            c = Tensor([{z}.0, 3.0], requires_grad={c})
            print((a * b).requires_grad, (b * c).requires_grad)
            print(len((a * b)._inputs), len((b * c)._inputs))
            print(type((a * b).data) is np.ndarray)
        """,
        torch="""
            a = Tensor([{x}, 1], requires_grad={a})
            b = Tensor([{y}, 2], requires_grad=False)
            c = Tensor([{z}, 3], requires_grad={c})
            print((a * b).requires_grad, (b * c).requires_grad)
            print(2 * (a * b).requires_grad, 2 * (b * c).requires_grad)
            print(True)
        """,
        wrong=(
            Wrong("'False False'", "One input that requires grad is enough: if it moves, the result moves.", at=0),
            Wrong("'True True'", "Where no input requires grad, the result does not either: it is a constant.", at=0),
            Wrong("'2 2'", "A constant remembers nothing: no backward pass will ever go through it.", at=1),
            Wrong(
                "'{once}'", "A constant input is remembered as well: the rule of the product needs its numbers.", at=1
            ),
            Wrong("False", "forward computes with arrays, and data is the array that it gave.", at=2),
        ),
    ),
)

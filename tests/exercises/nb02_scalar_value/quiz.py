"""Questions of the quiz about notebook 02."""

from grader.exam.question import Question, Wrong, different, whole

OPERATORS = "make a class of your own work with `+ - * / **`, also when the number on the left is a plain one"
LOCAL = "name the local derivative of every operation from `+` to `sigmoid`"
GRAPH = "read a computation graph: leaves, inner nodes, operations, local derivatives"
BY_HAND = "find all derivatives of a small expression by hand, from the result back to its leaves"


def three_numbers(rng):
    """To be put into relu: one below 0, 0 and one above, in some order."""
    return dict(zip("abc", rng.sample([-whole(rng, 2, 9), 0, whole(rng, 2, 9)], 3)))


QUESTIONS = (
    Question(
        "2.Q1",
        OPERATORS,
        section="E",
        text="What does this print? If it stops with an error, write: error",
        draw=lambda rng: dict(zip("kx", different(rng, 2, 12, 2))),
        code="""
            class Number:
                def __init__(self, data):
                    self.data = data

                def __sub__(self, other):
                    return Number(self.data - other)

                __rsub__ = __sub__

            print(({k} - Number({x})).data)
        """,
        wrong=(
            Wrong("{k} - {x}", "Python calls __rsub__ of the Number on the right: there self is the right side."),
            Wrong("'error'", "{k} cannot subtract a Number, but then Python asks the right side for its __rsub__."),
        ),
    ),
    Question(
        "2.Q2",
        OPERATORS,
        section="D",
        text="",
        draw=lambda rng: {"x": whole(rng, 3, 12), "k": whole(rng, 2, 9)},
        code="""
            x = Value({x}.0)
            y = Value({k} * x.data)
            L = x * y
            L.backward()
            print(x.grad)
        """,
        torch="""
            x = Value({x}.0)
            y = {k} * x.detach()
            L = x * y
            L.backward()
            print(x.grad)
        """,
        wrong=(
            Wrong("2.0 * {k} * {x}", "y was made from a plain number: it is a leaf, and no path leads from it to x."),
            Wrong("0.0", "L itself was made from x: that path is there. It is y that has none."),
            Wrong("{k}.0", "So much y would change, if it were made from x. The question is how much L does."),
        ),
    ),
    Question(
        "2.Q3",
        LOCAL,
        section="C",
        text="Which local derivative does y remember?",
        draw=lambda rng: {"x": rng.choice([4, 5, 6, 10]), "n": whole(rng, 3, 4)},
        code="""
            x = Value({x}.0)
            y = x ** {n}
            slope = y._slopes[0]
        """,
        asked={"local derivative": "slope"},
        torch="""
            x = Value({x}.0)
            slope = grad(x ** {n}, x)
        """,
        wrong=(
            Wrong(("2.3", "the exponent is not lowered"), "The exponent comes in front, and is lowered by 1 as well."),
            Wrong(
                ("2.3", "the exponent does not come in front"), "The exponent was lowered, but it comes in front too."
            ),
            Wrong(
                ("2.3", "the rule of the square for every exponent"), "2x is right for the square, and for it alone."
            ),
            Wrong(("2.3", "n times x as the slope"), "The power is missing: only for the square it is x itself."),
        ),
    ),
    Question(
        "2.Q4",
        LOCAL,
        section="H",
        text="tanh(x) comes out as {sign}0.{t}. What is the local derivative of tanh there?",
        draw=lambda rng: {"sign": rng.choice(["", "-"]), "t": rng.choice([1, 2, 3, 4, 6, 7, 8, 9])},
        code="""
            x = Value(float(np.arctanh({sign}0.{t})))
            y = x.tanh()
            slope = round(y._slopes[0], 9)
        """,
        shown=False,
        asked={"local derivative": "slope"},
        torch="""
            x = torch.atanh(torch.tensor({sign}0.{t}, dtype=float)).requires_grad_()
            slope = grad(torch.tanh(x), x).round(decimals=9)
        """,
        wrong=(
            Wrong(("2.8", "sigmoid's slope for tanh"), "This is the rule of sigmoid. tanh is flat at -1 and at 1."),
            Wrong(
                ("2.8", "a tent for tanh"),
                "1 minus the size goes up and down in straight lines. The slopes make an arch.",
            ),
            Wrong(
                ("2.8", "the square of tanh alone"),
                "This is 0 in the middle, where tanh is steepest. 1 minus it is right.",
            ),
        ),
    ),
    Question(
        "2.Q5",
        LOCAL,
        section="I",
        text="The local derivatives of relu at three places, as the course has them.",
        draw=three_numbers,
        code="""
            print([Value(x).relu()._slopes[0] for x in ({a}, {b}, {c})])
        """,
        torch="""
            places = Tensor([{a}, {b}, {c}])
            print(grad(torch.relu(places).sum(), places).tolist())
        """,
        wrong=(
            Wrong(("2.9", "slope 1 at 0"), "At 0 itself the course takes the slope on the left: 0."),
            Wrong(
                ("2.9", "slope one half at 0"),
                "Nudging to both sides finds one half. The course takes the slope on the left: 0.",
            ),
            Wrong(
                ("2.9", "the result as the slope"), "These are the results. Right of 0 relu climbs by 1 for each unit."
            ),
            Wrong(
                ("2.9", "the absolute value"), "Left of 0 relu is flat: it does not fall, as the absolute value does."
            ),
        ),
    ),
    Question(
        "2.Q6",
        GRAPH,
        section="A",
        text="x = Value(1.0), and L = x. Then, {n} times: L = L * {k} + x. How many leaves does the computation graph "
        "of L have?",
        draw=lambda rng: {"n": whole(rng, 3, 9), "k": whole(rng, 2, 9)},
        code="""
            x = Value(1.0)
            L = x
            for step in range({n}):
                L = L * {k} + x
            leaves = sum(not node._prev for node in value.topological_order(L))
        """,
        shown=False,
        asked={"leaves": "leaves"},
        torch="""
            leaves = 1 + {n}
        """,
        wrong=(
            Wrong("1", "A plain number becomes a leaf too: as_value makes a Value of it."),
            Wrong("2", "Each round makes a Value of the number anew: equal numbers are different nodes."),
            Wrong("3 * {n} + 1", "These are all nodes. The products and sums are inner nodes."),
            Wrong("2 * {n} + 1", "x is one node, however often it is used."),
        ),
    ),
    Question(
        "2.Q7",
        GRAPH,
        section="A",
        text="_slopes are the local derivatives that a node remembers.",
        draw=lambda rng: dict(zip("ab", different(rng, -9, 9, 2, but=(0, 1)))),
        code="""
            a, b = Value({a}.0), Value({b}.0)
            print((a * b)._slopes)
        """,
        torch="""
            a, b = Value({a}.0), Value({b}.0)
            print(torch.autograd.grad(a * b, (a, b)))
        """,
        wrong=(
            Wrong(
                ("2.1", "each side's slope is its own number"),
                "If a grows by 1, the product grows by b: the number of the other side.",
            ),
            Wrong(
                ("2.1", "the slopes of a sum"),
                "In a sum one more in a is one more in the result. Here b multiplies it.",
            ),
            Wrong(
                ("2.1", "the result as both slopes"), "This is the result. How much does it change for each unit of a?"
            ),
        ),
    ),
    Question(
        "2.Q8",
        BY_HAND,
        section="B",
        text="Walk back by hand: what is x.grad?",
        draw=lambda rng: {"x": rng.choice([11, 13, 17, 19])} | dict(zip("yk", different(rng, 2, 9, 2, but=(1,)))),
        code="""
            x, y = Value({x}.0), Value({y}.0)
            L = x * y + x * {k}
            L.backward()
        """,
        asked=("x.grad",),
        wrong=(
            Wrong("{y}.0", "One path: x goes into two products, and the share of the other must be added."),
            Wrong("{k}.0", "One path: x goes into two products, and the share of the other must be added."),
            Wrong("{y}.0 * {k}", "This is the product of the two shares. Where paths meet, they add up."),
            Wrong(
                ("2.1", "each side's slope is its own number"),
                "This is x twice. The local derivative of a product is the number on the other side.",
            ),
        ),
    ),
    Question(
        "2.Q9",
        BY_HAND,
        section="D",
        text="A quotient is a product with y to the power of -1: what is y.grad?",
        draw=lambda rng: (lambda y, m: {"x": m * y * y, "y": y})(*different(rng, 2, 6, 2)),
        code="""
            x, y = Value({x}.0), Value({y}.0)
            L = x / y
            L.backward()
        """,
        asked=("y.grad",),
        wrong=(
            Wrong(("2.4", "the sign of the division's second slope"), "If y grows, the quotient gets smaller."),
            Wrong(
                ("2.4", "the square in the division's second slope"),
                "The exponent -1 is lowered to -2: divide by y twice.",
            ),
            Wrong(
                ("2.4", "the top forgotten in the second slope"),
                "Two steps: -1/y² for the power, times x for the product.",
            ),
        ),
    ),
)

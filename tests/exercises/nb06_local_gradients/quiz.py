"""Questions of the quiz about notebook 06."""

from grader.exam.question import Question, Wrong, different, whole

RULE = "turn a local derivative into a rule for arrays, made of operations, so that it can be differentiated again"
NEEDS = "say which rules need the input, and which the result"
CHECK = "write a gradient check, and name the traps it must avoid"
EDGES = "deal with the places where derivatives misbehave: kinks, zeros, very large numbers"

SETTLED = {  # by the result alone, and how
    "exp(x)": "exp is its own derivative: the result is all it takes",
    "sqrt(x)": "The derivative of sqrt is 1 / (2 · result)",
    "sigmoid(x)": "The derivative of sigmoid is y · (1 - y), and y is the result",
    "tanh(x)": "The derivative of tanh is 1 - y², and y is the result",
    "relu(x)": "The result is above 0, so x is as well, and there the derivative is 1",
}


def one_that_needs_its_input(rng):
    lost = rng.choice(["abs(x)", "x ** 2", "x ** 4"])
    one, other = rng.sample(sorted(SETTLED), 2)
    named = dict(zip("pqr", rng.sample([lost, one, other], 3)))
    return {**named, "lost": lost, "one": one, "other": other, "of_one": SETTLED[one], "of_other": SETTLED[other]}


def gradients_with_nan(rng):
    wrong, lost = whole(rng, 1, 3), whole(rng, 1, 2)
    given = [f"{whole(rng, 4, 9)}.0"] * wrong + ["np.nan"] * lost + ["2.0"] * whole(rng, 1, 2)
    return {"given": ", ".join(rng.sample(given, len(given))), "all": wrong + lost}


def two_slopes(rng):
    a = whole(rng, -6, 6, but=(0,))
    return {"a": a, "b": whole(rng, -6, 6, but=(0, a, -a))}


QUESTIONS = (
    Question(
        "6.Q1",
        RULE,
        section="B",
        text="x is {x}, and the gradient that arrives at y = x ** 3 is {g}. What is the gradient of x?",
        draw=lambda rng: {"x": whole(rng, -5, 5, but=(-1, 0, 1)), "g": whole(rng, 2, 9, but=(3,))},
        code="""
            x = Tensor({x}.0)
            (x**3 * {g}).backward()
        """,
        shown=False,
        asked=("x.grad",),
        wrong=(
            Wrong(("6.4", "the exponent not lowered"), "The derivative of x³ is 3x²: the exponent gets lower by 1."),
            Wrong(
                ("6.4", "the exponent not in front"), "The derivative of x³ is 3x²: the exponent comes to the front."
            ),
            Wrong(("6.4", "out_grad forgotten"), "That is the local derivative. It is multiplied by what arrives."),
        ),
    ),
    Question(
        "6.Q2",
        RULE,
        section="A",
        text="A rule for x³ returns `out_grad * 3 * a * a.data`. At a = {k}, with 1 arriving, the number is right. "
        "Now the engine takes the derivative of this gradient with respect to a. What does it find?",
        draw=lambda rng: {"k": whole(rng, 2, 12)},
        code="""
            a = Tensor({k}.0)
            second = grad(3 * a * a.detach(), a)
        """,
        shown=False,
        asked={"the derivative": "second.item()"},
        wrong=(
            Wrong("6.0 * {k}", "That is the derivative of 3a². But to the engine a.data is just a number, a constant."),
            Wrong("0.0", "One of the two factors is a itself, and was recorded: only the other is a constant."),
        ),
    ),
    Question(
        "6.Q3",
        NEEDS,
        section="F",
        text="tanh(x) is 0.{y}, and the gradient that arrives there is {g}. What is the gradient of x?",
        draw=lambda rng: {"y": whole(rng, 2, 9, but=(5,)), "g": 10 * whole(rng, 1, 9)},
        code="""
            x = Tensor(np.arctanh(0.{y}))
            (x.tanh() * {g}).backward()
        """,
        shown=False,
        asked=("x.grad",),
        wrong=(
            Wrong(("6.8", "tanh with sigmoid's derivative"), "y · (1 - y) is for sigmoid. For tanh it is 1 - y²."),
            Wrong(("6.8", "the square in tanh's derivative forgotten"), "The derivative of tanh is 1 - y²."),
            Wrong("0.{y} * {g}", "The result itself is the derivative of exp. That of tanh is 1 - y²."),
        ),
    ),
    Question(
        "6.Q4",
        NEEDS,
        section="D",
        text="Of {p}, {q} and {r} you know the result, some number above 0, and not x. For which of them are you still "
        "unable to tell the derivative?",
        draw=one_that_needs_its_input,
        choose=True,
        answer="{lost}",
        wrong=(Wrong("{one}", "{of_one}."), Wrong("{other}", "{of_other}.")),
    ),
    Question(
        "6.Q5",
        CHECK,
        section="C",
        text="A wrong rule for x ** 2 multiplies 2x by the mean of what arrives, in each place. It is checked at "
        "x = [{x}, {z}]. With which of these gradients does it pass?",
        draw=lambda rng: dict(zip("xzkm", different(rng, 2, 9, 4))),
        choose=True,
        answer="[{k}, {k}]",
        wrong=(
            Wrong("[{k}, -{k}]", "The mean is 0, so the rule gives 0 in both places, and nudging does not."),
            Wrong("[0, {m}]", "The mean is half of {m}: too much in one place, too little in the other."),
            Wrong(
                "with none: only [1, 1] would do",
                "It need not be ones. Wherever all numbers are equal, each of them is the mean.",
            ),
        ),
    ),
    Question(
        "6.Q6",
        CHECK,
        section="C",
        text="Nudging finds 2 in each place. A rule gives other numbers, and this line counts the mistakes. What does "
        "it print?",
        draw=gradients_with_nan,
        code="""
            given = np.array([{given}])
            print((abs(given - 2.0) > 0.001).sum())
        """,
        torch="""
            given = torch.tensor([{given}])
            print((abs(given - 2.0) > 0.001).sum())
        """,
        wrong=(
            Wrong("{all}", "nan > 0.001 is False, as every comparison with nan: such a check lets nan pass."),
            Wrong("0", "A nan spoils a sum or a mean. Here each number is compared by itself, and then counted."),
        ),
    ),
    Question(
        "6.Q7",
        EDGES,
        section="E",
        text="f(x) is {a} · x left of 0, and {b} · x right of it. Nudging goes a little to both sides. What derivative "
        "does it find at 0?",
        draw=two_slopes,
        code="""
            left, right = {a} * -0.001, {b} * 0.001
            nudged = (right - left) / 0.002
        """,
        torch="""
            x = Tensor([-0.001, 0.001])
            nudged = torch.where(x < 0, {a} * x, {b} * x).diff() / 0.002
        """,
        shown=False,
        asked={"at 0": "nudged"},
        wrong=(
            Wrong(
                "0.0", "0 is what a rule takes at the kink of relu or abs, by agreement. Nudging knows no agreement."
            ),
            Wrong("{b}.0", "That is the derivative on the right alone. Nudging finds the mean of both sides."),
            Wrong("{a}.0", "That is the derivative on the left alone. Nudging finds the mean of both sides."),
        ),
    ),
    Question(
        "6.Q8",
        EDGES,
        section="F",
        text="Each sigmoid gets 0 and gives 0.5. What is x.grad?",
        draw=lambda rng: {"n": whole(rng, 2, 3), "g": 64 * whole(rng, 1, 9)},
        code="""
            x = y = Tensor(0.0)
            for _ in range({n}):
                y = y.sigmoid() - 0.5
            (y * {g}).backward()
        """,
        asked=("x.grad",),
        wrong=(
            Wrong(
                ("6.8", "sigmoid's derivative without the result in front"),
                "A half for each is too much: the derivative is y · (1 - y), a quarter where y is 0.5.",
            ),
            Wrong(
                "{g} / (4 * {n})", "Along a path local derivatives are multiplied: a quarter of a quarter, and so on."
            ),
        ),
    ),
)

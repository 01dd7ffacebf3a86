"""Questions of the quiz about notebook 00."""

from grader.exam.question import Question, Wrong, different, whole

LINES = {
    "return w + h": lambda a, b: a + b,
    "return w * w": lambda a, b: a * a,
    "return 2 * (w + h)": lambda a, b: 2 * (a + b),
}


def a_mistake(rng):
    """A wrong line, two others, and what the message says of the first."""
    mine, other, third = rng.sample(sorted(LINES), 3)
    a, b = different(rng, 4, 9, 2)
    numbers = {"a": a, "b": b, "said": LINES[mine](a, b), "expected": a * b}
    return numbers | {"mine": mine, "other": other, "third": third}


def two_errors(rng):
    """Two guesses, one too high by p and one too low by q, and the truths."""
    x, y = different(rng, 12, 30, 2)
    p, q = rng.choice([(1, 3), (2, 4), (3, 5), (4, 6), (1, 5), (5, 1)])
    return {"x": x, "y": y, "g": x + p, "h": y - q}


def one_that_moves(rng):
    """The label is 1: an answer on its right side that moves further, both in tenths; and one that stays."""
    p, q = sorted(different(rng, 6, 9, 2))
    return {"p": p, "q": q, "r": whole(rng, 1, 4)}


def lists(rng):
    """One list whose mean is not that of its ends, and three in which it is."""
    a, step = whole(rng, 1, 5), whole(rng, 2, 4)
    return {
        "right": [*range(a, a + whole(rng, 2, 4)), a + 5 + 3 * step],
        "even": [*range(a, a + whole(rng, 3, 5) * step, step)],
        "turned": [a, a + 1, a + 8 + step, a + 9 + step],
        "two": [-a - step, 3 * step],
    }


QUESTIONS = (
    Question(
        "0.Q1",
        "run a check, read its message line by line, and act on it",
        section="B",
        text="area should give the area of a rectangle. A check says: Called area({a}, {b}). It returned {said}, but "
        "{expected} was expected. Which line is in the file?",
        draw=a_mistake,
        choose=True,
        answer="{mine}",
        wrong=(
            Wrong("return w * h", "This line gives what was expected. What yours gave stands before it."),
            Wrong("{other}", "Try this line with the two numbers of the call: it gives another one than was returned."),
            Wrong("{third}", "Try this line with the two numbers of the call: it gives another one than was returned."),
        ),
    ),
    Question(
        "0.Q2",
        "say how wrong a guess is, with a number that notices every small change",
        section="D",
        text="Ada guesses that she will sell {g} and {h} cups on two days. She sells {x} and {y}. What is her mean "
        "squared error?",
        draw=two_errors,
        code="""
            guessed, sold = np.array([{g}, {h}]), np.array([{x}, {y}])
            error = float(np.mean((guessed - sold) ** 2))
        """,
        shown=False,
        asked={"mean squared error": "error"},
        torch="""
            guessed, sold = Tensor([{g}, {h}]), Tensor([{x}, {y}])
            error = torch.nn.functional.mse_loss(guessed, sold)
        """,
        wrong=(
            Wrong("float(np.mean(guessed - sold))", "This is the mean of the errors: too high and too low cancel."),
            Wrong("float(np.sum((guessed - sold) ** 2))", "This is the sum of the squares. The mean divides by 2."),
            Wrong("float(np.mean(abs(guessed - sold)))", "This is the mean of their sizes. Square each error first."),
            Wrong(
                "float(np.mean(guessed - sold) ** 2)",
                "This is the square of the mean error. Square first, then take the mean.",
            ),
        ),
    ),
    Question(
        "0.Q3",
        "say how wrong a guess is, with a number that notices every small change",
        section="C",
        text="Two points have the label 1. A net answers 0.{p} and 0.{r}; an answer above 0.5 counts as a 1. A step "
        "moves the first answer to 0.{q}. By how much does the number of right answers grow, and by how much does the "
        "sum of the squared errors fall?",
        draw=one_that_moves,
        code="""
            before, after = np.array([0.{p}, 0.{r}]), np.array([0.{q}, 0.{r}])
            more = int((after > 0.5).sum() - (before > 0.5).sum())
            less = float(np.sum((1 - before) ** 2) - np.sum((1 - after) ** 2))
        """,
        shown=False,
        asked={"more right answers": "more", "squared errors, less by": "less"},
        torch="""
            more = 0
            less = (1 - 0.{p}) ** 2 - (1 - 0.{q}) ** 2
        """,
        wrong=(
            Wrong("1", "It was right before the step: the number of right answers does not notice.", at=0),
            Wrong(
                "0.{q} - 0.{p}",
                "This is how far the answer moved. Square the error before the step, and after it.",
                at=1,
            ),
            Wrong(
                "(0.{q} - 0.{p}) ** 2",
                "This is the square of how far it moved. Square the error before the step, and after it.",
                at=1,
            ),
            Wrong("0", "A squared error changes with every nudge, also where the answer was right already.", at=1),
        ),
    ),
    Question(
        "0.Q4",
        "find an input that gives a wrong function away",
        section="B",
        text="Somebody computes the mean of a list of numbers as (numbers[0] + numbers[-1]) / 2. Which of these lists "
        "gives the mistake away?",
        draw=lists,
        choose=True,
        answer="{right}",
        wrong=(
            Wrong("{even}", "The numbers are evenly spaced, so their mean lies halfway between the ends."),
            Wrong(
                "{turned}",
                "It is not evenly spaced, but what is missing below the middle is there above it: compute both.",
            ),
            Wrong("{two}", "For two numbers the formula is right, whatever their signs."),
        ),
    ),
    Question(
        "0.Q5",
        "find an input that gives a wrong function away",
        section="D",
        text="Ben's measure of how wrong a guess is: he adds up guess minus truth for all days, and divides by the "
        "number of days. The truths are {x} and {y}, and the first guess is {g}. For which second guess does he say "
        "0, though both guesses are wrong?",
        draw=two_errors,
        code="""
            second = {y} - ({g} - {x})
        """,
        shown=False,
        asked={"second guess": "second"},
        torch="""
            second = {x} + {y} - {g}
        """,
        wrong=(
            Wrong("{y}", "Then the second guess is right, and Ben's measure is not 0: the first error is left."),
            Wrong("{y} + ({g} - {x})", "Then both guesses are too high, and nothing cancels."),
        ),
    ),
)

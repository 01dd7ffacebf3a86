"""Outcomes of notebook 00, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "0.1",
    "0.2",
    "0.3",
    "0.3",
)

QUESTIONS = (
    Question(
        "0.E1",
        "say how wrong a guess is, with a number that notices every small change",
        points=2,
        minutes=4,
        text="Three lights should have been {x}, {y} and {z}. A program says {x}, {v} and {w}. Calculate two "
        "measures of how wrong it is. How many of the three are wrong, and what is the sum of the squared errors?",
        draw=lambda rng: dict(zip("xyz", different(rng, 2, 9, 3))) | {"v": whole(rng, 10, 12), "w": whole(rng, 13, 15)},
        code="""
            right = np.array([{x}, {y}, {z}])
            said = np.array([{x}, {v}, {w}])
            count = int((right != said).sum())
            squares = int(((right - said) ** 2).sum())
        """,
        shown=False,
        asked={"wrong ones": "count", "sum of squares": "squares"},
        wrong=(
            Wrong("int((said - right).sum())", "The errors were added, not their squares.", at=1),
            Wrong("int(((said - right) ** 2).sum()) // 3", "A mean was calculated, not a sum.", at=1),
        ),
    ),
    Question(
        "0.E2",
        "find an input that gives a wrong function away",
        points=2,
        minutes=3,
        text="",
        draw=lambda rng: {"a": whole(rng, 3, 9), "b": whole(rng, 3, 9)},
        code="""
            def area(width, height):
                return width + height

            print(area(2, 2) == 2 * 2)
            print(area({a}, {b}) == {a} * {b})
        """,
        wrong=(
            Wrong("False", "It was not seen that 2 + 2 and 2 · 2 are the same: one input can agree by chance.", at=0),
            Wrong("True", "The body of the function was not read.", at=1),
        ),
    ),
    Question(
        "0.E3",
        "find an input that gives a wrong function away",
        points=3,
        minutes=5,
        text="Somebody tests a function that should count the even numbers of a list with [2, 4] and [6], and both "
        "answers are right. The function is: return len(numbers). What do the two tests have in common that lets the "
        "mistake through? Name a list that gives it away, and say what comes back for it and what should.",
        answer="In both lists every number is even, so counting all of them and counting the even ones is the same. "
        "[1] gives it away: 1 comes back, and it should be 0. Any list with an odd number in it does.",
        marking=(
            (1, "What they share: every element is even (there is no odd one)."),
            (1, "A list with at least one odd number."),
            (1, "Both numbers for that list: its length, and how many are even."),
        ),
        wrong=(
            Wrong("[2, 4, 6, 8]: a longer list", "More of the same kind was taken for a better test."),
            Wrong("[]", "Both give 0 for an empty list: the input was not tried in one's head."),
        ),
        other=Other(
            text="A function should give the largest number of a list. Somebody tests it with [3, 1] and [7, "
            "7, 2], and both answers are right. The function is: return numbers[0]. What do the two tests"
            " have in common that lets the mistake through? Name a list that gives it away, and say what "
            "comes back for it and what should.",
            answer="In both lists no number is larger than the one in front, so taking that one is the same as "
            "taking the largest. [1, 3] gives it away: 1 comes back, and it should be 3. Any list with "
            "something larger further back does.",
            marking=(
                (1, "What they share: the largest number stands first."),
                (1, "A list whose first number is not the largest."),
                (1, "Both numbers for that list: its first, and its largest."),
            ),
            wrong=(
                Wrong("[9, 5, 3, 1]: a longer list", "More of the same kind was taken for a better test."),
                Wrong("[]", "Nothing is the largest of an empty list: the input was not tried in one's head."),
            ),
        ),
    ),
)

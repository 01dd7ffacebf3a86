"""What is drawn for questions of quiz.md, about notebook 16."""


def two_tokens(rng):
    """The second is {r} times as likely at temperature 1; another temperature makes it the square or the root of it."""
    r, temperature = rng.choice([*((r, 0.5) for r in range(3, 10)), *((r * r, 2.0) for r in range(3, 8))])
    return {"r": r, "t": temperature}

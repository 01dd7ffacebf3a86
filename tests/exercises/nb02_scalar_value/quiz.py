"""What is drawn for questions of quiz.md, about notebook 02."""

from grader.exam.question import whole


def three_numbers(rng):
    """To be put into relu: one below 0, 0 and one above, in some order."""
    return dict(zip("abc", rng.sample([-whole(rng, 2, 9), 0, whole(rng, 2, 9)], 3)))

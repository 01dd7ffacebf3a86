"""What is drawn for questions of quiz.md, about notebook 01."""

from grader.exam.question import different, whole


def three_places(rng):
    """A bend: f at three places h apart, with one slope to the left and another to the right."""
    h, x, middle = whole(rng, 2, 4), whole(rng, 5, 9), whole(rng, 20, 30)
    left = whole(rng, 1, 4)
    right = left + 2 * whole(rng, 1, 3)
    return {"l": x - h, "x": x, "r": x + h, "h": h, "lo": middle - h * left, "mid": middle, "hi": middle + h * right}


def three_sides(rng):
    """a is the largest but w, so that no two wrong answers agree."""
    b, a = sorted(different(rng, 2, 7, 2))
    return {"a": a, "b": b, "w": whole(rng, 2, 9, but=(a, b))}

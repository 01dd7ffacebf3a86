"""What is drawn for questions of quiz.md, about notebook 17."""

from grader.exam.question import whole


def a_place_near_the_edge(rng):
    """Of a picture cut into windows of 2 or 3: a pixel that lies in some of them only; and in how many."""
    size, i, j, count = rng.choice([(2, 0, 3, 2), (2, 4, 0, 2), (3, 0, 3, 3), (3, 1, 4, 6), (3, 4, 1, 6), (3, 3, 0, 3)])
    return {"s": size, "i": i, "j": j, "g": whole(rng, 2, 9), "n": 8, "count": count}


def a_batch_norm(rng):
    mean, spread, times = whole(rng, 2, 9), whole(rng, 2, 4), whole(rng, 2, 5)
    first = mean + times * spread
    return {"m": mean, "v": spread**2, "a": first, "b": first + 2 * whole(rng, 2, 9)}

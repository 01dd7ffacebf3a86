"""What is drawn for questions of quiz.md, about notebook 07."""

from itertools import permutations

from grader.exam.question import different, whole


def inverse(axes):
    return tuple(map(axes.index, range(len(axes))))


ORDERS = [axes for axes in permutations(range(4)) if inverse(axes) not in (axes, axes[::-1])]


def a_reshape(rng):
    g = different(rng, 11, 99, 8)
    return {"g": [g[n : n + 2] for n in (0, 2, 4, 6)], "place": rng.choice(["0, 1", "0, 2", "1, 0", "1, 1", "1, 2"])}


def a_turn(rng):
    return {
        "axes": rng.choice([(1, 2, 0), (2, 0, 1), (-1, 0, 1), (1, -1, 0)]),
        **dict(zip("ijk", different(rng, 1, 9, 3))),
    }


def a_mean(rng):
    a, b, c = different(rng, 2, 5, 3)
    return {"a": a, "b": b, "c": c, "g": a * c * whole(rng, 2, 9)}


def a_table(rng):
    r, s = rng.sample([3, 5, 7], 2)
    return {
        "p": whole(rng, 2, 9),
        "q": whole(rng, 2, 9),
        "r": r,
        "s": s,
        **dict(zip("cdef", different(rng, 11, 19, 4))),
    }


def a_broadcast(rng):
    a, b, c, d = different(rng, 2, 7, 4)
    small, large = rng.choice(
        [
            ((b, 1), (a, b, c)),
            ((1, c), (a, b, c)),
            ((c, 1), (a, b, c, d)),
            ((1, d), (a, b, c, d)),
            ((b, 1, d), (a, b, c, d)),
        ]
    )
    return {"small": small, "large": large}


def two_rows(rng):
    (c, e), (d, f) = (sorted(different(rng, 1, 9, 2)) for _ in range(2))
    return {"a": whole(rng, 2, 5), "b": whole(rng, 2, 5), "c": c, "d": d, "e": e, "f": f}

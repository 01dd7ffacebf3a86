"""What is drawn for questions of quiz.md, about notebook 10."""

from grader.exam.question import different, whole

P = [
    [0.1, 0.2, 0.7],
    [0.1, 0.3, 0.6],
    [0.2, 0.7, 0.1],
    [0.3, 0.6, 0.1],
    [0.6, 0.3, 0.1],
    [0.7, 0.1, 0.2],
    [0.2, 0.4, 0.4],
]


def copies(rng):
    times = whole(rng, 2, 9)
    more, as_before, less = f"{times} times as large", "the same", f"1/{times} as large"
    if rng.random() < 0.5:
        loss, answer, other = "mean", as_before, more
        of_other = f"{times} times as many rows are added up, but in the mean each has a dout {times} times smaller"
        of_less = f"Each row has a dout {times} times smaller, but {times} times as many are added up"
    else:
        loss, answer, other = "sum", more, as_before
        of_other = "Only a mean in the loss would make dout smaller. A sum does not, and the layer adds up its rows"
        of_less = "Nothing divides here. The rows are added up, and each copy brings a dout as large as before"
    return {
        "times": times,
        "loss": loss,
        "answer": answer,
        "other": other,
        "of_other": of_other,
        "less": less,
        "of_less": of_less,
    }


def one_logit(rng):
    p, n, right, asked = rng.choice(P), rng.choice([2, 4, 5, 10]), whole(rng, 0, 2), whole(rng, 0, 2)
    if asked == right:
        other, why = p[asked] / n, "This is the right class: it has a 1 in the one-hot row, which is taken off"
    else:
        other, why = (
            (p[asked] - 1) / n,
            "The 1 of the one-hot row is taken off at the right class, which is another one",
        )
    return {"p": p, "n": n, "right": right, "asked": asked, "other": other, "why": why}


def two_scores(rng):
    low = 50 * whole(rng, 1, 9)
    return {"low": low, "high": low + 50 * whole(rng, 16, 40)}


def two_differences(rng):
    b, d = whole(rng, 1, 9), 10_000 * whole(rng, 1, 9)
    off = f"0.{2 * b:03}"
    return {"off": off, "a": f"0.{3 * b:03}", "b": f"0.{b:03}", "c": f"{d}{off[1:]}", "d": d}


def picked_twice(rng):
    twice, once = different(rng, 0, 3, 2)
    return {"index": [twice, once, twice], "twice": twice, **dict(zip("abc", different(rng, 2, 9, 3)))}


def moved_scores(rng):
    a, more, by = whole(rng, 0, 3), whole(rng, 1, 3), rng.choice([-1, 1]) * 100 * whole(rng, 8, 20)
    p = {1: 0.73, 2: 0.88, 3: 0.95}[more]
    first, second = rng.sample([a + by, a + more + by], 2)
    return {"a": a, "b": a + more, "p": round(1 - p, 2), "q": p, "first": first, "second": second}

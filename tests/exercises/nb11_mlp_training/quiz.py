"""What is drawn for questions of quiz.md, about notebook 11."""

from math import e, log

from grader.exam.question import whole


def inputs_of_a_unit(rng):
    root = rng.choice([4, 5, 8, 10, 20, 25, 40, 50])
    return {"root": root, "n": root**2}


def three_targets(rng):
    mean, a, b = whole(rng, 10, 30), whole(rng, 1, 9), whole(rng, 1, 9)
    targets = rng.sample([mean + a, mean + b, mean - a - b], 3)
    return {"targets": targets, "first": targets[0]}


def a_first_loss(rng):
    c, n = rng.choice([3, 4, 5, 8, 10, 20]), rng.choice([16, 32, 50, 64])
    said = {
        "It is as it should be.": (log(c), f"A net that knows nothing pays log {c}, here {log(c):.2f}"),
        "It is the sum over the batch.": (n * log(c), f"The sum would be about {n} · log {c}, here {n * log(c):.2f}"),
        "It was also divided by the number of classes.": (
            log(c) / c,
            f"Divided by {c} it would be about {log(c) / c:.2f}",
        ),
    }
    answer, one, other = rng.sample(sorted(said), 3)
    found = {"answer": answer, "one": one, "of_one": said[one][1], "other": other, "of_other": said[other][1]}
    return {"c": c, "n": n, "loss": f"{said[answer][0]:.2f}", **found}


def three_batches(rng):
    b, r, mean, more = whole(rng, 4, 9), whole(rng, 1, 2), whole(rng, 1, 9), whole(rng, 1, 3)
    return {"b": b, "r": r, "l": mean, "m": mean + 2 * more * (2 * b + r) // r}


def symptoms(rng):
    c = rng.choice([3, 5, 10, 20, 50])
    start, floor = f"{log(c):.2f}", f"{log(e + c - 1) - 1:.2f}"
    twice = "softmax is applied twice", f"With softmax twice the loss cannot fall below {floor}"
    overfitted = "it has overfitted", "When a net overfits, its training loss goes on falling, towards 0"
    seen, (answer, _), (other, why) = rng.choice(
        [
            (f"falls from {start} to {floor} and stays there. Most test answers are right", twice, overfitted),
            (f"falls from {start} to 0.01. Most test answers are right, but the test loss rises", overfitted, twice),
        ]
    )
    return {"c": c, "start": start, "seen": seen, "answer": answer, "other": other, "why": why}

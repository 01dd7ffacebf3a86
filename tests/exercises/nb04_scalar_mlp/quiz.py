"""What is drawn for questions of quiz.md, about notebook 04."""

from grader.exam.question import whole


def a_neuron(rng):
    """relu of a positive number, which without the bias would be below 0."""
    v, x, y, w = whole(rng, 2, 3), whole(rng, 2, 3), whole(rng, 4, 5), -whole(rng, 3, 4)
    return {"v": v, "w": w, "x": x, "y": y, "b": whole(rng, 1, 8, but=(4, 6)) - v * x - w * y}


def losses(rng):
    """Of five steps in the bowl (w - d)², from 0, at the rate 0.1: of a right loop, and of one that never zeroes."""
    d, told = whole(rng, 2, 12), {}
    for name, keeps in (("right", 0), ("ada", 1)):
        w, gradient, losses = 0.0, 0.0, []
        for _ in range(5):
            losses.append(f"{(w - d) ** 2:.2f}")
            gradient = keeps * gradient + 2 * (w - d)
            w -= 0.1 * gradient
        told[name] = ", ".join(losses)
    return told


def points(rng):
    """So many points that the last batch is a small one."""
    size, full = rng.choice([10, 20, 25, 50]), whole(rng, 2, 6)
    return {"size": size, "n": size * full + whole(rng, 1, size - 1), "epochs": whole(rng, 3, 9)}

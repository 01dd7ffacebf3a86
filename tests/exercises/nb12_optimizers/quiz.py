"""What is drawn for questions of quiz.md, about notebook 12."""

from grader.exam.question import whole

KEPT = (  # optimizer, as code, arrays of a parameter's shape that it keeps
    ("SGD with momentum 0.9", "SGD([w], lr=0.1, momentum=0.9)", 1),
    ("RMSprop without momentum", "RMSprop([w], lr=0.1)", 1),
    ("Adam", "Adam([w], lr=0.1)", 2),
    ("AdamW", "AdamW([w], lr=0.1)", 2),
)


def an_optimizer(rng):
    name, made, arrays = rng.choice(KEPT)
    return {"n": whole(rng, 2, 9) * 100, "name": name, "made": made, "other": 3 - arrays}


def two_curves(rng):
    """Losses after epochs 10, 20 ... 60: one falls to the end, the other is lowest after {best}."""
    best = whole(rng, 1, 4)
    own = [120 - 22 * n - whole(rng, 0, 9) for n in range(6)]
    others = [130 + 13 * abs(n - best) + whole(rng, 0, 5) for n in range(6)]
    shown = {
        name: ", ".join(f"{loss / 100:.2f}" for loss in losses) for name, losses in (("own", own), ("others", others))
    }
    return shown | {"best": 10 * best + 10}

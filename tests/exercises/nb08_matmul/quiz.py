"""What is drawn for questions of quiz.md, about notebook 08."""

from grader.exam.question import different


def two_matrices(rng):
    b, g = different(rng, 2, 9, 4), different(rng, 2, 9, 4)
    b[1], b[3] = sorted((b[1], b[3]))
    g[0], g[1] = sorted((g[0], g[1]))
    return {"b": [b[:2], b[2:]], "g": [g[:2], g[2:]]}


def one_square(rng):
    b, n = different(rng, 2, 64, 2)
    if rng.random() < 0.5:
        shapes = {"x": (b, n), "w": (n, n)}
        names = ("x", "w", "g @ w", "g @ wᵀ", "w @ g", "xᵀ @ g")
    else:
        shapes = {"x": (n, n), "w": (n, b)}
        names = ("w", "x", "x @ g", "xᵀ @ g", "g @ x", "g @ wᵀ")
    return shapes | dict(zip(["asked", "other", "answer", "gradient", "unfit", "of_other"], names))


def one_factor(rng):
    left, right = rng.choice(["wx", "xw"])
    samples = f"The samples are the {'columns' if left == 'w' else 'rows'} of x"
    if rng.random() < 0.5:
        asked, other, side = left, right, "right"
        products = (f"g @ {right}ᵀ", f"{right}ᵀ @ g", f"{right} @ gᵀ", f"gᵀ @ {right}")
    else:
        asked, other, side = right, left, "left"
        products = (f"{left}ᵀ @ g", f"g @ {left}ᵀ", f"gᵀ @ {left}", f"{left} @ gᵀ")
    named = {"samples": samples, "left": left, "right": right, "asked": asked, "other": other, "side": side}
    sizes = dict(zip("mnk", different(rng, 2, 64, 3)))
    return named | sizes | dict(zip(["answer", "other_side", "turned", "unfit"], products))


def used_twice(rng):
    (p, q), (r, s) = (sorted(different(rng, 2, 9, 2)) for _ in range(2))
    return {"p": p, "q": q, "r": r, "s": s, "w": different(rng, 2, 9, 1)[0]}


def beside_a_batch(rng):
    n, k, m = different(rng, 2, 9, 3)
    sides = (
        (
            "v @ b",
            f"({n}, {k}, {m})",
            "row",
            f"ones((1, {k})) @ ones(({n}, {k}, {m}))",
            f"({n}, {m}, 1)",
            "right, a column",
        ),
        (
            "b @ v",
            f"({n}, {m}, {k})",
            "column",
            f"ones(({n}, {m}, {k})) @ ones(({k}, 1))",
            f"({n}, 1, {m})",
            "left, a row",
        ),
    )
    return {
        "n": n,
        "k": k,
        "m": m,
        **dict(zip(["product", "b", "kind", "matrices", "other", "side"], rng.choice(sides))),
    }

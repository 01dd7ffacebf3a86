"""What is drawn for questions of quiz.md, about notebook 03."""

from grader.exam.question import different, whole


def a_chain(rng):
    """Four names in any order, and who was made from whom, told in any order."""
    p, q, r, s = rng.sample("abcdefghkmnpqrst", 4)
    told = [f"{q} was made from {p}", f"{r} was made from {q} and {p}", f"{s} was made from {q} and {r}"]
    return dict(zip("pqrs", (p, q, r, s))) | {"told": "; ".join(rng.sample(told, 3))}


def ins_and_outs(rng):
    """n numbers in, m out, told in either order."""
    n, m = different(rng, 3, 60, 2)
    told = rng.choice(
        [f"{n} numbers go into a program, and {m} come out of it", f"A program makes {m} numbers from {n}"]
    )
    return {"n": n, "m": m, "told": told}


def many_uses(rng):
    """In each of n steps a node is used k times."""
    k, least, most = rng.choice([(2, 3, 6), (3, 2, 4), (4, 2, 3)])
    return {"k": k, "n": whole(rng, least, most), "sum": " + ".join("y" * k)}


def two_names(rng):
    return dict(zip("pq", rng.sample("abcdefghkmnpqrst", 2)))

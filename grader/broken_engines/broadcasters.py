"""Three ways to find the shape of x + y, each wrong somewhere. Run them before you read on."""

LONGEST = 4  # sizes that a shape of the hunt may have


def right(a, b):
    """The shape of x + y, for x of shape a and y of shape b.  Raises ValueError."""
    return tuple(_one_gives_way(m, n) for m, n in zip(*_in_front(a, b)))


def _from_the_left(a, b):
    """A puts the missing 1s behind the shorter shape."""
    length = max(len(a), len(b))
    return right(*(shape + (1,) * (length - len(shape)) for shape in (a, b)))


def _the_larger_wins(a, b):
    """B takes the larger of two sizes, whatever they are."""
    return tuple(max(pair) for pair in zip(*_in_front(a, b)))


def _one_on_the_right_only(a, b):
    """C lets a 1 give way in the second shape only."""
    sizes = list(zip(*_in_front(a, b)))
    if any(m != n != 1 for m, n in sizes):
        raise ValueError(f"shapes {a} and {b} do not fit together")
    return tuple(m for m, _ in sizes)


def _in_front(a, b):
    length = max(len(a), len(b))
    return [(1,) * (length - len(shape)) + shape for shape in (a, b)]


def _one_gives_way(m, n):
    if m != n and 1 not in (m, n):
        raise ValueError(f"sizes {m} and {n} do not fit together")
    return n if m == 1 else m


BROADCASTERS = {"A": _from_the_left, "B": _the_larger_wins, "C": _one_on_the_right_only, "right": right}
WRONG = ("A", "B", "C")

_WHEN_WRONG = {
    "A": "A errs on some pairs of different length. Look at how it lines them up.",
    "B": "B errs only where two different sizes meet. Which ones lead it astray, and which do not?",
    "C": "C errs only on shapes that do fit, with a 1 in one of them. Compare (2, 1), (2, 3) with (2, 3), (2, 1).",
}


def said(broadcaster, a, b):
    """The shape that a broadcaster gives, "error" for a ValueError; "no shape" for (3), which is a number."""
    if not (isinstance(a, tuple) and isinstance(b, tuple)):
        return "no shape"
    try:
        return broadcaster(a, b)
    except ValueError:
        return "error"


def verdict(name, a, b):
    """None if the broadcaster of this name is wrong on shapes a and b; else a sentence that says so."""
    found = said(BROADCASTERS[name], a, b)
    if found != said(right, a, b):
        return None
    words = "that they do not fit" if found == "error" else found
    return f"For {a} and {b} {name} says {words}, and that is right. {_WHEN_WRONG[name]}"


def is_pair_of_shapes(pair):
    """Is it two shapes of at most LONGEST sizes each?  Takes anything."""
    return isinstance(pair, (list, tuple)) and len(pair) == 2 and all(map(_is_shape, pair))


def _is_shape(shape):
    if not isinstance(shape, (list, tuple)) or len(shape) > LONGEST:
        return False
    return all(type(size) is int and size >= 0 for size in shape)

"""How several things are put into a sentence: "1 point" and "2 points", "a, b and c"."""


def plural(thing, number):
    """point of one, points of any other number."""
    return thing if number == 1 else f"{thing}s"


def counted(number, thing):
    """Such as: 1 point, 2 points."""
    return f"{number} {plural(thing, number)}"


def listed(things, most=None):
    """Such as: a, b and c. Where two and more go beyond `most`: a, b and 3 more. A single one is named."""
    names = [str(thing) for thing in things]
    rest = len(names) - most if most is not None else 0
    if rest > 1:
        names[most:] = [f"{rest} more"]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))

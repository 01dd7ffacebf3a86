"""The questions of notebook 00."""

from grader.asking.answers import raised
from grader.course.questions import probe

# 0.1: area.


def ask_area(name, width, height):
    @probe("0.1", asked=f"area({width}, {height})", name=name)
    def area(bg, rng):
        return {"returned": bg.area(width, height)}


ask_area("a_square", 2, 2)
ask_area("a_rectangle", 3, 5)
ask_area("a_side_of_0", 0, 7)


@probe("0.1", asked="area({width}, {height})")
def random_sides(bg, rng):
    width, height = round(rng.uniform(1, 9), 2), round(rng.uniform(10, 19), 2)
    return {"asked": {"width": width, "height": height}, "returned": bg.area(width, height)}


# 0.2: broadcast_shape.

AN_EXCEPTION = "an exception that was not raised"
A_LIST = "a list"


def ask_shapes(name, *pairs, caught=ValueError):
    @probe("0.2", asked=f"broadcast_shape(a, b) for {', for '.join(in_words(a, b) for a, b in pairs)}", name=name)
    def shapes(bg, rng):
        return {in_words(a, b): what_it_did(bg, a, b, caught) for a, b in pairs}


def in_words(a, b):
    return f"{a} and {b}"


def what_it_did(bg, a, b, caught=ValueError):
    """What broadcast_shape returned, or the exception that it raised. Any that is not to be caught goes on."""
    try:
        returned = bg.broadcast_shape(a, b)
    except caught:
        return raised(lambda: bg.broadcast_shape(a, b))
    if isinstance(returned, list):
        return {A_LIST: returned}  # on its way to the comparison a tuple becomes a list
    return AN_EXCEPTION if isinstance(returned, BaseException) else returned


ask_shapes("equal_shapes", ((4, 3), (4, 3)), ((), ()))
ask_shapes("ones_on_both_sides", ((5, 1, 3), (1, 4, 3)), ((1, 2), (1, 1)))
ask_shapes("a_shorter_shape", ((4, 3), (3,)), ((3,), (4, 1)), ((), (2, 5)))
ask_shapes("a_misfit", ((2, 3), (2,)), ((2, 3), (4, 3)), ((0,), (2,)), caught=Exception)
ask_shapes("an_axis_of_size_0", ((1,), (0,)), ((0, 3), (1, 3)))


@probe("0.2", asked="broadcast_shape(a, b) for {pair}")
def random_shapes(bg, rng):
    sizes = [int(size) for size in rng.permutation([2, 3, 4, 5, 6])]
    a, b = sizes.copy(), sizes[1:]
    a[2] = b[0] = b[3] = 1
    a, b = tuple(a), tuple(b)
    return {"asked": {"pair": in_words(a, b)}, in_words(a, b): what_it_did(bg, a, b)}


# 0.3: the hunt.


def ask_hunt(name):
    asked = f"three_broadcasters(), and handed the two shapes to broadcaster {name}"

    @probe("0.3", asked=asked, name=f"broadcaster_{name}", secret=True)
    def pair(bg, rng):
        return {"the pair": bg.hunts.three_broadcasters()}


for _name in "ABC":
    ask_hunt(_name)

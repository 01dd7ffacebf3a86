"""Wrong ideas about notebook 00, each as a patch for a private copy of the reference."""

from grader.course.exercise import wrong

from .exercises import area, shape

# 0.1: area.


def _area(name, words, stuck=""):
    """Register another function of width and height."""

    def register(function):
        @wrong(area, name, words, stuck)
        def patch(bg):
            bg.warmup.area = function

    return register


_area(
    "adds the sides",
    "This is the sum of the two sides. A floor of 3 by 5 metres has 3 rows of 5 tiles: count the tiles.",
)(lambda width, height: width + height)

_area(
    "goes around it",
    "This is the way around the rectangle, along its four sides. The area counts the tiles inside.",
)(lambda width, height: 2 * (width + height))

_area(
    "a power instead of a product",
    "In Python ** is a power: 3 ** 5 is 3 times 3 times 3 times 3 times 3. One * multiplies.",
)(lambda width, height: width**height)

_area(
    "one side used twice",
    "This is the area of a square: one of the two sides stands there twice, and the other one is not used.",
)(lambda width, height: width * width)

_area(
    "the numbers of one question",
    "The answer is the same, whatever the question. A number that you have read in a message is right for that "
    "question only: compute with width and height.",
)(lambda width, height: 15)

_area(
    "the answer as a text",
    "The number is right, but it was made a text. Return the number itself, without str and without quotes: "
    "others want to compute with it.",
)(lambda width, height: str(width * height))


@_area(
    "nothing is returned",
    "Without return a function gives back None, which is Python's word for nothing. print only shows a number on the "
    "screen; return hands it to the one who called.",
)
def _(width, height):
    pass


# 0.2: broadcast_shape.


def _shape(name, words, stuck=""):
    """Register another broadcast_shape."""

    def register(function):
        @wrong(shape, name, words, stuck)
        def patch(bg):
            bg.warmup.broadcast_shape = function

    return register


def _padded(a, b):
    """Both shapes with 1s in front, so that they are equally long."""
    length = max(len(a), len(b))
    return [(1,) * (length - len(shape)) + shape for shape in (a, b)]


def _one_gives_way(m, n):
    if m != n and 1 not in (m, n):
        raise ValueError(f"{m} and {n} do not fit")
    return n if m == 1 else m


@_shape(
    "lined up at the left",
    "The 1s went behind the shorter shape, so the shapes are lined up at their left ends. The last sizes belong "
    "together: write the two shapes below each other, flush right.",
)
def _(a, b):
    length = max(len(a), len(b))
    return tuple(map(_one_gives_way, *(shape + (1,) * (length - len(shape)) for shape in (a, b))))


@_shape(
    "zip without 1s in front",
    "Here the first sizes meet, and zip stops at the end of the shorter shape: what is left of the longer one is "
    "lost. Make the two equally long first, with 1s in front.",
)
def _(a, b):
    return tuple(_one_gives_way(m, n) for m, n in zip(a, b))


@_shape(
    "from the right, but cut off",
    "The right ends meet, as they should. But the loop ends with the shorter shape, and the first sizes of the longer "
    "one are missing from the answer. A missing size counts as a 1.",
)
def _(a, b):
    return tuple(_one_gives_way(m, n) for m, n in zip(a[::-1], b[::-1]))[::-1]


@_shape(
    "return inside the loop",
    "Only one place was looked at. A return ends the function at once: does it stand inside the loop, or below it?",
)
def _(a, b):
    result = []
    for m, n in zip(*_padded(a, b)):
        result.append(_one_gives_way(m, n))
        return tuple(result)


@_shape(
    "the answer is back to front",
    "You went through the sizes from the right, and the answer is still in that order. Turn it round before you "
    "return it.",
)
def _(a, b):
    return tuple(map(_one_gives_way, *_padded(a, b)))[::-1]


@_shape(
    "the larger size wins",
    "You take the larger of the two sizes and never say no. 2 and 3 do not fit, and a 1 gives way to 0 as "
    "well, although 0 is smaller. So do not ask which is larger: ask which is 1.",
)
def _(a, b):
    return tuple(map(max, *_padded(a, b)))


@_shape(
    "a 1 does not give way to 0",
    "All is right but for an axis of size 0: there you take the larger size. A 1 gives way to any other size, "
    "also to 0. Ask which one is 1, not which one is larger.",
)
def _(a, b):
    def larger(m, n):
        _one_gives_way(m, n)
        return max(m, n)

    return tuple(map(larger, *_padded(a, b)))


@_shape(
    "a misfit is not noticed",
    "A 1 gives way, as it should. But two different sizes, neither of them 1, come through as well, and you return a "
    "shape that NumPy would refuse. What is left to ask, once you know that neither size is 1?",
)
def _(a, b):
    return tuple(n if m == 1 else m for m, n in zip(*_padded(a, b)))


@_shape(
    "a misfit is left out",
    "Where two sizes do not fit you go on to the next place, and the answer is a shape with a place missing. Printing "
    "that they do not fit stops nothing: raise ValueError does.",
)
def _(a, b):
    return tuple(n if m == 1 else m for m, n in zip(*_padded(a, b)) if m == n or 1 in (m, n))


@_shape(
    "nothing is stretched",
    "You take equal shapes only. Different sizes may fit too: at a place where one of them is 1, the other one stays.",
)
def _(a, b):
    if a != b:
        raise ValueError(f"{a} and {b} are different")
    return a


@_shape(
    "only shapes of one length",
    "Shapes of different length are refused here. They may fit: put 1s in front of the shorter one until the two are "
    "equally long, then compare.",
)
def _(a, b):
    if len(a) != len(b):
        raise ValueError(f"{a} and {b} differ in length")
    return tuple(map(_one_gives_way, a, b))


@_shape(
    "the longer shape is the answer",
    "You return the longer of the two shapes as it is. A 1 in it must still give way, "
    "and sizes that do not fit must still be found: look at each place.",
)
def _(a, b):
    return a if len(a) >= len(b) else b


@_shape(
    "a 1 gives way only in b",
    "You let a 1 give way when it stands in b. x + y and y + x have the same shape, so a 1 in a gives way too.",
)
def _(a, b):
    def second_gives_way(m, n):
        if n not in (1, m):
            raise ValueError(f"{m} and {n} do not fit")
        return m

    return tuple(map(second_gives_way, *_padded(a, b)))


@_shape(
    "a 1 gives way only in a",
    "You let a 1 give way when it stands in a. x + y and y + x have the same shape, so a 1 in b gives way too.",
)
def _(a, b):
    def first_gives_way(m, n):
        if m not in (1, n):
            raise ValueError(f"{m} and {n} do not fit")
        return n

    return tuple(map(first_gives_way, *_padded(a, b)))


@_shape(
    "only b gets 1s in front",
    "Here only b gets 1s in front, as if a were always the longer shape. When a is the shorter one, it needs them.",
)
def _(a, b):
    return tuple(_one_gives_way(m, n) for m, n in zip(a, (1,) * (len(a) - len(b)) + b))


@_shape(
    "a list in place of a tuple",
    "The sizes are right, but they stand in a list. A shape is a tuple, and [4, 3] == (4, 3) is False: tuple(a_list) "
    "makes one of it.",
)
def _(a, b):
    return list(map(_one_gives_way, *_padded(a, b)))


@_shape(
    "one shape put behind the other",
    "For tuples + means: put the second behind the first. (2,) + (3,) is (2, 3). It adds no sizes and compares "
    "none: go through the two shapes place by place.",
)
def _(a, b):
    return a + b


_shape(
    "nothing is returned",
    "The function gave nothing back. Is a return missing at the end?",
)(lambda a, b: None)


def _instead_of_raising(answer):
    def broadcast_shape(a, b):
        try:
            return tuple(map(_one_gives_way, *_padded(a, b)))
        except ValueError:
            return answer

    return broadcast_shape


_shape(
    "None instead of an exception",
    "The shapes are right. For two that do not fit you give back None, and the caller computes on with it until "
    "something else breaks. raise ValueError(...) stops at once and says why.",
)(_instead_of_raising(None))

_shape(
    "the exception is returned, not raised",
    "The exception was made and handed back like any other value, so nothing stops. Write raise where you wrote "
    "return.",
)(_instead_of_raising(ValueError("the shapes do not fit")))

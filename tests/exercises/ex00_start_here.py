"""Notebook 00: how the course works, and the shapes of stretched arrays."""

from grader.course.exercise import Exercise, Notebook, Raised, raised
from grader.marking.compare import SHOWN_ELEMENTS, describe, same

NOTEBOOK = Notebook("00", "start_here", "Start here", minutes=25, files=("warmup.py", "hunts.py"))

area = Exercise(
    "0.1",
    "area",
    file="warmup.py",
    points=1,
    minutes=2,
    difficulty=1,
    hints=[
        "A floor of 3 by 5 metres is covered with tiles of 1 by 1 metre. How many rows of tiles are there, and "
        "how many tiles in each?",
        "The number of tiles is the number of rows, times the number of tiles in a row. In Python * multiplies.",
        "One line is enough: the word return, and after it the two arguments with a * between them.",
    ],
)


def _ask_area(name, width, height):
    def asked_area(bg, rng):
        return {"returned": bg.area(width, height)}

    asked_area.__name__ = name
    area.probe(asked=f"area({width}, {height})")(asked_area)


_ask_area("a_square", 2, 2)
_ask_area("a_rectangle", 3, 5)
_ask_area("a_side_of_0", 0, 7)


@area.probe(asked="area({width}, {height})")
def random_sides(bg, rng):
    width, height = round(rng.uniform(1, 9), 2), round(rng.uniform(10, 19), 2)
    return {"asked": {"width": width, "height": height}, "returned": bg.area(width, height)}


shape = Exercise(
    "0.2",
    "broadcast_shape",
    file="warmup.py",
    points=3,
    minutes=6,
    difficulty=2,
    hints=[
        "Do (4, 3) and (3,) on paper. What do you write down first, and what stands below the 4? Then what "
        "do you decide at each place, and how many different cases are there?",
        "Bring both shapes to the same length first: a tuple of 1s plus the shorter shape. zip then gives "
        "you the two sizes at each place. Of two sizes m and n, which one stays if m is 1? If n is 1? If neither?",
        "length = max(len(a), len(b)), and a = (1,) * (length - len(a)) + a, the same for b. In a loop over "
        "zip(a, b): if m is 1 keep n; if n is 1, or the two are equal, keep m; else raise ValueError. Collect what "
        "you keep in a list and return it as a tuple.",
    ],
)

AN_EXCEPTION = "an exception that was not raised"
A_LIST = "a list"


def _pair(a, b):
    return f"{a} and {b}"


def _what_it_did(bg, a, b, caught):
    """What broadcast_shape returned, or the exception that it raised. Any that is not to be caught goes on."""
    try:
        returned = bg.broadcast_shape(a, b)
    except caught:
        return raised(lambda: bg.broadcast_shape(a, b))
    if isinstance(returned, list):
        return {A_LIST: returned}  # on its way to the comparison a tuple becomes a list
    return AN_EXCEPTION if isinstance(returned, BaseException) else returned


def _in_words(answer):
    if isinstance(answer, Raised):
        return "raised " + describe(answer).removesuffix(": ")
    if isinstance(answer, str) and answer == AN_EXCEPTION:
        return f"returned {answer}"
    if isinstance(answer, dict) and A_LIST in answer:
        return f"returned the list {describe(answer[A_LIST])}"
    return f"returned {'an array, ' if hasattr(answer, 'dtype') else ''}{_written(answer)}"


def _written(answer):
    """Lists as tuples, for that is what shapes are, and a list is what a tuple has become on its way here."""
    if not isinstance(answer, list):
        return describe(answer)
    items = [_written(item) for item in answer[:SHOWN_ELEMENTS]] + ["..."] * (len(answer) > SHOWN_ELEMENTS)
    return f"({', '.join(items)}{',' * (len(answer) == 1)})"


def _wanted(answer):
    return f"a {answer.type}" if isinstance(answer, Raised) else str(tuple(answer))


def _compare(expected, got):
    """The first pair of shapes whose answer is wrong, in words."""
    for pair, want in expected.items():
        if pair != "asked" and not same(want, got.get(pair)):
            return f"For {pair} it {_in_words(got.get(pair))}, but {_wanted(want)} was expected."
    return None


def _ask_shapes(name, *pairs, caught=ValueError):
    def shapes(bg, rng):
        return {_pair(a, b): _what_it_did(bg, a, b, caught) for a, b in pairs}

    shapes.__name__ = name
    asked = ", for ".join(_pair(a, b) for a, b in pairs)
    shape.probe(asked=f"broadcast_shape(a, b) for {asked}", compare=_compare)(shapes)


_ask_shapes("equal_shapes", ((4, 3), (4, 3)), ((), ()))
_ask_shapes("ones_on_both_sides", ((5, 1, 3), (1, 4, 3)), ((1, 2), (1, 1)))
_ask_shapes("a_shorter_shape", ((4, 3), (3,)), ((3,), (4, 1)), ((), (2, 5)))
_ask_shapes("a_misfit", ((2, 3), (2,)), ((2, 3), (4, 3)), ((0,), (2,)), caught=Exception)
_ask_shapes("an_axis_of_size_0", ((1,), (0,)), ((0, 3), (1, 3)))


@shape.probe(asked="broadcast_shape(a, b) for {pair}", compare=_compare)
def random_shapes(bg, rng):
    sizes = [int(size) for size in rng.permutation([2, 3, 4, 5, 6])]
    a, b = sizes.copy(), sizes[1:]
    a[2] = b[0] = b[3] = 1
    a, b = tuple(a), tuple(b)
    return {"asked": {"pair": _pair(a, b)}, _pair(a, b): _what_it_did(bg, a, b, ValueError)}


hunt = Exercise(
    "0.3",
    "three_broadcasters",
    file="hunts.py",
    points=3,
    minutes=3,
    difficulty=3,
    hints=[
        "Take them one at a time and find a pair for each. A shows its mistake in the table above. When does B "
        "never complain? What do the pairs have in common on which C complains?",
        "A looks at the left ends, B takes the larger size, C lets a 1 give way in the second shape only. So C "
        "errs only where a shape is right: there B must be caught without a misfit. Which 1 gives way to "
        "something smaller?",
        "B is wrong where a 1 meets a 0. For C that 1 stands in the first shape. For A make the second shape the "
        "shorter one: only the 0. What can stand in front of the 1, so that A does not like it?",
    ],
)


def _told_of(name):
    def compare(expected, got):
        from grader.suspects import broadcasters  # here, so that the learner's process never holds them

        pair = got.get("the pair")
        if broadcasters.is_pair_of_shapes(pair):
            return broadcasters.verdict(name, *map(tuple, pair))
        return _about_no_pair(pair, broadcasters.LONGEST)

    return compare


def _about_no_pair(pair, longest):
    words = (
        f"It returned {_written(pair)}, but two shapes were expected, each of at most {longest} whole "
        "numbers from 0 up, such as (2, 3), (3,)."
    )
    kinds = set(map(type, pair)) if isinstance(pair, list) else set()
    return words + " (0) is only the number 0; a shape of one size has a comma: (0,)." * (kinds == {list, int})


def _hunt(name):
    def pair(bg, rng):
        return {"the pair": bg.hunts.three_broadcasters()}

    pair.__name__ = f"broadcaster_{name}"
    asked = f"three_broadcasters(), and handed the two shapes to broadcaster {name}"
    hunt.probe(asked=asked, compare=_told_of(name))(pair)


for _name in "ABC":
    _hunt(_name)

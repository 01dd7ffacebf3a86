"""Wrong ideas about notebook 00, each as a patch for a private copy of the reference."""

from grader.course.exercise import wrong

from .exercises import area, side

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
    "This is the perimeter, the way around the rectangle along its four sides. The area counts the tiles inside.",
)(lambda width, height: 2 * (width + height))

_area(
    "a power instead of a product",
    "In Python ** is a power: 3 ** 5 is 3 times 3 times 3 times 3 times 3. One * multiplies.",
)(lambda width, height: width**height)

_area(
    "one side used twice",
    "This is the area of a square: one of the two sides is used twice, and the other one not at all.",
)(lambda width, height: width * width)

_area(
    "the numbers of one question",
    "The answer is the same whatever the question. A number that you read in a message is right for that one "
    "question: compute with width and height.",
)(lambda width, height: 15)

_area(
    "the answer as a text",
    "The number is right, but you turned it into a string. Return the number itself, without str and without quotes: "
    "others want to compute with it.",
)(lambda width, height: str(width * height))


@_area(
    "nothing is returned",
    "A function without return gives back None, Python's word for nothing. print only shows a number on the screen; "
    "return hands it to the caller.",
)
def _(width, height):
    pass


# 0.2: sides.


def _sides(name, words):
    """Register another test of a point: is it above the line?"""

    def register(is_above):
        @wrong(side, name, words)
        def patch(bg):
            bg.warmup.sides = lambda points, slope, start: [0 if is_above(x, y, slope, start) else 1 for x, y in points]

    return register


_sides(
    "the start is forgotten",
    "Your line goes through (0, 0). This one has the height start at x = 0, so all of it lies higher, or lower, by "
    "that much.",
)(lambda x, y, slope, start: y > slope * x)

_sides(
    "a line that does not climb",
    "Your line has the height start everywhere. With a slope the height is different at each x: at x = 2 the line has "
    "been climbing for 2.",
)(lambda x, y, slope, start: y > start)

_sides(
    "slope and start exchanged",
    "slope and start have changed places: your line begins at the height slope and climbs by start. Which of the two "
    "is the height at x = 0?",
)(lambda x, y, slope, start: y > slope + start * x)

_sides(
    "0 below the line",
    "0 and 1 have changed places: 0 is for a point above the line, 1 for one that is not.",
)(lambda x, y, slope, start: not y > slope * x + start)

_sides(
    "0 below the line, and 1 on it",
    "0 and 1 have changed places. The test y < height gives 0 to the points below; the points above should get it.",
)(lambda x, y, slope, start: y < slope * x + start)

_sides(
    "a point on the line counts as above",
    "Right, except for a point that lies on the line. Such a point is not above it, so it gets a 1: did you write > "
    "or >=?",
)(lambda x, y, slope, start: y >= slope * x + start)

_sides(
    "left of the line taken for above",
    "Right where the line climbs. You compare where the point and the line are from left to right: left of a line that "
    "climbs is above it, but left of a line that falls is below it. Compare heights: y with the line's height at this "
    "x.",
)(lambda x, y, slope, start: x < (y - start) / slope if slope else y > start)

_sides(
    "nearly on the line counts as on it",
    "Right, except for a point that lies a little above the line. However little it is, above is above: compare y with "
    "the line's height as it is.",
)(lambda x, y, slope, start: y > slope * x + start + 0.01)

_sides(
    "x and y exchanged",
    "x and y have changed places. x says how far to the right a point is, and y how high: the line's height is found "
    "from x and compared with y.",
)(lambda x, y, slope, start: x > slope * y + start)

_sides(
    "compared with the slope",
    "The slope is not a height. It says how much the line climbs for each 1 to the right: how high is the line at "
    "this x?",
)(lambda x, y, slope, start: y > slope)

_sides(
    "slope and x added",
    "slope and x are added here. A line of slope 3 climbs by 3 for each 1 to the right: how much has it climbed at "
    "x = 4?",
)(lambda x, y, slope, start: y > slope + x + start)

_sides(
    "the start is multiplied as well",
    "Your slope multiplies the start as well. At x = 0 the height of your line is slope times start; it should be "
    "start.",
)(lambda x, y, slope, start: y > slope * (x + start))

_sides(
    "the start is taken away",
    "The start is subtracted where it should be added: at x = 0 the height of the line is start.",
)(lambda x, y, slope, start: y > slope * x - start)


_sides(
    "x cut to a whole number",
    "Right for whole numbers. The x of a point may have decimals: the line climbs between the whole numbers too. Take "
    "x as it is.",
)(lambda x, y, slope, start: y > slope * int(x) + start)

_sides(
    "the height rounded",
    "Right for whole numbers. The height of the line may have decimals, and a point can lie next to it: compare with "
    "the height as it is.",
)(lambda x, y, slope, start: y > round(slope * x + start))


def _loop(name, words):
    """Register another function of points, slope and start."""

    def register(function):
        @wrong(side, name, words)
        def patch(bg):
            bg.warmup.sides = function

    return register


def _side(point, slope, start):
    x, y = point
    return 0 if y > slope * x + start else 1


@_loop(
    "return inside the loop",
    "Only the first point was looked at. (A return inside a loop ends the function in the first round.)",
)
def _(points, slope, start):
    answers = []
    for point in points:
        answers.append(_side(point, slope, start))
        return answers
    return answers


@_loop(
    "one number in place of a list",
    "This is the answer for the first point alone. Put each answer into a list, and return the list after the loop.",
)
def _(points, slope, start):
    for point in points:
        return _side(point, slope, start)
    return []


@_loop(
    "the list begins anew",
    "Only the last answer is left. Each point starts a new, empty list: make the list once, before the loop.",
)
def _(points, slope, start):
    answers = []
    for point in points:
        answers = [_side(point, slope, start)]
    return answers


@_loop(
    "the points taken out of the list",
    "The answers are right, but the list of points is empty afterwards: it belongs to the caller, who still needs it. "
    "A for loop goes through a list and leaves it as it is.",
)
def _(points, slope, start):
    answers = []
    while len(points):
        answers.append(_side(points.pop(0), slope, start))
    return answers


_loop(
    "those above are left out",
    "Points above the line have no answer in your list. Each point gets one, 0 or 1: is there an else?",
)(lambda points, slope, start: [1 for point in points if _side(point, slope, start)])

_loop(
    "those below are left out",
    "Points below the line have no answer in your list. Each point gets one, 0 or 1: is there an else?",
)(lambda points, slope, start: [0 for point in points if not _side(point, slope, start)])


@_loop(
    "the point on the line is left out",
    "A point that lies on the line has no answer in your list. It gets a 1, like the points below: else takes care of "
    "all that is left.",
)
def _(points, slope, start):
    answers = []
    for x, y in points:
        if y > slope * x + start:
            answers.append(0)
        elif y < slope * x + start:
            answers.append(1)
    return answers


@_loop(
    "the list replaced by what append gives back",
    "append puts the answer into the list and returns nothing. After answers = answers.append(...) the list is gone "
    "and answers is None: write answers.append(...) on a line of its own.",
)
def _(points, slope, start):
    answers = []
    for point in points:
        answers = answers.append(_side(point, slope, start))
    return answers


_loop(
    "the pair taken for a number",
    "Each point is a pair, and Python cannot compute with a pair as with a number. Take it apart: for x, y in points.",
)(lambda points, slope, start: [0 if point > slope * point + start else 1 for point in points])

_loop(
    "no loop over the points",
    "There is no y yet: points holds many pairs. Take them one after the other, for x, y in points, and do the rest "
    "inside that loop.",
)(lambda points, slope, start: 0 if y > slope * x + start else 1)  # noqa: F821

_loop(
    "the heights of the line",
    "These are the heights of the line. The question is whether each point is above it: compare, and put 0 or 1 into "
    "the list.",
)(lambda points, slope, start: [slope * x + start for x, _ in points])

_loop(
    "how far above",
    "This is how far each point is above the line. Where that is more than 0 the answer is 0, and elsewhere it is 1.",
)(lambda points, slope, start: [y - slope * x - start for x, y in points])

_loop(
    "the answers as texts",
    "The answers are strings. Return the numbers 0 and 1, without quotes.",
)(lambda points, slope, start: [str(_side(point, slope, start)) for point in points])

_loop(
    "how many in place of which",
    "This is how many points are not above the line. Return one answer for each point, in a list.",
)(lambda points, slope, start: sum(_side(point, slope, start) for point in points))

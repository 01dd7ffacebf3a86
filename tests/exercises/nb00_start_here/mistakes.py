"""Wrong ideas about notebook 00, each as a patch for a private copy of the reference."""

from grader.course.exercise import wrong

from .exercises import area

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

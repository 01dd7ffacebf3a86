"""Notebook 00: two small functions, to learn how the course works.

Yours: 0.1, 0.2.
"""


def area(width, height):
    """The area of a rectangle.

    width, height: numbers.  Returns a number.
    """
    # exercise 0.1
    raise NotImplementedError("exercise 0.1: area")
    # end of exercise 0.1


def sides(points, slope, start):
    """On which side of a straight line each point lies.

    points: pairs of numbers (x, y).
    slope, start: the line. At x = 0 its height is start, and it climbs by slope for each 1 to the right.
    Returns a list with one number per point: 0 says that it lies above the line, 1 that it lies on it or below it.
    points stays as it is.

    sides([(2, 9), (2, 1)], slope=3, start=1) is [0, 1].
    """
    # exercise 0.2
    raise NotImplementedError("exercise 0.2: sides")
    # end of exercise 0.2

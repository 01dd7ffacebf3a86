"""Notebook 00: two small functions, to learn how the course works."""


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
    slope, start: the line. At x = 0 it is start high, and it climbs by slope for each 1 that it goes to the right.
    Returns a list, for each point 0 if it lies above the line, and 1 if it does not.

    For the points (2, 9) and (2, 1), slope 3 and start 1 it returns [0, 1].
    """
    # exercise 0.2
    raise NotImplementedError("exercise 0.2: sides")
    # end of exercise 0.2

"""Notebook 00: two small functions, to learn how the course works.

Yours: 0.1, 0.2.
"""


def area(width, height):
    """The area of a rectangle.

    width, height: numbers.  Returns a number.
    """
    ### BEGIN SOLUTION 0.1: area
    return width * height
    ### END SOLUTION


def sides(points, slope, start):
    """On which side of a straight line each point lies.

    points: pairs of numbers (x, y).
    slope, start: the line. At x = 0 its height is start, and it climbs by slope for each 1 to the right.
    Returns a list with one number per point: 0 says that it lies above the line, 1 that it lies on it or below it.
    points stays as it is.

    sides([(2, 9), (2, 1)], slope=3, start=1) is [0, 1].
    """
    ### BEGIN SOLUTION 0.2: sides
    answers = []
    for x, y in points:
        line = start + slope * x
        answers.append(0 if y > line else 1)
    return answers
    ### END SOLUTION

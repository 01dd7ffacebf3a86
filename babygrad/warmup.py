"""Notebook 00: two small functions, to learn how the course works."""


def area(width, height):
    """The area of a rectangle.

    width, height: numbers.  Returns a number: the width times the height.
    """
    # exercise 0.1
    raise NotImplementedError("exercise 0.1: area")
    # end of exercise 0.1

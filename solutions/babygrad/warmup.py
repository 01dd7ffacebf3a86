"""Notebook 00: two small functions, to learn how the course works."""


def area(width, height):
    """The area of a rectangle.

    width, height: numbers.  Returns a number: the width times the height.
    """
    ### BEGIN SOLUTION 0.1: area
    return width * height
    ### END SOLUTION

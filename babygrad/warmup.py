"""Notebook 00: two small functions, to learn how the course works."""


def area(width, height):
    """The area of a rectangle.

    width, height: numbers.  Returns a number: the width times the height.
    """
    # exercise 0.1
    raise NotImplementedError("exercise 0.1: area")
    # end of exercise 0.1


def broadcast_shape(a, b):
    """The shape that NumPy gives to x + y, for x of shape a and y of shape b.

    a, b: shapes, that is tuples of ints such as (2, 3), (3,) or ().
    Returns a tuple.  Raises ValueError if the two shapes do not fit together.

    1. line the two shapes up at their right ends: the shorter one gets 1s in front
    2. at each place take the two sizes: equal sizes stay, and a 1 gives way to the other size
    3. two different sizes, neither of them 1, do not fit: raise ValueError
    """
    # exercise 0.2
    raise NotImplementedError("exercise 0.2: broadcast_shape")
    # end of exercise 0.2

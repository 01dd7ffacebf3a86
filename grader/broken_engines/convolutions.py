"""Four convolutions of one picture, a right one and three broken ones, for the hunt of notebook 17.

convolution(picture, filter, stride, padding): lists of rows, and two ints.  Returns the answer, and the gradient of the
picture where the numbers of the answer have the gradients 1, 2, 3, ...
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

MOST_ROWS, MOST_SIZE, MOST_STRIDE, MOST_PADDING, LARGEST = 4, 3, 3, 2, 10
NOWHERE = -1  # the place of a zero of the padding


def _windows_of_places(picture, size, stride, padding, mode="constant"):
    """For each window the places of its numbers in the picture, counted row by row: (rows, columns, size, size)."""
    places = np.arange(picture.size).reshape(picture.shape)
    around = dict(constant_values=NOWHERE) if mode == "constant" else {}
    padded = np.pad(places, padding, mode=mode, **around)
    return sliding_window_view(padded, (size, size))[::stride, ::stride]


def _added(gradient, places, shares):
    np.add.at(gradient, places, shares)


def _carried_out(picture, filter, stride, padding, mode="constant", put=_added):
    picture, filter = np.array(picture, float), np.array(filter, float)
    places = _windows_of_places(picture, len(filter), stride, padding, mode)
    numbers = np.append(picture.ravel(), 0.0)[places]  # the last one is the padding's
    answer = (numbers * filter).sum((2, 3))
    above = np.arange(1.0, answer.size + 1).reshape(answer.shape)
    gradient = np.zeros(picture.size + 1)
    put(gradient, places, above[..., None, None] * filter)
    return answer, gradient[:-1].reshape(picture.shape)


def _right(picture, filter, stride, padding):
    return _carried_out(picture, filter, stride, padding)


def _ada(picture, filter, stride, padding):
    """The filter is turned round."""
    return _carried_out(picture, np.array(filter)[::-1, ::-1], stride, padding)


def _ben(picture, filter, stride, padding):
    """Where windows overlap, the last one's share is written over the others."""

    def written(gradient, places, shares):
        for place, share in zip(places.ravel(), shares.ravel()):
            gradient[place] = share

    return _carried_out(picture, filter, stride, padding, put=written)


def _cleo(picture, filter, stride, padding):
    """The padding is not zero: what lies on the opposite side of the picture leaks in."""
    return _carried_out(picture, filter, stride, padding, "wrap")


CONVOLUTIONS = {"right": _right, "Ada": _ada, "Ben": _ben, "Cleo": _cleo}
WRONG = ("Ada", "Ben", "Cleo")


def differ(question, name):
    """Does a convolution give another answer, or another gradient, than the right one?"""
    pairs = zip(CONVOLUTIONS[name](*question), CONVOLUTIONS["right"](*question))
    return any(not np.allclose(one, other, rtol=0, atol=1e-9) for one, other in pairs)


def could_differ(question, name):
    """Is there what this one gets wrong: a filter that can be turned, windows that overlap, padding?"""
    picture, filter, stride, padding = question
    if name == "Ada":
        return not np.array_equal(np.array(filter), np.array(filter)[::-1, ::-1])
    if name == "Cleo":
        return padding > 0
    places = _windows_of_places(np.array(picture), len(filter), stride, padding)
    return bool(np.unique(places[places != NOWHERE], return_counts=True)[1].max(initial=0) > 1)


def complaint(question):
    """What is wrong with the form of (picture, filter, stride, padding), in words; "" if nothing. Takes anything."""
    if not isinstance(question, (list, tuple)) or len(question) != 4:
        return "it should be four things (picture, filter, stride, padding)"
    picture, filter, stride, padding = question
    if not _is_table(picture, MOST_ROWS):
        return f"picture should be a list of 1 to {MOST_ROWS} rows, equally long, of 1 to {MOST_ROWS} {NUMBERS}"
    if not _is_table(filter, MOST_SIZE) or len(filter) != len(filter[0]):
        return f"filter should be a list of 1 to {MOST_SIZE} rows, as long as there are rows, of {NUMBERS}"
    if type(stride) is not int or not 1 <= stride <= MOST_STRIDE:
        return f"stride should be a whole number from 1 to {MOST_STRIDE}"
    if type(padding) is not int or not 0 <= padding <= MOST_PADDING:
        return f"padding should be a whole number from 0 to {MOST_PADDING}"
    if min(len(picture), len(picture[0])) + 2 * padding < len(filter):
        return "the filter should fit into the picture with its padding"
    return ""


NUMBERS = f"numbers from -{LARGEST} to {LARGEST}"


def _is_table(table, most):
    if not isinstance(table, (list, tuple)) or not 1 <= len(table) <= most:
        return False
    if not all(isinstance(row, (list, tuple)) and 1 <= len(row) <= most for row in table):
        return False
    return len({len(row) for row in table}) == 1 and all(_is_number(number) for row in table for number in row)


def _is_number(x):
    return type(x) in (int, float) and abs(x) <= LARGEST

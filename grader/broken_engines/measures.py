"""Three ways to measure how wrong predictions are, each wrong somewhere. Run them before you read on."""

import math

LARGEST = 1e6
VISIBLE = 0.01  # of the mean squared error


def right(predicted, truth):
    """The mean of the squared errors."""
    return _mean([error**2 for error in _errors(predicted, truth)])


def _squared_too_late(predicted, truth):
    """A squares the mean of the errors."""
    return _mean(_errors(predicted, truth)) ** 2


def _without_the_right_ones(predicted, truth):
    """B takes the mean over the errors that are not 0."""
    return _mean([error**2 for error in _errors(predicted, truth) if error])


def _not_squared(predicted, truth):
    """C takes the size of each error, not its square."""
    return _mean([abs(error) for error in _errors(predicted, truth)])


def _errors(predicted, truth):
    return [p - t for p, t in zip(predicted, truth)]


def _mean(numbers):
    return sum(numbers) / len(numbers) if numbers else 0.0


MEASURES = {"A": _squared_too_late, "B": _without_the_right_ones, "C": _not_squared, "right": right}

_WHEN_WRONG = {
    "A": "A lets a guess that is too high make up for one that is too low. Are your errors all the same?",
    "B": "B is right about three of the first four lists. What do their errors have in common?",
    "C": "C does not square. Which errors are as large after squaring as before?",
}


def verdict(name, predicted, truth):
    """None if the measure of this name is wrong on these lists; else a sentence that says so."""
    found, wanted = MEASURES[name](predicted, truth), right(predicted, truth)
    if abs(found - wanted) > VISIBLE * wanted:
        return None
    return f"For {predicted} and {truth} {name} says {found:.4g}, and that is right. {_WHEN_WRONG[name]}"


def are_predictions(predicted, count):
    """Is it a list of so many numbers?  Takes anything."""
    return isinstance(predicted, (list, tuple)) and len(predicted) == count and all(map(_is_number, predicted))


def _is_number(x):
    return type(x) in (int, float) and math.isfinite(x) and abs(x) <= LARGEST

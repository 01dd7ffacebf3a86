"""Four training loops for the line w * x + b. One is right. Run them before you read on.

Each starts at w = 1, b = 0 and takes steps against the gradients of the sum of squared errors.
loop(samples, steps): samples is a list of pairs (x, y). Returns (w, b) after the steps.
"""

import math

RATE = 0.1
MOST_SAMPLES, MOST_STEPS, LARGEST = 4, 5, 10


def _right(samples, steps):
    w, b = 1.0, 0.0
    for _ in range(steps):
        slope_w, slope_b = _slopes(samples, w, b)
        w, b = w - RATE * slope_w, b - RATE * slope_b
    return w, b


def _ada(samples, steps):
    """Never forgets the gradients of the steps before."""
    w, b, slope_w, slope_b = 1.0, 0.0, 0.0, 0.0
    for _ in range(steps):
        more_w, more_b = _slopes(samples, w, b)
        slope_w, slope_b = slope_w + more_w, slope_b + more_b
        w, b = w - RATE * slope_w, b - RATE * slope_b
    return w, b


def _ben(samples, steps):
    """Its parameters() lacks the bias."""
    w = 1.0
    for _ in range(steps):
        w -= RATE * _slopes(samples, w, 0.0)[0]
    return w, 0.0


def _cleo(samples, steps):
    """Turns the order of the inputs round and leaves the labels where they are."""
    inputs, labels = zip(*samples)
    return _right(list(zip(reversed(inputs), labels)), steps)


def _slopes(samples, w, b):
    errors = [w * x + b - y for x, y in samples]
    return sum(2 * e * x for e, (x, _) in zip(errors, samples)), sum(2 * e for e in errors)


LOOPS = {"right": _right, "Ada": _ada, "Ben": _ben, "Cleo": _cleo}
WRONG = ("Ada", "Ben", "Cleo")


def differ(samples, steps, name):
    """Does this loop end elsewhere than the right one?"""
    pairs = zip(LOOPS["right"](samples, steps), LOOPS[name](samples, steps))
    return not all(math.isclose(p, q, rel_tol=1e-9, abs_tol=1e-9) for p, q in pairs)


def place(w, b):
    """Where a loop ended, in words."""
    return f"w = {round(w, 6) + 0:g}, b = {round(b, 6) + 0:g}"


def complaint(answer):
    """What is wrong with the form of (samples, steps), in words; '' if nothing. Takes anything."""
    if not isinstance(answer, (list, tuple)) or len(answer) != 2:
        return "it should be a pair (samples, steps)"
    samples, steps = answer
    if type(steps) is not int or not 1 <= steps <= MOST_STEPS:
        return f"it should be a pair (samples, steps), with steps a whole number from 1 to {MOST_STEPS}"
    if not isinstance(samples, (list, tuple)) or not 1 <= len(samples) <= MOST_SAMPLES:
        return f"it should be a pair (samples, steps), with samples a list of 1 to {MOST_SAMPLES} pairs (x, y)"
    if not all(_is_sample(sample) for sample in samples):
        return f"each sample should be a pair (x, y) of numbers from -{LARGEST} to {LARGEST}"
    return ""


def _is_sample(sample):
    return isinstance(sample, (list, tuple)) and len(sample) == 2 and all(map(_is_number, sample))


def _is_number(x):
    return type(x) in (int, float) and abs(x) <= LARGEST

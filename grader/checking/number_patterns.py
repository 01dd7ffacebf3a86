"""Patterns in a wrong number that say something about the mistake, where no known misconception gives the same answers.

Each sentence states what can be seen in the numbers, no cause. Shapes come first, then nan and inf, then values.
"""

import math
from dataclasses import dataclass

FACTORS = {2.0: "twice", 0.5: "half", 3.0: "three times", 4.0: "four times", 0.25: "a quarter of", 10.0: "ten times"}
NEARLY, NEARLY_0 = 1e-3, 1e-6  # for the size of a number, and where it should be 0
SEVEN_DIGITS = 1e-5  # as many as float32 has, or a few less


@dataclass(frozen=True)
class Numbers:
    """The numbers of an answer in a row, and how they were arranged."""

    values: list
    shape: tuple
    dtype: str = "float64"

    def any(self):
        return any(self.values)

    def are_finite(self):
        return all(map(math.isfinite, self.values))

    def times(self, factor):
        return Numbers([factor * x for x in self.values], self.shape)

    def transposed(self):
        rows, columns = self.shape
        return Numbers([self.values[r * columns + c] for c in range(columns) for r in range(rows)], (columns, rows))

    def near(self, other, rtol, atol):
        """Is each number as near to that of the other? NaN is as NaN."""
        return all(_near(x, y, rtol, atol) for x, y in zip(self.values, other.values))


def pattern_in(expected, got, others=()):
    """One sentence, or ''. Understands numbers, lists of numbers and arrays.

    others: pairs (expected, got) from other questions with wrong answers. A factor, or a sign, is that of all of them;
    one number alone proves no factor.
    """
    want, have = _numbers(expected), _numbers(got)
    if want is None or have is None or not want.values:
        return ""
    if want.shape != have.shape or not (want.are_finite() and have.are_finite()):
        return _transposed(want, have) or _not_finite(want, have)
    return _about_values(want, have, [(want, have), *_pairs(others)]) or _transposed(want, have)


def is_nearly(expected, got):
    """Are all numbers off by so little that the way they were found can only be a little wrong?"""
    want, have = _numbers(expected), _numbers(got)
    return want is not None and have is not None and want.shape == have.shape and have.near(want, NEARLY, NEARLY_0)


def numbers_in(x):
    """The numbers of a number, a list of numbers or an array, in a row; None of anything else."""
    numbers = _numbers(x)
    return None if numbers is None else numbers.values


def _about_values(want, have, pairs):
    if not want.any():
        return ""
    if not have.any():
        return "It is 0 where it should not be."
    if all(_alike(h, w.times(-1.0)) for w, h in pairs):
        return "The size is right, but the sign is wrong."
    if factor := _common_factor(pairs):
        return f"It is exactly {FACTORS[factor]} what it should be."
    return _nearly(want, have)


def _numbers(x):
    """The Numbers; None if it is something else. (A list in a list is.)"""
    if hasattr(x, "dtype"):
        return Numbers(list(map(float, x.ravel().tolist())), x.shape, x.dtype.name) if x.dtype.kind in "fiu" else None
    values = x if isinstance(x, list) else [x]
    if not all(type(v) in (int, float) for v in values):
        return None
    return Numbers(list(map(float, values)), (len(x),) if isinstance(x, list) else ())


def _pairs(others):
    """The pairs of numbers among them. Of others nothing can be said."""
    pairs = [(_numbers(expected), _numbers(got)) for expected, got in others]
    alike = [(w, h) for w, h in pairs if w is not None and h is not None and w.shape == h.shape]
    return [(w, h) for w, h in alike if w.are_finite() and h.are_finite()]


def _not_finite(want, have):
    if want.shape != have.shape or want.shape == ():
        return ""  # one number is in the message already
    odd = sum(math.isfinite(w) and not math.isfinite(h) for w, h in zip(want.values, have.values))
    but = "" if odd == sum(not math.isfinite(h) for h in have.values) else " and should not be"
    return f"{odd} of its {len(have.values)} numbers {'is' if odd == 1 else 'are'} nan or inf{but}." if odd else ""


def _common_factor(pairs):
    """The key of FACTORS by which all numbers are off, if at least two different ones say so."""
    sizes = [abs(x) for want, _ in pairs for x in want.values if x]
    if all(_near(size, sizes[0], 1e-9, 0.0) for size in sizes):
        return None
    return next((factor for factor in FACTORS if all(_alike(have, want.times(factor)) for want, have in pairs)), None)


def _nearly(want, have):
    if not have.near(want, NEARLY, NEARLY_0):
        return ""
    if have.dtype == "float32" and want.dtype == "float64":
        return "It is nearly right: its numbers are of type float32, which has about 7 digits."
    worst = max(abs(h - w) for w, h in zip(want.values, have.values))
    return f"It is nearly right: off by at most {_rounded_up(worst)}." if worst else ""


def _rounded_up(x):
    """x with one digit, and no smaller than it is."""
    unit = 10.0 ** math.floor(math.log10(x))
    return f"{math.ceil(x / unit) * unit:.0e}"


def _transposed(want, have):
    if len(want.shape) != 2 or have.shape != want.shape[::-1]:
        return ""
    turned = want.transposed()
    is_symmetric = turned.shape == want.shape and turned.near(want, 0.0, 0.0)
    return "Rows and columns are swapped." if not is_symmetric and _alike(have, turned) else ""


def _alike(a, b):
    """Are they the same numbers, as far as their type can tell?"""
    return a.near(b, SEVEN_DIGITS if "float32" in (a.dtype, b.dtype) else 1e-9, 1e-12)


def _near(x, y, rtol, atol):
    if x == y or (x != x and y != y):
        return True
    return abs(x - y) <= atol + rtol * abs(y) < math.inf

"""Patterns in a wrong number that hint at the mistake, for answers that no known misconception explains.

Each sentence states what can be seen in the numbers, no cause. Shapes come first, then nan and inf, then values.
"""

import math

FACTORS = {2.0: "twice", 0.5: "half", 3.0: "three times", 4.0: "four times", 10.0: "ten times"}
NEARLY, NEARLY_0 = 1e-3, 1e-6  # for the size of a number, and where it should be 0


def hunch(expected, got, others=()):
    """One sentence, or ''. Understands numbers, lists of numbers and arrays.

    others: pairs (expected, got) from other questions with wrong answers. One number alone proves no factor.
    """
    want, have = _numbers(expected), _numbers(got)
    if want is None or have is None or not want.size:
        return ""
    if want.shape != have.shape or not _are_finite(want, have):
        return _transposed(want, have) or _not_finite(want, have)
    return _about_values(want, have, [(want, have), *_pairs(others)]) or _transposed(want, have)


def _about_values(want, have, pairs):
    if not want.any():
        return ""
    if not have.any():
        return "It is 0 where it should not be."
    if _alike(have, -1.0 * want):
        return "The size is right, the sign is the other way round."
    if factor := _common_factor(pairs):
        return f"It is exactly {FACTORS[factor]} what it should be."
    return _nearly(want, have)


def _numbers(x):
    """An array of numbers; None if it is something else. (A list in a list is.)"""
    import numpy as np

    if hasattr(x, "dtype"):
        return x if x.dtype.kind in "fiu" else None
    numbers = x if isinstance(x, list) else [x]
    return np.array(x, float) if all(type(v) in (int, float) for v in numbers) else None


def _pairs(others):
    """The pairs of numbers among them. Of others nothing can be said."""
    pairs = [(_numbers(expected), _numbers(got)) for expected, got in others]
    return [(w, h) for w, h in pairs if w is not None and h is not None and w.shape == h.shape and _are_finite(w, h)]


def _are_finite(want, have):
    import numpy as np

    return bool(np.isfinite(want).all() and np.isfinite(have).all())


def _not_finite(want, have):
    import numpy as np

    if want.shape != have.shape or want.ndim == 0:
        return ""  # one number is in the message already
    odd = int((np.isfinite(want) & ~np.isfinite(have)).sum())
    return f"{odd} of its {have.size} numbers {'is' if odd == 1 else 'are'} nan or inf." if odd else ""


def _common_factor(pairs):
    """The key of FACTORS by which all numbers are off, if at least two different ones say so."""
    import numpy as np

    want, have = (np.concatenate([np.ravel(pair[side]) for pair in pairs]).astype(float) for side in (0, 1))
    sizes = np.abs(want[want != 0])
    if not sizes.size or np.allclose(sizes, sizes[0], rtol=1e-9, atol=0):
        return None
    return next((factor for factor in FACTORS if _alike(have, factor * want)), None)


def _nearly(want, have):
    import numpy as np

    if not np.allclose(have, want, rtol=NEARLY, atol=NEARLY_0):
        return ""
    if have.dtype == "float32" and want.dtype == "float64":
        return "It is nearly right: its numbers are of type float32, which has about 7 digits."
    worst = float(np.abs(np.asarray(have, float) - want).max())
    return f"It is nearly right: off by no more than {_rounded_up(worst)}." if worst else ""


def _rounded_up(x):
    """x with one digit, and no smaller than it is."""
    unit = 10.0 ** math.floor(math.log10(x))
    return f"{math.ceil(x / unit) * unit:.0e}"


def _transposed(want, have):
    import numpy as np

    turned = want.ndim == 2 and have.shape == want.T.shape and not np.array_equal(want, want.T, equal_nan=True)
    return "Rows and columns have changed places." if turned and _alike(have, want.T) else ""


def _alike(a, b):
    import numpy as np

    return bool(np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True))

"""Patterns in a wrong number that hint at the mistake, for answers that no known misconception explains."""

import math


def hunch(expected, got):
    """One sentence, or ''. Understands numbers and arrays of one shape."""
    want, have = _floats(expected), _floats(got)
    if not want or len(want) != len(have) or not any(want):
        return _transposed(expected, got)
    if not any(have):
        return "It is 0 where it should not be."
    if _all_close(have, [-x for x in want]):
        return "The size is right, the sign is the other way round."
    factor = _common_factor(want, have)
    if factor in _FACTORS:
        return f"It is exactly {_FACTORS[factor]} what it should be."
    if all(math.isclose(x, y, rel_tol=1e-4, abs_tol=1e-6) for x, y in zip(have, want)):
        return (
            "It is nearly right, but not to the last digits. Was a little something added, or a slope found by nudging?"
        )
    return _transposed(expected, got)


_FACTORS = {2.0: "twice", 0.5: "half", 3.0: "three times", 4.0: "four times", 10.0: "ten times"}


def _floats(x):
    if isinstance(x, bool):
        return []
    if isinstance(x, (int, float)):
        x = [x]
    elif hasattr(x, "ravel"):
        x = x.ravel().tolist()
    if isinstance(x, list) and all(type(v) in (int, float) and math.isfinite(v) for v in x):
        return [float(v) for v in x]
    return []


def _common_factor(want, have):
    pairs = [(w, h) for w, h in zip(want, have) if w]
    factor = round(pairs[0][1] / pairs[0][0], 9)
    return factor if _all_close(have, [factor * w for w in want]) else None


def _transposed(expected, got):
    turned = getattr(expected, "ndim", 0) == 2 and getattr(got, "shape", None) == expected.T.shape
    if turned and _all_close(_floats(got), _floats(expected.T)):
        return "Rows and columns have changed places."
    return ""


def _all_close(a, b):
    return len(a) == len(b) and all(math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-12) for x, y in zip(a, b))

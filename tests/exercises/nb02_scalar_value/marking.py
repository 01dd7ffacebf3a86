"""How answers to notebook 02 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.asking.answers import NOT_COMPARED
from grader.asking.describe import describe
from grader.asking.outcome import Other
from grader.broken_engines import operators
from grader.marking.compare import same
from grader.marking.play import handed_to

from .questions import BLIND_SPOTS

# 2.2: by_hand.

TRACK = {
    "t1": "It is a * b.",
    "t2": "It is t1 + c.",
    "t3": "It is a + d.",
    "L": "It is t2 * t3.",
    "L.grad": "How much does L change for each unit that L itself changes?",
    "t2.grad": "t2 went into L = t2 * t3. What is the local derivative ∂L/∂t2 there?",
    "t3.grad": "t3 went into L = t2 * t3. What is the local derivative ∂L/∂t3 there?",
    "t1.grad": "t1 went into t2 = t1 + c. Multiply the local derivative there by the gradient of t2.",
    "c.grad": "c went into t2 = t1 + c. Multiply the local derivative there by the gradient of t2.",
    "d.grad": "d went into t3 = a + d. Multiply the local derivative there by the gradient of t3.",
    "b.grad": "b went into t1 = a * b. Multiply the local derivative there by the gradient of t1.",
    "a.grad": "a went into two results, t1 and t3. Each makes a share.",
}


def by_hand(expected, got):
    """The comparison for what was found by hand. The right number is not told: finding it is the exercise."""
    for name, want in expected.items():
        if name in NOT_COMPARED:
            continue
        if "returned" in got:
            return f"It returned {describe(got['returned'])}, but a dict was expected, as in the docstring."
        if name not in got:
            return f"The dict has no {name!r} yet. {TRACK[name]}"
        if isinstance(got[name], Other) and got[name].type == "ellipsis":
            return f"{name} is still left open (...). {TRACK[name]}"
        if isinstance(got[name], str):
            return f"{name} is the text {describe(got[name])}. Without the quotes Python computes it. {TRACK[name]}"
        if not same(want, got[name]):
            return f"{name} is {describe(got[name])}, and that is not right. {TRACK[name]}"
    return None


# 2.10: the hunt.


def sees(name):
    """The comparison for one engine: does it find a wrong slope there?"""
    return handed_to(name, operators.verdict, BLIND_SPOTS, operators.OPERATIONS)


COMPARISONS = {
    "2.2": by_hand,
    "2.10": {f"engine_of_{name}": sees(name) for name in ("Ada", "Ben", "Cleo")},
}

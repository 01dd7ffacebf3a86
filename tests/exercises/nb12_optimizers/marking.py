"""How answers to notebook 12 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.asking.describe import describe
from grader.broken_engines.momentums import ENGINES, places, right
from grader.marking.second_derivatives import still_exact

# 12.10: the hunt.

MOST_STEPS, MOST = 3, 10
FORM_OF_THE_HUNT = "Return a list of pairs (gradient, lr), written like this: [(1, 0.5), (2, 0.1)]."


def complaint_about(run):
    """Why this is no run that can be played; None if it is one. Survives whatever came back."""
    if not (isinstance(run, list) and run and all(isinstance(step, list) and len(step) == 2 for step in run)):
        return f"It returned {describe(run)[:200]}. {FORM_OF_THE_HUNT}"
    if not all(type(number) in (int, float) for step in run for number in step):
        return f"It returned {describe(run)[:200]}. Each gradient and each learning rate must be a number."
    if len(run) > MOST_STEPS:
        return f"It returned {len(run)} steps, but at most {MOST_STEPS} are allowed."
    if not all(abs(gradient) <= MOST and 0 < lr <= 1 for gradient, lr in run):
        limits = f"A gradient must be between -{MOST} and {MOST}, and lr above 0 and at most 1."
        return f"It returned {run_in_words(run)}. {limits}"
    return None


def run_in_words(run):
    return ", ".join(f"({gradient:g}, {lr:g})" for gradient, lr in run)


LOOK = {
    "A": "A forgets something, but not at once. What is still the same after two steps?",
    "B": "B has the learning rate in a different place. When does the place not matter?",
    "C": "C looks ahead, although nobody asked for it.",
    "D": "D begins correctly, with the gradient itself. What does it do with the next one? And if that one is 0?",
}


def is_caught(name):
    """The comparison for one author, on whose momentum the run is played."""

    def compare(expected, got):
        run = got.get("the run")
        problem = complaint_about(run)
        if problem:
            return problem
        first = expected["asked"]["first"]
        if run[0][0] != first:
            return f"It returned {run_in_words(run)}. The first gradient must be {first}."
        found = places(ENGINES[name], run)
        off = [abs(place - wanted) > 1e-9 for place, wanted in zip(found, places(right, run))]
        if off[-1]:
            return None
        why = LOOK[name]
        if any(off):
            why = (
                f"It was wrong after step {off.index(True) + 1}, but its mistakes cancel at the end: change one number."
            )
        return f"For the run {run_in_words(run)} {name} ends at {found[-1]:.4f}, which is right. {why}"

    return compare


COMPARISONS = {
    "12.8": {"norm_differentiated_again": still_exact},
    "12.10": {f"catches_{name}": is_caught(name) for name in "ABCD"},
}

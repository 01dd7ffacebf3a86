"""How answers to notebook 06 are compared. What is not here is compared as grader/marking/compare.py does."""

import numpy as np

from grader.asking.describe import describe
from grader.broken_engines.local_rules import ENGINES, answers_of
from grader.marking.gradient_checks import ended_well, said_about
from grader.marking.second_derivatives import still_exact
from grader.probes.gradient_checks import RAISED

# 6.5: compare_with_nudging.


def names_it_all(**words):
    """The comparison for a message.  words: {what it may not have named: how that is told}."""

    def compare(expected, got):
        ended = got.get("it")
        if not (isinstance(ended, str) and ended == RAISED):
            return f"A GradcheckError was expected, but {ended if isinstance(ended, str) else describe(ended)}."
        missing = got.get("missing")
        if not isinstance(missing, list) or not all(isinstance(what, str) and what in words for what in missing):
            return "The message could not be read."
        said = describe(said_about("said", got))
        return f"It raised GradcheckError saying {said}. This does not name {words[missing[0]]}." if missing else None

    return compare


# 6.10: the hunt.

LOOK = {
    "Ada": "Ada's rule is wrong at one number alone. Where are the two halves of relu joined, and what arrives there?",
    "Ben": "Ben mixes up the gradients of different places. Which gradients would show it?",
    "Cleo": "Cleo's rule loses something that only some gradients have. Does one of yours have it, away from the kink?",
}
MOST_NUMBERS = 2
FORM_OF_THE_HUNT = "Return two lists of equal length with a comma between them, written like this: [3, -2], [1, 1]."


def complaint_about(test):
    """Why this is no test that can be played; None if it is one. Survives whatever came back."""
    if not (isinstance(test, list) and len(test) == 2 and all(isinstance(side, list) for side in test)):
        return f"It returned {describe(test)}. {FORM_OF_THE_HUNT}"
    numbers = [number for side in test for number in side]
    if not all(type(number) in (int, float) and abs(number) <= 10 for number in numbers):
        return f"It returned {described(test)}. Only numbers from -10 to 10 are allowed."
    if len(test[0]) != len(test[1]):
        return (
            f"It returned {described(test)}: {len(test[0])} and {len(test[1])} numbers. Each x needs its own out_grad."
        )
    if not 1 <= len(test[0]) <= MOST_NUMBERS:
        return f"It returned {described(test)}. Each list holds one or two numbers."
    return None


def described(test):
    return f"x = {describe(test[0])}, out_grad = {describe(test[1])}"


def is_caught(name):
    """The comparison for one author: the test is played on the author's rule here, not in the learner's process."""

    def compare(expected, got):
        test = got.get("the test")
        problem = complaint_about(test)
        if problem:
            return problem
        place = expected["asked"]["place"]
        if place not in test[0]:
            return f"It returned {described(test)}. {place} must be one of the numbers in x."
        engine = ENGINES[name]
        found, right = answers_of(engine, *test)
        if not np.allclose(found, right, rtol=1e-6, atol=1e-9):
            return None
        answer = describe(found.round(4) + 0.0)
        found = f"For {described(test)} {name}'s rule for {engine.function} gives {answer}, and that is right."
        return f"{found} {LOOK[name]}"

    return compare


ENDS = (
    "passes_right_rules",
    "stops_wrong_rules",
    "sees_what_ones_hide",
    "shape_before_value",
    "nan_and_inf",
    "uneasy_but_right",
    "its_tolerances",
    "right_or_wrong",
)
MESSAGES = {
    "a_message_about_a_number": names_it_all(
        position="the input: its position 2",
        index="the index (0, 1)",
        numbers="both numbers, the one by backward and the one by nudging",
        whose="whose number is which: they have changed places",
    ),
    "a_message_about_the_first_fault": names_it_all(first="position 1 alone, that of the first input that is wrong"),
    "a_message_about_none": names_it_all(position="the input: its position 1"),
    "a_message_about_a_shape": names_it_all(
        position="the input: its position 1", shape_given="the shape (4, 3)", shape_of_input="the shape (3, 4)"
    ),
}
COMPARISONS = {
    **{id: {"differentiable_again": still_exact} for id in ("6.1", "6.2", "6.3", "6.4", "6.6", "6.7", "6.8", "6.9")},
    "6.5": dict.fromkeys(ENDS, ended_well) | MESSAGES,
    "6.10": {f"catches_{name}": is_caught(name) for name in ENGINES},
}

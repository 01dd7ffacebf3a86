"""Which questions stand on a sheet."""

import random
from collections import Counter

from ..course.folders import load
from ..course.usage import UsageError


def all_questions(numbers):
    """The questions of an exam about the notebooks with these two-digit numbers, in order."""
    modules = [load(number, "exam") for number in numbers]
    return [question for module in modules if module for question in module.QUESTIONS]


def chosen(numbers, seed, minutes):
    """Questions for so many minutes: of each kind and each notebook about as many.  minutes: None for all of them.

    Raises UsageError if there are none.
    """
    found = all_questions(numbers)
    if not found:
        raise UsageError(f"There are no exam questions about {', '.join(numbers) or 'no notebook'}.")
    if minutes is None:
        return found
    taken = _taken(found, random.Random(f"{seed} which"), minutes)
    if not taken:
        raise UsageError(f"No question is as short as {minutes} minutes.")
    return [question for question in found if question in taken]


def _taken(found, rng, left):
    """Questions for so many minutes: always one about a notebook with the fewest so far, of a kind with the fewest."""
    taken, waiting = [], rng.sample(found, len(found))
    notebooks, kinds = Counter(), Counter()
    while waiting:
        least = min(notebooks[question.number] for question in waiting)
        fitting = [q for q in waiting if notebooks[q.number] == least and q.minutes <= left]
        if not fitting:
            break
        question = min(fitting, key=lambda each: kinds[each.kind])
        waiting.remove(question)
        taken.append(question)
        notebooks[question.number] += 1
        kinds[question.kind] += 1
        left -= question.minutes
    return taken
